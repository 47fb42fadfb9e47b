//! The numbers in SECURITY.md match the code.

use crate::common;

#[test]
fn the_numbers_are_those_of_the_code() {
    let known: [(&str, u64); 9] = [
        ("STEP_BUDGET", principes_scripting::STEP_BUDGET),
        ("MOST_STEPS", principes_core::MOST_STEPS),
        ("MOST_ANSWERS", principes_core::MOST_ANSWERS as u64),
        ("CAUGHT", principes_scripting::CAUGHT),
        ("WEIGHT_OF_A_STEP", principes_scripting::WEIGHT_OF_A_STEP),
        ("LONGEST_TEXT", principes_scripting::LONGEST_TEXT as u64),
        ("LONGEST_NUMERAL", principes_scripting::LONGEST_NUMERAL as u64),
        ("MEMORY_LIMIT", principes_scripting::MEMORY_LIMIT as u64),
        ("ALONE_LIMIT", principes_scripting::ALONE_LIMIT as u64),
    ];
    let page = std::fs::read_to_string(common::root().join("SECURITY.md")).unwrap();
    let rows: Vec<(String, u64)> = page
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let (number, name) = (cells.get(2)?.replace(',', ""), cells.get(3)?.strip_prefix('`')?.strip_suffix('`')?);
            Some((name.to_owned(), number.parse().ok()?))
        })
        // `tests/it/costs.rs` reads the budgets of a check.
        .take(known.len())
        .collect();
    assert_eq!(rows, known.map(|(name, number)| (name.to_owned(), number)));
}

#[test]
fn the_tests_that_the_page_names_exist() {
    let page = std::fs::read_to_string(common::root().join("SECURITY.md")).unwrap();
    let sources = common::sources();
    let names = page.split('`').skip(1).step_by(2);
    let is_test = |name: &&str| {
        name.matches('_').count() >= 3 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let named: Vec<&str> = names.filter(is_test).collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named {
        assert!(sources.contains(&format!("fn {name}(")), "no test is called `{name}`");
    }
}

#[test]
fn the_budgets_of_files_are_those_of_the_code() {
    use principes_source::{MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES, MAX_NAMES, MAX_TOTAL_BYTES};

    let page = std::fs::read_to_string(common::root().join("SECURITY.md")).unwrap().replace('\n', " ");
    let thousands = |number: usize| format!("{},{:03}", number / 1000, number % 1000);
    let (file, total) = (MAX_FILE_BYTES >> 20, MAX_TOTAL_BYTES >> 20);
    let (files, names) = (thousands(MAX_FILES), thousands(MAX_NAMES));
    let wanted = format!(
        "{file} MiB each; {files} files and {total} MiB in a pack; {names} names of files and folders; {MAX_DEPTH} \
         folders deep."
    );
    assert!(page.contains(&wanted), "SECURITY.md does not say: {wanted}");
}
