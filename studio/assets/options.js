// Decisions as buttons, and the places on the table that they light.

import { find, findAll, fill, make } from "./dom.js";

const same = (a, b) => (a ?? "") === (b ?? "");

/** The elements on the table where a place of an option lies. */
function elementsAt(place) {
  if (place.space) return findAll(`.space[data-space="${CSS.escape(place.space)}"]`);
  if (place.piece) {
    const { kind, space, owner } = place.piece;
    const all = findAll(`.piece[data-kind="${CSS.escape(kind)}"][data-at="${CSS.escape(space)}"]`);
    return all.filter((piece) => same(piece.dataset.owner, owner));
  }
  if (place.card) return findAll(`.held[data-card="${CSS.escape(place.card.card)}"]`);
  return [];
}

/** Shows what a seat can choose, and calls `choose(option, aside)` with what was chosen. */
export class Options {
  constructor(panel, choose) {
    this.panel = panel;
    this.choose = choose;
    this.keys = [];
    document.addEventListener("keydown", (event) => this.key(event));
  }

  show(decisions, asides) {
    this.decisions = decisions;
    this.asides = asides;
    this.here = null;
    this.draw();
  }

  /** All options, each with what it belongs to. */
  all() {
    const of = (list, aside) => list.map((option) => ({ option, aside }));
    return [...(this.decisions ?? []).flatMap((decision) => of(decision.options, false)), ...of(this.asides ?? [], true)];
  }

  /** The options that have to do with an element of the table. */
  at(element) {
    return this.all().filter(({ option }) => option.places.some((place) => elementsAt(place).includes(element)));
  }

  draw() {
    this.keys = [];
    const blocks = (this.decisions ?? []).map((decision) => this.decision(decision));
    if (this.asides?.length) {
      blocks.push(make("div", { class: "decision" }, make("h2", {}, "You may also"), this.list(this.asides, true)));
    }
    fill(this.panel, ...blocks);
    this.light();
  }

  decision(decision) {
    const shown = this.here ? decision.options.filter((option) => this.at(this.here).some((at) => at.option === option)) : decision.options;
    const source = decision.source && make("p", { class: "source" }, `${decision.source.name}: ${decision.source.text ?? ""}`);
    const whole = this.here && make("div", { class: "filtered" }, "Only what is here. ",
      make("button", { onclick: () => { this.here = null; this.draw(); } }, "Show all"));
    return make("div", { class: "decision" }, make("h2", {}, decision.prompt), source, whole, this.list(shown, false));
  }

  list(options, aside) {
    return make("div", { class: "choices" }, ...options.map((option) => this.button(option, aside)));
  }

  button(option, aside) {
    this.keys.push({ option, aside });
    const number = this.keys.length < 10 ? String(this.keys.length) : "";
    const mark = (seen) => option.places.flatMap(elementsAt).forEach((element) => element.classList.toggle("seen", seen));
    return make("button", {
      class: "choice", "data-key": option.key,
      onclick: () => this.choose(option, aside),
      onmouseenter: () => mark(true), onmouseleave: () => mark(false), onfocus: () => mark(true), onblur: () => mark(false),
    }, make("kbd", { "aria-hidden": "true" }, number), make("span", {}, option.text));
  }

  /** Lights what can be chosen, for mouse and keyboard. */
  light() {
    for (const lit of findAll(".lit")) {
      lit.classList.remove("lit");
      if (lit.matches(".space, .piece")) lit.removeAttribute("tabindex");
    }
    for (const { option } of this.all()) {
      for (const element of option.places.flatMap(elementsAt)) {
        if (element.classList.contains("lit")) continue;
        element.classList.add("lit");
        if (!element.matches(".space, .piece")) continue;
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
        const name = find("title", element)?.textContent ?? "";
        element.setAttribute("aria-label", name);
      }
    }
  }

  /** Somebody picked a lit element: one option is taken, several are listed. */
  pick(element) {
    const here = this.at(element);
    if (here.length === 1) this.choose(here[0].option, here[0].aside);
    else if (here.length > 1) {
      this.here = element;
      this.draw();
      find(".choice", this.panel)?.focus();
    }
  }

  key(event) {
    if (event.target.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const lit = event.target.closest?.(".space.lit, .piece.lit");
    if (lit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.pick(lit);
    } else if (/^[1-9]$/.test(event.key) && this.keys[event.key - 1]) {
      const { option, aside } = this.keys[event.key - 1];
      this.choose(option, aside);
    }
  }
}
