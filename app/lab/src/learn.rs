//! Training of players for any game, by playing against themselves.
//!
//! A player is a [`Model`](principes_core::bots::Model): weights for the features of positions (the *value*: who will
//! win) and of options (the *policy*: what a good player does). Both are learned in the same games. The method is
//! advantage actor-critic with eligibility traces in the forward view (Sutton and Barto 2018, chapters 12 and 13): the
//! value follows the λ-return of the games, the policy follows the advantage over the value, and every weight has a step
//! size of its own (AdaGrad, Duchi, Hazan and Singer 2011). A part of the games is played against older selves, so that
//! the player does not forget how to beat them.
//!
//! In the last tenth of the games the policy learns from lessons instead: at some decisions the player looks ahead, and
//! the policy moves toward its own shares, reweighted by the exponential of what each option turned out to be worth
//! (regularized policy improvement: Abdolmaleki et al. 2018, arXiv:1806.06920).
//!
//! The same packs, settings and seed give the same player, whatever the number of workers.
//!
//! - `weights`: what a learning player knows
//! - `episode`: one game, with everything that can be learned from it
//! - `gradient`: what a game changes
//! - `learned`: the state of a training, and the player that it makes
//! - `run`: many games on several workers
//! - `file`: players in files

mod episode;
pub mod file;
mod gradient;
mod learned;
mod run;
mod weights;

pub use learned::Learned;
pub use run::{LearnError, Progress, Settings, learn};
