import { byId, write } from "./elements";

const MESSAGE_MS = 6000;

const box = byId("message");
const line = byId("message-text");
const undo = byId("undo", HTMLButtonElement);
let timer: ReturnType<typeof setTimeout> | undefined;
let takeBack: (() => unknown) | undefined;

undo.addEventListener("click", () => void takeBack?.());

/** Says what happened, for some seconds. */
export function say(text: string): void {
  show(text, undefined);
  timer = setTimeout(() => show("", undefined), MESSAGE_MS);
}

/** Says what is wrong, until something else is said. */
export function complain(text: string): void {
  show(text, undefined);
}

/** Says what happened and offers to take it back, until something else is said. */
export function offerUndo(text: string, act: () => unknown): void {
  show(text, act);
}

function show(text: string, act: (() => unknown) | undefined): void {
  clearTimeout(timer);
  takeBack = act;
  write(line, text);
  undo.hidden = act === undefined;
  box.classList.toggle("shown", text !== "");
}
