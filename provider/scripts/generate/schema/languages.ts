import manifest from "../../../../package.json";

/** How each language names the package. */
export const languages = {
  // No SDK is generated for Node: this name is for the programs that `pulumi import` and `pulumi convert` write.
  nodejs: { packageName: `${manifest.name}/native`, respectSchemaVersion: true },
  python: {
    packageName: "pulumi_previewenv",
    pyproject: { enabled: true },
    respectSchemaVersion: true,
    readme:
      "Pulumi provider for preview environments. Its plugin, `pulumi-resource-previewenv`, is installed separately.",
  },
  go: {
    importBasePath: "github.com/previewenv/pulumi-previewenv/sdk/go/previewenv",
    modulePath: "github.com/previewenv/pulumi-previewenv/sdk/go/previewenv",
    respectSchemaVersion: true,
  },
  // The prefix `Pulumi.` of NuGet, and `com.pulumi` of Maven, belong to Pulumi.
  csharp: {
    rootNamespace: "Previewenv",
    namespaces: { previewenv: "PulumiPackage" },
    respectSchemaVersion: true,
  },
  java: { basePackage: "io.github.previewenv", buildFiles: "gradle" },
};
