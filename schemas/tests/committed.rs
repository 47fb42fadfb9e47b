//! The committed schema files match the types. `.ci/generate` rewrites them.

use std::path::Path;

#[test]
fn committed_schemas_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("json");
    let update = std::env::var_os("PRINCIPES_GENERATE").is_some();
    let mut expected: Vec<String> = Vec::new();
    for (name, schema) in principes_schemas::all() {
        let file = format!("{name}.schema.json");
        let text = principes_schemas::print(&schema);
        if update {
            std::fs::create_dir_all(&folder).expect("schemas/json can be made");
            std::fs::write(folder.join(&file), &text).expect("a schema can be written");
        }
        let committed = std::fs::read_to_string(folder.join(&file)).unwrap_or_default().replace("\r\n", "\n");
        assert!(committed == text, "schemas/json/{file} is stale; run .ci/generate");
        expected.push(file);
    }
    expected.sort();
    let mut found: Vec<String> = std::fs::read_dir(&folder)
        .expect("schemas/json is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, expected, "a file in schemas/json that no family has");
}
