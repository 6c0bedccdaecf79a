//! Moving the suspended game to another computer or browser.
//!
//! The exported file is the save itself, with its version and checksum. An import validates all of
//! it with [`World::load`] before anything is written. A game that is already suspended is kept:
//!
//! ```text
//!    suspended.save     the present game  --copied-->  suspended.replaced.save
//!                     <--overwritten by--  the imported game
//! ```
//!
//! With this order, a power failure at any point leaves at least one of the games. The present game
//! is copied, not moved, because a browser's storage cannot rename.
//!
//! Limits: while a game is being played, it overwrites an imported game after its next turn. Check
//! with [`Home::claim`] first.

use std::path::PathBuf;

use gutterlight_rules::{World, save::MAX_BYTES};

use super::{Home, SAVE, Trouble, read, unless_in_the_way, words, write};

/// The name under which a replaced game is kept.
const REPLACED: &str = "suspended.replaced.save";

impl Home {
    /// Returns the save of the suspended game, for [`import`](Self::import) elsewhere. The game
    /// stays suspended. Returns `None` if no game is suspended.
    ///
    /// # Errors
    /// The file cannot be read, or it is invalid. An invalid file is kept aside.
    pub fn export(&self) -> Result<Option<Vec<u8>>, Trouble> {
        read(&*self.data, SAVE, MAX_BYTES, |bytes| {
            World::load(bytes).map_err(words)?;
            Ok(bytes.to_owned())
        })
    }

    /// Suspends a game from [`export`](Self::export). If another game is suspended here, it is
    /// kept, and its path is returned.
    ///
    /// # Errors
    /// The save is too large, damaged, of another version, not a save at all, or of a game that has
    /// ended ([`Trouble::Refused`]); or a file cannot be written. The game here stays suspended.
    pub fn import(&self, save: &[u8]) -> Result<Option<PathBuf>, Trouble> {
        check(save).map_err(|flaw| Trouble::Refused { flaw })?;
        let present = unless_in_the_way(self.export())?;
        let Some(present) = present.filter(|present| present != save) else {
            return write(&*self.data, SAVE, save).map(|()| None);
        };
        let kept = self.data.write_new(REPLACED, &present);
        let kept = kept.map_err(|error| Trouble::Write {
            path: self.data.path(REPLACED),
            error,
        })?;
        write(&*self.data, SAVE, save).inspect_err(|_| {
            // `kept` is now a second copy of the present game. If deleting it fails, nothing is
            // lost.
            let _ = self.data.remove(&kept);
        })?;
        Ok(Some(self.data.path(&kept)))
    }
}

/// Checks that a save can be continued here.
fn check(save: &[u8]) -> Result<(), String> {
    if save.len() > MAX_BYTES {
        return Err("it is too large".into());
    }
    let world = World::load(save).map_err(words)?;
    match world.view().ending() {
        None => Ok(()),
        Some(_) => Err("its game has ended".into()),
    }
}
