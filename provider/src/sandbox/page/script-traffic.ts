/** The journal, and faults for the requests to come. */
export const scriptTraffic = `
const FIRST_REFUSAL = 400;
const PARTIAL = 207;
const DROPPED = "no answer";

function showJournal({ entries, total }, environments) {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  write(byId("journal-count"), count(total, "request") + (total > entries.length ? ", newest " + entries.length : ""));
  byId("no-requests").hidden = entries.length > 0;
  sync(byId("journal"), entries.toReversed(), {
    key: ({ sequence }) => String(sequence),
    create: () => fromTemplate("request"),
    update: (element, entry) => updateRequest(element, entry, names),
  });
}

function updateRequest(element, entry, environments) {
  fill(element, {
    time: new Date(entry.at).toISOString().slice(11, 19),
    label: entry.label,
    environment: environments.get(entry.environmentId) ?? entry.query,
    names: (entry.names ?? []).join(", "),
  });
  const { status } = entry;
  const kind = status === PARTIAL ? "busy" : status >= FIRST_REFUSAL || status === 0 ? "bad" : "good";
  mark(part(element, "status"), status === 0 ? DROPPED : String(status), kind);
}

function showFaults(faults) {
  byId("no-faults").hidden = faults.length > 0;
  const numbered = faults.map((fault, index) => ({ ...fault, number: String(index) }));
  sync(byId("active-faults"), numbered, {
    key: ({ number }) => number,
    create: () => fromTemplate("fault"),
    update: (element, fault) => {
      const times = fault.times === null ? "every time" : fault.hits + " of " + count(fault.times, "request");
      fill(element, { text: effectOf(fault) + ", " + scopeOf(fault), hits: times });
    },
  });
}

function effectOf({ status, gateway, refuse, dropBefore, dropAfter, malformed, delayMs }) {
  if (refuse !== undefined) return "Refuse " + refuse.join(", ") + " (207)";
  if (dropBefore) return "Drop the request";
  if (dropAfter) return "Drop the answer";
  if (gateway !== undefined) return "Answer " + (status ?? 404) + " as a gateway does";
  if (status !== undefined) return "Answer " + status;
  if (malformed) return "Answer broken JSON";
  return delayMs === undefined ? "Another answer" : "Wait " + delayMs + " ms";
}

function scopeOf({ refuse, method, label, path }) {
  if (refuse !== undefined) return "next write";
  return [label ?? method ?? "any request", path].filter(Boolean).join(" ");
}

const TROUBLE = {
  503: { status: 503 },
  429: { status: 429, retryAfter: 2 },
  gateway: { gateway: "page" },
  drop: { dropAfter: true },
};

byId("trouble").addEventListener("submit", (event) => {
  event.preventDefault();
  const { method, times } = event.target.elements;
  const effect = TROUBLE[event.submitter?.value ?? "503"];
  const scope = { times: Number(times.value), ...(method.value === "" ? {} : { method: method.value }) };
  void order("POST", "faults", { ...effect, ...scope }, "Switched on: " + effectOf(effect));
});

byId("refuse").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const refuse = { [form.elements.variable.value]: "refused by hand" };
  const said = "Switched on: " + effectOf({ refuse: Object.keys(refuse) });
  if (await order("POST", "faults", { refuse }, said)) form.reset();
});

byId("clear-faults").addEventListener("click", () => void order("DELETE", "faults", {}, "Cleared all faults"));
byId("clear-journal").addEventListener("click", () => void order("DELETE", "journal", {}, "Cleared the journal"));
`;
