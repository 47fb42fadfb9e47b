//! The model: packs as the checks see them, and games as front ends see them.
//!
//! # What this crate must not know
//!
//! How packs are read, merged or checked. It holds the results of the pipeline, and answers queries about them.
//!
//! # Map
//!
//! - `pack`, `place`, `history`, `merged`: everything in the packs, with its place. `bounds`, `allowed`, `calls`,
//!   `prop_values`: what single fields mean.
//! - `look`: what things look like.
//! - `messages`, `plural`: every text that players see. Those that every game has are in `content/locale/`.
//! - `game`: [`Loaded`], a game without errors. `meaning`: what of it can change how it runs. `writers`: which pack wrote which field of an entity. `failure`: where
//!   a script failed.
//! - `rulebook`: the rules as prose, with live parts.
//! - `checked`: the results of a check. [`Recovered`] is a game *with* errors as the author probably meant it. It is
//!   another type, so that nobody plays it by accident.
//!
//! # Example
//!
//! ```
//! use principes_model::Messages;
//!
//! let messages = Messages::default();
//! assert!(messages.has("en", "option.done"));
//! assert_eq!(messages.text("en", "card.unknown.title", &[]), "card.unknown.title");
//! ```

mod allowed;
mod bounds;
mod calls;
mod checked;
mod failure;
mod game;
mod history;
mod look;
mod meaning;
mod merged;
pub mod messages;
mod pack;
mod place;
pub mod plural;
mod prop_values;
pub mod rulebook;
mod writers;

pub use allowed::Allowed;
pub use bounds::Bounds;
pub use calls::called_functions;
pub use checked::{Checked, Counts, MISSING, Recovered};
pub use game::{EntityInfo, Loaded, LoadedScenario, MakeHost, Origins};
pub use history::{History, Write};
pub use look::{Looks, Picture};
pub use merged::{Merged, MessageEntry, ReadEntities};
pub use messages::{Arg, FALLBACK, Messages};
pub use pack::{After, OrderReason, PackEntry, PackInfo};
pub use place::{EntityPlace, Sourced};
pub use principes_schemas::{ALIASES, Family, PromiseRange, Promises, Prop, PropOwner, PropType};
pub use prop_values::EntityProp;
pub use writers::FieldWriter;
