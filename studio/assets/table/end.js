// The end: who won and why, the ranks, the curves, and play again.

import * as panels from "../panels.js";
import { t } from "../words.js";
import { Made, Swatch } from "./pictures.js";
import { begin, isLive, now, shown } from "./state.js";
import { playerOf } from "./seats.js";
import { make } from "../dom.js";
import { html, useEffect, useState } from "./view.js";

/** The seats in the order of the result: the winner first, then by the first counter that tells them apart as it tells the
 * winner apart, then in their order. */
export function ranked(picture) {
  const { seats } = picture.table;
  return [...seats].sort((a, b) => Number(b.index === picture.over.winner) - Number(a.index === picture.over.winner) || Number(b.playing) - Number(a.playing));
}

function Standings({ picture }) {
  const names = [...new Map(picture.table.seats.flatMap((seat) => seat.counters).map((counter) => [counter.id, counter.name]))];
  const value = (seat, id) => seat.counters.find((counter) => counter.id === id)?.value ?? "";
  const spaces = picture.table.seats.some((seat) => seat.spaces);
  const many = names.length > 7;
  const row = (seat) => html`<tr key=${seat.faction.id} class=${seat.index === picture.over.winner ? "winner" : null}><th scope="row"><${Swatch} color=${seat.color} /> ${seat.faction.name}${seat.index === picture.over.winner ? " ★" : ""}
    <small>${playerOf(seat, picture)}</small></th>${names.map(([id]) => html`<td>${value(seat, id)}</td>`)}${spaces ? html`<td>${seat.spaces}</td>` : null}</tr>`;
  // Many numbers stand below each other, with a column for each seat.
  if (many) {
    const order = ranked(picture);
    return html`<table><thead><tr><th scope="col">${t("seat")}</th>${order.map((seat) => html`<th scope="col"><${Swatch} color=${seat.color} /> ${seat.faction.name}${seat.index === picture.over.winner ? " ★" : ""}</th>`)}</tr></thead>
      <tbody>${names.map(([id, name]) => html`<tr><th scope="row">${name}</th>${order.map((seat) => html`<td>${value(seat, id)}</td>`)}</tr>`)}
      ${spaces ? html`<tr><th scope="row">${t("spaces")}</th>${order.map((seat) => html`<td>${seat.spaces}</td>`)}</tr>` : null}</tbody></table>`;
  }
  return html`<table><thead><tr><th scope="col">${t("seat")}</th>${names.map(([, name]) => html`<th scope="col">${name}</th>`)}${spaces ? html`<th scope="col">${t("spaces")}</th>` : null}</tr></thead>
    <tbody>${ranked(picture).map(row)}</tbody></table>`;
}

function Curves({ picture }) {
  const [plots, show] = useState(null);
  useEffect(() => {
    // Only the whole game has curves.
    if (isLive.value) panels.curves(picture).then(show, () => {});
  }, [picture.epoch, picture.steps]);
  return plots?.length ? html`<div class="curves"><${Made} element=${make("div", {}, plots)} of=${plots} /></div>` : null;
}

/** What the result means for the viewer. */
function verdict(picture) {
  const own = picture.table.seats.find((seat) => seat.faction.id === picture.seat);
  if (!own) return null;
  if (picture.over.winner == null) return t("you-drew");
  return own.index === picture.over.winner ? t("you-won") : t("you-lost");
}

export function End() {
  const picture = shown.value;
  const again = () => begin(Math.floor(Math.random() * 1e9));
  return html`<section class="over scrolls" data-part="result" aria-label=${t("result")} tabindex="0">
    <h2>${picture.over.end}</h2><p class="cause">${picture.over.cause ?? t("no-cause")} <b>${verdict(picture)}</b></p>
    ${now.value?.host ? html`<p><button id="again" class="main" onClick=${again}>${t("again")}</button></p>` : null}
    <div class="standings"><${Standings} picture=${picture} /></div><${Curves} picture=${picture} /></section>`;
}
