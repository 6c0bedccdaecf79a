//! The light of one color, and the bounds on it.
//!
//! The three colors never mix: each is a separate problem on the same cells.
//!
//! - `state` is the light, `band` a row of its tiles, and `unsettled` the cells that have changed
//!   since the light was settled.
//! - `automaton` performs steps, and `patch` corrects the few cells that its loops over rows get
//!   wrong. The alternative to steps is [`settle`](crate::settle).
//! - `before` restores the light after [`what_if`](crate::what_if), and `shown` takes over the
//!   light of a [`worker`](crate::worker).

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
