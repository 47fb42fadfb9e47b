//! Comma-separated values, with the place of every cell.

/// Spreadsheets in some countries write semicolons, and some write tabs.
const SEPARATORS: [char; 3] = [',', ';', '\t'];
/// What spreadsheets take for the beginning of a formula, and the sign that keeps them from it.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', GUARD];
const GUARD: char = '\'';
/// By this mark spreadsheets know that letters are in UTF-8.
const MARK: char = '\u{feff}';

/// A cell and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The column of the file in letters, from 1.
    pub column: usize,
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

/// A text as a cell that no spreadsheet takes for a formula.
pub fn guarded(text: &str) -> String {
    if text.starts_with(FORMULA) { format!("{GUARD}{text}") } else { text.to_owned() }
}

/// The text of a cell.
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix(GUARD) {
        Some(text) if text.starts_with(FORMULA) => text,
        _ => cell,
    }
}

/// Reads rows; lines without any text are left out. An error is a cell that has no end, or that goes on behind it.
pub fn read(text: &str) -> Result<Vec<Vec<Cell>>, Cell> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let head = text.lines().next().unwrap_or_default();
    let count = |separator: &char| head.matches(*separator).count();
    // Of equal counts the first separator wins.
    let separator = SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(',');
    let mut reader = Reader { letters: text.chars().peekable(), line: 1, column: 1 };
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    while reader.letters.peek().is_some() {
        row.push(reader.cell(separator)?);
        match reader.letters.peek().copied() {
            Some(letter) if letter == separator => {
                reader.next();
                // A separator at the very end is followed by an empty cell.
                if reader.letters.peek().is_none() {
                    row.push(Cell { text: String::new(), line: reader.line, column: reader.column });
                }
            }
            _ => {
                reader.end_of_line();
                rows.push(std::mem::take(&mut row));
            }
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    rows.retain(|row: &Vec<Cell>| row.iter().any(|cell| !cell.text.is_empty()));
    Ok(rows)
}

struct Reader<'t> {
    letters: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    column: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        match letter {
            '\n' => (self.line, self.column) = (self.line + 1, 1),
            _ => self.column += 1,
        }
        Some(letter)
    }

    fn end_of_line(&mut self) {
        if self.letters.peek() == Some(&'\r') {
            self.next();
        }
        if self.letters.peek() == Some(&'\n') {
            self.next();
        }
    }

    fn cell(&mut self, separator: char) -> Result<Cell, Cell> {
        let mut cell = Cell { text: String::new(), line: self.line, column: self.column };
        if self.letters.peek() != Some(&'"') {
            while let Some(letter) =
                self.letters.peek().copied().filter(|letter| ![separator, '\n', '\r'].contains(letter))
            {
                cell.text.push(letter);
                self.next();
            }
            return Ok(cell);
        }
        self.next();
        loop {
            match self.next() {
                Some('"') if self.letters.peek() == Some(&'"') => cell.text.extend(self.next()),
                Some('"') => break,
                Some(letter) => cell.text.push(letter),
                None => return Err(cell),
            }
        }
        let is_over = self.letters.peek().is_none_or(|letter| [separator, '\n', '\r'].contains(letter));
        if is_over { Ok(cell) } else { Err(cell) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_as_they_were() {
        let rows = [
            vec!["id".to_owned(), "text".to_owned(), "last".to_owned()],
            vec!["a".to_owned(), "two\nlines, \"quoted\"; and ąę".to_owned(), String::new()],
            vec![" b ".to_owned(), guarded("=1+1"), guarded("'quoted")],
        ];
        let read = read(&write(rows.iter().map(Vec::as_slice))).unwrap();
        let texts: Vec<Vec<String>> =
            read.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect();
        assert_eq!(texts, rows);
        assert_eq!((unguarded(&rows[2][1]), unguarded(&rows[2][2])), ("=1+1", "'quoted"));
        assert_eq!((read[2][1].line, read[2][1].column), (4, 7));
    }

    #[test]
    fn other_separators_and_line_ends_are_read() {
        let rows = read("\u{feff}id;text\r\na;1,5\r\n\r\nb;\"x;y\"").unwrap();
        let texts: Vec<Vec<&str>> =
            rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect();
        assert_eq!(texts, [["id", "text"], ["a", "1,5"], ["b", "x;y"]]);
        assert_eq!(read("a,\"b").unwrap_err().column, 3);
        assert_eq!(read("a,\"b\"c\n").unwrap_err().column, 3);
    }
}
