// Makes elements. Text from packs is inserted as text or through the XML parser below, never as HTML.

/** An element with attributes, listeners (`onclick: …`) and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/** An SVG element. */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

export const find = (selector, under = document) => under.querySelector(selector);
export const findAll = (selector, under = document) => [...under.querySelectorAll(selector)];

/** A drawing from the server as an element. The page's policy prevents any script in it from running. */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child != null && child !== false));
}

/** Shows an error, or hides the last one. A click hides it, too. */
export function say(text = "") {
  const message = find("#message");
  message.onclick = () => say();
  message.textContent = text;
  message.hidden = !text;
}

/** A text as it is compared in searches: without marks on letters, in lower case. */
export const plain = (text) =>
  text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l");

/** Whether a key press belongs to a field or a dialog. */
export const isTyping = (event) =>
  event.target.matches?.("input:not([type=range], [type=checkbox]), select, textarea") ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  !!find("dialog[open]");

/** Opens the panel with a title and contents. */
export function openPanel(title, ...children) {
  const panel = find("#panel");
  find("h2", panel).textContent = title;
  fill(find(".body", panel), ...children);
  find(".close", panel).onclick = () => panel.close();
  if (!panel.open) panel.showModal();
  find(".body", panel).scrollTop = 0;
}

const shown = new WeakMap();

/**
 * Whether an element already shows this data. If so, it is not redrawn, which keeps its focus, its scroll
 * position and a pressed button.
 */
export function isShown(element, data) {
  const text = JSON.stringify(data);
  if (shown.get(element) === text) return true;
  shown.set(element, text);
  return false;
}

/** Makes the next `isShown` of an element false. */
export const forget = (element) => shown.delete(element);

/** Empties an element. */
export function empty(element) {
  forget(element);
  element.replaceChildren();
}

let pressed = null;
document.addEventListener("pointerdown", () => {
  pressed ??= Promise.withResolvers();
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    const { resolve } = pressed ?? {};
    pressed = null;
    // The click event comes first.
    if (resolve) setTimeout(resolve);
  });
}

/**
 * Resolves when no button is pressed. If a button were redrawn while it is pressed, its click would be lost.
 */
export const released = () => pressed?.promise;
