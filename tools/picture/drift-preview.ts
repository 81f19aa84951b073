import { SEED, startSandbox } from "../../provider/src/sandbox";
import { Pulumi } from "../tour/pulumi";
import { Screen } from "../tour/screen";
import { configureSecrets } from "../tour/steps";
import { openWorkspace } from "../tour/workspace";

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu;
const BAR = /^ {2}\| /gmu;

/**
 * What the Pulumi CLI prints, with its colours, for a preview that finds two changes by hand: the quickstart was deployed on
 * a sandbox, then a hidden variable was edited and a visible one deleted. A `revision` is random: zeros stand for it.
 */
export async function driftPreview(): Promise<string> {
  await using sandbox = await startSandbox({ buildSeconds: 0 });
  using workspace = openWorkspace(process.env, {
    PREVIEWENV_BASE_URL: sandbox.url,
    PREVIEWENV_API_TOKEN: sandbox.token,
  });
  let printed = "";
  const screen = new Screen((text) => (printed += text), true);
  const pulumi = new Pulumi(workspace, screen, new AbortController().signal);
  const run = async (...words: readonly string[]): Promise<void> => {
    const { exitCode, output } = await pulumi.run(...words);
    if (exitCode !== 0) throw new Error(`pulumi ${words.join(" ")} ended with exit code ${exitCode}:\n${output}`);
  };
  await pulumi.createStack();
  await configureSecrets({ pulumi });
  await run("up", "--yes", "--skip-preview");
  const id = SEED.shopPullRequest;
  const services = ["web", "worker"];
  sandbox.world.setVariable(id, { name: "DATABASE_URL", value: "postgres://other", hidden: true, services });
  sandbox.world.deleteVariable(id, "LOG_LEVEL");
  printed = "";
  await run("preview", "--diff");
  return printed
    .trim()
    .replaceAll(BAR, "")
    .replaceAll(UUID, (uuid) => (uuid === id ? uuid : uuid.replaceAll(/[\da-f]/gu, "0")));
}
