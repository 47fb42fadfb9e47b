//! The characters that a terminal can show.

use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    /// Any character.
    Unicode,
    /// Only those of ASCII.
    Ascii,
}

impl Charset {
    /// Reads the character set from the environment. Only Unix terminals are limited.
    pub fn of_environment() -> Self {
        if !cfg!(unix) {
            return Charset::Unicode;
        }
        let variable = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self::of_locale(["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(variable).as_deref())
    }

    /// The character set of a locale. `None` means the locale `C`.
    fn of_locale(locale: Option<&str>) -> Self {
        let locale = locale.unwrap_or("C").to_ascii_lowercase();
        match locale.contains("utf-8") || locale.contains("utf8") {
            true => Charset::Unicode,
            false => Charset::Ascii,
        }
    }

    /// Replaces characters that cannot be shown.
    pub fn fit(self, text: &str) -> Cow<'_, str> {
        if self == Charset::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let fitted = text.chars().map(|letter| match letter {
            '▰' => "#",
            '▱' | '·' => ".",
            '│' | '┃' => "|",
            '▸' | '›' => ">",
            '→' => "->",
            '−' => "-",
            '░' => "~",
            '×' => "x",
            other => deunicode::deunicode_char(other).unwrap_or("?"),
        });
        // The table maps ASCII characters to themselves.
        Cow::Owned(fitted.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_the_character_set() {
        assert_eq!(Charset::of_locale(Some("pl_PL.UTF-8")), Charset::Unicode);
        assert_eq!(Charset::of_locale(Some("C.utf8")), Charset::Unicode);
        assert_eq!(Charset::of_locale(Some("POSIX")), Charset::Ascii);
        assert_eq!(Charset::of_locale(None), Charset::Ascii);
    }

    #[test]
    fn text_is_transliterated_to_ascii() {
        let text = "│ Władysław: Gold 5 → 4 (−1) ▰▰▱ ×2 …";
        assert_eq!(Charset::Ascii.fit(text), "| Wladyslaw: Gold 5 -> 4 (-1) ##. x2 ...");
        assert_eq!(Charset::Unicode.fit(text), text);
        assert_eq!(Charset::Ascii.fit("\u{1b}[1mbold\u{1b}[0m"), "\u{1b}[1mbold\u{1b}[0m");
    }
}
