/**
 * What keeps the Pulumi CLI to one home, asks nothing of Pulumi's servers, and has no advice printed. With a backend: a folder for stacks, whose
 * secrets have the empty passphrase.
 */
export function pulumiEnvironment(home: string, backend?: string): Readonly<Record<string, string>> {
  return {
    PULUMI_HOME: home,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
    PULUMI_CREDENTIAL_STORE: "plaintext",
    ...(backend !== undefined && {
      // The CLI reads `file:///C:/` wrongly.
      PULUMI_BACKEND_URL: `file://${backend.replaceAll("\\", "/")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
    }),
  };
}
