//! All texts of the game, in one place so that they can be translated.
//!
//! The functions here turn game state into text. They do not know where it is shown.

mod events;
mod games;
mod help;
mod look;
mod lore;
mod pages;
mod panel;
mod replays;
mod settings;
mod signs;
mod sounds;
mod story;
mod things;
mod wrap;

pub use events::*;
pub use games::*;
pub use help::*;
pub use look::*;
pub use lore::*;
pub use pages::*;
pub use panel::*;
pub use replays::*;
pub use settings::*;
pub use signs::*;
pub use sounds::*;
pub use story::*;
pub use things::band;
pub use wrap::*;
