// Requests. The page's key comes after the # of its link and is sent with each request.

const key = location.hash.slice(1) || sessionStorage.getItem("key") || "";
sessionStorage.setItem("key", key);
history.replaceState(null, "", location.pathname);

async function ask(path, options = {}) {
  const headers = { Authorization: `Bearer ${key}`, ...options.headers };
  const response = await fetch(path, { ...options, headers });
  const body = await response.json();
  if (!response.ok)
    throw Object.assign(new Error(body.error ?? response.statusText), { status: response.status });
  return body;
}

export function get(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value != null);
  return ask(`${path}?${new URLSearchParams(known)}`);
}

export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Calls back after every change, forever. */
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
      if (error.status === 404) location.reload();
      await new Promise((done) => setTimeout(done, 1000));
      version = 0;
    }
  }
}
