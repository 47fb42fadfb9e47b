// Keeps what stands on a board legible at every zoom: letters and pieces grow, and what would cover each
// other moves apart. What finds no place is left out: numbers beside names first, then names. Pieces always
// stay.

import { find, findAll } from "../dom.js";

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
const NUDGES = [
  [0, 0],
  [0, 0.2],
  [0, -0.2],
  [0.2, 0],
  [-0.2, 0],
  [0, 0.4],
  [0.3, 0.2],
  [-0.3, 0.2],
  [0.4, 0],
  [-0.4, 0],
];
/** Where a name may go, in its own size. */
const STEPS = [0, -0.15, 0.15, -0.3, 0.3, -0.6, 0.6, -1, 1].flatMap((y) =>
  [0, -0.2, 0.2, -0.4, 0.4].map((x) => [x, y]),
);

/** @typedef {[number, number, number, number]} Box left, top, right and bottom, in units of the drawing */

/**
 * A place for a unit: its size, how far it is moved, and what it covers there.
 * @typedef {{growth: number, way: [number, number], boxes: Box[], hasCounts?: boolean}} Place
 */

/** @typedef {{ element: Element, x: number, y: number, radius: number, size: number }} Count */
/** @typedef {{ shape: SVGGeometryElement, box: Box, inverse: DOMMatrix }} Land */
/** @typedef {Loose | Stack | Label} Unit */

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** @param {Box[]} boxes @param {Box[]} others */
const isFree = (boxes, others) => !boxes.some((box) => others.some((other) => meet(box, other)));
/**
 * The drawn elements of a kind.
 * @param {string} selector @param {Element} under @returns {SVGGraphicsElement[]}
 */
const inside = (selector, under) => findAll(selector, under);
/** @param {number} x @param {number} y @returns {Point} */
const point = (x, y) => [x, y];
/** Sorts ways by their length. @param {Point} a @param {Point} b */
const nearer = (a, b) => a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2;
/** A box with more room on each side. @param {Box} of @param {number} x @param {number} [y] @returns {Box} */
const wider = ([left, top, right, low], x, y = x) => [left - x, top - y, right + x, low + y];
/**
 * The box of an element in the units of its drawing. Only symbols are scaled, and nothing is turned.
 * @param {SVGGraphicsElement} element @returns {Box}
 */
function boxOf(element) {
  const { x, y, width, height } = element.getBBox();
  const { a, d, e, f } = element.transform.baseVal.consolidate()?.matrix ?? { a: 1, d: 1, e: 0, f: 0 };
  return [x * a + e, y * d + f, (x + width) * a + e, (y + height) * d + f];
}

/** @param {Box[]} boxes @returns {Box} */
function around(boxes) {
  /** @type {Box} */
  const all = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes)
    for (const side of [0, 1, 2, 3]) all[side] = (side < 2 ? Math.min : Math.max)(all[side], box[side]);
  return all;
}

/** @param {Box} box @param {number} x @param {number} y @returns {Box} */
const move = (box, x, y) => [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
/** @param {Element} text */
const sizeOf = (text) => Number(text.getAttribute("font-size"));

/** A number on a disk. @param {SVGGraphicsElement} element @returns {Count} */
function countOf(element) {
  /** @type {SVGCircleElement} */
  const disk = find("circle", element);
  return {
    element,
    x: disk.cx.baseVal.value,
    y: disk.cy.baseVal.value,
    radius: disk.r.baseVal.value,
    size: sizeOf(find("text", element)),
  };
}

/** @param {SVGGraphicsElement} text @returns {Box} */
function lineOf(text) {
  const { x, width } = text.getBBox();
  const [y, size] = [Number(text.getAttribute("y")), sizeOf(text)];
  return [x, y - UP * size, x + width, y + DOWN * size];
}

/**
 * A unit scaled around a point and moved.
 * @param {Element} element @param {Point} of1 @param {number} scale @param {Point} of3
 */
function place(element, [x, y], scale, [dx, dy]) {
  /** @param {number} value */
  const n = (value) => Math.round(value * 100) / 100;
  const transform =
    scale === 1 && !dx && !dy
      ? null
      : `translate(${n(x + dx)} ${n(y + dy)}) scale(${n(scale)}) translate(${n(-x)} ${n(-y)})`;
  if (transform === element.getAttribute("transform")) return;
  if (transform) element.setAttribute("transform", transform);
  else element.removeAttribute("transform");
}

/**
 * Where a box is when its unit is scaled around a point and moved.
 * @param {Box} of @param {Point} of1 @param {number} growth @param {Point} way @returns {Box}
 */
function scaled([left, top, right, low], [x, y], growth, way) {
  return move(
    [x + (left - x) * growth, y + (top - y) * growth, x + (right - x) * growth, y + (low - y) * growth],
    ...way,
  );
}

/** How much a number grows beyond its unit. @param {{ size: number }} count @param {number} scale */
const grown = (count, scale) => Math.max(1, LETTERS / (count.size * scale));

/**
 * Where a number is when its unit is scaled around a point and moved.
 * @param {Count} count @param {Point} anchor @param {number} scale @param {number} growth @param {Point} way
 * @returns {Box}
 */
function disk({ x, y, radius, size }, anchor, scale, growth, way) {
  const far = radius * grown({ size }, scale * growth);
  return scaled([x - far, y - far, x + far, y + far], anchor, growth, way);
}

/**
 * The values of a generator, for several readers. Each is made once.
 * @param {Generator<Place>} made @returns {() => Generator<Place>}
 */
function kept(made) {
  /** @type {Place[]} */
  const known = [];
  return function* () {
    for (let at = 0; ; at++) {
      if (at === known.length) {
        const { value, done } = made.next();
        if (done) return;
        known.push(value);
      }
      yield known[at];
    }
  };
}

/**
 * The first value that fits, or null.
 * @param {Iterable<Place>} values @param {(place: Place) => unknown} fits @returns {Place | null}
 */
function first(values, fits) {
  for (const value of values) if (fits(value)) return value;
  return null;
}

/** @param {Count[]} counts @param {number} scale */
const enlarge = (counts, scale) => {
  for (const count of counts) place(count.element, [count.x, count.y], grown(count, scale), [0, 0]);
};

/** Letters that become legible. Those that would have to grow too much are left out. */
class Letters {
  /** The size in which they are shown. @type {number | null} */
  shown = null;

  /** @param {SVGGraphicsElement} element */
  constructor(element) {
    this.element = element;
    this.size = sizeOf(element);
  }

  /** The size that they need; 0 if that is too much. @param {number} scale */
  need(scale) {
    const growth = Math.max(1, LETTERS / (this.size * scale));
    return growth > MOST.figure ? 0 : Math.ceil(this.size * growth * 100) / 100;
  }

  /** @param {number} scale */
  write(scale) {
    const size = this.need(scale);
    if (size && size !== this.shown) this.element.setAttribute("font-size", String(size));
    this.shown = size;
  }
}

/** Letters that belong to no other unit. They stay where they are. */
class Loose extends Letters {
  /** @type {Place | null} */
  place = null;
  stack = null;

  /** @param {SVGGraphicsElement} element */
  constructor(element) {
    super(element);
    this.own = lineOf(element);
    /** @type {Point} */
    this.anchor = [Number(element.getAttribute("x")), Number(element.getAttribute("y"))];
  }

  /** @param {number} scale */
  solve(scale) {
    const size = this.need(scale);
    const growth = size / this.size;
    /** @type {Point} */
    const way = [0, 0];
    this.place = size ? { growth, way, boxes: [scaled(this.own, this.anchor, growth, way)] } : null;
  }

  /** @param {number} scale */
  draw(scale) {
    this.write(scale);
  }
}

/** The pieces of a space. */
class Stack {
  stack = null;

  /** @param {SVGGraphicsElement} element */
  constructor(element) {
    const marks = findAll(".piece", element).map((piece) =>
      around(inside(":scope > path", piece).map(boxOf)),
    );
    this.element = element;
    this.space = element.dataset.stack;
    this.marks = marks;
    this.counts = inside(".count", element).map(countOf);
    this.letters = inside("text", element)
      .filter((text) => !text.closest(".count"))
      .map((text) => new Letters(text));
    this.high = Math.min(...marks.map((box) => box[3] - box[1]));
    const [left, top, right] = around(marks);
    /** @type {Point} */
    this.anchor = [(left + right) / 2, top];
    this.own = around(marks);
    /** @type {Place} */
    this.place = { growth: 1, way: [0, 0], boxes: marks };
  }

  /**
   * What it covers at a size and place.
   * @param {number} scale @param {number} growth @param {Point} way @returns {Box[]}
   */
  boxes(scale, growth, way) {
    return [
      ...this.marks.map((box) => scaled(box, this.anchor, growth, way)),
      ...this.counts.map((count) => disk(count, this.anchor, scale, growth, way)),
    ];
  }

  /** The most that it grows. @param {number} scale */
  most(scale) {
    return Math.min(MOST.piece, Math.max(1, PIECE / (this.high * scale)));
  }

  /** How far it may go in each direction, as a unit of `NUDGES`. */
  get steps() {
    const [wide, high] = [this.own[2] - this.own[0], this.own[3] - this.own[1]];
    return [Math.min(wide, this.high * 2), high];
  }

  /** What all of its places together cover. @param {number} scale */
  reach(scale) {
    const [x, y] = this.steps;
    const ends = [this.most(scale), 1].flatMap((growth) => this.boxes(scale, growth, [0, 0]));
    return wider(around(ends), 0.4 * x, 0.4 * y);
  }

  /** The places to try, the best first. @param {number} scale @returns {Generator<Place>} */
  *places(scale) {
    const most = this.most(scale);
    const [wide, high] = this.steps;
    for (const growth of new Set([most, (1 + most) / 2, 1])) {
      for (const [x, y] of NUDGES) {
        /** @type {Point} */
        const way = [x * wide, y * high];
        yield { growth, way, boxes: this.boxes(scale, growth, way) };
      }
    }
  }

  /** Finds a place for it. @param {number} scale @param {(reach: Box) => Box[]} near what is in a box */
  solve(scale, near) {
    const others = near(this.reach(scale));
    this.place = first(this.places(scale), ({ boxes }) => isFree(boxes, others)) ?? {
      growth: 1,
      way: [0, 0],
      boxes: this.boxes(scale, 1, [0, 0]),
    };
  }

  /** Puts it where it has its place. @param {number} scale */
  draw(scale) {
    const { growth, way } = this.place;
    place(this.element, this.anchor, growth, way);
    enlarge(this.counts, scale * growth);
    for (const letters of this.letters) letters.write(scale * growth);
  }

  /** Leaves out letters that would be cut. @param {(box: Box) => boolean} isHidden */
  show(isHidden) {
    const cut = this.place.boxes.some(isHidden);
    for (const { element, shown } of this.letters) element.classList.toggle("too-small", cut || !shown);
    for (const { element } of this.counts) element.classList.toggle("too-small", cut);
  }
}

/** The name of a space, with what stands beside it. */
class Label {
  /** @type {Place | null} */
  place = null;

  /** @param {SVGGraphicsElement} element @param {Stack | undefined} stack @param {Land | undefined} land */
  constructor(element, stack, land) {
    const texts = inside(":scope > text", element);
    this.element = element;
    this.stack = stack;
    this.land = land;
    this.lines = texts.map(lineOf);
    this.others = inside(":scope > path", element).map(boxOf);
    this.counts = inside(".count", element).map(countOf);
    this.size = Math.min(...texts.map(sizeOf));
    this.isBold = texts.some((text) => text.getAttribute("font-weight") === "700");
    this.own = around(this.lines);
    /** @type {Point} */
    this.anchor = [(this.own[0] + this.own[2]) / 2, this.own[3]];
    const [wide, high] = [this.own[2] - this.own[0], this.own[3] - this.own[1]];
    // Around its own place, the nearest first.
    this.ways = STEPS.map(([x, y]) => point(x * wide, y * high)).sort(nearer);
    this.room = land ? (land.box[2] - land.box[0]) * (land.box[3] - land.box[1]) : 0;
    this.isAtHome = this.isIn(this.middle(1, [0, 0]));
  }

  /** @param {number} growth @param {Point} of1 @returns {Point} */
  middle(growth, [dx, dy]) {
    return [this.anchor[0] + dx, this.anchor[1] + dy - (growth * (this.own[3] - this.own[1])) / 2];
  }

  /** @param {Point} of @returns {boolean} */
  isIn([x, y]) {
    if (!this.land?.shape) return true;
    const { a, b, c, d, e, f } = this.land.inverse;
    return this.land.shape.isPointInFill({ x: a * x + c * y + e, y: b * x + d * y + f });
  }

  /**
   * @param {number} scale @param {number} growth @param {Point} way @param {boolean} hasCounts
   * @returns {Box[]}
   */
  cover(scale, growth, way, hasCounts) {
    const boxes = [...this.lines, ...this.others].map((box) => scaled(box, this.anchor, growth, way));
    return hasCounts
      ? [...boxes, ...this.counts.map((count) => disk(count, this.anchor, scale, growth, way))]
      : boxes;
  }

  /**
   * The ways below, above and beside pieces, the nearest first.
   * @param {number} growth @param {Box} pile @returns {Point[]}
   */
  beside(growth, pile) {
    const [wide, high] = [(this.own[2] - this.own[0]) * growth, (this.own[3] - this.own[1]) * growth];
    const [, top] = this.anchor;
    const middle = (pile[0] + pile[2]) / 2 - this.anchor[0];
    const level = (pile[1] + pile[3] + high) / 2 - top;
    const ways = [0, -0.3, 0.3].flatMap((x) => [
      point(middle + x * wide, pile[3] + high - top),
      point(middle + x * wide, pile[1] - top),
    ]);
    return [
      ...ways,
      point(pile[2] + wide / 2 - this.anchor[0], level),
      point(pile[0] - wide / 2 - this.anchor[0], level),
    ].sort(nearer);
  }

  /** What all of its places together cover. @param {number} scale @param {number} growth @returns {Box} */
  reach(scale, growth) {
    const [wide, high] = [(this.own[2] - this.own[0]) * growth, (this.own[3] - this.own[1]) * growth];
    const own = around(this.cover(scale, growth, [0, 0], true));
    const home = wider(own, 0.4 * wide, high);
    return this.stack
      ? around([home, wider(this.stack.reach(scale), own[2] - own[0] + wide / 2, own[3] - own[1] + high)])
      : home;
  }

  /**
   * Those of some ways on which it covers nothing of others and stays in its land.
   * @param {number} scale @param {number} growth @param {Point[]} ways @param {boolean} hasCounts
   * @param {Box[]} others @returns {Generator<Place>}
   */
  *free(scale, growth, ways, hasCounts, others) {
    for (const way of ways) {
      const boxes = this.cover(scale, growth, way, hasCounts);
      // The page is asked last: that takes longest.
      if (
        isFree(boxes, others) &&
        (!this.isAtHome || !(way[0] || way[1]) || this.isIn(this.middle(growth, way)))
      )
        yield { growth, way, boxes, hasCounts };
    }
  }

  /** A search for the nearest place beside pieces. Numbers are left out if there is no room for them.
   * @param {number} scale @param {number} growth
   * @param {Box[]} others what is there besides its pieces @returns {(pile?: Place) => Place | null} */
  search(scale, growth, others) {
    const home = this.ways.map(([x, y]) => point(x * growth, y * growth));
    /** @param {Point[]} ways @param {boolean} hasCounts */
    const free = (ways, hasCounts) => this.free(scale, growth, ways, hasCounts, others);
    const kinds = (this.counts.length ? [true, false] : [false]).map((hasCounts) => ({
      hasCounts,
      own: kept(free(home, hasCounts)),
    }));
    return (pile) => {
      const boxes = pile ? pile.boxes.map((box) => wider(box, GAP / scale)) : [];
      const ways = pile ? this.beside(growth, around(pile.boxes)) : [];
      /** @param {Place} at */
      const fits = (at) => isFree(at.boxes, boxes);
      for (const { hasCounts, own } of kinds) {
        const near = first(own(), fits);
        const best =
          first(free(near ? ways.filter((way) => nearer(way, near.way) < 0) : ways, hasCounts), fits) ?? near;
        if (best) return best;
      }
      return null;
    };
  }

  /**
   * Finds a place for it. Where it finds none, its pieces make room.
   * @param {number} scale
   * @param {(reach: Box, except?: Stack) => Box[]} near what is in a box
   */
  solve(scale, near) {
    this.place = null;
    const { stack } = this;
    const growth = Math.max(1, LETTERS / (this.size * scale));
    if (growth > MOST.name) return;
    const beside = this.search(scale, growth, near(this.reach(scale, growth), stack));
    this.place = beside(stack?.place);
    if (this.place || !stack) return;
    const others = near(stack.reach(scale), stack);
    stack.place =
      first(stack.places(scale), (at) => isFree(at.boxes, others) && (this.place = beside(at))) ??
      stack.place;
  }

  /** @param {number} scale */
  draw(scale) {
    if (!this.place) return;
    const { growth, way, hasCounts } = this.place;
    place(this.element, this.anchor, growth, way);
    enlarge(this.counts, scale * growth);
    for (const count of this.counts) count.element.classList.toggle("too-small", !hasCounts);
  }
}

/** The outlines of the spaces of a board. @param {SVGSVGElement} svg */
function landsOf(svg) {
  /** @type {Map<string | undefined, Land>} */
  const lands = new Map();
  for (const hit of inside(".space[data-space] .hit", svg)) {
    const isUse = hit instanceof SVGUseElement;
    const used = /** @type {SVGGeometryElement} */ (isUse ? find(hit.href.baseVal, svg) : hit);
    const turn = used?.transform.baseVal.consolidate()?.matrix;
    lands.set(hit.parentElement?.dataset.space, {
      shape: used,
      box: boxOf(hit),
      inverse: turn ? turn.inverse() : new DOMMatrix(),
    });
  }
  return lands;
}

/** All that stands on a board. */
export class Labels {
  /** @param {SVGSVGElement} svg the board, on the page */
  constructor(svg) {
    const lands = landsOf(svg);
    this.stacks = inside(".stack", svg).map((element) => new Stack(element));
    const of = new Map(this.stacks.map((stack) => [stack.space, stack]));
    /** @param {SVGGraphicsElement} element */
    const label = (element) =>
      new Label(element, of.get(element.dataset.named), lands.get(element.dataset.named));
    this.labels = inside(".label", svg)
      .filter((element) => element.querySelector(":scope > text"))
      .map(label);
    // Seats of power first, then spaces with pieces, then small ones.
    this.labels.sort(
      (a, b) =>
        Number(b.isBold) - Number(a.isBold) || Number(!!b.stack) - Number(!!a.stack) || a.room - b.room,
    );
    this.loose = inside("text[font-size]", svg)
      .filter((text) => !text.closest(".label, .stack"))
      .map((text) => new Loose(text));
    /** @type {number | null} */
    this.scale = null;
  }

  /** Solves the board at a number of pixels for a unit. @param {number} scale */
  solve(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    /** What each unit covers. @type {Map<Unit, Box[]>} */
    const taken = new Map();
    /** @param {Unit | null | undefined} unit */
    const take = (unit) => {
      if (unit?.place)
        taken.set(
          unit,
          unit.place.boxes.map((box) => wider(box, GAP / scale)),
        );
    };
    /** @param {Box} reach @param {Unit} [except] @returns {Box[]} */
    const near = (reach, except) => {
      /** @type {Box[]} */
      const found = [];
      for (const [unit, boxes] of taken)
        if (unit !== except) for (const box of boxes) if (meet(box, reach)) found.push(box);
      return found;
    };
    const units = [...this.loose, ...this.stacks, ...this.labels];
    for (const unit of units) {
      unit.solve(scale, near);
      take(unit);
      take(unit.stack);
    }
    // All is written after all is found: what is asked of the page in between would lay it out again.
    for (const unit of units) unit.draw(scale);
  }

  /** Shows the labels that are wholly in the window, and not under something that floats above the board.
   * @param {Box} window @param {Box[]} floats */
  show(window, floats) {
    /** @param {Box} of */
    const isCut = ([left, top, right, low]) =>
      left < window[0] || top < window[1] || right > window[2] || low > window[3];
    /** @param {Box} box */
    const isHidden = (box) => isCut(box) || floats.some((float) => meet(box, float));
    for (const { element, place } of [...this.loose, ...this.labels])
      element.classList.toggle("too-small", !place || place.boxes.some(isHidden));
    for (const stack of this.stacks) stack.show(isHidden);
  }

  /** How many piles of pieces are under boxes. @param {Box[]} floats */
  under(floats) {
    return this.stacks.filter((stack) =>
      stack.place.boxes.some((box) => floats.some((float) => meet(box, float))),
    ).length;
  }

  /** The scale at which most letters have about their own size. */
  get legible() {
    const sizes = [
      ...this.labels.map(({ size }) => size * 1.2),
      ...this.loose.map(({ size }) => size * MOST.figure),
    ].sort((a, b) => b - a);
    return sizes.length ? LETTERS / sizes[Math.floor(sizes.length / 2)] : 0;
  }
}
