//! Packs as the checks see them, and games as those who play see them.

mod allowed;
mod bounds;
mod calls;
mod checked;
mod failure;
mod game;
mod history;
mod merged;
pub mod messages;
mod pack;
mod place;
pub mod plural;
mod said;
mod writers;

pub use allowed::Allowed;
pub use bounds::Bounds;
pub use calls::called_functions;
pub use checked::{Checked, Counts, MISSING, Meant};
pub use game::{EntityInfo, Loaded, LoadedScenario, MakeHost, Origins};
pub use history::{History, Write};
pub use merged::{Merged, MessageEntry};
pub use messages::{Arg, FALLBACK, Messages};
pub use pack::{After, PackEntry, PackInfo, Reason};
pub use place::{EntityPlace, Sourced};
pub use said::SaidProp;
pub use writers::Writer;
