/** Elements from templates, lists that are updated in place, and the line that says what happened. */
export const scriptDom = `
const POLL_MS = 1000;
const MESSAGE_MS = 6000;
const JOURNAL_LENGTH = 100;

const byId = (id) => document.getElementById(id);
const part = (root, name) => root.querySelector('[data-part="' + name + '"]');

function fromTemplate(id) {
  return byId(id + "-template").content.firstElementChild.cloneNode(true);
}

/** Writes only what differs: a selection in a text that stays the same stays too. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function fill(root, texts) {
  for (const [name, text] of Object.entries(texts)) write(part(root, name), text);
}

/** One element for each item. None that is in its place is touched: focus, and what somebody types, stay. */
function sync(container, items, { key, create, update }) {
  const keys = new Set(items.map(key));
  const known = new Map();
  for (const element of [...container.children]) {
    if (keys.has(element.dataset.key)) known.set(element.dataset.key, element);
    else element.remove();
  }
  let place = container.firstElementChild;
  for (const item of items) {
    const element = known.get(key(item)) ?? create(item);
    element.dataset.key = key(item);
    if (element === place) place = place.nextElementSibling;
    else container.insertBefore(element, place);
    update(element, item);
  }
}

function mark(element, text, kind) {
  write(element, text);
  element.classList.toggle("good", kind === "good");
  element.classList.toggle("bad", kind === "bad");
  element.classList.toggle("busy", kind === "busy");
}

const count = (number, one) => number + " " + one + (number === 1 ? "" : "s");

/** A timestamp in UTC: the time alone when it is of today. */
function readable(timestamp) {
  const [day, time] = timestamp.slice(0, 19).split("T");
  return day === new Date().toISOString().slice(0, 10) ? time : day + " " + time;
}

let messageTimer;

/** A trouble stays until something else is said. */
function say(text, isTrouble = false) {
  clearTimeout(messageTimer);
  write(byId("message"), text);
  if (!isTrouble) messageTimer = setTimeout(() => write(byId("message"), ""), MESSAGE_MS);
}
`;
