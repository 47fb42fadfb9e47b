// The lobby: the games, what a player may choose in one, and the saved games.

import { find, findAll, reason, say } from "./dom.js";
import { engine } from "./engine.js";
import { statusOf } from "./net.js";
import { Swatch } from "./table/pictures.js";
import { html, render, signal, useEffect, useRef } from "./table/view.js";
import { t, use } from "./words.js";

/** A faction with who sits there, and how strong a bot is. */
/** @typedef {{ faction: string, who: string, strength: number }} Sitting */
/**
 * @typedef {{ seats: Sitting[] | null, variant: string | null, options: Record<string, number>,
 *   adds: string[], language: string | null, seed: string }} Form
 */
/** What is known of a game: what can be chosen, or why nothing can. */
/** @typedef {(Api.GameOffer & { error?: undefined }) | { error: string, board?: undefined }} Offer */

/** The games, the saved games, and the language. */
const hall = signal(/** @type {Api.Hall} */ ({ games: [], saves: [], language: "", words: {} }));
/** What is known of each game with what is added to it. */
const known = signal(/** @type {Record<string, Offer>} */ ({}));
/** The measured lengths of games, by their ids. */
const lengths = signal(/** @type {Record<string, number | null>} */ ({}));
const chosen = signal(/** @type {string | null} */ (null));
const isBusy = signal(false);

/** @type {Form} */
const EMPTY = { seats: null, variant: null, options: {}, adds: [], language: null, seed: "" };
/** What is chosen in the game. Seats are factions with who sits there. */
const form = signal(EMPTY);

/** The usual strength of a bot: the second among those of the game, from the weakest. */
const USUAL = 1;
/** More options than these are folded away. */
const FEW = 3;
/** The decisions that people make in a minute. */
const PER_MINUTE = 4;

/** @param {Partial<Form>} more */
const set = (more) => {
  form.value = { ...form.value, ...more };
};
/** @param {string} id @param {string[]} adds */
const nameOf = (id, adds) => [id, ...adds].join(" ");
/** @param {string} id */
const brief = (id) => hall.value.games.find((game) => game.id === id);

/** The numbers of seats that can be played. @param {Api.GameOffer} game @returns {[number, number]} */
function bounds(game) {
  const variant = game.variants.find(({ id }) => id === form.value.variant);
  return [
    Math.max(game.seats[0], variant?.seats[0] ?? 1),
    Math.min(game.seats[1], variant?.seats[1] ?? game.seats[1]),
  ];
}

/**
 * The usual seats: the first faction is the player's, and in a game of two its recommended rival sits
 * opposite.
 * @param {Api.GameOffer} game @param {number} number @returns {Sitting[]}
 */
function usualSeats(game, number) {
  let factions = game.factions.map(({ id }) => id);
  const rival = game.factions[0]?.rival;
  if (number === 2 && rival)
    factions = [factions[0], rival, ...factions.slice(1).filter((id) => id !== rival)];
  return factions
    .slice(0, number)
    .map((faction, at) => ({ faction, who: at ? "bot" : "you", strength: USUAL }));
}

/** The chosen seats, as many as the variant allows. @param {Api.GameOffer} game @returns {Sitting[]} */
function seatsOf(game) {
  const [least, most] = bounds(game);
  const seats = form.value.seats ?? usualSeats(game, most);
  const free = game.factions.map(({ id }) => id).filter((id) => !seats.some(({ faction }) => faction === id));
  const more = free.map((faction) => ({ faction, who: "bot", strength: USUAL }));
  return [...seats, ...more].slice(0, Math.min(Math.max(seats.length, least), most));
}

/**
 * Gives a seat another faction. The seat that had it gets the old one.
 * @param {Api.GameOffer} game @param {number} at @param {string} faction
 */
function take(game, at, faction) {
  const seats = seatsOf(game);
  const old = seats[at].faction;
  set({
    seats: seats.map((seat, here) =>
      here === at ? { ...seat, faction } : seat.faction === faction ? { ...seat, faction: old } : seat,
    ),
  });
}

/** What has been asked, so that nothing is asked twice. */
const asked = new Map();
/** @param {string} key @param {() => Promise<void>} ask */
const once = (key, ask) => asked.get(key) ?? asked.set(key, ask()).get(key);

/** @param {string} id @param {string[]} [adds] */
function describe(id, adds = []) {
  const name = nameOf(id, adds);
  return once(`game ${name}`, async () => {
    const found = await engine.game(id, adds).catch((error) => ({ error: error.message }));
    known.value = { ...known.value, [name]: found };
  });
}

/** @param {string} id */
function measure(id) {
  return once(`length ${id}`, async () => {
    const length = await engine.length(id).catch(() => null);
    lengths.value = { ...lengths.value, [id]: length };
  });
}

/** @param {string} id @param {boolean} isScrolled */
async function choose(id, isScrolled) {
  chosen.value = id;
  form.value = EMPTY;
  await describe(id);
  if (isScrolled && innerWidth <= 900)
    requestAnimationFrame(() => find(".choose")?.scrollIntoView({ block: "start" }));
  await measure(id);
}

/** Fetches the pictures one after another, so that a chosen game does not wait for all of them. */
async function describeAll() {
  for (const { id } of hall.value.games) await describe(id);
}

/**
 * Does something that opens a game. If it returns something, the lobby stays.
 * @param {() => Promise<unknown>} work
 */
async function enter(work) {
  isBusy.value = true;
  say();
  try {
    if (!(await work())) return location.reload();
  } catch (error) {
    say(reason(error));
  }
  isBusy.value = false;
}

/** @param {Api.GameOffer} game */
const start = (game) =>
  enter(async () => {
    const seats = seatsOf(game);
    const { variant, options, adds, language, seed } = form.value;
    /** @param {Sitting} props */
    const player = ({ who, strength }) => (who === "bot" ? game.strengths[strength].player : "human");
    sessionStorage.setItem(
      "away",
      JSON.stringify(seats.filter(({ who }) => who === "link").map(({ faction }) => faction)),
    );
    await engine.start({
      game: chosen.value ?? "",
      adds,
      variant,
      options,
      language: language ?? null,
      seed: seed === "" ? null : Number(seed),
      seats: seats.map((seat) => [seat.faction, player(seat)]),
    });
  });

/** The saved game that goes on differently with the present packs, and how. */
const departed = signal(/** @type {{ file: string, departs: [number, number] } | null} */ (null));

/** @param {string} file @param {Api.Given.WhenChanged} [when] */
const resume = (file, when = "stop") =>
  enter(async () => {
    sessionStorage.removeItem("away");
    const { departs } = await engine.resume(file, when);
    departed.value = departs ? { file, departs } : null;
    return departs;
  });

/** @param {{ save: Api.SavedBrief }} props */
function Departed({ save }) {
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => first.current?.focus(), []);
  /** @param {Api.Given.WhenChanged} when @param {string} text @param {Ref<HTMLButtonElement>} [ref] */
  const way = (when, text, ref) =>
    html`<button ref=${ref} disabled=${isBusy.value} onClick=${() => resume(save.file, when)}>
      ${t(text)}
    </button>`;
  return html`<div class="saved departed" role="group" aria-label=${save.name}>
    <b>${save.title}</b>
    <span role="alert">${t("departs", ...(departed.value?.departs ?? []))}</span>
    ${way("departure", "continue-departure", first)}
    ${way("new-rules", "continue-new-rules")}
    <small>${t("continue-copy")}</small>
  </div>`;
}

/** When a game was saved, in the language of the lobby. @param {Api.SavedBrief} save */
const savedAt = (save) =>
  new Intl.DateTimeFormat(hall.value.language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(save.saved * 1000),
  );

/** @param {{ save: Api.SavedBrief }} props */
function Saved({ save }) {
  if (departed.value?.file === save.file) return html`<${Departed} save=${save} />`;
  return html`<button
    class="saved"
    disabled=${isBusy.value || !!save.trouble}
    onClick=${() => resume(save.file)}
  >
    <b>${save.title}</b>
    <span>${save.trouble ?? t("saved-state", save.steps, save.seats)}</span>
    <small>${savedAt(save)} · ${save.name}</small>
  </button>`;
}

/** @param {{ game: Api.GameBrief }} props */
function Game({ game }) {
  const board = known.value[game.id]?.board;
  const [least, most] = game.seats;
  const picture = board
    ? html`<img alt="" src=${`data:image/svg+xml,${encodeURIComponent(board)}`} />`
    : null;
  return html`<button
    class="game"
    aria-pressed=${String(chosen.value === game.id)}
    data-game=${game.id}
    onClick=${() => choose(game.id, true)}
  >
    <span class="board-picture">${picture}</span>
    <span class="about">
      <b>${game.title}</b>
      <span class="facts">${t("seats-of", least === most ? String(least) : `${least}–${most}`)}</span>
      <span class="sentence">${game.description}</span>
    </span>
  </button>`;
}

/** @param {{ game: Api.GameOffer, seat: Sitting, at: number }} props */
function Seat({ game, seat, at }) {
  /** @param {Partial<Sitting>} more */
  const change = (more) =>
    set({ seats: seatsOf(game).map((old, here) => (here === at ? { ...old, ...more } : old)) });
  const faction = game.factions.find(({ id }) => id === seat.faction) ?? game.factions[0];
  const canChoose = game.factions.length > 1;
  const players = ["you", "here", "link", ...game.strengths.map(({ name }) => name)];
  const value = seat.who === "bot" ? game.strengths[seat.strength].name : seat.who;
  /** @param {string} name */
  const sit = (name) => {
    const strength = game.strengths.findIndex((bot) => bot.name === name);
    change(strength < 0 ? { who: name } : { who: "bot", strength });
  };
  return html`<div class="seat-row">
    <${Swatch} color=${faction.color} />
    ${
      canChoose
        ? html`<select
            aria-label=${t("faction-of", at + 1)}
            onChange=${(/** @type {On} */ event) => take(game, at, event.target.value)}
          >
            ${game.factions.map(
              ({ id, name }) => html`<option value=${id} selected=${id === seat.faction}>${name}</option>`,
            )}
          </select>`
        : html`<b>${faction.name}</b>`
    }
    <select
      class="sitting"
      aria-label=${t("who-sits", faction.name)}
      onChange=${(/** @type {On} */ event) => sit(event.target.value)}
    >
      ${players.map(
        (name) => html`<option value=${name} selected=${name === value}>${t(`who-${name}`)}</option>`,
      )}
    </select>
  </div>`;
}

/** @param {{ game: Api.GameOffer }} props */
function Variants({ game }) {
  if (!game.variants.length) return null;
  /** @param {string | null} id @param {string} title @param {string} [text] */
  const row = (id, title, text) => html`<label class="pick">
    <input
      type="radio"
      name="variant"
      checked=${form.value.variant === id}
      onChange=${() => set({ variant: id, seats: null })}
    />
    <span><b>${title}</b>${text ? html`<small>${text}</small>` : null}</span>
  </label>`;
  /** @param {Api.OfferedVariant} props */
  const named = ({ id, name }) => {
    const [title, ...rest] = name.split(": ");
    return row(id, title, rest.join(": "));
  };
  return html`<fieldset>
    <legend>${t("variant")}</legend>
    ${row(null, t("usual"))}
    ${game.variants.map(named)}
  </fieldset>`;
}

/** @param {{ game: Api.GameOffer }} props */
function Options({ game }) {
  if (!game.options.length) return null;
  /** @param {string} id */
  const change = (id) => (/** @type {{ target: { value: string | number } }} */ event) => {
    const { [id]: _, ...rest } = form.value.options;
    set({ options: event.target.value === "" ? rest : { ...rest, [id]: Number(event.target.value) } });
  };
  /** @param {Api.OfferedSetting} props */
  const row = ({ id, name, help, min, max, start }) => {
    const isSwitch = min === 0 && max === 1;
    /** @param {On} event */
    const flip = (event) => change(id)({ target: { value: event.target.checked ? 1 : 0 } });
    const now = form.value.options[id] ?? start;
    const input = isSwitch
      ? html`<input type="checkbox" checked=${now === 1} onChange=${flip} />`
      : html`<input type="number" min=${min} max=${max} value=${now} onChange=${change(id)} />`;
    return html`<label class="pick">
      ${isSwitch ? input : null}
      <span><b>${name}</b>${help ? html`<small>${help}</small>` : null}</span>
      ${isSwitch ? null : input}
    </label>`;
  };
  const isShort = game.options.length <= FEW;
  const rows = html`<fieldset>
    <legend class=${isShort ? "" : "unseen"}>${t("options")}</legend>
    ${game.options.map(row)}
  </fieldset>`;
  return isShort
    ? rows
    : html`<details><summary>${t("options-of", game.options.length)}</summary>${rows}</details>`;
}

/** @param {{ packs: Api.PackBrief[] }} props */
function Adds({ packs }) {
  if (!packs.length) return null;
  /** @param {string} id */
  const flip = (id) => async (/** @type {On} */ event) => {
    const { adds } = form.value;
    const next = event.target.checked ? [...adds, id].sort() : adds.filter((other) => other !== id);
    set({ adds: next, variant: null, seats: null, options: {} });
    await describe(chosen.value ?? "", next);
  };
  /** @param {Api.PackBrief} props */
  const row = ({ id, title, description }) => html`<label class="pick">
    <input type="checkbox" checked=${form.value.adds.includes(id)} onChange=${flip(id)} />
    <span><b>${title}</b><small>${description}</small></span>
  </label>`;
  return html`<fieldset><legend>${t("adds")}</legend>${packs.map(row)}</fieldset>`;
}

/** @param {{ packs: Api.PackBrief[] }} props */
function Language({ packs }) {
  const codes = [...new Set(packs.flatMap(({ languages }) => languages))];
  if (codes.length < 2) return null;
  const now = form.value.language ?? (codes.includes(hall.value.language) ? hall.value.language : codes[0]);
  /** @param {string} code */
  const name = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);
  return html`<label class="field-row">
    <span>${t("language")}</span>
    <select onChange=${(/** @type {On} */ event) => set({ language: event.target.value })}>
      ${codes.map((code) => html`<option value=${code} selected=${code === now}>${name(code)}</option>`)}
    </select>
  </label>`;
}

/** @param {{ game: Api.GameOffer }} props */
function SeatCount({ game }) {
  const [least, most] = bounds(game);
  if (least >= most) return null;
  const now = seatsOf(game).length;
  /** @param {On} event */
  const change = (event) => set({ seats: usualSeats(game, Number(event.target.value)) });
  return html`<label class="field-row">
    <span>${t("number-of-seats")}</span>
    <select id="seat-count" onChange=${change}>
      ${Array.from(
        { length: most - least + 1 },
        (_, at) => html`<option value=${least + at} selected=${least + at === now}>${least + at}</option>`,
      )}
    </select>
  </label>`;
}

/** @param {{ id: string }} props */
function Length({ id }) {
  const each = lengths.value[id];
  if (!each) return null;
  return html`<p class="quiet">${t("length", each, Math.max(1, Math.round(each / PER_MINUTE / 5)) * 5)}</p>`;
}

function Choose() {
  const id = chosen.value;
  const game = id && known.value[nameOf(id, form.value.adds)];
  if (!game)
    return html`<section class="choose"><p class="quiet">${t(id ? "opening" : "choose-game")}</p></section>`;
  const about = /** @type {Api.GameBrief} */ (brief(id));
  const added = about.adds.filter((pack) => form.value.adds.includes(pack.id));
  if (game.error !== undefined)
    return html`<section class="choose">
      <h2>${about.title}</h2>
      <p role="alert">${game.error}</p>
      <${Adds} packs=${about.adds} />
    </section>`;
  const seats = seatsOf(game);
  return html`<section class="choose" aria-label=${about.title}>
    <div class="choices-of">
      <h2>${about.title}</h2>
      <p>${about.description}</p>
      <${Length} id=${id} />
      <h3>${t("seats")}</h3>
      <${SeatCount} game=${game} />
      ${seats.map((seat, at) => html`<${Seat} key=${at} game=${game} seat=${seat} at=${at} />`)}
      <${Variants} game=${game} />
      <${Options} game=${game} />
      <${Adds} packs=${about.adds} />
      <${Language} packs=${[about, ...added]} />
      <details>
        <summary>${t("advanced")}</summary>
        <label class="field-row">
          <span>${t("seed")}<small>${t("seed-help")}</small></span>
          <input
            id="seed"
            inputmode="numeric"
            placeholder=${t("any")}
            value=${form.value.seed}
            onInput=${(/** @type {On} */ event) => set({ seed: event.target.value.replace(/\D/g, "") })}
          />
        </label>
      </details>
    </div>
    <div class="start-row">
      ${seats.some(({ who }) => who === "link") ? html`<span class="quiet">${t("links-after")}</span>` : null}
      <button id="start" class="main" disabled=${isBusy.value} onClick=${() => start(game)}>
        ${t(isBusy.value ? "opening" : "start-game")}
      </button>
    </div>
  </section>`;
}

function Lobby() {
  useEffect(() => {
    describeAll();
  }, []);
  const { games, saves } = hall.value;
  return html`<div class="halls">
    <div class="scrolls shelf">
      ${
        saves.length
          ? html`
              <h2>${t("go-on-with")}</h2>
              <div class="saves">
                ${saves.map((save) => html`<${Saved} key=${save.file} save=${save} />`)}
              </div>
            `
          : null
      }
      <h2>${t("games")}</h2>
      <div class="games">${games.map((game) => html`<${Game} key=${game.id} game=${game} />`)}</div>
    </div>
    <${Choose} />
  </div>`;
}

/** Shows the lobby on the page. @param {Api.Hall} found */
export function open(found) {
  const main = find("#lobby");
  hall.value = found;
  use(found.words);
  document.documentElement.lang = found.language;
  document.title = "Principes";
  find("#title").textContent = "Principes";
  for (const element of findAll("header > :not(h1), main:not(#lobby)")) element.hidden = true;
  main.hidden = false;
  render(html`<${Lobby} />`, main);
  document.body.dataset.ready = "lobby";
  if (innerWidth > 900) choose(hall.value.games[0]?.id, false);
}

/** Waits until the host has opened a game. */
export async function wait() {
  const message = find("#message");
  message.hidden = false;
  for (;;) {
    const found = await engine.lobby().catch((error) => ({ error, open: false, waits: null }));
    if (found.open) return location.reload();
    if (found.waits) message.textContent = found.waits;
    document.body.dataset.ready = "waiting";
    // The key of a seat that is no longer played.
    const error = "error" in found ? found.error : null;
    if (statusOf(error) === 401) {
      message.textContent = reason(error);
      return;
    }
    await new Promise((done) => setTimeout(done, 1500));
  }
}
