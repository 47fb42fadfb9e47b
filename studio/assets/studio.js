// The page: views that follow what changes.

import { fill, find, make } from "./dom.js";
import { follow } from "./net.js";
import * as gallery from "./gallery.js";
import * as table from "./table.js";

const views = { table, gallery };
let current = "table";

async function turn(to) {
  current = to;
  for (const name of Object.keys(views)) {
    find(`#${name}`).hidden = name !== to;
    find(`#to-${name}`).setAttribute("aria-pressed", String(name === to));
  }
  await views[to].refresh();
}

/** What is wrong with the files, whatever view is open. */
function trouble(findings) {
  const section = find("#trouble");
  section.hidden = !findings.length;
  fill(section, findings.map((finding) => make("div", {},
    make("code", {}, finding.file ? `${finding.file}:${finding.line} ` : ""), finding.message, finding.help ? ` (${finding.help})` : "")));
}

for (const [name, view] of Object.entries(views)) {
  view.begin();
  find(`#to-${name}`).addEventListener("click", () => turn(name));
}
document.addEventListener("table", ({ detail }) => trouble(detail.trouble));
follow(async () => {
  await table.refresh();
  if (current !== "table") await views[current].refresh();
});
