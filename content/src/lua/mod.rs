//! Scripts, read without running them: syntax, names, types.
//!
//! The API is small and regular, every module of the packs is at hand, and what the kernel hands to hooks is declared.
//! So types need no annotations: they are what flows through all scripts from hooks, results of the API and constants.
//! What cannot be known may be anything, and is not complained of.

mod calls;
mod facts;
mod lexer;
mod program;
mod props;
mod report;
mod syntax;
mod types;
mod visit;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::facts::Facts;
use crate::cache::Cache;
use crate::diagnostic::{Diagnostic, Span};
use crate::digest::Digest;
use crate::merge::Merged;

/// Stack of the thread that reads scripts: as deep as they may be nested, in unoptimised builds too.
const STACK: usize = 64 << 20;

/// What a script speaks of.
#[derive(Debug, Default)]
pub struct Spoken {
    /// Its names.
    pub names: BTreeSet<String>,
    /// Its texts.
    pub texts: BTreeSet<String>,
    /// Modules it imports by name.
    pub imports: BTreeSet<String>,
}

/// What a script speaks of; broken ones as far as they can be read.
pub fn spoken(text: &str) -> Spoken {
    use lexer::Token;
    let mut spoken = Spoken::default();
    let (tokens, _) = lexer::tokens(text);
    for (at, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) => drop(spoken.names.insert(name.clone())),
            Token::Text(text) => {
                let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at].0);
                let call = if before(1) == Some(&Token::Sign("(")) { before(2) } else { before(1) };
                if matches!(call, Some(Token::Name(name)) if name == "import") {
                    spoken.imports.insert(text.clone());
                }
                spoken.texts.insert(text.clone());
            }
            _ => {}
        }
    }
    spoken
}

/// What a script says, or why it cannot be read.
pub(crate) type Parsed = Result<Arc<syntax::Chunk>, syntax::SyntaxError>;

/// Reads a script, on a deep stack.
pub(crate) fn parse(text: &str) -> Parsed {
    syntax::parse(text).map(Arc::new)
}

/// Checks all scripts, and does something else meanwhile.
pub fn check<T>(merged: &Merged, cache: &Cache, meanwhile: impl FnOnce() -> T) -> (Vec<Diagnostic>, T) {
    let look = || {
        let facts = Facts::new(merged);
        cache.scripts_together(digest(merged, &facts), || read(merged, &facts))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, look);
        let done = meanwhile();
        // Where no thread can be had, the work is done here.
        (thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(look), done)
    })
}

/// Digest of all that [`read`] looks at.
fn digest(merged: &Merged, facts: &Facts) -> [u8; 32] {
    let scripts: Vec<_> = merged.scripts.iter().map(|script| (&script.file, &script.module, &script.text)).collect();
    let decisions: Vec<&str> = merged.ids.of("decisions").collect();
    let about = (merged.broken.spares_the_game(), merged.phases.is_empty());
    let mut digest = Digest::default();
    digest.add_hashed(&(scripts, facts, decisions, &merged.ids.unsure, about));
    digest.finish()
}

fn read(merged: &Merged, facts: &Facts) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut chunks = Vec::new();
    for script in &merged.scripts {
        match script.known.parsed() {
            Ok(chunk) => chunks.push((script, Arc::clone(chunk))),
            Err(error) => {
                let span = Span::new(&script.text, error.bytes.clone());
                let finding = Diagnostic::new("P0304", &script.file, error.message.as_str());
                findings.push(finding.at(&script.text, span).maybe_help(error.help.clone()));
            }
        }
    }
    let partial = !merged.broken.spares_the_game() || !findings.is_empty();
    let mut program = program::Program::new(merged, facts, chunks, partial);
    program.run();
    report::finish(&mut program);
    findings.append(&mut program.findings);
    findings
}

/// Names of the packs for editors: constants, names that scripts write as texts, and what `self` is.
pub fn names(merged: &Merged) -> principes_scripting::api::PackNames {
    use principes_core::catalog::PointKind;
    use principes_schemas::Holds;
    let facts = facts::Facts::new(merged);
    let classes =
        [("faction", "Faction"), ("space", "Space"), ("kind", "Kind"), ("zone", "Zone"), ("design", "Design")];
    let constants = facts::CONSTANTS.map(|(table, family, _)| {
        let class = |id: &str| match facts.counters.get(id).filter(|_| table == "counter").map(|(_, holds)| holds) {
            Some(None) => "CounterOfNumber",
            Some(Some(Holds::Space)) => "CounterOfSpace",
            Some(Some(Holds::Faction)) => "CounterOfFaction",
            Some(Some(Holds::Card)) => "CounterOfCard",
            Some(Some(Holds::Design)) => "CounterOfDesign",
            None => classes.iter().find(|(name, _)| *name == table).map_or("Counter", |(_, class)| class),
        };
        (table, merged.ids.of(family).map(|id| (id.to_owned(), class(id))).collect())
    });
    let points = |kind| facts.points.iter().filter(move |(_, p)| p.kind == kind).map(|(id, _)| id.clone()).collect();
    let keys =
        |prefix: &str| facts.holes.keys().filter_map(|key| key.strip_prefix(prefix).map(str::to_owned)).collect();
    let own = |names: &BTreeSet<String>| names.iter().cloned().collect();
    let aliases = vec![
        ("DecisionName", merged.ids.of("decisions").map(str::to_owned).collect()),
        ("QueryPoint", points(PointKind::Query)),
        ("EffectPoint", points(PointKind::Effect)),
        ("MessageKey", keys("log.")),
        ("OutcomeKey", keys("outcome.")),
        ("PropName", own(&facts.props)),
        ("StatName", own(&facts.stats)),
        ("ParamName", own(&facts.params)),
    ];
    let cards = merged.cards.iter().map(|card| ("Card", "card", &card.value.id, &card.value.params));
    let rules = merged.rules.iter().map(|rule| ("Rule", "rule", &rule.value.id, &rule.value.params));
    let this = |(class, word, id, params): (&str, &str, &principes_schemas::Id, &principes_schemas::Params)| {
        let class = format!("SelfOf{class}_{}", facts::spelt(id.as_str()));
        (class, (format!("`self` in the hooks of the {word} `{id}`."), params.keys().cloned().collect()))
    };
    let selves: BTreeMap<String, (String, Vec<String>)> = cards.chain(rules).map(this).collect();
    let selves = selves.into_iter().map(|(class, (doc, params))| (class, doc, params)).collect();
    principes_scripting::api::PackNames { constants: constants.into(), aliases, selves, overloads: vec![("prop", props::overloads(merged))] }
}
