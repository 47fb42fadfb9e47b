//! Plural forms of whole numbers, after the Unicode plural rules (CLDR).

/// The forms of CLDR that English and Polish need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluralForm {
    /// `one`
    One,
    /// `few`
    Few,
    /// `many`
    Many,
    /// `other`
    Other,
}

impl PluralForm {
    /// The name in message files.
    pub fn name(self) -> &'static str {
        match self {
            PluralForm::One => "one",
            PluralForm::Few => "few",
            PluralForm::Many => "many",
            PluralForm::Other => "other",
        }
    }
}

fn language_of(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// The form of a number in a language. Languages that are not in the table have only `other`.
pub fn form(tag: &str, n: i32) -> PluralForm {
    let n = n.unsigned_abs();
    let (ones, tens) = (n % 10, n % 100);
    let few = (2..=4).contains(&ones) && !(12..=14).contains(&tens);
    match language_of(tag) {
        "en" | "de" | "nl" | "sv" | "da" | "no" | "nb" | "fi" | "et" | "hu" | "el" | "tr" if n == 1 => PluralForm::One,
        "es" | "it" | "pt" | "ca" if n == 1 => PluralForm::One,
        "fr" if n <= 1 => PluralForm::One,
        "pl" => match n {
            1 => PluralForm::One,
            _ if few => PluralForm::Few,
            _ => PluralForm::Many,
        },
        "ru" | "uk" | "be" => match n {
            _ if ones == 1 && tens != 11 => PluralForm::One,
            _ if few => PluralForm::Few,
            _ => PluralForm::Many,
        },
        "cs" | "sk" => match n {
            1 => PluralForm::One,
            2..=4 => PluralForm::Few,
            _ => PluralForm::Other,
        },
        _ => PluralForm::Other,
    }
}

/// The forms that whole numbers take in a language.
pub fn forms(tag: &str) -> Vec<PluralForm> {
    let mut forms: Vec<PluralForm> = (0..=101).map(|n| form(tag, n)).collect();
    forms.sort();
    forms.dedup();
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polish_and_english_forms() {
        let polish: Vec<&str> =
            [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 102, 112, 122, -2].map(|n| form("pl", n).name()).to_vec();
        assert_eq!(
            polish,
            [
                "many", "one", "few", "few", "many", "many", "many", "many", "many", "few", "many", "many", "few",
                "many", "few", "few"
            ]
        );
        assert_eq!(forms("pl"), [PluralForm::One, PluralForm::Few, PluralForm::Many]);
        assert_eq!(forms("en-GB"), [PluralForm::One, PluralForm::Other]);
        assert_eq!(forms("ja"), [PluralForm::Other]);
        assert_eq!(form("cs", 5), PluralForm::Other);
    }
}
