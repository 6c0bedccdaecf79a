//! The light of one color, and what holds it up or down.
//!
//! The three colors never mix: each is a problem of its own over the same cells.
//!
//! - `state` is the light as it is, and `band` a row of its tiles.
//! - `automaton` and `settle` are the two ways to go on; `patch` puts right what their loops
//!   over rows get wrong.

mod automaton;
mod band;
mod patch;
mod settle;
mod state;

pub(crate) use settle::Solve;
pub(crate) use state::Channel;
