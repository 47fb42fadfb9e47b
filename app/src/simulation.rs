//! Many games between bots, and what they show about a game's balance. The same packs, settings and seed give the same
//! report whatever the number of workers.

pub mod checkpoint;
pub mod course;
pub mod game;
pub mod report;
pub mod rows;
pub mod run;
pub mod tally;

pub use checkpoint::{Checkpoint, CheckpointError, Format, Settings, Shard};
pub use report::Report;
pub use rows::{Rows, RowsError};
pub use run::{Run, SimulationError, Sum};
