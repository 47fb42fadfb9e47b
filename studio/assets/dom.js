// Makes elements. Text from packs is inserted as text or through the XML parser below, never as HTML.

/**
 * An element with attributes, listeners (`onclick: …`) and children.
 * @template {string} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {Children} children
 * @returns {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  fill(element, ...children);
  return /** @type {any} */ (element);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) element.setAttribute(key, value);
  fill(element, ...children);
  return element;
}

/**
 * The first element of a kind. Where there may be none, it is used with `?.`.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [under]
 */
export const find = (selector, under = document) => /** @type {E} */ (under.querySelector(selector));

/**
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [under]
 */
export const findAll = (selector, under = document) =>
  /** @type {E[]} */ ([...under.querySelectorAll(selector)]);

/** What an error says. @param {unknown} error */
export const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * A drawing from the server as an element. The page's policy prevents any script in it from running.
 * @param {string} text @returns {SVGSVGElement}
 */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {SVGSVGElement} */ (/** @type {Node} */ (document.importNode(parsed, true)));
}

/** @param {Element} element @param {Children} children */
export function fill(element, ...children) {
  const all = children.flat().filter((child) => child != null && child !== false);
  element.replaceChildren(...all.map((child) => (child instanceof Node ? child : String(child))));
}

/** Shows an error, or hides the last one. A click hides it, too. */
export function say(text = "") {
  const message = find("#message");
  message.onclick = () => say();
  message.textContent = text;
  message.hidden = !text;
}

/** A text as it is compared in searches: without marks on letters, in lower case. @param {string} text */
export const plain = (text) =>
  text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l");

/** The way of an arrow key, right and down. @param {string} key @returns {Point | undefined} */
export const arrowOf = (key) => ARROWS[key];
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether a key press belongs to a field or a dialog. @param {KeyboardEvent} event */
export const isTyping = (event) =>
  /** @type {Element} */ (event.target).matches?.(
    "input:not([type=range], [type=checkbox]), select, textarea",
  ) ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  !!find("dialog[open]");

/** Opens the panel with a title and contents. @param {string | null} title @param {Children} children */
export function openPanel(title, ...children) {
  /** @type {HTMLDialogElement} */
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
 * @param {Element} element @param {any} data
 */
export function isShown(element, data) {
  const text = JSON.stringify(data);
  if (shown.get(element) === text) return true;
  shown.set(element, text);
  return false;
}

/** Makes the next `isShown` of an element false. @param {Element} element */
export const forget = (element) => shown.delete(element);

/** Empties an element. @param {Element} element */
export function empty(element) {
  forget(element);
  element.replaceChildren();
}

/** @type {PromiseWithResolvers<void> | null} */
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
