//! Repositories: mutated objects, packs of objects, references and settings of git are read, as `balance` and the studio
//! read old packs.

use std::process::{Command, Stdio};

use principes_app::revision::pack_at;
use principes_source::{MAX_FILE_BYTES, MAX_FILES};

use super::*;

fn git(folder: &Path, args: &[&str]) -> String {
    git_with(folder, args, b"")
}

fn git_with(folder: &Path, args: &[&str], input: &[u8]) -> String {
    use std::io::Write as _;
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]).args(args);
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
}

/// A repository with a pack and two commits, as loose objects or packed.
fn repository(root: &Path, is_packed: bool) -> PathBuf {
    let folder = root.join(if is_packed { "packed" } else { "loose" });
    for (path, content) in files(&common::root().join("mods/classics/tic-tac-toe")) {
        let file = folder.join("toe").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    git(&folder, &["init", "-q", "-b", "main"]);
    for message in ["one", "two"] {
        std::fs::write(folder.join("toe/notes.json"), format!("{{\"notes\": \"{message}\"}}")).unwrap();
        git(&folder, &["add", "."]);
        git(&folder, &["commit", "-q", "-m", message]);
    }
    if is_packed {
        git(&folder, &["gc", "-q", "--aggressive"]);
    }
    folder
}

/// The files of a repository that git reads: objects, references, settings.
fn internals(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if !path.ends_with("hooks") => found.extend(internals(&path)),
            true => {}
            false => found.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

/// Writes a file that may be read-only.
fn put(path: &Path, content: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, content).unwrap();
}

/// Reads the pack at a revision. Whatever the repository says, what is read keeps to the budget.
fn read(folder: &Path, revision: &str) -> bool {
    match pack_at(&format!("{revision}:{}", folder.join("toe").display())).unwrap() {
        Ok(pack) => {
            let paths = pack.list().unwrap();
            assert!(paths.len() <= MAX_FILES);
            for path in paths {
                // A name that is not safe inside a pack is listed, and refused when it is read.
                match pack.read(&path) {
                    Ok(bytes) => assert!(bytes.len() as u64 <= MAX_FILE_BYTES, "{path}"),
                    Err(error) => assert!(!error.to_string().is_empty(), "{path}"),
                }
                assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."), "{path}");
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn repositories() {
    let place = tempfile::tempdir().unwrap();
    let folders = [repository(place.path(), false), repository(place.path(), true)];
    let corpora: Vec<Vec<(PathBuf, Vec<u8>)>> = folders.iter().map(|folder| internals(&folder.join(".git"))).collect();
    for folder in &folders {
        assert!(read(folder, "HEAD") && read(folder, "main~1"), "the corpus is read");
    }
    let mut words = words();
    words.extend(["ref: refs/heads/main", "HEAD", "main", "[core]", "bare = true", "worktree = /", "[include]"]);
    words.extend(["path = config", "repositoryformatversion = 1", "40000 toe", "100644 a", "120000 a", "160000 a"]);
    let make = |random: &mut Random| {
        let corpus = &corpora[random.below(corpora.len())];
        let (one, other) = (random.below(corpus.len()), random.below(corpus.len()));
        input(corpus[one].0.to_str().unwrap(), random.mutate(&corpus[one].1, &corpus[other].1, &words))
    };
    fuzz("repositories", make, |input| {
        let (path, content) = parts(input);
        let path = Path::new(&path);
        let at = folders.iter().position(|folder| path.starts_with(folder)).unwrap();
        put(path, content);
        for revision in ["HEAD", "main~1"] {
            read(&folders[at], revision);
        }
        let (_, before) = corpora[at].iter().find(|(file, _)| file == path).unwrap();
        put(path, before);
    });
}

/// Objects that git stores although they are wrong: folders, and commits.
#[test]
#[ignore = "needs git; run by .ci/run"]
fn objects() {
    let place = tempfile::tempdir().unwrap();
    let folder = repository(place.path(), false);
    let raw = |kind: &str, object: &str| {
        let output = Command::new("git").args(["cat-file", kind, object]).current_dir(&folder).output().unwrap();
        assert!(output.status.success());
        output.stdout
    };
    let seeds =
        [("tree", raw("tree", "HEAD:toe")), ("tree", raw("tree", "HEAD^{tree}")), ("commit", raw("commit", "HEAD"))];
    let mut words = words();
    words.extend([
        "40000 ",
        "100644 ",
        "120000 ",
        "160000 ",
        "..",
        ".git",
        "pack.json",
        "a/b",
        "\0",
        "tree ",
        "parent ",
    ]);
    let make = |random: &mut Random| {
        let (kind, seed) = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())].1;
        input(kind, random.mutate(seed, other, &words))
    };
    fuzz("objects", make, |input| {
        let (kind, content) = parts(input);
        let id = git_with(&folder, &["hash-object", "-t", &kind, "-w", "--stdin", "--literally"], content);
        // Git refuses a few of them.
        if id.is_empty() {
            return;
        }
        read(&folder, &id);
        if kind == "tree" {
            // The pack itself may be the mutated folder.
            let above = git_with(&folder, &["mktree", "--missing"], format!("040000 tree {id}\ttoe\n").as_bytes());
            read(&folder, &above);
        }
    });
}
