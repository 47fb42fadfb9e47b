//! Rulebooks as HTML.
//!
//! The elements are well-formed XML, so that a page can insert them through its XML parser. Everything from packs is
//! escaped, links lead only to sections of the same book, and no element has a style of its own.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use principes_app::packs::OpenPacks;
use principes_app::rulebook::{Book, FilledBlock, FilledRun, Section};
use principes_app::words::Words;
use principes_core::DesignId;

use crate::card::Face;
use crate::font;
use crate::theme::{self, Theme};
use crate::{base64, board, escape, tracks};

/// The style of a separate file.
const STYLE: &str = include_str!("rules.css");

/// Draws the rules of some packs.
pub struct Pages<'p> {
    packs: &'p OpenPacks,
    words: Words,
}

impl<'p> Pages<'p> {
    /// The rules of these packs in a language.
    pub fn new(packs: &'p OpenPacks, language: &str) -> Self {
        Pages { packs, words: packs.words(language) }
    }

    /// What stands below the heading of a section, as elements of XHTML.
    pub fn body(&self, section: &Section) -> String {
        let mut html = String::new();
        self.blocks(&mut html, &section.blocks);
        html
    }

    /// The whole book as one file that needs no other.
    pub fn file(&self, book: &Book, language: &str) -> String {
        let title = escape(&book.title);
        let theme = theme::style(&self.packs.loaded.look, Theme::Auto);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" \
             content=\"width=device-width\"/>\n<title>{title}</title>\n<style>{}\n{theme}\n{STYLE}</style>\n</head>\n<body>\n",
            escape(language),
            faces_of_font(),
        );
        self.contents(&mut html, book);
        let mut cards = BTreeSet::new();
        for section in &book.sections {
            let level = section.level.clamp(1, 6);
            // Writing to a string cannot fail.
            let _ = write!(html, "<section id=\"section-{}\">", escape(&section.id));
            if !section.title.is_empty() {
                let _ = write!(html, "<h{level}>{}</h{level}>", escape(&section.title));
            }
            html.push_str(&self.body(section));
            html.push_str("</section>\n");
            mentioned(&section.blocks, &mut cards);
        }
        self.cards(&mut html, &cards);
        html.push_str(&self.credits());
        html.push_str("</body>\n</html>\n");
        html
    }

    /// Who drew the symbols, as an element of XHTML; empty if the packs bring all of them.
    pub fn credits(&self) -> String {
        let credits = self.words.credits(&self.packs.loaded.look);
        credits.map_or_else(String::new, |credits| format!("<p><small>{}</small></p>", escape(&credits)))
    }

    fn contents(&self, html: &mut String, book: &Book) {
        html.push_str("<nav><ul>");
        for section in book.sections.iter().filter(|section| section.level == 2 && !section.title.is_empty()) {
            let _ =
                write!(html, "<li><a href=\"#section-{}\">{}</a></li>", escape(&section.id), escape(&section.title));
        }
        html.push_str("</ul></nav>\n");
    }

    /// The cards that links open.
    fn cards(&self, html: &mut String, cards: &BTreeSet<DesignId>) {
        if cards.is_empty() {
            return;
        }
        html.push_str("<section class=\"cards\">");
        for design in cards {
            let id = &self.packs.catalog.designs[design.index()].id;
            let _ = write!(html, "<figure id=\"card-{}\">{}</figure>", escape(id), self.face(*design));
        }
        html.push_str("</section>\n");
    }

    fn face(&self, design: DesignId) -> String {
        Face::of(self.packs, &self.words, design).draw()
    }

    fn blocks(&self, html: &mut String, blocks: &[FilledBlock]) {
        blocks.iter().for_each(|block| self.block(html, block));
    }

    fn block(&self, html: &mut String, block: &FilledBlock) {
        let (catalog, look) = (&self.packs.catalog, &self.packs.loaded.look);
        match block {
            FilledBlock::Paragraph(runs) => self.element(html, "p", runs),
            FilledBlock::List(first, items) => {
                let name = if first.is_some() { "ol" } else { "ul" };
                let _ = match first.filter(|first| *first != 1) {
                    Some(first) => write!(html, "<ol start=\"{first}\">"),
                    None => write!(html, "<{name}>"),
                };
                for item in items {
                    html.push_str("<li>");
                    self.blocks(html, item);
                    html.push_str("</li>");
                }
                let _ = write!(html, "</{name}>");
            }
            FilledBlock::Quote(inner) => {
                html.push_str("<blockquote>");
                self.blocks(html, inner);
                html.push_str("</blockquote>");
            }
            FilledBlock::Table(head, rows) => self.table(html, head, rows),
            FilledBlock::Faces(cards) => {
                html.push_str("<div class=\"faces\">");
                for (design, title) in cards {
                    let _ = write!(
                        html,
                        "<figure>{}<figcaption>{}</figcaption></figure>",
                        self.face(*design),
                        escape(title)
                    );
                }
                html.push_str("</div>");
            }
            FilledBlock::Board(seen, title) => {
                let _ = write!(
                    html,
                    "<figure class=\"board\" tabindex=\"0\">{}</figure>",
                    board::draw(catalog, look, seen, title)
                );
            }
            FilledBlock::Tracks(seen, title) => {
                let _ = write!(html, "<figure>{}</figure>", tracks::draw(look, seen, title).unwrap_or_default());
            }
            FilledBlock::Example(lines) => {
                let _ =
                    write!(html, "<div class=\"example\"><b>{}</b><ol>", escape(&self.words.own("rules.example", &[])));
                for line in lines {
                    let _ = match &line.seat {
                        Some(seat) => {
                            write!(html, "<li><b>{}</b>: {}</li>", escape(seat), escape(&line.text))
                        }
                        None => write!(html, "<li>{}</li>", escape(&line.text)),
                    };
                }
                html.push_str("</ol></div>");
            }
            FilledBlock::Rule => html.push_str("<hr/>"),
        }
    }

    fn table(&self, html: &mut String, head: &[Vec<FilledRun>], rows: &[Vec<Vec<FilledRun>>]) {
        html.push_str("<div class=\"wide\" tabindex=\"0\"><table><thead><tr>");
        head.iter().for_each(|cell| self.element(html, "th", cell));
        html.push_str("</tr></thead><tbody>");
        for row in rows {
            html.push_str("<tr>");
            row.iter().for_each(|cell| self.element(html, "td", cell));
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table></div>");
    }

    fn element(&self, html: &mut String, name: &str, runs: &[FilledRun]) {
        let _ = write!(html, "<{name}>");
        self.runs(html, runs);
        let _ = write!(html, "</{name}>");
    }

    fn runs(&self, html: &mut String, runs: &[FilledRun]) {
        for run in runs {
            match run {
                FilledRun::Text(text) => html.push_str(&escape(text)),
                FilledRun::Emphasis(inner) => self.element(html, "em", inner),
                FilledRun::Strong(inner) => self.element(html, "strong", inner),
                FilledRun::Code(text) => {
                    let _ = write!(html, "<code>{}</code>", escape(text));
                }
                FilledRun::Link(to, inner) => {
                    let _ = write!(html, "<a href=\"#section-{}\">", escape(to));
                    self.runs(html, inner);
                    html.push_str("</a>");
                }
                FilledRun::Card(design, title) => {
                    let id = escape(&self.packs.catalog.designs[design.index()].id);
                    let title = escape(title);
                    let _ = write!(html, "<a class=\"card-name\" href=\"#card-{id}\" data-opens=\"{id}\">{title}</a>");
                }
                FilledRun::Break => html.push_str("<br/>"),
            }
        }
    }
}

/// The program's font, inside the file.
fn faces_of_font() -> String {
    let styles = ["", "font-weight:700", "font-style:italic"];
    let face = |(bytes, style): (&&[u8], &str)| {
        format!("@font-face{{font-family:{};{style};src:url(data:font/ttf;base64,{})}}", font::FAMILY, base64(bytes))
    };
    font::FILES.iter().zip(styles).map(face).collect()
}

/// The cards that are named in a text.
fn mentioned(blocks: &[FilledBlock], cards: &mut BTreeSet<DesignId>) {
    let mut of_runs = |runs: &[FilledRun]| {
        let mut open: Vec<&FilledRun> = runs.iter().collect();
        while let Some(run) = open.pop() {
            match run {
                FilledRun::Card(design, _) => drop(cards.insert(*design)),
                FilledRun::Emphasis(inner) | FilledRun::Strong(inner) | FilledRun::Link(_, inner) => open.extend(inner),
                FilledRun::Text(_) | FilledRun::Code(_) | FilledRun::Break => {}
            }
        }
    };
    let mut nested: Vec<&[FilledBlock]> = Vec::new();
    for block in blocks {
        match block {
            FilledBlock::Paragraph(runs) => of_runs(runs),
            FilledBlock::Table(head, rows) => head.iter().chain(rows.iter().flatten()).for_each(|cell| of_runs(cell)),
            FilledBlock::List(_, items) => nested.extend(items.iter().map(Vec::as_slice)),
            FilledBlock::Quote(inner) => nested.push(inner),
            _ => {}
        }
    }
    nested.into_iter().for_each(|inner| mentioned(inner, cards));
}
