//! All sounds of Gutterlight, synthesized here without recordings.
//!
//! This does not use a synthesis crate, because the samples must be bit-identical on every machine
//! and with every compiler. The only dependency is `libm`.
//!
//! ```text
//!    noise  wave  contour  filter            the basic building blocks
//!    modes  texture  pluck  formant_synth    wood and iron, gravel and fire, strings, voices
//!    recipes                                 one for each sound, all in a Bank
//!    loops                                   torch, drone, heart, room: they never end
//!    Cue -> Mixer -> left and right          pan, distance, doors, reverb, silence, limiter
//! ```
//!
//! # Usage
//!
//! [`Bank::new`] synthesizes every sound, which takes about 0.15 s, so do it in the background. A
//! [`Mixer`] plays them:
//!
//! - [`Mixer::play`] plays a single sound.
//! - [`Mixer::set_scene`] controls the loops.
//! - [`Mixer::hush`] and [`Mixer::lift`] start and end silence.
//! - [`Mixer::pause`] and [`Mixer::resume`] stop and continue time.
//! - [`Mixer::fill`] returns the next samples.
//!
//! [`SoundName::caption`] describes a sound in words.
//!
//! # Guarantees
//!
//! - The same seed and the same calls give the same samples on every machine. Transcendental
//!   functions are from `libm` or our own, and random numbers are integers.
//! - No sample is above 0.8. In the worst cases that were tested, no true peak is above -1 dBTP.
//!   Nothing clicks: every change takes at least a millisecond.
//! - [`Mixer::fill`] does not allocate and never blocks.
//! - Each sound is mono, and the mix is stereo. There is no head-related filtering, so front and
//!   back sound the same.

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

/// The sample rate in hertz.
pub const RATE: u32 = 44_100;
