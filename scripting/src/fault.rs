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
}

impl Fault {
    pub fn raise(kind: ScriptErrorKind, message: impl Into<String>) -> Error {
        Error::external(Fault { message: message.into(), kind, echo: false })
    }
    pub fn runtime(message: impl Into<String>) -> Error {
        Self::raise(ScriptErrorKind::Runtime, message)
    }
    pub fn echo(message: impl Into<String>) -> Error {
        Error::external(Fault { message: message.into(), kind: ScriptErrorKind::Runtime, echo: true })
    }
}

/// An operation that the table refused, as an error of the function that asked for it.
pub fn refused(function: &str, error: RuleError) -> Error {
    Fault::runtime(format!("{function}: {}", error.0))
}

/// Chunk name of the trusted prelude; never shown to script authors.
pub const PRELUDE: &str = "[prelude]";

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
    let (mut kind, mut echo) = (ScriptErrorKind::Runtime, false);
    let text = match error {
        Error::RuntimeError(text) | Error::SyntaxError { message: text, .. } => text.clone(),
        Error::MemoryError(_) => {
            kind = ScriptErrorKind::Memory;
            "the script needs more memory than a pack may use".to_owned()
        }
        Error::ExternalError(inner) => {
            if let Some(fault) = inner.downcast_ref::<Fault>() {
                kind = fault.kind;
                echo = fault.echo;
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
    let position = position
        .filter(|(file, _)| !is_host(file))
        .or_else(|| first_script_line(&own_trace))
        .or_else(|| first_script_line(trace));
    let (file, line) = match position {
        Some((file, line)) => (Some(file.to_owned()), Some(line)),
        None => (None, None),
    };
    let mut message = message.trim().to_owned();
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
