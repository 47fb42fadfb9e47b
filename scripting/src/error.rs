//! Errors of scripts: errors that the API and the guards raise, and the analysis of errors that come out of Lua.

use mlua::{Error, Value as LuaValue};
use principes_core::RuleError;
use principes_core::ids::{HookId, Value};
use principes_core::scripts::{CallLine, ScriptCall, ScriptError, ScriptErrorKind};

use crate::source::ScriptSource;
use crate::suggest::Hint;

/// A line of a script, as the machine knows it. Scripts can read it in a caught error, so it names the module and not the
/// file, whose folder the user chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptLocation {
    /// Its path in the pack, without the ending `.lua`.
    pub module: String,
    /// The line, from 1.
    pub line: u32,
}

/// An error that the API or a guard raises.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    pub message: String,
    pub kind: ScriptErrorKind,
    /// The probable name, if a name was wrong. The message contains it too.
    pub suggestion: Option<String>,
    /// Whether the cause has already been reported, so that this error only passes it on.
    pub echo: bool,
    /// The location of the script, if the stack was inspected when the error was raised.
    pub place: Option<ScriptLocation>,
}

impl ApiError {
    /// An error that has not been raised yet.
    pub fn new(kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        ApiError { message: message.into(), kind, suggestion: None, echo: false, place: None }
    }
    /// Raises an error for misuse of the API.
    pub fn raise(message: impl Into<String>) -> Error {
        Error::external(ApiError::new(ScriptErrorKind::Runtime, message))
    }
    /// Raises an error for a wrong name. The hint is appended to the message.
    pub fn raise_with(message: impl std::fmt::Display, hint: Hint) -> Error {
        let error = ApiError::new(ScriptErrorKind::Runtime, format!("{message}{hint}"));
        Error::external(ApiError { suggestion: hint.0, ..error })
    }
    /// Raises an error that only passes on one that has been reported.
    pub fn echo(message: impl Into<String>) -> Error {
        Error::external(ApiError { echo: true, ..ApiError::new(ScriptErrorKind::Runtime, message) })
    }
}

/// An error of the table, as an error of the API function.
pub fn refused(function: &str, error: RuleError) -> Error {
    ApiError::raise(format!("{function}: {}", error.0))
}

/// The chunk name of the host's own Lua code. Script authors never see it.
pub const PRELUDE: &str = "[prelude]";

/// The message if a pack runs out of memory.
pub const TOO_MUCH_MEMORY: &str = "the script needs more memory than a pack is allowed";

/// The most characters of a message.
const LONGEST_MESSAGE: usize = 500;

/// The parts of an error.
pub struct Described {
    pub message: String,
    pub suggestion: Option<String>,
    pub place: Option<ScriptLocation>,
    pub trace: Vec<TracedCall>,
    pub kind: ScriptErrorKind,
    pub echo: bool,
}

/// A call in a stack trace of Luau.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// The name of the function, if it has one.
    pub function: Option<String>,
    /// The first line of a function without a name.
    pub head: Option<u32>,
    pub module: String,
    pub line: u32,
}

impl TracedCall {
    /// The call, in the file of its module.
    pub fn in_file(self, sources: &[ScriptSource]) -> ScriptCall {
        let file = file_of(&self.module, sources);
        ScriptCall { function: self.function, file, line: CallLine::Exact(self.line) }
    }
}

impl Described {
    /// The error for people, who know files and not modules.
    pub fn into_error(self, hook: Option<HookId>, sources: &[ScriptSource]) -> ScriptError {
        let Described { message, suggestion, place, trace, kind, .. } = self;
        let trace = trace.into_iter().map(|call| call.in_file(sources)).collect();
        let (file, line) = place.map(|place| (file_of(&place.module, sources), place.line)).unzip();
        ScriptError { message, suggestion, file, line, trace, hook, kind, steps: 0 }
    }
}

/// The file of a module, with the folder that the user named.
pub fn file_of(module: &str, sources: &[ScriptSource]) -> String {
    let source = sources.iter().find(|source| source.module == module);
    source.map_or(module, |source| &source.path).to_owned()
}

/// How the stack traces of Luau begin.
const TRACE: &str = "stack traceback:";

/// The whole message of Luau if the function that adds a stack trace to an error fails. The one reason for that is that
/// no memory was left, whatever the first error was.
const NO_TRACE: &str = "error in error handling";

/// The innermost error, and its stack trace.
fn innermost(mut error: &Error) -> (&Error, &str) {
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
                None => return (error, trace),
            },
            _ => return (error, trace),
        }
    }
}

/// Analyzes an error: the innermost message, the innermost line of a script that it comes from, and the calls that led
/// there.
pub fn describe(error: &Error) -> Described {
    let (error, trace) = innermost(error);
    let mut raised = ApiError::new(ScriptErrorKind::Runtime, String::new());
    let text = match error {
        // The trace is made when the error is raised. If it is missing, there was no memory for it.
        _ if !trace.is_empty() && !trace.starts_with(TRACE) => {
            raised.kind = ScriptErrorKind::Memory;
            TOO_MUCH_MEMORY.to_owned()
        }
        Error::RuntimeError(text) if text == NO_TRACE => {
            raised.kind = ScriptErrorKind::Memory;
            TOO_MUCH_MEMORY.to_owned()
        }
        Error::RuntimeError(text) | Error::SyntaxError { message: text, .. } => text.clone(),
        Error::MemoryError(_) => {
            raised.kind = ScriptErrorKind::Memory;
            TOO_MUCH_MEMORY.to_owned()
        }
        Error::ExternalError(inner) => {
            if let Some(known) = inner.downcast_ref::<ApiError>() {
                raised = known.clone();
            }
            inner.to_string()
        }
        other => other.to_string(),
    };
    let own_trace = text.match_indices(TRACE).map(|(at, _)| at).find(|at| text[..*at].ends_with('\n'));
    let (text, own_trace) = match own_trace {
        Some(at) => (text[..at - 1].to_owned(), text[at - 1..].to_owned()),
        None => (text, String::new()),
    };
    let (position, message) = split_position(&text);
    // A script can write any location into its message, so only locations in the trace are believed.
    let been = |place: &ScriptLocation| {
        let entry = format!("{}:{}:", place.module, place.line);
        let chunk = |trace: &str| trace.lines().any(|at| at.trim_start().starts_with(&entry));
        (own_trace.is_empty() && trace.is_empty()) || chunk(&own_trace) || chunk(trace)
    };
    let (position, message) = match position {
        Some(place) if is_host(&place.module) || been(&place) => (Some(place), message),
        _ => (None, text.as_str()),
    };
    let calls = match calls(&own_trace) {
        own if own.is_empty() => calls(trace),
        own => own,
    };
    let innermost = || calls.first().map(|frame| ScriptLocation { module: frame.module.clone(), line: frame.line });
    let place = raised.place.or(position.filter(|place| !is_host(&place.module))).or_else(innermost);
    let mut message = readable(message.trim());
    if message == "attempt to modify a readonly table" {
        message.push_str(
            "; globals and the tables of the host, of modules and of the API are read-only: keep state in counters and zones",
        );
    }
    let out_of_memory = message.starts_with("not enough memory");
    let kind = if out_of_memory { ScriptErrorKind::Memory } else { raised.kind };
    Described { message, suggestion: raised.suggestion, place, trace: calls, kind, echo: raised.echo }
}
/// A message that is fit for people: no address, no control characters, limited length.
fn readable(message: &str) -> String {
    if let Some((kind, address)) = message.split_once(": 0x")
        && ["table", "function", "thread", "userdata", "buffer"].contains(&kind)
        && address.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return format!("the script raised a {kind} as its error; raise a string instead");
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

fn is_host(module: &str) -> bool {
    module.contains(PRELUDE) || module == "[C]"
}

/// Splits `module:12: message`.
fn split_position(text: &str) -> (Option<ScriptLocation>, &str) {
    let mut from = 0;
    while let Some(colon) = text[from..].find(':').map(|at| at + from) {
        let rest = &text[colon + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0
            && let (Ok(line), Some(message)) = (rest[..digits].parse(), rest[digits..].strip_prefix(':'))
        {
            return (Some(ScriptLocation { module: chunk_name(&text[..colon]), line }), message);
        }
        from = colon + 1;
        if text[..colon].contains('\n') {
            break;
        }
    }
    (None, text)
}

/// The chunk name that Luau receives.
fn chunk_name(chunk: &str) -> String {
    chunk.trim_start_matches("[string \"").trim_end_matches("\"]").to_owned()
}

/// The calls of scripts in a stack trace of Luau, innermost first: `a:12: in function 'income'`, or
/// `a:12: in function <a:9>` if the function that begins in line 9 has no name. No module has a colon in its name.
fn calls(trace: &str) -> Vec<TracedCall> {
    let call = |entry: &str| {
        let entry = entry.trim();
        let colon = entry.find(':')?;
        let rest = &entry[colon + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (module, line) = (chunk_name(&entry[..colon]), rest[..digits].parse().ok()?);
        let function = rest.split_once("function '").and_then(|(_, name)| Some(name.rsplit_once('\'')?.0.to_owned()));
        let head = rest.split_once("function <").and_then(|(_, place)| place.strip_suffix('>')?.rsplit_once(':'));
        let head = head.and_then(|(_, line)| line.parse().ok());
        (!is_host(&module)).then_some(TracedCall { function, head, module, line })
    };
    trace.lines().filter_map(call).collect()
}

/// A number in an error message. If it is only too large or too small, it says so.
fn whole(text: String, number: f64) -> String {
    let (least, most) = (f64::from(Value::LEAST), f64::from(i32::MAX));
    match number.fract() == 0.0 {
        true if number > most => format!("{text}, which is above the greatest number, {most}"),
        true if number < least => format!("{text}, which is below the least number, {least}"),
        _ => text,
    }
}

/// A Lua value in an error message, without addresses.
pub fn say(value: &LuaValue) -> String {
    match value {
        LuaValue::Nil => "nothing".to_owned(),
        LuaValue::Boolean(b) => b.to_string(),
        LuaValue::Integer(n) => whole(n.to_string(), *n as f64),
        LuaValue::Number(n) => whole(n.to_string(), *n),
        LuaValue::String(text) => format!("\"{}\"", text.to_string_lossy()),
        LuaValue::Table(_) => "a table".to_owned(),
        LuaValue::Function(_) => "a function".to_owned(),
        other => format!("a {}", other.type_name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_scripts_are_distinguished_from_calls_of_the_host() {
        let trace = "\nstack traceback:\n\t[C]: in function 'error'\n\tcards/a:12: in function 'pay'\n\t\
            [string \"[prelude]\"]:40: in function 'trigger'\n\tcards/a:30: in function <cards/a:28>";
        let call = |function: Option<&str>, head, line| TracedCall {
            function: function.map(str::to_owned),
            head,
            module: "cards/a".to_owned(),
            line,
        };
        assert_eq!(calls(trace), [call(Some("pay"), None, 12), call(None, Some(28), 30)]);
        assert_eq!(calls(""), []);
    }
}
