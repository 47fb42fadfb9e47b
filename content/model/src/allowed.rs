//! One entry of `may`: what a hook is allowed to change.

/// Words that a declaration may use besides ids.
const WORDS: [&str; 5] = ["control", "movement", "battle", "dice", "end"];
/// Families whose ids a declaration may name.
const FAMILIES: [(&str, &str); 3] = [("counter", "counters"), ("zone", "zones"), ("kind", "kinds")];

/// One entry of a declaration, such as `own counter:gold`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Only what belongs to the owner of the hook (`true`), or only what does not.
    pub own: Option<bool>,
    /// `control`, or a family with an id: `counter:gold`.
    pub thing: String,
}

impl Allowed {
    /// Reads an entry; `None` if it does not have the form that the schema asks for.
    pub fn read(text: &str) -> Option<Self> {
        let (own, thing) = match text.split_once(' ') {
            Some(("own", thing)) => (Some(true), thing),
            Some(("other", thing)) => (Some(false), thing),
            Some(_) => return None,
            None => (None, text),
        };
        let allowed = Allowed { own, thing: thing.to_owned() };
        (WORDS.contains(&thing) || allowed.reference().is_some()).then_some(allowed)
    }

    /// The family and the id that it names, if it names one.
    pub fn reference(&self) -> Option<(&'static str, &str)> {
        let (family, id) = self.thing.split_once(':')?;
        FAMILIES.iter().find(|(word, _)| *word == family).map(|(_, family)| (*family, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_one_form() {
        let own = Allowed::read("own counter:gold").expect("an entry");
        assert_eq!((own.own, own.reference()), (Some(true), Some(("counters", "gold"))));
        assert_eq!(Allowed::read("control").map(|allowed| allowed.reference().is_none()), Some(true));
        for wrong in ["", "gold", "mine counter:gold", "counter", "space:ford", "own  dice"] {
            assert_eq!(Allowed::read(wrong), None, "{wrong}");
        }
    }
}
