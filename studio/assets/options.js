// Decisions as buttons, and the places on the table that are highlighted for them.

import { find, findAll, fill, isShown, isTyping, make } from "./dom.js";
import * as outlook from "./outlook.js";

/** Longer lists get a search field. */
const LONG = 12;
const same = (a, b) => (a ?? "") === (b ?? "");
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l");
const called = (name, id) => findAll(`[data-${name}="${CSS.escape(id)}"]`);

/** The elements on the table at a place of an option. */
function elementsAt(place) {
  if (place.space) return findAll(`#map .space[data-space="${CSS.escape(place.space)}"]`);
  if (place.piece) {
    const { kind, space, owner } = place.piece;
    const all = findAll(`#map .piece[data-kind="${CSS.escape(kind)}"][data-at="${CSS.escape(space)}"]`);
    return all.filter((piece) => same(piece.dataset.owner, owner));
  }
  if (place.card) return called("card", place.card.card).filter((element) => !element.closest("dialog, #log"));
  if (place.faction) return called("faction", place.faction);
  if (place.zone) return called("zone", place.zone);
  return [];
}

/** Whether an option involves a space, or a piece on it. */
const isIn = (option, space) => option.places.some((place) => place.space === space || place.piece?.space === space);

/** Shows the options of a seat, and calls `choose(option, aside, group)` for the one that is taken. */
export class Options {
  constructor(panel, choose, why) {
    Object.assign(this, { panel, choose, why, keys: [], decisions: [], asides: [], groups: [], wanted: "", then: null, isByKey: false });
    document.addEventListener("keydown", (event) => {
      this.isByKey = true;
      this.key(event);
    });
    document.addEventListener("pointerdown", () => { this.isByKey = false; });
  }

  show(picture) {
    const { decisions = [], asides = [], groups = [] } = picture;
    if (isShown(this.panel, [decisions, asides, groups])) {
      this.light();
      return;
    }
    Object.assign(this, { decisions, asides, groups, here: null, wanted: "" });
    this.draw();
    // After an answer by keyboard, the next one is at hand.
    if (this.isByKey && document.activeElement === document.body) find(".decision:not(.beside) .choice", this.panel)?.focus({ preventScroll: true });
    this.goOn();
  }

  none() {
    this.show({});
  }

  /** All options, each with whether it is an aside. */
  all() {
    const of = (list, aside) => list.map((option) => ({ option, aside }));
    return [...this.decisions.flatMap((decision) => of(decision.options, false)), ...of(this.asides, true)];
  }

  /** The options that involve an element of the table. */
  at(element) {
    return this.all().filter(({ option }) => option.places.some((place) => elementsAt(place).includes(element)));
  }

  draw() {
    this.keys = [];
    outlook.clear();
    const blocks = this.decisions.map((decision) => this.decision(decision));
    if (this.asides.length) blocks.push(this.beside());
    fill(this.panel, ...blocks);
    this.light();
  }

  decision(decision) {
    const source = decision.source && make("p", { class: "source" }, `${decision.source.name}: ${decision.source.text ?? ""}`);
    const shown = this.shown(decision.options);
    const groups = this.here || this.wanted ? [] : this.groups;
    return make("div", { class: "decision" },
      make("div", { class: "head" }, make("h2", {}, decision.prompt),
        make("button", { class: "small", "aria-label": "Why am I asked this?", title: "Why am I asked this? (w)", onclick: () => this.why() }, "Why?")),
      decision.help && make("p", { class: "help" }, decision.help), source, this.only(),
      decision.options.length === 1 && make("p", { class: "help" }, "You have only one option here. Take it to go on."),
      decision.options.length > LONG && !this.here && this.finder(decision),
      make("div", { class: "choices" }, groups.map((group) => this.group(decision, group)), shown.map((option) => this.row(option, false))));
  }

  /** The options that match the search. */
  shown(options) {
    const isHere = (option) => !this.here || this.at(this.here).some((at) => at.option === option);
    return options.filter((option) => isHere(option) && plain(option.text).includes(plain(this.wanted)));
  }

  only() {
    return this.here && make("div", { class: "filtered" }, "Only what is here. ",
      make("button", { class: "small", onclick: () => { this.here = null; this.draw(); } }, "Show all"));
  }

  finder(decision) {
    return make("input", { type: "search", class: "finder", placeholder: `Find among ${decision.options.length}`,
      "aria-label": "Find an option", value: this.wanted, oninput: (event) => {
        this.wanted = event.target.value;
        this.draw();
        const field = find(".finder", this.panel);
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
      } });
  }

  group(decision, group) {
    const option = decision.options.find((option) => option.key === group.key);
    return option && make("div", { class: "option" },
      make("button", { class: "choice group", "data-group": group.from, onclick: () => this.choose(option, false, group.from) },
        make("kbd", { "aria-hidden": "true" }, "⇶"), make("span", {}, group.text)));
  }

  /** The asides. They are folded, because they are many and rarely used. */
  beside() {
    const isAlone = !this.decisions.length;
    const shown = this.shown(this.asides);
    return make("details", { class: "decision beside", open: isAlone || !!this.here },
      make("summary", {}, `Other things you can do (${shown.length})`), isAlone && this.only(),
      make("div", { class: "choices" }, shown.map((option) => this.row(option, true))));
  }

  row(option, aside) {
    if (!aside) this.keys.push({ option, aside });
    const number = !aside && this.keys.length < 10 ? String(this.keys.length) : "";
    const mark = (seen) => option.places.flatMap(elementsAt).forEach((element) => element.classList.toggle("seen", seen));
    const enter = () => { mark(true); outlook.show(option, aside); };
    const leave = () => { mark(false); outlook.leave(option); };
    const words = [
      option.note && make("span", { class: "note" }, option.note),
      option.preview && make("span", { class: "preview" }, option.preview),
      option.detail && make("span", { class: "detail" }, option.detail),
    ];
    return make("div", { class: "option", onmouseenter: enter, onmouseleave: leave, onfocusin: enter, onfocusout: leave },
      make("button", { class: "choice", "data-key": option.key, onclick: () => this.choose(option, aside) },
        make("kbd", { "aria-hidden": "true" }, number), make("span", { class: "words" }, option.text, words)),
      !aside && make("button", { class: "small info", "aria-label": `What does “${option.text}” do?`, title: "What does this do?",
        onclick: () => outlook.show(option, aside, true) }, "i"));
  }

  /** Lights the elements that can be chosen, for mouse and keyboard. */
  light() {
    for (const lit of findAll(".lit")) {
      lit.classList.remove("lit");
      if (lit.matches(".space, .piece")) for (const name of ["tabindex", "role", "aria-label"]) lit.removeAttribute(name);
    }
    const isOwn = new Set(this.decisions.flatMap((decision) => decision.options));
    for (const { option } of this.all()) {
      for (const element of option.places.flatMap(elementsAt)) {
        if (!isOwn.has(option)) element.classList.add("beside-lit");
        if (!isOwn.has(option) || element.classList.contains("lit")) continue;
        element.classList.add("lit");
        if (!element.matches(".space, .piece")) continue;
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
        element.setAttribute("aria-label", find("title", element)?.textContent ?? option.text);
      }
    }
  }

  /** Handles a pick of a highlighted element: a single option is taken, several are listed. Touch has no hover, so the first
   * touch only lists the options. */
  pick(element, isTouch) {
    const here = this.at(element);
    const isListed = this.here === element;
    if (here.length === 1 && (!isTouch || isListed)) this.choose(here[0].option, here[0].aside);
    else if (here.length) {
      this.here = element;
      this.draw();
      find(".choice", this.panel)?.focus({ preventScroll: !isTouch });
    }
  }

  /** Shows what picking an element of the table would do. */
  point(element) {
    const here = element ? this.at(element) : [];
    if (here.length === 1) outlook.show(here[0].option, here[0].aside);
    else outlook.leave();
  }

  /** Handles a drag from a highlighted element to a space. */
  drop(element, space) {
    const here = this.at(element);
    const both = here.filter(({ option }) => isIn(option, space) && option.places.length > 1);
    if (both.length) return this.takeOrList(both, element);
    const group = this.groups.find((group) => group.from === element.dataset.space);
    const owner = this.decisions.find((decision) => decision.options.some((option) => option.key === group?.key));
    this.then = space;
    if (group && owner) return this.choose(owner.options.find((option) => option.key === group.key), false, group.from);
    return this.takeOrList(here, element);
  }

  takeOrList(here, element) {
    if (here.length === 1) this.choose(here[0].option, here[0].aside);
    else this.pick(element);
  }

  /** Continues a drag: sends the piece to the space where it was dropped. */
  goOn() {
    const space = this.then;
    this.then = null;
    if (!space) return;
    const there = this.all().filter(({ option }) => option.verb === "to" && isIn(option, space));
    if (there.length === 1) this.choose(there[0].option, false);
  }

  key(event) {
    if (isTyping(event)) return;
    const lit = event.target.closest?.(".space.lit, .piece.lit");
    if (lit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.pick(lit);
    } else if (/^[1-9]$/.test(event.key) && this.keys[event.key - 1]) {
      const { option, aside } = this.keys[event.key - 1];
      this.choose(option, aside);
    } else if (event.key === "Escape" && this.here) {
      this.here = null;
      this.draw();
    } else if (event.key === "/" && find(".finder", this.panel)) {
      event.preventDefault();
      find(".finder", this.panel).focus();
    } else if (event.key === "w" && this.decisions.length) this.why();
  }
}
