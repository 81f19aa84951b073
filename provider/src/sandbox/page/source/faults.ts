import type { EnvironmentState, WaitingFault } from "../../control/answers";
import { order } from "./control";
import { byId, count, field, fill, fromTemplate, sync } from "./elements";

/** The effect of a fault. */
type Effect = Omit<WaitingFault, "hits" | "times">;

/** By the value of the button. */
const TROUBLES: Readonly<Record<string, Effect>> = {
  503: { status: 503 },
  429: { status: 429, retryAfter: 2 },
  gateway: { gateway: "page" },
  drop: { dropAfter: true },
};

const trouble = byId("trouble", HTMLFormElement);
const refusal = byId("refuse", HTMLFormElement);

trouble.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter.value : "";
  const effect = TROUBLES[button] ?? { status: 503 };
  const method = new FormData(trouble).get("method");
  const scope = { times: Number(field(trouble, "times").value), ...(method === "" ? {} : { method }) };
  void order("POST", "faults", { ...effect, ...scope }, `Switched on: ${effectOf(effect)}`);
});

refusal.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = field(refusal, "variable").value;
  const isRefused = !(event.submitter instanceof HTMLButtonElement) || event.submitter.value === "refuse";
  const fault = isRefused ? { refuse: { [name]: "refused by hand" } } : { unmentioned: [name] };
  const effect = isRefused ? { refuse: [name] } : { unmentioned: [name] };
  const done = order("POST", "faults", fault, `Switched on: ${effectOf(effect)}`);
  void done.then((isDone) => isDone && refusal.reset());
});

byId("clear-faults").addEventListener("click", () => void order("DELETE", "faults", {}, "Cleared all faults"));

/** Shows the faults that wait for requests, and offers the names of all variables for the next one. */
export function showFaults(faults: readonly WaitingFault[], environments: readonly EnvironmentState[]): void {
  byId("no-faults").hidden = faults.length > 0;
  sync(byId("active-faults"), [...faults.entries()], {
    kind: HTMLLIElement,
    key: ([index]) => String(index),
    create: () => fromTemplate("fault", HTMLLIElement),
    update: (row, [, fault]) => {
      const times = fault.times === null ? "every time" : `${fault.hits} of ${count(fault.times, "request")}`;
      fill(row, { text: `${effectOf(fault)}, ${scopeOf(fault)}`, hits: times });
    },
  });
  const names = new Set(environments.flatMap(({ variables }) => variables.map(({ name }) => name)));
  sync(byId("variable-names"), [...names], {
    kind: HTMLOptionElement,
    key: (name) => name,
    create: (name) => Object.assign(document.createElement("option"), { value: name }),
    update: () => {},
  });
}

function effectOf({ status, gateway, refuse, unmentioned, dropBefore, dropAfter, malformed, delayMs }: Effect): string {
  if (refuse !== undefined) return `Refuse ${refuse.join(", ")} (207)`;
  if (unmentioned !== undefined) return `Mention ${unmentioned.join(", ")} nowhere (207)`;
  if (dropBefore === true) return "Drop the request";
  if (dropAfter === true) return "Drop the answer";
  if (gateway !== undefined) return `Answer ${status ?? 404} as a gateway does`;
  if (status !== undefined) return `Answer ${status}`;
  if (malformed === true) return "Answer broken JSON";
  return delayMs === undefined ? "Another answer" : `Wait ${delayMs} ms`;
}

function scopeOf({ refuse, unmentioned, method, label, path }: Effect): string {
  if (refuse !== undefined || unmentioned !== undefined) return "next write";
  return [label ?? method ?? "any request", path].filter(Boolean).join(" ");
}
