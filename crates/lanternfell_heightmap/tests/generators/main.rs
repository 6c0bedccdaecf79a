//! Compares each generator with its definition and its known properties.

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
