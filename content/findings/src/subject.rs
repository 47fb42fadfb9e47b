//! What findings depend on.

use principes_lua::constant_name;

/// Something that findings depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A file, or the part of it at and below a JSON pointer.
    Part {
        /// The file as users name it.
        file: String,
        /// The part; empty for the whole file.
        pointer: String,
    },
    /// Something that nothing declares.
    Missing {
        /// Key of its family: `spaces`.
        family: String,
        /// Its id, as scripts write it.
        id: String,
    },
}

impl Subject {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Subject::Part { file: file.into(), pointer: String::new() }
    }

    /// An undeclared entity of a family, however its id is spelled.
    pub fn missing(family: &str, id: &str) -> Self {
        Subject::Missing { family: family.to_owned(), id: constant_name(id) }
    }
}
