//! Looks: mutated paths, pictures and fonts are checked, and what passes is drawn.

use std::collections::BTreeSet;

use principes_print::parts::{Selection, What};
use principes_print::{Format, Printer};

use super::*;

const LOOK: &str = r##"{ "looks": [ { "id": "toy",
  "symbols": { "helmet": "M4 20V10a8 8 0 0 1 16 0v10z", "wave": "M2 12q5-9 10 0t10 0c1 2 3 4-5 6s-9-1-9-3L2 14z" },
  "spaces": { "ford": { "outline": "M0 0h40v30l-9 9.5H0z", "color": "#aa2200", "symbol": "helmet" } },
  "fonts": { "text": { "family": "Vollkorn", "files": ["assets/letters.ttf"] } },
  "cards": { "ace": { "picture": "assets/ace.svg" }, "ten": { "picture": "assets/ten.png" },
             "six": { "picture": "assets/six.jpg", "symbol": "wave", "color": "#123456" } } } ] }
"##;
const CARDS: &str = r#"{ "cards": [ { "id": "ace", "type": "event", "zone": "deck" },
  { "id": "ten", "type": "event", "zone": "deck" }, { "id": "six", "type": "event", "zone": "deck" } ] }
"#;
const SHAPES: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">
  <g transform="translate(2 3) rotate(30) scale(0.5)" fill="#334455" stroke="black" stroke-width="0.5">
    <path d="M4 4h16v16H4zM1 1a5 4 30 1 0 9 9"/><rect x="1" y="2" width="3" height="4" rx="1"/>
    <circle cx="9" cy="9" r="3"/><ellipse cx="9" cy="9" rx="3" ry="2"/><polygon points="0,0 4,0 4,4"/>
    <polyline points="0 0 4 0 4 4"/><line x1="0" y1="0" x2="5" y2="5"/>
  </g>
</svg>
"##;

fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut corpus = files(&common::root().join("content/findings/explain/base"));
    let made: [(&str, &[u8]); 6] = [
        ("look.json", LOOK.as_bytes()),
        ("more.json", CARDS.as_bytes()),
        ("assets/ace.svg", SHAPES.as_bytes()),
        ("assets/ten.png", include_bytes!("../../fuzz/picture.png")),
        ("assets/six.jpg", include_bytes!("../../fuzz/picture.jpg")),
        ("assets/letters.ttf", include_bytes!("../../../draw/fonts/Vollkorn-Regular.ttf")),
    ];
    corpus.extend(made.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())));
    corpus
}

/// The game with one of its files changed.
fn pack(corpus: &[(String, Vec<u8>)], path: &str, content: &[u8]) -> Arc<dyn PackSource> {
    let with = |pack: MemoryPack, (other, own): &(String, Vec<u8>)| {
        pack.with(other, if other == path { content } else { own })
    };
    Arc::new(corpus.iter().fold(MemoryPack::new("fuzzed"), with))
}

/// Checks the game and draws its cards and its board; returns the number of pictures.
fn drawn(source: Arc<dyn PackSource>) -> usize {
    checked(std::slice::from_ref(&source));
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    let Some(loaded) = check(&[source], &options).loaded else { return 0 };
    let packs = OpenPacks::new(loaded);
    let printer = Printer::new(&packs, "en");
    let what = BTreeSet::from([What::Cards, What::Board]);
    let selection = Selection { what, only: Vec::new(), is_one_each: true, scale: 1.0 };
    let mut count = 0;
    for format in [Format::Svg, Format::Png(72.0)] {
        let _ = printer.pictures(&selection, 0.0, format, &mut |_, bytes| {
            assert!(!bytes.is_empty());
            count += 1;
            Ok(())
        });
    }
    count
}

#[test]
fn looks() {
    let corpus = corpus();
    assert!(drawn(pack(&corpus, "", b"")) > 6, "the corpus is drawn");
    let words = words();
    let looks: Vec<usize> =
        (0..corpus.len()).filter(|at| corpus[*at].0 == "look.json" || corpus[*at].0.starts_with("assets/")).collect();
    let make = |random: &mut Random| {
        let (one, other) = (looks[random.below(looks.len())], looks[random.below(looks.len())]);
        input(&corpus[one].0, random.mutate(&corpus[one].1, &corpus[other].1, &words))
    };
    fuzz("looks", make, |input| {
        let (path, content) = parts(input);
        drawn(pack(&corpus, &path, content));
    });
}
