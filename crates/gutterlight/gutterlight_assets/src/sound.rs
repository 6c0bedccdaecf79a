//! All that is heard of Gutterlight, made here: no recordings, only numbers.
//!
//! It is ours and not a synthesis crate's, because the bits are pinned: the same samples on every
//! machine and by every compiler, with nothing but `libm` underneath.
//!
//! ```text
//!    noise  wave  contour  filter            what every sound begins with
//!    modes  texture  pluck  formant_synth    wood and iron, gravel and fire, strings, throats
//!    recipes                                 one for each sound; all in a Bank
//!    loops                                   torch, drone, heart, room: they go on for ever
//!    Cue -> Mixer -> left and right          pan, distance, doors, reverb, silence, limiter
//! ```
//!
//! # Use
//!
//! [`Bank::new`] makes every sound once, in about 0.15 s; do it beside the start of the
//! game. A [`Mixer`] plays them: [`Mixer::play`] for what happens once, [`Mixer::set_scene`] for
//! what goes on, [`Mixer::hush`] and [`Mixer::lift`] for silence, [`Mixer::pause`] and
//! [`Mixer::resume`] while nobody listens, [`Mixer::fill`] for the next samples.
//! [`SoundName::caption`] says in words what is heard.
//!
//! # What holds
//!
//! - The same seed and the same calls give the same samples, on every machine: transcendental
//!   functions are `libm`'s or our own, chance is integers.
//! - No sample is above 0.8, and no true peak above -1 dBTP was found in the worst that could be
//!   asked for. Nothing clicks: whatever begins, ends or changes does so over
//!   a millisecond at least.
//! - [`Mixer::fill`] takes no memory and never waits.
//! - One channel for each sound, two for the whole. How a head shadows one ear is not
//!   simulated; behind sounds like before.

mod bank;
mod clip;
mod contour;
mod cue;
mod filter;
mod formant_synth;
#[cfg(test)]
mod goertzel;
mod loops;
#[cfg(test)]
mod measure;
mod mixer;
mod modes;
mod name;
mod noise;
mod pluck;
mod recipes;
mod smooth;
#[cfg(test)]
mod tests;
mod texture;
mod wave;

pub use bank::Bank;
pub use cue::Cue;
pub use loops::Scene;
pub use mixer::{Mixer, Volumes};
pub use name::SoundName;

/// Samples in a second.
pub const RATE: u32 = 44_100;
