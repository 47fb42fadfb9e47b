//! The rules as a tree without live parts.

use principes_core::DesignId;

use crate::board::SeenBoard;

/// Inline text.
#[derive(Clone, Debug, PartialEq)]
pub enum FilledRun {
    /// Words.
    Text(String),
    /// Words that stand out.
    Emphasis(Vec<FilledRun>),
    /// Words that stand out more.
    Strong(Vec<FilledRun>),
    /// Words as they are typed.
    Code(String),
    /// A link to the section with this id.
    Link(String, Vec<FilledRun>),
    /// The title of a card.
    Card(DesignId, String),
    /// The end of a line.
    Break,
}

/// A block of text.
#[derive(Clone, Debug)]
pub enum FilledBlock {
    /// Lines that belong together.
    Paragraph(Vec<FilledRun>),
    /// A list; an ordered one has a first number.
    List(Option<u64>, Vec<Vec<FilledBlock>>),
    /// An aside.
    Quote(Vec<FilledBlock>),
    /// A table: the cells of its head, and those of each row.
    Table(Vec<Vec<FilledRun>>, Vec<Vec<Vec<FilledRun>>>),
    /// Drawn cards.
    Faces(Vec<(DesignId, String)>),
    /// A picture of the board, and its title.
    Board(Box<SeenBoard>, String),
    /// A picture of the tracks, and its title.
    Tracks(Box<SeenBoard>, String),
    /// What happens in a scenario, line by line.
    Example(Vec<ExampleLine>),
    /// A break between topics.
    Rule,
}

/// What a seat chooses, or what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleLine {
    /// The seat that chooses; `None` for what happens.
    pub seat: Option<String>,
    /// The option that it takes, or the event.
    pub text: String,
}

/// A heading with what follows it.
#[derive(Clone, Debug)]
pub struct Section {
    /// What links name. Unique in the book.
    pub id: String,
    /// From 1, the title of a book.
    pub level: u8,
    /// The words of the heading.
    pub title: String,
    /// The decisions and phases that it explains.
    pub explains: Vec<String>,
    /// What it says.
    pub blocks: Vec<FilledBlock>,
}

/// The rules of a game and of the packs that are added to it.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The title of the game.
    pub title: String,
    /// In order. Empty if no pack has a rulebook.
    pub sections: Vec<Section>,
}

/// Runs without their marks.
pub fn plain(runs: &[FilledRun]) -> String {
    let one = |run: &FilledRun| match run {
        FilledRun::Text(text) | FilledRun::Code(text) | FilledRun::Card(_, text) => text.clone(),
        FilledRun::Emphasis(inner) | FilledRun::Strong(inner) | FilledRun::Link(_, inner) => plain(inner),
        FilledRun::Break => " ".to_owned(),
    };
    runs.iter().map(one).collect()
}
