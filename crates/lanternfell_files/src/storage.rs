//! One interface to what a program keeps, with two homes: a folder, and what a browser gives a
//! page instead of one.
//!
//! Problem: a program keeps settings, saves and scores. On a computer they are files; a page in a
//! browser has no files, but a list of texts under names, small and shared with every page of
//! its address. The program should not know which.
//!
//! ```text
//!    "morgue/2026-11-21.txt"     a name: parts between slashes
//!        Folder        ->  /home/eve/.local/share/game/morgue/2026-11-21.txt
//!        LocalStorage  ->  localStorage["game/morgue/2026-11-21.txt"], in Base64
//! ```
//!
//! Whatever the home, what is written is there whole or not at all, nothing is replaced by
//! accident, and no more is read than was allowed.

mod folder;
#[cfg(target_arch = "wasm32")]
mod local;
mod name;

use std::{fmt::Debug, io::Result, path::PathBuf};

pub use folder::Folder;
#[cfg(target_arch = "wasm32")]
pub use local::LocalStorage;

/// Where a program keeps bytes under names.
///
/// A name is one or more parts with `/` between them, none of which is empty, `.` or `..`:
/// `settings.ron`, `morgue/page.txt`. Any other is refused ([`InvalidInput`]).
///
/// Of two programs, or two tabs of a browser, that write the same name the later one's bytes are
/// there, whole.
///
/// ```
/// use lanternfell_files::{Folder, Storage};
///
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let storage: Box<dyn Storage> = Box::new(Folder::new(folder));
/// storage.write("settings.ron", b"(volume: 7)")?;
/// assert_eq!(storage.read("settings.ron", 1 << 20)?, b"(volume: 7)");
///
/// assert_eq!(storage.write_new("pages/end.txt", b"first")?, "pages/end.txt");
/// assert_eq!(storage.write_new("pages/end.txt", b"second")?, "pages/end-2.txt");
/// assert_eq!(storage.list("pages")?, ["end-2.txt", "end.txt"]);
/// # Ok(())
/// # }
/// ```
///
/// [`InvalidInput`]: std::io::ErrorKind::InvalidInput
pub trait Storage: Debug + Send + Sync {
    /// What users know it by: the path of a file, or the key in a browser's storage.
    fn path(&self, name: &str) -> PathBuf;

    /// Whether there is something of this name; it is not looked into.
    fn holds(&self, name: &str) -> bool;

    /// All of it, if that is at most `most` bytes.
    ///
    /// # Errors
    /// If it is not there ([`NotFound`]), is larger ([`FileTooLarge`]), or is nothing that was
    /// written here ([`InvalidData`]); or if the home says no.
    ///
    /// [`NotFound`]: std::io::ErrorKind::NotFound
    /// [`FileTooLarge`]: std::io::ErrorKind::FileTooLarge
    /// [`InvalidData`]: std::io::ErrorKind::InvalidData
    fn read(&self, name: &str, most: usize) -> Result<Vec<u8>>;

    /// Writes all of it, in the place of what has the name.
    ///
    /// # Errors
    /// If there is no room ([`StorageFull`]), or the home says no. What was there before is there
    /// still.
    ///
    /// [`StorageFull`]: std::io::ErrorKind::StorageFull
    fn write(&self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Writes all of it under that name, or, if it is taken, with a number before its extension:
    /// `page.txt`, `page-2.txt`, `page-3.txt`. Returns which name it has got.
    ///
    /// # Errors
    /// As for [`write`](Self::write); and if a thousand such names are taken.
    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<String>;

    /// Puts it out of the way, as it is: `settings.ron` becomes `settings.damaged.ron` if the
    /// `mark` is `damaged`, or `settings.damaged-2.ron` if that is taken, and so on. Returns the
    /// name that it has now.
    ///
    /// # Errors
    /// If it is not there, the home says no, or a thousand such names are taken. It is where it
    /// was then.
    fn quarantine(&self, name: &str, mark: &str) -> Result<String>;

    /// Deletes it; `false` if it is not there.
    ///
    /// # Errors
    /// If the home says no.
    fn remove(&self, name: &str) -> Result<bool>;

    /// The names of all that is in a folder, without the folder's own and without what is in
    /// folders within it, in order. `""` is the home itself. Of a folder that is not there: none.
    ///
    /// # Errors
    /// If the home says no.
    fn list(&self, folder: &str) -> Result<Vec<String>>;
}
