//! Faults on their way out of Lua: raised by the API, wrapped by mlua, described for people.

use mlua::Error;
use principes_core::ids::HookId;
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_core::table::RuleError;

/// What the API and the guards raise.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub message: String,
    pub kind: ScriptErrorKind,
    /// Whether the cause has been reported elsewhere already, so that this is only its echo.
    pub echo: bool,
    /// File and line of the script, where the stack was looked at when it was raised.
    pub place: Option<(String, u32)>,
}

impl Fault {
    pub fn raise(kind: ScriptErrorKind, message: impl Into<String>) -> Error {
        Error::external(Fault { message: message.into(), kind, echo: false, place: None })
    }
    pub fn runtime(message: impl Into<String>) -> Error {
        Self::raise(ScriptErrorKind::Runtime, message)
    }
    pub fn echo(message: impl Into<String>) -> Error {
        Error::external(Fault { message: message.into(), kind: ScriptErrorKind::Runtime, echo: true, place: None })
    }
}

/// An operation that the table refused, as an error of the function that asked for it.
pub fn refused(function: &str, error: RuleError) -> Error {
    Fault::runtime(format!("{function}: {}", error.0))
}

/// Chunk name of the trusted prelude; never shown to script authors.
pub const PRELUDE: &str = "[prelude]";

/// What is said where a pack's memory is used up.
pub const TOO_MUCH_MEMORY: &str = "the script needs more memory than a pack may use";

/// Characters of a message that are shown.
const LONGEST_MESSAGE: usize = 500;

/// An error taken apart.
pub struct Described {
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub kind: ScriptErrorKind,
    pub echo: bool,
}

impl Described {
    pub fn into_error(self, hook: Option<HookId>) -> ScriptError {
        ScriptError { message: self.message, file: self.file, line: self.line, hook, kind: self.kind }
    }
}

/// Takes an error apart: the innermost message, and the innermost line of a script that it comes from.
pub fn describe(error: &Error) -> Described {
    let mut error = error;
    let mut trace = "";
    loop {
        match error {
            Error::CallbackError { traceback, cause } => {
                trace = traceback;
                error = cause;
            }
            Error::WithContext { cause, .. } | Error::BadArgument { cause, .. } => error = cause,
            Error::ExternalError(inner) => match inner.downcast_ref::<Error>() {
                Some(inner) => error = inner,
                None => break,
            },
            _ => break,
        }
    }
    let (mut kind, mut echo, mut place) = (ScriptErrorKind::Runtime, false, None);
    let text = match error {
        Error::RuntimeError(text) | Error::SyntaxError { message: text, .. } => text.clone(),
        Error::MemoryError(_) => {
            kind = ScriptErrorKind::Memory;
            TOO_MUCH_MEMORY.to_owned()
        }
        Error::ExternalError(inner) => {
            if let Some(fault) = inner.downcast_ref::<Fault>() {
                kind = fault.kind;
                echo = fault.echo;
                place.clone_from(&fault.place);
            }
            inner.to_string()
        }
        other => other.to_string(),
    };
    let (text, own_trace) = match text.find("\nstack traceback:") {
        Some(at) => (text[..at].to_owned(), text[at..].to_owned()),
        None => (text, String::new()),
    };
    let (position, message) = split_position(&text);
    // A script may write any place into its message; only one that it has been at is believed.
    let been = |file: &str, line: u32| {
        let entry = format!("{file}:{line}:");
        let told = |trace: &str| trace.lines().any(|at| at.trim_start().starts_with(&entry));
        (own_trace.is_empty() && trace.is_empty()) || told(&own_trace) || told(trace)
    };
    let (position, message) = match position {
        Some((file, line)) if is_host(file) || been(file, line) => (Some((file, line)), message),
        _ => (None, text.as_str()),
    };
    let position = position
        .filter(|(file, _)| !is_host(file))
        .or_else(|| first_script_line(&own_trace))
        .or_else(|| first_script_line(trace))
        .map(|(file, line)| (file.to_owned(), line));
    let (file, line) = place.or(position).unzip();
    let mut message = readable(message.trim());
    if message == "attempt to modify a readonly table" {
        message.push_str(
            "; what the host, modules and the API hand out is read-only, and so are globals: keep state in counters and zones",
        );
    }
    if message.starts_with("not enough memory") {
        kind = ScriptErrorKind::Memory;
    }
    Described { message, file, line, kind, echo }
}

/// A message that can be shown to people: no address, no control characters, of bearable length.
fn readable(message: &str) -> String {
    if let Some((kind, address)) = message.split_once(": 0x")
        && ["table", "function", "thread", "userdata", "buffer"].contains(&kind)
        && address.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return format!("the script raised a {kind} as its error; raise a text");
    }
    let mut text = String::new();
    for (at, c) in message.chars().enumerate() {
        if at == LONGEST_MESSAGE {
            text.push('…');
            break;
        }
        match c.is_control() {
            true => text.extend(c.escape_debug()),
            false => text.push(c),
        }
    }
    text
}

fn is_host(file: &str) -> bool {
    file.contains(PRELUDE) || file == "[C]"
}

/// Splits `path:12: message`.
fn split_position(text: &str) -> (Option<(&str, u32)>, &str) {
    let mut from = 0;
    while let Some(colon) = text[from..].find(':').map(|at| at + from) {
        let rest = &text[colon + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0
            && let (Ok(line), Some(message)) = (rest[..digits].parse(), rest[digits..].strip_prefix(':'))
        {
            let file = text[..colon].trim_start_matches("[string \"").trim_end_matches("\"]");
            return (Some((file, line)), message);
        }
        from = colon + 1;
        if text[..colon].contains('\n') {
            break;
        }
    }
    (None, text)
}

/// The innermost line of a script in a traceback.
fn first_script_line(trace: &str) -> Option<(&str, u32)> {
    trace.lines().find_map(|entry| {
        let entry = entry.trim();
        let colon = entry.find(".lua:").map(|at| at + 4).or_else(|| entry.rfind(':'))?;
        let digits: String = entry[colon + 1..].chars().take_while(char::is_ascii_digit).collect();
        let file = entry[..colon].trim_start_matches("[string \"").trim_end_matches("\"]");
        (!is_host(file)).then_some((file, digits.parse().ok()?))
    })
}
