//! Seeded random numbers, and hashes, that are the same on every machine, in every release.
//!
//! - [`SeededRng`]: a long stream for one purpose, for whatever a seed must give again.
//! - [`SplitMix64`]: a stream of one word of state, for what is drawn often and decides little;
//!   its mixing function makes many seeds of one.
//! - [`Fnv1a`]: a hash of bits, by which tests tell whether a result is still the same.

mod fnv;
mod seeded;
mod split_mix;

pub use fnv::Fnv1a;
pub use seeded::SeededRng;
pub use split_mix::SplitMix64;

/// The README's code is run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
