// The page: two views, both of which follow what changes.

import { find } from "./dom.js";
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

for (const [name, view] of Object.entries(views)) {
  view.begin();
  find(`#to-${name}`).addEventListener("click", () => turn(name));
}
follow(async () => {
  await table.refresh();
  if (current === "gallery") await gallery.refresh();
});
