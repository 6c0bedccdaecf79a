//! What guards do: they perceive, make up their minds, and act; what a guard is, and the diagram of
//! its states of mind, is in [`guard`](crate::guard).
//!
//! - `alarm`: how a floor that is frightened changes what all of them do.
//! - `perceive`: what eyes add to awareness; `smell`: noses; `glance`: what is not as it should be,
//!   which is no thief but speaks of one. Ears are in [`awareness`](crate::awareness), because
//!   every sound calls them.
//! - `think`: how awareness and time change the alert state.
//! - `beat`: what each does in turn.
//! - `behavior`: what each alert state makes a guard do; `pace`: how long that takes; `walk`: its
//!   steps; `fight`: its blows.

pub(crate) mod alarm;
pub(crate) mod beat;
pub(crate) mod behavior;
pub(crate) mod fight;
pub(crate) mod glance;
mod pace;
pub(crate) mod perceive;
pub(crate) mod smell;
pub(crate) mod think;
pub(crate) mod walk;
