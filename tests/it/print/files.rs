//! What the program writes, and where.

use std::path::Path;

use crate::common::program::{Place, code, errors};

/// A folder with a small game, which loads quickly.
fn with_game() -> Place {
    let place = Place::new();
    let made = place.run(&["new", "hills", "--kind", "game"]);
    assert_eq!(code(&made), 0, "{}", errors(&made));
    place
}

/// All files below a folder, by their paths.
fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(files(&entry.path()).iter().map(|file| format!("{name}/{file}"))),
            false => all.push(name),
        }
    }
    all.sort();
    all
}

#[test]
fn sheets_are_one_file_that_is_not_replaced_unasked() {
    let place = with_game();
    let before = files(place.path());
    let done = place.run(&["print", "--pack", "hills"]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    let new: Vec<String> = files(place.path()).into_iter().filter(|file| !before.contains(file)).collect();
    assert_eq!(new, ["hills.pdf"]);
    assert!(errors(&done).contains("hills.pdf: "), "{}", errors(&done));
    let again = place.run(&["print", "--pack", "hills"]);
    assert_eq!(code(&again), 2);
    assert!(errors(&again).contains("already exists"), "{}", errors(&again));
    assert_eq!(code(&place.run(&["print", "--pack", "hills", "--force"])), 0);
}

#[test]
fn pictures_are_written_below_their_folder_only() {
    let place = with_game();
    let before = files(place.path());
    for format in ["svg", "png"] {
        let done = place.run(&["print", "--pack", "hills", "--format", format, "--dpi", "60", "--out", format]);
        assert_eq!(code(&done), 0, "{}", errors(&done));
        let written = files(&place.file(format));
        assert!(written.iter().all(|file| file.ends_with(format)), "{written:?}");
        assert!(written.iter().any(|file| file.starts_with("board.")), "{written:?}");
        assert!(errors(&done).contains(&format!("{} files", written.len())), "{}", errors(&done));
    }
    let elsewhere = |file: &String| !file.starts_with("svg/") && !file.starts_with("png/");
    assert_eq!(files(place.path()).into_iter().filter(elsewhere).collect::<Vec<_>>(), before);
    let png = std::fs::read(place.file("png/board.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n"));
    let svg = std::fs::read_to_string(place.file("svg/board.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && !svg.contains("<text"), "letters are paths");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let place = with_game();
    std::fs::create_dir(place.file("victim")).unwrap();
    std::os::unix::fs::symlink(place.file("victim"), place.file("out")).unwrap();
    std::os::unix::fs::symlink(place.file("victim/x.pdf"), place.file("x.pdf")).unwrap();
    for args in [&["--format", "svg", "--out", "out", "--force"][..], &["--out", "x.pdf", "--force"][..]] {
        let refused = place.run(&[&["print", "--pack", "hills"], args].concat());
        assert_eq!(code(&refused), 2, "{}", errors(&refused));
        assert!(errors(&refused).contains("is a link"), "{}", errors(&refused));
    }
    std::fs::create_dir(place.file("mine")).unwrap();
    for folder in ["cards", "tokens", "tiles"] {
        std::os::unix::fs::symlink(place.file("victim"), place.file("mine").join(folder)).unwrap();
    }
    let refused = place.run(&["print", "--pack", "hills", "--format", "svg", "--out", "mine", "--force"]);
    assert_eq!(code(&refused), 2, "{}", errors(&refused));
    assert!(files(&place.file("victim")).is_empty());
}

#[test]
fn bad_arguments_are_explained() {
    let place = with_game();
    for (args, words) in [
        (&["--bleed", "11"][..], "expected a length from 0 to 10, found `11`"),
        (&["--bleed", "NaN"][..], "expected a length"),
        (&["--lang", "xx"][..], "unknown language `xx`"),
        (&["nothing-like-it"][..], "unknown name `nothing-like-it`"),
        (&["--what", "tiles"][..], "nothing of that kind to print"),
        (&["--scale", "5"][..], "from 10 to 400"),
        (&["--out", "no/such/folder/x.pdf"][..], "cannot write"),
    ] {
        let refused = place.run(&[&["print", "--pack", "hills"], args].concat());
        assert_eq!(code(&refused), 2, "{args:?}: {}", errors(&refused));
        assert!(errors(&refused).contains(words), "{args:?}: {}", errors(&refused));
        assert!(!place.file("hills.pdf").exists());
    }
}
