//! The kinds of mistakes.

use std::fmt;

macro_rules! classes {
    ($($name:ident $text:literal $doc:literal;)*) => {
        /// A kind of mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $(#[doc = $doc] $name,)*
        }

        impl Class {
            /// All classes, in the order in which they are listed for users.
            pub const ALL: &[Class] = &[$(Class::$name),*];

            /// As `--classes` takes it and reports show it.
            pub fn name(self) -> &'static str {
                match self { $(Class::$name => $text),* }
            }

            /// What a mutant of this class changes.
            pub fn doc(self) -> &'static str {
                match self { $(Class::$name => $doc),* }
            }
        }
    };
}

classes! {
    Number "number" "a number in a content file: one more, one less, 0 or negated";
    Boolean "boolean" "true instead of false, or the reverse, in a content file";
    Keyword "keyword" "another keyword in a content file";
    Edge "edge" "another edge at one side of a tile";
    Reference "reference" "the id of another entity of the same family";
    Hook "hook" "another function of the same module as the hook";
    DroppedEntry "dropped-entry" "a field or list entry left out";
    MissingKey "missing-key" "a required field left out";
    KeyTypo "key-typo" "the key of a field with two letters swapped";
    IdTypo "id-typo" "the id of an entity with two letters swapped";
    MessageTypo "message-typo" "the key of a message with two letters swapped";
    Text "text" "a word of a text that people read with two letters swapped";
    ReferenceTypo "reference-typo" "an id with two letters swapped";
    PropTypo "prop-typo" "the name of a property, stat or param with two letters swapped";
    ValueTypo "value-typo" "the name of a value of a hook point with two letters swapped";
    KeywordTypo "keyword-typo" "a keyword with two letters swapped";
    HookTypo "hook-typo" "a hook's function with two letters swapped";
    Condition "condition" "a condition negated, or `or` instead of `and`";
    DroppedOperand "dropped-operand" "one operand of `and` or `or` left out";
    Comparison "comparison" "`<` instead of `<=`, `==` instead of `~=`, and so on";
    Arithmetic "arithmetic" "`+` instead of `-`, `*` instead of `+`";
    Literal "literal" "a number in a script, as in a content file, or true instead of false";
    Constant "constant" "another constant of the same table";
    OtherCall "other-call" "another API function with as many parameters";
    DroppedCall "dropped-call" "a function call left out";
    DroppedAssignment "dropped-assignment" "an assignment left out";
    DroppedReturn "dropped-return" "a `return` without its values";
    DroppedArgument "dropped-argument" "a required argument left out";
    DroppedOption "dropped-option" "an optional argument left out";
    SwappedArguments "swapped-arguments" "two arguments swapped";
    ApiTypo "api-typo" "an API function with two letters swapped";
    ConstantTypo "constant-typo" "a constant with two letters swapped";
    FunctionTypo "function-typo" "a function of a module with two letters swapped";
    FieldTypo "field-typo" "a field with two letters swapped";
    WordTypo "word-typo" "a word in quotes with two letters swapped";
}

impl Class {
    /// The class with a name.
    pub fn with_name(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.name() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
