// The rulebook: the rules as prose, a search over them, and the section about what is asked now.

import { fill, find, findAll, make, plain } from "./dom.js";
import { get } from "./net.js";
import { read } from "./table/reader.js";
import { t } from "./words.js";

/** Loads the style sheet, once. */
function style() {
  const href = "/rulebook.css";
  if (find(`link[href="${href}"]`)) return null;
  const link = make("link", { rel: "stylesheet", href });
  const loaded = new Promise((done) => {
    link.onload = link.onerror = done;
  });
  document.head.append(link);
  return loaded;
}

/**
 * The server makes well-formed elements of known kinds. In XML, nothing that it escaped can become an
 * element.
 * @param {string} text
 */
function elements(text) {
  const parsed = new DOMParser().parseFromString(
    `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`,
    "application/xhtml+xml",
  );
  return document.importNode(parsed.documentElement, true);
}

/**
 * The section that explains one of these decisions or phases; the first id that any section explains counts.
 * @param {Api.SectionPage[]} sections @param {string[]} ids
 */
export function sectionAbout(sections, ids) {
  for (const id of ids) {
    const found = sections.find((section) => section.explains.includes(id));
    if (found) return found;
  }
  return null;
}

/** The ids of what is asked now, the most exact one first. @param {Shown} picture */
const asked = (picture) =>
  [...(picture.decisions ?? []).map((one) => one.decision), picture.table.phase?.id ?? ""].filter(Boolean);

/** @param {Api.SectionPage} section @param {Api.SectionPage | null} [here] */
function sectionElement(section, here) {
  const body = elements(section.html);
  body.className = "rules-body";
  for (const link of findAll("a[data-opens]", body))
    link.replaceWith(make("button", { class: "name", "data-opens": link.dataset.opens }, link.textContent));
  const level = Math.min(section.level + 1, 6);
  const head = section.title ? make(`h${level}`, {}, section.title) : null;
  return make(
    "section",
    {
      id: `section-${section.id}`,
      class: `rules-section level-${section.level}`,
      tabindex: "-1",
      "aria-current": section === here ? "true" : null,
    },
    head,
    body,
  );
}

/** The places of words in the text. @param {HTMLElement[]} sections @param {string[]} wanted */
function places(sections, wanted) {
  const ranges = [];
  for (const section of wanted.length ? sections : []) {
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { data } = /** @type {Text} */ (node);
      const text = plain(data);
      // Marks on letters that are written apart would shift the places.
      if (text.length !== data.length) continue;
      for (const word of wanted) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  return ranges;
}

/**
 * Marks places, where the browser can, and shows one.
 * @param {Range[]} ranges @param {Range | undefined} first
 */
function mark(ranges, first) {
  if (globalThis.Highlight) CSS.highlights.set("rules", new Highlight(...ranges));
  first?.startContainer.parentElement?.scrollIntoView({ block: "center" });
}

/** A field that hides the sections without the words in it. @param {HTMLElement[]} sections */
function search(sections) {
  const found = make("span", { class: "quiet", role: "status" });
  const texts = new Map();
  /** @param {HTMLElement} section @returns {string} */
  const textOf = (section) => {
    if (!texts.has(section)) texts.set(section, plain(section.textContent));
    return texts.get(section);
  };
  const field = make("input", {
    type: "search",
    id: "rules-search",
    "aria-label": t("rules-search"),
    placeholder: t("rules-search"),
    oninput: () => {
      const wanted = plain(field.value).split(/\s+/).filter(Boolean);
      const fits = sections.filter((section) => {
        section.hidden = !wanted.every((word) => textOf(section).includes(word));
        return !section.hidden;
      });
      fill(
        found,
        wanted.length
          ? fits.length
            ? t("rules-found", fits.length, sections.length)
            : t("rules-nothing")
          : "",
      );
      // A section about these words is named after them.
      const named = fits.find((section) => {
        const head = section.firstElementChild;
        const title = head?.matches("h2, h3, h4, h5, h6") ? plain(head.textContent ?? "") : null;
        return title !== null && wanted.every((word) => title.includes(word));
      });
      const ranges = places(fits, wanted);
      mark(ranges, ranges.find((range) => named?.contains(range.startContainer)) ?? ranges[0]);
    },
  });
  return make("div", { class: "rules-search" }, field, found);
}

/** Opens what is named: cards, and other sections. @param {Event} event @param {HTMLElement[]} sections */
function follow(event, sections) {
  const target = /** @type {Element} */ (event.target);
  /** @type {HTMLElement | null} */
  const card = target.closest("[data-opens]");
  if (card) read(card.dataset.opens);
  const link = target.closest("a");
  if (!link) return;
  event.preventDefault();
  const to = sections.find((section) => `#${section.id}` === link.getAttribute("href"));
  if (to) {
    to.hidden = false;
    to.scrollIntoView();
    to.focus({ preventScroll: true });
  }
}

/**
 * The section that explains what is asked now; null if there is none. `open` shows another section, by its
 * id.
 * @param {Shown} picture @param {(id: string) => void} open
 */
export async function explanation(picture, open) {
  const [{ sections }] = await Promise.all([get("/api/rulebook"), style()]);
  const about = sectionAbout(sections, asked(picture));
  /** @param {Event} event */
  const click = (event) => {
    follow(event, []);
    const link = /** @type {Element} */ (event.target).closest("a");
    if (link) open(link.getAttribute("href")?.slice(1) ?? "");
  };
  return about && make("article", { class: "rulebook", onclick: click }, sectionElement(about));
}

/**
 * The elements of the rulebook, and the one that explains what is asked; none if the packs have no rulebook.
 * @param {Shown} picture
 */
export async function book(picture) {
  const [{ sections }] = await Promise.all([get("/api/rulebook"), style()]);
  if (!sections.length) return null;
  const about = sectionAbout(sections, asked(picture));
  const shown = sections.map((section) => sectionElement(section, about));
  const article = make(
    "article",
    { class: "rulebook", onclick: (/** @type {Event} */ event) => follow(event, shown) },
    shown,
  );
  return { elements: [search(shown), article], here: about && shown[sections.indexOf(about)] };
}
