import type { EnvironmentState } from "../../control/answers";
import { order } from "./control";
import { field, fill, fromTemplate, onPress, part } from "./elements";

type Project = EnvironmentState["projects"][number];

const SHORT_HASH = 8;

/** One repository of an environment, which can be switched to another branch and get a new commit. */
export function createBranch({ id, name }: EnvironmentState, { repoName }: Project): HTMLLIElement {
  const row = fromTemplate("branch", HTMLLIElement);
  const form = row.querySelector("form");
  if (form === null) throw new Error("the page has no form for a branch");
  const input = field(form, "branch");
  const where = `${repoName} in ${name}`;
  input.setAttribute("aria-label", `Another branch for ${where}`);
  part(row, "switch").setAttribute("aria-label", `Switch ${where}`);
  const change = { environmentId: id, repoName };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = `Switched ${where} to ${input.value}`;
    void order("POST", "branches", { ...change, branch: input.value }, said).then((isDone) => isDone && form.reset());
  });
  onPress(part(row, "push"), `New commit for ${where}`, () =>
    order("POST", "commits", change, `Pushed a commit for ${where}`),
  );
  return row;
}

/** Shows what is built from this repository. */
export function updateBranch(row: HTMLElement, project: Project): void {
  const { orgName, repoName, branch, commitHash, pullRequestNumber } = project;
  const request = pullRequestNumber === undefined ? "" : ` #${pullRequestNumber}`;
  fill(row, { repo: `${orgName}/${repoName}`, branch, commit: commitHash.slice(0, SHORT_HASH) + request });
}
