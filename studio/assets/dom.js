// Elements are made here. What packs say goes in as text or through the XML parser below, never as HTML.

/** An element with attributes, listeners (`onclick: …`) and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export const find = (selector, under = document) => under.querySelector(selector);
export const findAll = (selector, under = document) => [...under.querySelectorAll(selector)];

/** A drawing of the server as an element. The page's policy runs no script that could be in it. */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child != null));
}
