//! The pictures and sounds of Gutterlight. They are made by code: nothing is loaded, nothing is
//! copied; and nothing here knows an engine or a screen.
//!
//! - [`art`]: some twelve hundred pictures of 16 by 16 pixels, and which of them shows what
//!   the rules tell.
//! - [`sound`]: every sound as samples, and a mixer that places, muffles and silences them.
//!
//! The rules are in [`gutterlight_rules`]; the game that draws and plays all this is the
//! program `gutterlight`.

pub mod art;
#[cfg(test)]
mod golden;
pub mod sound;
