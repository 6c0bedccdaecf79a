//! What an app in a browser has instead of a command line, a terminal and files: its page.
//!
//! Natively there is no page: [`arguments`] are none, and what is shown, said or offered is not,
//! so that an app asks without knowing where it runs.

mod address;
#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod nowhere;

#[cfg(target_arch = "wasm32")]
use browser as page;
#[cfg(not(target_arch = "wasm32"))]
use nowhere as page;

/// How an app's window finds its canvas in the page: a CSS selector, for Bevy's `Window::canvas`.
pub const CANVAS: &str = "#lanternfell";

/// Whether there is a page.
pub fn is_there() -> bool {
    page::fragment().is_some()
}

/// What stands behind the `#` of the page's address, as a command line would say it:
/// `preset=alpine&bare` is `--preset=alpine --bare`. None where there is no page.
pub fn arguments() -> Vec<String> {
    address::options_of(&page::fragment().unwrap_or_default())
}

/// Puts these options behind the `#` of the page's address, so that whoever opens it elsewhere
/// sees the same. The page is not loaded anew, and "back" does not lead to the old ones. Whether
/// there was a page that took it.
pub fn show_in_address(options: &[(&str, String)]) -> bool {
    page::set_fragment(&address::fragment_of(options)).is_some()
}

/// Shows a message over the picture, for some seconds. Whether there was a page.
pub fn say(message: &str) -> bool {
    page::tell("lanternfell:say", message).is_some()
}

/// Tells the page that there is something to see: the loading bar may go. Whether there was a page.
pub fn first_frame_is_drawn() -> bool {
    page::tell("lanternfell:drawn", "").is_some()
}

/// Offers bytes as a download of this name. Whether there was a page that took them.
pub fn offer_file(name: &str, bytes: &[u8]) -> bool {
    page::offer(name, bytes).is_some()
}

/// Lets the user choose a file whose name ends in one of these (`.ron,.png`), of at most so many
/// bytes. What was chosen comes by [`chosen_file`], if anything. Browsers allow it only while they
/// answer a click, a touch or a key. Whether there was a page.
pub fn ask_for_file(endings: &str, limit: usize) -> bool {
    page::ask(endings, limit).is_some()
}

/// A file that the user chose, once: its name and bytes, or why it could not be read.
pub fn chosen_file() -> Option<Result<ChosenFile, String>> {
    page::chosen()
}

/// A file that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenFile {
    /// As it is called on the user's machine, without folders.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// The README is read with the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    #[test]
    fn natively_there_is_no_page() {
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
