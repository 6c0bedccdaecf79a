//! Seeded random numbers and hashes that are identical on every platform and in every release.
//!
//! - [`SeededRng`]: a stream for one purpose. Use it for everything that must be reproducible from
//!   a seed.
//! - [`SplitMix64`]: a generator with one word of state, for cheap numbers such as grain and
//!   jitter. Its [mixing function](SplitMix64::mix) derives further seeds from one seed.
//! - [`Fnv1a`]: a hash with which tests pin results.

mod fnv;
mod seeded;
mod split_mix;

pub use fnv::Fnv1a;
pub use seeded::SeededRng;
pub use split_mix::SplitMix64;

/// Runs the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
