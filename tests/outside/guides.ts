import { drift, everyPullRequest, pullRequest, scale } from "./ci-guides";
import { destroy, type Guide, REQUESTS, type Step, TYPES, up } from "./guide";
import { expecting, follow } from "./fences";
import {
  adoption,
  adoptionInYaml,
  imports,
  policy,
  previews,
  quickstart,
  readme,
  sandboxInTests,
  snippets,
  sops,
} from "./start-guides";

const { PUT, DELETE, PATCH } = REQUESTS;

/** The plugin, installed by hand. */
const PLUGIN = follow("docs/installation-configuration.md");

/** An example that is copied to an empty folder: what its page shows, and then some more. */
function example(name: string, expected: readonly Step[], then: readonly Step[]): Guide {
  const page = expecting(follow(`examples/${name}/README.md`), ...expected);
  return { title: `examples/${name}`, copyOf: `examples/${name}`, steps: [...page, ...then] };
}

/** The quickstart in a language other than TypeScript: what it has of its own, then what all of them have. */
function native(language: "yaml" | "python" | "go" | "java", section: string): Guide {
  const page = "docs/guides/quickstart-languages.md";
  const shared = expecting(follow(page, "Run it"), up(PATCH, PUT), destroy(DELETE));
  return {
    title: `${page}, ${section}`,
    language,
    plugin: true,
    steps: [...follow(page, ""), ...follow(page, section), ...shared],
  };
}

/** The first steps in TypeScript, and each resource. The first one shows the preview of its `up`, which must warn of nothing. */
export const firstSteps: readonly Guide[] = [
  adoption(),
  readme(),
  quickstart(),
  sandboxInTests(),
  previews(),
  example("component", [up(PATCH, PUT)], [TYPES, destroy(DELETE)]),
  snippets(),
  sops(),
];

/** What runs in CI systems. */
export const automated: readonly Guide[] = [drift(), scale(), pullRequest(), everyPullRequest()];

/** The plugin, and programs in other languages. */
export const withPlugin: readonly Guide[] = [
  adoptionInYaml(PLUGIN),
  imports(PLUGIN),
  policy(PLUGIN),
  native("yaml", "YAML"),
  native("python", "Python"),
  native("go", "Go"),
  native("java", "Java"),
];

/** Every way in. One line more above is one guide more. */
export const guides: readonly Guide[] = [...firstSteps, ...automated, ...withPlugin];
