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

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Class::$name => $text),* }
            }

            /// What it does.
            pub fn doc(self) -> &'static str {
                match self { $(Class::$name => $doc),* }
            }
        }
    };
}

classes! {
    Number "number" "a number of a content file, one more or less, 0, or with the other sign";
    Boolean "boolean" "true for false in a content file";
    Keyword "keyword" "another word in a content file";
    Reference "reference" "the id of another entity of the same family";
    Handler "handler" "another function of the same module as hook";
    DroppedEntry "dropped-entry" "a field or list entry left out";
    ReferenceTypo "reference-typo" "an id with two letters changed over";
    PropTypo "prop-typo" "the name of a property, stat or param with two letters changed over";
    KeywordTypo "keyword-typo" "a keyword with two letters changed over";
    HandlerTypo "handler-typo" "a hook's function with two letters changed over";
    Condition "condition" "a condition negated, `and` for `or`";
    Comparison "comparison" "`<` for `<=`, `==` for `~=`, and so on";
    Arithmetic "arithmetic" "`+` for `-`, `*` for `+`";
    Literal "literal" "a number one more or less, true for false, in a script";
    Constant "constant" "another constant of the same table";
    OtherCall "other-call" "another function of the API with as many parameters";
    DroppedCall "dropped-call" "a statement that calls a function left out";
    DroppedAssignment "dropped-assignment" "an assignment left out";
    DroppedReturn "dropped-return" "a return without its values";
    DroppedArgument "dropped-argument" "an argument left out that the function needs";
    DroppedOption "dropped-option" "an argument left out that the function can do without";
    SwappedArguments "swapped-arguments" "two arguments changed over";
    ApiTypo "api-typo" "a function of the API with two letters changed over";
    ConstantTypo "constant-typo" "a constant with two letters changed over";
    FunctionTypo "function-typo" "a function of a module with two letters changed over";
    FieldTypo "field-typo" "a field with two letters changed over";
    WordTypo "word-typo" "a word in quotes with two letters changed over";
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
