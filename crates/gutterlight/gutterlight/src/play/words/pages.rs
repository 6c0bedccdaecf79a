//! Headings and choices of pages.

use std::path::Path;

pub const NAME: &str = "Gutterlight";
pub const SUBTITLE: &str = "Down five floors of a drowned keep
for the Ember, and up again, unseen.";
pub const CONTINUE: &str = "Continue";
pub const NEW_GAME: &str = "New game";
pub const DAILY: &str = "Daily keep";
pub const SCORES: &str = "Scores";
pub const SETTINGS: &str = "Settings";
pub const KEYS: &str = "Keys and buttons";
pub const HELP: &str = "How to play";
pub const LOG: &str = "Messages";
pub const QUIT: &str = "Quit";
pub const BACK: &str = "Back";
pub const PAUSE: &str = "Pause";
pub const GO_ON: &str = "Go on";
pub const SUSPEND: &str = "Suspend, to the title";
pub const TO_TITLE: &str = "To the title";
pub const GIVE_UP: &str = "Give up";
pub const SURE: &str = "This game is lost then. Once more: give up.";
pub const LEAVE: &str = "Leave without the Ember";
pub const SURE_TO_LEAVE: &str = "The game ends then, without the Ember. Once more: leave.";
pub const LORE: &str = "Guards, tools and floors";
pub const STORY: &str = "The way through the keep";
pub const BURDENS: &str = "Burdens";
pub const BEGIN: &str = "Begin";
pub const ANY_SEED: &str = "random";
pub const SUSPENDED_LOST: &str = "The suspended game is lost then. Once more: begin.";
pub const TAKE_ALONG: &str = "Take the game along";
pub const BRING: &str = "Bring a game";
pub const NO_SCORES: &str = "No finished games yet.";
pub const LEARN: &str = "The stairs are behind you. You have learnt something:";
pub const LEARNT: &str = "Choose";
pub const WON: &str = "Out, and free";
pub const LOST: &str = "The light has gone out";
pub const ANOTHER: &str = "Another keep";
pub const SAME: &str = "The same keep again";
pub const NOT_COUNTED: &str = "(not counted: started from the command line, or by a bot)";
pub const BIND: &str = "Enter, then press the new key or button. Escape cancels.";
pub const PRESS: &str = "press a key or button...";
pub const USUAL_KEYS: &str = "The usual keys";
pub const POINTER: &str = ">";

/// A game has come from elsewhere.
pub fn brought(replaced: Option<&Path>) -> String {
    let kept = replaced.map(|path| format!(" The one before is kept: {}.", path.display()));
    format!("The game is here: continue it.{}", kept.unwrap_or_default())
}

/// A file that is no game to go on with.
pub fn not_brought(flaw: &str) -> String {
    format!("That file can not go on here: {flaw}.")
}

/// Which keep it will be.
pub fn seed(typed: &str) -> String {
    format!("Seed: {typed} (type digits to choose one)")
}

/// At the foot of a page: how to use it, and whether there is more of it.
pub fn foot(above: bool, below: bool) -> &'static str {
    match (above, below) {
        (false, false) => "arrows and Enter, or the mouse",
        (false, true) => "arrows and Enter, or the mouse        more below",
        (true, false) => "arrows and Enter, or the mouse        more above",
        (true, true) => "arrows and Enter, or the mouse        more above and below",
    }
}
