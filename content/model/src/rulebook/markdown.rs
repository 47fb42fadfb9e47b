//! Reads rulebooks: CommonMark with tables and ids of headings, without HTML, pictures and links to elsewhere.

use std::ops::Range;

use principes_findings::Code;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TextMergeWithOffset};

use super::live::LivePart;
use super::tree::{InText, ParsedRules, RulesViolation, TextBlock, TextRun};

/// The most lists, asides and emphases within each other. Deeper ones are left out, so that no walk through a book
/// runs out of stack.
pub const MOST_DEPTH: usize = 12;
/// The most problems that are noted.
const MOST_PROBLEMS: usize = 100;

/// Reads the text of a rulebook. What it must not have is left out and noted.
pub fn parse(text: &str) -> ParsedRules {
    let mut reader =
        MarkdownReader { text, open: vec![Part::new(PartKind::Book, 0..text.len())], problems: Vec::new() };
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES);
    for (event, bytes) in TextMergeWithOffset::new(parser.into_offset_iter()) {
        reader.read(event, bytes);
    }
    while reader.open.len() > 1 {
        reader.close();
    }
    let blocks = reader.open.pop().map(Part::into_blocks).unwrap_or_default();
    ParsedRules { blocks, problems: reader.problems }
}

/// What an open part is.
enum PartKind {
    Book,
    Heading(u8, Option<InText<String>>),
    Paragraph,
    List(Option<u64>),
    Item,
    Quote,
    Table,
    Row,
    Cell,
    Emphasis,
    Strong,
    Link(InText<String>),
    /// Its content is left out.
    Refused,
}

/// A part that has begun.
struct Part {
    kind: PartKind,
    bytes: Range<usize>,
    blocks: Vec<TextBlock>,
    runs: Vec<TextRun>,
    /// The items of a list.
    items: Vec<Vec<TextBlock>>,
    /// The rows of a table, or the cells of a row in a single row.
    rows: Vec<Vec<Vec<TextRun>>>,
}

impl Part {
    fn new(kind: PartKind, bytes: Range<usize>) -> Self {
        Part { kind, bytes, blocks: Vec::new(), runs: Vec::new(), items: Vec::new(), rows: Vec::new() }
    }

    /// Text directly in an item is a paragraph.
    fn into_blocks(mut self) -> Vec<TextBlock> {
        self.end_paragraph();
        self.blocks
    }

    fn end_paragraph(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        self.blocks.extend(paragraph(runs));
    }
}

/// A paragraph or, if it only has live parts that stand alone, these.
fn paragraph(runs: Vec<TextRun>) -> Vec<TextBlock> {
    let is_alone = |run: &TextRun| match run {
        TextRun::Live(live) => live.part.stands_alone(),
        TextRun::Text(text) => text.trim().is_empty(),
        _ => false,
    };
    if runs.iter().any(|run| matches!(run, TextRun::Live(_))) && runs.iter().all(is_alone) {
        let live = runs.into_iter().filter_map(|run| match run {
            TextRun::Live(live) => Some(TextBlock::Live(live)),
            _ => None,
        });
        return live.collect();
    }
    match runs.is_empty() {
        true => Vec::new(),
        false => vec![TextBlock::Paragraph(runs)],
    }
}

struct MarkdownReader<'t> {
    text: &'t str,
    open: Vec<Part>,
    problems: Vec<RulesViolation>,
}

impl MarkdownReader<'_> {
    fn top(&mut self) -> &mut Part {
        if self.open.is_empty() {
            self.open.push(Part::new(PartKind::Book, 0..0));
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn read(&mut self, event: Event<'_>, bytes: Range<usize>) {
        let is_refused = matches!(self.top().kind, PartKind::Refused);
        match event {
            Event::Start(tag) => self.begin(&tag, bytes, is_refused),
            Event::End(_) => self.close(),
            _ if is_refused => {}
            Event::Text(text) => self.text(&text, bytes),
            Event::Code(code) => self.top().runs.push(TextRun::Code(code.into_string())),
            Event::SoftBreak => self.top().runs.push(TextRun::Text(" ".to_owned())),
            Event::HardBreak => self.top().runs.push(TextRun::Break),
            Event::Rule => {
                let top = self.top();
                top.end_paragraph();
                top.blocks.push(TextBlock::Rule);
            }
            // The tag that opened it is noted.
            Event::InlineHtml(tag) if tag.starts_with("</") => {}
            Event::Html(_) | Event::InlineHtml(_) => self.refuse("HTML", bytes),
            _ => self.refuse("this", bytes),
        }
    }

    fn begin(&mut self, tag: &Tag<'_>, bytes: Range<usize>, is_refused: bool) {
        let kind = match tag {
            _ if is_refused => PartKind::Refused,
            _ if self.open.len() > MOST_DEPTH => {
                let message = format!("lists, asides and emphasis are nested more than {MOST_DEPTH} deep");
                self.note(Code::UnsuitableMarkdown, bytes.clone(), message, "nest them less deeply");
                PartKind::Refused
            }
            Tag::Paragraph => PartKind::Paragraph,
            Tag::Heading { .. } if self.open.len() > 1 => {
                let message = "a heading is inside a list or an aside";
                self.note(Code::UnsuitableMarkdown, bytes.clone(), message, "put it before the list");
                PartKind::Refused
            }
            Tag::Heading { level, id, .. } => PartKind::Heading(number(*level), self.id(id.as_deref(), &bytes)),
            Tag::BlockQuote(_) => PartKind::Quote,
            Tag::List(first) => PartKind::List(*first),
            Tag::Item => PartKind::Item,
            Tag::Table(_) => PartKind::Table,
            Tag::TableHead | Tag::TableRow => PartKind::Row,
            Tag::TableCell => PartKind::Cell,
            Tag::Emphasis => PartKind::Emphasis,
            Tag::Strong => PartKind::Strong,
            Tag::Link { dest_url, .. } => match dest_url.strip_prefix('#') {
                Some(id) => PartKind::Link(InText { part: id.to_owned(), bytes: bytes.clone() }),
                None => {
                    let help = "link to a heading of this rulebook, such as `[battle](#battle)`";
                    let message = "a link leads out of the rulebook";
                    self.note(Code::UnsuitableMarkdown, bytes.clone(), message, help);
                    PartKind::Refused
                }
            },
            Tag::HtmlBlock => self.refused("HTML", &bytes),
            Tag::Image { .. } => self.refused("pictures from files", &bytes),
            Tag::CodeBlock(_) => self.refused("code blocks", &bytes),
            _ => self.refused("this", &bytes),
        };
        if matches!(kind, PartKind::List(_) | PartKind::Quote | PartKind::Table | PartKind::Paragraph) {
            self.top().end_paragraph();
        }
        self.open.push(Part::new(kind, bytes));
    }

    /// The id of a heading, and where it is written.
    fn id(&self, id: Option<&str>, bytes: &Range<usize>) -> Option<InText<String>> {
        let id = id?;
        let heading = self.text.get(bytes.clone()).unwrap_or_default();
        let at = heading.rfind(&format!("#{id}")).map_or(bytes.start, |at| bytes.start + at + 1);
        Some(InText { part: id.to_owned(), bytes: at..at + id.len() })
    }

    fn close(&mut self) {
        // The book itself stays open.
        let Some(mut part) = (self.open.len() > 1).then(|| self.open.pop()).flatten() else { return };
        let runs = std::mem::take(&mut part.runs);
        let kind = std::mem::replace(&mut part.kind, PartKind::Refused);
        if !matches!(kind, PartKind::Paragraph | PartKind::Item) {
            self.only_within_lines(&runs);
        }
        let bytes = part.bytes.clone();
        match kind {
            PartKind::Paragraph => {
                let blocks = paragraph(runs);
                self.check_alone(&blocks);
                self.top().blocks.extend(blocks);
            }
            PartKind::Heading(level, id) => self.top().blocks.push(TextBlock::Heading { level, id, title: runs }),
            PartKind::List(first) => self.top().blocks.push(TextBlock::List(first, part.items)),
            PartKind::Item => {
                part.runs = runs;
                let blocks = part.into_blocks();
                self.check_alone(&blocks);
                self.top().items.push(blocks);
            }
            PartKind::Quote => self.top().blocks.push(TextBlock::Quote(part.into_blocks())),
            PartKind::Table => {
                let mut rows = part.rows.into_iter();
                let head = rows.next().unwrap_or_default();
                self.top().blocks.push(TextBlock::Table(head, rows.collect()));
            }
            PartKind::Row => self.top().rows.extend(part.rows),
            PartKind::Cell => {
                let row = &mut self.top().rows;
                match row.first_mut() {
                    Some(cells) => cells.push(runs),
                    None => row.push(vec![runs]),
                }
            }
            PartKind::Emphasis => self.top().runs.push(TextRun::Emphasis(runs)),
            PartKind::Strong => self.top().runs.push(TextRun::Strong(runs)),
            PartKind::Link(to) => self.top().runs.push(TextRun::Link(InText { bytes, ..to }, runs)),
            PartKind::Refused | PartKind::Book => {}
        }
    }

    /// Notes live parts within a line that must stand alone.
    fn check_alone(&mut self, blocks: &[TextBlock]) {
        for block in blocks {
            if let TextBlock::Paragraph(runs) = block {
                self.only_within_lines(runs);
            }
        }
    }

    fn only_within_lines(&mut self, runs: &[TextRun]) {
        for run in runs {
            if let TextRun::Live(live) = run
                && live.part.stands_alone()
            {
                let message = "this live part must be on a line of its own";
                let help = "put an empty line before and after it";
                self.note(Code::UnsuitableLivePart, live.bytes.clone(), message, help);
            }
        }
    }

    /// Divides a text into words and live parts.
    fn text(&mut self, text: &str, bytes: Range<usize>) {
        let mut rest = text;
        let mut from = bytes.start;
        while let Some(at) = rest.find("{{") {
            let (before, begun) = rest.split_at(at);
            self.words(before);
            let start =
                self.text.get(from..bytes.end).and_then(|source| source.find("{{")).map_or(from, |at| from + at);
            let Some(end) = begun.find("}}") else {
                let help = "close it with `}}` on the same line";
                self.note(Code::UnsuitableLivePart, start..bytes.end, "a live part is not closed", help);
                return;
            };
            let span = start..(start + end + 2).min(bytes.end);
            match LivePart::parse(&begun[2..end]) {
                Ok(part) => self.top().runs.push(TextRun::Live(InText { part, bytes: span.clone() })),
                Err((message, help)) => self.note(Code::UnsuitableLivePart, span.clone(), message, help),
            }
            from = span.end;
            rest = &begun[end + 2..];
        }
        self.words(rest);
    }

    fn words(&mut self, text: &str) {
        if !text.is_empty() {
            self.top().runs.push(TextRun::Text(text.to_owned()));
        }
    }

    fn refused(&mut self, what: &str, bytes: &Range<usize>) -> PartKind {
        self.refuse(what, bytes.clone());
        PartKind::Refused
    }

    fn refuse(&mut self, what: &str, bytes: Range<usize>) {
        let help = "write headings, paragraphs, lists, tables, asides and live parts";
        self.note(Code::UnsuitableMarkdown, bytes, format!("a rulebook cannot have {what}"), help);
    }

    fn note(&mut self, code: Code, bytes: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(RulesViolation { code, bytes, message: message.into(), help: help.into() });
        }
    }
}

fn number(level: HeadingLevel) -> u8 {
    // H1 is 1.
    level as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::NumberOf;

    fn words(text: &str) -> Vec<TextRun> {
        vec![TextRun::Text(text.to_owned())]
    }

    fn problems(text: &str) -> Vec<(String, &str)> {
        let found = parse(text).problems;
        found.into_iter().map(|problem| (problem.message, text.get(problem.bytes).unwrap_or("?"))).collect()
    }

    #[test]
    fn a_book_is_a_list_of_blocks() {
        let text = "# Rules {#rules}\n\nA *good* **game**.\n\n1. one\n2. two\n   - inner\n\n> aside\n\n---\n\n| a | b |\n| - | - |\n| 1 | `x` |\n";
        let book = parse(text);
        assert_eq!(book.problems, Vec::new());
        assert_eq!(
            book.anchors().map(|id| (id.part.as_str(), &text[id.bytes.clone()])).collect::<Vec<_>>(),
            [("rules", "rules")]
        );
        let inner = TextBlock::List(None, vec![vec![TextBlock::Paragraph(words("inner"))]]);
        let list = vec![vec![TextBlock::Paragraph(words("one"))], vec![TextBlock::Paragraph(words("two")), inner]];
        assert_eq!(book.blocks[2], TextBlock::List(Some(1), list));
        assert_eq!(book.blocks[3], TextBlock::Quote(vec![TextBlock::Paragraph(words("aside"))]));
        assert_eq!(book.blocks[4], TextBlock::Rule);
        let rows = vec![vec![words("1"), vec![TextRun::Code("x".to_owned())]]];
        assert_eq!(book.blocks[5], TextBlock::Table(vec![words("a"), words("b")], rows));
    }

    #[test]
    fn live_parts_have_their_places() {
        let text = "Zażółć {{param levy gold}} and {{card levy}}.\n\n{{board}}\n{{face a b}}\n\n- {{tracks}}\n";
        let book = parse(text);
        assert_eq!(book.problems, Vec::new());
        let mut found = Vec::new();
        book.each_live(&mut |live| found.push((&live.part, &text[live.bytes.clone()])));
        let parts: Vec<&str> = found.iter().map(|(_, source)| *source).collect();
        assert_eq!(parts, ["{{param levy gold}}", "{{card levy}}", "{{board}}", "{{face a b}}", "{{tracks}}"]);
        assert_eq!(*found[0].0, LivePart::Number(NumberOf::Param("levy".into(), "gold".into())));
        assert!(matches!(book.blocks[1..], [TextBlock::Live(_), TextBlock::Live(_), TextBlock::List(..)]), "{book:?}");
    }

    #[test]
    fn code_is_not_live() {
        let mut live = 0;
        parse("`{{param levy gold}}`").each_live(&mut |_| live += 1);
        assert_eq!(live, 0);
    }

    #[test]
    fn what_does_not_belong_is_left_out_and_noted() {
        for (text, message, place) in [
            ("<script>alert(1)</script>\n", "a rulebook cannot have HTML", "<script>alert(1)</script>\n"),
            ("a <b>c</b>", "a rulebook cannot have HTML", "<b>"),
            ("![x](y.png)", "a rulebook cannot have pictures from files", "![x](y.png)"),
            ("    code\n", "a rulebook cannot have code blocks", "code\n"),
            ("[x](https://e.org)", "a link leads out of the rulebook", "[x](https://e.org)"),
            ("[x](javascript:alert)", "a link leads out of the rulebook", "[x](javascript:alert)"),
            ("- # head\n", "a heading is inside a list or an aside", "# head\n"),
            ("a {{tracks}} b", "this live part must be on a line of its own", "{{tracks}}"),
            ("# A {{board}}", "this live part must be on a line of its own", "{{board}}"),
            ("a {{param x", "a live part is not closed", "{{param x"),
            ("é {{nothing}}", "unknown live part `nothing`", "{{nothing}}"),
        ] {
            let found = problems(text);
            assert_eq!(found.first().map(|(message, at)| (message.as_str(), *at)), Some((message, place)), "{text}");
        }
        let book = parse("<script>alert(1)</script>\n\n![x](y.png)\n");
        assert!(!format!("{:?}", book.blocks).contains("alert"), "{book:?}");
    }

    #[test]
    fn deep_nests_are_cut() {
        for text in ["> ".repeat(50_000), "- ".repeat(20_000), "*a _b ".repeat(5_000), "[".repeat(50_000)] {
            let book = parse(&format!("{text}x"));
            assert!(format!("{book:?}").len() < 2_000_000);
            assert!(book.problems.len() <= MOST_PROBLEMS);
        }
        assert_eq!(problems(&format!("{}x", "> ".repeat(MOST_DEPTH + 1))).len(), 1);
    }
}
