//! Schemas and types agree: the Rust type can read whatever a schema accepts, for every content file of the packs in
//! this repository and for mutants of each.

use std::path::{Path, PathBuf};

use crate::common;
use principes_app::setup::derive_seed;
use principes_json::schema::check;
use principes_schemas::Family;
use serde_json::{Value, json};

/// Mutants of each family in each file.
const MUTANTS: u64 = 8;

fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => json_files(&path, found),
            false if path.extension().is_some_and(|end| end == "json") => found.push(path),
            false => {}
        }
    }
}

/// The families of a file, each as a file of its own.
fn parts(path: &Path) -> Vec<(Family, Value)> {
    let text = std::fs::read_to_string(path).unwrap();
    let Ok(Value::Object(members)) = serde_json::from_str(&text) else { return Vec::new() };
    let part = |(key, value): (String, Value)| Some((Family::with_key(&key)?, json!({ key: value })));
    members.into_iter().filter_map(part).collect()
}

/// All pointers into a value, the value itself excluded.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        let pointer = format!("{at}/{key}");
        pointers(child, &pointer, found);
        found.push(pointer);
    }
}

/// The value with one part removed, or replaced by something that is often valid elsewhere.
fn mutant(value: &Value, seed: u64) -> Value {
    let mut places = Vec::new();
    pointers(value, "", &mut places);
    let pick = |list: u64, number: u64| (derive_seed(seed, number) % list) as usize;
    let pointer = &places[pick(places.len() as u64, 0)];
    let others =
        [json!(null), json!(0), json!(-1), json!(true), json!("x"), json!("each"), json!([]), json!({}), json!(1.5)];
    let mut mutant = value.clone();
    match pick(3, 1) {
        0 => {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            match mutant.pointer_mut(parent).unwrap() {
                Value::Object(members) => drop(members.remove(&key.replace("~1", "/").replace("~0", "~"))),
                Value::Array(items) => drop(items.remove(key.parse().unwrap())),
                _ => {}
            }
        }
        _ => *mutant.pointer_mut(pointer).unwrap() = others[pick(others.len() as u64, 2)].clone(),
    }
    mutant
}

#[test]
fn what_a_schema_accepts_its_type_can_read() {
    let mut files = Vec::new();
    ["content/principes", "mods"].iter().for_each(|folder| json_files(&common::root().join(folder), &mut files));
    let (mut accepted, mut refused) = (0, 0);
    for (at, path) in files.iter().enumerate() {
        for (family, part) in parts(path) {
            assert_eq!(check(family.key(), &part).len(), 0, "{}", path.display());
            let seeds = (0..MUTANTS).map(|number| derive_seed(at as u64, number));
            for value in std::iter::once(part.clone()).chain(seeds.map(|seed| mutant(&part, seed))) {
                if !check(family.key(), &value).is_empty() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                let read = family.fits(&value);
                assert!(
                    read.is_ok(),
                    "{}: the schema accepts what the type refuses: {read:?}\n{value:#}",
                    path.display()
                );
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}
