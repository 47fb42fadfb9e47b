//! Other programs that the program starts: git, and nothing that a repository or the current folder brings. Every key
//! of git that names a program is planted as a trap. Plain git falls into the traps, so they work.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::program::{Place, code, errors, json};
use crate::common::purse;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_author::desk::EditedPacks;
use principes_author::workbench::wall;

/// The settings whose value is a program or a shell command, from git's documentation: `git config`, `gitattributes`,
/// `gitmodules`, `git archive`, `git interpret-trailers`, `git send-email`. `*` stands for `trap`.
const KEYS: &[&str] = &[
    "alias.diff",
    "alias.ls-tree",
    "alias.cat-file",
    "alias.trap",
    "browser.*.cmd",
    "browser.*.path",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "credential.https://trap.example.helper",
    "diff.external",
    "diff.guitool",
    "diff.tool",
    "diff.*.command",
    "diff.*.textconv",
    "difftool.*.cmd",
    "difftool.*.path",
    "filter.*.clean",
    "filter.*.smudge",
    "filter.long.process",
    "gc.recentObjectsHook",
    "gpg.program",
    "gpg.openpgp.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.ssh.program",
    "gpg.x509.program",
    "guitool.*.cmd",
    "help.browser",
    "hook.*.command",
    "imap.tunnel",
    "instaweb.browser",
    "instaweb.httpd",
    "interactive.diffFilter",
    "man.*.cmd",
    "man.*.path",
    "man.viewer",
    "merge.*.driver",
    "merge.guitool",
    "merge.tool",
    "mergetool.*.cmd",
    "mergetool.*.path",
    "pager.cat-file",
    "pager.diff",
    "pager.ls-tree",
    "pager.show",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "remote.*.vcs",
    "sendemail.ccCmd",
    "sendemail.headerCmd",
    "sendemail.sendmailCmd",
    "sendemail.smtpServer",
    "sendemail.toCmd",
    "sequence.editor",
    "submodule.*.update",
    "tar.*.command",
    "trailer.*.cmd",
    "trailer.*.command",
    "uploadpack.packObjectsHook",
    "web.browser",
];

/// Settings that make git look at the traps.
const BAITS: &[(&str, &str)] = &[
    ("core.repositoryFormatVersion", "1"),
    ("extensions.partialClone", "origin"),
    ("extensions.worktreeConfig", "true"),
    ("filter.trap.required", "false"),
    ("hook.trap.event", "post-index-change"),
    ("core.fsmonitorHookVersion", "2"),
    ("protocol.allow", "always"),
    ("protocol.ext.allow", "always"),
    ("protocol.file.allow", "always"),
    ("uploadpack.allowFilter", "true"),
    ("remote.origin.promisor", "true"),
    ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ("remote.ssh.url", "ssh://trap.example/x"),
    ("log.showSignature", "true"),
    ("commit.gpgSign", "true"),
    ("user.signingKey", "trap"),
    ("credential.useHttpPath", "true"),
];

const HOOKS: &[&str] = &[
    "fsmonitor-watchman",
    "post-checkout",
    "post-index-change",
    "pre-auto-gc",
    "pre-commit",
    "reference-transaction",
    "update",
];

const ATTRIBUTES: &str = "* filter=trap diff=trap merge=trap\n*.lua filter=long\n";

/// A folder with traps, and the marks that they leave.
struct Traps(Place);

impl Traps {
    fn new() -> Self {
        let place = Place::new();
        std::fs::create_dir(place.file("marks")).unwrap();
        Traps(place)
    }

    /// A program that leaves a mark with this name.
    fn trap(&self, name: &str) -> PathBuf {
        let name = name.replace(['/', ':', '*'], "-");
        let path = self.0.file(&format!("traps/{name}"));
        let mark = self.0.file(&format!("marks/{name}"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n: > {}\nexit 1\n", mark.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The marks since the last time.
    fn marks(&self) -> BTreeSet<String> {
        let marks = std::fs::read_dir(self.0.file("marks")).unwrap().map(|entry| entry.unwrap().path());
        let take = |path: PathBuf| {
            std::fs::remove_file(&path).unwrap();
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        marks.map(take).collect()
    }

    /// Settings with a trap for every key.
    fn settings(&self) -> String {
        let mut text = String::new();
        let mut set = |key: &str, value: &str| {
            let ((section, rest), (_, name)) = (key.split_once('.').unwrap(), key.rsplit_once('.').unwrap());
            let subsection = rest.strip_suffix(name).unwrap().trim_end_matches('.');
            let subsection = if subsection.is_empty() { String::new() } else { format!(" \"{subsection}\"") };
            writeln!(text, "[{section}{subsection}]\n\t{name} = {value}").unwrap();
        };
        for key in keys() {
            let path = self.trap(&key).display().to_string();
            let shell = ["alias.", "submodule.", "credential."].iter().any(|start| key.starts_with(start));
            set(&key, &if shell { format!("!{path}") } else { path });
        }
        for (key, value) in BAITS {
            set(key, value);
        }
        set("remote.origin.url", &self.0.file("other").display().to_string());
        set("remote.ext.url", &format!("ext::{}", self.trap("ext").display()));
        text
    }

    fn hooks(&self, git_folder: &Path) {
        std::fs::create_dir_all(git_folder.join("hooks")).unwrap();
        for name in HOOKS {
            std::fs::copy(self.trap(&format!("hook-{name}")), git_folder.join("hooks").join(name)).unwrap();
        }
    }

    /// A repository with two versions of a pack, and a third in the folder.
    fn repository(&self, folder: &str) {
        purse::write(&self.0, &format!("{folder}/packs/purse"), &purse::GOLD);
        git(&self.0.file(folder), &["init", "-q", "-b", "main"]);
        self.0.write(&format!("{folder}/.gitattributes"), ATTRIBUTES);
        self.commit(folder);
        purse::write(&self.0, &format!("{folder}/packs/purse"), &[6, 5, 4, 3, 2, 1]);
    }

    fn commit(&self, folder: &str) {
        git(&self.0.file(folder), &["add", "."]);
        git(&self.0.file(folder), &["commit", "-q", "-m", "purse"]);
    }

    fn plant(&self, git_folder: &str) {
        let folder = self.0.file(git_folder);
        let config = folder.join("config");
        let old = std::fs::read_to_string(&config).unwrap();
        std::fs::write(config, old + &self.settings()).unwrap();
        std::fs::create_dir_all(folder.join("info")).unwrap();
        std::fs::write(folder.join("info/attributes"), ATTRIBUTES).unwrap();
        self.hooks(&folder);
    }

    /// Compares a pack with an older one; returns what was said.
    fn compare(&self, folder: &str, revision: &str) -> Output {
        let pack = self.0.file(folder);
        let old = format!("{revision}:{}", pack.display());
        self.0.run(&["balance", &old, pack.to_str().unwrap(), "--games", "200", "--format", "json"])
    }

    /// How many cards have changed since a revision, as the studio shows them.
    fn changed(&self, folder: &str) -> Result<usize, String> {
        let request =
            PackRequest { paths: vec![self.0.file(folder)], game: None, adds: Vec::new(), search: Vec::new() };
        let packs = OpenPacks::open(&request).unwrap_or_else(|error| panic!("{error}"));
        let wall = wall(&packs, &EditedPacks::default(), Some("HEAD")).map_err(|error| error.to_string())?;
        Ok(wall.iter().filter(|card| card.is_changed == Some(true)).count())
    }

    /// Both ways to read an old pack see the right versions and set off no trap.
    #[track_caller]
    fn assert_safe(&self, folder: &str) {
        self.marks();
        assert_eq!(self.changed(folder), Ok(6));
        let compared = self.compare(folder, "HEAD");
        assert_eq!(code(&compared), 0, "{}", errors(&compared));
        let rows = json(&compared)["rows"].as_array().unwrap().clone();
        let verdict = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap()["verdict"].clone();
        assert_eq!((verdict("coin-1"), verdict("coin-6")), ("higher".into(), "lower".into()));
        assert_eq!(self.marks(), BTreeSet::new());
    }

    /// Plain git sets off these traps.
    #[track_caller]
    fn assert_dangerous(&self, folder: &str, before: &[&str], wanted: &[&str]) {
        self.marks();
        let folder = self.0.file(folder);
        let mut said = String::new();
        for command in [
            &["status"][..],
            &["--paginate", "show", "HEAD"],
            &["diff", "--ext-diff", "HEAD", "--", "."],
            &["-c", "diff.external=", "-c", "diff.trap.command=", "diff", "HEAD", "--", "."],
            &["fetch", "origin"],
            &["fetch", "ext"],
            &["fetch", "ssh"],
            &["commit", "--allow-empty", "--no-verify", "-m", "signed"],
        ] {
            // They fail, because traps do not do what git expects.
            let output = plain_git(&folder).args(before).args(command).output().unwrap();
            said += &String::from_utf8_lossy(&output.stderr);
        }
        let marks = self.marks();
        let missing: Vec<_> = wanted.iter().filter(|name| !marks.contains(**name)).collect();
        assert!(missing.is_empty(), "plain git did not run {missing:?}, only {marks:?}:\n{said}");
    }
}

/// All keys, and those of the installed git whose names tell that they hold programs.
fn keys() -> BTreeSet<String> {
    const ENDS: [&str; 6] = ["command", "cmd", "program", "helper", "hook", "editor"];
    let known = String::from_utf8(Command::new("git").args(["help", "--config"]).output().unwrap().stdout).unwrap();
    let more = known.lines().filter(|key| ENDS.iter().any(|end| key.to_ascii_lowercase().ends_with(end)));
    let more = more.filter(|key| !key.starts_with("advice.") && !key.starts_with("hook.")).map(named);
    KEYS.iter().map(|key| key.replace('*', "trap")).chain(more).collect()
}

/// A key with a name in place of `<name>`.
fn named(key: &str) -> String {
    match (key.split_once('<'), key.rsplit_once('>')) {
        (Some((before, _)), Some((_, after))) => format!("{before}trap{after}"),
        _ => key.to_owned(),
    }
}

fn plain_git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).env("GIT_TERMINAL_PROMPT", "0");
    command.args(["-c", "user.name=test", "-c", "user.email=test@example.org"]);
    command
}

#[track_caller]
fn git(folder: &Path, args: &[&str]) {
    let mut command = plain_git(folder);
    let done = command.args(["-c", "protocol.file.allow=always", "-c", "commit.gpgSign=false"]).args(args).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn settings_of_a_repository_start_nothing() {
    let traps = Traps::new();
    traps.repository("repo");
    traps.assert_safe("repo/packs/purse");
    traps.plant("repo/.git");
    traps.assert_safe("repo/packs/purse");
    let wanted = [
        "core.fsmonitor",
        "core.sshCommand",
        "diff.trap.textconv",
        "ext",
        "filter.long.process",
        "filter.trap.clean",
        "filter.trap.smudge",
        "remote.origin.uploadpack",
    ];
    traps.assert_dangerous("repo", &[], &wanted);
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn settings_in_included_files_start_nothing() {
    for include in [
        "[include]\n\tpath = more\n",
        "[includeIf \"gitdir:**\"]\n\tpath = more\n",
        "[extensions]\n\tworktreeConfig = true\n",
    ] {
        let traps = Traps::new();
        traps.repository("repo");
        for name in ["more", "config.worktree"] {
            traps.0.write(&format!("repo/.git/{name}"), &traps.settings());
        }
        let config = traps.0.read("repo/.git/config");
        traps.0.write("repo/.git/config", &(config + "[core]\n\trepositoryFormatVersion = 1\n" + include));
        traps.assert_safe("repo/packs/purse");
        traps.assert_dangerous("repo", &[], &["filter.trap.clean", "core.fsmonitor", "ext"]);
    }
}

/// A clone brings such files along: they are ordinary files of the outer repository.
#[test]
#[ignore = "needs git; run by .ci/run"]
fn a_bare_repository_among_the_files_of_a_pack_is_not_one() {
    let traps = Traps::new();
    traps.repository("inner");
    for folder in ["outer/packs/purse", "loose/packs/purse"] {
        purse::write(&traps.0, folder, &purse::GOLD);
        let bare = traps.0.file(&format!("{folder}/docs"));
        git(traps.0.path(), &["clone", "-q", "--bare", "inner", bare.to_str().unwrap()]);
        traps.plant(&format!("{folder}/docs"));
        let config = traps.0.read(&format!("{folder}/docs/config")).replace("bare = true", "bare = false");
        let tree = format!("[core]\n\tworktree = {}\n", traps.0.file(folder).display());
        traps.0.write(&format!("{folder}/docs/config"), &(config + &tree));
        traps.assert_dangerous(&format!("{folder}/docs"), &["--git-dir=."], &["core.fsmonitor", "gpg.program", "ext"]);
    }
    // The pack is sound only without the repository, but its folder is searched for one.
    git(&traps.0.file("outer"), &["init", "-q"]);
    for folder in ["outer/packs/purse", "loose/packs/purse"] {
        let compared = traps.compare(&format!("{folder}/docs"), "HEAD");
        assert_eq!(code(&compared), 2, "{}", errors(&compared));
        let entered = traps.compare(folder, "HEAD");
        assert_eq!(code(&entered), 2, "{}", errors(&entered));
    }
    assert_eq!(traps.marks(), BTreeSet::new());
    let said = errors(&traps.compare("loose/packs/purse", "HEAD"));
    assert!(said.contains("is not in a git repository"), "{said}");
}

/// An archive, other than a clone, can hold a whole repository.
#[test]
#[ignore = "needs git; run by .ci/run"]
fn a_repository_that_came_with_a_pack_starts_nothing() {
    let traps = Traps::new();
    purse::write(&traps.0, "purse", &purse::GOLD);
    git(&traps.0.file("purse"), &["init", "-q"]);
    traps.commit("purse");
    purse::write(&traps.0, "purse", &[6, 5, 4, 3, 2, 1]);
    traps.plant("purse/.git");
    traps.assert_safe("purse");
    traps.assert_dangerous("purse", &[], &["filter.trap.clean", "core.fsmonitor", "ext"]);
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn objects_that_a_partial_clone_left_out_are_not_fetched() {
    let traps = Traps::new();
    traps.repository("repo");
    let id = plain_git(&traps.0.file("repo")).args(["rev-parse", "HEAD:packs/purse/cards.json"]).output().unwrap();
    let id = String::from_utf8(id.stdout).unwrap().trim().to_owned();
    std::fs::remove_file(traps.0.file(&format!("repo/.git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
    traps.plant("repo/.git");
    let compared = traps.compare("repo/packs/purse", "HEAD");
    assert_eq!(code(&compared), 2);
    assert!(errors(&compared).contains("cannot read `HEAD`"), "{}", errors(&compared));
    assert!(traps.changed("repo/packs/purse").unwrap_err().contains("cannot read `HEAD`"));
    assert_eq!(traps.marks(), BTreeSet::new());
    drop(plain_git(&traps.0.file("repo")).args(["cat-file", "-p", &id]).output().unwrap());
    assert!(traps.marks().contains("remote.origin.uploadpack"));
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn packs_are_read_from_every_kind_of_repository() {
    let traps = Traps::new();
    let place = &traps.0;
    traps.repository("repo");
    git(&place.file("repo"), &["worktree", "add", "-q", "-f", "../linked", "HEAD"]);
    git(place.path(), &["clone", "-q", "--shared", "repo", "shared"]);
    git(place.path(), &["clone", "-q", &format!("file://{}", place.file("repo").display()), "--depth=1", "shallow"]);
    git(&place.file("shared"), &["repack", "-adq"]);
    git(place.path(), &["init", "-q", "super"]);
    git(&place.file("super"), &["submodule", "--quiet", "add", "../repo", "sub"]);
    for folder in ["linked", "shared", "shallow", "super/sub"] {
        purse::write(place, &format!("{folder}/packs/purse"), &[6, 5, 4, 3, 2, 1]);
        traps.assert_safe(&format!("{folder}/packs/purse"));
    }
    purse::write(place, "long/packs/purse", &purse::GOLD);
    git(&place.file("long"), &["init", "-q", "--object-format=sha256"]);
    traps.commit("long");
    purse::write(place, "long/packs/purse", &[6, 5, 4, 3, 2, 1]);
    traps.assert_safe("long/packs/purse");
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn a_revision_is_what_it_says() {
    let traps = Traps::new();
    traps.repository("repo");
    let repo = traps.0.file("repo");
    // Each would make the old pack the new one.
    traps.0.write("new.json", &traps.0.read("repo/packs/purse/cards.json"));
    let hash = plain_git(&repo).args(["hash-object", "-w", "--no-filters", "../new.json"]).output().unwrap();
    let hash = String::from_utf8(hash.stdout).unwrap().trim().to_owned();
    git(&repo, &["replace", "HEAD:packs/purse/cards.json", &hash]);
    let replaced = plain_git(&repo).args(["show", "HEAD:packs/purse/cards.json"]).output().unwrap();
    assert_eq!(replaced.stdout, traps.0.read("new.json").into_bytes(), "plain git reads the other file");
    traps.assert_safe("repo/packs/purse");
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn git_is_not_looked_for_in_the_current_folder() {
    let traps = Traps::new();
    traps.repository("repo");
    let repo = traps.0.file("repo");
    std::fs::create_dir(repo.join("bin")).unwrap();
    for name in ["git", "bin/git"] {
        std::fs::copy(traps.trap("git"), repo.join(name)).unwrap();
    }
    let usual = std::env::var("PATH").unwrap();
    for path in [format!(".:{usual}"), format!(":{usual}"), format!("bin:{usual}"), format!("./bin:{usual}")] {
        let mut command = traps.0.program(&["balance", "HEAD:packs/purse", "packs/purse", "--games", "40"]);
        let compared = command.current_dir(&repo).env("PATH", &path).output().unwrap();
        assert_eq!(code(&compared), 0, "{}", errors(&compared));
        assert_eq!(traps.marks(), BTreeSet::new(), "{path}");
        drop(Command::new("sh").args(["-c", "git version"]).current_dir(&repo).env("PATH", &path).output().unwrap());
        assert_eq!(traps.marks().len(), 1, "{path}");
    }
    let mut command = traps.0.program(&["balance", "HEAD:packs/purse", "packs/purse"]);
    let without = command.current_dir(&repo).env("PATH", ".:bin").output().unwrap();
    assert_eq!(code(&without), 2);
    assert!(errors(&without).contains("git is not installed"), "{}", errors(&without));
}

/// Variables, such as those that hooks of git have, lead to no other repository and no program.
#[test]
#[ignore = "needs git; run by .ci/run"]
fn variables_for_git_reach_nothing() {
    let traps = Traps::new();
    traps.repository("repo");
    traps.repository("trapped");
    traps.plant("trapped/.git");
    let trap = traps.trap("variable").display().to_string();
    let trapped = traps.0.file("trapped/.git").display().to_string();
    let mut command = traps.0.program(&["balance", "HEAD:packs/purse", "packs/purse", "--games", "40"]);
    command.current_dir(traps.0.file("repo"));
    for name in ["GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PAGER", "PAGER", "GIT_EDITOR", "GIT_ASKPASS"] {
        command.env(name, &trap);
    }
    for name in ["GIT_DIR", "GIT_COMMON_DIR", "GIT_EXEC_PATH"] {
        command.env(name, &trapped);
    }
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "core.fsmonitor").env("GIT_CONFIG_VALUE_0", &trap);
    command.env("GIT_CONFIG_GLOBAL", traps.0.file("trapped/.git/config"));
    let compared = command.output().unwrap();
    assert_eq!(code(&compared), 0, "{}", errors(&compared));
    assert_eq!(traps.marks(), BTreeSet::new());
}

/// The id of an object that git stores from its input.
fn stored(folder: &Path, args: &[&str], input: &[u8]) -> String {
    let mut child = plain_git(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn packs_from_git_have_the_budget_of_packs() {
    let place = Place::new();
    let repo = place.file("repo");
    place.write("repo/readme", "packs");
    git(&repo, &["init", "-q"]);
    let blob = |bytes: &[u8]| stored(&repo, &["hash-object", "-w", "--stdin"], bytes);
    let tree = |rows: &[String]| stored(&repo, &["mktree"], (rows.join("\n") + "\n").as_bytes());
    let file = |id: &str, name: &str| format!("100644 blob {id}\t{name}");
    let folder = |id: &str, name: &str| format!("040000 tree {id}\t{name}");
    // Ten of the last in each: ten million of the first.
    let million_times = |first: String| {
        (0..6).fold(first, |inner, _| tree(&(0..10).map(|at| folder(&inner, &format!("f{at}"))).collect::<Vec<_>>()))
    };
    let empty = blob(b"{}");
    let files = million_times(tree(&(0..10).map(|at| file(&empty, &format!("a{at}.json"))).collect::<Vec<_>>()));
    let folders =
        million_times(tree(&(0..10).map(|at| folder(&tree_of_nothing(&repo), &format!("e{at}"))).collect::<Vec<_>>()));
    let large = blob(&vec![b' '; (16 << 20) + 1]);
    let big = blob(&vec![b' '; 16 << 20]);
    let deep = (0..20).fold(tree(&[file(&empty, "a.json")]), |inner, _| tree(&[folder(&inner, "f")]));
    let link = blob(b"/etc/passwd");
    for (pack, words) in [
        (files, "more than 20000 files"),
        (folders, "more than 200000 files and folders"),
        (tree(&[file(&large, "a.json")]), "the file is longer than 16 MiB"),
        (
            tree(&(0..9).map(|at| file(&big, &format!("a{at}.json"))).collect::<Vec<_>>()),
            "the pack is longer than 128 MiB",
        ),
        (deep, "folders more than 16 deep"),
        (tree(&[format!("120000 blob {link}\tpack.json")]), "this is a link"),
        (
            stored(&repo, &["mktree", "--missing"], format!("160000 commit {}\tsub\n", "1".repeat(40)).as_bytes()),
            "this is a submodule",
        ),
    ] {
        let root = tree(&[folder(&pack, "t")]);
        let old = format!("{root}:t");
        let refused = place.program(&["balance", &old, "t"]).current_dir(&repo).output().unwrap();
        assert_eq!(code(&refused), 2, "{words}: {}", errors(&refused));
        assert!(errors(&refused).contains(words), "{words}: {}", errors(&refused));
    }
}

fn tree_of_nothing(repo: &Path) -> String {
    stored(repo, &["mktree"], b"")
}
