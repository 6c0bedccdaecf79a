//! Generators, each against its definition, and the facts known of it.

#[path = "../common/mod.rs"]
mod common;
mod delta;
mod every;
mod faults;
mod fluid;
mod fractal_noise;
mod hills;
#[cfg(feature = "noise")]
mod noise_quality;
mod points;
mod ridged;
mod worley;
