//! Continuing a recorded game, also with packs that have changed since.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::failure::start_failure;
use crate::packs::OpenPacks;
use crate::save::{PacksNow, Save, SaveError, Seam, give};
use crate::session::{Session, SessionError};

/// What happens to a recorded game that differs with the present packs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhenChanged {
    /// It is refused.
    #[default]
    Stop,
    /// It continues after the last answer that leads to the recorded state.
    Departure,
    /// The answers are given again under the present rules, as long as they are possible.
    NewRules,
}

/// A game that continues.
pub struct Resumed {
    /// The game.
    pub session: Session,
    /// What has changed since it was saved.
    pub since: SinceSaved,
}

/// What has changed since a game was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinceSaved {
    /// Nothing that matters to a game.
    Nothing,
    /// The packs may play differently, but this game does not so far.
    Packs,
    /// The game continues from an earlier moment, or with other states than the record.
    Game {
        /// The number of answers after which every state is the recorded one.
        alike: usize,
        /// The number of answers that were given again.
        given: usize,
        /// The number of answers in the record.
        of: usize,
    },
}

/// How far a record was replayed.
struct Replayed {
    /// The number of answers after which every state is the recorded one.
    alike: usize,
    /// The first difference.
    difference: Option<SaveError>,
}

impl Session {
    /// Resumes a recorded game. Every state is compared with the record.
    ///
    /// # Errors
    /// [`SessionError`]: another game, or the replay differs from the record.
    pub fn resume(packs: OpenPacks, save: &Save, language: &str) -> Result<Self, SessionError> {
        Ok(Session::resume_or(packs, save, language, WhenChanged::Stop)?.session)
    }

    /// Resumes a recorded game. Every state is compared with the record. If the packs have changed and a state differs,
    /// `when` decides. A record that differs with its own packs is always refused.
    ///
    /// # Errors
    /// [`SessionError`]: another game, or the replay differs from the record.
    pub fn resume_or(
        packs: OpenPacks,
        save: &Save,
        language: &str,
        when: WhenChanged,
    ) -> Result<Resumed, SessionError> {
        let now = save.packs_now(&packs)?;
        let others = save.other_packs(&packs);
        let changed = |why: SessionError| match (now, why) {
            (PacksNow::Changed, SessionError::Record(why)) => no_start(&others, why),
            (PacksNow::Changed, SessionError::Start(why)) => no_start(&others, SaveError::Start(start_failure(&why))),
            (_, why) => why,
        };
        let setup = save.setup(&packs.catalog).map_err(|error| changed(error.into()))?;
        let mut session = Session::start(packs, setup, language).map_err(changed)?;
        let Replayed { alike, difference } = session.replay(save, when == WhenChanged::NewRules)?;
        let of = save.answers.len();
        let since = match difference {
            None if now == PacksNow::Changed => SinceSaved::Packs,
            None => SinceSaved::Nothing,
            Some(why) if now == PacksNow::Same => return Err(why.into()),
            Some(why) if when == WhenChanged::Stop => {
                return Err(save.departure(&session.packs, alike, why)?.into());
            }
            Some(_) => {
                let given = session.steps();
                let seam = Seam { after: given, packs: save.packs.clone(), fingerprint: save.fingerprint.clone() };
                session.record.seams.push(seam);
                SinceSaved::Game { alike, given, of }
            }
        };
        session.old = session.log.len();
        Ok(Resumed { session, since })
    }

    /// Gives the answers of a record to a game that has just started: until a state differs or, with `onward`, until an
    /// answer is not possible. Keeps only the answers that count.
    fn replay(&mut self, save: &Save, onward: bool) -> Result<Replayed, SessionError> {
        self.record.seams = save.seams.clone();
        let mut difference = save.check_start(&self.game).err();
        let mut alike = 0;
        for (at, answer) in save.answers.iter().enumerate() {
            if difference.is_some() && !onward {
                break;
            }
            if let Err(error) = give(&mut self.game, at, answer) {
                difference = difference.or(Some(error));
                break;
            }
            self.note_answers();
            match (difference.is_some(), save.check_answer(at, &self.game)) {
                (false, Err(error)) => difference = Some(error),
                (false, Ok(())) => alike = at + 1,
                (true, _) => {}
            }
        }
        if difference.is_none() {
            // Every state was right, so only the file can be wrong.
            save.check_end(&self.game)?;
        }
        if difference.is_some() && !onward && self.steps() > alike {
            self.return_to(alike)?;
        }
        Ok(Replayed { alike, difference })
    }
}

fn no_start(packs: &str, why: SaveError) -> SessionError {
    SaveError::NoStart { packs: packs.to_owned(), why: Box::new(why) }.into()
}
