//! Where words go: data to standard output, messages to standard error.

use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Style};
use principes_content::source::visible;

/// How a command ended that could be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine,
    /// What was checked or tested has faults.
    Faults,
}

/// How the results of most commands are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

impl Exit {
    /// `Faults` where there are any.
    pub fn faults(any: bool) -> Self {
        if any { Exit::Faults } else { Exit::Fine }
    }
}

/// Standard output; colours are dropped where nobody would see them.
pub fn stdout() -> anstream::AutoStream<io::StdoutLock<'static>> {
    anstream::AutoStream::auto(io::stdout().lock())
}

/// Writes a JSON document and a line end.
pub fn json(out: &mut impl Write, value: &impl serde::Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Says what went wrong. What comes from files cannot command the terminal.
pub fn complain(message: &str) {
    let lines: Vec<_> = message.lines().map(visible).collect();
    let message = lines.join("\n");
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    note(&format!("{style}error{style:#}: {message}"));
}

/// Says something that is no data.
pub fn note(message: &str) {
    // Standard error may be closed; then nobody wants to know.
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Ends a line of the terminal that the program has not begun itself.
pub fn end_line() {
    if io::stderr().is_terminal() {
        note("");
    }
}

/// Whether an error is only that the reader of our output has gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let through_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        direct.or(through_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// A bar that grows on a terminal, and nothing elsewhere.
pub fn progress(count: usize, template: &str) -> indicatif::ProgressBar {
    if !io::stderr().is_terminal() || count < 2 {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(count as u64);
    indicatif::ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}

/// What a panic says.
pub fn panic_words(info: &std::panic::PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no words").to_owned()
}

/// The width of the terminal, or of `COLUMNS`, or 100.
pub fn width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let from_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    from_terminal.or(from_environment).unwrap_or(100).clamp(20, 400)
}

/// Writes a file as a whole or not at all: beside it, to the disk, then in its place.
pub fn write_whole(path: &std::path::Path, text: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let beside = path.with_file_name(name);
    // What lies there was left by a write that was cut off, or is a link, through which nothing is written.
    match std::fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
    file.write_all(text)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

/// Opens `--out FILE`, or standard output.
pub fn to_file_or_stdout(path: Option<&std::path::Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => {
            use anyhow::Context as _;
            let text = anstream::adapter::strip_str(text).to_string();
            write_whole(path, text.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))
        }
        None => {
            let mut out = stdout();
            out.write_all(text.as_bytes())?;
            out.flush()?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, file) = (folder.path().join("victim"), folder.path().join("a.json"));
        std::fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("a.json.tmp")).unwrap();
        write_whole(&file, b"new").unwrap();
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(!file.is_symlink());
    }
}
