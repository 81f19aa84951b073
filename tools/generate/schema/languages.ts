import { identity } from "../../release/owner";

const [rootNamespace = "", namespace = ""] = identity.nugetPackage.split(".");

/** How each language names the package. */
export const languages = {
  // The package that tools/generate/native-package.ts writes; no SDK is generated for it. `pulumi import` and `pulumi convert` write programs with this name.
  nodejs: { packageName: identity.nativeNpmPackage },
  python: { packageName: identity.pythonPackage, pyproject: { enabled: true } },
  go: {
    modulePath: identity.goModule,
    importBasePath: `${identity.goModule}/previewenv`,
    respectSchemaVersion: true,
  },
  // `Pulumi.` on NuGet and `com.pulumi` on Maven Central are Pulumi's own.
  csharp: { rootNamespace, namespaces: { previewenv: namespace }, respectSchemaVersion: true },
  java: {
    basePackage: identity.mavenGroup,
    buildFiles: "gradle",
    dependencies: { "com.pulumi:pulumi": "1.12.0" },
  },
};
