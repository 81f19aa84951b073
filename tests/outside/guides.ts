import { drift, everyPullRequest, pullRequest, scale } from "./ci-guides";
import { destroy, type Guide, REQUESTS, type Step, TYPES, up } from "./guide";
import { expecting, follow } from "./fences";
import { adoption, adoptionInYaml, imports, previews, quickstart, readme, sandboxInTests } from "./start-guides";

const { PUT, DELETE, PATCH, REBUILD } = REQUESTS;

/** The plugin, installed by hand. */
const PLUGIN = follow("docs/installation-configuration.md");

/** An example that is copied to an empty folder: what its page shows, and then some more. */
function example(name: string, expected: readonly Step[], then: readonly Step[]): Guide {
  const page = expecting(follow(`examples/${name}/README.md`), ...expected);
  return { title: `examples/${name}`, copyOf: `examples/${name}`, steps: [...page, ...then] };
}

/** An example of a resource that is changed by one setting of the stack. The requests of its first, second and last command. */
function setting(name: string, change: string, writes: readonly (readonly string[])[]): Guide {
  const [first = [], second = [], last = []] = writes;
  const changed = { run: `pulumi config set ${change}` };
  return example(name, [up(...first)], [changed, up(...second), destroy(...last)]);
}

/** The quickstart in a language other than TypeScript: what it has of its own, then what all of them have. */
function native(language: "yaml" | "python" | "go" | "java", section: string): Guide {
  const page = "docs/guides/quickstart-languages.md";
  const shared = expecting(follow(page, "Run it"), up(PATCH, PUT), destroy(DELETE));
  return {
    title: `${page}, ${section}`,
    language,
    plugin: true,
    steps: [...follow(page, section), ...shared],
  };
}

/** The first steps in TypeScript, and an example of each resource. The first one shows the preview of its `up`, which must warn of nothing. */
export const firstSteps: readonly Guide[] = [
  adoption(),
  readme(),
  quickstart(),
  sandboxInTests(),
  previews(),
  example("component", [up(PATCH, PUT)], [TYPES, destroy(DELETE)]),
  setting("env-var", "level debug", [[PUT], [PUT], [DELETE]]),
  setting("environment-state", "state stopped", [[], ["POST /stop"], []]),
  setting("environment-action", "baseImage 2026-02", [[REBUILD], [REBUILD], []]),
  setting("snapshot-load", "snapshot 2", [["POST /snapshot-load"], ["POST /snapshot-load"], []]),
];

/** What runs in CI systems. */
export const automated: readonly Guide[] = [drift(), scale(), pullRequest(), everyPullRequest()];

/** The plugin, and programs in other languages. */
export const withPlugin: readonly Guide[] = [
  adoptionInYaml(PLUGIN),
  imports(PLUGIN),
  native("yaml", "In YAML"),
  native("python", "In Python"),
  native("go", "In Go"),
  native("java", "In Java"),
];

/** Every way in. One line more above is one guide more. */
export const guides: readonly Guide[] = [...firstSteps, ...automated, ...withPlugin];
