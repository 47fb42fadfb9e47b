//! How the program behaves towards people: a closed pipe is no error, an error is said once, and commands agree about
//! names.

use crate::common::program::{Place, code, errors, text, with_game};

#[test]
fn a_closed_pipe_is_no_error() {
    let place = with_game();
    for args in [
        &["schema"][..],
        &["api"],
        &["explain", "--list"],
        &["show", "hill", "--pack", "hills"],
        &["--help"],
        &["man"],
        &["completions", "bash"],
        &["check", "hills", "--format", "sarif"],
        &["test", "hills", "--format", "junit"],
        &["sim", "--pack", "hills", "--games", "3", "--seed", "1"],
        &["sim", "--pack", "hills", "--games", "3", "--seed", "1", "--format", "csv"],
        &["perft", "--pack", "hills", "--depth", "2"],
        &["mutate", "hills", "--sample", "1"],
        &["diff", "hills", "hills", "--format", "json"],
        &["fmt", "hills", "--check"],
        &["balance", "hills", "--games", "3"],
    ] {
        let mut child = place.start(args);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 0, "{args:?}: {}", errors(&output));
        assert!(!errors(&output).contains("panick"), "{args:?}: {}", errors(&output));
    }
}

/// Names that `check` refuses are those that `new` refuses, and nothing is written.
#[test]
fn new_accepts_the_names_that_check_accepts() {
    let place = Place::new();
    let long = "a".repeat(65);
    for name in ["con", "nul", "com1", "My-cards", "my_cards", "żubr", "a b", long.as_str(), "x.y"] {
        for kind in ["cards", "game"] {
            let refused = place.run(&["new", name, "--kind", kind]);
            assert_eq!(code(&refused), 2, "{name}: {}", errors(&refused));
            assert!(!place.file(name).exists(), "{name}");
        }
    }
    for name in ["my-cards", "7-hills", "a--b", "x-"] {
        let made = place.run(&["new", name, "--kind", "cards"]);
        assert_eq!(code(&made), 0, "{name}: {}", errors(&made));
        let checked = place.run(&["check", name, "--deny", "warnings"]);
        assert_eq!(code(&checked), 0, "{name}: {}{}", text(&checked), errors(&checked));
    }
}

/// What an error says of its cause is said once.
#[test]
fn errors_are_printed_once() {
    let place = with_game();
    place.write("broken.zip", "x");
    std::fs::create_dir(place.file("folder.json")).unwrap();
    for args in [
        &["fmt", "/proc/1/root/x"][..],
        &["replay", "none.json", "--pack", "hills"],
        &["replay", "folder.json", "--pack", "hills"],
        &["sim", "--resume", "none.json", "--pack", "hills"],
        &["sim", "--resume", "folder.json", "--pack", "hills"],
        &["play", "--pack", "hills", "--save", "/proc/none/x.json", "--seats", "random,random"],
        &["pack", "hills", "--out", "/proc/none/x.zip"],
        &["import", "none.csv", "--pack", "hills"],
        &["show", "hill", "--pack", "none"],
    ] {
        let failed = place.run(args);
        let said = errors(&failed);
        assert_ne!(code(&failed), 0, "{args:?}");
        let parts: Vec<&str> = said.trim().split(": ").collect();
        let again = parts.iter().enumerate().find(|(at, part)| part.len() > 8 && parts[at + 1..].contains(part));
        assert_eq!(again, None, "{args:?}: {said}");
    }
}
