//! Tables as spreadsheets write them: comma-separated values in several encodings, and the place of every cell.

use csv::{ReaderBuilder, StringRecord};

/// The largest table in bytes.
pub const MOST_BYTES: u64 = 8 << 20;
/// The most cells of a table.
const MOST_CELLS: usize = 1 << 20;
/// Spreadsheets in some countries write semicolons, and some write tabs.
const SEPARATORS: [u8; 3] = *b",;\t";
/// By this mark spreadsheets know that letters are in UTF-8.
const MARK: char = '\u{feff}';
/// A row behind the last one. If the quotes of a cell are not closed, it becomes a part of that cell.
const END: &str = "\u{1}end";

/// Something wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cell}: {message}")]
pub struct TableError {
    /// The cell by the name that spreadsheets give it, such as `B7`.
    pub cell: String,
    /// What is wrong.
    pub message: String,
}

impl TableError {
    /// An error about a cell.
    pub fn at((row, column): (usize, usize), message: impl Into<String>) -> Self {
        TableError { cell: cell_name(row, column), message: message.into() }
    }
}

/// The name of a cell: letters for the column (from 0), and the number of the row (from 1).
fn cell_name(row: usize, column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{}{row}", letters.iter().rev().collect::<String>())
}

/// A row with something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number in a spreadsheet, from 1.
    pub number: usize,
    /// Its cells, without empty ones beyond the first row.
    pub cells: Vec<String>,
}

/// Writes rows.
pub fn write<'r>(rows: impl IntoIterator<Item = &'r [String]>) -> String {
    let mut text = MARK.to_string();
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    let is_plain = !cell.contains(['"', ',', ';', '\t', '\n', '\r']) && cell.trim() == cell;
    if is_plain { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

/// Reads the rows of a file. Rows without any text are left out.
///
/// # Errors
/// The file is not a table, or the quotes of a cell are not closed.
pub fn read(bytes: &[u8]) -> Result<Vec<SheetRow>, TableError> {
    let whole = |message: String| TableError::at((1, 0), message);
    if bytes.len() as u64 > MOST_BYTES {
        return Err(whole(format!("the table has more than {} MiB; import it in parts", MOST_BYTES >> 20)));
    }
    let text = text_of(bytes).map_err(whole)?;
    let (separator, text) = separator(text.strip_prefix(MARK).unwrap_or(&text));
    let text = format!("{text}\n{END}\n");
    let mut reader =
        ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let (mut rows, mut cells, mut number, mut record) = (Vec::new(), 0, 0, StringRecord::new());
    loop {
        let start = reader.position().byte() as usize;
        if !reader.read_record(&mut record).map_err(|error| whole(error.to_string()))? {
            let last: Option<SheetRow> = rows.pop();
            return match last {
                Some(SheetRow { cells, .. }) if cells == [END] => Ok(rows),
                Some(SheetRow { number, cells }) => Err(unclosed(number, cells.len())),
                None => Ok(rows),
            };
        }
        number += 1 + blank_lines(&text, start);
        let filled = (1..=record.len()).rev().find(|at| !record[at - 1].trim().is_empty()).unwrap_or(0);
        // An empty cell below a column is a cell. A spreadsheet may leave it out at the end of a row.
        let width = rows.first().map_or(filled, |head: &SheetRow| head.cells.len());
        let kept = filled.max(record.len().min(width));
        cells += kept;
        if cells > MOST_CELLS {
            return Err(whole(format!("the table has more than {MOST_CELLS} cells; import it in parts")));
        }
        if filled > 0 {
            rows.push(SheetRow { number, cells: record.iter().take(kept).map(str::to_owned).collect() });
        }
    }
}

fn unclosed(row: usize, cells: usize) -> TableError {
    TableError::at((row, cells.saturating_sub(1)), "the quotes of this cell are not closed")
}

/// The text of a file, whose encoding its first bytes tell.
fn text_of(bytes: &[u8]) -> Result<String, String> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks(2).map(|pair| unit([pair[0], *pair.get(1).unwrap_or(&0)])).collect();
        String::from_utf16(&units).map_err(|_| "the file is damaged: it is not UTF-16".to_owned())
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes)?,
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            return Err("this is a workbook; save the sheet as \"CSV UTF-8\"".to_owned());
        }
        _ => match String::from_utf8(bytes.to_vec()) {
            Ok(text) => text,
            Err(_) => return Err("the file is not UTF-8; save it as \"CSV UTF-8\"".to_owned()),
        },
    };
    match text.contains('\0') {
        true => Err("the file is not text; save the sheet as \"CSV UTF-8\"".to_owned()),
        false => Ok(text),
    }
}

/// The separator of a text, and the text without a first line `sep=;`, which only names it.
fn separator(text: &str) -> (u8, &str) {
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    let named = head.trim().trim_matches('"');
    if let (Some("sep="), Some(name)) = (named.get(..4).map(str::to_ascii_lowercase).as_deref(), named.get(4..)) {
        let rest = rest.strip_prefix('\r').unwrap_or(rest);
        let rest = rest.strip_prefix('\n').unwrap_or(rest);
        // Trimming has taken a tab away.
        return (name.bytes().next().unwrap_or(b'\t'), rest);
    }
    let count = |separator: &u8| {
        let mut is_quoted = false;
        let outside = |byte: &u8| {
            is_quoted ^= *byte == b'"';
            !is_quoted && byte == separator
        };
        head.as_bytes().iter().copied().filter(outside).count()
    };
    // Of equal counts the first separator wins.
    (SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(b','), text)
}

/// The lines without a cell between the end of a record and the next one; the end of its last line may be among them.
fn blank_lines(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let gap = &rest[..rest.find(|letter| !['\r', '\n'].contains(&letter)).unwrap_or(rest.len())];
    let is_split = text[..start].ends_with('\r') && gap.starts_with('\n');
    gap.replace("\r\n", "\n").len() - usize::from(is_split)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<Vec<String>> {
        read(bytes).unwrap().into_iter().map(|row| row.cells).collect()
    }

    #[test]
    fn cells_come_back_as_they_were() {
        let rows = [
            vec!["id".to_owned(), "text".to_owned(), "last".to_owned()],
            vec!["a".to_owned(), "two\nlines, \"quoted\"; and ąę".to_owned(), "z".to_owned()],
            vec![" b ".to_owned(), "1,5".to_owned(), "a\tb".to_owned()],
        ];
        assert_eq!(texts(write(rows.iter().map(Vec::as_slice)).as_bytes()), rows);
    }

    #[test]
    fn encodings_separators_and_line_ends_are_read() {
        let wanted = [["id", "text"], ["a", "1,5"], ["ż", "x;y"]];
        let text = "id;text\r\na;1,5\r\n\r\nż;\"x;y\"";
        let wide: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for bytes in [
            text.as_bytes(),
            format!("\u{feff}{text}").as_bytes(),
            text.replace("\r\n", "\r").as_bytes(),
            text.replace("\r\n", "\n").as_bytes(),
            format!("sep=;\r\n{text}").as_bytes(),
            format!("\"SEP=;\"\n{text};;;\n;;\n").as_bytes(),
            "id\ttext\na\t1,5\nż\tx;y".as_bytes(),
            "sep=\t\nid\ttext\na\t1,5\nż\tx;y".as_bytes(),
            &wide,
            &big,
        ] {
            assert_eq!(texts(bytes), wanted, "{}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(texts(b"\"a;b;c;d\",e\n"), [["a;b;c;d", "e"]]);
    }

    #[test]
    fn rows_have_the_numbers_that_spreadsheets_show() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "sep=,|id,text|a,\"one\ntwo\"||,|b,x||||c|".replace('|', end);
            let numbers: Vec<usize> = read(text.as_bytes()).unwrap().iter().map(|row| row.number).collect();
            assert_eq!(numbers, [1, 2, 5, 9], "{end:?}");
        }
        assert_eq!(
            [cell_name(7, 0), cell_name(1, 25), cell_name(2, 26), cell_name(3, 702)],
            ["A7", "Z1", "AA2", "AAA3"]
        );
    }

    #[test]
    fn what_is_not_a_table_is_refused() {
        for (bytes, cell, words) in [
            (&b"a,b\nc,\"d\ne,f"[..], "B2", "not closed"),
            (b"PK\x03\x04\0\0", "A1", "workbook"),
            (b"a\0b\0", "A1", "not text"),
            (b"a,\xff\n", "A1", "not UTF-8"),
            (b"\xff\xfe\x00\xd8a\0", "A1", "UTF-16"),
            (&[b','; 9 << 20], "A1", "8 MiB"),
            ("a,b\n".repeat(MOST_CELLS / 2 + 1).as_bytes(), "A1", "cells"),
        ] {
            let error = read(bytes).unwrap_err();
            assert_eq!((error.cell.as_str(), error.message.contains(words)), (cell, true), "{error}");
        }
    }
}
