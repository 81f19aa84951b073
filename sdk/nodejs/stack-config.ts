import * as pulumi from "@pulumi/pulumi";
import { perRun } from "./run";

const NAMESPACE = "previewenv";
const TOKEN = "apiToken";
const warning = perRun(() => ({ given: false }));

/** Stack config of the provider: `previewenv:<name>`. */
export function stackConfig(): pulumi.Config {
  return new pulumi.Config(NAMESPACE);
}

/** Warns, once per program, of a token that lies in the stack's file in clear. */
export function warnPlainToken(): void {
  const once = warning();
  if (once.given) return;
  once.given = true;
  const key = `${NAMESPACE}:${TOKEN}`;
  if (stackConfig().get(TOKEN) === undefined || isConfigSecret(key)) return;
  const text = `${key} is in the stack's config as plain text: run \`pulumi config set --secret ${key} <value>\`.`;
  pulumi.log.warn(text).catch(() => undefined);
}

/** The SDK has this function and leaves it out of its types; without it nothing is known, and nothing is said. */
function isConfigSecret(key: string): boolean {
  const runtime: object = pulumi.runtime;
  return (
    !("isConfigSecret" in runtime) ||
    typeof runtime.isConfigSecret !== "function" ||
    runtime.isConfigSecret(key) === true
  );
}
