// The table view: binds the page's frame to the table's state.

import { find, findAll, isTyping } from "./dom.js";
import { engine } from "./engine.js";
import * as motion from "./motion.js";
import * as panels from "./panels.js";
import * as story from "./story.js";
import * as app from "./table/app.js";
import { isDrag, pictureOf } from "./table/board.js";
import { drop } from "./table/choosing.js";
import * as pictures from "./table/pictures.js";
import * as playback from "./table/playback.js";
import * as state from "./table/state.js";
import { thingOf } from "./table/things.js";
import { effect } from "./table/view.js";
import { t } from "./words.js";

export const refresh = state.refresh;
export const isHost = () => !!state.now.value?.host;
export const languages = () => state.now.value?.languages ?? [];

/**
 * Keeps what is outside the table up to date.
 * @param {Api.TablePicture | null} before @param {Api.TablePicture} picture
 */
function frame(before, picture) {
  if (!before) {
    pictures.forget();
    story.forget();
    story.learn();
    name();
  }
  find("#title").textContent = picture.title;
  find("h1").title = picture.title;
  document.title = picture.title;
  for (const element of [find("#new"), find("#show-invite"), ...findAll(".host-only")])
    element.hidden = !picture.host;
  find("#back").hidden = !picture.trial;
  playback.play(before, picture);
  document.body.dataset.version = String(picture.version);
  document.dispatchEvent(new CustomEvent("table", { detail: picture }));
}

/** Writes the words of the page's frame, in the language of the game. */
function name() {
  for (const element of findAll("[data-t]")) element.textContent = t(element.dataset.t ?? "");
  for (const element of findAll("[data-title]")) element.title = t(element.dataset.title ?? "");
  /** @type {HTMLInputElement[]} */
  const fields = findAll("[data-placeholder]");
  for (const field of fields) field.placeholder = t(field.dataset.placeholder ?? "");
  for (const element of findAll("[data-label]"))
    element.setAttribute("aria-label", t(element.dataset.label ?? ""));
}

/** Shows the curtain, behind which another person takes over. @param {Api.HumanAtTable | null} seat */
function draw(seat) {
  /** @type {HTMLDialogElement} */
  const curtain = find("#curtain");
  if (!seat) return;
  find("h2", curtain).textContent = t("curtain-turn", seat.name);
  find("p", curtain).textContent = t("curtain-away");
  find("button", curtain).textContent = t("curtain-show");
  find("button", curtain).onclick = () => {
    curtain.close();
    state.open();
  };
  /** @type {HTMLDialogElement[]} */
  const others = findAll("dialog[open]:not(#curtain)");
  for (const open of others) open.close();
  if (!curtain.open) curtain.showModal();
}

/**
 * What the ways past the bar lead to: the tab of a phone's sheet, and the first of these elements that is
 * there.
 * @type {Record<string, { tab: string | null, first: string[] }>}
 */
const PANELS = {
  ask: { tab: "decide", first: ["#ask .choice", "#ask button", "[data-part=result]"] },
  map: { tab: null, first: ["#map .lit[tabindex='0']", ".zoom button", "#map"] },
  log: { tab: "log", first: ["#log"] },
};

/** Moves the focus to a panel. @param {{ tab: string | null, first: string[] }} panel */
function skipTo({ tab, first }) {
  if (tab) state.tab.value = tab;
  // The panel is drawn before the next frame.
  requestAnimationFrame(() => {
    const found = first.map((selector) => find(selector)).find((element) => element?.checkVisibility());
    if (!found) return;
    if (found.tabIndex < 0 && !found.hasAttribute("tabindex")) {
      // A board without anything to press has the focus only this time: a click on it takes none.
      found.tabIndex = -1;
      found.addEventListener("blur", () => found.removeAttribute("tabindex"), { once: true });
    }
    found.focus();
  });
}

export function begin() {
  for (const button of findAll("[data-skip]"))
    button.addEventListener("click", () => skipTo(PANELS[button.dataset.skip ?? ""]));
  app.begin(find("#table"), find("#status"));
  state.onArrival(frame);
  // Only the button opens the curtain; Escape does not.
  find("#curtain").addEventListener("cancel", (event) => event.preventDefault());
  find("#curtain").addEventListener("close", (event) => {
    if (state.curtain.value)
      setTimeout(() => {
        if (state.curtain.value) /** @type {HTMLDialogElement} */ (event.target).showModal();
      });
  });
  effect(() => draw(state.curtain.value));
  effect(() => {
    const picture = state.now.value;
    if (!picture) delete document.body.dataset.ready;
    else
      document.body.dataset.ready = state.past.value
        ? "past"
        : picture.over
          ? "over"
          : picture.decisions.length
            ? "asked"
            : "waiting";
  });
  motion.follow((element, space) => drop(thingOf(element), space), isDrag, pictureOf);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isTyping(event)) motion.skip();
  });
  find("#new").addEventListener("click", () => panels.opening("confirmNew")());
  find("#keep").addEventListener("click", () => panels.opening("keep")());
  find("#back").addEventListener("click", () => state.act(engine.back));
  find("#menu").addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("button")) find("#menu").hidePopover();
  });
  panels.begin(() => state.now.value);
}
