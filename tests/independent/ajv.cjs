// Reads lines `schema<TAB>file` and writes `file<TAB>yes|no<TAB>why`. Strict mode: a schema that ajv finds odd is an error.
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv/dist/2020").default;

const folder = process.argv[2];
const ajv = new Ajv({ strict: true, strictTypes: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
for (const word of ["x-ref", "x-null", "markdownDescription"]) ajv.addKeyword(word);
const validators = {};
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [schema, file] = line.split("\t");
  validators[schema] ??= ajv.compile(JSON.parse(fs.readFileSync(path.join(folder, `${schema}.schema.json`), "utf8")));
  const valid = validators[schema](JSON.parse(fs.readFileSync(file, "utf8").replace(/^\ufeff/, "")));
  console.log([file, valid ? "yes" : "no", valid ? "" : ajv.errorsText(validators[schema].errors)].join("\t"));
}
