import { join } from "node:path";

/** What the Pulumi CLI of a benchmark runs with: a backend and a home of its own below a folder, nothing of the user's. */
export function cliEnvironment(root: string): NodeJS.ProcessEnv {
  const cli = process.env["PREVIEWENV_PULUMI_BIN"];
  return {
    PATH: [...(cli === undefined ? [] : [cli]), process.env["PATH"]].join(":"),
    HOME: root,
    LC_ALL: "C",
    PULUMI_BACKEND_URL: `file://${join(root, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: join(root, "home"),
    PULUMI_CREDENTIAL_STORE: "plaintext",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}
