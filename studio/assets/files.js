// Edits values in the packs' files. Each edit carries the digest of the file that it was made on, so that it cannot
// // overwrite newer changes.

import { say } from "./dom.js";
import { post } from "./net.js";

const digests = new Map();
const name = (place) => `${place.pack}/${place.path}`;

/** Remembers the digest that the server just sent. */
export function learn(place) {
  if (place) digests.set(name(place), place.digest);
}

/** An edit of the value at or below a place; without a value, it is removed. */
export const change = (place, below, value) => ({
  pack: place.pack, path: place.path, digest: digests.get(name(place)) ?? place.digest, pointer: place.pointer + below, value: value ?? null,
});

export const escape = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

/** Applies all edits or none. Returns whether they were applied. */
export async function save(changes) {
  say();
  try {
    for (const file of await post("/api/edit", changes)) learn(file);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}
