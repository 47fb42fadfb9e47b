//! A rulebook as a tree.

use std::ops::Range;
use std::sync::Arc;

use principes_findings::Code;

use super::live::LivePart;

/// The file of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFile {
    /// The id of its pack.
    pub pack: String,
    /// The language of its name.
    pub language: String,
    /// The file as users name it.
    pub file: String,
    /// Without a byte order mark.
    pub text: Arc<str>,
}

/// A part of a rulebook and its bytes in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InText<T> {
    /// What stands there.
    pub part: T,
    /// Where it is.
    pub bytes: Range<usize>,
}

/// Inline text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextRun {
    /// Words.
    Text(String),
    /// Words that stand out.
    Emphasis(Vec<TextRun>),
    /// Words that stand out more.
    Strong(Vec<TextRun>),
    /// Words as they are typed.
    Code(String),
    /// A link to the heading with this id.
    Link(InText<String>, Vec<TextRun>),
    /// A live part within a line.
    Live(InText<LivePart>),
    /// The end of a line.
    Break,
}

/// A part of the book that begins on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextBlock {
    /// The start of a section.
    Heading {
        /// From 1, the title of the book.
        level: u8,
        /// What links name, if the author chose it.
        id: Option<InText<String>>,
        /// Its words.
        title: Vec<TextRun>,
    },
    /// Lines that belong together.
    Paragraph(Vec<TextRun>),
    /// A list; an ordered one has a first number.
    List(Option<u64>, Vec<Vec<TextBlock>>),
    /// An aside.
    Quote(Vec<TextBlock>),
    /// A table: the cells of its head, and those of each row.
    Table(Vec<Vec<TextRun>>, Vec<Vec<Vec<TextRun>>>),
    /// A live part on a line of its own.
    Live(InText<LivePart>),
    /// A break between topics.
    Rule,
}

/// Why a part of a file is left out of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesViolation {
    /// What kind of mistake it is.
    pub code: Code,
    /// Where it is.
    pub bytes: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

/// A rulebook as its file describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedRules {
    /// In order.
    pub blocks: Vec<TextBlock>,
    /// What is left out.
    pub problems: Vec<RulesViolation>,
}

impl ParsedRules {
    /// Visits all live parts, in order.
    pub fn each_live<'b>(&'b self, visit: &mut dyn FnMut(&'b InText<LivePart>)) {
        for_blocks(&self.blocks, &mut |run| {
            if let Found::Live(live) = run {
                visit(live);
            }
        });
    }

    /// Visits all links, in order.
    pub fn each_link<'b>(&'b self, visit: &mut dyn FnMut(&'b InText<String>)) {
        for_blocks(&self.blocks, &mut |run| {
            if let Found::Link(link) = run {
                visit(link);
            }
        });
    }

    /// The ids of headings, in order.
    pub fn anchors(&self) -> impl Iterator<Item = &InText<String>> {
        self.blocks.iter().filter_map(|block| match block {
            TextBlock::Heading { id, .. } => id.as_ref(),
            _ => None,
        })
    }
}

/// Something that names other things.
enum Found<'b> {
    Live(&'b InText<LivePart>),
    Link(&'b InText<String>),
}

fn for_blocks<'b>(blocks: &'b [TextBlock], visit: &mut dyn FnMut(Found<'b>)) {
    for block in blocks {
        match block {
            TextBlock::Heading { title: runs, .. } | TextBlock::Paragraph(runs) => for_runs(runs, visit),
            TextBlock::List(_, items) => items.iter().for_each(|item| for_blocks(item, visit)),
            TextBlock::Quote(inner) => for_blocks(inner, visit),
            TextBlock::Table(head, rows) => {
                head.iter().chain(rows.iter().flatten()).for_each(|cell| for_runs(cell, visit));
            }
            TextBlock::Live(live) => visit(Found::Live(live)),
            TextBlock::Rule => {}
        }
    }
}

fn for_runs<'b>(runs: &'b [TextRun], visit: &mut dyn FnMut(Found<'b>)) {
    for run in runs {
        match run {
            TextRun::Emphasis(inner) | TextRun::Strong(inner) => for_runs(inner, visit),
            TextRun::Link(to, inner) => {
                visit(Found::Link(to));
                for_runs(inner, visit);
            }
            TextRun::Live(live) => visit(Found::Live(live)),
            TextRun::Text(_) | TextRun::Code(_) | TextRun::Break => {}
        }
    }
}
