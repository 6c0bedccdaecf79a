//! A storage for a program's files, with two implementations: a folder, and a browser's
//! `localStorage`.
//!
//! Problem: a program keeps settings, saves and scores. Natively these are files. A page in a
//! browser has no files, but a small list of texts by key, which it shares with all pages of its
//! origin. The program should not depend on which of the two it uses.
//!
//! ```text
//!    "morgue/2026-11-21.txt"     a name: parts separated by slashes
//!        Folder        ->  /home/eve/.local/share/game/morgue/2026-11-21.txt
//!        LocalStorage  ->  localStorage["game/morgue/2026-11-21.txt"], in Base64
//! ```
//!
//! Both implementations write files as a whole, never replace a file by accident, and read up to a
//! size limit.

mod folder;
#[cfg(target_arch = "wasm32")]
mod local;
mod name;

use std::{fmt::Debug, io::Result, path::PathBuf};

pub use folder::Folder;
#[cfg(target_arch = "wasm32")]
pub use local::LocalStorage;

/// A place where a program keeps its files by name: a [`Folder`], or the browser's `LocalStorage`.
///
/// A name consists of one or more parts separated by `/`, for example `settings.ron` or
/// `morgue/page.txt`. No part may be empty, `.` or `..`; such names fail with [`InvalidInput`].
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
/// If two programs or two browser tabs write the same name, the last write wins. The two contents
/// are never mixed.
///
/// [`InvalidInput`]: std::io::ErrorKind::InvalidInput
pub trait Storage: Debug + Send + Sync {
    /// Returns the location to show to users: the path of the file, or the key in the browser's
    /// storage.
    fn path(&self, name: &str) -> PathBuf;

    /// Returns whether a file of this name exists, without reading it.
    fn holds(&self, name: &str) -> bool;

    /// Reads a complete file of at most `most` bytes.
    ///
    /// # Errors
    /// - [`NotFound`] if the file does not exist.
    /// - [`FileTooLarge`] if it is larger than `most`.
    /// - [`InvalidData`] if it was not written by this storage (`LocalStorage` only).
    /// - Any other error of the file system or the browser.
    ///
    /// [`NotFound`]: std::io::ErrorKind::NotFound
    /// [`FileTooLarge`]: std::io::ErrorKind::FileTooLarge
    /// [`InvalidData`]: std::io::ErrorKind::InvalidData
    fn read(&self, name: &str, most: usize) -> Result<Vec<u8>>;

    /// Writes a complete file. It replaces an existing file of this name.
    ///
    /// # Errors
    /// [`StorageFull`] if there is no room, or any other error of the file system or the browser.
    /// The existing file then stays unchanged.
    ///
    /// [`StorageFull`]: std::io::ErrorKind::StorageFull
    fn write(&self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Writes a complete file under a free name, and returns that name.
    ///
    /// If `name` is taken, a number is inserted before the extension: `page.txt`, `page-2.txt`,
    /// `page-3.txt`.
    ///
    /// # Errors
    /// The errors of [`write`](Self::write), and an error if 1000 such names are taken.
    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<String>;

    /// Renames a file to move it out of the way, and returns its new name. Its content is not
    /// changed.
    ///
    /// With the `mark` `damaged`, `settings.ron` becomes `settings.damaged.ron`. If that name is
    /// taken, it becomes `settings.damaged-2.ron`, and so on.
    ///
    /// # Errors
    /// If the file does not exist, if 1000 such names are taken, or any error of the file system or
    /// the browser. The file then keeps its name.
    fn quarantine(&self, name: &str, mark: &str) -> Result<String>;

    /// Deletes a file. Returns `false` if the file does not exist.
    ///
    /// # Errors
    /// Any error of the file system or the browser.
    fn remove(&self, name: &str) -> Result<bool>;

    /// Lists the names of the files in a folder, sorted.
    ///
    /// The names do not include the folder, and files in nested folders are not listed. `""` lists
    /// the root of the storage. If the folder does not exist, the list is empty.
    ///
    /// # Errors
    /// Any error of the file system or the browser.
    fn list(&self, folder: &str) -> Result<Vec<String>>;
}
