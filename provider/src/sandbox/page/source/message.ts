import { byId, write } from "./elements";

const SHOWN_MS = 6000;
const UNDO_MS = 30_000;

const box = byId("message");
const line = byId("message-text");
const undo = byId("undo", HTMLButtonElement);
let timer: ReturnType<typeof setTimeout> | undefined;
let takeBack: (() => unknown) | undefined;

undo.addEventListener("click", () => void takeBack?.());

/** Says what happened, for some seconds. */
export function say(text: string): void {
  show(text, SHOWN_MS);
}

/** Says what is wrong, until something else is said. */
export function complain(text: string): void {
  show(text);
}

/** Says what happened and offers to take it back, for half a minute or until something else is said. */
export function offerUndo(text: string, act: () => unknown): void {
  show(text, UNDO_MS, act);
}

function show(text: string, forMs?: number, act?: () => unknown): void {
  clearTimeout(timer);
  if (forMs !== undefined) timer = setTimeout(() => show(""), forMs);
  takeBack = act;
  write(line, text);
  undo.hidden = act === undefined;
  box.classList.toggle("shown", text !== "");
}
