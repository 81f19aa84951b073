import { SEED } from "../../provider/src/sandbox";
import { driftAction, driftPages } from "./drift-guides";
import { byHand, EDIT, type Guide, type Step } from "./guide";
import { block, commands, expecting, read } from "./pages";
import { previews } from "./preview-guide";
import { scale } from "./scale-guide";

const environmentId = SEED.shopPullRequest;
const ADOPTION = "docs/guides/adoption.md";
const [PUT, DELETE, PATCH, REBUILD] = ["PUT /env-vars", "DELETE /env-vars", "PATCH /environment", "POST /rebuild"];

const up = (...writes: readonly string[]): Step => ({ run: "pulumi up", writes });
const destroy = (...writes: readonly string[]): Step => ({ run: "pulumi destroy", writes });
const AGAIN: Step = { run: "pulumi preview --expect-no-changes", writes: [] };
/** As tsconfig.json of the examples says. */
const TYPES: Step = { run: "npx tsc --noCheck false" };

/** An example that is copied to an empty folder: what its page shows, and then some more. */
function example(name: string, expected: readonly Step[], then: readonly Step[]): Guide {
  const page = expecting(commands(`examples/${name}/README.md`), ...expected);
  return { title: `examples/${name}`, folder: { copyOf: `examples/${name}` }, steps: [...page, ...then] };
}

/** An example of a resource that is changed by one setting of the stack. The requests of its first, second and last command. */
function setting(name: string, change: string, writes: readonly (readonly string[])[]): Guide {
  const [first = [], second = [], last = []] = writes;
  const changed = { run: `pulumi config set ${change}` };
  return example(name, [up(...first)], [TYPES, AGAIN, changed, up(...second), destroy(...last)]);
}

function native(language: "yaml" | "python" | "go"): Guide {
  const guide = example(`quickstart-${language}`, [up(PATCH, PUT)], [AGAIN, destroy(DELETE)]);
  return { ...guide, language, plugin: true };
}

/** Closing ends well in whatever order things happen, as the page says; a build that is due wakes the environment. */
function pullRequest(): Guide {
  const run = (direction: "up" | "down", ...writes: readonly string[]): Step => ({
    run: `./preview.sh ${direction}`,
    writes,
  });
  return example(
    "pull-request",
    [run("up", PATCH, PUT), run("down", DELETE)],
    [
      TYPES,
      run("down"),
      run("up", REBUILD, PUT),
      run("up"),
      byHand("POST flags", { environmentId, stopped: true }),
      EDIT,
      run("up", REBUILD, PUT),
      {
        run: `curl -fsS -H 'x-api-token: sandbox-token' http://127.0.0.1:4010/api/v1/environment/${environmentId}`,
        shows: /"stopped": ?false/u,
      },
      byHand("POST flags", { environmentId, deleted: true }),
      run("down"),
      byHand("POST flags", { environmentId, deleted: false }),
      run("up", REBUILD, PUT),
      byHand("DELETE environments", { environmentId }),
      run("down"),
    ],
  );
}

/** Every import that the guide shows, each in a stack of its own. */
function imports(): Guide {
  const setUp = [...commands("README.md", "Install").slice(0, 3), ...pluginInstall()];
  const service = { run: "export PREVIEWENV_BASE_URL=http://127.0.0.1:4010 PREVIEWENV_API_TOKEN=sandbox-token" };
  const lines = commands(ADOPTION, "Import");
  const each = lines.flatMap((line, index) => [{ run: `pulumi stack init import-${index}` }, { ...line, writes: [] }]);
  return {
    title: `${ADOPTION}, import`,
    folder: { files: { "Pulumi.yaml": block("README.md", "yaml", "Install") } },
    plugin: true,
    steps: [...setUp, service, ...each],
  };
}

/** Nothing is written, and nothing is warned of: the preview looks at the service, and finds what the program declares. */
const ADOPTED: Step = { ...up(), shows: /^(?!.*warning:)/su };

/** An environment that is adopted, a secret that is taken over, and what a destroy leaves. */
function adoption(): Guide {
  const config = 'import * as pulumi from "@pulumi/pulumi"; const config = new pulumi.Config(); ';
  const taken = 'SESSION_KEY: config.requireSecret("sessionKey")';
  const declared: Step = {
    run: `sed -i.old -e '1s|^|${config}|' -e 's|SESSION_KEY: previewenv.existing()|${taken}|' index.ts`,
  };
  const drift = "npx --package pulumi-previewenv previewenv-drift";
  return {
    title: `${ADOPTION}, in TypeScript`,
    folder: { files: { "Pulumi.yaml": block("README.md", "yaml", "Install") } },
    steps: [
      ...commands("README.md", "Install").slice(0, 3),
      ...expecting(commands(ADOPTION, "In TypeScript"), ADOPTED),
      { run: "npx tsc --strict --noUnusedLocals --skipLibCheck --noEmit index.ts", writes: [] },
      AGAIN,
      { run: drift, shows: /in sync/u, writes: [] },
      ...commands(ADOPTION, "Take the secrets over, one by one"),
      declared,
      { run: "grep -c 'previewenv.existing()' index.ts", shows: /^1$/mu },
      { run: "pulumi preview --diff", shows: /SESSION_KEY/u, writes: [] },
      up(PUT),
      AGAIN,
      destroy(DELETE),
      {
        run: "npx --package pulumi-previewenv previewenv-adopt --repo web --pull-request 42",
        shows: /SMTP_PASSWORD: previewenv\.existing\(\)/u,
      },
    ],
  };
}

/** The same in YAML, given back without a change. */
function adoptionInYaml(): Guide {
  return {
    title: `${ADOPTION}, in YAML`,
    folder: { files: {} },
    language: "yaml",
    plugin: true,
    steps: [
      ...commands("README.md", "Install").slice(0, 3),
      ...pluginInstall(),
      ...expecting(commands(ADOPTION, "In YAML"), ADOPTED),
      AGAIN,
      ...expecting(commands(ADOPTION, "Before you run `pulumi destroy`"), {
        run: "pulumi stack rm shop --force --yes",
        writes: [],
      }),
    ],
  };
}

/** Without the alternative of a download server: tests/packaging/install.outside.spec.ts has one. */
function pluginInstall(): readonly Step[] {
  const shown = commands("README.md", "Every Pulumi language, and import: the native plugin");
  return shown.filter(({ run }) => !run.includes("--server"));
}

/** The commands of the workflows and of the guide, while a pull request closes and opens again, and a sleeping environment wakes. */
function everyPullRequest(): Guide {
  const UP = "pulumi up --yes --continue-on-error --parallel 32";
  const runs = ["previews.yml", "previews.gitlab-ci.yml"].flatMap((file) =>
    Array.from(read(`examples/every-pull-request/${file}`).matchAll(/(?:run:|-) (pulumi .+)$/gmu), ([, run = ""]) => ({
      run,
    })),
  );
  const run = (...writes: readonly string[]): Step => ({ run: UP, writes });
  return example(
    "every-pull-request",
    [up(REBUILD, PUT)],
    [
      TYPES,
      ...expecting(runs, run(), run()),
      byHand("POST flags", { environmentId, deleted: true }),
      ...expecting(commands("docs/guides/every-pull-request.md"), run()),
      byHand("POST flags", { environmentId, deleted: false }),
      run(REBUILD, PUT),
      byHand("POST flags", { environmentId: SEED.shopStopped, stopped: false }),
      run(REBUILD),
      destroy(DELETE),
    ],
  );
}

/** README.md in its order, for somebody who has never seen the checkout. */
function readme(): Guide {
  const tool = "npx --package pulumi-previewenv previewenv-drift";
  const steps = [
    ...expecting(
      commands("README.md", "Install"),
      up(PATCH, PUT),
      { run: "pulumi preview --diff", shows: /\+ LOG_LEVEL/u, writes: [] },
      up(REBUILD, PUT),
    ),
    EDIT,
    ...expecting(
      commands("README.md", "Find drift in a scheduled run"),
      { run: tool, code: 2, shows: /vars \(EnvVarSet\) +LOG_LEVEL/u },
      { run: `${tool} --stack dev --heal`, shows: /dev: healed/u },
      { run: "pulumi refresh --preview-only --diff --expect-no-changes", writes: [] },
    ),
    destroy(DELETE),
    { run: "node sandbox.mts", shows: /^0\n$/u },
  ];
  const files = {
    "index.ts": block("README.md", "ts"),
    "Pulumi.yaml": block("README.md", "yaml", "Install"),
    "sandbox.mts": block("README.md", "ts", "Test your own stacks against the sandbox"),
  };
  return { title: "README.md, from Install on", folder: { files }, steps };
}

/** Every way in, in the order in which they are tried. One line more is one guide more. */
export const guides: readonly Guide[] = [
  readme(),
  adoption(),
  adoptionInYaml(),
  imports(),
  previews(),
  example("quickstart", [up(PATCH, PUT)], [TYPES, AGAIN, destroy(DELETE)]),
  driftAction(),
  driftPages(),
  scale(),
  pullRequest(),
  everyPullRequest(),
  example("component", [up(PATCH, PUT)], [TYPES, AGAIN, destroy(DELETE)]),
  setting("env-var", "level debug", [[PUT], [PUT], [DELETE]]),
  setting("environment-state", "state stopped", [[], ["POST /stop"], []]),
  setting("environment-action", "baseImage 2026-02", [[REBUILD], [REBUILD], []]),
  setting("snapshot-load", "snapshot 2", [["POST /snapshot-load"], ["POST /snapshot-load"], []]),
  native("yaml"),
  native("python"),
  native("go"),
];
