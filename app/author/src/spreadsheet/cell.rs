//! What spreadsheets do to cells: they take texts for formulas, dates, numbers and flags, and write those in their own
//! way.

/// What spreadsheets take for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
/// The sign that keeps spreadsheets from reading a text as anything else.
const GUARD: char = '\'';
/// `N/A` in the languages of spreadsheets.
const NOT_AVAILABLE: [&str; 6] = ["N/A", "NV", "N/D", "N/B", "ND", "\u{41d}/\u{414}"];
/// How flags are written: words that no spreadsheet takes for its own, in any language.
pub const FLAGS: [&str; 2] = ["no", "yes"];

/// The words for false and true in the languages of spreadsheets, and in other programs.
const FLAG_WORDS: [[&str; 2]; 26] = [
    FLAGS,
    ["false", "true"],
    ["0", "1"],
    ["falsch", "wahr"],
    ["fałsz", "prawda"],
    ["faux", "vrai"],
    ["falso", "verdadero"],
    ["falso", "vero"],
    ["falso", "verdadeiro"],
    ["fals", "cert"],
    ["fals", "adevărat"],
    ["onwaar", "waar"],
    ["falskt", "sant"],
    ["falsk", "sand"],
    ["usann", "sann"],
    ["epätosi", "tosi"],
    ["nepravda", "pravda"],
    ["hamis", "igaz"],
    ["laž", "istina"],
    ["väär", "tõene"],
    ["ложь", "истина"],
    ["хибність", "істина"],
    ["лъжа", "истина"],
    ["yanlış", "doğru"],
    ["ψευδής", "αληθής"],
    ["ψευδησ", "αληθησ"],
];

/// The first letters of the names of months in the languages of spreadsheets. A number beside one is a date.
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec mär mrz mai okt dez sty lut kwi maj cze lip sie \
    wrz paź lis gru fév fev avr jui aoû déc ene abr ago dic gen mag giu lug set ott out maa mei des led úno bře dub \
    kvě čer čvc srp zář říj pro már ápr máj sze tam hel huh tou kes hei elo syy lok mar jou ian iun iul noi oca şub \
    nis haz tem ağu eyl eki kas ara янв фев мар апр май мая июн июл авг сен окт ноя дек січ лют бер кві тра чер лип \
    сер вер жов гру яну юни юли ное ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ";

/// A text as a cell that every spreadsheet shows and saves as it is.
pub fn guarded(text: &str) -> String {
    if is_rewritten(text) { format!("{GUARD}{text}") } else { text.to_owned() }
}

/// The text of a cell.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(GUARD).filter(|text| is_rewritten(text)).unwrap_or(cell)
}

/// Whether a cell has what a spreadsheet shows where it cannot: `#NAME?`, `#N/A`, `Err:508`, or `###` in a narrow column.
pub fn is_failure(cell: &str) -> bool {
    let Some(rest) = cell.strip_prefix('#') else {
        let number = cell.strip_prefix("Err:").unwrap_or_default();
        return !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    };
    let is_shouted = !rest.is_empty() && !rest.contains(char::is_lowercase) && !rest.contains(char::is_whitespace);
    let is_narrow = rest.len() > 1 && rest.bytes().all(|sign| sign == b'#');
    is_shouted && (is_narrow || rest.ends_with(['!', '?']) || NOT_AVAILABLE.contains(&rest))
}

/// Whether a spreadsheet could take a text for something else. It may be said of texts that no spreadsheet changes.
fn is_rewritten(text: &str) -> bool {
    if text.starts_with(FORMULA) || text.starts_with(GUARD) || flag(text).is_some() || is_failure(text) {
        return true;
    }
    // Numbers, dates, times and amounts have a digit and at most a few letters: `1e5`, `3 pm`, `5 zł`, `may-5`.
    let mut words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    let is_short = |word: &str| word.chars().count() <= 3;
    let is_month = |word: &str| {
        let word = word.to_lowercase();
        MONTHS.split_whitespace().any(|month| word.starts_with(month))
    };
    text.contains(char::is_numeric) && words.all(|word| is_short(word) || is_month(word))
}

/// The flag that a cell means.
pub fn flag(text: &str) -> Option<bool> {
    // The dotted capital I of Turkish becomes two letters, of which the second is a mark.
    let text: String = text.trim().to_lowercase().chars().filter(|letter| *letter != '\u{307}').collect();
    // A column of numbers may show zeros behind a point.
    let text = whole(&text).map_or(text, |number| number.to_string());
    FLAG_WORDS.iter().find_map(|[no, yes]| match () {
        () if text == *yes => Some(true),
        () if text == *no => Some(false),
        () => None,
    })
}

/// The whole number that a cell means, with any sign for minus, and zeros behind a point or comma.
///
/// # Errors
/// What is wrong, and how to write it.
pub fn whole(text: &str) -> Result<i64, String> {
    let wrong = || format!("expected a whole number, found `{text}`");
    let plain = text.trim().replace('\u{2212}', "-");
    let (number, zeros) = plain.split_once(['.', ',']).unwrap_or((&plain, ""));
    if !zeros.bytes().all(|digit| digit == b'0') {
        return Err(wrong());
    }
    // In some countries 5.000 is five, in others five thousand.
    match zeros.len() {
        3 if !number.trim_start_matches(['-', '+', '0']).is_empty() => {
            Err(format!("`{text}` can mean `{number}` or `{number}{zeros}`; write one of them"))
        }
        _ => number.parse().map_err(|_| wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_like_something_else_are_guarded() {
        for text in [
            "=1+1", "+5", "-", "@x", "'quoted", "007", "1/2", "1-2", "MAR1", "may-5", "5 maja", "3 pm", "1e5", "5 zł",
            "50%", "1 000", "12:30", "TRUE", "Prawda", "yes", " 5 ", "5. März", "#NAME?", "#N/A", "###", "Err:508",
        ] {
            let cell = guarded(text);
            assert!(cell.starts_with(GUARD), "{text}");
            assert_eq!(unguarded(&cell), text);
        }
        for text in
            ["", "Gain 5 gold", "knight-2", "two-cities", "Louis 14th", "may", "x", "'t is so", "#1", "#free", "No. 1!"]
        {
            assert_eq!(unguarded(text), text);
        }
        for text in ["Gain 5 gold", "knight-2", "may", "card:windfall"] {
            assert_eq!(guarded(text), text, "spreadsheets leave it alone");
        }
    }

    #[test]
    fn flags_and_numbers_are_read_as_spreadsheets_write_them() {
        for yes in ["TRUE", "True", "yes", " 1 ", "1.00", "WAHR", "PRAWDA", "VRAI", "ИСТИНА", "DOĞRU"] {
            assert_eq!(flag(yes), Some(true), "{yes}");
        }
        for no in ["FALSE", "no", "0", "0,0", "FAŁSZ", "FAUX", "ЛОЖЬ", "ONWAAR"] {
            assert_eq!(flag(no), Some(false), "{no}");
        }
        assert_eq!((flag(""), flag("maybe"), flag("2")), (None, None, None));
        for (text, number) in
            [("5", 5), ("5.0", 5), ("5,00", 5), (" 5 ", 5), ("\u{2212}5", -5), ("0.000", 0), ("+5", 5)]
        {
            assert_eq!(whole(text), Ok(number), "{text}");
        }
        for wrong in ["", "1,5", "5.000", "1 000", "five", "5.0.0", "1e3", ".", "99999999999999999999"] {
            assert!(whole(wrong).is_err(), "{wrong}");
        }
    }
}
