import { driftAction, drift, everyPullRequest, pullRequest, scale } from "./ci-guides";
import { AGAIN, destroy, type Guide, REQUESTS, type Step, TYPES, up } from "./guide";
import { expecting, follow } from "./pages";
import { adoption, adoptionInYaml, imports, previews, quickstart, readme, sandboxInTests } from "./start-guides";

const { PUT, DELETE, PATCH, REBUILD } = REQUESTS;

/** An example that is copied to an empty folder: what its page shows, and then some more. */
function example(name: string, expected: readonly Step[], then: readonly Step[]): Guide {
  const page = expecting(follow(`examples/${name}/README.md`), ...expected);
  return { title: `examples/${name}`, copyOf: `examples/${name}`, steps: [...page, ...then] };
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

/** Without the alternative of a download server: tests/packaging/install.outside.spec.ts has one. */
function pluginInstall(): readonly Step[] {
  return follow("docs/guides/hosts.md", "The native plugin").filter(({ run }) => !run.includes("--server"));
}

/** Every way in, in the order in which they are tried. One line more is one guide more. */
export const guides: readonly Guide[] = [
  readme(),
  quickstart(),
  sandboxInTests(),
  adoption(),
  adoptionInYaml(pluginInstall()),
  imports(pluginInstall()),
  previews(),
  driftAction(),
  drift(),
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
