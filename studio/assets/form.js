// Forms made from the JSON Schemas of content files: numbers with their bounds, lists of keywords and
// references with their names. A change of a field is staged.

import { fill, make, reason } from "./dom.js";
import { escape } from "./files.js";
import { t } from "./words.js";

/** @typedef {(pointer: string, value: any) => void} Change */
/** @typedef {{ word: any, name: string, help: string | null }} Word */
/**
 * The elements to edit a value with, and what its bounds are.
 * @typedef {[Element[], Element | null]} Edited
 */

let lists = 0;
/** Up to this many words are buttons beside each other; more are a list. */
const BESIDE = 4;

/**
 * A form for a value. It calls `change(pointer, value)` for each edit, with a pointer relative to the value.
 * `notes` names the place of the value, so that findings and pins appear at its fields.
 * @param {any} root @param {any} schema @param {any} value @param {Change} change @param {Notes} [notes]
 */
export function form(root, schema, value, change, notes = {}) {
  const maker = new Form(root, change, notes);
  const entity = maker.narrowed(schema, value);
  return make("div", { class: "form" }, maker.fields(entity, value, ""));
}

/**
 * The bounds of a number, in words; null if it has none.
 * @param {number | null} least @param {number | null} most
 */
function rangeOf(least, most) {
  if (least === null) return most === null ? null : t("field-at-most", most);
  return most === null ? t("field-at-least", least) : t("field-between", least, most);
}

class Form {
  /** @param {any} root @param {Change} change @param {Notes} notes */
  constructor(root, change, notes) {
    this.root = root;
    this.change = change;
    this.notes = notes;
  }

  /** A schema with its references resolved. @param {any} schema @returns {any} */
  read(schema) {
    let now = schema ?? {};
    for (let depth = 0; now.$ref && depth < 8; depth += 1) {
      const { $ref, ...rest } = now;
      now = {
        ...$ref
          .slice(2)
          .split("/")
          .reduce((/** @type {any} */ at, /** @type {string} */ part) => at?.[part], this.root),
        ...rest,
      };
    }
    return now;
  }

  /**
   * The schema of an entity, with what its declared props say for its type.
   * @param {any} schema @param {any} value @returns {any}
   */
  narrowed(schema, value) {
    let own = this.read(schema);
    /** @type {any[] | undefined} */
    const forms = own.anyOf?.map((/** @type {any} */ part) => this.read(part));
    const form = forms?.find((part) => part.properties);
    if (!own.properties && form) own = { ...own, ...form };
    /** @param {any} rule */
    const fits = (rule) =>
      Object.entries(rule.if?.properties ?? {}).every(
        ([key, of]) => !("const" in of) || value?.[key] === of.const,
      );
    /** @type {any[]} */
    const rules = own.allOf ?? [];
    const members = rules
      .filter((rule) => rule.then?.properties && fits(rule))
      .flatMap((rule) => Object.entries(rule.then.properties));
    const properties = { ...own.properties };
    for (const [key, of] of members) properties[key] = { ...this.read(properties[key]), ...of };
    return { ...own, properties };
  }

  /** @param {any} schema @returns {any[]} */
  parts(schema) {
    const own = this.read(schema);
    return [own, ...[...(own.anyOf ?? []), ...(own.oneOf ?? [])].flatMap((part) => this.parts(part))];
  }

  /** The keywords and ids that a schema allows, each with its name. @param {any} schema @returns {Word[]} */
  words(schema) {
    const own = this.read(schema);
    const parts = this.parts(schema);
    const meanings = new Map(
      parts.flatMap((part) =>
        (part.enum ?? []).map((/** @type {any} */ word, /** @type {number} */ at) => [
          word,
          part.markdownEnumDescriptions?.[at],
        ]),
      ),
    );
    const family = own["x-ref"];
    /** @type {string[]} */
    const families = this.root["x-aliases"]?.[family] ?? [family];
    /** @param {any} word @returns {string | undefined} */
    const name = (word) => families.map((of) => this.root["x-names"]?.[of]?.[word]).find(Boolean);
    const all = parts.flatMap((part) => [...(part.enum ?? []), ...("const" in part ? [part.const] : [])]);
    return [...new Set(all)]
      .filter((word) => word !== null)
      .map((word) => ({ word, name: name(word) ?? String(word), help: meanings.get(word) ?? null }));
  }

  /** @param {any} schema @returns {string[]} */
  types(schema) {
    return this.parts(schema).flatMap((part) => part.type ?? []);
  }

  /** The least and the greatest number. @param {any} schema @returns {[number | null, number | null]} */
  bounds(schema) {
    const parts = this.parts(schema);
    /** @param {string} key @returns {number | undefined} */
    const of = (key) =>
      parts.map((part) => part[key]).find((bound) => bound !== undefined && Math.abs(bound) < 1e9);
    return [of("minimum") ?? null, of("maximum") ?? null];
  }

  /** @param {any} schema @returns {any} */
  blank(schema) {
    const own = this.read(schema);
    if (own.default !== undefined && own.default !== null) return own.default;
    const types = this.types(schema);
    if (types.includes("integer")) return Math.max(this.bounds(schema)[0] ?? 0, 0);
    if (types.includes("boolean")) return true;
    if (types.includes("array")) return [];
    if (types.includes("object")) return {};
    return this.words(schema)[0]?.word ?? "";
  }

  /** @param {any} schema @param {any} value @param {string} pointer @returns {Child[]} */
  fields(schema, value, pointer) {
    const own = this.read(schema);
    const known = Object.entries(own.properties ?? {});
    const free =
      typeof own.additionalProperties === "object"
        ? own.additionalProperties
        : Object.values(own.patternProperties ?? {})[0];
    /** @param {string} key @param {any} of @param {boolean} isFixed */
    const member = (key, of, isFixed) =>
      this.field(of, key, value?.[key], `${pointer}/${escape(key)}`, isFixed);
    const given = known.filter(([key]) => value?.[key] !== undefined);
    const missing = known.filter(([key]) => value?.[key] === undefined);
    const others = Object.keys(value ?? {}).filter((key) => !own.properties?.[key]);
    const rows = [
      ...given.map(([key, of]) =>
        member(key, of, (own.required ?? []).includes(key) || (key === "id" && !pointer)),
      ),
      ...others.map((key) => member(key, free ?? {}, false)),
    ];
    return [
      ...rows,
      free ? this.adder(own, free, pointer, Object.keys(value ?? {})) : null,
      missing.length ? this.chooser(missing, pointer) : null,
    ];
  }

  /**
   * Adds a field that the schema has and the value does not.
   * @param {[string, any][]} missing @param {string} pointer
   */
  chooser(missing, pointer) {
    const select = make(
      "select",
      {
        "aria-label": t("field-add-field"),
        onchange: () => {
          const chosen = missing.find(([key]) => key === select.value);
          if (chosen) this.change(`${pointer}/${escape(select.value)}`, this.blank(chosen[1]));
        },
      },
      make("option", { value: "" }, t("field-add")),
      missing.map(([key, schema]) =>
        make("option", { value: key, title: this.read(schema).description ?? null }, key),
      ),
    );
    return make("div", { class: "field" }, select);
  }

  /**
   * Adds a member with a name that the author types or picks.
   * @param {any} own @param {any} schema @param {string} pointer @param {string[]} there
   */
  adder(own, schema, pointer, there) {
    const words = own.propertyNames
      ? this.words(own.propertyNames).filter(({ word }) => !there.includes(word))
      : [];
    const name = words.length
      ? make(
          "select",
          {},
          words.map(({ word, name }) => make("option", { value: word }, name)),
        )
      : make("input", { type: "text", placeholder: t("field-new") });
    name.setAttribute("aria-label", t("field-new-name"));
    const add = () => {
      if (name.value) this.change(`${pointer}/${escape(name.value)}`, this.blank(schema));
    };
    return make(
      "div",
      { class: "field" },
      name,
      make("button", { class: "small", type: "button", onclick: add }, t("field-add-button")),
    );
  }

  /**
   * @param {any} schema @param {string} key @param {any} value @param {string} pointer
   * @param {boolean} isFixed @returns {Element}
   */
  field(schema, key, value, pointer, isFixed) {
    const own = this.read(schema);
    const isObject = value && typeof value === "object" && !Array.isArray(value);
    const remove =
      !isFixed &&
      make(
        "button",
        {
          class: "small",
          type: "button",
          title: t("field-remove", key),
          "aria-label": t("field-away", key),
          onclick: () => this.change(pointer, null),
        },
        "×",
      );
    const help = own.description;
    if (isObject && (own.properties || own.additionalProperties || own.patternProperties)) {
      return make(
        "fieldset",
        {},
        make("legend", { title: help }, key, remove),
        this.notesAt(pointer),
        this.fields(schema, value, pointer),
      );
    }
    if (Array.isArray(value) && value.every((item) => ["string", "number"].includes(typeof item)))
      return this.list(own, key, value, pointer, remove);
    const id = `field-${(lists += 1)}`;
    const [parts, bounds] = this.editor(schema, value, pointer, id, isFixed && key === "id");
    return make(
      "div",
      { class: "field", "data-field": pointer },
      make("label", { for: id, title: help }, key),
      parts,
      bounds,
      remove,
      this.notesAt(pointer),
    );
  }

  /** @param {string} pointer */
  notesAt(pointer) {
    return make("div", {
      class: "notes",
      "data-notes": JSON.stringify({ ...this.notes, pointer: `${this.notes.pointer ?? ""}${pointer}` }),
    });
  }

  /**
   * A list of words, ids or numbers: an entry for each, and one to add.
   * @param {any} own @param {string} key @param {(string | number)[]} value @param {string} pointer
   * @param {Child} remove
   */
  list(own, key, value, pointer, remove) {
    const words = this.words(own.items ?? {});
    const items = value.map((item, at) => {
      const [parts] = this.editor(
        own.items ?? {},
        item,
        `${pointer}/${at}`,
        `field-${(lists += 1)}`,
        false,
        `${key} ${at + 1}`,
      );
      return make(
        "span",
        { class: "item" },
        parts,
        typeof item === "string" &&
          make(
            "button",
            {
              class: "small",
              type: "button",
              "aria-label": t("field-away", item),
              onclick: () =>
                this.change(
                  pointer,
                  value.filter((_, other) => other !== at),
                ),
            },
            "×",
          ),
      );
    });
    const rest = words.filter(({ word }) => !value.includes(word));
    const add = make(
      "select",
      {
        "aria-label": t("field-add-to", key),
        onchange: () => {
          if (add.value) this.change(pointer, [...value, add.value]);
        },
      },
      make("option", { value: "" }, t("field-add")),
      rest.map(({ word, name }) => make("option", { value: word }, name)),
    );
    const text = make("input", {
      type: "text",
      class: "short",
      placeholder: t("field-add"),
      "aria-label": t("field-add-to", key),
      onchange: () => {
        if (text.value) this.change(pointer, [...value, text.value]);
      },
    });
    const isNumbers = value.length > 0 && value.every((item) => typeof item === "number");
    return make(
      "div",
      { class: "field", "data-field": pointer },
      make("span", { class: "label", title: own.description }, key),
      make(
        "span",
        { class: "items" },
        items,
        isNumbers ? null : rest.length ? add : words.length ? null : text,
      ),
      remove,
      this.notesAt(pointer),
    );
  }

  /**
   * The elements to edit a value with, and what its bounds are.
   * @param {any} schema @param {any} value @param {string} pointer @param {string} id
   * @param {boolean} isFixed @param {string | null} [label] @returns {Edited}
   */
  editor(schema, value, pointer, id, isFixed, label = null) {
    /** @param {any} next */
    const set = (next) => this.change(pointer, next);
    if (typeof value === "boolean")
      return [
        [
          make("input", {
            id,
            type: "checkbox",
            checked: value,
            /** @param {{ target: HTMLInputElement }} event */
            onchange: (event) => set(event.target.checked),
          }),
        ],
        null,
      ];
    if (typeof value === "number") return this.number(schema, value, set, id, label);
    if (typeof value === "string") {
      const words = this.words(schema);
      if (isFixed || !words.length)
        return [
          [
            make("input", {
              id,
              type: "text",
              value,
              readonly: isFixed,
              "aria-label": label,
              /** @param {{ target: HTMLInputElement }} event */
              onchange: (event) => set(this.typed(event.target.value, schema)),
            }),
          ],
          null,
        ];
      if (words.length <= BESIDE && words.some(({ word }) => word === value))
        return [[this.beside(words, value, set, id)], null];
      const all = words.some(({ word }) => word === value)
        ? words
        : [{ word: value, name: value, help: null }, ...words];
      return [
        [
          make(
            "select",
            {
              id,
              "aria-label": label,
              /** @param {{ target: HTMLInputElement }} event */ onchange: (event) => set(event.target.value),
            },
            all.map(({ word, name, help }) =>
              make("option", { value: word, title: help, selected: word === value }, name),
            ),
          ),
        ],
        null,
      ];
    }
    const lines = JSON.stringify(value, null, 1) ?? "";
    const area = make(
      "textarea",
      {
        id,
        rows: Math.min(8, lines.split("\n").length),
        spellcheck: "false",
        onchange: () => {
          try {
            area.setCustomValidity("");
            set(JSON.parse(area.value));
          } catch (error) {
            area.setCustomValidity(t("field-bad-json", reason(error)));
            area.reportValidity();
          }
        },
      },
      lines,
    );
    return [[area], null];
  }

  /**
   * @param {any} schema @param {number} value @param {(next: number) => void} set @param {string} id
   * @param {string | null} label @returns {Edited}
   */
  number(schema, value, set, id, label) {
    const [least, most] = this.bounds(schema);
    const isWhole = !this.types(schema).includes("number");
    const input = make("input", {
      id,
      type: "number",
      value,
      min: least,
      max: most,
      step: isWhole ? 1 : "any",
      "aria-label": label,
      onchange: () => {
        if (input.value !== "" && input.checkValidity()) set(Number(input.value));
        else input.reportValidity();
      },
    });
    /** @param {number} by */
    const step = (by) => {
      const next = Number(input.value) + by;
      if ((least === null || next >= least) && (most === null || next <= most)) set(next);
    };
    /** @param {number} by @param {string} sign */
    const button = (by, sign) =>
      make(
        "button",
        {
          type: "button",
          class: "step",
          tabindex: "-1",
          "aria-hidden": "true",
          disabled: by < 0 ? least !== null && value <= least : most !== null && value >= most,
          onclick: () => step(by),
        },
        sign,
      );
    const words = rangeOf(least, most);
    const range = words ? make("span", { class: "quiet" }, words) : null;
    return [[make("span", { class: "stepper" }, button(-1, "−"), input, button(1, "+"))], range];
  }

  /** @param {Word[]} words @param {any} value @param {(next: any) => void} set @param {string} id */
  beside(words, value, set, id) {
    return make(
      "span",
      { class: "beside-each-other", role: "group", id },
      words.map(({ word, name, help }) =>
        make(
          "button",
          {
            type: "button",
            "data-word": word,
            title: help,
            "aria-pressed": String(word === value),
            onclick: () => {
              if (word !== value) set(word);
            },
          },
          name,
        ),
      ),
    );
  }

  /** Reads a text as a value of one of the types of a schema. @param {string} text @param {any} schema */
  typed(text, schema) {
    const types = this.types(schema);
    if (types.includes("integer") && /^-?\d+$/.test(text)) return Number(text);
    if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
    return text;
  }
}

/**
 * Replaces what is in an element, and gives the focus back to the field that had it.
 * @param {Element} element @param {Children} children
 */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  /** @type {HTMLElement | null | undefined} */
  const edited = focused?.closest("[data-field]");
  const field = edited?.dataset.field;
  const id = focused?.id;
  fill(element, ...children);
  /** @type {HTMLElement | null} */
  const again =
    field != null
      ? element.querySelector(`[data-field="${CSS.escape(field)}"] :is(input, select, textarea, button)`)
      : id
        ? document.getElementById(id)
        : null;
  again?.focus();
}

/**
 * Says whose something is, and offers to patch it in a pack that is edited.
 * @param {string} whose @param {string} own @param {unknown} isOpen @param {() => void} open
 */
export const patchOffer = (whose, own, isOpen, open) =>
  make(
    "div",
    { class: "row", id: "foreign" },
    make("span", {}, whose),
    isOpen
      ? make("span", {}, t("desk-patched", own))
      : make("button", { id: "patch", class: "primary", onclick: open }, t("desk-patch", own)),
  );
