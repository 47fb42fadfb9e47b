// Cards in full: in a dialog with their options, and enlarged beside the pointer or the focus.

import { drawing, fill, find, make, say } from "../dom.js";
import { t } from "../words.js";
import { faceOf } from "./pictures.js";
import { isLive, optionsAt, take } from "./state.js";
import { html, signal, useEffect, useState } from "./view.js";

/** Shows a card in full, with the options for it. */
export async function read(id) {
  const reader = find("#reader");
  try {
    fill(find(".face", reader), drawing(await faceOf(id, "full")));
  } catch (error) {
    say(error.message);
    return;
  }
  const here = isLive.value ? optionsAt({ card: { card: id } }) : [];
  fill(find(".choices", reader), here.map(({ option, aside }) => make("button", {
    class: "choice", onclick: () => { reader.close(); take(option, aside); } },
    make("span", { class: "words" }, option.text, option.note && make("span", { class: "note" }, option.note), option.preview && make("span", { class: "preview" }, option.preview)))));
  const close = find(".close", reader);
  close.textContent = t("close");
  close.onclick = () => reader.close();
  if (!reader.open) reader.showModal();
}

const enlarged = signal(null);
let timer = null;

/** What makes a card enlarge: the pointer, the focus, and a long press. */
export const enlarges = (id) => {
  const show = (event) => {
    clearTimeout(timer);
    const { currentTarget } = event;
    const isHeld = event.pointerType === "touch";
    timer = setTimeout(() => { enlarged.value = { id, target: currentTarget, box: currentTarget.getBoundingClientRect() }; }, isHeld ? 450 : 180);
  };
  const hide = () => { clearTimeout(timer); enlarged.value = null; };
  return { onPointerEnter: show, onPointerLeave: hide, onPointerUp: hide, onPointerCancel: hide, onBlur: hide,
    onFocus: (event) => { if (event.currentTarget.matches(":focus-visible")) show(event); } };
};

/** The enlarged card, where it covers nothing that is pressed. */
export function Enlarged() {
  const [svg, show] = useState(null);
  const of = enlarged.value;
  useEffect(() => {
    show(null);
    if (of) faceOf(of.id, "full").then((drawn) => { if (enlarged.value === of) show(drawn); }, () => {});
  }, [of]);
  if (!of || !svg) return null;
  const wide = 250;
  const asked = find("#ask");
  if (innerWidth > 700 && asked?.contains(of.target)) {
    // Beside the options and their outlook.
    const outlook = find("#outlook:not([hidden])");
    const right = (outlook ?? asked).getBoundingClientRect().left - 12;
    const top = Math.max(8, Math.min(of.box.top, innerHeight - 360));
    return html`<div id="enlarged" aria-hidden="true" style=${{ left: `${Math.max(8, right - wide)}px`, top: `${top}px` }} ref=${(box) => box?.replaceChildren(drawing(svg))}></div>`;
  }
  const left = Math.max(8, Math.min(innerWidth - wide - 8, of.box.x + of.box.width / 2 - wide / 2));
  const isBelow = of.box.top < 370;
  const place = isBelow ? { left: `${left}px`, top: `${Math.min(of.box.bottom + 8, innerHeight - 360)}px` } : { left: `${left}px`, bottom: `${innerHeight - of.box.top + 8}px` };
  return html`<div id="enlarged" aria-hidden="true" style=${place} ref=${(box) => box?.replaceChildren(drawing(svg))}></div>`;
}
