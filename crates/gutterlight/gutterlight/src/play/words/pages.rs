//! Headings and choices of menu pages.

use std::path::Path;

pub const NAME: &str = "Gutterlight";
pub const SUBTITLE: &str = "Down five floors of a drowned keep
for the Ember, and back up, unseen.";
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
pub const GO_ON: &str = "Resume";
pub const SUSPEND: &str = "Suspend to title";
pub const TO_TITLE: &str = "Quit to title";
pub const GIVE_UP: &str = "Give up";
pub const SURE: &str = "This ends the game for good. Select again to give up.";
pub const LEAVE: &str = "Leave without the Ember";
pub const SURE_TO_LEAVE: &str = "This ends the game for good. Select again to leave.";
pub const LORE: &str = "Guards, tools and floors";
pub const STORY: &str = "Your path through the keep";
pub const BURDENS: &str = "Burdens";
pub const BEGIN: &str = "Begin";
pub const ANY_SEED: &str = "random";
pub const SUSPENDED_LOST: &str = "The suspended game will be lost. Select again to begin.";
pub const TAKE_ALONG: &str = "Export saved game";
pub const BRING: &str = "Import saved game";
pub const NO_SCORES: &str = "No finished games yet.";
pub const LEARN: &str = "The stairs are behind you. You have learned something:";
pub const LEARNT: &str = "Choose a perk";
pub const WON: &str = "Out and free";
pub const LOST: &str = "The light has gone out";
pub const ANOTHER: &str = "Another keep";
pub const SAME: &str = "Same keep again";
pub const NOT_COUNTED: &str = "(not counted: started from the command line, or by a bot)";
pub const BIND: &str = "Press Enter, then the new key or button. Escape cancels.";
pub const PRESS: &str = "press a key or button...";
pub const USUAL_KEYS: &str = "Reset to defaults";
pub const POINTER: &str = ">";

/// The message after an import.
pub fn brought(replaced: Option<&Path>) -> String {
    let kept = replaced.map(|path| format!(" The previous game was kept as {}.", path.display()));
    format!(
        "The game has been imported. Choose Continue to play it.{}",
        kept.unwrap_or_default()
    )
}

/// The message for a file that cannot be imported.
pub fn not_brought(flaw: &str) -> String {
    format!("That file cannot be imported: {flaw}.")
}

/// The row of the seed.
pub fn seed(typed: &str) -> String {
    format!("Seed: {typed} (type digits to choose one)")
}

/// The foot of a page: the keys, and whether there are more rows.
pub fn foot(above: bool, below: bool) -> &'static str {
    match (above, below) {
        (false, false) => "arrows and Enter, or the mouse",
        (false, true) => "arrows and Enter, or the mouse        more below",
        (true, false) => "arrows and Enter, or the mouse        more above",
        (true, true) => "arrows and Enter, or the mouse        more above and below",
    }
}
