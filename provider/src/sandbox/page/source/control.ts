import type { JournalPage, State, WaitingFaults } from "../../control/answers";
import { complain, say } from "./message";

const POLL_MS = 1000;
const JOURNAL_LENGTH = 100;

/** How things stand. */
export interface Snapshot extends State, WaitingFaults {
  readonly journal: JournalPage;
}

let show: (snapshot: Snapshot) => void = () => {};
let rounds: Promise<void> | undefined;
let isAskedAgain = false;
let isAway = false;

/** Shows how things stand, now and after each change, at least once a second while somebody looks. */
export function follow(showSnapshot: (snapshot: Snapshot) => void): void {
  show = showSnapshot;
  document.addEventListener("visibilitychange", () => void refresh());
  void poll();
}

/** Sends one control request, shows what came of it, and says how it went. False when it was refused. */
export async function order(method: string, path: string, content: object, done: string): Promise<boolean> {
  try {
    const answer = await fetch(`/__sandbox/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(content),
    });
    if (!answer.ok) throw new Error((await answer.json()).errors[0].title);
    await refresh();
    say(done);
    return true;
  } catch (error) {
    complain(`That did not work: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void poll(), POLL_MS);
}

/** Shows how things stand now or later: a call that comes while one is under way waits for one more round. */
function refresh(): Promise<void> {
  isAskedAgain = true;
  rounds ??= loadAndShow();
  return rounds;
}

async function loadAndShow(): Promise<void> {
  try {
    while (isAskedAgain) {
      isAskedAgain = false;
      const [state, journal, faults] = await Promise.all([
        load<State>("state"),
        load<JournalPage>(`journal?last=${JOURNAL_LENGTH}`),
        load<WaitingFaults>("faults"),
      ]);
      show({ ...state, ...faults, journal });
      if (isAway) say("The sandbox answers again");
      isAway = false;
    }
  } catch {
    isAway = true;
    complain("The sandbox does not answer. Trying again every second.");
  } finally {
    rounds = undefined;
  }
}

/** The answers come from the program that this page came from, so their types are the same. */
async function load<T>(path: string): Promise<T> {
  const answer = await fetch(`/__sandbox/${path}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`The sandbox answers ${answer.status}`);
  return answer.json();
}
