import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import * as z from "zod";
import { SEED } from "../../provider/src/sandbox";
import { actionEnvironment, readAction } from "../support/action";
import { byHand, destroy, DRIFT, EDIT, type Guide, REQUESTS, type Step } from "./guide";
import { expecting, follow, read } from "./fences";

const environmentId = SEED.shopPullRequest;
const EXAMPLE = "examples/quickstart";
const DRIFTED = /vars \(EnvVarSet\) +LOG_LEVEL/u;
const { PUT, DELETE, PATCH, REBUILD } = REQUESTS;

/** The quickstart's stack, deployed. */
const project = (): readonly Step[] =>
  expecting(follow(`${EXAMPLE}/README.md`), {
    run: "pulumi config set --secret databaseUrl",
    enters: "postgres://shop:demo@db.internal/shop",
  });

/** The project's action without inputs, in the shell that GitHub gives it, in a project with drift. What its inputs do: tests/action.spec.ts. */
function action(): readonly Step[] {
  const pairs = Object.entries(actionEnvironment({})).map(([name, value]) => `${name}='${value}'`);
  const ofRunner =
    'RUNNER_TEMP="$PWD" GITHUB_ACTION_PATH="$PWD" GITHUB_OUTPUT="$PWD/outputs" GITHUB_STEP_SUMMARY="$PWD/summary.md" PULUMI_SKIP_CONFIRMATIONS=true';
  // For this step alone, as on GitHub.
  const run = `declare -x ${pairs.join(" ")} ${ofRunner}\n${readAction().runs.steps[0].run}`;
  return [
    { run, code: 2, shows: DRIFTED, writes: [] },
    { run: "cat outputs", shows: /^status=drift\ndrifted=2\nrestored=0\nreport=.+\njson=.+\n$/u },
    {
      run: 'cat summary.md "$(sed -n s/^report=//p outputs)"',
      shows: /`LOG_LEVEL`.*since \d{4}-\d\d-\d\dT[\d:]+.*`LOG_LEVEL`/su,
    },
  ];
}

/** The action, GitLab's job of examples/pull-request, and the guide, in a project that has one stack with drift. */
export function drift(): Guide {
  const page = "docs/guides/drift.md";
  const job: unknown = parse(read("examples/pull-request/drift.gitlab-ci.yml"));
  const { drift: gitlab } = z.object({ drift: z.object({ script: z.array(z.string()) }) }).parse(job);
  // Without a token, there is no issue. tests/drift/scripts.program.spec.ts has it.
  const script = gitlab.script.join("\n");
  const guide = expecting(
    follow(page),
    { run: DRIFT, code: 2, shows: /environment shop.*LOG_LEVEL/su, writes: [] },
    { run: `${DRIFT} --stack dev --heal`, shows: /dev: healed/u },
  );
  return {
    title: `action.yml, drift.gitlab-ci.yml and ${page}`,
    copyOf: EXAMPLE,
    steps: [
      ...project(),
      EDIT,
      ...action(),
      { run: script, code: 2, shows: DRIFTED, writes: [] },
      { run: "cat drift.md", shows: /`LOG_LEVEL`/u },
      { run: "echo '# known\n*::vars::MODE' > .driftignore" },
      ...guide,
      { run: "cat drift.json", shows: /"exitCode": 0/u },
      { run: script },
      destroy(DELETE),
    ],
  };
}

/** The command of the matrix in examples/scale/shards.yml, once for each of its jobs. */
function shards(): readonly string[] {
  const page = read("examples/scale/shards.yml");
  const [, list = ""] = /^ +shard: \[([\d, ]+)\]$/mu.exec(page) ?? [];
  const [, run = ""] = /- run: (npx .+)$/mu.exec(page) ?? [];
  const jobs = list.split(", ");
  return jobs.map((shard) =>
    run.replace("${{ matrix.shard }}", shard).replace("${{ strategy.job-total }}", String(jobs.length)),
  );
}

/** The guide's commands. Then one stack drifts, and exactly one job of the matrix says so. */
export function scale(): Guide {
  const page = "docs/guides/scale.md";
  return {
    title: `${page} and examples/scale`,
    copyOf: EXAMPLE,
    steps: [
      ...project(),
      ...expecting(follow(page), { run: "pulumi up --parallel 200", writes: [] }),
      { run: 'export GITHUB_STEP_SUMMARY="$PWD/summary.md"' },
      EDIT,
      ...shards().map((run) => ({ run: `${run} || [ $? -eq 2 ]`, writes: [] })),
      { run: "grep -c '^### .*dev.*: drift' summary.md", shows: /^1$/mu },
      destroy(DELETE),
    ],
  };
}

/** Closing ends well in whatever order things happen, as the page says. A build that is due wakes the environment. */
export function pullRequest(): Guide {
  const run = (direction: "up" | "down", ...writes: readonly string[]): Step => ({
    run: `./preview.sh ${direction}`,
    writes,
  });
  return {
    title: "examples/pull-request",
    copyOf: "examples/pull-request",
    steps: [
      ...expecting(follow("examples/pull-request/README.md"), run("up", PATCH, PUT), run("down", DELETE)),
      run("down"),
      byHand("POST flags", { environmentId, stopped: true }),
      run("up", REBUILD, PUT),
      {
        run: `curl -fsS -H 'x-api-token: sandbox-token' http://127.0.0.1:4010/api/v1/environment/${environmentId}`,
        shows: /"stopped": ?false/u,
      },
      byHand("POST flags", { environmentId, deleted: true }),
      run("down"),
    ],
  };
}

/** The commands of the workflows, which are the same, and of the guide. What happens when pull requests close: tests/engine/preview-environments.spec.ts. */
export function everyPullRequest(): Guide {
  const page = "docs/guides/every-pull-request.md";
  const folder = "examples/every-pull-request";
  const UP = "pulumi up --yes --continue-on-error --parallel 32";
  const [github = [], gitlab] = ["previews.yml", "previews.gitlab-ci.yml"].map((file) =>
    Array.from(read(`${folder}/${file}`).matchAll(/(?:run:|-) (pulumi .+)$/gmu), ([, run = ""]) => ({ run })),
  );
  if (!isDeepStrictEqual(github, gitlab)) throw new Error(`the workflows in ${folder} run different commands`);
  return {
    title: `${folder} and ${page}`,
    copyOf: folder,
    steps: [
      ...expecting(follow(`${folder}/README.md`), { run: "pulumi up", writes: [REBUILD, PUT] }),
      ...expecting(github, { run: UP, writes: [] }),
      // The page's own program declares other variables.
      ...expecting(follow(page), { run: UP, writes: [DELETE, REBUILD, PUT] }),
      destroy(DELETE),
    ],
  };
}
