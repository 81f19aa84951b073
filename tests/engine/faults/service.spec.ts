import { expect } from "chai";
import type { FaultOptions } from "../../../provider/src/sandbox";
import { describeIn, javascript, type Language, yaml } from "../harness/languages";
import { oneSet } from "../harness/program";
import type { Project } from "../harness/project";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";
import { EVERYWHERE } from "./recovery";

const PAGE = "<!DOCTYPE html>\n<html><body>We are <b>back soon</b></body></html>";
const HTML = { "content-type": "text/html; charset=utf-8" };
const SLOW_MS = 60_000;

interface Trouble {
  readonly title: string;
  readonly fault: FaultOptions;
  /** Settings while the service is in trouble. */
  readonly settings?: NodeJS.ProcessEnv;
  /** What the error says after "Could not <what> environment <id>: ". */
  readonly says: RegExp;
  /** tests/engine/trouble.spec.ts has it in CI. */
  readonly isSeenElsewhere?: boolean;
}

const troubles: readonly Trouble[] = [
  {
    title: "is slower than requestTimeoutSeconds",
    fault: { delayMs: SLOW_MS },
    settings: { PREVIEWENV_REQUEST_TIMEOUT_SECONDS: "0.5" },
    says: /no answer from http:\/\/127\.0\.0\.1:\d+ \(none within 0\.5 s\)\. .*requestTimeoutSeconds\./u,
  },
  {
    title: "ends connections",
    fault: { dropBefore: true },
    isSeenElsewhere: true,
    says: /no answer from http:\/\/127\.0\.0\.1:\d+ \(ECONNRESET\)\. .*Check previewenv:baseUrl and the network\./u,
  },
  {
    title: "answers HTML with 200",
    fault: { status: 200, body: PAGE, headers: HTML },
    says: /the service's answer is not as documented: it is not JSON.*Check previewenv:baseUrl\./u,
  },
  {
    title: "answers HTML with 502",
    fault: { status: 502, body: PAGE, headers: HTML },
    says: /the service answered 502\. The service failed: run the command again later\./u,
  },
];

/** What state holds of the set; ciphertexts are new each time. */
function kept(project: Project): string {
  const { inputs, outputs, initErrors = [] } = project.resource("vars");
  const text = JSON.stringify({ inputs, outputs, initErrors });
  return text.replaceAll(/"ciphertext":"[^"]*"/gu, '"ciphertext":""');
}

function suite(this: Mocha.Suite, language: Language, chosen: readonly Trouble[]): void {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  afterEach(() => engine.sandbox.faults.clear());

  for (const { title, fault, settings, says } of chosen)
    it(`that ${title}: one line says what and where, no name leaves state, the next up is good`, async () => {
      const env = { PREVIEWENV_MAX_RETRIES: "0" };
      const project = await engine.project({ language, env });
      const environmentId = engine.environment();
      const { faults } = engine.sandbox;
      const declare = (value: string): void =>
        project.write(
          oneSet({ environmentId, variables: { SHOWN: value }, secrets: { PASSWORD: `${value} battery` } }),
        );
      declare("one");
      await project.up();
      declare("two");
      faults.add({ ...fault, times: Infinity });
      Object.assign(project.env, settings);
      const fail = async (command: "up" | "refresh" | "destroy"): Promise<string> => {
        const { text } = await project.end(1, command, "--yes", "--skip-preview");
        const lines = text.split("\n").filter((line) => line.includes("Could not "));
        expect(lines, text).not.to.deep.equal([]);
        for (const line of lines) expect(line).to.include(environmentId).and.match(says);
        expect(text).not.to.include("back soon").and.not.include("<");
        return kept(project);
      };
      // Nobody knows what the write has done, so that both names stay, and a destroy would find them.
      const left = await fail("up");
      expect(left).to.include("SHOWN").and.include("PASSWORD");
      expect(await fail("refresh")).to.equal(left);
      expect(await fail("destroy")).to.equal(left);
      faults.clear();
      for (const name of Object.keys(settings ?? {})) delete project.env[name];
      expect(await engine.sent(() => project.up())).to.deep.equal([["PASSWORD", "SHOWN"]]);
      await project.preview("--expect-no-changes");
    });
}

/** Worth its many CLI calls: what is kept in state after an error, and how it is shown, is the engine's doing. */
describeIn("yaml", "engine, faults: a service, native host,", function () {
  suite.call(this, yaml(), EVERYWHERE ? troubles : troubles.filter(({ isSeenElsewhere }) => isSeenElsewhere !== true));
});

/** Only with `npm run faults`: tests/engine/trouble.spec.ts has a service that is down over this host. */
describe("engine, faults: a service, dynamic host,", function () {
  suite.call(this, javascript("dynamic"), EVERYWHERE ? troubles : []);
});
