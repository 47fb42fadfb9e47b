//! The other programs that Principes starts: git, and whatever opens a page for the user. Nothing else can start one
//! (`tests/it/laws.rs`).
//!
//! A program is found in absolute folders of the search path, never in the current folder, which may be a stranger's
//! pack.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All programs that may be started.
#[derive(Clone, Copy)]
enum Program {
    Git,
    PageOpener,
}

impl Program {
    /// The file on this system.
    fn file(self) -> Option<PathBuf> {
        match (self, std::env::consts::OS) {
            (Program::Git, "windows") => in_search_path("git.exe"),
            (Program::Git, _) => in_search_path("git"),
            (Program::PageOpener, "windows") => {
                let windows = std::env::var_os("SystemRoot").map(PathBuf::from)?;
                Some(windows.join("System32").join("rundll32.exe"))
                    .filter(|file| file.is_absolute() && is_program(file))
            }
            (Program::PageOpener, "macos") => Some(PathBuf::from("/usr/bin/open")),
            (Program::PageOpener, _) => in_search_path("xdg-open"),
        }
    }
}

/// The search path without relative folders: they lie below the current folder.
fn search_path() -> Vec<PathBuf> {
    let all = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&all).filter(|folder| folder.is_absolute()).collect()
}

/// The same as a variable. What a program starts in turn is found there, too.
fn search_path_variable() -> (&'static str, OsString) {
    // No folder has a separator in its name: they have just been split there.
    ("PATH", std::env::join_paths(search_path()).unwrap_or_default())
}

fn in_search_path(name: &str) -> Option<PathBuf> {
    search_path().into_iter().map(|folder| folder.join(name)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn command(program: Program) -> io::Result<Command> {
    let file = program.file().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(&file);
    command.envs([search_path_variable()]);
    // So that none of them finds anything in the current folder.
    command.current_dir(file.parent().unwrap_or(Path::new("/")));
    Ok(command)
}

/// Opens a page in the user's browser, if the system has a program for that. Does not wait for it.
///
/// # Errors
/// The system has no such program, or it does not start.
pub fn open_page(link: &str) -> io::Result<()> {
    let mut command = command(Program::PageOpener)?;
    if cfg!(windows) {
        command.arg("url.dll,FileProtocolHandler");
    }
    command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Variables that git may see. Any other could name a program, a repository or a file to write.
const SEEN_BY_GIT: [&str; 8] =
    ["HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "SystemRoot", "TEMP", "TMP", "DEVELOPER_DIR"];

/// What git is told. The settings of the repository come from a stranger, so nothing that they can start is in reach.
const TOLD_TO_GIT: [(&str, &str); 16] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    // Objects that a partial clone has left out are not fetched.
    ("GIT_NO_LAZY_FETCH", "1"),
    // Older versions do not know the line above. No protocol has this name.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // A revision is what it says, not what stands in for it.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_PAGER", ""),
    // The most memory in one piece, in bytes: a small object may be stored as a change of a huge one.
    ("GIT_ALLOC_LIMIT", "134217728"),
    ("LC_ALL", "C"),
    ("LANGUAGE", ""),
];

/// Settings that rank above those of the repository.
const SET_FOR_GIT: [&str; 6] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "core.commitGraph=false",
];

/// Git commands that only read objects. None of them starts a program, whatever the settings of the repository say.
#[derive(Clone, Copy)]
pub(crate) enum GitCommand<'a> {
    /// `git cat-file --batch-check`: types and sizes of the objects that the input names.
    Examine,
    /// `git cat-file --batch`: also their contents.
    Read,
    /// `git ls-tree -r`: the files and folders in the tree with this id, with sizes.
    List(&'a str),
}

/// A git command that reads from one repository and does not look for any other.
///
/// # Errors
/// Git is not installed.
pub(crate) fn git(repository: &Path, wanted: GitCommand) -> io::Result<Command> {
    let mut command = command(Program::Git)?;
    command.env_clear().envs([search_path_variable()]).envs(TOLD_TO_GIT);
    command.envs(SEEN_BY_GIT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.arg("--no-pager").arg("--git-dir").arg(repository);
    for setting in SET_FOR_GIT {
        command.args(["-c", setting]);
    }
    match wanted {
        GitCommand::Examine => command.args(["cat-file", "--batch-check"]),
        GitCommand::Read => command.args(["cat-file", "--batch"]),
        GitCommand::List(id) => command.args(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", id]),
    };
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_lie_in_absolute_folders() {
        let name = if cfg!(windows) { "cmd.exe" } else { "sh" };
        let shell = in_search_path(name).expect("every system has one");
        assert!(shell.is_absolute() && is_program(&shell));
        assert_eq!(in_search_path("no-such-program"), None);
        assert!(search_path().iter().all(|folder| folder.is_absolute()));
    }
}
