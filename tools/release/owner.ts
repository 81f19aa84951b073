import * as z from "zod";
import file from "./identity.json";

/** As npm accepts a new name: lower case, at most 214 characters, with or without a scope. https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const NpmName = z
  .string()
  .max(214)
  .regex(/^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/u);

/** The owner's names, by the rules of the places where they are registered. */
export const Identity = z.strictObject({
  /** Letters and digits with single hyphens between them, at most 39 characters. */
  githubOwner: z
    .string()
    .max(39)
    .regex(/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/u),
  githubRepository: z
    .string()
    .max(100)
    .regex(/^[\w.-]+$/u)
    .refine((name) => !name.endsWith(".git")),
  npmPackage: NpmName,
  /** The package on PyPI and the module that a program imports, so that the rules of both hold. https://packaging.python.org/specifications/name-normalization */
  pythonPackage: z.string().regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u),
  /** A domain or a GitHub name of the owner, backwards, as Maven Central verifies it: `io.github.my-name`. */
  mavenGroup: z.string().regex(/^[a-z][a-z0-9]*(?:\.[a-z0-9][a-z0-9_-]*)+$/u),
  /** The beginning of the Java packages: words of Java with dots between them. A hyphen of the group is an underscore here. */
  javaPackage: z.string().regex(/^[a-z][a-z0-9]*(?:\.[a-z_][a-z0-9_]*)+$/u),
  /** Namespace and package. A NuGet id has at most 100 characters. */
  nugetPackage: z
    .string()
    .max(100)
    .regex(/^[A-Z]\w*\.[A-Z]\w*$/u),
  publisher: z.string().min(1),
  homepage: z.url({ protocol: /^https$/u }),
  /** An address for mail. One that ends with `.example` is no address yet. */
  securityContact: z.email(),
});

/** Every name that belongs to the owner of the project, and what follows from these. */
export type Identity = z.output<typeof Identity>;

/** What follows from the names of an owner. */
export function derivedFrom({ githubOwner, githubRepository }: Identity) {
  const repository = `github.com/${githubOwner}/${githubRepository}`;
  return {
    /** Where the sources are, without the protocol. */
    repository,
    /** For browsers and package.json. */
    repositoryUrl: `https://${repository}`,
    /** Its versions are the tags `sdk/go/vX.Y.Z`. */
    goModule: `${repository}/sdk/go`,
    /** Where the engine looks for the plugin's archives: the files of a release on GitHub. */
    pluginDownloadUrl: `github://api.github.com/${githubOwner}/${githubRepository}`,
    /** docs/logo.svg as the newest sources have it, for registries. */
    logoUrl: `https://raw.githubusercontent.com/${githubOwner}/${githubRepository}/HEAD/docs/logo.svg`,
  } as const;
}

/** The names of tools/release/identity.json. */
const names = Identity.parse(file);

/** The owner's names and what follows from them. Nothing else may say them by itself. */
export const identity = { ...names, ...derivedFrom(names) };
