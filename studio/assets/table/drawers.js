// What lies on the table: markets, decks, tracks and numbers of the game. Each opens as a drawer over the
// board.

import { t } from "../words.js";
import { Drawing, Face, ICONS, Icon } from "./pictures.js";
import { enlarges, read } from "./reader.js";
import { browse } from "./seats.js";
import { drawer, isLit, isSeen, shown } from "./state.js";
import { html } from "./view.js";

/** @typedef {{ id: string, name: string, count?: number, show: () => unknown, isLit?: boolean }} Drawn */

/** A zone with more different cards than this shows only its top card. */
const LAID_OUT = 16;

/**
 * Zones that are shown elsewhere: among the viewer's own cards, on the board, or in the bar.
 * @param {Shown} picture
 */
function marketsOf(picture) {
  const own = new Set((picture.table.hand ?? []).map((zone) => zone.id));
  return picture.table.zones.filter((zone) => !own.has(zone.id) && !zone.is_laid);
}

/** Cards that lie open alone: what is in force. @param {Shown} picture */
export const inForce = (picture) =>
  marketsOf(picture).filter((zone) => zone.count === 1 && zone.designs.length === 1);

/** The drawers that have something in them. @param {Shown} picture @returns {Drawn[]} */
function drawersOf(picture) {
  const { decks, counters } = picture.table;
  const markets = marketsOf(picture);
  const cards = markets.reduce((sum, zone) => sum + zone.count, 0);
  const isRound = new Set(picture.rounds.map(({ id }) => id));
  const numbers = counters.filter((counter) => !isRound.has(counter.id));
  /** @type {(Drawn | false)[]} */
  const all = [
    markets.length > 0 && {
      id: "markets",
      name: t("markets"),
      count: cards,
      show: () => markets.map((zone) => html`<${Market} key=${zone.id} zone=${zone} />`),
      isLit: markets.some(
        (zone) => isLit({ zone: zone.id }) || zone.designs.some((card) => isLit({ card: { card } })),
      ),
    },
    !!picture.tracks && {
      id: "tracks",
      name: t("tracks"),
      show: () => html`<div id="tracks"><${Drawing} svg=${picture.tracks} label=${t("tracks")} /></div>`,
    },
    decks.length > 0 && {
      id: "decks",
      name: t("decks"),
      show: () =>
        decks.map((zone) => html`<${Deck} key=${zone.id} zone=${zone} heap=${picture.heaps[zone.id]} />`),
    },
    numbers.length > 0 && {
      id: "numbers",
      name: t("numbers"),
      show: () =>
        html`<dl class="numbers">
          ${numbers.map(
            (counter) =>
              html`<div data-counter=${counter.id}><dt>${counter.name}</dt><dd>${counter.value}</dd></div>`,
          )}
        </dl>`,
    },
  ];
  return all.filter((one) => one !== false);
}

/** Equal cards that lie open on the table. @param {{ id: string, name: string, count: number }} props */
function Laid({ id, name, count }) {
  const thing = { card: { card: id } };
  return html`<button
    class=${`laid${isLit(thing) ? " lit" : ""}${isSeen(thing) ? " seen" : ""}`}
    data-card=${id}
    onClick=${() => read(id)}
    ...${enlarges(id)}
  >
    <span class="unseen">${name}</span>
    <${Face} id=${id} size="small" name=${name} />
    ${count > 1 ? html`<span class="many">×${count}</span>` : null}
  </button>`;
}

/** @param {{ zone: Api.ZoneOnBoard }} props */
function Market({ zone }) {
  const kinds = new Map();
  zone.designs.forEach((id, at) =>
    kinds.set(id, { name: zone.cards?.[at] ?? id, count: (kinds.get(id)?.count ?? 0) + 1 }),
  );
  const isLong = kinds.size > LAID_OUT;
  return html`<section class="market" data-zone=${zone.id} aria-label=${zone.name}>
    <h3>
      ${zone.name}
      ${
        isLong
          ? html`<button
              class="name"
              aria-label=${t("read-cards", zone.name, zone.designs.length)}
              onClick=${() => browse(zone)}
            >
              ${t("all-cards", zone.count)}
            </button>`
          : null
      }
    </h3>
    <div class="row-of-cards">
      ${[...kinds].slice(0, LAID_OUT).map(([id, of]) => html`<${Laid} key=${id} id=${id} ...${of} />`)}
    </div>
  </section>`;
}

/** @param {{ zone: Api.ZoneOnBoard, heap: string }} props */
function Deck({ zone, heap }) {
  return html`<figure class="deck" data-zone=${zone.id}>
    <${Drawing} svg=${heap} class="heap" />
    <figcaption>${zone.name} <b>${zone.count}</b></figcaption>
  </figure>`;
}

/** The buttons that open the drawers. */
export function DrawerButtons() {
  if (!shown.value) return null;
  const all = drawersOf(shown.value);
  return html`<div class="drawer-buttons">
    ${all.map(
      ({ id, name, count, isLit }) => html`<button
        class=${isLit ? "lit" : null}
        data-drawer=${id}
        key=${id}
        aria-expanded=${String(drawer.value === id)}
        onClick=${() => {
          drawer.value = drawer.value === id ? null : id;
        }}
      >
        ${name}
        ${count ? html` <b>${count}</b>` : null}
      </button>`,
    )}
  </div>`;
}

/** The open drawer, above the board. */
export function Drawer() {
  const found = shown.value && drawersOf(shown.value).find(({ id }) => id === drawer.value);
  if (!found) return null;
  const close = () => {
    drawer.value = null;
  };
  return html`<section
    class="drawer scrolls"
    id="drawer"
    aria-label=${found.name}
    onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") close();
    }}
  >
    <div class="panel-head">
      <h2>${found.name}</h2>
      <button class="close-drawer" aria-label=${t("close")} onClick=${close}>
        <${Icon} path=${ICONS.close} />
      </button>
    </div>
    <div class="drawer-body">${found.show()}</div>
  </section>`;
}

/** All drawers one below the other, for a phone. */
export function Everything() {
  return shown.value
    ? drawersOf(shown.value).map(
        ({ id, name, show }) =>
          html`<section key=${id} class="everything">
            <h2>${name}</h2>
            <div class="drawer-body">${show()}</div>
          </section>`,
      )
    : null;
}
