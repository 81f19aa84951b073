import { Pulumi } from "./pulumi";
import type { Screen } from "./screen";
import { configureSecrets } from "./steps";
import { openWorkspace } from "./workspace";

/**
 * Previews the quickstart on an environment of the service that PREVIEWENV_BASE_URL names, with a stack that ends with
 * the preview. Nothing is written.
 * @param signal Ends it early; its reason is thrown then.
 * @returns The exit code of `pulumi preview`.
 */
export async function previewService(environmentId: string, screen: Screen, signal: AbortSignal): Promise<number> {
  using workspace = openWorkspace(process.env, providerSettings(process.env));
  screen.say(
    `The program of examples/quickstart on the environment ${environmentId} of the service in PREVIEWENV_BASE_URL.`,
  );
  const pulumi = new Pulumi(workspace, screen, signal);
  screen.step("preview only", "what `pulumi up` would create; the environment is read, and nothing is written");
  await pulumi.createStack();
  await pulumi.config("set", "environmentId", environmentId);
  await configureSecrets({ pulumi });
  const { exitCode } = await pulumi.run("preview", "--diff");
  return exitCode;
}

function providerSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("PREVIEWENV_")));
}
