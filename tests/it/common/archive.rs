//! Several small files in one text, so that a test pack can be read from top to bottom.
//!
//! An archive starts with a head that says what it is for. Each file follows a line `-- path --` and ends at the next
//! such line. Blank lines at the end of a file only separate it from the next one. Angle brackets stand for bytes that
//! do not belong in a text:
//!
//! - `<EF BB BF>`: these bytes, in hexadecimal.
//! - `<*5000 ab>`: this text, repeated this many times.
//! - `<>` at the end of a line: nothing, and no line feed either.
//!
//! Any other `<` is itself.

use std::collections::BTreeMap;

/// The head of an archive, and its files by their paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    pub head: String,
    pub files: BTreeMap<String, Vec<u8>>,
}

/// The path in a line that starts a file.
fn path(line: &str) -> Option<&str> {
    line.strip_prefix("-- ")?.strip_suffix(" --")
}

impl Archive {
    /// Reads an archive. The error says what is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut sections = vec![(None, String::new())];
        for line in text.lines() {
            match (path(line), sections.last_mut()) {
                (None, Some((_, content))) => *content += &format!("{line}\n"),
                (found, _) => sections.push((found, String::new())),
            }
        }
        let mut archive = Self { head: String::new(), files: BTreeMap::new() };
        for (path, content) in sections {
            let end = content.trim_end_matches('\n');
            let content = if end.is_empty() { String::new() } else { format!("{end}\n") };
            let Some(path) = path else {
                archive.head = content;
                continue;
            };
            let inside = path.split('/').all(|part| !["", ".", ".."].contains(&part)) && !path.contains('\\');
            if !inside {
                return Err(format!("`{path}` is not a path inside the archive"));
            }
            if archive.files.insert(path.to_owned(), bytes(&content)).is_some() {
                return Err(format!("`{path}` occurs twice"));
            }
        }
        Ok(archive)
    }

    /// The archive as text.
    pub fn write(&self) -> String {
        let mut text = self.head.clone();
        for (path, content) in &self.files {
            text += &format!("\n-- {path} --\n{}", written(content));
        }
        text
    }
}

/// The bytes that a pair of angle brackets stands for; `None` if it is plain text.
fn bracketed(inner: &str) -> Option<Vec<u8>> {
    if let Some((times, text)) = inner.strip_prefix('*').and_then(|inner| inner.split_once(' ')) {
        return Some(text.repeat(times.parse().ok()?).into_bytes());
    }
    let byte = |digits: &str| u8::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 2);
    inner.split(' ').map(byte).collect()
}

/// The bytes that a text with angle brackets stands for.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        found.extend(before.bytes());
        if let Some(after) = after.strip_prefix(">\n") {
            rest = after;
            continue;
        }
        match after.split_once('>').and_then(|(inner, after)| Some((bracketed(inner)?, after))) {
            Some((bytes, after)) => {
                found.extend(bytes);
                rest = after;
            }
            None => {
                found.push(b'<');
                rest = after;
            }
        }
    }
    found.extend(rest.bytes());
    found
}

/// Whether a character can be in an archive unchanged.
fn is_plain(c: char) -> bool {
    c == '\n' || !(c.is_control() || c == '<' || matches!(c, '\u{200b}'..='\u{206f}' | '\u{feff}'))
}

/// A file's bytes as a text with angle brackets: the opposite of [`bytes`].
fn written(content: &[u8]) -> String {
    let hex = |bytes: &[u8]| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        format!("<{}>", digits.join(" "))
    };
    let mut text = String::new();
    for chunk in content.utf8_chunks() {
        for c in chunk.valid().chars() {
            text += &if is_plain(c) { c.to_string() } else { hex(c.to_string().as_bytes()) };
        }
        if !chunk.invalid().is_empty() {
            text += &hex(chunk.invalid());
        }
    }
    if text.lines().any(|line| path(line).is_some()) {
        let escaped = |line: &str| match path(line) {
            Some(_) => format!("{}{}", hex(b"-"), &line[1..]),
            None => line.to_owned(),
        };
        text = text.split('\n').map(escaped).collect::<Vec<_>>().join("\n");
    }
    // The reader would treat blank lines at the end as a separator.
    match text.strip_suffix('\n') {
        None if text.is_empty() => text,
        None => text + "<>\n",
        Some(before) if before.is_empty() || before.ends_with('\n') => format!("{before}<0A><>\n"),
        Some(_) => text,
    }
}
