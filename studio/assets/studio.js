// The page, with views that update on every change.

import { fill, find, isShown, make, say } from "./dom.js";
import { follow, post } from "./net.js";
import * as table from "./table.js";

/** The views. Those of the workbench are fetched when they are opened first. */
const views = { table, gallery: () => import("./gallery.js"), atlas: () => import("./atlas.js"), lab: () => import("./lab.js") };
let current = "table";

/** A view that can be used. */
async function viewOf(name) {
  if (typeof views[name] === "function") {
    views[name] = await views[name]();
    views[name].begin();
  }
  return views[name];
}

async function turn(to) {
  current = to;
  const view = await viewOf(to);
  for (const name of Object.keys(views)) {
    find(`#${name}`).hidden = name !== to;
    find(`#to-${name}`).setAttribute("aria-pressed", String(name === to));
  }
  // The lab updates for as long as it is shown.
  if (to === "lab") view.refresh();
  else await view.refresh();
}

/** Shows the findings in the files above every view, with buttons for their fixes. */
function trouble(findings) {
  const section = find("#trouble");
  section.hidden = !findings.length;
  if (isShown(section, findings)) return;
  const fix = (at, finding) => async (event) => {
    event.target.disabled = true;
    await post("/api/fix", { at, load: finding.load }).catch((error) => say(error.message));
  };
  fill(section, findings.slice(0, 20).map((finding, at) => make("div", { class: "finding" },
    finding.file && make("code", {}, `${finding.file}:${finding.line}:${finding.column ?? 1}`), " ", finding.message,
    finding.source && make("pre", {}, finding.source[0], make("mark", {}, finding.source[1] || " "), finding.source[2]),
    finding.help && make("div", {}, finding.help),
    finding.fix && make("button", { class: "fix", onclick: fix(at, finding) }, `Fix: ${finding.fix}`))),
    findings.length > 20 ? make("div", {}, `and ${findings.length - 20} more`) : null,
    make("div", {}, "The game continues with the last valid files."));
}

table.begin();
for (const name of Object.keys(views)) {
  find(`#to-${name}`).addEventListener("click", () => turn(name));
}
document.addEventListener("table", ({ detail }) => trouble(detail.trouble));
follow(async () => {
  await table.refresh();
  if (current !== "table" && current !== "lab") await (await viewOf(current)).refresh();
});
