//! A rulebook as Markdown, which is also readable in a terminal.

use std::fmt::Write as _;

use super::tree::{Book, FilledBlock, FilledRun, Section};
use crate::words::Words;

/// The rules as Markdown with numbers and names filled in. Pictures are only named.
pub fn to_markdown(book: &Book, words: &Words) -> String {
    let mut text = String::new();
    for section in &book.sections {
        add_section(&mut text, section, words);
    }
    text
}

fn add_section(text: &mut String, section: &Section, words: &Words) {
    if !section.title.is_empty() {
        let marks = "#".repeat(usize::from(section.level));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{marks} {}\n", section.title);
    }
    for block in &section.blocks {
        for line in block_lines(block, words) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
}

fn block_lines(block: &FilledBlock, words: &Words) -> Vec<String> {
    match block {
        FilledBlock::Paragraph(runs) => inline(runs).lines().map(str::to_owned).collect(),
        FilledBlock::List(first, items) => list(*first, items, words),
        FilledBlock::Quote(inner) => nested(inner, words).iter().map(|line| format!("> {line}")).collect(),
        FilledBlock::Table(head, rows) => table(head, rows),
        FilledBlock::Faces(cards) => {
            let names: Vec<&str> = cards.iter().map(|(_, name)| name.as_str()).collect();
            vec![format!("[{}: {}]", words.own("rules.cards", &[]), names.join(", "))]
        }
        FilledBlock::Board(..) => vec![format!("[{}]", words.own("rules.board", &[]))],
        FilledBlock::Tracks(..) => vec![format!("[{}]", words.own("rules.tracks", &[]))],
        FilledBlock::Example(lines) => {
            let mut all = vec![format!("> **{}**", words.own("rules.example", &[])), ">".to_owned()];
            all.extend(lines.iter().map(|line| match &line.seat {
                Some(seat) => format!("> - **{seat}**: {}", line.text),
                None => format!("> - {}", line.text),
            }));
            all
        }
        FilledBlock::Rule => vec!["---".to_owned()],
    }
}

fn nested(blocks: &[FilledBlock], words: &Words) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in blocks {
        if !lines.is_empty() && !matches!(block, FilledBlock::List(..)) {
            lines.push(String::new());
        }
        lines.extend(block_lines(block, words));
    }
    lines
}

fn list(first: Option<u64>, items: &[Vec<FilledBlock>], words: &Words) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let mark = first.map_or_else(|| "- ".to_owned(), |first| format!("{}. ", first + at as u64));
        let blank = " ".repeat(mark.len());
        for (nth, line) in nested(item, words).into_iter().enumerate() {
            lines.push(format!("{}{line}", if nth == 0 { &mark } else { &blank }));
        }
    }
    lines
}

fn table(head: &[Vec<FilledRun>], rows: &[Vec<Vec<FilledRun>>]) -> Vec<String> {
    let row = |cells: &[Vec<FilledRun>]| {
        let cells: Vec<String> = cells.iter().map(|cell| inline(cell).replace('\n', " ").replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![row(head), format!("|{}", " --- |".repeat(head.len()))];
    lines.extend(rows.iter().map(|cells| row(cells)));
    lines
}

fn inline(runs: &[FilledRun]) -> String {
    let one = |run: &FilledRun| match run {
        FilledRun::Text(text) => text.clone(),
        FilledRun::Card(_, text) => format!("*{text}*"),
        FilledRun::Code(text) => format!("`{text}`"),
        FilledRun::Emphasis(inner) => format!("*{}*", inline(inner)),
        FilledRun::Strong(inner) => format!("**{}**", inline(inner)),
        FilledRun::Link(_, inner) => inline(inner),
        FilledRun::Break => "\n".to_owned(),
    };
    runs.iter().map(one).collect()
}
