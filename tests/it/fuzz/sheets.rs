//! Tables of cards: mutated tables are imported, and what an import makes of the packs is what it says.

use principes_author::spreadsheet::{export, import, outcome};

use super::*;

fn seeds(table: &str) -> Vec<Vec<u8>> {
    let wide = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        table.as_bytes().to_vec(),
        table.replace('\n', "\r\n").replace(',', ";").into_bytes(),
        format!("sep=;\r\n{}", table.trim_start_matches('\u{feff}').replace(',', ";")).into_bytes(),
        table.replace(',', "\t").into_bytes(),
        wide,
    ]
}

#[test]
fn sheets() {
    let folder = common::root().join("content/findings/explain/base");
    let packs = OpenPacks::open(&PackRequest { paths: vec![folder], ..PackRequest::default() }).unwrap();
    let table = export(&packs, &|_| true);
    assert!(import(&packs, table.as_bytes()).is_ok_and(|import| import.changes.is_empty()), "the corpus is a table");
    let (seeds, mut words) = (seeds(&table), words());
    words.extend(["TRUE", "FALSE", "Wahr", "\"", "\"\"", ";", "sep=;", "5.0", "5,00", "1e3", "'", "luck", "copies"]);
    words.extend(["title.en", "params.gold", "\n", "\r\n", "\u{feff}", "=A1"]);
    let make = |random: &mut Random| {
        let (one, other) = (random.below(seeds.len()), random.below(seeds.len()));
        random.mutate(&seeds[one], &seeds[other], &words)
    };
    fuzz("sheets", make, |input| {
        let Ok(import) = import(&packs, input) else { return };
        let Ok(outcome) = outcome(&packs, &import) else { return };
        for (path, text) in outcome.revision.of_pack("toy") {
            assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok(), "{path}");
        }
    });
}
