/** What keeps the Pulumi CLI to one home and one backend, asks nothing of Pulumi's servers, and has no advice printed. */
export function pulumiEnvironment(home: string, backend: string): Readonly<Record<string, string>> {
  return {
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backend.replaceAll("\\", "/")}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
    PULUMI_CREDENTIAL_STORE: "plaintext",
  };
}
