/** A class of elements. */
type Kind<T> = new () => T;

/** The element with this id. Throws when the page has none of this kind. */
export function byId(id: string): HTMLElement;
export function byId<T extends HTMLElement>(id: string, kind: Kind<T>): T;
export function byId(id: string, kind: Kind<HTMLElement> = HTMLElement): HTMLElement {
  return checked(document.getElementById(id), kind, id);
}

/** The element that a template calls `name`, below `root`. Throws when there is none of this kind. */
export function part(root: ParentNode, name: string): HTMLElement;
export function part<T extends HTMLElement>(root: ParentNode, name: string, kind: Kind<T>): T;
export function part(root: ParentNode, name: string, kind: Kind<HTMLElement> = HTMLElement): HTMLElement {
  return checked(root.querySelector(`[data-part="${name}"]`), kind, name);
}

/** The input of a form. Throws when there is none. */
export function field(form: HTMLFormElement, name: string): HTMLInputElement {
  return checked(form.elements.namedItem(name), HTMLInputElement, name);
}

/** A copy of a template's only element. */
export function fromTemplate<T extends HTMLElement>(id: string, kind: Kind<T>): T {
  const { content } = byId(`${id}-template`, HTMLTemplateElement);
  return checked(content.firstElementChild?.cloneNode(true), kind, id);
}

function checked<T>(found: unknown, kind: Kind<T>, name: string): T {
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} ${name}`);
}

/** Where a long name may go on in the next line. */
const BREAKS = /(?<=[_/.-])(?=\w)/u;

/** Writes only what differs: a selection in a text that stays the same stays too. */
export function write(element: Element, text: string): void {
  if (element.textContent === text) return;
  element.replaceChildren(
    ...text.split(BREAKS).flatMap((piece, at) => (at === 0 ? [piece] : [document.createElement("wbr"), piece])),
  );
}

/** Writes a text into each named part. */
export function fill(root: ParentNode, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) write(part(root, name), text);
}

/** The action of a button. `name` is what a screen reader says, and begins with the button's text. */
export function onPress(button: HTMLElement, name: string, act: () => unknown): void {
  button.setAttribute("aria-label", name);
  button.addEventListener("click", () => void act());
}

/** How a list is shown. */
export interface ListOf<Item, E extends HTMLElement> {
  readonly kind: Kind<E>;
  readonly key: (item: Item) => string;
  readonly create: (item: Item) => E;
  readonly update: (element: E, item: Item) => void;
}

/** One element for each item. None that is in its place is touched: focus, and what somebody types, stay. */
export function sync<Item, E extends HTMLElement>(
  container: Element,
  items: readonly Item[],
  { kind, key, create, update }: ListOf<Item, E>,
): void {
  const keys = new Set(items.map(key));
  const known = new Map<string, E>();
  for (const element of container.querySelectorAll(":scope > *")) {
    const its = element instanceof kind ? element.dataset["key"] : undefined;
    if (element instanceof kind && its !== undefined && keys.has(its)) known.set(its, element);
    else element.remove();
  }
  let place = container.firstElementChild;
  for (const item of items) {
    const element = known.get(key(item)) ?? create(item);
    element.dataset["key"] = key(item);
    if (element === place) place = place.nextElementSibling;
    else container.insertBefore(element, place);
    update(element, item);
  }
}

/** The colour of a text: all is well, something failed, or it is not over yet. */
export type Tone = "good" | "bad" | "busy" | "";

/** Writes a text, in the colour of its tone. */
export function mark(element: Element, text: string, tone: Tone): void {
  write(element, text);
  for (const one of ["good", "bad", "busy"]) element.classList.toggle(one, one === tone);
}

/** Such as "1 request" and "2 requests". */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

const TO_THE_SECOND = "2026-01-01T00:00:00".length;

/** Shows a timestamp in UTC in few characters: the time of today, or the day and the minute. All of it is its tooltip. */
export function showTime(element: HTMLElement, timestamp: string): void {
  const [day = "", time = ""] = timestamp.slice(0, TO_THE_SECOND).split("T");
  const isToday = new Date().toISOString().startsWith(day);
  const date = new Date(`${day}T00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  write(element, isToday ? time : `${date} ${time.slice(0, "00:00".length)}`);
  element.title = `${day} ${time} UTC`;
}
