//! One entry of `may`: what a hook is allowed to change.

use principes_schemas::Family;

/// Words that a declaration may use besides ids.
const WORDS: [&str; 5] = ["control", "movement", "battle", "dice", "end"];

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
    pub fn reference(&self) -> Option<(Family, &str)> {
        let (word, id) = self.thing.split_once(':')?;
        let family = Family::of_value(word).filter(|family| family.spec().is_touched)?;
        Some((family, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema has the same families in its pattern.
    #[test]
    fn the_schema_accepts_the_same_families() {
        for family in Family::with_handles() {
            let thing = format!("{}:gold", family.singular());
            let file = serde_json::json!({"rules": [{"id": "x", "may": [thing]}]});
            let accepted = principes_json::schema::check("rules", &file).is_empty();
            assert_eq!(Allowed::read(&thing).is_some(), accepted, "{thing}");
        }
    }

    #[test]
    fn entries_have_one_form() {
        let own = Allowed::read("own counter:gold").expect("an entry");
        assert_eq!((own.own, own.reference()), (Some(true), Some((Family::Counters, "gold"))));
        assert_eq!(Allowed::read("control").map(|allowed| allowed.reference().is_none()), Some(true));
        for wrong in ["", "gold", "mine counter:gold", "counter", "space:ford", "own  dice"] {
            assert_eq!(Allowed::read(wrong), None, "{wrong}");
        }
    }
}
