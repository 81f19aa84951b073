import type { Flags, VariableView, World } from "../../provider/src/sandbox";

/** What somebody else does in the dashboard, or the organization to the token. `on` counts environments from 0. */
export type Foreign =
  | ({ readonly act: "set"; readonly on: number } & Pick<VariableView, "name" | "value" | "hidden" | "services">)
  /** Makes a variable visible, or hides it: its value stays. */
  | { readonly act: "show"; readonly on: number; readonly name: string; readonly hidden: boolean }
  /** Lets other services see a variable: its value stays. */
  | { readonly act: "scope"; readonly on: number; readonly name: string; readonly services: readonly string[] }
  | { readonly act: "delete"; readonly on: number; readonly name: string }
  /** Writes a variable as it is, as another stack does that takes it over. Or deletes it, and makes it anew. */
  | { readonly act: "rewrite" | "remake"; readonly on: number; readonly name: string }
  /** The clock of the service goes back. */
  | { readonly act: "clock"; readonly seconds: number }
  | {
      readonly act: "branch";
      readonly on: number;
      readonly repo: string;
      readonly branch: string;
      readonly build: boolean;
    }
  | { readonly act: "commit"; readonly on: number; readonly repo: string }
  | { readonly act: "flags"; readonly on: number; readonly flags: Partial<Flags> }
  /** The service forgets an environment: everything about it answers 404. */
  | { readonly act: "remove"; readonly on: number }
  | { readonly act: "failNextBuild"; readonly on: number }
  | { readonly act: "revokeToken" }
  | { readonly act: "grantToken" };

/** Does it. Tokens and clocks are not the world's business. */
export function perform(world: World, environmentIds: readonly string[], foreign: Foreign): void {
  if (foreign.act === "revokeToken" || foreign.act === "grantToken" || foreign.act === "clock") return;
  const id = environmentIds[foreign.on] ?? "";
  if (world.environments.get(id) === undefined) return undefined;
  switch (foreign.act) {
    case "set": {
      const { act: _act, on: _on, ...variable } = foreign;
      return world.setVariable(id, variable);
    }
    case "show":
    case "scope":
    case "rewrite":
    case "remake": {
      const { act, on: _on, ...change } = foreign;
      const found = world.variable(id, foreign.name);
      if (act === "remake") world.deleteVariable(id, foreign.name);
      if (found !== undefined) world.setVariable(id, { ...found, ...change });
      return undefined;
    }
    case "delete":
      return void world.deleteVariable(id, foreign.name);
    case "branch":
      return world.switchBranch(id, foreign.repo, foreign.branch, { build: foreign.build });
    case "commit":
      return world.pushCommit(id, foreign.repo);
    case "flags":
      return world.setFlags(id, foreign.flags);
    case "remove":
      return world.remove(id);
    case "failNextBuild":
      return world.failNextBuild(id);
  }
}
