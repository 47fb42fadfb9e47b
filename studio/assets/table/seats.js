// The seats: who plays, whose turn it is, and what each has. Every seat keeps its place, the viewer's own
// first.

import { openPanel, make } from "../dom.js";
import { t } from "../words.js";
import { pick } from "./choosing.js";
import { Drawing, Swatch, faceOf } from "./pictures.js";
import { read } from "./reader.js";
import { drawing } from "../dom.js";
import { isLit, isNarrow, isOver, isSeen, isTouch, shown } from "./state.js";
import { html } from "./view.js";

/** @typedef {{ id: string, name: string, wide: number }} Column */

/** A seat's zone lists the names of its cards if they are not longer than this together. */
const LISTED = 30;

/** All seats, the viewer's own first, the others in the order of the factions. @param {Shown} picture */
export function seatsInOrder(picture) {
  const seats = [...picture.table.seats].sort((a, b) => a.index - b.index);
  const own = seats.findIndex((seat) => seat.faction.id === picture.seat);
  return own > 0 ? [...seats.slice(own), ...seats.slice(0, own)] : seats;
}

/** Who plays a seat, in a word. @param {Api.SeatPicture} seat @param {Shown} picture */
export function playerOf(seat, picture) {
  if (seat.faction.id === picture.seat) return t("you");
  return seat.player ?? "";
}

/** @param {Api.ZoneOnBoard} zone */
export async function browse(zone) {
  const known = [...new Set(zone.designs)];
  const faces = await Promise.all(known.map((id) => faceOf(id, "full")));
  openPanel(
    zone.name,
    make(
      "div",
      { class: "wall" },
      faces.map((svg) => drawing(svg)),
    ),
  );
}

/**
 * The content of a zone: the names of a few cards, a hand face down, or a number. Known cards can be read.
 * @param {{ zone: Api.ZoneOnBoard, hidden?: string }} props
 */
function Contents({ zone, hidden }) {
  if (zone.cards && zone.cards.length === zone.designs.length && zone.cards.join(", ").length <= LISTED) {
    return zone.cards.map(
      (name, at) =>
        html`
          ${at ? ", " : ""}
          <button class="name" data-card=${zone.designs[at]} onClick=${() => read(zone.designs[at])}>
            ${name}
          </button>
        `,
    );
  }
  if (zone.designs.length)
    return html`<button
      class="name"
      aria-label=${t("read-cards", zone.name, zone.designs.length)}
      onClick=${() => browse(zone)}
    >
      ${zone.count}
    </button>`;
  return html`<span class="count" title=${zone.name}>
    ${hidden ? html`<${Drawing} svg=${hidden} class="heap" isBare=${true} />` : null}
    ${zone.count}
  </span>`;
}

/**
 * The width that a column needs, in pixels: that of the longest word of its name, and of its values.
 * @param {string} name @param {string[]} values
 */
const widthOf = (name, values) =>
  10 + 6.6 * Math.max(...name.split(" ").map(({ length }) => length), ...values.map(({ length }) => length));

/**
 * The counters that stand in columns, because all seats have them and they fit beside each other.
 * @param {Api.SeatPicture[]} seats @param {number} room
 */
export function columnsOf(seats, room) {
  const [first] = seats;
  const shared = (first?.counters ?? []).filter(({ id }) =>
    seats.every((seat) => seat.counters.some((counter) => counter.id === id)),
  );
  /** @param {Api.SeatPicture} seat @param {string} id */
  const valueOf = (seat, id) => seat.counters.find((counter) => counter.id === id)?.value ?? "";
  const wide = shared.map(({ id, name }) =>
    widthOf(
      name,
      seats.map((seat) => valueOf(seat, id)),
    ),
  );
  const isNarrow = wide.reduce((sum, width) => sum + width, 0) <= room;
  const isAll = seats.every((seat) => seat.counters.length === shared.length);
  return shared.length && isNarrow && isAll
    ? shared.map(({ id, name }, at) => ({ id, name, wide: Math.ceil(wide[at]) }))
    : null;
}

/**
 * Whether what a zone shows needs no name beside it: one known card, or cards face down.
 * @param {Api.ZoneOnBoard} zone
 */
const isPlain = (zone) => zone.cards?.length === 1 || !zone.designs.length;

/** @param {{ counter: Api.CounterOnBoard }} props */
function Value({ counter }) {
  return html`<div data-counter=${counter.id} class=${isSeen({ counter: counter.id }) ? "seen" : null}>
    <dt>${counter.name}</dt>
    <dd>${counter.value}</dd>
  </div>`;
}

/** @param {{ seat: Api.SeatPicture, picture: Shown, columns: Column[] | null }} props */
function Seat({ seat, picture, columns }) {
  const thing = { faction: seat.faction.id };
  const lit = isLit(thing);
  const name =
    `seat${seat.active && !isOver.value ? " active" : ""}${seat.playing ? "" : " out"}` +
    `${lit ? " lit" : ""}${isSeen(thing) ? " seen" : ""}${seat.faction.id === picture.seat ? " own" : ""}`;
  /** @param {On<HTMLElement, PointerEvent>} event */
  const choose = (event) => {
    if (lit && !event.target.closest("button")) pick(thing, isTouch(event));
  };
  // What lies in front of the viewer is not told twice.
  const shownBelow = new Set(
    seat.faction.id === picture.seat ? (picture.table.hand ?? []).map((zone) => zone.id) : [],
  );
  const zones = seat.zones.filter((zone) => zone.count && !shownBelow.has(zone.id));
  /** @param {{ id: string }} props */
  const value = ({ id }) => seat.counters.find((counter) => counter.id === id)?.value;
  return html`<div class=${name} data-faction=${seat.faction.id} onClick=${choose}>
    <div class="first">
      <${Swatch} color=${seat.color} />
      <h3>${seat.faction.name}</h3>
      ${seat.active && !isOver.value ? html`<span class="tag">${t("to-move")}</span>` : null}
      ${seat.playing ? null : html`<span class="tag">${t("out")}</span>`}
      ${
        columns
          ? html`<dl class="columns">
              ${columns.map(
                (column) =>
                  html`<div data-counter=${column.id} key=${column.id} style=${{ width: `${column.wide}px` }}>
                    <dt class="unseen">${column.name}</dt>
                    <dd>${value(column)}</dd>
                  </div>`,
              )}
            </dl>`
          : html`<span class="who">${playerOf(seat, picture)}</span>`
      }
    </div>
    <div class="rest">
      ${columns ? html`<span class="who">${playerOf(seat, picture)}</span>` : null}
      <dl>
        ${
          columns
            ? null
            : seat.counters.map((counter) => html`<${Value} key=${counter.id} counter=${counter} />`)
        }
        ${zones.map(
          (zone) =>
            html`<div key=${zone.id} data-zone=${zone.id} title=${zone.name}>
              <dt class=${isPlain(zone) ? "unseen" : null}>${zone.name}</dt>
              <dd><${Contents} zone=${zone} hidden=${picture.heaps[`${seat.faction.id} ${zone.id}`]} /></dd>
            </div>`,
        )}
      </dl>
    </div>
  </div>`;
}

export function Seats() {
  const picture = shown.value;
  const columns = picture && columnsOf(picture.table.seats, innerWidth > 1200 || isNarrow.value ? 245 : 160);
  return html`<section id="seats" class="scrolls" aria-label=${t("seats")} tabindex="0">
    <h2 class="unseen">${t("seats")}</h2>
    ${
      columns?.length
        ? html`<div class="columns names" aria-hidden="true">
            ${columns.map(
              ({ id, name, wide }) => html`<span key=${id} style=${{ width: `${wide}px` }}>${name}</span>`,
            )}
          </div>`
        : null
    }
    ${
      picture
        ? seatsInOrder(picture).map(
            (seat) =>
              html`<${Seat} key=${seat.faction.id} seat=${seat} picture=${picture} columns=${columns} />`,
          )
        : null
    }
  </section>`;
}
