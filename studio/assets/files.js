// Changes of values in the packs' files. Each names the state of the file that it was made on, so that nothing is lost that
// somebody else has written meanwhile.

import { say } from "./dom.js";
import { post } from "./net.js";

const digests = new Map();
const name = (place) => `${place.pack}/${place.path}`;

/** What the server has just said of a file counts. */
export function learn(place) {
  if (place) digests.set(name(place), place.digest);
}

/** A change of a value at or below a place; without a value it is taken away. */
export const change = (place, below, value) => ({
  pack: place.pack, path: place.path, digest: digests.get(name(place)) ?? place.digest, pointer: place.pointer + below, value: value ?? null,
});

export const escape = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

/** Makes changes: all or none. Whether they were made. */
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
