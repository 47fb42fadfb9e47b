//! The declared props and options, for the analysis of scripts and the stubs of editors.

use std::collections::{BTreeMap, BTreeSet};

use principes_analysis::{Constants, Vocabulary, value_of};
use principes_model::Merged;
use principes_schemas::{Family, PropOwner, PropType};

/// The props and options that scripts may name.
pub fn vocabulary(merged: &Merged) -> Vocabulary {
    let mut all = Vocabulary::default();
    all.partial = !merged.broken.spares(&[Family::Props, Family::Decisions]);
    for prop in merged.props.iter().map(|entry| &*entry.value).filter(|prop| !prop.is_field()) {
        let ty = value_of(prop.value, prop.words.keys().map(String::as_str));
        let is_sure = prop.required || prop.default.is_some();
        all.add(prop.of, prop.key(), &ty, is_sure);
    }
    add_fields(&mut all, merged);
    for (of, key) in &merged.broken.undeclared_props {
        all.loosen(*of, key);
    }
    for entry in &merged.decisions {
        let words = entry.value.options.iter().map(ToString::to_string).collect();
        all.options.insert(entry.value.id.to_string(), words);
    }
    all
}

/// Adds the kernel's own fields, whose words the content uses or declares.
fn add_fields(all: &mut Vocabulary, merged: &Merged) {
    let factions = merged.factions.iter().map(|entry| entry.value.group.as_str()).collect();
    let spaces = merged.spaces.iter().map(|entry| entry.value.kind.as_str()).collect();
    let kinds = merged.kinds.iter().map(|entry| entry.value.class.as_str()).collect();
    let cards = merged.cards.iter().map(|entry| entry.value.card_type.as_str()).collect();
    let values: [(PropOwner, BTreeSet<&str>); 4] = [
        (PropOwner::Factions, factions),
        (PropOwner::Spaces, spaces),
        (PropOwner::Kinds, kinds),
        (PropOwner::Cards, cards),
    ];
    for (of, mut words) in values {
        let declared = merged.props.iter().filter(|entry| entry.value.of == of && entry.value.is_field());
        words.extend(declared.flat_map(|entry| entry.value.words.keys().map(String::as_str)));
        all.add_field(of, merged.broken.spares(&[of.family()]).then(|| words.into_iter()));
    }
    all.add_kernel();
}

/// The types of `prop` for the stubs of editors, with an overload for each name and type of entity.
pub fn overloads(merged: &Merged) -> Vec<String> {
    let mut found: BTreeMap<(PropOwner, &str), BTreeSet<String>> = BTreeMap::new();
    for prop in merged.props.iter().map(|entry| &*entry.value).filter(|prop| prop.of != PropOwner::Stats) {
        let values = found.entry((prop.of, prop.key())).or_default();
        match prop.value {
            PropType::Keyword => values.extend(prop.words.keys().map(|word| format!("\"{word}\""))),
            other => drop(values.insert(stub_type(other).to_owned())),
        }
        if !prop.required && prop.default.is_none() && !prop.is_field() {
            values.insert("nil".to_owned());
        }
    }
    let line = |((of, key), values): ((PropOwner, &str), BTreeSet<String>)| {
        let entity = match of {
            PropOwner::Factions => "Faction",
            PropOwner::Spaces => "Space",
            PropOwner::Kinds | PropOwner::Stats => "Kind|Piece",
            PropOwner::Cards => "Card|Design",
        };
        let values: Vec<String> = values.into_iter().collect();
        format!("fun(entity: {entity}, name: \"{key}\"): {}", values.join("|"))
    };
    found.into_iter().map(line).collect()
}

fn stub_type(value: PropType) -> &'static str {
    match value {
        PropType::Keyword | PropType::Text => "string",
        PropType::Number | PropType::Flag => "integer",
        PropType::Entity(family) => Constants::of_family(family).map_or("Handle", |constants| constants.of.class()),
    }
}
