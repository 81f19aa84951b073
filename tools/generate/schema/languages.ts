import manifest from "../../../package.json";

const GO_MODULE = "github.com/previewenv/pulumi-previewenv/sdk/go";

/** How each language names the package. */
export const languages = {
  // No SDK is generated for Node: this name is for the programs that `pulumi import` and `pulumi convert` write.
  nodejs: { packageName: `${manifest.name}/native` },
  python: {
    packageName: "pulumi_previewenv",
    pyproject: { enabled: true },
    readme: `${manifest.description}.\n\nThe plugin \`pulumi-resource-previewenv\` is installed separately.\n`,
  },
  go: { modulePath: GO_MODULE, importBasePath: `${GO_MODULE}/previewenv`, respectSchemaVersion: true },
  // `Pulumi.` on NuGet and `com.pulumi` on Maven Central are Pulumi's own.
  csharp: { rootNamespace: "Previewenv", namespaces: { previewenv: "PulumiPackage" }, respectSchemaVersion: true },
  java: {
    basePackage: "io.github.previewenv",
    buildFiles: "gradle",
    dependencies: { "com.pulumi:pulumi": "1.12.0" },
  },
};
