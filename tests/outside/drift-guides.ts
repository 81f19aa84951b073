import { parse } from "yaml";
import * as z from "zod";
import { actionEnvironment, readAction } from "../support/action";
import { EDIT, type Guide, type Step } from "./guide";
import { commands, expecting, read } from "./pages";

const DRIFTED = /vars \(EnvVarSet\) +LOG_LEVEL/u;
const DESTROY: Step = { run: "pulumi destroy", writes: ["DELETE /env-vars"] };

/** A step of GitHub with the project's action, in the shell that GitHub gives it. */
function action(given: Readonly<Record<string, string>>, expected: Omit<Step, "run">): readonly Step[] {
  const pairs = Object.entries(actionEnvironment(given)).map(([name, value]) => `${name}='${value}'`);
  // Some set the last one for commands of their own.
  const ofRunner =
    'RUNNER_TEMP="$PWD" GITHUB_ACTION_PATH="$PWD" GITHUB_OUTPUT="$PWD/outputs" GITHUB_STEP_SUMMARY="$PWD/summary.md" PULUMI_SKIP_CONFIRMATIONS=true';
  return [
    { run: `export ${pairs.join(" ")} ${ofRunner}` },
    { run: "rm -f outputs summary.md" },
    { run: readAction().runs.steps[0].run, ...expected },
  ];
}

/** The action with its inputs, in a project that has one stack with drift. */
export function driftAction(): Guide {
  return {
    title: "action.yml, in a project of its own",
    folder: { copyOf: "examples/quickstart" },
    steps: [
      ...commands("examples/quickstart/README.md"),
      EDIT,
      ...action({}, { code: 2, shows: DRIFTED, writes: [] }),
      { run: "cat outputs", shows: /^status=drift\ndrifted=2\nreport=.+\njson=.+\n$/u },
      {
        run: 'cat summary.md "$(sed -n s/^report=//p outputs)"',
        shows: /`LOG_LEVEL`.*since \d{4}-\d\d-\d\dT[\d:]+.*`LOG_LEVEL`/su,
      },
      ...action({ "fail-on-drift": "false", stacks: "dev", shard: "1/1", format: "slack" }, { shows: DRIFTED }),
      { run: 'cat "$(sed -n s/^report=//p outputs)"', shows: /"blocks"/u },
      ...action({ ignore: "# known\ndev::vars::LOG_*" }, { shows: /2 ignored/u, writes: [] }),
      { run: "cat outputs", shows: /^status=in sync\ndrifted=0\n/u },
      ...action({ shard: "2/1", "fail-on-drift": "false" }, { code: 1 }),
      { run: "cat outputs", shows: /^status=error\n/u },
      ...action({ heal: "true" }, { shows: /dev: healed/u }),
      DESTROY,
    ],
  };
}

/** GitLab's job of examples/drift, and the guide, in a project that has one stack with drift. */
export function driftPages(): Guide {
  const job: unknown = parse(read("examples/drift/drift.gitlab-ci.yml"));
  const { drift: gitlab } = z.object({ drift: z.object({ script: z.array(z.string()) }) }).parse(job);
  // tests/drift/drift-issue.spec.ts has the issue.
  const script = gitlab.script.filter((line) => !line.includes("drift-issue")).join("\n");
  const tool = "npx --package pulumi-previewenv previewenv-drift";
  const guide = expecting(
    commands("docs/guides/drift.md"),
    { run: tool, code: 2, shows: /environment shop.*LOG_LEVEL/su, writes: [] },
    { run: `${tool} --stack dev --heal`, shows: /dev: healed/u },
  );
  return {
    title: "examples/drift and docs/guides/drift.md, in a project of its own",
    folder: { copyOf: "examples/quickstart" },
    steps: [
      ...commands("examples/quickstart/README.md"),
      EDIT,
      { run: script, code: 2, shows: DRIFTED, writes: [] },
      { run: `${tool} --show-visible-values`, code: 2, shows: /LOG_LEVEL +changed +was "debug", now "by hand"/u },
      { run: "cat drift.md", shows: /`LOG_LEVEL`/u },
      { run: "echo '# known\n*::vars::MODE' > .driftignore" },
      ...guide,
      { run: "cat drift.json slack.json", shows: /"exitCode": 0.*"blocks"/su },
      { run: script },
      DESTROY,
    ],
  };
}
