// Probes of the page, run inside it. Each returns findings as texts that begin with their kind. What a person
// cannot see, and what only readers of screens get, is not judged.
"use strict";
(() => {
  const all = (selector, under = document) => [...under.querySelectorAll(selector)];
  const words = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const short = (text) => `“${words(text).slice(0, 40)}”`;
  const box = (left, top, right, bottom) => ({
    left,
    top,
    right,
    bottom,
    width: right - left,
    height: bottom - top,
  });
  const area = (rect) => Math.max(0, rect.right - rect.left) * Math.max(0, rect.bottom - rect.top);
  const meet = (a, b) =>
    box(
      Math.max(a.left, b.left),
      Math.max(a.top, b.top),
      Math.min(a.right, b.right),
      Math.min(a.bottom, b.bottom),
    );
  const cuts = (style, axis) => /hidden|clip/.test(style[`overflow${axis}`]);
  const scrolls = (style, axis) => /auto|scroll/.test(style[`overflow${axis}`]);
  const FIXED = /absolute|fixed|sticky/;
  const BOARD = "#map .paper > svg";
  const DRAWN = "circle, ellipse, rect, path, polygon";

  // ---- What can be seen.

  const alpha = (color) =>
    color === "transparent" ? 0 : Number(/^rgba.*,\s*([\d.]+)\)$/.exec(color)?.[1] ?? 1);

  function isForReadersOnly(element) {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (/inset\((49|5\d|[6-9]\d|100)/.test(style.clipPath)) return true;
      if (at instanceof HTMLElement && at.offsetWidth <= 1 && at.offsetHeight <= 1 && cuts(style, "X"))
        return true;
    }
    return false;
  }

  const isVisible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !isForReadersOnly(element);

  function isPainted(element) {
    const style = getComputedStyle(element);
    if (element instanceof SVGElement && !(element instanceof SVGSVGElement))
      return (style.fill !== "none" && Number(style.fillOpacity) > 0.3) || style.stroke !== "none";
    return (
      alpha(style.backgroundColor) > 0.3 || style.backgroundImage !== "none" || element.matches("img, svg")
    );
  }

  /**
   * The part of a box that is in the window and in every box around it that cuts or scrolls: that of its
   * element, too, if it is the box of a text.
   */
  function shownPart(element, rect, isText = false) {
    let shown = meet(rect, box(0, 0, innerWidth, innerHeight));
    for (
      let at = isText ? element : element.parentElement;
      at && at !== document.body;
      at = at.parentElement
    ) {
      const style = getComputedStyle(at);
      if (
        !/inline|contents/.test(style.display) &&
        ["X", "Y"].some((axis) => cuts(style, axis) || scrolls(style, axis))
      )
        shown = meet(shown, at.getBoundingClientRect());
    }
    return shown;
  }

  function isInSight(element) {
    if (!element || !isVisible(element)) return false;
    const rect = element.getBoundingClientRect();
    const shown = shownPart(element, rect);
    return shown.width > 0 && shown.height > 0 && area(shown) >= 0.8 * area(rect);
  }

  const nameOf = (element) =>
    words(
      `#${element.closest("[id]")?.id} ${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`,
    );

  // ---- Text.

  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** How much larger than its font size text is drawn. */
  function scaleOf(element) {
    const m = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
    return m ? Math.sqrt(Math.abs(m.a * m.d - m.b * m.c)) : 1;
  }

  /** The box of the letters of a drawing, which is smaller than that of their line. */
  function inkOf(element, text, rect) {
    const m = element.getScreenCTM();
    const style = getComputedStyle(element);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = pen.measureText(text);
    const base = element.getStartPositionOfChar(0).y;
    return box(rect.left, m.d * (base - up) + m.f, rect.right, m.d * (base + down) + m.f);
  }

  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const [text, element] = [words(node.data), node.parentElement];
      if (
        !/[\p{L}\p{N}]/u.test(text) ||
        element.closest("script, style, title, desc, defs, noscript, option") ||
        !isVisible(element)
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const isDrawn = element instanceof SVGElement;
      const rect = isDrawn ? element.getBoundingClientRect() : range.getBoundingClientRect();
      if (rect.width < 0.5 || rect.height < 0.5) continue;
      const { fontSize, fontWeight } = getComputedStyle(element);
      found.push({
        element,
        text,
        rect,
        size: parseFloat(fontSize) * scaleOf(element),
        svg: isDrawn ? element.ownerSVGElement : null,
        ink: isDrawn ? inkOf(element, text, rect) : rect,
        isBold: Number(fontWeight) >= 700,
      });
    }
    return found;
  }

  const small = () =>
    texts()
      .filter(({ size }) => size < 10.95)
      .map(({ text, element, size }) => `small: ${short(text)} in ${nameOf(element)}: ${size.toFixed(1)} px`);

  // ---- Overlaps.

  const isIn = (shape, x, y) => {
    const m = shape.getScreenCTM();
    return !!m && shape.isPointInFill(new DOMPoint(x, y).matrixTransform(m.inverse()));
  };
  const holds = (thing, x, y) =>
    x >= thing.rect.left &&
    x <= thing.rect.right &&
    y >= thing.rect.top &&
    y <= thing.rect.bottom &&
    (!thing.shapes || thing.shapes.some((shape) => isIn(shape, x, y)));

  /** Names, numbers on disks, and pieces of the board, and what floats above it. */
  function things(board) {
    const found = [];
    for (const { element, text, ink } of texts().filter(
      (run) => run.svg === board && !run.element.closest(".piece"),
    )) {
      const disk = element.closest(".count")?.querySelector("circle");
      found.push(
        disk
          ? {
              kind: "number",
              name: text,
              unit: element.closest(".count"),
              rect: disk.getBoundingClientRect(),
              shapes: [disk],
            }
          : { kind: "name", name: text, unit: element, rect: ink },
      );
    }
    for (const piece of all(".piece", board).filter(isVisible)) {
      const shapes = all(DRAWN, piece).filter(
        (shape) => isPainted(shape) && getComputedStyle(shape).fill !== "none",
      );
      const rects = shapes.map((shape) => shape.getBoundingClientRect());
      const rect = box(
        Math.min(...rects.map((r) => r.left)),
        Math.min(...rects.map((r) => r.top)),
        Math.max(...rects.map((r) => r.right)),
        Math.max(...rects.map((r) => r.bottom)),
      );
      found.push({
        kind: "piece",
        name: piece.querySelector("title")?.textContent,
        unit: piece,
        rect,
        shapes,
      });
    }
    for (const mark of all(".label > path", board).filter(isVisible))
      found.push({
        kind: "mark",
        name: "a mark",
        unit: mark,
        rect: mark.getBoundingClientRect(),
        shapes: [mark],
      });
    const whole = board.getBoundingClientRect();
    for (const floating of all(".middle *:not(svg *)").filter(
      (element) => !element.contains(board) && isVisible(element) && isPainted(element),
    )) {
      if (
        FIXED.test(
          getComputedStyle(floating.closest("#map, .zoom, .drawer, .playback, #dice") ?? floating).position,
        ) &&
        !floating.closest("#map, #outlook, .drawer")
      )
        found.push({
          kind: "float",
          name: nameOf(floating),
          unit: floating,
          rect: floating.getBoundingClientRect(),
        });
    }
    return found.filter(({ rect }) => area(meet(rect, whole)) > 1);
  }

  /** The part of the smaller of two things that the other covers. */
  function covered(a, b) {
    const common = meet(a.rect, b.rect);
    if (common.width <= 0 || common.height <= 0) return 0;
    const share = (rect, test) => {
      let hits = 0;
      for (let at = 0; at < 81; at += 1)
        hits += test(
          rect.left + (((at % 9) + 0.5) / 9) * rect.width,
          rect.top + ((Math.floor(at / 9) + 0.5) / 9) * rect.height,
        )
          ? 1
          : 0;
      return (hits / 81) * area(rect);
    };
    const size = (thing) =>
      (thing.size ??= thing.shapes
        ? Math.max(
            1,
            share(thing.rect, (x, y) => holds(thing, x, y)),
          )
        : area(thing.rect));
    return share(common, (x, y) => holds(a, x, y) && holds(b, x, y)) / Math.min(size(a), size(b));
  }

  function overlap() {
    const found = [];
    for (const board of all(BOARD).filter(isVisible)) {
      const list = things(board);
      list.forEach((a, at) =>
        list.slice(at + 1).forEach((b) => {
          if (a.kind === b.kind && a.kind === "float") return;
          const share = covered(a, b);
          if (share > 0.15)
            found.push(
              `overlap: ${a.kind} ${short(a.name)} and ${b.kind} ${short(b.name)}: ` +
                `${Math.round(100 * share)} %`,
            );
        }),
      );
    }
    for (const { text, element, rect } of texts().filter((run) => !run.svg)) {
      const shown = shownPart(element, rect, true);
      if (shown.width < 4 || shown.height < 4) continue;
      const above = [
        [0.5, 0.5],
        [0.12, 0.25],
        [0.88, 0.25],
        [0.12, 0.75],
        [0.88, 0.75],
      ]
        .map(([x, y]) =>
          document.elementFromPoint(shown.left + x * shown.width, shown.top + y * shown.height),
        )
        .filter(
          (top) =>
            top &&
            !top.contains(element) &&
            !element.contains(top) &&
            isPainted(top) &&
            !top.closest("dialog"),
        );
      if (above.length > 1) found.push(`overlap: ${short(text)} under ${nameOf(above[0])}`);
    }
    return found;
  }

  /**
   * Names of spaces are left out only where there is no room for most of them, as on the board of a phone.
   */
  function nameless() {
    const room = document.querySelector("#map")?.clientWidth ?? 0;
    const labels = all(`${BOARD} .label`);
    const hidden = labels.filter((label) => !isVisible(label));
    return room > 640 && hidden.length > labels.length / 3
      ? [`nameless: ${hidden.length} of ${labels.length} names are left out`]
      : [];
  }

  // ---- Cut text, and what is out of sight.

  function clipped({ width }) {
    const found = [];
    for (const { text, element, svg, rect, ink, size } of texts()) {
      if (svg) {
        const frame = svg.getBoundingClientRect();
        const over = Math.max(
          frame.left - ink.left,
          ink.right - frame.right,
          frame.top - ink.top,
          ink.bottom - frame.bottom,
        );
        if (over > 1.5)
          found.push(
            `clipped: ${short(text)} in ${nameOf(element)} is ${over.toFixed(1)} px beyond its drawing`,
          );
        continue;
      }
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        const [style, frame] = [getComputedStyle(at), at.getBoundingClientRect()];
        const wide = cuts(style, "X") ? Math.max(rect.right - frame.right, frame.left - rect.left) : 0;
        const high = cuts(style, "Y")
          ? Math.max(rect.bottom - frame.bottom, frame.top - rect.top) - 0.3 * size
          : 0;
        if (Math.max(wide, high) > 1.5 && !at.title) {
          found.push(
            `clipped: ${short(text)} in ${nameOf(element)} by ${Math.max(wide, high).toFixed(1)} px`,
          );
          break;
        }
        if (scrolls(style, "X") || scrolls(style, "Y")) break;
      }
    }
    for (const element of all("table").filter(isVisible)) {
      const frame = element.parentElement;
      if (
        width > 700 &&
        element.scrollWidth > frame.clientWidth + 2 &&
        frame.clientWidth < 0.6 * element.scrollWidth
      )
        found.push(
          `clipped: a table shows ` +
            `${Math.round((100 * frame.clientWidth) / element.scrollWidth)} % of its width`,
        );
    }
    return found;
  }

  function sight() {
    const found = [];
    const need = (what, element) => {
      if (!isInSight(element))
        found.push(`sight: ${what}: ${element ? short(element.textContent) : "absent"}`);
    };
    const [phase, turn] = [".phase", "[data-part=turn] b"].map((selector) =>
      document.querySelector(`header ${selector}`),
    );
    if (document.body.dataset.ready === "over") {
      need("result", document.querySelector("[data-part=result] h2"));
      return found;
    }
    need("turn", turn);
    if (phase) need("phase", phase);
    const round = document.querySelector(".rounds > b");
    if (round) need("round", round);
    need("decision", document.querySelector("#ask .question h2"));
    all("#ask .decision:not(.beside) .choice")
      .slice(0, 3)
      .forEach((option, at) => need(`option ${at + 1}`, option));
    const lines = all("#log > li");
    const fresh = document.querySelector("#log > li.fresh");
    if (lines.length && !isInSight(fresh)) need("log", lines.at(-1));
    return found;
  }

  // ---- Targets, contrast, sideways scroll.

  const CONTROLS = "a[href], button, input:not([type=hidden]), select, summary, [role=button], [role=slider]";

  function targets({ width }) {
    const least = width <= 900 ? 44 : 24;
    const isInText = (element) =>
      /^inline/.test(getComputedStyle(element).display) &&
      [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && words(node.data));
    return all(CONTROLS)
      .filter((element) => !element.disabled && isVisible(element) && !element.closest("svg"))
      .flatMap((element) => {
        const { width: wide, height: high } = element.getBoundingClientRect();
        const size = Math.min(wide, high);
        return size && size < least - 0.5 && !(least < 44 && isInText(element))
          ? [
              `target: ${nameOf(element)} ${short(element.textContent || element.ariaLabel)}: ` +
                `${size.toFixed(1)} px`,
            ]
          : [];
      });
  }

  function rgba(color) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3), alpha(color)];
  }

  const light = (color) =>
    color
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const mix = (over, under, strength = over[3]) =>
    [0, 1, 2].map((at) => over[at] * strength + under[at] * (1 - strength));
  const enough = ({ size, isBold }) => (size >= 24 || (isBold && size >= 18.6) ? 3 : 4.5);

  function contrast() {
    return texts()
      .filter((run) => !run.svg && !run.element.closest(":disabled, [aria-disabled=true]"))
      .flatMap((run) => {
        const grounds = [];
        let opacity = 1;
        for (let at = run.element; at; at = at.parentElement) {
          const style = getComputedStyle(at);
          opacity *= Number(style.opacity);
          const color = rgba(style.backgroundColor);
          if (color[3] > 0) grounds.push(color);
          if (color[3] >= 1) break;
        }
        const ground = grounds.reverse().reduce((under, over) => mix(over, under), [255, 255, 255]);
        const color = rgba(getComputedStyle(run.element).color);
        const value = ratio(mix(color, ground, color[3] * opacity), ground);
        return value < enough(run)
          ? [`contrast: ${short(run.text)} in ${nameOf(run.element)}: ${value.toFixed(2)}`]
          : [];
      });
  }

  const bare = new CSSStyleSheet();
  bare.replaceSync("svg text { fill: transparent !important; transition: none !important; }");
  /** Shows or hides the letters of drawings. */
  const letters = (isShown) => {
    document.adoptedStyleSheets = isShown ? [] : [bare];
  };

  async function pixels(png) {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data, width, height } = canvas.getImageData(0, 0, image.width, image.height);
    const at = (x, y) => {
      const from = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 4;
      return [data[from], data[from + 1], data[from + 2]];
    };
    return { at, width, height };
  }

  /**
   * The contrast of letters in drawings: their color against the pixels under and beside them. Two pictures
   * of the page, one without those letters, tell where they are.
   */
  async function inked(withLetters, without) {
    const [written, blank] = [await pixels(withLetters), await pixels(without)];
    return texts()
      .filter((run) => run.svg && area(shownPart(run.element, run.ink)) > 0.9 * area(run.ink))
      .flatMap((run) => {
        const style = getComputedStyle(run.element);
        const color = rgba(style.fill);
        const under = new Set();
        const ring = run.size >= 20 ? 2 : 1;
        for (let y = Math.floor(run.ink.top); y <= run.ink.bottom; y += 1) {
          for (let x = Math.floor(run.ink.left); x <= run.ink.right; x += 1) {
            const [a, b] = [written.at(x, y), blank.at(x, y)];
            if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) < 36) continue;
            for (let dy = -ring; dy <= ring; dy += 1)
              for (let dx = -ring; dx <= ring; dx += 1) under.add((y + dy) * 10000 + x + dx);
          }
        }
        const grounds = under.size
          ? [...under].map((at) => blank.at(at % 10000, Math.floor(at / 10000)))
          : [
              blank.at(
                Math.round((run.ink.left + run.ink.right) / 2),
                Math.round((run.ink.top + run.ink.bottom) / 2),
              ),
            ];
        const values = grounds
          .map((ground) => ratio(mix(color, ground, color[3] * Number(style.fillOpacity)), ground))
          .sort((a, b) => a - b);
        const value = values[Math.floor(values.length / 4)];
        return value < enough(run)
          ? [`contrast: ${short(run.text)} in ${nameOf(run.element)}: ${value.toFixed(2)}`]
          : [];
      });
  }

  const sideways = () => {
    const over = document.scrollingElement.scrollWidth - innerWidth;
    return over > 1 ? [`sideways: the page is ${over} px wider than the window`] : [];
  };

  // ---- Words.

  /** Lines of the log that repeat the engine: a counter alone, the line before, a counter that nobody has. */
  async function noise() {
    const found = [];
    const lines = all("#log > li").map((line) => words(line.textContent));
    lines.forEach((line, at) => {
      if (/-?\d+ → -?\d+\s*\.?$/.test(line.replace(/ ×\d+$/, "").replace(/\([^()]*\)/g, "")))
        found.push(`noise: a counter alone: ${short(line)}`);
      if (at && line === lines[at - 1]) found.push(`noise: said twice: ${short(line)}`);
    });
    const { log } = await import("/table/state.js");
    // A counter without a name of its own is one that only scripts need.
    const unknown = new Set(
      log.value
        .flatMap((line) => line.changes)
        .filter(({ name, counter }) => !name || name === counter)
        .map(({ counter }) => counter),
    );
    return [...found, ...[...unknown].map((counter) => `noise: an undeclared counter: ${counter}`)];
  }

  const pause = (time) => new Promise((done) => setTimeout(done, time));

  /** Options that are only a number, an id or a name, and whose preview shows nothing. */
  async function wordless(most = 4) {
    const found = [];
    let judged = 0;
    for (const choice of all("#ask .decision:not(.beside) .choice")) {
      const copy = choice.cloneNode(true);
      for (const key of all("kbd", copy)) key.remove();
      const text = words(copy.textContent);
      const isBare =
        /^\W*\d+([.:,\s]*\d+)*\W*$/.test(text) || /^\W*\p{Lu}{0,3}-?\d{1,4}\W*$/u.test(text) || !text;
      if (!isBare || choice.querySelector("svg, img, .note, .detail, .chips")) continue;
      if ((judged += 1) > most) break;
      choice.closest(".option, .foot").dispatchEvent(new MouseEvent("mouseenter"));
      const isTold = () => all("#outlook:not([hidden]) :is(li, svg, .odds, .note, .preview)").length > 0;
      for (let tries = 0; tries < 60 && !isTold(); tries += 1) await pause(50);
      if (!isTold()) found.push(`wordless: ${short(text)}`);
      choice.closest(".option, .foot").dispatchEvent(new MouseEvent("mouseleave"));
    }
    return found;
  }

  /**
   * Presses every enabled control that does not play on; what it refuses is a finding. Taking back comes
   * last.
   */
  async function refused() {
    const found = [];
    const message = document.querySelector("#message");
    const isFree = (button) =>
      !button.disabled &&
      isVisible(button) &&
      !button.closest("dialog, [popover], #coach, .choice, #ask .choices") &&
      !button.matches(".choice, #undo, #again, [popovertarget]");
    const press = async (button) => {
      const name = button.ariaLabel || button.textContent || button.id;
      button.click();
      await pause(120);
      if (message && !message.hidden && words(message.textContent)) {
        found.push(`refused: ${short(name)}: ${words(message.textContent)}`);
        message.hidden = true;
      }
      for (const dialog of all("dialog[open]")) dialog.close();
    };
    for (const button of all("button").filter(isFree).slice(0, 40))
      if (button.isConnected) await press(button);
    document.querySelector("#now:not([hidden])")?.click();
    await pause(120);
    const undo = document.querySelector("#undo:not(:disabled)");
    if (undo) {
      await press(undo);
      await pause(300);
    }
    return found;
  }

  /** Resolves when the page has been still for a while. */
  const quiet = (calm = 200, most = 6000) =>
    new Promise((done) => {
      let timer = setTimeout(end, calm);
      const limit = setTimeout(end, most);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(end, calm);
      });
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      // What follows the size of a box does so with the next picture.
      function end() {
        observer.disconnect();
        clearTimeout(timer);
        clearTimeout(limit);
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }
    });

  /** Everything that can be seen at one moment in one window, but the contrast of drawings. */
  const measure = () => {
    const size = { width: innerWidth };
    return [small, overlap, nameless, clipped, sight, targets, contrast, sideways].flatMap((probe) =>
      probe(size),
    );
  };
  globalThis.audit = { measure, inked, letters, noise, wordless, refused, quiet };
})();
