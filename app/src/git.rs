//! Reads objects of git repositories: revisions, folders and files as they were. Reads no working files and no index,
//! and runs nothing that a repository asks for.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;

use crate::programs::{GitCommand, git};

/// Seconds after which git is ended, whatever it is doing.
const MOST_SECONDS: u64 = 60;
/// Bytes of an answer's first line, or of the path of a file.
const LONGEST_LINE: u64 = 8192;
/// Bytes of git's errors that are read.
const LONGEST_ERROR: u64 = 4096;

/// A repository with a working folder.
pub(crate) struct Repository {
    /// Its working folder.
    pub(crate) top: PathBuf,
    git_folder: PathBuf,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Link,
    Folder,
    /// Another repository, a tag, or a commit.
    Other,
}

/// A name of an object, found in the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) id: String,
    pub(crate) kind: Kind,
}

/// A file or folder below a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Its path below that folder, with `/` between the parts.
    pub(crate) path: String,
    pub(crate) object: Object,
    /// Bytes of a file.
    pub(crate) bytes: u64,
}

impl Repository {
    /// The repository of a folder: that of the nearest `.git` in it or above. Bare repositories are not found, because
    /// one could lie among the files of a pack.
    pub(crate) fn around(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        let top = folder.ancestors().find(|above| above.join(".git").exists())?;
        Some(Repository { top: top.to_owned(), git_folder: top.join(".git") })
    }

    /// The object of a name, such as `HEAD^{tree}` or `ID:path`. `None` if there is none.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Object>, String> {
        if name.contains(['\n', '\0']) {
            return Ok(None);
        }
        let mut asked = Running::start(&self.git_folder, GitCommand::Examine)?;
        Ok(asked.ask(name)?.and_then(|line| object(line.split(' '))))
    }

    /// Passes everything below a folder to `take`, until it returns an error.
    pub(crate) fn list<E: From<String>>(
        &self,
        folder: &Object,
        mut take: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut listing = Running::start(&self.git_folder, GitCommand::List(&folder.id))?;
        while let Some(line) = listing.line(0)? {
            let entry = entry(&line).ok_or_else(|| format!("its list of files has the line `{line}`"))?;
            take(entry)?;
        }
        Ok(listing.finish()?)
    }

    /// Reads the contents of files.
    pub(crate) fn reader(&self) -> Result<Reader, String> {
        Ok(Reader(Running::start(&self.git_folder, GitCommand::Read)?))
    }
}

/// Reads files one after the other.
pub(crate) struct Reader(Running);

impl Reader {
    /// The content of a file that has been listed.
    pub(crate) fn read(&mut self, file: &Entry) -> Result<Vec<u8>, String> {
        let header = self.0.ask(&file.object.id)?.unwrap_or_default();
        if header != format!("{} blob {}", file.object.id, file.bytes) {
            return Err(self.0.failure(&format!("it cannot read `{}`", file.path)));
        }
        // A line feed follows.
        let mut content = Vec::new();
        let read = (&mut self.0.output).take(file.bytes + 1).read_to_end(&mut content);
        if read.is_err() || content.pop() != Some(b'\n') || content.len() as u64 != file.bytes {
            return Err(self.0.failure(&format!("it cannot read `{}`", file.path)));
        }
        Ok(content)
    }
}

/// `ID TYPE SIZE` of an object. Other lines say that it is missing or that the name is ambiguous.
fn object<'a>(mut parts: impl Iterator<Item = &'a str>) -> Option<Object> {
    let (id, kind, size) = (parts.next()?, parts.next()?, parts.next()?);
    size.parse::<u64>().ok()?;
    let kind = match kind {
        "blob" => Kind::File,
        "tree" => Kind::Folder,
        "commit" | "tag" => Kind::Other,
        _ => return None,
    };
    is_id(id).then(|| Object { id: id.to_owned(), kind })
}

fn is_id(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `MODE TYPE ID SIZE<tab>PATH`.
fn entry(line: &str) -> Option<Entry> {
    let (about, path) = line.split_once('\t')?;
    let mut parts = about.split_ascii_whitespace();
    let (mode, kind, id, size) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let kind = match (mode, kind) {
        ("120000", "blob") => Kind::Link,
        (_, "blob") => Kind::File,
        (_, "tree") => Kind::Folder,
        _ => Kind::Other,
    };
    let bytes = if kind == Kind::File || kind == Kind::Link { size.parse().ok()? } else { 0 };
    is_id(id).then(|| Entry { path: path.to_owned(), object: Object { id: id.to_owned(), kind }, bytes })
}

/// A git process. It ends with this value.
struct Running {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    errors: Option<JoinHandle<String>>,
    /// The watch ends when this is dropped.
    _watch: Sender<()>,
}

impl Running {
    fn start(git_folder: &Path, wanted: GitCommand) -> Result<Self, String> {
        let missing = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "git is not installed in an absolute folder of `PATH`".to_owned(),
            _ => format!("git does not start: {error}"),
        };
        let mut command = git(git_folder, wanted).map_err(missing)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(missing)?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("git does not start".to_owned());
        };
        let child = Arc::new(Mutex::new(child));
        let (watch, ended) = channel();
        let watched = Arc::clone(&child);
        std::thread::spawn(move || {
            if ended.recv_timeout(Duration::from_secs(MOST_SECONDS)) == Err(RecvTimeoutError::Timeout) {
                end(&watched);
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            let mut errors = errors;
            // What cannot be read is not shown. The rest is read, so that git does not wait.
            let _ = (&mut errors).take(LONGEST_ERROR).read_to_end(&mut text);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
        });
        let output = BufReader::new(output);
        Ok(Running { child, input: Some(input), output, errors: Some(errors), _watch: watch })
    }

    /// Sends a line and reads the first line of the answer.
    fn ask(&mut self, line: &str) -> Result<Option<String>, String> {
        let sent = self.input.as_mut().map(|input| input.write_all(format!("{line}\n").as_bytes()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.failure("it ended early"));
        }
        match self.line(b'\n')? {
            Some(line) => Ok(Some(line)),
            None => Err(self.failure("it ended early")),
        }
    }

    /// The next line of the output, without its end. `None` after the last one.
    fn line(&mut self, end: u8) -> Result<Option<String>, String> {
        let mut line = Vec::new();
        let read = (&mut self.output).take(LONGEST_LINE).read_until(end, &mut line);
        match read {
            Ok(0) => Ok(None),
            Ok(_) if line.pop() == Some(end) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            _ => Err(self.failure("its answer has a line that is too long or not complete")),
        }
    }

    /// Waits for the end.
    fn finish(&mut self) -> Result<(), String> {
        drop(self.input.take());
        let status = self.child.lock().wait();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(self.failure("it failed")),
        }
    }

    /// Ends git. What git says about the failure, or else `what`.
    fn failure(&mut self, what: &str) -> String {
        end(&self.child);
        let said = self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        if said.is_empty() { what.to_owned() } else { said }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end(&self.child);
    }
}

/// Ends a process if it still runs.
fn end(child: &Mutex<Child>) {
    let mut child = child.lock();
    // Both fail if it has ended.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_objects_only_if_they_are_complete() {
        let id = "1".repeat(40);
        let read = |text: &str| object(text.split(' '));
        assert_eq!(read(&format!("{id} tree 33")), Some(Object { id: id.clone(), kind: Kind::Folder }));
        assert_eq!(read(&format!("{id} tag 33")).map(|object| object.kind), Some(Kind::Other));
        for wrong in ["HEAD missing", "12 tree 3", "a b ambiguous", "a tree b missing", &format!("{id} tree x")] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lists_say_what_an_entry_is() {
        let id = "1".repeat(40);
        for (about, kind, bytes) in [
            (format!("100644 blob {id}      12"), Kind::File, 12),
            (format!("100755 blob {id}       1"), Kind::File, 1),
            (format!("120000 blob {id}       9"), Kind::Link, 9),
            (format!("040000 tree {id}       -"), Kind::Folder, 0),
            (format!("160000 commit {id}       -"), Kind::Other, 0),
        ] {
            let read = entry(&format!("{about}\ta\tb.json")).unwrap();
            assert_eq!((read.path.as_str(), read.object.kind, read.bytes), ("a\tb.json", kind, bytes));
        }
        assert_eq!(entry(&format!("100644 blob {id} BAD\ta.json")), None);
    }
}
