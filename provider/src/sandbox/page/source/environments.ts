import type { EnvironmentState } from "../../control/answers";
import { createBranch, updateBranch } from "./branches";
import { prepareBuilds, updateBuilds } from "./builds";
import { order } from "./control";
import { byId, fill, fromTemplate, type ListOf, mark, type Tone, part, sync, write } from "./elements";
import { prepareVariables, updateVariables } from "./variables";

const BADGES: readonly (readonly ["ready" | "processing" | Flag, Tone])[] = [
  ["ready", "good"],
  ["processing", "busy"],
  ["stopped", ""],
  ["retired", ""],
  ["deleted", "bad"],
];
/** More environments than this are closed at first. */
const MOST_OPEN = 5;

type Flag = "stopped" | "retired" | "deleted";

interface FlagButton {
  readonly flag: Flag;
  /** The request that sets the flag, and the text that is shown when it is set. */
  readonly verb: string;
  readonly done: string;
}

const FLAG_BUTTONS: readonly FlagButton[] = [
  { flag: "stopped", verb: "Stop", done: "Stopped" },
  { flag: "retired", verb: "Retire", done: "Retired" },
  { flag: "deleted", verb: "Delete", done: "Deleted" },
];

/** The newest state of each environment, by id. */
const current = new Map<string, EnvironmentState>();
const list = byId("environments");
const search = byId("search", HTMLInputElement);

search.addEventListener("input", filter);
byId("open-all").addEventListener("click", () => openAll(true));
byId("close-all").addEventListener("click", () => openAll(false));

/** Shows every environment, as far as it is searched for. */
export function showEnvironments(environments: readonly EnvironmentState[]): void {
  const isShort = environments.length <= MOST_OPEN;
  current.clear();
  for (const environment of environments) current.set(environment.id, environment);
  sync(list, environments, {
    kind: HTMLDetailsElement,
    key: ({ id }) => id,
    create: (environment) => createEnvironment(environment, isShort),
    update: updateEnvironment,
  });
  filter();
}

function cards(): HTMLDetailsElement[] {
  return [...list.querySelectorAll<HTMLDetailsElement>("details")];
}

/** Hides what is not searched for. Every word must occur somewhere. */
function filter(): void {
  const words = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
  let shown = 0;
  for (const card of cards()) {
    const environment = current.get(card.dataset["key"] ?? "");
    const text = environment === undefined ? "" : searchable(environment);
    card.hidden = !words.every((word) => text.includes(word));
    if (!card.hidden) shown += 1;
  }
  write(byId("environment-count"), shown === current.size ? `(${shown})` : `(${shown} of ${current.size})`);
}

function searchable(environment: EnvironmentState): string {
  const { id, name, url, projects, variables } = environment;
  const states = BADGES.flatMap(([flag]) => (environment[flag] ? [flag] : []));
  const branches = projects.map(({ orgName, repoName, branch }) => `${orgName}/${repoName} ${branch}`);
  return [id, name, url, ...states, ...branches, ...variables.map((one) => one.name)].join("\n").toLowerCase();
}

/** Those that are hidden stay as they are. */
function openAll(isOpen: boolean): void {
  for (const card of cards()) if (!card.hidden) card.open = isOpen;
}

function createEnvironment(environment: EnvironmentState, isOpen: boolean): HTMLDetailsElement {
  const { id, name, deleted, stopped, retired } = environment;
  const card = fromTemplate("environment", HTMLDetailsElement);
  card.open = isOpen && !deleted && !stopped && !retired;
  card.setAttribute("aria-label", name);
  prepareBuilds(card, environment);
  prepareVariables(card, environment, () => current.get(id)?.variables ?? []);
  return card;
}

function updateEnvironment(card: HTMLElement, environment: EnvironmentState): void {
  const { id, name, url, variables } = environment;
  fill(card, { name, id, url, "variable-count": `(${variables.length})` });
  sync(
    part(card, "badges"),
    BADGES.filter(([flag]) => environment[flag]),
    {
      kind: HTMLSpanElement,
      key: ([flag]) => flag,
      create: () => Object.assign(document.createElement("span"), { className: "badge" }),
      update: (badge, [flag, tone]) => mark(badge, flag, tone),
    },
  );
  sync(part(card, "flags"), FLAG_BUTTONS, flagButtons(environment));
  sync(part(card, "branches"), environment.projects, {
    kind: HTMLLIElement,
    key: ({ orgName, repoName }) => `${orgName}/${repoName}`,
    create: (project) => createBranch(environment, project),
    update: updateBranch,
  });
  updateBuilds(card, environment);
  updateVariables(card, environment);
}

/** Each sets a flag, and takes it back while it is set. */
function flagButtons({ id, name, ...flags }: EnvironmentState): ListOf<FlagButton, HTMLButtonElement> {
  return {
    kind: HTMLButtonElement,
    key: ({ flag }) => flag,
    create: ({ flag, verb, done }) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.addEventListener("click", () => {
        const isSet = current.get(id)?.[flag] === true;
        const said = isSet ? `Took back: ${verb.toLowerCase()} ${name}` : `${done} ${name}`;
        void order("POST", "flags", { environmentId: id, [flag]: !isSet }, said);
      });
      return button;
    },
    update: (button, { flag, verb }) => {
      write(button, flags[flag] ? `Undo ${verb.toLowerCase()}` : verb);
      button.setAttribute("aria-label", `${button.textContent} ${name}`);
    },
  };
}
