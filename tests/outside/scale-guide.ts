import { EDIT, type Guide, type Step } from "./guide";
import { commands, expecting, read } from "./pages";

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

/** The guide's commands in a project of its own; then one stack of it drifts, and exactly one job of the matrix says so. */
export function scale(): Guide {
  const summary: Step = { run: 'export GITHUB_STEP_SUMMARY="$PWD/summary.md"' };
  const looks = shards().map((run) => ({ run: `${run} || [ $? -eq 2 ]`, writes: [] }));
  return {
    title: "docs/guides/scale.md and examples/scale, in a project of its own",
    folder: { copyOf: "examples/quickstart" },
    steps: [
      ...commands("examples/quickstart/README.md"),
      ...expecting(commands("docs/guides/scale.md"), { run: "pulumi up --parallel 200", writes: [] }),
      summary,
      EDIT,
      ...looks,
      { run: "grep -c '^### .*dev.*: drift' summary.md", shows: /^1$/mu },
      { run: "pulumi destroy", writes: ["DELETE /env-vars"] },
    ],
  };
}
