//! Messages: every text that players see, by language and key.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use principes_json::template::{self, TemplatePart};
use principes_schemas::{MessageText, MessagesFile};

use crate::plural;

/// The language that replaces missing messages of other languages.
pub const FALLBACK: &str = "en";

/// Messages for the options that the kernel itself offers. Packs may replace them.
const KERNEL: [(&str, &str); 3] = [
    ("en", include_str!("../../locale/en.json")),
    ("de", include_str!("../../locale/de.json")),
    ("pl", include_str!("../../locale/pl.json")),
];

/// A value in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A number, which can decide the plural form.
    Int(i32),
    /// Inserted as it is.
    Text(String),
}

impl From<i32> for Arg {
    fn from(n: i32) -> Self {
        Arg::Int(n)
    }
}
impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Arg::Text(text.to_owned())
    }
}
impl From<String> for Arg {
    fn from(text: String) -> Self {
        Arg::Text(text)
    }
}

impl std::fmt::Display for Arg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Arg::Int(n) => n.fmt(f),
            Arg::Text(text) => text.fmt(f),
        }
    }
}

/// All messages of a game.
#[derive(Clone, Debug)]
pub struct Messages {
    languages: BTreeMap<String, BTreeMap<String, MessageText>>,
}

impl Default for Messages {
    /// Only the kernel's messages.
    fn default() -> Self {
        OF_THE_KERNEL.clone()
    }
}

static OF_THE_KERNEL: LazyLock<Messages> = LazyLock::new(|| {
    let mut messages = Messages { languages: BTreeMap::new() };
    for (language, text) in KERNEL {
        for (key, text) in kernel_file(text) {
            messages.insert(language, &key, text);
        }
    }
    messages
});

fn kernel_file(text: &str) -> BTreeMap<String, MessageText> {
    // The embedded files are valid, as a test proves.
    serde_json::from_str::<MessagesFile>(text).map(|file| file.messages.0).unwrap_or_default()
}

/// The end of the key of a message that explains what another message names.
pub const HELP: &str = ".help";

/// Keys of the kernel's messages.
pub fn kernel_keys() -> BTreeSet<&'static str> {
    OF_THE_KERNEL.languages.values().flat_map(|messages| messages.keys().map(String::as_str)).collect()
}

impl Messages {
    /// Adds a message, or replaces it.
    pub fn insert(&mut self, language: &str, key: &str, text: MessageText) {
        self.languages.entry(language.to_owned()).or_default().insert(key.to_owned(), text);
    }

    /// Whether a language itself has a message.
    pub fn has(&self, language: &str, key: &str) -> bool {
        self.languages.get(language).is_some_and(|messages| messages.contains_key(key))
    }

    /// Keys of the messages that differ between two collections in a language, or that only one of them has.
    pub fn changes(&self, other: &Messages, language: &str) -> BTreeSet<String> {
        let none = BTreeMap::new();
        let [ours, theirs] = [self, other].map(|messages| messages.languages.get(language).unwrap_or(&none));
        let is_other = |key: &&String| ours.get(*key) != theirs.get(*key);
        ours.keys().chain(theirs.keys()).filter(is_other).cloned().collect()
    }

    /// The keys of a language.
    pub fn keys(&self, language: &str) -> impl Iterator<Item = &str> {
        self.languages.get(language).into_iter().flat_map(|messages| messages.keys().map(String::as_str))
    }

    /// A message of a language in all its plural forms, with placeholders filled in as by [`Messages::find`].
    pub fn forms(
        &self,
        language: &str,
        key: &str,
        args: &dyn Fn(&str) -> Option<Arg>,
    ) -> Vec<(Option<&'static str>, String)> {
        match self.languages.get(language).and_then(|messages| messages.get(key)) {
            None => Vec::new(),
            Some(MessageText::Plain(text)) => vec![(None, fill(text, args))],
            Some(MessageText::Plural(plural)) => {
                let forms =
                    [("one", &plural.one), ("few", &plural.few), ("many", &plural.many), ("other", &plural.other)];
                let present = forms.into_iter().filter_map(|(name, text)| Some((Some(name), text.as_deref()?)));
                present.map(|(name, text)| (name, fill(text, args))).collect()
            }
        }
    }

    /// Languages that have any message.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.keys().map(String::as_str)
    }

    /// The message with its placeholders filled in, in the language or else in English; `None` if neither has it.
    /// Placeholders without a value stay as they are.
    pub fn find(&self, language: &str, key: &str, args: &dyn Fn(&str) -> Option<Arg>) -> Option<String> {
        let (language, text) = [language, FALLBACK]
            .into_iter()
            .find_map(|language| Some((language, self.languages.get(language)?.get(key)?)))?;
        Some(fill(variant(language, text, args), args))
    }

    /// The message with its placeholders filled in, in the language, else in English, else its key.
    pub fn text(&self, language: &str, key: &str, args: &[(&str, Arg)]) -> String {
        let lookup = |name: &str| args.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        self.find(language, key, &lookup).unwrap_or_else(|| key.to_owned())
    }
}

/// The text of a message in the plural form that fits.
fn variant<'t>(language: &str, text: &'t MessageText, args: &dyn Fn(&str) -> Option<Arg>) -> &'t str {
    let plural = match text {
        MessageText::Plain(text) => return text,
        MessageText::Plural(plural) => plural,
    };
    let form = match args(&plural.by) {
        Some(Arg::Int(n)) => plural::form(language, n),
        _ => plural::PluralForm::Other,
    };
    let exact = match form {
        plural::PluralForm::One => &plural.one,
        plural::PluralForm::Few => &plural.few,
        plural::PluralForm::Many => &plural.many,
        plural::PluralForm::Other => &plural.other,
    };
    let order = [exact, &plural.other, &plural.many, &plural.few, &plural.one];
    order.into_iter().find_map(|text| text.as_deref()).unwrap_or_default()
}

fn fill(text: &str, args: &dyn Fn(&str) -> Option<Arg>) -> String {
    let Ok(pieces) = template::parse(text) else { return text.to_owned() };
    pieces
        .into_iter()
        .map(|piece| match piece {
            TemplatePart::Text(text) => text,
            TemplatePart::Hole(name) => args(&name).map_or_else(|| format!("{{{name}}}"), |value| value.to_string()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use principes_schemas::PluralText;

    use super::*;

    #[test]
    fn kernel_words_are_the_same_in_every_language() {
        let mut keys: Vec<BTreeSet<String>> = Vec::new();
        for (language, text) in KERNEL {
            let value: serde_json::Value = serde_json::from_str(text).expect("valid JSON");
            assert_eq!(principes_json::schema::check("messages", &value), vec![], "{language}");
            let file = kernel_file(text);
            for (key, text) in &file {
                let MessageText::Plain(text) = text else { continue };
                assert!(template::parse(text).is_ok(), "{language} {key}");
            }
            keys.push(file.into_keys().collect());
        }
        assert_eq!(keys[0], keys[1]);
    }

    #[test]
    fn a_message_falls_back_to_english_and_then_to_its_key() {
        let mut messages = Messages::default();
        messages.insert("en", "a", MessageText::Plain("{x} of {y}".into()));
        assert_eq!(messages.text("pl", "a", &[("x", 3.into())]), "3 of {y}");
        assert_eq!(messages.text("pl", "b.c", &[]), "b.c");
    }

    #[test]
    fn the_plural_form_follows_the_number() {
        let mut messages = Messages::default();
        let plural = PluralText {
            by: "n".into(),
            one: Some("{n} moneta".into()),
            few: Some("{n} monety".into()),
            many: Some("{n} monet".into()),
            other: None,
        };
        messages.insert("pl", "coins", MessageText::Plural(plural));
        let say = |n: i32| messages.text("pl", "coins", &[("n", n.into())]);
        assert_eq!([say(1), say(3), say(12), say(22)], ["1 moneta", "3 monety", "12 monet", "22 monety"]);
    }
}
