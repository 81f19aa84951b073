import manifest from "../../../package.json";
import { identity } from "../../release/owner";

/** What Maven Central asks of every package, and Pulumi's generator fills in for packages of Pulumi only. */
const FACTS: readonly (readonly [empty: string, filled: string])[] = [
  [`inceptionYear = ""\n                name = ""`, `name = ${JSON.stringify(manifest.name)}`],
  [`id = ""`, `id = ${JSON.stringify(identity.githubOwner)}`],
  [`name = ""`, `name = ${JSON.stringify(identity.publisher)}`],
  [`email = ""`, `email = ${JSON.stringify(identity.securityContact)}`],
];

/**
 * A generated build.gradle with a name and a developer.
 * @throws when the generator leaves something else empty than it did
 */
export function withMavenFacts(text: string): string {
  return FACTS.reduce((now, [empty, filled]) => {
    if (!now.includes(empty))
      throw new Error(`build.gradle has no ${empty} any more: see tools/generate/sdks/maven.ts`);
    return now.replace(empty, filled);
  }, text);
}
