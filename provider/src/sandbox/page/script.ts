import { scriptDom } from "./script-dom";
import { scriptEnvironments } from "./script-environments";
import { scriptTraffic } from "./script-traffic";

const polling = `
async function load(path) {
  const answer = await fetch("/__sandbox/" + path, { cache: "no-store" });
  if (!answer.ok) throw new Error("The sandbox answers " + answer.status);
  return answer.json();
}

let rounds;
let isAskedAgain = false;
let isAway = false;

/** Shows how things stand now or later: a call that comes while one is under way waits for one more round. */
function refresh() {
  isAskedAgain = true;
  rounds ??= loadAndShow();
  return rounds;
}

async function loadAndShow() {
  try {
    while (isAskedAgain) {
      isAskedAgain = false;
      const [state, journal, faults] = await Promise.all([
        load("state"), load("journal?last=" + JOURNAL_LENGTH), load("faults"),
      ]);
      showEnvironments(state.environments);
      showJournal(journal, state.environments);
      showFaults(faults.faults);
      if (isAway) say("The sandbox answers again");
      isAway = false;
    }
  } catch {
    isAway = true;
    say("The sandbox does not answer. Trying again every second.", true);
  } finally {
    rounds = undefined;
  }
}

/** Sends one control request, says how it went, and shows what came of it. */
async function order(method, path, content, done) {
  try {
    const answer = await fetch("/__sandbox/" + path, {
      method, headers: { "content-type": "application/json" }, body: JSON.stringify(content),
    });
    if (!answer.ok) throw new Error((await answer.json()).errors[0].title);
    await refresh();
    say(done);
    return true;
  } catch (error) {
    say("That did not work: " + error.message, true);
    return false;
  }
}

async function poll() {
  if (!document.hidden) await refresh();
  setTimeout(poll, POLL_MS);
}

document.addEventListener("visibilitychange", () => void refresh());
void poll();
`;

/** The page's script. Texts of the world go through `textContent` only. */
export const script = `"use strict";${scriptDom}${scriptEnvironments}${scriptTraffic}${polling}`;
