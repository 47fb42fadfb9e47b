// Cards in full: in a dialog with their options, and enlarged beside the pointer or the focus.

import { drawing, fill, find, make, reason, say } from "../dom.js";
import { t } from "../words.js";
import { faceOf } from "./pictures.js";
import { isLive, optionsAt, take } from "./state.js";
import { html, signal, useEffect, useState } from "./view.js";

/** Shows a card in full, with the options for it. @param {string | undefined} id */
export async function read(id) {
  if (!id) return;
  /** @type {HTMLDialogElement} */
  const reader = find("#reader");
  try {
    fill(find(".face", reader), drawing(await faceOf(id, "full")));
  } catch (error) {
    say(reason(error));
    return;
  }
  const here = isLive.value ? optionsAt({ card: { card: id } }) : [];
  fill(
    find(".choices", reader),
    here.map(({ option, aside }) =>
      make(
        "button",
        {
          class: "choice",
          onclick: () => {
            reader.close();
            take(option, aside);
          },
        },
        make(
          "span",
          { class: "words" },
          option.text,
          option.note && make("span", { class: "note" }, option.note),
          option.preview && make("span", { class: "preview" }, option.preview),
        ),
      ),
    ),
  );
  const close = find(".close", reader);
  close.textContent = t("close");
  close.onclick = () => reader.close();
  if (!reader.open) reader.showModal();
}

/** @typedef {{ id: string, target: HTMLElement, box: DOMRect }} Held */

const enlarged = signal(/** @type {Held | null} */ (null));
/** @type {number | undefined} */
let timer;

/** What makes a card enlarge: the pointer, the focus, and a long press. @param {string} id */
export const enlarges = (id) => {
  /** @param {On<HTMLElement, PointerEvent>} event */
  const show = (event) => {
    clearTimeout(timer);
    const { currentTarget } = event;
    const isHeld = event.pointerType === "touch";
    timer = setTimeout(
      () => {
        enlarged.value = { id, target: currentTarget, box: currentTarget.getBoundingClientRect() };
      },
      isHeld ? 450 : 180,
    );
  };
  const hide = () => {
    clearTimeout(timer);
    enlarged.value = null;
  };
  return {
    onPointerEnter: show,
    onPointerLeave: hide,
    onPointerUp: hide,
    onPointerCancel: hide,
    onBlur: hide,
    /** @param {On<HTMLElement, PointerEvent>} event */
    onFocus: (event) => {
      if (event.currentTarget.matches(":focus-visible")) show(event);
    },
  };
};

const WIDE = 250;
const HIGH = 360;

/**
 * Where an enlarged card covers nothing that is pressed: beside the options and their outlook, or below or
 * above its place.
 * @param {Held} held
 */
function placeOf({ box, target }) {
  // On a phone, the options may be behind another tab.
  const asked = find("#ask");
  const top = Math.max(8, Math.min(box.top, innerHeight - HIGH));
  const beside = ((find("#outlook:not([hidden])") ?? asked)?.getBoundingClientRect().left ?? 0) - WIDE - 12;
  if (asked?.contains(target) && beside >= 8) return { left: `${beside}px`, top: `${top}px` };
  const left = `${Math.max(8, Math.min(innerWidth - WIDE - 8, box.x + box.width / 2 - WIDE / 2))}px`;
  return box.top < HIGH + 10
    ? { left, top: `${Math.min(box.bottom + 8, innerHeight - HIGH)}px` }
    : { left, bottom: `${innerHeight - box.top + 8}px` };
}

export function Enlarged() {
  const [svg, show] = useState(/** @type {string | null} */ (null));
  const of = enlarged.value;
  useEffect(() => {
    show(null);
    if (of)
      faceOf(of.id, "full").then(
        (drawn) => {
          if (enlarged.value === of) show(drawn);
        },
        () => {},
      );
  }, [of]);
  if (!of || !svg) return null;
  return html`<div
    id="enlarged"
    aria-hidden="true"
    style=${placeOf(of)}
    ref=${(/** @type {Element | null} */ box) => box?.replaceChildren(drawing(svg))}
  ></div>`;
}
