//! Plays many games between bots and measures the balance of a game. The same packs, settings and seed give the same
//! report for any number of workers.

pub mod checkpoint;
pub mod course;
pub mod game;
pub mod report;
pub mod rows;
pub mod run;
pub mod tally;

pub use checkpoint::{Checkpoint, CheckpointError, Format, Settings, Shard};
pub use report::SimulationReport;
pub use rows::{Rows, RowsError};
pub use run::{Simulation, SimulationError, Sum};
