//! The pictures, sounds and files of Gutterlight. Pictures and sounds are made by code: nothing
//! is loaded, nothing is copied; and nothing here knows an engine or a screen.
//!
//! - [`art`]: some twelve hundred pictures of 16 by 16 pixels, and which of them shows what
//!   the rules tell.
//! - [`sound`]: every sound as samples, and a mixer that places, muffles and silences them.
//! - [`settings`]: what a player has set.
//! - [`home`]: where settings, scores, the suspended game and the pages of ended games lie.
//!
//! The rules are in [`lanternfell_stealth`]; the game that draws and plays all this is the
//! example `torch_stealth`.

pub mod art;
pub mod home;
pub mod settings;
pub mod sound;
