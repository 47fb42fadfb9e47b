//! A real headless Chromium, driven through the pipe of its DevTools protocol.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// The timeout for anything that a page does.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser. It ends with its value.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
    /// The finished requests of all pages.
    finished: Vec<(String, String)>,
    /// Errors and warnings of all pages, and their requests that failed.
    complaints: Vec<(String, String)>,
    _profile: tempfile::TempDir,
}

/// A page of a browser.
pub struct Page {
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// Starts Chromium, which `.ci/packages` installs.
    pub fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        // The protocol is on the descriptors 3 and 4.
        let script = "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
            --disable-background-networking --disable-component-update --window-size=1280,900 \
            --user-data-dir=\"$1\" --remote-debugging-pipe 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        Browser { process, to, from, last: 0, finished: Vec::new(), complaints: Vec::new(), _profile: profile }
    }

    fn ask(&mut self, session: Option<&str>, method: &str, params: Json) -> Json {
        self.try_ask(session, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_ask(&mut self, session: Option<&str>, method: &str, params: Json) -> Result<Json, Json> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        self.to.flush().unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "Chromium has ended; is it installed?");
            let message: Json = serde_json::from_slice(&bytes).unwrap();
            if message["id"] == id {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
            let text = |value: &Json| value.as_str().unwrap().to_owned();
            if message["method"] == "Network.loadingFinished" {
                self.finished.push((text(&message["sessionId"]), text(&message["params"]["requestId"])));
            } else if let Some(complaint) = complaint(&message) {
                self.complaints.push((text(&message["sessionId"]), complaint));
            }
        }
    }

    /// Opens a page and records its traffic.
    pub fn open(&mut self, url: &str) -> Page {
        // A context of its own: pages share no storage.
        let context = self.ask(None, "Target.createBrowserContext", json!({}))["browserContextId"].clone();
        let target =
            self.ask(None, "Target.createTarget", json!({ "url": "about:blank", "browserContextId": context }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.ask(None, "Target.attachToTarget", attach)["sessionId"].as_str().unwrap().to_owned();
        let page = Page { session };
        let room = json!({ "maxTotalBufferSize": 200_000_000, "maxResourceBufferSize": 50_000_000 });
        self.ask(Some(&page.session), "Network.enable", room);
        for domain in ["Runtime.enable", "Log.enable"] {
            self.ask(Some(&page.session), domain, json!({}));
        }
        self.prefer(&page, "light", true);
        self.ask(Some(&page.session), "Page.navigate", json!({ "url": url }));
        page
    }

    /// Sets which colors a page prefers, and whether it prefers to show no motion.
    pub fn prefer(&mut self, page: &Page, theme: &str, is_still: bool) {
        let motion = if is_still { "reduce" } else { "no-preference" };
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": theme }, { "name": "prefers-reduced-motion", "value": motion },
        ] });
        self.ask(Some(&page.session), "Emulation.setEmulatedMedia", features);
    }

    /// The value of an expression in a page.
    pub fn value(&mut self, page: &Page, expression: &str) -> Json {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.ask(Some(&page.session), "Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true in a page.
    pub fn wait(&mut self, page: &Page, expression: &str) {
        let begin = Instant::now();
        // The page is empty at first, and cannot be asked while another one takes its place.
        let asked = format!("(() => {{ try {{ return !!({expression}) }} catch {{ return false }} }})()");
        let params = json!({ "expression": asked, "returnByValue": true });
        let is_true = |answer: Result<Json, Json>| answer.is_ok_and(|answer| answer["result"]["value"] == true);
        while !is_true(self.try_ask(Some(&page.session), "Runtime.evaluate", params.clone())) {
            if begin.elapsed() > PATIENCE {
                let text = self.value(page, "document.body.innerText");
                panic!("never true: {expression}\n{text}");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Clicks with the mouse into the middle of the first element that fits; false if none does. If it is in a closed
    /// menu, the menu is opened first.
    pub fn click(&mut self, page: &Page, selector: &str) -> bool {
        let menu = format!(
            "document.querySelector({})?.closest('[popover]:not(:popover-open)')?.id ?? null",
            Json::from(selector)
        );
        if let Some(id) = self.value(page, &menu).as_str() {
            let opened = self.click(page, &format!("[popovertarget={id}]"));
            assert!(opened, "nothing opens the menu of {selector}");
        }
        let middle = self.middle(page, selector);
        if middle.is_null() {
            return false;
        }
        self.click_at(page, &middle);
        true
    }

    /// Clicks with the mouse at a point of the window.
    pub fn click_at(&mut self, page: &Page, at: &Json) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(page, kind, at);
        }
    }

    /// Touches the middle of the first element that fits with a finger; false if none does.
    pub fn tap(&mut self, page: &Page, selector: &str) -> bool {
        let middle = self.middle(page, selector);
        if middle.is_null() {
            return false;
        }
        let finger = json!([{ "x": middle[0], "y": middle[1] }]);
        for (kind, points) in [("touchStart", finger), ("touchEnd", json!([]))] {
            let params = json!({ "type": kind, "touchPoints": points });
            self.ask(Some(&page.session), "Input.dispatchTouchEvent", params);
        }
        true
    }

    /// Moves the mouse to the middle of the first element that fits.
    pub fn point(&mut self, page: &Page, selector: &str) {
        let middle = self.middle(page, selector);
        assert!(!middle.is_null(), "there is no {selector}");
        self.mouse(page, "mouseMoved", &middle);
    }

    /// Drags the first element that fits to another.
    pub fn drag(&mut self, page: &Page, from: &str, to: &str) {
        let (from, to) = (self.middle(page, from), self.middle(page, to));
        let between = json!([
            (from[0].as_f64().unwrap() + to[0].as_f64().unwrap()) / 2.0,
            (from[1].as_f64().unwrap() + to[1].as_f64().unwrap()) / 2.0
        ]);
        self.mouse(page, "mouseMoved", &from);
        self.mouse(page, "mousePressed", &from);
        self.mouse(page, "mouseMoved", &between);
        self.mouse(page, "mouseMoved", &to);
        self.mouse(page, "mouseReleased", &to);
    }

    /// The middle of the first element that fits, once it is shown and no longer moves: fonts, pictures and views arrive
    /// after the page.
    fn middle(&mut self, page: &Page, selector: &str) -> Json {
        let quoted = Json::from(selector);
        let middle = format!(
            "(async () => {{ await document.fonts.ready; let last = ''; \
             for (let tries = 0; tries < 200; tries++) {{ \
             const e = document.querySelector({quoted}); if (!e) return null; e.scrollIntoView({{ block: 'nearest' }}); \
             const t = (e instanceof SVGElement && e.querySelector('.hit, path')) || e; const b = t.getBoundingClientRect(); \
             const at = [b.x + b.width / 2, b.y + b.height / 2]; \
             if (String(at) === last && (b.width || b.height)) return at; last = String(at); \
             await new Promise((done) => setTimeout(done, 50)); }} return null; }})()"
        );
        self.value(page, &middle)
    }

    fn mouse(&mut self, page: &Page, kind: &str, at: &Json) {
        let buttons = u8::from(kind != "mouseReleased");
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params =
            json!({ "type": kind, "x": at[0], "y": at[1], "button": button, "buttons": buttons, "clickCount": 1 });
        self.ask(Some(&page.session), "Input.dispatchMouseEvent", params);
    }

    /// Sets the size of a page's window, and whether it prefers dark colors.
    pub fn show_as(&mut self, page: &Page, width: u32, height: u32, is_dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask(Some(&page.session), "Emulation.setDeviceMetricsOverride", size);
        self.prefer(page, if is_dark { "dark" } else { "light" }, true);
    }

    /// Makes a page that of a phone, where fingers touch.
    pub fn show_as_phone(&mut self, page: &Page, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.ask(Some(&page.session), "Emulation.setDeviceMetricsOverride", size);
        let touch = json!({ "enabled": true, "maxTouchPoints": 5 });
        self.ask(Some(&page.session), "Emulation.setTouchEmulationEnabled", touch);
    }

    /// A screenshot of a page as WebP in base 64.
    pub fn screenshot(&mut self, page: &Page) -> String {
        let format = json!({ "format": "webp", "quality": 82 });
        let shot = self.ask(Some(&page.session), "Page.captureScreenshot", format);
        shot["data"].as_str().unwrap().to_owned()
    }

    /// A screenshot of a page as PNG in base 64.
    pub fn png(&mut self, page: &Page) -> String {
        let shot = self.ask(Some(&page.session), "Page.captureScreenshot", json!({ "format": "png" }));
        shot["data"].as_str().unwrap().to_owned()
    }

    /// The errors and warnings of a page since the last call, and its requests that failed.
    pub fn complaints(&mut self, page: &Page) -> Vec<String> {
        self.value(page, "1");
        let (own, others) = self.complaints.drain(..).partition(|(session, _)| *session == page.session);
        self.complaints = others;
        let own: Vec<(String, String)> = own;
        own.into_iter().map(|(_, text)| text).collect()
    }

    /// Presses a key.
    pub fn press(&mut self, page: &Page, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let code = match key {
                "Enter" => 13,
                "Escape" => 27,
                "Tab" => 9,
                _ => 0,
            };
            let mut params = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && key == "Enter" {
                params["text"] = "\r".into();
            } else if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.ask(Some(&page.session), "Input.dispatchKeyEvent", params);
        }
    }

    /// Everything that a page has received.
    pub fn traffic(&mut self, page: &Page) -> String {
        self.value(page, "1");
        let own: BTreeMap<String, ()> = self
            .finished
            .iter()
            .filter(|(session, _)| *session == page.session)
            .map(|(_, id)| (id.clone(), ()))
            .collect();
        let mut all = String::new();
        for id in own.keys() {
            let body = self.ask(Some(&page.session), "Network.getResponseBody", json!({ "requestId": id }));
            all.push_str(body["body"].as_str().unwrap());
            all.push('\n');
        }
        all
    }
}

/// What an event of the protocol says about what goes wrong in a page.
fn complaint(event: &Json) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(params["exceptionDetails"].to_string()),
        "Runtime.consoleAPICalled" if ["error", "warning", "assert"].contains(&params["type"].as_str()?) => {
            Some(params["args"].to_string())
        }
        "Log.entryAdded" if ["error", "warning"].contains(&params["entry"]["level"].as_str()?) => {
            Some(format!("{} {}", params["entry"]["text"], params["entry"]["url"]))
        }
        _ => None,
    }
}
