import type { Guide, Step } from "./guide";
import { block, commands, expecting } from "./pages";

const PAGE = "docs/guides/previews.md";
const NO_WARNING = /^(?!.*warning:)/su;

function edit(from: string, to: string): Step {
  return { run: `sed -i.old 's|${from}|${to}|' index.ts` };
}

/** The program of the page: its previews find what its `up` would fail for, and the `up` is good once that is mended. */
export function previews(): Guide {
  const setUp = commands("README.md", "Install");
  return {
    title: `${PAGE}, in a project of its own`,
    folder: { files: { "Pulumi.yaml": block("README.md", "yaml", "Install"), "index.ts": block(PAGE, "ts") } },
    steps: [
      ...setUp.slice(
        0,
        setUp.findIndex(({ run }) => run === "pulumi up"),
      ),
      ...expecting(commands(PAGE, "Try it"), {
        run: "pulumi preview",
        code: 1,
        shows: /no repository "wbe".*Did you mean "web"/u,
        writes: [],
      }),
      edit("wbe:", "web:"),
      {
        run: "pulumi preview",
        shows: /^(?=.*already has a variable.*: NODE_ENV\.)(?=.*lacks the variable API_KEY)/su,
        writes: [],
      },
      { run: "PREVIEWENV_PREVIEW_CHECKS=false pulumi preview", shows: NO_WARNING, writes: [] },
      edit("API_KEY", "NODE_ENV"),
      edit("variables:", 'onConflict: "overwrite", variables:'),
      { run: "pulumi preview", shows: NO_WARNING, writes: [] },
      { run: "pulumi up", shows: /1 written \(NODE_ENV\)/u, writes: ["PATCH /environment", "PUT /env-vars"] },
      { run: "pulumi preview --expect-no-changes", shows: NO_WARNING, writes: [] },
      { run: "pulumi destroy", writes: ["DELETE /env-vars"] },
    ],
  };
}
