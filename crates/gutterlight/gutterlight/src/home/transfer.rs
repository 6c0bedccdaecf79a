//! The suspended game, taken to another computer or browser and back.
//!
//! What is taken is the save itself: it begins with its version and its checksum, so it can go
//! through any hands. Of what comes back nothing is believed until [`World::load`] has
//! read all of it, and the game that is suspended here is kept:
//!
//! ```text
//!    suspended.save     the present game  --copied-->  suspended.replaced.save
//!                     <--written over by--  the other game
//! ```
//!
//! In this order one of them is there whenever the power fails. No game is moved, since a
//! browser can not rename.
//!
//! Limits: a game that is being played is written anew after its next turn, over what was taken
//! in meanwhile.

use std::path::PathBuf;

use gutterlight_rules::{World, save::MAX_BYTES};

use super::{Home, SAVE, Trouble, read, unless_in_the_way, words, write};

/// Where a game lies that had to make room for another.
const REPLACED: &str = "suspended.replaced.save";

impl Home {
    /// All of the suspended game, for [`import`](Self::import) elsewhere. It stays. None
    /// if there is none.
    ///
    /// # Errors
    /// If the file can not be read; if it is damaged, or no such file: then it is kept
    /// aside.
    pub fn export(&self) -> Result<Option<Vec<u8>>, Trouble> {
        read(&*self.data, SAVE, MAX_BYTES, |bytes| {
            World::load(bytes).map_err(words)?;
            Ok(bytes.to_owned())
        })
    }

    /// Suspends a game that came from [`export`](Self::export). The one that was suspended
    /// here, if there was another, is kept: returns where it lies.
    ///
    /// # Errors
    /// If it is too large, damaged, of another version, no saved game, or one that has ended
    /// ([`Trouble::Refused`]); or if it can not be written. The game here is still suspended then.
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
            // One of two that are the same. If it can not be deleted, nothing is lost.
            let _ = self.data.remove(&kept);
        })?;
        Ok(Some(self.data.path(&kept)))
    }
}

/// What is wrong with a save that is to go on here.
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
