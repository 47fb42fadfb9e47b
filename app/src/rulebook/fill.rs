//! Fills in the live parts.

use principes_core::Value;
use principes_core::catalog::Design;
use principes_findings::escape;
use principes_model::rulebook::{self as model, HelpOf, LivePart, NumberOf, ParsedRules};
use principes_model::{EntityInfo, Family, Loaded};

use serde_json::Value as Json;

use super::scene::Scenes;
use super::tree::{FilledBlock, FilledRun, Section, plain};
use crate::entity::face;
use crate::packs::{OpenPacks, PackError};
use crate::words::Words;

/// What stands where a number, a name or a picture is missing. `check` reports it.
const MISSING: &str = "?";

/// Fills in rulebooks of one game in one language.
pub struct Filler<'p> {
    packs: &'p OpenPacks,
    words: Words,
    scenes: Scenes<'p>,
    /// The pack whose book is filled in.
    pack: String,
    prefix: String,
}

impl<'p> Filler<'p> {
    pub fn new(packs: &'p OpenPacks, language: &str) -> Result<Self, PackError> {
        let scenes = Scenes::new(packs, language)?;
        Ok(Filler { packs, words: packs.words(language), scenes, pack: String::new(), prefix: String::new() })
    }

    /// The sections of the rulebook of a pack. Their ids begin with the prefix.
    pub fn sections(&mut self, book: &ParsedRules, pack: &str, prefix: &str) -> Vec<Section> {
        (self.pack, self.prefix) = (pack.to_owned(), prefix.to_owned());
        let mut sections: Vec<Section> = Vec::new();
        for block in &book.blocks {
            match block {
                model::TextBlock::Heading { level, id, title } => {
                    let title = plain(&self.runs(title));
                    let nth = sections.len() + 1;
                    let named = id.as_ref().map(|id| id.part.clone());
                    let id = named.clone().unwrap_or_else(|| format!("section-{nth}"));
                    let explains = named.into_iter().collect();
                    let id = format!("{prefix}{id}");
                    sections.push(Section { id, level: *level, title, explains, blocks: Vec::new() });
                }
                other => {
                    if sections.is_empty() {
                        let (id, title) = (format!("{prefix}section-0"), String::new());
                        sections.push(Section { id, level: 1, title, explains: Vec::new(), blocks: Vec::new() });
                    }
                    let Some(last) = sections.last_mut() else { continue };
                    match other {
                        model::TextBlock::Live(live) => match &live.part {
                            LivePart::Explains(ids) => last.explains.extend(ids.iter().cloned()),
                            live => last.blocks.extend(self.exhibit(live)),
                        },
                        other => last.blocks.extend(self.block(other)),
                    }
                }
            }
        }
        sections
    }

    fn blocks(&self, blocks: &[model::TextBlock]) -> Vec<FilledBlock> {
        blocks.iter().flat_map(|block| self.block(block)).collect()
    }

    fn block(&self, block: &model::TextBlock) -> Vec<FilledBlock> {
        let cells = |cells: &[Vec<model::TextRun>]| cells.iter().map(|cell| self.runs(cell)).collect::<Vec<_>>();
        vec![match block {
            model::TextBlock::Heading { .. } => return Vec::new(),
            model::TextBlock::Paragraph(runs) => FilledBlock::Paragraph(self.runs(runs)),
            model::TextBlock::List(first, items) => {
                FilledBlock::List(*first, items.iter().map(|item| self.blocks(item)).collect())
            }
            model::TextBlock::Quote(inner) => FilledBlock::Quote(self.blocks(inner)),
            model::TextBlock::Table(head, rows) => {
                FilledBlock::Table(cells(head), rows.iter().map(|row| cells(row)).collect())
            }
            model::TextBlock::Live(live) => return self.exhibit(&live.part),
            model::TextBlock::Rule => FilledBlock::Rule,
        }]
    }

    fn runs(&self, runs: &[model::TextRun]) -> Vec<FilledRun> {
        let run = |run: &model::TextRun| match run {
            model::TextRun::Text(text) => FilledRun::Text(escape::line(text).into_owned()),
            model::TextRun::Emphasis(inner) => FilledRun::Emphasis(self.runs(inner)),
            model::TextRun::Strong(inner) => FilledRun::Strong(self.runs(inner)),
            model::TextRun::Code(text) => FilledRun::Code(escape::line(text).into_owned()),
            model::TextRun::Link(to, inner) => FilledRun::Link(format!("{}{}", self.prefix, to.part), self.runs(inner)),
            model::TextRun::Live(live) => self.inline(&live.part),
            model::TextRun::Break => FilledRun::Break,
        };
        runs.iter().map(run).collect()
    }

    fn inline(&self, live: &LivePart) -> FilledRun {
        match live {
            LivePart::Number(number) => {
                FilledRun::Text(self.number(number).map_or_else(|| MISSING.to_owned(), |number| number.to_string()))
            }
            LivePart::Card(id) => match self.packs.catalog.design(id) {
                Some(design) => FilledRun::Card(design, self.words.title("card", id)),
                None => FilledRun::Text(MISSING.to_owned()),
            },
            LivePart::Name(Family::Rules, id) => FilledRun::Text(self.words.title("rule", id)),
            LivePart::Name(family, id) => FilledRun::Text(self.words.named(family.singular(), id)),
            _ => FilledRun::Text(String::new()),
        }
    }

    fn number(&self, number: &NumberOf) -> Option<i64> {
        if let NumberOf::Count(family, filters) = number {
            return Some(self.count(*family, filters));
        }
        let (families, id) = number.owner();
        if let NumberOf::Param(_, name) = number {
            let catalog = &self.packs.catalog;
            let card = catalog.design(id).and_then(|design| catalog.designs[design.index()].params.get(name));
            let rule = || catalog.rule(id).and_then(|rule| catalog.rules[rule.index()].params.get(name));
            return card.or_else(rule).map(|number| i64::from(*number));
        }
        let entities = self.packs.loaded.entities.iter();
        let mut own = entities.filter(|entity| families.contains(&entity.family) && entity.id == id);
        own.find_map(|entity| number.find(&entity.json))
    }

    fn count(&self, family: Family, filters: &[(String, String)]) -> i64 {
        if family == Family::Cards {
            return self.designs(filters).map(|design| i64::from(design.copies)).sum();
        }
        let entities = self.packs.loaded.entities.iter();
        let found = entities.filter(|entity| entity.family == family && selected(entity, filters));
        i64::try_from(found.count()).unwrap_or(i64::MAX)
    }

    /// A live part that stands alone.
    fn exhibit(&self, live: &LivePart) -> Vec<FilledBlock> {
        let title = || self.words.message("pack.title", &[], None).unwrap_or_default();
        let block = match live {
            LivePart::Faces(ids) => {
                let card = |id: &String| Some((self.packs.catalog.design(id)?, self.words.title("card", id)));
                Some(FilledBlock::Faces(ids.iter().filter_map(card).collect()))
            }
            LivePart::Help(help) => return self.help(help),
            LivePart::Board(None) => self.scenes.start().map(|board| FilledBlock::Board(Box::new(board), title())),
            LivePart::Board(Some(id)) => {
                self.scenes.board(&self.pack, id).map(|board| FilledBlock::Board(Box::new(board), title()))
            }
            LivePart::Tracks => self.scenes.start().map(|board| FilledBlock::Tracks(Box::new(board), title())),
            LivePart::Example(id) => self.scenes.example(&self.pack, id).map(FilledBlock::Example),
            LivePart::Entities(family, filters) => Some(self.table(*family, filters)),
            _ => None,
        };
        block.into_iter().collect()
    }

    fn help(&self, help: &HelpOf) -> Vec<FilledBlock> {
        let text = self.words.message_lines(&help.key(), &[], None).unwrap_or_default();
        text.lines().map(|line| FilledBlock::Paragraph(vec![FilledRun::Text(line.to_owned())])).collect()
    }

    fn table(&self, family: Family, filters: &[(String, String)]) -> FilledBlock {
        match family {
            Family::Cards => self.cards(filters),
            family => self.entities(family, filters),
        }
    }

    /// The cards with these values. Cards of a series are in the catalog only.
    fn designs<'s>(&'s self, filters: &'s [(String, String)]) -> impl Iterator<Item = &'s Design> {
        let catalog = &self.packs.catalog;
        let value = move |design: &Design, field: &str| match field {
            "type" => Some(catalog.symbols.name(design.card_type.index()).to_owned()),
            "zone" => Some(catalog.zones[design.start.index()].id.clone()),
            field => design.props.get(catalog.symbol(field)?).map(|value| match value {
                Value::Int(number) => number.to_string(),
                other => catalog.id_of(other),
            }),
        };
        let fits = move |design: &&Design| {
            filters.iter().all(|(field, wanted)| value(design, field).as_deref() == Some(wanted))
        };
        catalog.designs.iter().filter(fits)
    }

    /// Cards with their texts.
    fn cards(&self, filters: &[(String, String)]) -> FilledBlock {
        let mut rows = Vec::new();
        for design in self.designs(filters) {
            let Some(id) = self.packs.catalog.design(&design.id) else { continue };
            let copies = if design.copies > 1 { format!(" ×{}", design.copies) } else { String::new() };
            let text = self.words.card_text(id).unwrap_or_default();
            let title = FilledRun::Card(id, self.words.title("card", &design.id));
            rows.push(vec![vec![title, FilledRun::Text(copies)], lines(&text)]);
        }
        FilledBlock::Table(self.head(&["rules.card", "rules.text"]), rows)
    }

    /// Entities with their names and texts or numbers.
    fn entities(&self, family: Family, filters: &[(String, String)]) -> FilledBlock {
        let fits = |entity: &&EntityInfo| entity.family == family && selected(entity, filters);
        let found: Vec<&EntityInfo> = self.packs.loaded.entities.iter().filter(fits).collect();
        if family == Family::Rules {
            let row = |entity: &&EntityInfo| {
                let (title, text) = face(self.packs, &self.words, entity);
                vec![vec![FilledRun::Text(title)], lines(&text.unwrap_or_default())]
            };
            return FilledBlock::Table(self.head(&["rules.rule", "rules.text"]), found.iter().map(row).collect());
        }
        let numbers = numbers_of(&self.packs.loaded, &found);
        let mut head = self.head(&["rules.name"]);
        head.extend(numbers.iter().map(|(of, name)| vec![FilledRun::Text(self.label(of, name))]));
        let row = |entity: &&EntityInfo| {
            let mut row = vec![vec![FilledRun::Text(self.words.named(family.singular(), &entity.id))]];
            row.extend(numbers.iter().map(|(of, name)| {
                let number = entity.json.get(of).and_then(|of| of.get(name)).and_then(Json::as_i64);
                vec![FilledRun::Text(number.map_or_else(String::new, |number| number.to_string()))]
            }));
            row
        };
        FilledBlock::Table(head, found.iter().map(row).collect())
    }

    fn head(&self, keys: &[&str]) -> Vec<Vec<FilledRun>> {
        keys.iter().map(|key| vec![FilledRun::Text(self.words.own(key, &[]))]).collect()
    }

    /// The name of a stat or prop.
    fn label(&self, of: &str, name: &str) -> String {
        let prefix = if of == "stats" { "word" } else { "prop" };
        match self.words.is_named(prefix, name) {
            true => self.words.named(prefix, name),
            false => self.words.named("word", name),
        }
    }
}

fn lines(text: &str) -> Vec<FilledRun> {
    let mut runs = Vec::new();
    for line in text.lines() {
        if !runs.is_empty() {
            runs.push(FilledRun::Break);
        }
        runs.push(FilledRun::Text(line.to_owned()));
    }
    runs
}

fn selected(entity: &EntityInfo, filters: &[(String, String)]) -> bool {
    filters.iter().all(|(field, wanted)| {
        let json = &entity.json;
        let nested = |of: &str| json.get(of).and_then(|of| of.get(field));
        let found = json.get(field).or_else(|| nested("props")).or_else(|| nested("stats"));
        match found {
            Some(Json::String(text)) => text == wanted,
            Some(Json::Number(number)) => number.as_i64().is_some_and(|number| wanted.parse() == Ok(number)),
            Some(Json::Bool(yes)) => wanted.parse() == Ok(*yes),
            _ => false,
        }
    })
}

/// The stats and props that are numbers, in the order in which the packs declare them.
fn numbers_of(loaded: &Loaded, entities: &[&EntityInfo]) -> Vec<(&'static str, String)> {
    let mut numbers: Vec<(&'static str, String)> = Vec::new();
    for entity in entities {
        for of in ["stats", "props"] {
            let fields = entity.json.get(of).and_then(Json::as_object).into_iter().flatten();
            for (name, _) in fields.filter(|(_, value)| value.is_i64()) {
                if !numbers.iter().any(|known| known.0 == of && known.1 == *name) {
                    numbers.push((of, name.clone()));
                }
            }
        }
    }
    let place = |name: &str| loaded.props.iter().position(|prop| prop.id.as_str().rsplit('.').next() == Some(name));
    numbers.sort_by_key(|(_, name)| place(name));
    numbers
}
