import type { EnvironmentState, JournalPage } from "../../control/answers";
import { order } from "./control";
import { byId, count, fill, fromTemplate, mark, type Tone, part, sync, write } from "./elements";

const FIRST_REFUSAL = 400;
const PARTIAL = 207;
const TIME_START = "2026-01-01T".length;
const TIME_END = "2026-01-01T00:00:00".length;

type Entry = JournalPage["entries"][number];

byId("clear-journal").addEventListener("click", () => void order("DELETE", "journal", {}, "Cleared the journal"));

/** Shows the newest requests, the last one first. */
export function showJournal({ entries, total }: JournalPage, environments: readonly EnvironmentState[]): void {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const newest = total > entries.length ? `, newest ${entries.length}` : "";
  write(byId("journal-count"), count(total, "request") + newest);
  byId("no-requests").hidden = entries.length > 0;
  sync(byId("journal"), entries.toReversed(), {
    kind: HTMLTableRowElement,
    key: ({ sequence }) => String(sequence),
    create: () => fromTemplate("request", HTMLTableRowElement),
    update: (row, entry) => updateRequest(row, entry, names),
  });
}

function updateRequest(row: HTMLElement, entry: Entry, environments: ReadonlyMap<string, string>): void {
  const { at, label, environmentId = "", query, names = [], status } = entry;
  const time = new Date(at).toISOString().slice(TIME_START, TIME_END);
  const environment = environments.get(environmentId) ?? query;
  fill(row, { time, label, environment, names: names.join(", ") });
  mark(part(row, "status"), status === 0 ? "no answer" : String(status), toneOf(status));
}

function toneOf(status: number): Tone {
  if (status === PARTIAL) return "busy";
  return status === 0 || status >= FIRST_REFUSAL ? "bad" : "good";
}
