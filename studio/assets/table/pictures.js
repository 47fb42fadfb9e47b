// Drawings of the engine inside components.

import { drawing } from "../dom.js";
import { engine } from "../engine.js";
import { html, useLayoutEffect, useRef, useState } from "./view.js";

/**
 * A drawing, from its text. It only decorates what is said beside it. Where it is too small for letters, it
 * has none.
 * @param {{ svg?: string | null, label?: string, class?: string, isBare?: boolean }} props
 */
export function Drawing({ svg, label, class: name, isBare }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const drawn = svg ? drawing(svg) : null;
    if (drawn && label) {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", label);
    } else drawn?.setAttribute("aria-hidden", "true");
    if (drawn && isBare) for (const text of drawn.querySelectorAll("text")) text.remove();
    box.current?.replaceChildren(...(drawn ? [drawn] : []));
  }, [svg, label]);
  return html`<span class=${`picture ${name ?? ""}`} ref=${box}></span>`;
}

/** An element that the page has made itself. @param {{ element: Element | null, of: unknown }} props */
export function Made({ element, of }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => box.current?.replaceChildren(...(element ? [element] : [])), [of]);
  return html`<span class="picture" ref=${box}></span>`;
}

/** @type {Map<string, Promise<string>>} */
const faces = new Map();

/** Forgets the drawings, because the packs have changed. */
export const forget = () => faces.clear();

/**
 * A card as the engine draws it.
 * @param {string} id @param {"full" | "small"} size @returns {Promise<string>}
 */
export function faceOf(id, size) {
  const key = `${size} ${id}`;
  const face = faces.get(key) ?? engine.face(id, size).then((card) => card.svg);
  faces.set(key, face);
  return face;
}

/**
 * A card. Until it has arrived, and if it never does, its name stands there.
 * @param {{ id: string, size: "full" | "small", name: string }} props
 */
export function Face({ id, size, name }) {
  const [svg, show] = useState(/** @type {string | null} */ (null));
  useLayoutEffect(() => {
    let isWanted = true;
    faceOf(id, size).then(
      (drawn) => {
        if (isWanted) show(drawn);
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [id, size]);
  return svg
    ? html`<${Drawing} svg=${svg} class=${size} />`
    : html`<span class="faceless" aria-hidden="true">${name}</span>`;
}

/** The signs of the page's own buttons, as paths in a box of 16. */
export const ICONS = {
  plus: "M8 2.5v11M2.5 8h11",
  minus: "M2.5 8h11",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  back: "M10.5 3 5.5 8l5 5",
  on: "M5.5 3l5 5-5 5",
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  menu: "M2 4h12M2 8h12M2 12h12",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M5 3l7 5-7 5z",
  skip: "M3 3l5 5-5 5M8 3l5 5-5 5",
};

/** @param {{ path: string }} props */
export function Icon({ path }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path
      d=${path}
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>`;
}

/** The color of a seat. @param {{ color: string }} props */
export function Swatch({ color }) {
  return html`<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">
    <rect width="14" height="14" rx="4" fill=${color} stroke="#666" />
  </svg>`;
}
