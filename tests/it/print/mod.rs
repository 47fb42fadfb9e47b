//! Every game can be printed: sheets are PDF files of paths and letters, every copy of the box is on them once, and
//! nothing is written outside of the output folder.

mod files;
mod paper;
mod rewritings;
mod spreadsheet;
mod tabletop;

use crate::common::{Pack, options, pack, packs, toy};
use principes_app::packs::{OpenPacks, PackError};
use principes_content::{LoadOptions, Stage};
use principes_print::parts::{Part, Selection, What};
use principes_print::sheet::{A4, Duplex, LETTER, Setting};
use principes_print::{Format, PrintError, Printer};

use paper::Paper;

const WHAT: [What; 4] = [What::Cards, What::Tiles, What::Tokens, What::Board];

fn all() -> Selection {
    Selection { what: WHAT.into(), only: Vec::new(), is_one_each: false, scale: 1.0 }
}

fn cards(only: &[&str]) -> Selection {
    Selection { what: [What::Cards].into(), only: only.iter().map(|id| (*id).to_owned()).collect(), ..all() }
}

fn setting() -> Setting {
    Setting { paper: A4, bleed: 1.0, duplex: Duplex::LongEdge }
}

/// The base game.
fn base() -> OpenPacks {
    OpenPacks::new(pack("content/principes").loaded)
}

#[test]
fn a_pack_prints_with_all_its_letters() {
    print_with_all_letters([pack("mods/duello")]);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn every_pack_prints_with_all_its_letters() {
    print_with_all_letters(packs());
}

fn print_with_all_letters(packs: impl IntoIterator<Item = Pack>) {
    for pack in packs {
        let languages = pack.loaded.manifest.languages.clone();
        let name = pack.name.clone();
        let packs = OpenPacks::new(pack.loaded);
        for language in &languages {
            let printer = Printer::new(&packs, language);
            let parts = printer.parts(&all()).unwrap();
            let selection = Selection { is_one_each: true, ..all() };
            let sheets = printer.sheets(&selection, &Setting { paper: LETTER, ..setting() }).unwrap();
            let bytes = printer.pdf(&sheets).unwrap();
            assert!(printer.missing().is_empty(), "{name}: {:?}", printer.missing());
            let paper = Paper::read(&bytes);
            let pages = paper.pages();
            assert_eq!(pages.len(), sheets.len(), "{name}");
            assert_eq!(paper.count("/Subtype /Image"), 0, "{name} has no pictures of pixels");
            // Each font is embedded.
            assert_eq!(paper.count("/Type /FontDescriptor"), paper.count("/FontFile2"), "{name}");
            let text: String = pages.iter().map(|page| paper.text(page)).collect();
            for part in parts.iter().filter(|part| part.what == What::Cards) {
                // A long title takes two lines, or is cut.
                let start: String = part.title.chars().take(12).collect();
                assert!(start.split_whitespace().all(|word| text.contains(word)), "{name}: {}", part.title);
            }
        }
    }
}

#[test]
fn every_copy_in_the_box_is_printed_once() {
    let packs = base();
    let printer = Printer::new(&packs, "en");
    let copies: u32 = packs.catalog.designs.iter().map(|design| u32::from(design.copies)).sum();
    let parts = printer.parts(&cards(&[])).unwrap();
    assert_eq!(parts.iter().map(|part| part.copies).sum::<u32>(), copies);
    let sheets = printer.sheets(&cards(&[]), &Setting { duplex: Duplex::Fronts, ..setting() }).unwrap();
    let drawn: usize = sheets.iter().map(|sheet| sheet.svg.matches("<svg x=").count()).sum();
    assert_eq!(drawn, copies as usize);
    let shown: usize = sheets.iter().map(|sheet| sheet.svg.matches(">Pilgrimage</text>").count()).sum();
    assert_eq!(shown, 2, "two copies of Pilgrimage");
    // A sheet says what it holds.
    assert!(sheets.iter().any(|sheet| sheet.caption.contains("Pilgrimage")), "{:?}", sheets[0].caption);
    let tokens = Selection { what: [What::Tokens].into(), ..all() };
    let pieces: u32 = printer.parts(&tokens).unwrap().iter().map(|part| part.copies).sum();
    let named = packs
        .catalog
        .pieces
        .iter()
        .filter(|piece| packs.words("en").is_named("kind", &packs.catalog.kinds[piece.kind.index()].id));
    assert_eq!(pieces as usize, named.count());
}

/// The positions of the drawings on a sheet, with their titles.
fn places(svg: &str) -> Vec<(f64, f64, String)> {
    let number = |part: &str, key: &str| -> f64 {
        part.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let title = |part: &str| part.split("<title>").nth(1).unwrap().split('<').next().unwrap().to_owned();
    svg.split("<svg x=")
        .skip(1)
        .map(|part| (number(&format!("x={part}"), "x"), number(part, " y"), title(part)))
        .collect()
}

#[test]
fn backs_are_mirrored_onto_their_fronts() {
    let packs = base();
    let printer = Printer::new(&packs, "en");
    // Court Cards and Battle Cards have different backs, and do not fill their last sheet.
    let sheets = printer.sheets(&cards(&["court", "battle", "neighbor"]), &setting()).unwrap();
    let parts = printer.parts(&cards(&[])).unwrap();
    for pair in sheets.chunks(2) {
        let [front, back] = pair else { panic!("a sheet without back") };
        let (fronts, backs) = (places(&front.svg), places(&back.svg));
        assert_eq!(fronts.len(), backs.len());
        for (x, y, title) in &fronts {
            let behind = backs.iter().find(|(bx, by, _)| (bx + x + 63.0 - 210.0).abs() < 0.01 && (by - y).abs() < 0.01);
            let behind = &behind.unwrap_or_else(|| panic!("nothing behind {title}")).2;
            let shown = |part: &&Part| part.front.drawing.contains(&format!("<title>{title}</title>"));
            let part = parts.iter().find(shown).unwrap_or_else(|| panic!("{title}"));
            let back = part.back.as_ref().unwrap();
            assert!(back.drawing.contains(&format!("<title>{behind}</title>")), "{title}: {behind}");
        }
    }
}

#[test]
fn all_cards_of_a_deck_have_the_same_back() {
    for pack in packs() {
        let name = pack.name.clone();
        let packs = OpenPacks::new(pack.loaded);
        let parts = Printer::new(&packs, "en").parts(&all()).unwrap();
        for part in parts.iter().filter(|part| part.deck.is_some()) {
            let hidden = |id: &str| {
                let design = packs.catalog.design(id).unwrap();
                let zone = packs.catalog.zone_list[packs.catalog.designs[design.index()].start.index()].0;
                packs.catalog.zones[zone.index()].visible != principes_core::catalog::Visible::Everyone
            };
            let other =
                parts.iter().find(|other| other.deck == part.deck && other.back != part.back && hidden(&other.id));
            assert!(other.is_none(), "{name}: {} and {} look different", part.id, other.unwrap().id);
        }
    }
}

#[test]
fn the_same_game_gives_the_same_bytes() {
    let print = || {
        let packs = base();
        let printer = Printer::new(&packs, "pl");
        let sheets = printer.sheets(&all(), &setting()).unwrap();
        printer.pdf(&sheets).unwrap()
    };
    assert!(print() == print());
}

#[test]
fn polish_letters_can_be_read_and_searched() {
    let packs = base();
    let printer = Printer::new(&packs, "pl");
    let sheets = printer.sheets(&cards(&["pilgrimage"]), &setting()).unwrap();
    let paper = Paper::read(&printer.pdf(&sheets).unwrap());
    let title = packs.words("pl").title("card", "pilgrimage");
    let text = paper.text(&paper.pages()[0]);
    assert!(text.contains(&title) && title.contains('ą') || title.is_ascii(), "{text}");
    let words = printer.parts(&cards(&["pilgrimage"])).unwrap()[0].text.clone();
    let first = words.split_whitespace().next().unwrap();
    assert!(text.contains(first) && text.chars().any(|letter| "ąćęłńóśźż".contains(letter)), "{text}");
}

fn open(files: &[(&str, &str)]) -> OpenPacks {
    let options = LoadOptions { until: Stage::Scripts, ..options() };
    OpenPacks::load(&[toy(files)], &options).unwrap_or_else(|error| match error {
        PackError::Broken(findings) => panic!("{findings:#?}"),
        other => panic!("{other}"),
    })
}

#[test]
fn hostile_packs_are_bounded() {
    let many: Vec<String> =
        (0..30).map(|at| format!(r#"{{ "id": "c{at}", "type": "event", "copies": 1000, "zone": "deck" }}"#)).collect();
    let cards_json = format!(r#"{{ "cards": [{}] }}"#, many.join(","));
    let words: Vec<String> = (0..30)
        .map(|at| {
            format!(
                r#""card.c{at}.title": "{}", "card.c{at}.text": "{}""#,
                "</text><script>".repeat(40),
                "long ".repeat(3000)
            )
        })
        .collect();
    let messages = format!(r#"{{ "messages": {{ {} }} }}"#, words.join(","));
    let packs = open(&[("many.json", &cards_json), ("many.en.json", &messages)]);
    let printer = Printer::new(&packs, "en");
    let error = printer.sheets(&all(), &setting()).unwrap_err();
    assert!(matches!(error, PrintError::TooMany { count: 30_000.., .. }), "{error}");
    let sheets = printer.sheets(&Selection { is_one_each: true, ..all() }, &setting()).unwrap();
    assert!(sheets.iter().all(|sheet| !sheet.svg.contains("<script")));
    let bytes = printer.pdf(&sheets).unwrap();
    assert!(bytes.len() < 4 << 20, "{} bytes", bytes.len());
    let large = Selection { what: [What::Board].into(), scale: 400.0, ..all() };
    let error = printer.sheets(&large, &setting()).unwrap_err();
    assert!(matches!(error, PrintError::TooManyPages { .. }), "{error}");
    let error = printer.pictures(&large, 1.0, Format::Png(1200.0), &mut |_, _| Ok(())).unwrap_err();
    assert!(matches!(error, PrintError::TooManyPixels(_)), "{error}");
}

#[test]
fn outlines_with_absurd_numbers_are_drawn_or_refused() {
    let look =
        r#"{ "looks": [{ "id": "odd", "spaces": { "hill": { "outline": "M-99999 -99999L99999 0L0 99999Z" } } }] }"#;
    let packs = open(&[("odd.look.json", look)]);
    let printer = Printer::new(&packs, "en");
    let board = Selection { what: [What::Board].into(), ..all() };
    match printer.sheets(&board, &setting()) {
        Ok(sheets) => {
            let bytes = printer.pdf(&sheets).unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains("NaN"));
        }
        Err(error) => assert!(matches!(error, PrintError::TooManyPages { .. }), "{error}"),
    }
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let packs = base();
    let printer = Printer::new(&packs, "en");
    let tokens = Selection { what: [What::Tokens].into(), scale: 40.0, ..all() };
    assert!(matches!(printer.sheets(&tokens, &setting()), Err(PrintError::TooLarge { .. })));
    let unknown = printer.sheets(&cards(&["pilgrimmage"]), &setting()).unwrap_err();
    assert!(unknown.to_string().contains("did you mean `pilgrimage`?"), "{unknown}");
    let nothing = Selection { what: [What::Tiles].into(), ..all() };
    assert!(matches!(printer.sheets(&nothing, &setting()), Err(PrintError::Nothing)));
}
