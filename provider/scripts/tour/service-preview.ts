import { Pulumi } from "./pulumi";
import type { Screen } from "./screen";
import { configureSecrets } from "./steps";
import { openWorkspace } from "./workspace";

/** An environment of the real service, and how to reach it. */
export interface ServiceEnvironment {
  readonly environmentId: string;
  readonly baseUrl: string;
  readonly apiToken: string;
}

/**
 * Previews the quickstart on an environment of the real service, with a stack that ends with it. Nothing is written.
 * @returns The exit code of `pulumi preview`.
 */
export async function previewService(
  { environmentId, baseUrl, apiToken }: ServiceEnvironment,
  screen: Screen,
  signal: AbortSignal,
): Promise<number> {
  using workspace = openWorkspace(process.env, {
    PREVIEWENV_BASE_URL: baseUrl,
    PREVIEWENV_API_TOKEN: apiToken,
  });
  screen.say(
    `A preview of examples/quickstart on the environment ${environmentId} of the service in PREVIEWENV_BASE_URL.`,
  );
  const pulumi = new Pulumi(workspace, screen, signal);
  screen.step("Preview only", "what `pulumi up` would create; the environment is read, and nothing is written");
  await pulumi.createStack();
  await pulumi.config("set", "environmentId", environmentId);
  await configureSecrets({ pulumi });
  const { exitCode } = await pulumi.run("preview", "--diff");
  return exitCode;
}
