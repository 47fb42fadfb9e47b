// Fields for new ids.

import { make } from "./dom.js";
import { t } from "./words.js";

/**
 * A field for a new id. A bad id is refused at the field, in words.
 * @param {string} id @param {(id: string) => boolean} [taken] @param {string} [placeholder]
 */
export function idField(id, taken = () => false, placeholder = t("field-id-example")) {
  // Under the flag v, a hyphen in brackets needs a backslash.
  const field = make("input", {
    id,
    pattern: "[a-z0-9\\-]+",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    placeholder,
    "aria-describedby": `${id}-trouble`,
  });
  const trouble = make("span", { id: `${id}-trouble`, class: "note", role: "alert" });
  const look = () => {
    field.setCustomValidity("");
    const { patternMismatch, valueMissing } = field.validity;
    const words =
      patternMismatch || valueMissing
        ? t("field-id")
        : taken(field.value)
          ? t("field-id-taken", field.value)
          : "";
    field.setCustomValidity(words);
    return words;
  };
  field.addEventListener("input", () => {
    trouble.textContent = field.value ? look() : "";
  });
  field.addEventListener("invalid", () => {
    trouble.textContent = look();
  });
  look();
  return { field, trouble };
}
