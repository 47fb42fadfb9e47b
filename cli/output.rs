//! Output: data goes to standard output, messages go to standard error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use principes_app::storage::{self, Disk};
use principes_findings::escape::{self, EscapingWriter};
use principes_findings::{Finding, budget, print_human};
use similar::TextDiff;

use crate::style;

/// The result of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The packs are fine.
    Success,
    /// The command found errors, failures or differences.
    Failure,
    /// The command could not decide what it was to decide.
    Undecided,
}

/// The output format of most commands.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

impl Exit {
    pub fn failure_if(failed: bool) -> Self {
        if failed { Exit::Failure } else { Exit::Success }
    }
}

/// Standard output that shows hidden characters as escapes.
pub type Stdout = EscapingWriter<anstream::AutoStream<io::StdoutLock<'static>>>;

/// Locks standard output. Hidden characters are shown as escapes, and colors are dropped where they cannot be seen.
pub fn stdout() -> Stdout {
    EscapingWriter::new(anstream::AutoStream::auto(io::stdout().lock()))
}

/// Writes a JSON document and a newline.
pub fn json(out: &mut impl Write, value: &impl serde::Serialize) -> anyhow::Result<()> {
    out.write_all(json_text(value)?.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Standard output for rows that several threads write.
pub fn shared_stdout() -> EscapingWriter<io::Stdout> {
    EscapingWriter::new(io::stdout())
}

/// A JSON document with a newline. Hidden characters in its texts are escaped.
pub fn json_text(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(escape::json(&serde_json::to_string_pretty(value)?).into_owned() + "\n")
}

/// Prints an error. Text from files cannot send commands to the terminal, and begins no line that seems to be another
/// message: all lines but the first are indented.
pub fn error(message: &str) {
    let lines: Vec<_> = message.lines().map(escape::line).collect();
    let message = lines.join("\n       ");
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    note(&format!("{style}error{style:#}: {message}"));
}

/// Prints a message to standard error.
pub fn note(message: &str) {
    // If standard error is closed, there is nobody to tell.
    let _ = writeln!(EscapingWriter::new(anstream::stderr()), "{message}");
}

/// The most items of one kind that a command lists for people. JSON has all of them.
pub const MOST_LISTED: usize = 1_000;

/// The items of a list that people see, and a line with the number of the others. `one` is the word for one of them.
pub fn listed<'i, T>(items: &'i [T], one: &str) -> (&'i [T], Option<String>) {
    let (shown, rest) = items.split_at(items.len().min(MOST_LISTED));
    let more = format!("… and {} more {one}{}", rest.len(), if rest.len() == 1 { "" } else { "s" });
    (shown, Some(more).filter(|_| !rest.is_empty()))
}

/// A part of a text that fits into a list.
pub fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 1_000;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes more)", &text[..end], text.len() - end).into(),
        None => text.into(),
    }
}

/// Prints findings to standard error.
pub fn findings(mut findings: Vec<Finding>) {
    budget::cut(&mut findings);
    if !findings.is_empty() {
        note(print_human(&findings, true).trim_end());
    }
}

/// Ends the line on which the terminal has echoed `^C`.
pub fn end_line() {
    if io::stderr().is_terminal() {
        note("");
    }
}

/// Whether an error only means that the reader closed the pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let through_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        direct.or(through_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// A progress bar on a terminal, and nothing elsewhere.
pub fn progress(count: usize, template: &str) -> indicatif::ProgressBar {
    if !io::stderr().is_terminal() || count < 2 {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(count as u64);
    indicatif::ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}

/// The message of a panic.
pub fn panic_words(info: &std::panic::PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// The width of the terminal, or of `COLUMNS`, or 100.
pub fn width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let from_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    from_terminal.or(from_environment).unwrap_or(100).clamp(20, 400)
}

/// The height of the terminal, or 24.
pub fn height() -> usize {
    terminal_size::terminal_size().map_or(24, |(_, height)| usize::from(height.0)).clamp(10, 400)
}

/// Writes a file that the user named, for example with `--out`. It is written completely or not at all, and never
/// through a link.
pub fn write_file(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    storage::refuse_special(path)?;
    let written = storage::write_whole(&Disk, path, text).map_err(io::Error::from);
    written.with_context(|| format!("cannot write `{}`", path.display()))
}

/// Prints the differences between old and new files, given by name with their bytes.
pub fn diffs(changed: &BTreeMap<String, (&[u8], &[u8])>) -> anyhow::Result<()> {
    let mut out = stdout();
    for (file, (before, after)) in changed {
        let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
        let diff = TextDiff::from_lines(before.as_ref(), after.as_ref());
        let text = diff.unified_diff().context_radius(3).header(file, file).to_string();
        for line in text.split_inclusive('\n') {
            let style = match line.as_bytes().first() {
                Some(b'+') => style::color("green"),
                Some(b'-') => style::bad(),
                Some(b'@') => style::dim(),
                _ => Style::new(),
            };
            let (words, end) = line.strip_suffix('\n').map_or((line, ""), |words| (words, "\n"));
            write!(out, "{style}{words}{style:#}{end}")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Writes to `--out FILE`, or to standard output.
pub fn to_file_or_stdout(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => write_file(path, escape::shown(&anstream::adapter::strip_str(text).to_string()).as_bytes()),
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

    #[test]
    fn long_lists_end_with_the_number_of_the_rest() {
        let items: Vec<usize> = (0..MOST_LISTED + 2).collect();
        assert_eq!(listed(&items[..MOST_LISTED], "change"), (&items[..MOST_LISTED], None));
        let (shown, more) = listed(&items[..=MOST_LISTED], "change");
        assert_eq!((shown.len(), more.as_deref()), (MOST_LISTED, Some("… and 1 more change")));
        assert_eq!(listed(&items, "change").1.as_deref(), Some("… and 2 more changes"));
    }

    #[test]
    fn long_texts_end_with_the_number_of_bytes_left_out() {
        assert_eq!(shortened("żółw"), "żółw");
        assert_eq!(shortened(&"ż".repeat(1_003)), format!("{}… (6 bytes more)", "ż".repeat(1_000)));
    }
}
