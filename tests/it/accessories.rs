//! Accessories that the rules of a game mention but its box does not hold: packs under `tests/accessories`, each with
//! scenarios of the rules about it.

use crate::common::program::{code, errors, principes, text};

#[test]
fn the_scenarios_of_every_accessory_pass() {
    // The box of the game holds no pond.
    assert!(!std::fs::read_to_string("mods/duello/tiles/tiles.json").unwrap().contains("\"lake\""));
    let mut accessories = 0;
    for folder in std::fs::read_dir("tests/accessories").unwrap() {
        let path = folder.unwrap().path();
        let tested = principes(&["test", path.to_str().unwrap()]).output().unwrap();
        assert_eq!(code(&tested), 0, "{}{}", text(&tested), errors(&tested));
        assert!(text(&tested).contains("3 of 3 scenarios pass"), "{}", text(&tested));
        accessories += 1;
    }
    assert_eq!(accessories, 1);
}
