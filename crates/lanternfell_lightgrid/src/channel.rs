//! The light of one color, and what holds it up or down.
//!
//! The three colors never mix: each is a problem of its own over the same cells.
//!
//! - `state` is the light as it is, `band` a row of its tiles, and `unsettled` where it has changed
//!   since it was settled.
//! - `automaton` goes on by steps; `patch` puts right what its loops over rows get wrong. The other
//!   way to go on is [`settle`](crate::settle).
//! - `before` puts the light back after [`what_if`](crate::what_if); `shown` takes over what a
//!   [`worker`](crate::worker) has worked out.

mod automaton;
mod band;
mod before;
mod patch;
mod shown;
mod state;
mod unsettled;

pub(crate) use before::Before;
pub(crate) use shown::Shown;
pub(crate) use state::{Channel, limit};
