//! The web page in which an app runs. It replaces the command line, the terminal and files.
//!
//! | native | web page | function |
//! |---|---|---|
//! | `--preset alpine --seed 42` | `#preset=alpine&seed=42` in the address | [`arguments`], [`show_in_address`] |
//! | a line on standard error | a message over the canvas | [`say`] |
//! | the window appears | the loading bar disappears | [`first_frame_is_drawn`] |
//! | write a file | a download | [`offer_file`] |
//! | read a file | the user chooses a file | [`ask_for_file`], [`chosen_file`] |
//!
//! On native platforms there is no page: [`arguments`] is empty, and the other functions do nothing and return `false`
//! or `None`. An app can therefore call them on every platform.
//!
//! The page listens to two events on its window: `lanternfell:say`, whose `detail` is the message, and
//! `lanternfell:drawn`.

#[cfg(any(test, target_arch = "wasm32"))]
mod address;
#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod nowhere;

#[cfg(target_arch = "wasm32")]
use browser as page;
#[cfg(not(target_arch = "wasm32"))]
use nowhere as page;

/// The CSS selector of the app's canvas in the page, for Bevy's `Window::canvas`.
pub const CANVAS: &str = "#lanternfell";

/// Returns whether the app runs in a page.
pub fn is_there() -> bool {
    page::options().is_some()
}

/// Converts the part of the page's address after `#` to command-line options: `preset=alpine&bare` becomes
/// `--preset=alpine --bare`. Empty without a page.
pub fn arguments() -> Vec<String> {
    page::options().unwrap_or_default()
}

/// Writes these options after the `#` of the page's address, so that users can share the address. It neither reloads
/// the page nor adds an entry to the browser's history. Returns whether there was a page that accepted it.
pub fn show_in_address(options: &[(&str, String)]) -> bool {
    page::show_options(options).is_some()
}

/// Shows a message over the canvas for some seconds. Returns whether there was a page.
pub fn say(message: &str) -> bool {
    page::dispatch_event("lanternfell:say", message).is_some()
}

/// Hides the page's loading bar. Returns whether there was a page.
pub fn first_frame_is_drawn() -> bool {
    page::dispatch_event("lanternfell:drawn", "").is_some()
}

/// Offers bytes as a download with this file name. Returns whether there was a page that accepted them.
pub fn offer_file(name: &str, bytes: &[u8]) -> bool {
    page::offer(name, bytes).is_some()
}

/// Opens the browser's file dialog, for a file of at most `limit` bytes. `endings` is a comma-separated list of file
/// extensions: `.ron,.png`. [`chosen_file`] returns the file later. Returns whether there was a page.
///
/// Browsers allow this only while they handle a click, a touch or a key press.
pub fn ask_for_file(endings: &str, limit: usize) -> bool {
    page::ask(endings, limit).is_some()
}

/// Returns the next file that the user chose, or the reason why it could not be read. `None` while no file is waiting.
/// Each file is returned once.
pub fn chosen_file() -> Option<Result<ChosenFile, String>> {
    page::chosen()
}

/// A file that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenFile {
    /// The file name on the user's machine, without folders.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    #[test]
    fn native_has_no_page() {
        assert!(!super::is_there());
        assert!(super::arguments().is_empty());
        assert!(!super::show_in_address(&[("seed", "4".to_owned())]));
        assert!(!super::say("hello"));
        assert!(!super::first_frame_is_drawn());
        assert!(!super::offer_file("a.txt", b"hello"));
        assert!(!super::ask_for_file(".txt", 9));
        assert_eq!(super::chosen_file(), None);
    }
}
