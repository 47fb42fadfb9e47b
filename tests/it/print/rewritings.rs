//! What spreadsheets do to a table that somebody only opens and saves.

/// The rows of a table.
pub type Grid = Vec<Vec<String>>;

/// How a program writes a table.
struct Style {
    separator: char,
    line_end: &'static str,
    /// What comes before the table.
    before: &'static str,
    is_wide: bool,
    quotes_all: bool,
}

const STYLES: [Style; 7] = [
    Style { separator: ',', line_end: "\r\n", before: "\u{feff}", is_wide: false, quotes_all: false },
    Style { separator: ';', line_end: "\r\n", before: "", is_wide: false, quotes_all: false },
    Style { separator: '\t', line_end: "\r\n", before: "\u{feff}", is_wide: true, quotes_all: false },
    Style { separator: ',', line_end: "\n", before: "", is_wide: false, quotes_all: true },
    Style { separator: ';', line_end: "\r\n", before: "\u{feff}sep=;\r\n", is_wide: false, quotes_all: true },
    Style { separator: ',', line_end: "\r", before: "", is_wide: false, quotes_all: false },
    Style { separator: ';', line_end: "\n", before: "\"sep=;\"\n", is_wide: false, quotes_all: false },
];

/// What happens to single cells.
type Rewrite = fn(&str) -> String;

const CELLS: [Rewrite; 9] = [
    guessed,
    |cell| if is_number(cell) { format!("{cell}.0") } else { guessed(cell) },
    |cell| if is_number(cell) { format!("{cell},00") } else { flag(cell, ["TRUE", "FALSE"]) },
    |cell| format!(" {} ", flag(cell, ["Wahr", "Falsch"])),
    |cell| flag(cell, ["PRAWDA", "FAŁSZ"]).replace('\n', "\r\n"),
    |cell| flag(cell, ["VRAI", "FAUX"]),
    |cell| flag(cell, ["ИСТИНА", "ЛОЖЬ"]),
    |cell| flag(cell, ["1", "0"]),
    // Some spreadsheets drop the sign before a text.
    |cell| cell.strip_prefix('\'').unwrap_or(cell).to_owned(),
];

/// What happens to rows and columns.
const SHAPES: [fn(&mut Grid); 8] = [
    |_| {},
    // Empty cells at the end of a row are left out.
    |grid| grid.iter_mut().for_each(|row| row.truncate(row.iter().rposition(|cell| !cell.is_empty()).unwrap_or(0) + 1)),
    |grid| grid.iter_mut().for_each(|row| row.extend([String::new(), String::new()])),
    |grid| grid.iter_mut().for_each(|row| row.insert(1, String::new())),
    |grid| add_column(grid, "my thoughts"),
    |grid| add_column(grid, ""),
    |grid| grid.iter_mut().for_each(|row| row.reverse()),
    |grid| {
        grid[1..].reverse();
        grid.insert(2.min(grid.len()), vec![String::new(); 3]);
        grid.push(Vec::new());
    },
];

/// How many rewritings there are: each style, cell and shape is in several, next to others.
pub const COUNT: usize = 36;

/// A table as a program saves it that has only opened it.
pub fn rewritten(table: &str, number: usize) -> Vec<u8> {
    let mut grid = read(table);
    let rewrite = CELLS[number % CELLS.len()];
    grid.iter_mut().skip(1).for_each(|row| row.iter_mut().for_each(|cell| *cell = rewrite(cell)));
    SHAPES[number % SHAPES.len()](&mut grid);
    let style = &STYLES[number % STYLES.len()];
    let mut text = style.before.to_owned();
    for row in grid {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell, style)).collect();
        text.push_str(&cells.join(&style.separator.to_string()));
        text.push_str(style.line_end);
    }
    match style.is_wide {
        true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => text.into_bytes(),
    }
}

pub fn read(table: &str) -> Grid {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn quoted(cell: &str, style: &Style) -> String {
    let is_plain = !style.quotes_all && !cell.contains(['"', style.separator, '\n', '\r']);
    if is_plain { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

fn add_column(grid: &mut Grid, name: &str) {
    for (at, row) in grid.iter_mut().enumerate() {
        row.insert(2, if at == 0 { name.to_owned() } else { "hm, 5".to_owned() });
    }
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.strip_prefix('-').unwrap_or(cell).bytes().all(|digit| digit.is_ascii_digit())
}

fn flag(cell: &str, [yes, no]: [&str; 2]) -> String {
    match cell {
        "yes" => yes.to_owned(),
        "no" => no.to_owned(),
        _ => cell.to_owned(),
    }
}

/// What a spreadsheet takes a cell for when it opens a table.
fn guessed(cell: &str) -> String {
    let trimmed = cell.trim();
    let lower = trimmed.to_lowercase();
    if let Ok(number) = trimmed.replace(',', ".").parse::<f64>() {
        return number.to_string();
    }
    if ["true", "false", "wahr", "falsch", "prawda"].contains(&lower.as_str()) {
        return lower.to_uppercase();
    }
    if trimmed.starts_with(['=', '+', '-', '@']) {
        return "#NAME?".to_owned();
    }
    let parts: Vec<&str> = lower.split(['/', '-', '.', ' ', ':']).filter(|part| !part.is_empty()).collect();
    let is_month =
        |part: &&str| ["jan", "feb", "mar", "apr", "may", "maj", "dec"].iter().any(|name| part.starts_with(name));
    let is_part = |part: &&str| is_number(part) || is_month(part) || ["am", "pm", "zł"].contains(part);
    let is_date = parts.len() > 1 && parts.iter().any(|part| is_number(part)) && parts.iter().all(is_part);
    if is_date { "2026-11-27".to_owned() } else { cell.to_owned() }
}
