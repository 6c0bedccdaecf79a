//! Erosion: what water and gravity make of land.

mod fluvial;

pub use fluvial::Fluvial;
