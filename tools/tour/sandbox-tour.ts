import { startSandbox } from "../../provider/src/sandbox";
import { Guide } from "./guide";
import { Pulumi } from "./pulumi";
import type { Screen } from "./screen";
import { configureSecrets, steps } from "./steps";
import { openWorkspace } from "./workspace";

const BUILD_SECONDS = 1;
const EXTRA_OPTIONS = "--config-file, --suppress-progress, --non-interactive and --color";

/**
 * The whole tour, on a sandbox and in folders that end with it.
 * @param signal Ends it early; its reason is thrown then.
 */
export async function runSandboxTour(screen: Screen, signal: AbortSignal): Promise<void> {
  await using sandbox = await startSandbox({ buildSeconds: BUILD_SECONDS });
  using workspace = openWorkspace(process.env, {
    PREVIEWENV_BASE_URL: sandbox.url,
    PREVIEWENV_API_TOKEN: sandbox.token,
  });
  screen.say(
    "The tour of pulumi-previewenv: the program of examples/quickstart, the real Pulumi CLI, a service in memory.",
  );
  screen.say(`The service is at ${sandbox.url}; the CLI knows it by PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.`);
  screen.say(`The commands also get ${EXTRA_OPTIONS}, so that they are brief and leave nothing behind.`);

  const pulumi = new Pulumi(workspace, screen, signal);
  screen.step("0. a stack and its secrets", "secrets are encrypted in the stack's config; these are demo values");
  await pulumi.createStack();
  await configureSecrets({ pulumi });

  const guide = new Guide(pulumi, sandbox, screen);
  for (const [index, { title, lookAt, run }] of steps.entries()) {
    screen.step(`${index + 1}. ${title}`, lookAt);
    await run(guide);
  }
}
