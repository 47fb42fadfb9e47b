// Requests. The page's key comes after the # of its link and is sent with each request.

const key = location.hash.slice(1) || sessionStorage.getItem("key") || "";
sessionStorage.setItem("key", key);
history.replaceState(null, "", location.pathname);

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function ask(path, options = {}) {
  const headers = { Authorization: `Bearer ${key}`, ...options.headers };
  const response = await fetch(path, { ...options, headers });
  const body = await response.json();
  if (!response.ok)
    throw Object.assign(new Error(body.error ?? response.statusText), { status: response.status });
  return body;
}

/**
 * Asks for something. Parameters that are null are left out.
 * @template {keyof Api.Gets} P
 * @param {P} path
 * @param {Given<Api.Gets[P]["given"]>} given
 * @returns {Promise<Api.Gets[P]["answer"]>}
 */
export function get(path, ...given) {
  const known = Object.entries(given[0] ?? {}).filter(([, value]) => value != null);
  return ask(`${path}?${new URLSearchParams(known)}`);
}

/**
 * Asks for a change.
 * @template {keyof Api.Posts} P
 * @param {P} path
 * @param {Api.Posts[P]["given"]} body
 * @returns {Promise<Api.Posts[P]["answer"]>}
 */
export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The HTTP status of a refused request. @param {unknown} error */
export const statusOf = (error) =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : null;

/** Calls back after every change, forever. @param {() => Promise<void>} changed */
export async function follow(changed) {
  let version = 0;
  for (;;) {
    try {
      const news = await get("/api/wait", { version });
      if (news.version !== version) {
        version = news.version;
        await changed();
      }
    } catch (error) {
      // The host has left the game.
      if (statusOf(error) === 404) location.reload();
      await new Promise((done) => setTimeout(done, 1000));
      version = 0;
    }
  }
}
