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
        #[cfg(test)]
        const PATHS: &[&str] = &[$($path,)*];

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
    let text = from_sources(file).map_or(Cow::Borrowed(text), Cow::Owned);
    let text = if has_comments(file) { Cow::Owned(without_comments(&text)) } else { text };
    let bytes = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    Some(Asset { media, bytes })
}

/// Whether a file is one of our scripts.
fn has_comments(file: &str) -> bool {
    file.ends_with(".js") && !file.starts_with("vendor/")
}

/// A script without the comments that have lines of their own. The page has no use for them, and a fifth of the scripts
/// are comments: what they mean, and their types. Empty lines stay in place of them, so that errors name the right line.
fn without_comments(script: &str) -> String {
    let mut text = String::with_capacity(script.len());
    let mut is_inside = false;
    for line in script.lines() {
        let code = line.trim_start();
        let is_comment = is_inside || code.starts_with("//") || code.starts_with("/*");
        is_inside = is_comment && (is_inside || code.starts_with("/*")) && !code.contains("*/");
        // Code may follow a comment.
        text += match code.split_once("*/") {
            Some((_, code)) if is_comment && !code.is_empty() => line,
            _ if is_comment => "",
            _ => line,
        };
        text.push('\n');
    }
    text
}

#[cfg(debug_assertions)]
fn from_sources(file: &str) -> Option<String> {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(file)).ok()
}

#[cfg(not(debug_assertions))]
fn from_sources(_: &str) -> Option<String> {
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_served() {
        let script = "// What it is.\n\n/** A name. */\nconst a = 1;\n  /**\n   * Many\n   */\n  b(); // here\n\
                      /** @type {C} */ (c).d();\nconst url = \"http://e\";\n";
        let served = "\n\n\nconst a = 1;\n\n\n\n  b(); // here\n/** @type {C} */ (c).d();\nconst url = \"http://e\";\n";
        assert_eq!(without_comments(script), served);
    }

    /// A line of a template that looked like a comment would be lost.
    #[test]
    fn comments_stand_outside_of_templates() {
        let mut scripts = 0;
        for path in crate::assets::PATHS.iter().filter(|path| has_comments(&path[1..])) {
            scripts += 1;
            let (_, _, text) = embedded(path).unwrap();
            let mut ticks = 0;
            for (at, (line, served)) in text.lines().zip(without_comments(text).lines()).enumerate() {
                assert!(line == served || ticks % 2 == 0, "{path}:{}: no comment inside of a template", at + 1);
                ticks += served.matches('`').count();
            }
        }
        assert!(scripts > 40, "{scripts}");
    }

    /// The scripts are checked with the types of the versions that are served.
    #[test]
    fn the_types_of_libraries_have_their_versions() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
        let (list, installed) = (read("assets/vendor/README.md"), read("../.ci/packages"));
        let rows: Vec<Vec<&str>> = list.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        let rows: Vec<_> = rows.iter().filter(|row| row.len() > 4 && row[1].starts_with('`')).collect();
        assert!(rows.len() > 3, "{list}");
        for row in rows {
            let package = format!("{}@{}", row[2].trim_matches('`'), row[3]);
            assert!(installed.split_whitespace().any(|word| word == package), ".ci/packages installs no {package}");
        }
    }

    /// What is quoted after a mark that begins a word.
    fn quoted_after<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
        let begins =
            |at: &usize| !text[..*at].ends_with(|before: char| before.is_alphanumeric() || ".-_".contains(before));
        let found = text.match_indices(mark).map(|(at, _)| at).filter(begins);
        found.filter_map(move |at| text[at + mark.len()..].split('"').next())
    }

    /// Whether a text is made of words for people, and not of names for programs.
    fn is_sentence(text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        let is_plain = |word: &&str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase());
        let is_first =
            |word: &str| word.starts_with(|letter: char| letter.is_ascii_uppercase()) && is_plain(&&word[1..]);
        words.windows(3).any(|words| words.iter().all(is_plain))
            || words.windows(2).any(|words| is_first(words[0]) && is_plain(&words[1]))
    }

    #[test]
    fn texts_come_from_the_word_files() {
        let words = principes_app::words::own_words("en");
        let mut used = 0;
        for path in PATHS.iter().filter(|path| has_comments(&path[1..]) || **path == "/") {
            let (_, _, text) = embedded(path).unwrap();
            for mark in ["t(\"", "data-t=\"", "data-title=\"", "data-label=\"", "data-placeholder=\""] {
                for key in quoted_after(text, mark) {
                    used += 1;
                    assert!(words.contains_key(&format!("page.{key}")), "{path}: no word file has `page.{key}`");
                }
            }
            for (at, line) in without_comments(text).lines().enumerate().filter(|_| *path != "/") {
                let said = line.split(['"', '`']).skip(1).step_by(2).find(|text| is_sentence(text));
                assert_eq!(said, None, "{path}:{}: move it to app/src/words", at + 1);
            }
        }
        assert!(used > 250, "{used}");
    }
}
