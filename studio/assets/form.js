// Forms made from the JSON Schemas of content files. Leaving a field saves its value to the file.

import { make } from "./dom.js";
import { escape } from "./files.js";

let lists = 0;

/** A form for a value. It calls `change(pointer, value)` for each edit, with a pointer relative to the value. */
export function form(root, schema, value, change) {
  return make("div", { class: "form" }, fields(new Schema(root), schema, value, "", change));
}

class Schema {
  constructor(root) {
    this.root = root;
  }

  /** A schema with its references resolved. */
  read(schema) {
    let now = schema ?? {};
    for (let depth = 0; now.$ref && depth < 8; depth += 1) {
      now = { ...now.$ref.slice(2).split("/").reduce((at, part) => at?.[part], this.root), ...now, $ref: undefined };
      const inner = schema.$ref && schema.$ref.slice(2).split("/").reduce((at, part) => at?.[part], this.root);
      if (inner?.$ref) now.$ref = inner.$ref;
    }
    return now;
  }

  /** The keywords and ids that a schema allows. */
  words(schema) {
    const own = this.read(schema);
    const parts = [...(own.anyOf ?? []), ...(own.oneOf ?? [])].flatMap((part) => this.words(part));
    return [...(own.enum ?? []), ...("const" in own ? [own.const] : []), ...parts].filter((word) => word !== null);
  }

  types(schema) {
    const own = this.read(schema);
    const parts = [...(own.anyOf ?? []), ...(own.oneOf ?? [])].flatMap((part) => this.types(part));
    return [own.type ?? [], parts].flat(2);
  }
}

function fields(schemas, schema, value, pointer, change) {
  const own = schemas.read(schema);
  const known = Object.entries(own.properties ?? {});
  const free = typeof own.additionalProperties === "object" ? own.additionalProperties : null;
  const patterns = Object.values(own.patternProperties ?? {})[0];
  const member = (key, of, isFixed) => field(schemas, of, key, value?.[key], `${pointer}/${escape(key)}`, change, isFixed);
  const given = known.filter(([key]) => value?.[key] !== undefined);
  const missing = known.filter(([key]) => value?.[key] === undefined);
  const others = Object.keys(value ?? {}).filter((key) => !own.properties?.[key]);
  const rows = [
    ...given.map(([key, of]) => member(key, of, (own.required ?? []).includes(key) || (key === "id" && !pointer))),
    ...others.map((key) => member(key, free ?? patterns ?? {}, false)),
  ];
  const more = free || patterns ? adder(schemas, own, free ?? patterns, pointer, change) : missing.length ? chooser(schemas, missing, pointer, change) : null;
  return [...rows, more];
}

/** Adds a field that the schema has and the value does not. */
function chooser(schemas, missing, pointer, change) {
  const select = make("select", { "aria-label": "Add a field", onchange: () => {
    const [, schema] = missing.find(([key]) => key === select.value);
    change(`${pointer}/${escape(select.value)}`, blank(schemas, schema));
  } }, make("option", { value: "" }, "Add …"), missing.map(([key, schema]) => make("option", { value: key, title: schemas.read(schema).description ?? null }, key)));
  return make("div", { class: "field" }, select);
}

/** Adds a member with a name that the user types. */
function adder(schemas, own, schema, pointer, change) {
  const words = own.propertyNames ? schemas.words(own.propertyNames) : [];
  const name = entry(words, "");
  name.field.setAttribute("aria-label", "Name of a new entry");
  name.field.placeholder = "new entry";
  const add = () => { if (name.field.value) change(`${pointer}/${escape(name.field.value)}`, blank(schemas, schema)); };
  return make("div", { class: "field" }, name.nodes, make("button", { class: "small", onclick: add }, "Add"));
}

function blank(schemas, schema) {
  const own = schemas.read(schema);
  if (own.default !== undefined) return own.default;
  const types = schemas.types(schema);
  if (types.includes("integer")) return Math.max(own.minimum > -1e6 ? own.minimum : 0, 0);
  if (types.includes("boolean")) return false;
  if (types.includes("array")) return [];
  if (types.includes("object")) return {};
  return schemas.words(schema)[0] ?? "";
}

function entry(words, value) {
  if (!words.length) return { field: make("input", { type: "text", value }), nodes: [] };
  const id = `words-${(lists += 1)}`;
  const field = make("input", { type: "text", value, list: id });
  return { field, nodes: [make("datalist", { id }, words.map((word) => make("option", { value: word })))] };
}

function field(schemas, schema, key, value, pointer, change, isFixed) {
  const own = schemas.read(schema);
  const types = schemas.types(schema);
  const isObject = value && typeof value === "object" && !Array.isArray(value);
  const remove = !isFixed && make("button", { class: "small", title: `Remove ${key}`, "aria-label": `Take ${key} away`, onclick: () => change(pointer, undefined) }, "×");
  const help = own.description;
  if (isObject && (own.properties || own.additionalProperties || own.patternProperties)) {
    return make("fieldset", {}, make("legend", { title: help }, key, remove), fields(schemas, schema, value, pointer, change));
  }
  const id = `field-${(lists += 1)}`;
  const parts = editor(schemas, schema, types, value, (next) => change(pointer, next));
  parts[0].id = id;
  return make("div", { class: "field" }, make("label", { for: id, title: help }, key), parts, remove);
}

/** The elements to edit a value with. */
function editor(schemas, schema, types, value, set) {
  const own = schemas.read(schema);
  if (typeof value === "boolean") return [make("input", { type: "checkbox", checked: value, onchange: (event) => set(event.target.checked) })];
  if (typeof value === "number") {
    return [make("input", { type: "number", value, min: own.minimum ?? null, max: own.maximum ?? null, onchange: (event) => set(Math.round(Number(event.target.value))) })];
  }
  if (typeof value === "string") {
    const { field, nodes } = entry(schemas.words(schema), value);
    field.addEventListener("change", () => set(read(field.value, types)));
    return [field, ...nodes];
  }
  const lines = JSON.stringify(value, null, 1);
  const area = make("textarea", { rows: Math.min(8, lines.split("\n").length), spellcheck: "false", onchange: () => {
    try {
      area.setCustomValidity("");
      set(JSON.parse(area.value));
    } catch (error) {
      area.setCustomValidity(`This is not JSON: ${error.message}`);
      area.reportValidity();
    }
  } }, lines);
  return [area];
}

/** Parses a text as a value of one of the given types. */
function read(text, types) {
  if (types.includes("integer") && /^-?\d+$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
