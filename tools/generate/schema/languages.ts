import manifest from "../../../package.json";
import { identity } from "../../release/owner";

const [rootNamespace = "", namespace = ""] = identity.nugetPackage.split(".");

/** How each language names the package. */
export const languages = {
  // No SDK is generated for Node: this name is for the programs that `pulumi import` and `pulumi convert` write.
  nodejs: { packageName: `${manifest.name}/native` },
  python: {
    packageName: identity.pythonPackage,
    pyproject: { enabled: true },
    readme: `${manifest.description}.\n\nThe plugin \`pulumi-resource-previewenv\` is installed separately.\n`,
  },
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
