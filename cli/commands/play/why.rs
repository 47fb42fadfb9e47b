//! `why`: where a decision comes from.

use principes_app::session::Session;
use principes_content::scenario::hook_name;
use principes_core::Frame;
use principes_core::*;

use crate::style::{self, Line};

/// Options whose keys are shown.
const OPTIONS_SHOWN: usize = 24;

/// Who asks and why: the card or rule with its text, the phase, the script, the keys of the options.
pub fn why(session: &Session, decision: &Decision, view: &View, width: usize) -> Vec<Line> {
    let words = session.words();
    let game = session.game();
    let catalog = game.catalog();
    let mut lines = Vec::new();
    let text = match decision.source {
        Value::Card(card) => words.card_text(catalog.cards[card.index()]),
        Value::Design(design) => words.card_text(design),
        Value::Rule(rule) => words.rule_text(rule),
        _ => None,
    };
    if decision.source != Value::Nil {
        let asks = words.own("play.why-asks", &[&words.value(decision.source, None)]);
        lines.push(Line::styled(style::bold(), asks));
        let wrapped = text.map(|text| style::wrap(&text, width.saturating_sub(4).max(20))).unwrap_or_default();
        lines.extend(wrapped.into_iter().map(|line| Line::plain(format!("    {line}"))));
    }
    if let Some(phase) = view.phase {
        let phase = words.named("phase", &catalog.phases[phase.index()].id);
        lines.push(Line::plain(words.own("play.why-phase", &[&phase])));
    }
    lines.push(Line::plain(words.own("play.why-decision", &[&catalog.decisions[decision.kind.index()].id])));
    // The scripts that are under way, outermost first.
    let scripts: Vec<String> = game
        .table()
        .world
        .flow()
        .iter()
        .filter_map(|frame| match frame {
            Frame::Script(script) => Some(hook_name(catalog, script.hook)),
            _ => None,
        })
        .collect();
    if !scripts.is_empty() {
        lines.push(Line::styled(style::dim(), words.own("play.why-script", &[&scripts.join(" › ")])));
    }
    lines.push(Line::styled(style::dim(), words.own("play.why-key", &[])));
    for (at, option) in decision.options.iter().enumerate().take(OPTIONS_SHOWN) {
        lines.push(Line::styled(style::dim(), format!("{:>4}  {}", at + 1, option.key(catalog))));
    }
    lines
}
