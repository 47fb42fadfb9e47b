// The end: who won and why, the ranks, what each seat has with the way to it, the curves, and play again.

import { get } from "../net.js";
import * as dialogs from "../dialogs.js";
import { t } from "../words.js";
import { minus } from "./chips.js";
import { Made, Swatch } from "./pictures.js";
import { begin, isLive, lines, now, shown } from "./state.js";
import { playerOf } from "./seats.js";
import { make } from "../dom.js";
import { html, useEffect, useState } from "./view.js";

/** More parts of a score than this do not help. */
const MOST_PARTS = 12;

/**
 * What the seats have of a counter.
 * @typedef {{id: string, name: string, isTrack?: boolean, of: Map<string, number | string>}} Row
 */

/**
 * The numbers of all seats, those that are zero, too, if they have ever been something else.
 * @param {Shown} picture @param {Api.Curve[]} curves @returns {Row[]}
 */
export function rowsOf(picture, curves) {
  const { seats } = picture.table;
  /** @type {Map<string, Row>} */
  const rows = new Map();
  const tracks = new Set(curves.filter((curve) => curve.is_track).map(({ counter }) => counter));
  /** @param {string} id @param {string} name @returns {Row} */
  const rowOf = (id, name) => {
    const row = rows.get(id) ?? { id, name, isTrack: tracks.has(id), of: new Map() };
    rows.set(id, row);
    return row;
  };
  for (const seat of seats)
    for (const { id, name, value } of seat.counters)
      rowOf(id, name).of.set(seat.faction.id, Number.isNaN(Number(value)) ? value : Number(value));
  for (const { counter, name, faction, points } of curves) {
    const row = rowOf(counter, name);
    if (!row.of.has(faction)) row.of.set(faction, points.at(-1)?.[1] ?? 0);
  }
  const moved = new Set(
    curves.filter(({ points }) => points.some(([, value]) => value)).map(({ counter }) => counter),
  );
  const all = [...rows.values()].filter(
    ({ id, of }) => moved.has(id) || [...of.values()].some((value) => value),
  );
  if (!seats.some((seat) => seat.spaces)) return all;
  return [
    ...all,
    { id: "", name: t("spaces"), of: new Map(seats.map((seat) => [seat.faction.id, seat.spaces])) },
  ];
}

/**
 * The number that decided: the only track, if the winner leads on it. Null if no number is known to have
 * decided: a winner may have most of something without having won by it, and of several tracks none is the
 * score.
 * @param {Ended} picture @param {Row[]} rows @returns {Row | null}
 */
export function deciding(picture, rows) {
  const winner = picture.table.seats.find((seat) => seat.index === picture.over.winner)?.faction.id;
  const [track, ...others] = rows.filter(({ isTrack }) => isTrack);
  if (!winner || !track || others.length) return null;
  /** @param {string} faction @returns {number} */
  const worth = (faction) => Number(track.of.get(faction) ?? 0);
  /** @param {Api.SeatPicture} props */
  const isBehind = ({ faction }) => faction.id === winner || worth(faction.id) < worth(winner);
  return picture.table.seats.every(isBehind) ? track : null;
}

/**
 * The seats in the order of the result, with their ranks: the winner first, then by what decided. Without
 * that there are no ranks.
 * @param {Ended} picture @param {Row | null} decided
 */
export function ranked(picture, decided) {
  /** @param {Api.SeatPicture} seat @returns {number} */
  const worth = (seat) => Number(decided?.of.get(seat.faction.id) ?? 0);
  /** @param {Api.SeatPicture} seat */
  const won = (seat) => Number(seat.index === picture.over.winner);
  const order = [...picture.table.seats].sort(
    (a, b) => won(b) - won(a) || Number(b.playing) - Number(a.playing) || worth(b) - worth(a),
  );
  /** @param {Api.SeatPicture} a @param {Api.SeatPicture} b */
  const isEqual = (a, b) => won(a) === won(b) && worth(a) === worth(b) && a.playing === b.playing;
  return order.map((seat) => ({
    seat,
    rank: decided && 1 + order.findIndex((other) => isEqual(other, seat)),
  }));
}

/**
 * How a number came about: its changes in each part of the game, by the log. Null if they do not add up to
 * it, because the page has only a part of the log, or if parts do not help.
 * @param {Row} row @param {Shown} picture @param {Line[]} log @returns {Row[] | null}
 */
export function partsOf(row, picture, log) {
  /** @type {Map<string, Row & { of: Map<string, number> }>} */
  const parts = new Map();
  const sums = new Map();
  const named = new Map(picture.table.seats.map((seat) => [seat.faction.name, seat.faction.id]));
  let title = "";
  for (const line of log) {
    if (line.head) title = line.say;
    for (const { counter, by, owner } of line.changes) {
      const faction = owner ? named.get(owner) : (line.owner ?? line.by);
      if (counter !== row.id || !faction || !by) continue;
      const part = parts.get(title) ?? { id: "", name: title, of: new Map() };
      parts.set(title, part);
      part.of.set(faction, (part.of.get(faction) ?? 0) + by);
      sums.set(faction, (sums.get(faction) ?? 0) + by);
    }
  }
  const isWhole = [...row.of].every(([faction, value]) => (sums.get(faction) ?? 0) === value);
  const helps = [...row.of.keys()].some(
    (faction) => [...parts.values()].filter(({ of }) => of.get(faction)).length > 1,
  );
  return isWhole && helps && parts.size <= MOST_PARTS && !parts.has("") ? [...parts.values()] : null;
}

/**
 * A number, and a bar as long as it is against the others of its row.
 * @param {{ value: number | string | undefined, most: number, color: string, isBare: boolean }} props
 */
function Value({ value, most, color, isBare }) {
  const number = typeof value === "number" ? value : 0;
  const share = most ? Math.round((100 * Math.abs(number)) / most) : 0;
  return html`<td>
    <span class="value">${typeof value === "number" ? minus(value) : value}</span>
    ${
      isBare || !share
        ? null
        : html`<span class=${`bar${number < 0 ? " lost" : ""}`} aria-hidden="true">
            <i style=${{ width: `${share}%`, background: number < 0 ? null : color, color }}></i>
          </span>`
    }
  </td>`;
}

/** @param {{ picture: Ended, rows: Row[] }} props */
function Standings({ picture, rows }) {
  const decided = deciding(picture, rows);
  const order = ranked(picture, decided);
  /** @param {Api.SeatPicture} seat */
  const isWinner = (seat) => seat.index === picture.over.winner;
  const parts = decided && partsOf(decided, picture, lines.value);
  /** @param {Row} row @param {string | null} [kind] */
  const line = (row, kind = null) => {
    const most = Math.max(0, ...[...row.of.values()].map(Number).filter(Number.isFinite).map(Math.abs));
    return html`<tr key=${`${kind} ${row.id} ${row.name}`} class=${kind}>
      <th scope="row">${row.name}</th>
      ${order.map(
        ({ seat }) =>
          html`<${Value}
            value=${row.of.get(seat.faction.id)}
            most=${most}
            color=${seat.color}
            isBare=${order.length > 4}
          />`,
      )}
    </tr>`;
  };
  const others = rows.filter((row) => row !== decided);
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${t("seat")}</th>
        ${order.map(
          ({ seat, rank }) => html`<th scope="col" class=${isWinner(seat) ? "winner" : null}>
            ${
              rank
                ? html`<span class="rank">${rank}.</span> `
                : isWinner(seat)
                  ? html`<span class="won" aria-hidden="true">★</span> `
                  : null
            }
            <${Swatch} color=${seat.color} /> ${seat.faction.name}
            <small>${playerOf(seat, picture)}</small>
          </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${parts?.map((part) => line(part, "part"))}
      ${decided ? line(decided, "sum") : null}
      ${others.map((row) => line(row))}
    </tbody>
  </table>`;
}

/** @param {{ picture: Shown, curves: Api.Curve[] }} props */
function Curves({ picture, curves }) {
  const [plots, show] = useState(/** @type {Element[] | null} */ (null));
  useEffect(() => {
    // Only the whole game has curves.
    if (isLive.value && curves.length) dialogs.curves(picture, curves).then(show, () => {});
  }, [picture.epoch, picture.steps, curves]);
  return plots?.length
    ? html`<div class="curves"><${Made} element=${make("div", {}, plots)} of=${plots} /></div>`
    : null;
}

/** What the result means for the viewer. @param {Ended} picture */
function verdict(picture) {
  const own = picture.table.seats.find((seat) => seat.faction.id === picture.seat);
  if (!own) return null;
  if (picture.over.winner == null) return t("you-drew");
  return own.index === picture.over.winner ? t("you-won") : t("you-lost");
}

export function End() {
  const picture = /** @type {Ended} */ (shown.value);
  const [curves, learn] = useState(/** @type {Api.Curve[]} */ ([]));
  useEffect(() => {
    get("/api/curves", { seat: picture.seat }).then(learn, () => {});
  }, [picture.epoch, picture.steps]);
  const again = () => begin(Math.floor(Math.random() * 1e9));
  return html`<section class="over scrolls" data-part="result" aria-label=${t("result")} tabindex="0">
    <h2>${picture.over.end}</h2>
    <p class="cause">${picture.over.cause ?? t("no-cause")} <b>${verdict(picture)}</b></p>
    ${
      now.value?.host
        ? html`<p><button id="again" class="main" onClick=${again}>${t("again")}</button></p>`
        : null
    }
    <div class="standings" tabindex="0" role="group" aria-label=${t("result")}>
      <${Standings} picture=${picture} rows=${rowsOf(picture, curves)} />
    </div>
    <${Curves} picture=${picture} curves=${curves} />
  </section>`;
}
