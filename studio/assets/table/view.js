// The view library, in one place.

import { Fragment, h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { Fragment, h, render };
export { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
export { batch, computed, effect, signal, useComputed, useSignal } from "../vendor/signals.js";

/** Makes elements from a template. Text from packs is inserted as text. */
export const html = htm.bind(h);
