// What lies in front of the viewer: the hand and other own cards. Beside it: what lies on the table, in
// drawers.

import { t } from "../words.js";
import { DrawerButtons } from "./drawers.js";
import { Face } from "./pictures.js";
import { enlarges, read } from "./reader.js";
import { isBeside, isLit, isSeen, shown } from "./state.js";
import { html, useEffect, useLayoutEffect, useRef } from "./view.js";

/** @param {{ card: Api.CardFace }} props */
function Held({ card }) {
  const thing = { card: { card: card.id } };
  const name =
    `held${isLit(thing) ? " lit" : ""}` +
    `${isBeside(thing) ? " beside-lit" : ""}${isSeen(thing) ? " seen" : ""}`;
  return html`<button
    class=${name}
    data-card=${card.id}
    onClick=${() => read(card.id)}
    ...${enlarges(card.id)}
  >
    <span class="unseen">${card.title}. ${card.text ?? ""}</span>
    <${Face} id=${card.id} size="small" name=${card.title} />
    ${card.count > 1 ? html`<span class="many">×${card.count}</span>` : null}
  </button>`;
}

/** Marks the ends beyond which there are more cards. @param {Element | null} box */
function mark(box) {
  if (!box) return;
  box.classList.toggle("more-before", box.scrollLeft > 1);
  box.classList.toggle("more-after", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/** The wheel moves cards sideways that do not fit. @param {WheelEvent} event */
function wheel(event) {
  const box = /** @type {Element} */ (event.currentTarget);
  if (event.deltaX || event.ctrlKey || box.scrollWidth <= box.clientWidth) return;
  event.preventDefault();
  box.scrollLeft += event.deltaY;
}

export function Hand() {
  const hand = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => mark(hand.current));
  useEffect(() => {
    const box = hand.current;
    if (!box) return;
    const observer = new ResizeObserver(() => mark(box));
    observer.observe(box);
    box.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      box.removeEventListener("wheel", wheel);
    };
  }, []);
  const zones = (shown.value?.table.hand ?? []).filter((zone) => zone.cards.length);
  return html`<section
    id="hand"
    aria-label=${t("own-cards")}
    ref=${hand}
    onScroll=${() => mark(hand.current)}
  >
    ${zones.map(
      (zone) => html`<div class="zone" key=${zone.id} data-zone=${zone.id}>
        <h3>${zone.name}</h3>
        <div class="cards">${zone.cards.map((card) => html`<${Held} key=${card.id} card=${card} />`)}</div>
      </div>`,
    )}
  </section>`;
}

export function Dock() {
  return html`<div class="dock"><${Hand} /><${DrawerButtons} /></div>`;
}
