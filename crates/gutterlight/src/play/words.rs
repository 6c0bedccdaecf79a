//! Every sentence of the game, in one place, ready to be translated.
//!
//! Sentences know what they speak of, and nothing of where they are shown: whoever shows them
//! asks here.

mod events;
mod games;
mod help;
mod look;
mod pages;
mod panel;
mod settings;
mod sounds;
mod things;
mod wrap;

pub use events::*;
pub use games::*;
pub use help::*;
pub use look::*;
pub use pages::*;
pub use panel::*;
pub use settings::*;
pub use sounds::*;
pub use things::band;
pub use wrap::*;
