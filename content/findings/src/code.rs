//! The table of all codes, with severity, stage and title.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::severity::Severity;

/// How far packs are checked. Each stage includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Files can be read and are JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References name something, numbers fit together, messages exist; the packs compile.
    Links,
    /// Scripts fit the API and the content, compile, and have the function of every hook. Loading ends here.
    #[default]
    Scripts,
    /// Scenarios match their snapshots.
    Scenarios,
    /// Random games end.
    Play,
}

/// Whether the author's intention is clear despite an error. If it is, or if the error does not affect the game, the
/// rest can still run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The check continues with what was meant.
    Clear,
    /// It is clear if the finding has a fix.
    IfFixed,
    /// It is not.
    Doubtful,
}

macro_rules! codes {
    ($($name:ident $code:literal $severity:ident $stage:ident $meaning:ident $title:literal;)*) => {
        /// The code of a finding. It keeps its meaning forever; new meanings get new codes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = concat!($code, ": ", $title, ".")] $name,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The code as it is printed: `P0202`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code),* }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity),* }
            }

            /// The stage of a check that finds it.
            pub fn stage(self) -> Stage {
                match self { $(Code::$name => Stage::$stage),* }
            }

            /// Whether it is clear what the author meant.
            pub fn meaning(self) -> Meaning {
                match self { $(Code::$name => Meaning::$meaning),* }
            }

            /// What is wrong, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title),* }
            }
        }
    };
}

codes! {
    Unreadable "P0001" Error Syntax Clear "a file or folder cannot be read";
    BadFileName "P0002" Error Syntax Clear "a file name is not valid on every system";
    NotUtf8 "P0003" Error Syntax Clear "a file is not UTF-8";
    ByteOrderMark "P0004" Warning Syntax Clear "a file begins with a byte order mark";
    NotJson "P0005" Error Syntax Clear "a file is not valid JSON";
    DuplicateKey "P0006" Error Syntax Clear "an object has the same key twice";
    HiddenCharacter "P0007" Error Syntax Clear "a text has a hidden character";
    NoManifest "P0010" Error Syntax Clear "a pack has no pack.json";
    NoFamily "P0011" Error Syntax Clear "a file has no family, or families that cannot share it";
    MisplacedFile "P0012" Error Syntax Clear "the name of a file does not match its content";
    RefusedArchive "P0013" Error Syntax Clear "a packed pack is not accepted";
    UnknownFile "P0014" Warning Syntax Clear "a pack has a file that nothing reads";
    BudgetExceeded "P0015" Error Syntax Doubtful "the packs exceed a budget of the check";
    WrongType "P0101" Error Schema Clear "a value has the wrong type";
    UnknownField "P0102" Error Schema Clear "a field is unknown";
    MissingField "P0103" Error Schema Clear "a field is missing";
    WrongChoice "P0104" Error Schema Clear "a value is not one of those allowed";
    OutOfBounds "P0105" Error Schema Clear "a number is out of bounds";
    BadForm "P0106" Error Schema Clear "a text does not have the required form";
    WrongLength "P0107" Error Schema Clear "a list has too few or too many items";
    NotExactlyOne "P0108" Error Schema Clear "a group of fields must have exactly one member";
    UnfitValue "P0109" Error Schema Clear "a value does not fit its schema";
    UnsuitableSeries "P0110" Error Schema Doubtful "the placeholders of a series of cards do not fit";
    DuplicateId "P0201" Error Links Clear "an id is declared twice";
    UnknownReference "P0202" Error Links Clear "a reference names something that does not exist";
    OtherProgramVersion "P0203" Error Links Doubtful "a pack is for another version of the program";
    MissingPack "P0204" Error Links Doubtful "a required pack is missing";
    UnsuitablePack "P0205" Error Links Doubtful "a required pack has an unsuitable version";
    ConflictingPacks "P0206" Error Links Clear "two packs cannot be loaded together";
    CircularPacks "P0207" Error Links Doubtful "packs require each other in a cycle";
    NotOneGame "P0208" Error Links Doubtful "there is no game, or more than one";
    UselessPatch "P0209" Error Links IfFixed "a patch has nothing to change";
    ConflictingPatches "P0210" Error Links Doubtful "two packs change the same field";
    BadVersion "P0211" Error Links Doubtful "a version or version range is malformed";
    IdlePatch "P0212" Warning Links Doubtful "a patch changes nothing";
    RepeatedPatch "P0213" Error Links Clear "a pack changes the same field twice";
    UndeclaredProp "P0214" Error Links IfFixed "no pack declares this prop";
    WrongPropValue "P0215" Error Links IfFixed "a prop does not take this value";
    MissingProp "P0216" Error Links Doubtful "a required prop is missing";
    ContradictoryProp "P0217" Error Links Doubtful "the declaration of a prop contradicts itself or another";
    StillNamed "P0218" Error Links Doubtful "a pack removes something that others still name";
    MissingHook "P0219" Error Links Doubtful "a card lacks a hook that its type needs";
    UnknownModule "P0301" Error Scripts Clear "a script module does not exist";
    UnknownFunction "P0302" Error Scripts Clear "a script function does not exist";
    DuplicateModule "P0303" Error Scripts Clear "two packs have a script module of the same name";
    UnloadableScript "P0304" Error Scripts Clear "a script cannot be loaded";
    UnknownConstant "P0305" Error Scripts Clear "a script uses an unknown constant";
    UnknownPoint "P0306" Error Scripts Clear "a script uses an unknown decision or hook point";
    UnknownMessage "P0307" Error Scripts Clear "a script uses an unknown message";
    LimitExceeded "P0308" Error Scripts Clear "a script ran out of steps or memory";
    ForbiddenAct "P0309" Error Scripts Clear "a script did something that is not allowed where it runs";
    UnknownName "P0310" Error Scripts Clear "a script uses an unknown name";
    WrongArguments "P0311" Error Scripts Clear "a call has too few or too many arguments";
    WrongArgumentType "P0312" Error Scripts Clear "a value has the wrong type";
    UnknownScriptField "P0313" Error Scripts Clear "a script reads or writes a field that does not exist";
    NoReturnValue "P0314" Error Scripts Clear "a query hook or a list of options can end without a value";
    UnusedFunction "P0315" Warning Scripts Clear "a function is never used";
    ReadOnlyWrite "P0316" Error Scripts Clear "a script writes to something that is read-only";
    ImpureQuery "P0317" Error Scripts Clear "a query hook or a list of options changes the game or asks for a decision";
    UnknownWord "P0318" Error Scripts Clear "a string in a script is not a name that the packs declare";
    LeakedState "P0319" Error Scripts Clear "a function changes a variable of its file";
    UnmarkedOptional "P0320" Warning Scripts Clear "a call leaves out an argument that is not marked as optional";
    UndeclaredOption "P0321" Error Scripts Clear "a script offers an option that its decision does not declare";
    LoneWord "P0325" Warning Scripts Clear "a word in a script is found nowhere else";
    LostValue "P0326" Warning Scripts Clear "`a and b or c` gives `c` if `b` is nil";
    LoneOmission "P0327" Warning Scripts Clear "one call leaves out an optional argument that all others pass";
    OneSidedBorder "P0401" Error Links Clear "a border has only one side";
    RepeatedNeighbor "P0402" Error Links Clear "a neighbor is listed twice, or is the space itself";
    UnreachableSpaces "P0403" Warning Links Doubtful "a part of the board cannot be reached";
    ShortSupply "P0404" Error Links Doubtful "the setup needs more pieces than the box holds";
    NegativePart "P0405" Error Links Doubtful "a derived counter would add a negative number";
    UnsuitableScore "P0406" Error Links Doubtful "control cannot give points on this counter";
    ContradictoryCounter "P0407" Error Links Doubtful "the fields of a counter contradict each other";
    UnsuitableZone "P0408" Error Links Doubtful "a card starts in a zone where it cannot be";
    NoPhases "P0409" Error Links Doubtful "a game has no phases";
    UnsuitableSeats "P0410" Error Links Doubtful "the numbers of seats do not fit";
    UnsuitablePhase "P0411" Error Links Doubtful "a loop of phases, the decision of a phase, or a procedure is unsuitable";
    TooManyEntities "P0412" Error Links Doubtful "there are too many entities";
    IncompleteBattle "P0413" Error Links Doubtful "the battle procedure is incomplete";
    UnsuitableOption "P0414" Error Links Clear "a variant sets something that is not an option, or sets it out of bounds";
    SamePosition "P0415" Warning Links Doubtful "two spaces are drawn in the same place";
    IdleCard "P0416" Warning Links Doubtful "nothing uses a card";
    UnsuitableTiles "P0417" Error Links Doubtful "the grid, edges and zones of tiles do not fit together";
    UnsuitableTile "P0418" Error Links Doubtful "the edges or links of a tile do not fit";
    LonelyEdge "P0419" Warning Links Doubtful "an edge touches nothing";
    UnplaceableTile "P0420" Warning Links Doubtful "a tile can never be laid beside another";
    EqualTiles "P0421" Warning Links Doubtful "two tiles differ only in their rotation";
    IdleKind "P0422" Warning Links Doubtful "nothing brings pieces or cards into play";
    ForeignSpace "P0423" Warning Links Doubtful "a prop of a faction names a space of another";
    LoneName "P0425" Warning Links Clear "the content gives a value a name that nothing else uses";
    UnknownSymbol "P0430" Error Links Clear "a look names a symbol that does not exist";
    BadPath "P0431" Error Links Clear "a path cannot be drawn";
    UnsafePicture "P0432" Error Links Clear "a picture contains more than shapes or pixels";
    MissingPicture "P0433" Error Links Clear "a picture or font is missing";
    MissingFont "P0434" Error Links Clear "a font family is missing";
    IdleLook "P0435" Warning Links Clear "a look is for something that does not exist";
    IdlePromise "P0436" Error Links Clear "a promise about balance cannot be tested";
    IdleWeight "P0437" Warning Links Clear "a trained player has weights for something that does not exist";
    WrongPin "P0501" Error Links Clear "a pinned number is wrong";
    MissingMessage "P0601" Warning Links Clear "messages are missing";
    OrphanMessage "P0602" Warning Links Clear "a message is never used";
    UnfilledPlaceholder "P0603" Error Links Clear "a placeholder has no value";
    WrongPluralForms "P0604" Warning Links Clear "plural forms do not match the language";
    DuplicateMessage "P0605" Error Links Clear "a pack has the same message twice";
    BadBraces "P0606" Error Links Clear "the braces in a message are wrong";
    OtherPlaceholders "P0607" Warning Links Clear "a translation has different placeholders than the English text";
    BrokenPromise "P0608" Warning Links Clear "a pack promises a language that it does not have";
    IdleParam "P0609" Warning Links Clear "a param is never used";
    TypedNumber "P0610" Warning Links Clear "a text has a number where a param is meant";
    UnshownParam "P0611" Warning Links Clear "no text shows a param";
    UnsuitableMarkdown "P0620" Error Links Clear "a rulebook has something that is not allowed there";
    UnsuitableLivePart "P0621" Error Links Clear "a live part of a rulebook is malformed";
    DeadLivePart "P0622" Error Links Clear "a live part of a rulebook names something that does not exist";
    DeadAnchor "P0623" Error Links Clear "a link in a rulebook names no heading, or two";
    UnexplainedDecision "P0624" Warning Links Clear "a rulebook does not explain a decision";
    UntranslatedRules "P0625" Warning Links Clear "a rulebook is missing in a language, or has other sections there";
    FailedScenario "P0701" Error Scenarios Clear "a scenario fails";
    ChangedScenario "P0702" Error Scenarios Clear "a scenario no longer matches its stored snapshot";
    NewScenario "P0703" Warning Scenarios Clear "a scenario has no stored snapshot yet";
    UnreachedHook "P0704" Warning Scenarios Clear "no scenario reaches a hook";
    Overstep "P0705" Error Scenarios Clear "a hook does more than its card declares";
    OrphanSnapshot "P0706" Warning Scenarios Clear "a snapshot belongs to no scenario";
    UnfinishedScenario "P0707" Warning Scenarios Clear "a scenario ends while a decision is open";
    ChangedTexts "P0710" Error Scenarios Clear "the texts of a pack no longer match what is stored";
    NewTexts "P0711" Warning Scenarios Clear "the texts of a pack are not stored yet";
    FailedGame "P0801" Error Play Clear "a game of random moves failed";
    LearnedSecret "P0802" Warning Play Clear "a seat can tell what it cannot see";
    IdleAnswer "P0901" Warning Links Clear "an allowed warning does not occur";
    UnfitAnswer "P0902" Error Links Clear "a finding cannot be allowed";
}

/// Codes that the table no longer has. They never get a new meaning, because old reports and scripts of users name
/// them.
pub const RETIRED: &[&str] = &[];

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
    }

    /// `codes.txt` lists every code that has ever been in the table, with its name.
    #[test]
    fn codes_keep_their_meaning_and_are_never_used_again() {
        let ever: Vec<(&str, &str)> =
            include_str!("../codes.txt").lines().filter_map(|line| line.split_once(' ')).collect();
        for (code, name) in &ever {
            let now = Code::ALL.iter().find(|now| now.as_str() == *code);
            match now {
                Some(now) => assert!(
                    format!("{now:?}") == *name && !RETIRED.contains(code),
                    "{code} was `{name}` and is `{now:?}` now: give the new meaning a new code"
                ),
                None => assert!(RETIRED.contains(code), "{code} (`{name}`) is gone: add it to `RETIRED`"),
            }
        }
        for now in Code::ALL {
            assert!(ever.contains(&(now.as_str(), &format!("{now:?}"))), "add `{now} {now:?}` to codes.txt");
        }
        assert!(RETIRED.iter().all(|code| ever.iter().any(|(known, _)| known == code)), "{RETIRED:?}");
    }
}
