import * as z from "zod";
import file from "./identity.json";

/** The owner's names, by the rules of the places where they are registered. */
export const Identity = z.strictObject({
  githubOwner: z.string().regex(/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/u),
  githubRepository: z.string().regex(/^[\w.-]+$/u),
  /** With or without a scope. */
  npmPackage: z.string().regex(/^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/u),
  /** The package on PyPI and the module that a program imports, so that the rules of both hold. */
  pythonPackage: z.string().regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u),
  /** A domain or a GitHub name of the owner, backwards, as Maven Central verifies it: `io.github.my-name`. */
  mavenGroup: z.string().regex(/^[a-z][a-z0-9]*(?:\.[a-z0-9][a-z0-9_-]*)+$/u),
  /** The beginning of the Java packages: words of Java with dots between them. A hyphen of the group is an underscore here. */
  javaPackage: z.string().regex(/^[a-z][a-z0-9]*(?:\.[a-z_][a-z0-9_]*)+$/u),
  /** Namespace and package. */
  nugetPackage: z.string().regex(/^[A-Z]\w*\.[A-Z]\w*$/u),
  publisher: z.string().min(1),
  homepage: z.url({ protocol: /^https$/u }),
  /** An address for mail. One that ends with `.example` is no address yet. */
  securityContact: z.email(),
});

/** Every name that belongs to the owner of the project. */
export type Identity = z.output<typeof Identity>;

/** The names of tools/release/identity.json. */
const names = Identity.parse(file);

/** Where the sources are, without the protocol. */
const repository = `github.com/${names.githubOwner}/${names.githubRepository}`;

/** The owner's names and what follows from them. Nothing else may say them by itself. */
export const identity = {
  ...names,
  repository,
  /** For browsers and package.json. */
  repositoryUrl: `https://${repository}`,
  /** Its versions are the tags `sdk/go/vX.Y.Z`. */
  goModule: `${repository}/sdk/go`,
  /** Where the engine looks for the plugin's archives: the files of a release on GitHub. */
  pluginDownloadUrl: `github://api.github.com/${names.githubOwner}/${names.githubRepository}`,
  /** docs/logo.svg as the newest sources have it, for registries. */
  logoUrl: `https://raw.githubusercontent.com/${names.githubOwner}/${names.githubRepository}/HEAD/docs/logo.svg`,
} as const;
