// The page, with views that update on every change.

import { fill, find, findAll, isShown, make, reason, say } from "./dom.js";
import { engine } from "./engine.js";
import { post } from "./net.js";
import * as table from "./table.js";
import { t } from "./words.js";

/** @typedef {{ begin: () => void, refresh: () => unknown }} View */

/** The other views are loaded when they are opened, so that the first page is small. */
/** @type {Record<string, () => Promise<View>>} */
const loaders = {
  gallery: () => import("./gallery.js"),
  atlas: () => import("./atlas.js"),
  lab: () => import("./lab.js"),
};
/** @type {Record<string, Promise<View>>} */
const views = { table: Promise.resolve(table) };
const names = ["table", ...Object.keys(loaders)];
let current = "table";

/** A view, begun once. @param {string} name */
const view = (name) =>
  (views[name] ??= loaders[name]().then((module) => {
    module.begin();
    return module;
  }));

/** What will be written, if anything has been edited. */
/** @type {Promise<typeof import("./files.js")> | null} */
let desk = null;
const files = () => (desk ??= import("./files.js"));

/** @param {string} to */
async function turn(to) {
  current = to;
  say();
  // A view is shown once its scripts listen: before that, a form would load the page again.
  const shown = await view(to);
  if (current !== to) return;
  for (const name of names) {
    find(`#${name}`).hidden = name !== to;
    find(`#to-${name}`).setAttribute("aria-pressed", String(name === to));
  }
  if (desk && to !== "gallery" && to !== "atlas") (await desk).place(find("body"));
  // The lab updates for as long as it is shown.
  if (to === "lab") shown.refresh();
  else await shown.refresh();
}

/**
 * Shows the findings in the files above every view, with buttons for their fixes.
 * @param {Api.Trouble[]} findings
 */
function trouble(findings) {
  const section = find("#trouble");
  section.hidden = !findings.length;
  if (isShown(section, findings)) return;
  /** @param {number} at @param {Api.FindingPicture} finding */
  const fix = (at, finding) => async () => {
    try {
      await (await files()).stage(finding.fix ?? "", ...(await post("/api/fix", { at, load: finding.load })));
    } catch (error) {
      say(reason(error));
    }
  };
  fill(
    section,
    findings
      .slice(0, 20)
      .map((finding, at) =>
        make(
          "div",
          { class: "finding" },
          finding.file && make("code", {}, `${finding.file}:${finding.line}:${finding.column ?? 1}`),
          " ",
          finding.message,
          finding.source &&
            make("pre", {}, finding.source[0], make("mark", {}, finding.source[1] || " "), finding.source[2]),
          finding.help && make("div", {}, finding.help),
          finding.fix &&
            make("button", { class: "fix", onclick: fix(at, finding) }, t("files-fix", finding.fix)),
        ),
      ),
    findings.length > 20 ? make("div", {}, t("edits-more", findings.length - 20)) : null,
    make("div", {}, t("files-go-on")),
  );
}

/**
 * Nothing is said below a dialog: while one is open, findings, errors and what will be written are inside of
 * it.
 */
function stayAbove() {
  const said = () => [find("#trouble"), find("#message")];
  /** @type {HTMLDialogElement[]} */
  const open = [];
  /** @param {MutationRecord} change */
  const follow = (change) => {
    const target = /** @type {HTMLDialogElement} */ (change.target);
    const at = open.indexOf(target);
    if (at >= 0) open.splice(at, 1);
    if (target.open) open.push(target);
    const top = open.at(-1);
    if (top) top.prepend(...said());
    else find("header").after(...said());
  };
  const watch = new MutationObserver((changes) => changes.forEach(follow));
  for (const dialog of findAll("dialog")) watch.observe(dialog, { attributeFilter: ["open"] });
}

/** Shows the table and what belongs to it. */
function play() {
  stayAbove();
  table.begin();
  for (const name of names) {
    find(`#to-${name}`).addEventListener("click", () => turn(name));
  }
  find("#leave").addEventListener("click", async () => {
    await engine.leave().catch((error) => say(error.message));
    location.reload();
  });
  document.addEventListener("table", (event) =>
    trouble(/** @type {CustomEvent<Api.TablePicture>} */ (event).detail.trouble),
  );
  engine.follow(async () => {
    await table.refresh();
    if (current !== "table" && current !== "lab") await (await view(current)).refresh();
  });
}

const { host, open, hall } = await engine.lobby().catch(() => ({ host: false, open: true, hall: null }));
if (open) play();
else if (host && hall) (await import("./lobby.js")).open(hall);
else (await import("./lobby.js")).wait();
