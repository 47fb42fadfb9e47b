//! The program as users run it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The program in the folder of the repository, independent of the environment.
pub fn principes(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_principes"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).env("COLUMNS", "100").stdin(Stdio::null());
    command.env_remove("PRINCIPES_PATH").env_remove("GITHUB_ACTIONS").env_remove("GITHUB_WORKSPACE");
    command
}

/// A temporary folder.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn program(&self, args: &[&str]) -> Command {
        let mut command = principes(args);
        command.current_dir(self.path());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.program(args).output().unwrap()
    }

    pub fn run_with(&self, args: &[&str], input: &str) -> Output {
        let mut child = self.start(args);
        // The program may end without reading everything.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    pub fn start(&self, args: &[&str]) -> Child {
        let mut command = self.program(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Writes a file as editors do, so that a watcher never sees a part of it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut new = tempfile::NamedTempFile::new_in(self.path()).unwrap();
        new.write_all(text.as_bytes()).unwrap();
        new.persist(path).unwrap();
    }

    /// Runs the program where no file may be longer than some blocks of 512 bytes (or 1 KiB, in some shells). That is
    /// like a full disk.
    #[cfg(unix)]
    pub fn run_on_full_disk(&self, blocks: usize, args: &[&str]) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")]);
        shell.arg(env!("CARGO_BIN_EXE_principes")).args(args).current_dir(self.path());
        shell.env_remove("PRINCIPES_PATH").stdin(Stdio::null()).output().unwrap()
    }

    /// The temporary files that the program has left.
    pub fn leftovers(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.file(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".tmp")).collect()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// A folder with a small game, which loads quickly.
pub fn with_game() -> Place {
    let place = Place::new();
    let made = place.run(&["new", "hills", "--kind", "game"]);
    assert_eq!(code(&made), 0, "{}", errors(&made));
    place
}

/// Waits until a running program has done something.
pub fn wait(child: &mut Child, done: impl Fn() -> bool) {
    // No machine needs this long, so a program that does nothing fails.
    let patience = Instant::now() + Duration::from_secs(120);
    while !done() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        assert!(Instant::now() < patience, "nothing happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, such as `INT`, to a running program. Its process id is not reused before `wait`.
pub fn send(signal: &str, child: &Child) {
    // `kill` is part of every shell; as a program, it belongs to a package that not every system has.
    let sent = Command::new("sh").args(["-c", &format!("kill -s {signal} {}", child.id())]).status().unwrap();
    assert!(sent.success());
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", text(output), errors(output)))
}

/// The keys of an object.
pub fn keys(value: &Value) -> Vec<String> {
    value.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default()
}

/// Fails unless an object has exactly these keys.
#[track_caller]
pub fn assert_keys(value: &Value, wanted: &[&str]) {
    let (mut have, mut wanted) = (keys(value), wanted.to_vec());
    have.sort();
    wanted.sort_unstable();
    assert_eq!(have, wanted);
}
