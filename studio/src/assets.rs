//! The files of the page. A debug build reads them from the sources, so that they can be edited while it runs.

use std::borrow::Cow;

/// A file of the page.
pub struct Asset {
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub bytes: Cow<'static, [u8]>,
}

/// The font of drawings and prints, compressed for browsers. `draw/fonts` has its files and its license.
const FONTS: [(&str, &[u8]); 3] = [
    ("/regular.woff2", include_bytes!("../../draw/fonts/Vollkorn-Regular.woff2")),
    ("/bold.woff2", include_bytes!("../../draw/fonts/Vollkorn-Bold.woff2")),
    ("/italic.woff2", include_bytes!("../../draw/fonts/Vollkorn-Italic.woff2")),
];

macro_rules! assets {
    ($($path:literal $file:literal $media:literal;)*) => {
        fn embedded(path: &str) -> Option<(&'static str, &'static str, &'static str)> {
            match path {
                $($path => Some(($file, $media, include_str!(concat!("../assets/", $file)))),)*
                _ => None,
            }
        }
    };
}

assets! {
    "/" "index.html" "text/html; charset=utf-8";
    "/studio.css" "studio.css" "text/css; charset=utf-8";
    "/table.css" "table.css" "text/css; charset=utf-8";
    "/bench.css" "bench.css" "text/css; charset=utf-8";
    "/lobby.css" "lobby.css" "text/css; charset=utf-8";
    "/lobby.js" "lobby.js" "text/javascript; charset=utf-8";
    "/studio.js" "studio.js" "text/javascript; charset=utf-8";
    "/engine.js" "engine.js" "text/javascript; charset=utf-8";
    "/net.js" "net.js" "text/javascript; charset=utf-8";
    "/dom.js" "dom.js" "text/javascript; charset=utf-8";
    "/rulebook.css" "rulebook.css" "text/css; charset=utf-8";
    "/rulebook.js" "rulebook.js" "text/javascript; charset=utf-8";
    "/words.js" "words.js" "text/javascript; charset=utf-8";
    "/table.js" "table.js" "text/javascript; charset=utf-8";
    "/gallery.js" "gallery.js" "text/javascript; charset=utf-8";
    "/atlas.js" "atlas.js" "text/javascript; charset=utf-8";
    "/card.js" "card.js" "text/javascript; charset=utf-8";
    "/dialogs.js" "dialogs.js" "text/javascript; charset=utf-8";
    "/dice.js" "dice.js" "text/javascript; charset=utf-8";
    "/files.js" "files.js" "text/javascript; charset=utf-8";
    "/form.js" "form.js" "text/javascript; charset=utf-8";
    "/ids.js" "ids.js" "text/javascript; charset=utf-8";
    "/lab.js" "lab.js" "text/javascript; charset=utf-8";
    "/motion.js" "motion.js" "text/javascript; charset=utf-8";
    "/outline.js" "outline.js" "text/javascript; charset=utf-8";
    "/panels.js" "panels.js" "text/javascript; charset=utf-8";
    "/plot.js" "plot.js" "text/javascript; charset=utf-8";
    "/story.js" "story.js" "text/javascript; charset=utf-8";
    "/table/app.js" "table/app.js" "text/javascript; charset=utf-8";
    "/table/bar.js" "table/bar.js" "text/javascript; charset=utf-8";
    "/table/battle.js" "table/battle.js" "text/javascript; charset=utf-8";
    "/table/board.js" "table/board.js" "text/javascript; charset=utf-8";
    "/table/chips.js" "table/chips.js" "text/javascript; charset=utf-8";
    "/table/choosing.js" "table/choosing.js" "text/javascript; charset=utf-8";
    "/table/decision.js" "table/decision.js" "text/javascript; charset=utf-8";
    "/table/dock.js" "table/dock.js" "text/javascript; charset=utf-8";
    "/table/drawers.js" "table/drawers.js" "text/javascript; charset=utf-8";
    "/table/end.js" "table/end.js" "text/javascript; charset=utf-8";
    "/table/ghost.js" "table/ghost.js" "text/javascript; charset=utf-8";
    "/table/labels.js" "table/labels.js" "text/javascript; charset=utf-8";
    "/table/log.js" "table/log.js" "text/javascript; charset=utf-8";
    "/table/panzoom.js" "table/panzoom.js" "text/javascript; charset=utf-8";
    "/table/pictures.js" "table/pictures.js" "text/javascript; charset=utf-8";
    "/table/plans.js" "table/plans.js" "text/javascript; charset=utf-8";
    "/table/playback.js" "table/playback.js" "text/javascript; charset=utf-8";
    "/table/reader.js" "table/reader.js" "text/javascript; charset=utf-8";
    "/table/seats.js" "table/seats.js" "text/javascript; charset=utf-8";
    "/table/state.js" "table/state.js" "text/javascript; charset=utf-8";
    "/table/things.js" "table/things.js" "text/javascript; charset=utf-8";
    "/table/view.js" "table/view.js" "text/javascript; charset=utf-8";
    "/vendor/preact.js" "vendor/preact.js" "text/javascript; charset=utf-8";
    "/vendor/hooks.js" "vendor/hooks.js" "text/javascript; charset=utf-8";
    "/vendor/htm.js" "vendor/htm.js" "text/javascript; charset=utf-8";
    "/vendor/signals-core.js" "vendor/signals-core.js" "text/javascript; charset=utf-8";
    "/vendor/signals.js" "vendor/signals.js" "text/javascript; charset=utf-8";
}

/// The file at a path of the page.
pub fn find(path: &str) -> Option<Asset> {
    if let Some((_, bytes)) = FONTS.iter().find(|(of, _)| *of == path) {
        return Some(Asset { media: "font/woff2", bytes: Cow::Borrowed(bytes) });
    }
    let (file, media, text) = embedded(path)?;
    let bytes = from_sources(file).map_or(Cow::Borrowed(text.as_bytes()), |text| Cow::Owned(text.into_bytes()));
    Some(Asset { media, bytes })
}

#[cfg(debug_assertions)]
fn from_sources(file: &str) -> Option<String> {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(file)).ok()
}

#[cfg(not(debug_assertions))]
fn from_sources(_: &str) -> Option<String> {
    None
}
