//! Packed packs can be read again and are the same on every machine, and bad archives are refused.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use principes_content::{LoadOptions, check};
use principes_source::MemoryPack;
use principes_source::archive::{self, PackedPack};
use principes_source::{PackSource, base_game};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

fn scratch() -> TempDir {
    tempfile::tempdir().expect("a folder for a test")
}

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}

/// A zip file of some entries.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(content).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

const MANIFEST: &[u8] = br#"{"format": 1, "id": "tiny", "version": "1.0.0", "api": 1, "title": "Tiny", "kind": "game", "seats": {"min": 1, "max": 2}}"#;

/// The finding about an archive, and its file.
fn refused(name: &str, bytes: &[u8]) -> (String, String) {
    let folder = scratch();
    let path = write(&folder, name, bytes);
    let checked = check(&[principes_source::open(&path).expect("it can be read")], &LoadOptions::default());
    match checked.findings.as_slice() {
        [finding] if finding.code == "P0013" => (finding.file.clone(), finding.message.clone()),
        other => panic!("{name}: {other:#?}"),
    }
}

#[test]
fn what_is_packed_is_what_was_there() {
    principes_games::install();
    let base = base_game().expect("it is installed");
    let bytes = archive::pack(&*base).expect("the base game can be packed");
    assert!(bytes == archive::pack(&*base).expect("again"), "the same bytes again");
    let folder = scratch();
    let path = write(&folder, "base.zip", &bytes);
    let packed = PackedPack::open(&path).expect("it can be read");
    let files = base.list().expect("its files");
    assert_eq!(packed.list().expect("its files"), files);
    for file in files {
        assert!(packed.read(&file).expect("a file") == base.read(&file).expect("a file"), "{file}");
    }
    assert!(packed.read("../base.zip").is_err());
    let checked = check(&[principes_source::open(&path).expect("it can be read")], &LoadOptions::default());
    assert!(checked.findings.is_empty() && checked.loaded.is_some());
}

#[test]
fn names_lie_in_order_under_one_date_whatever_the_source() {
    let pack = |order: &[&str]| {
        let files = order.iter().fold(MemoryPack::new("m"), |pack, name| pack.with(name, *name));
        archive::pack(&files).expect("it can be packed")
    };
    assert_eq!(pack(&["b.json", "a.json"]), pack(&["a.json", "b.json"]));
}

#[test]
fn a_pack_may_lie_in_its_folder_and_beside_hidden_files() {
    let bytes = zipped(&[("tiny/pack.json", MANIFEST), ("tiny/.gitignore", b"x"), ("tiny/map/a.json", b"{}")]);
    let folder = scratch();
    let packed = PackedPack::open(&write(&folder, "folder.zip", &bytes)).expect("it can be read");
    assert_eq!(packed.list().expect("its files"), ["map/a.json", "pack.json"]);
}

#[test]
fn ways_out_are_refused() {
    for (at, name) in [
        "../x.json",
        "a/../../x.json",
        "/etc/x.json",
        "C:/x.json",
        "a\\..\\x.json",
        "map/con.json",
        "a//b.json",
        "ż.json",
        "a.",
        "x\0y",
    ]
    .into_iter()
    .enumerate()
    {
        let (_, message) = refused(&format!("way-out-{at}.zip"), &zipped(&[("pack.json", MANIFEST), (name, b"{}")]));
        assert!(message.contains("is not a path inside a pack"), "{name}: {message}");
    }
    let (file, message) =
        refused("twins.zip", &zipped(&[("pack.json", MANIFEST), ("a.json", b"{}"), ("A.json", b"{}")]));
    assert!(file.ends_with("twins.zip/A.json") && message.contains("only in case"), "{file} {message}");
}

#[test]
fn links_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("map", "/etc", SimpleFileOptions::default()).expect("a link");
    let (file, message) = refused("link.zip", &writer.finish().expect("an archive").into_inner());
    assert!(file.ends_with("link.zip/map") && message.contains("link"), "{file} {message}");
}

#[test]
fn bombs_are_stopped_while_they_unpack() {
    let zeros = vec![0_u8; 8 << 20];
    let (file, message) = refused("ratio.zip", &zipped(&[("pack.json", MANIFEST), ("assets/a.bin", &zeros)]));
    assert!(file.ends_with("a.bin") && message.contains("200 times"), "{file} {message}");
    // Noise does not shrink, so only its length is wrong.
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state & 0xff) as u8
    })
    .take((16 << 20) + 1)
    .collect();
    let (_, message) = refused("long.zip", &zipped(&[("assets/long.bin", &noise)]));
    assert!(message.contains("longer than 16 MiB"), "{message}");
    let many: Vec<String> = (0..20_001).map(|n| format!("f{n}")).collect();
    let entries: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert!(refused("many.zip", &zipped(&entries)).1.contains("more than 20000 files"));
    // A file that claims to be shorter than it is.
    let mut lie = zipped(&[("assets/a.txt", &[b'x'; 1000])]);
    let directory = lie.windows(4).rposition(|at| at == b"PK\x01\x02").expect("a directory");
    lie[directory + 24] = 1;
    assert!(refused("lie.zip", &lie).1.contains("not a valid zip file"));
}

#[test]
fn the_pack_of_an_archive_may_be_in_a_folder_beside_other_files() {
    let folder = scratch();
    let files: [&[(&str, &[u8])]; 4] = [
        &[("tiny-main/", b""), ("tiny-main/pack.json", MANIFEST), ("tiny-main/a.json", b"{}")],
        &[
            ("repo-main/README.md", b"x"),
            ("repo-main/mods/tiny/pack.json", MANIFEST),
            ("repo-main/mods/tiny/a.json", b"{}"),
        ],
        // Names outside of the pack need not be those of a pack.
        &[("My games/Ä b.txt", b"x"), ("My games/tiny/pack.json", MANIFEST), ("My games/tiny/a.json", b"{}")],
        &[("t/pack.json", MANIFEST), ("t/a.json", b"{}"), ("t/assets/pack.json", b"{}"), ("t/.git/pack.json", b"{}")],
    ];
    for (at, entries) in files.iter().enumerate() {
        let path = write(&folder, &format!("deep-{at}.zip"), &zipped(entries));
        let packed = PackedPack::open(&path).expect("it can be read");
        let list = packed.list().expect("a list");
        assert_eq!((packed.refusal(), list[0].as_str()), (None, "a.json"), "{at}");
        assert!(list.contains(&"pack.json".to_owned()) && packed.read("pack.json").is_ok_and(|text| text == MANIFEST));
    }
    let two = zipped(&[("r/a/pack.json", MANIFEST), ("r/b/pack.json", MANIFEST)]);
    assert!(refused("two.zip", &two).1.contains("2 packs: r/a, r/b"));
    for bad in ["../pack.json", "a/../pack.json", "a\\pack.json"] {
        let path = write(&folder, "out.zip", &zipped(&[(bad, MANIFEST)]));
        let packed = PackedPack::open(&path).expect("it can be read");
        assert!(packed.refusal().is_some() || packed.read("pack.json").is_err(), "{bad}");
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    assert!(refused("text.zip", b"not a zip").1.contains("not a valid zip file"));
    let whole = zipped(&[("pack.json", MANIFEST)]);
    assert!(refused("cut.zip", &whole[..whole.len() / 2]).1.contains("not a valid zip file"));
    assert!(PackedPack::open(&scratch().path().join("not-there.zip")).is_err());
}

#[cfg(unix)]
#[test]
fn folders_follow_no_links() {
    let folder = scratch();
    write(&folder, "pack.json", MANIFEST);
    std::os::unix::fs::symlink("/etc", folder.path().join("map")).expect("a link");
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join("cards.json")).expect("a link");
    let checked = check(&[principes_source::folder(folder.path())], &LoadOptions::default());
    let links: Vec<&str> = checked
        .findings
        .iter()
        .filter(|finding| finding.code == "P0001" && finding.message.contains("this is a link"))
        .filter_map(|finding| finding.file.rsplit('/').next())
        .collect();
    assert_eq!(links, ["cards.json", "map"], "{:#?}", checked.findings);
}
