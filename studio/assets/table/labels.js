// Keeps what stands on a board legible at every zoom: letters and pieces grow, and what would cover each other moves apart.
// What finds no place is left out: numbers beside names first, then names. Pieces always stay.

/** The least size of letters and of pieces, in pixels. */
const LETTERS = 11.2;
const PIECE = 21;
/** Names, other letters and pieces grow by at most this factor. Letters that would need more are left out. */
const MOST = { name: 2.4, figure: 2.3, piece: 1.6 };
/** How far letters reach above and below their line, in their size. */
const [UP, DOWN] = [0.74, 0.26];
/** The distance between things, in pixels. */
const GAP = 1;
/** Where a pile of pieces may go, in its own size: its own place first. */
const NUDGES = [[0, 0], [0, 0.2], [0, -0.2], [0.2, 0], [-0.2, 0], [0, 0.4], [0.3, 0.2], [-0.3, 0.2], [0.4, 0], [-0.4, 0]];

/** @typedef {[number, number, number, number]} Box left, top, right and bottom, in units of the drawing */

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** The box of an element in the units of its drawing. Only symbols are scaled, and nothing is turned. */
function boxOf(element) {
  const { x, y, width, height } = element.getBBox();
  const { a, d, e, f } = element.transform.baseVal.consolidate()?.matrix ?? { a: 1, d: 1, e: 0, f: 0 };
  return [x * a + e, y * d + f, (x + width) * a + e, (y + height) * d + f];
}

const around = (boxes) => [Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3]))];
const move = (box, x, y) => [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
const sizeOf = (text) => Number(text.getAttribute("font-size"));

/** A number on a disk. */
function countOf(element) {
  const disk = element.querySelector("circle");
  return { element, x: disk.cx.baseVal.value, y: disk.cy.baseVal.value, radius: disk.r.baseVal.value, size: sizeOf(element.querySelector("text")) };
}

function lineOf(text) {
  const { x, width } = text.getBBox();
  const [y, size] = [Number(text.getAttribute("y")), sizeOf(text)];
  return [x, y - UP * size, x + width, y + DOWN * size];
}

/** The letters of a drawing that belong to no other unit. */
const lettersOf = (texts) => texts.map((text) => ({ text, size: sizeOf(text), box: lineOf(text), shown: null }));

/** A unit scaled around a point and moved. */
function place(element, [x, y], scale, [dx, dy]) {
  const n = (value) => Math.round(value * 100) / 100;
  if (scale === 1 && !dx && !dy) element.removeAttribute("transform");
  else element.setAttribute("transform", `translate(${n(x + dx)} ${n(y + dy)}) scale(${n(scale)}) translate(${n(-x)} ${n(-y)})`);
}

/** Where a box is when its unit is scaled around a point and moved. */
function scaled([left, top, right, low], [x, y], growth, way) {
  return move([x + (left - x) * growth, y + (top - y) * growth, x + (right - x) * growth, y + (low - y) * growth], ...way);
}

/** How much a number grows beyond its unit. */
const grown = (count, scale) => Math.max(1, LETTERS / (count.size * scale));

/** Where a number is when its unit is scaled around a point and moved. */
function disk({ x, y, radius, size }, anchor, scale, growth, way) {
  const far = radius * grown({ size }, scale * growth);
  return scaled([x - far, y - far, x + far, y + far], anchor, growth, way);
}

const enlarge = (counts, scale) => { for (const count of counts) place(count.element, [count.x, count.y], grown(count, scale), [0, 0]); };

/** The pieces of a space. */
class Stack {
  constructor(element) {
    const pieces = [...element.querySelectorAll(".piece")];
    const marks = pieces.map((piece) => around([...piece.querySelectorAll(":scope > path")].map(boxOf)));
    Object.assign(this, { element, space: element.dataset.stack, marks, counts: [...element.querySelectorAll(".count")].map(countOf) });
    this.letters = lettersOf([...element.querySelectorAll("text")].filter((text) => !text.closest(".count")));
    this.high = Math.min(...marks.map((box) => box[3] - box[1]));
    const [left, top, right] = around(marks);
    this.anchor = [(left + right) / 2, top];
    this.own = around(marks);
  }

  /** What it covers at a size and place. */
  boxes(scale, growth, way) {
    return [...this.marks.map((box) => scaled(box, this.anchor, growth, way)), ...this.counts.map((count) => disk(count, this.anchor, scale, growth, way))];
  }

  put(scale, growth, way) {
    this.covered = this.boxes(scale, growth, way);
    place(this.element, this.anchor, growth, way);
    enlarge(this.counts, scale * growth);
    write(this.letters, scale * growth);
  }

  /** Leaves out letters that would be cut. */
  show(isHidden) {
    const cut = this.covered.some(isHidden);
    for (const { text, shown } of this.letters) text.classList.toggle("too-small", cut || !shown);
    for (const { element } of this.counts) element.classList.toggle("too-small", cut);
  }

  /** Finds a place for it among boxes, where a test succeeds; false if there is none. */
  solve(scale, taken, test = () => true) {
    const most = Math.min(MOST.piece, Math.max(1, PIECE / (this.high * scale)));
    const [wide, high] = [this.own[2] - this.own[0], this.own[3] - this.own[1]];
    for (const growth of [...new Set([most, (1 + most) / 2, 1])]) {
      for (const [x, y] of NUDGES) {
        const way = [x * Math.min(wide, this.high * 2), y * high];
        const boxes = this.boxes(scale, growth, way);
        if (taken(boxes) || !test(boxes)) continue;
        this.put(scale, growth, way);
        return true;
      }
    }
    return false;
  }
}

/** The name of a space, with what stands beside it. */
class Label {
  constructor(element, stack, land) {
    const texts = [...element.querySelectorAll(":scope > text")];
    Object.assign(this, { element, stack, land, boxes: [] });
    this.lines = texts.map(lineOf);
    this.others = [...element.querySelectorAll(":scope > path")].map(boxOf);
    this.counts = [...element.querySelectorAll(".count")].map(countOf);
    this.size = Math.min(...texts.map(sizeOf));
    this.isBold = texts.some((text) => text.getAttribute("font-weight") === "700");
    this.own = around(this.lines);
    this.anchor = [(this.own[0] + this.own[2]) / 2, this.own[3]];
    this.room = land ? (land.box[2] - land.box[0]) * (land.box[3] - land.box[1]) : 0;
    this.isAtHome = this.isIn(this.middle(1, [0, 0]));
  }

  middle(growth, [dx, dy]) {
    return [this.anchor[0] + dx, this.anchor[1] + dy - (growth * (this.own[3] - this.own[1])) / 2];
  }

  isIn([x, y]) {
    return !this.land?.shape || this.land.shape.isPointInFill(new DOMPoint(x, y).matrixTransform(this.land.inverse));
  }

  cover(scale, growth, way, hasCounts) {
    const boxes = [...this.lines, ...this.others].map((box) => scaled(box, this.anchor, growth, way));
    return hasCounts ? [...boxes, ...this.counts.map((count) => disk(count, this.anchor, scale, growth, way))] : boxes;
  }

  /** The places to try, the nearest first: around its own place, then below and beside the pieces. */
  ways(growth, pile) {
    const [wide, high] = [(this.own[2] - this.own[0]) * growth, (this.own[3] - this.own[1]) * growth];
    const ways = [];
    for (const y of [0, -0.15, 0.15, -0.3, 0.3, -0.6, 0.6, -1, 1]) for (const x of [0, -0.2, 0.2, -0.4, 0.4]) ways.push([x * wide, y * high]);
    if (pile) {
      const [, top] = this.anchor;
      const middle = (pile[0] + pile[2]) / 2 - this.anchor[0];
      for (const x of [0, -0.3, 0.3]) ways.push([middle + x * wide, pile[3] + high - top], [middle + x * wide, pile[1] - top]);
      const level = (pile[1] + pile[3] + high) / 2 - top;
      ways.push([pile[2] + wide / 2 - this.anchor[0], level], [pile[0] - wide / 2 - this.anchor[0], level]);
    }
    return ways.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  }

  /** Finds a place for it among boxes; false if there is none. */
  solve(scale, taken, pile) {
    const growth = Math.max(1, LETTERS / (this.size * scale));
    this.boxes = [];
    if (growth > MOST.name) return false;
    for (const hasCounts of this.counts.length ? [true, false] : [false]) {
      for (const way of this.ways(growth, pile)) {
        if (this.isAtHome && (way[0] || way[1]) && !this.isIn(this.middle(growth, way))) continue;
        const boxes = this.cover(scale, growth, way, hasCounts);
        if (taken(boxes)) continue;
        place(this.element, this.anchor, growth, way);
        enlarge(this.counts, scale * growth);
        for (const count of this.counts) count.element.classList.toggle("too-small", !hasCounts);
        this.boxes = boxes;
        return true;
      }
    }
    return false;
  }
}

/** Letters become legible; those that would have to grow too much are left out. */
function write(letters, scale) {
  for (const letter of letters) {
    const growth = Math.max(1, LETTERS / (letter.size * scale));
    const size = growth > MOST.figure ? 0 : Math.ceil(letter.size * growth * 100) / 100;
    if (size === letter.shown) continue;
    letter.shown = size;
    if (size) letter.text.setAttribute("font-size", String(size));
  }
}

/** The outlines of the spaces of a board. */
function landsOf(svg) {
  const lands = new Map();
  for (const hit of svg.querySelectorAll(".space[data-space] .hit")) {
    const used = hit.href ? svg.querySelector(hit.href.baseVal) : hit;
    const turn = used?.transform.baseVal.consolidate()?.matrix;
    lands.set(hit.parentElement.dataset.space, { shape: used, box: boxOf(hit), inverse: turn ? turn.inverse() : new DOMMatrix() });
  }
  return lands;
}

/** All that stands on a board. */
export class Labels {
  /** @param {SVGSVGElement} svg the board, on the page */
  constructor(svg) {
    const lands = landsOf(svg);
    this.stacks = [...svg.querySelectorAll(".stack")].map((element) => new Stack(element));
    const of = new Map(this.stacks.map((stack) => [stack.space, stack]));
    const label = (element) => new Label(element, of.get(element.dataset.named), lands.get(element.dataset.named));
    this.labels = [...svg.querySelectorAll(".label")].filter((element) => element.querySelector(":scope > text")).map(label);
    // Seats of power first, then spaces with pieces, then small ones.
    this.labels.sort((a, b) => Number(b.isBold) - Number(a.isBold) || Number(!!b.stack) - Number(!!a.stack) || a.room - b.room);
    this.loose = lettersOf([...svg.querySelectorAll("text[font-size]")].filter((text) => !text.closest(".label, .stack")));
    this.scale = null;
  }

  /** Solves the board at a number of pixels for a unit. */
  solve(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    write(this.loose, scale);
    const gap = GAP / scale;
    const wider = (boxes) => boxes.map(([left, top, right, low]) => [left - gap, top - gap, right + gap, low + gap]);
    /** What each unit covers. */
    const taken = new Map();
    const isTaken = (except) => (boxes) => [...taken].some(([unit, others]) => unit !== except && others.some((other) => boxes.some((box) => meet(box, other))));
    for (const stack of this.stacks) {
      if (!stack.solve(scale, isTaken())) stack.put(scale, 1, [0, 0]);
      taken.set(stack, wider(stack.covered));
    }
    for (const label of this.labels) {
      const { stack } = label;
      // Where a name finds no place, its pieces make room.
      const isPlaced = label.solve(scale, isTaken(), stack && around(stack.covered)) || (stack?.solve(scale, isTaken(stack), (pile) => {
        taken.set(stack, wider(pile));
        const isFree = label.solve(scale, isTaken(), around(pile));
        if (!isFree) taken.set(stack, wider(stack.covered));
        return isFree;
      }) ?? false);
      if (isPlaced) taken.set(label, wider(label.boxes));
    }
  }

  /** Shows the labels that are wholly in the window, and not under something that floats above the board.
   * @param {Box} window @param {Box[]} floats */
  show(window, floats) {
    const isCut = ([left, top, right, low]) => left < window[0] || top < window[1] || right > window[2] || low > window[3];
    const isHidden = (box) => isCut(box) || floats.some((float) => meet(box, float));
    for (const label of this.labels) label.element.classList.toggle("too-small", !label.boxes.length || label.boxes.some(isHidden));
    for (const { text, box, shown } of this.loose) text.classList.toggle("too-small", !shown || isHidden(box));
    for (const stack of this.stacks) stack.show(isHidden);
  }

  /** How many piles of pieces are under boxes. @param {Box[]} floats */
  under(floats) {
    return this.stacks.filter((stack) => stack.covered.some((box) => floats.some((float) => meet(box, float)))).length;
  }

  /** The scale at which most letters have about their own size. */
  get legible() {
    const sizes = [...this.labels.map(({ size }) => size * 1.2), ...this.loose.map(({ size }) => size * MOST.figure)].sort((a, b) => b - a);
    return sizes.length ? LETTERS / sizes[Math.floor(sizes.length / 2)] : 0;
  }
}
