// What the board would look like after an option: the part that changes.

import { drawing, findAll } from "../dom.js";
import { engine } from "../engine.js";
import { now, seatOf } from "./state.js";
import { html, useEffect, useRef } from "./view.js";

/** How much of the surroundings is shown, as a part of what changes. */
const AROUND = 0.22;
let count = 0;

/** A drawing with ids of its own, so that it can stand beside the board. @param {string} text */
function apart(text) {
  count += 1;
  return drawing(text.replace(/(\bid="|href="#|url\(#)/g, `$1ghost${count}-`));
}

/**
 * Shows only the surroundings of some spaces. The drawing must be on the page.
 * @param {SVGSVGElement} svg @param {string[]} spaces
 */
function crop(svg, spaces) {
  const wanted = new Set(spaces);
  /** @type {SVGGraphicsElement[]} */
  const lands = findAll(".space[data-space]", svg);
  const boxes = lands
    .filter((space) => wanted.has(space.dataset.space ?? ""))
    .map((space) => space.getBBox());
  if (!boxes.length) return false;
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [wide, high] = [
    Math.max(...boxes.map((box) => box.x + box.width)) - left,
    Math.max(...boxes.map((box) => box.y + box.height)) - top,
  ];
  const room = AROUND * Math.max(wide, high);
  svg.setAttribute("viewBox", `${left - room} ${top - room} ${wide + 2 * room} ${high + 2 * room}`);
  // Names would be too small to read.
  for (const text of findAll("text", svg)) text.remove();
  for (const element of findAll("title", svg)) element.remove();
  for (const element of findAll("[class~=space], [class~=piece]", svg))
    for (const name of ["data-space", "data-at", "class"]) element.removeAttribute(name);
  return true;
}

/** A picture of what an option does to the board. @param {{ option: Api.OptionInWords }} props */
export function Ghost({ option }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    let isWanted = true;
    engine.ghost(seatOf(), option.key).then(
      (ghost) => {
        if (!isWanted || !ghost || !box.current) return;
        const svg = apart(ghost.board);
        svg.setAttribute("aria-hidden", "true");
        box.current.replaceChildren(svg);
        if (!crop(svg, ghost.spaces)) svg.remove();
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [option.key, now.value?.version]);
  return html`<span class="picture ghost-picture" ref=${box}></span>`;
}
