//! Where the game keeps things: on disk, or in a browser's storage.
//!
//! ```text
//!    config folder    settings.ron       what is set
//!    data folder      scores.ron         the best games
//!                     suspended.save     the game that goes on, while nobody plays it
//!                     suspended.log      what was said in it
//!                     lore.ron           guards, tools and floors that were met
//!                     replays.ron        the last games, to be watched again:
//!                     replays/*.replay   all that was done in each
//!                     morgue/*.txt       a page for each game that has ended
//! ```
//!
//! Problem: disks and browsers are full, folders are read-only, files are cut off, edited by
//! hand, and written by later releases. None of that may end the game, and none may lose anything.
//!
//! - Files are written whole or not at all, and read up to a limit: that is what a
//!   [`Storage`] promises, whichever it is. In a browser the names are keys of `localStorage`.
//! - What is read is believed only if it is right in everything. What is not is **kept aside**:
//!   `settings.ron` becomes `settings.damaged.ron`, and the player is told.
//! - Before a file is written, the old one is looked at: what the game can not read, it does
//!   not write over. It is kept aside, or, if that can not be done, nothing is written.
//! - Whatever goes wrong is a [`Trouble`], and the game goes on with its defaults.
//!
//! Folders are made when something is written first.
//!
//! Limits: two games that run at once share all this. No file is damaged by that, but of two
//! scores that are added in the same moment one is lost; and of two tabs of a browser both may
//! go on with the same suspended game.

mod date;
mod log;
mod lore;
mod morgue;
mod place;
mod replays;
mod scores;
#[cfg(test)]
mod tests;
mod transfer;
mod trouble;
mod writer;

use std::{
    io::{self, ErrorKind},
    path::PathBuf,
    sync::Arc,
};

use gutterlight_rules::{World, save::MAX_BYTES};
use lanternfell_files::Storage;
use ron::ser::PrettyConfig;
use serde::Serialize;

use crate::settings::Settings;

pub use date::{DAILY_DIFFICULTY, Date, NoDate};
pub use log::{LogLine, MOST_LINES};
pub use lore::Lore;
pub use morgue::morgue;
pub use replays::{KeptReplay, MOST_REPLAYS, Replays, ReplaysError};
pub use scores::{MOST_SCORES, Score, Scores, ScoresError};
pub use trouble::Trouble;
pub use writer::Writer;

/// What things are called, on disk and in a browser.
const SETTINGS: &str = "settings.ron";
const SCORES: &str = "scores.ron";
const SAVE: &str = "suspended.save";
const LOG: &str = "suspended.log";
const LORE: &str = "lore.ron";
const REPLAYS: &str = "replays";
const MORGUE: &str = "morgue";

/// No settings and no list of scores that the game wrote is larger, in bytes.
const MOST_TEXT: usize = 256 << 10;

/// So much of what is wrong with a file is told, in letters: a file may be one long word.
const MOST_WORDS: usize = 160;

/// Where the game keeps its files.
///
/// ```
/// use gutterlight::{home::Home, settings::Settings};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let home = Home::at(folder);
/// let (mut settings, trouble) = home.settings();
/// assert_eq!(settings, Settings::default());
/// assert!(trouble.is_none());
/// settings.brightness = 2;
/// home.keep_settings(&settings)?;
/// assert_eq!(home.settings().0, settings);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Home {
    config: Arc<dyn Storage>,
    data: Arc<dyn Storage>,
}

impl Home {
    /// Where programs of this platform keep things: settings in the folder for configuration,
    /// all else in the one for data; in a browser, in the page's `localStorage`. None if
    /// the platform tells none, or the browser forbids it.
    pub fn standard() -> Option<Self> {
        place::standard().map(|[config, data]| Self { config, data })
    }

    /// Everything in one folder, which need not be there yet; in a browser, all keys begin with
    /// it.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::of(place::at(folder.into()))
    }

    /// Everything in this storage.
    pub fn of(storage: Arc<dyn Storage>) -> Self {
        Self {
            config: Arc::clone(&storage),
            data: storage,
        }
    }

    /// The file of the settings; in a browser, its key.
    pub fn settings_path(&self) -> PathBuf {
        self.config.path(SETTINGS)
    }

    /// The file of the scores.
    pub fn scores_path(&self) -> PathBuf {
        self.data.path(SCORES)
    }

    /// The file of the suspended game.
    pub fn save_path(&self) -> PathBuf {
        self.data.path(SAVE)
    }

    /// The folder with a page for each ended game.
    pub fn morgue_folder(&self) -> PathBuf {
        self.data.path(MORGUE)
    }

    /// What is set: the defaults if there is no file, or one that can not be used. That one is
    /// kept aside.
    pub fn settings(&self) -> (Settings, Option<Trouble>) {
        or_default(self.read_settings())
    }

    /// Writes what is set.
    ///
    /// # Errors
    /// If a setting is out of its range, or the file can not be written.
    pub fn keep_settings(&self, settings: &Settings) -> Result<(), Trouble> {
        settings.validate().map_err(|error| Trouble::Write {
            path: self.settings_path(),
            error: io::Error::new(ErrorKind::InvalidInput, error),
        })?;
        unless_in_the_way(self.read_settings())?;
        write_ron(&*self.config, SETTINGS, settings)
    }

    fn read_settings(&self) -> Result<Option<Settings>, Trouble> {
        read(&*self.config, SETTINGS, MOST_TEXT, |bytes| {
            let settings: Settings = ron::de::from_bytes(bytes).map_err(words)?;
            settings.validate().map_err(words)?;
            Ok(settings)
        })
    }

    /// The best games: none if there is no file, or one that can not be used. That one is kept
    /// aside.
    pub fn scores(&self) -> (Scores, Option<Trouble>) {
        or_default(self.read_scores())
    }

    /// Puts a game among the best, if it is one of them, and returns them all. A list that can
    /// not be used is kept aside, and a new one begun; whoever reads the
    /// [`scores`](Self::scores) first is told of it.
    ///
    /// # Errors
    /// If the file can not be read or written.
    pub fn add_score(&self, score: Score) -> Result<Scores, Trouble> {
        let mut scores = unless_in_the_way(self.read_scores())?.unwrap_or_default();
        scores.insert(score);
        write_ron(&*self.data, SCORES, &scores)?;
        Ok(scores)
    }

    fn read_scores(&self) -> Result<Option<Scores>, Trouble> {
        read(&*self.data, SCORES, MOST_TEXT, |bytes| {
            ron::de::from_bytes(bytes).map_err(words)
        })
    }

    /// Whether a game is suspended: there is a file, which is not looked into.
    pub fn is_suspended(&self) -> bool {
        self.data.holds(SAVE)
    }

    /// Suspends a game, of which `save` is all ([`World::save`]), in the place of one that was
    /// suspended before.
    ///
    /// # Errors
    /// If the file can not be written.
    pub fn suspend(&self, save: &[u8]) -> Result<(), Trouble> {
        unless_in_the_way(self.read_save())?;
        write(&*self.data, SAVE, save)
    }

    /// The same for a game that has been suspended before, and goes on since: the file there is
    /// its own, and is not looked at again.
    ///
    /// # Errors
    /// If the file can not be written.
    pub fn suspend_again(&self, save: &[u8]) -> Result<(), Trouble> {
        write(&*self.data, SAVE, save)
    }

    /// Loads the suspended game and deletes its file: whoever continues goes on, or loses it.
    /// None if there is none.
    ///
    /// # Errors
    /// If the file can not be read, or not be deleted; if it is damaged, or no such file: then
    /// it is kept aside.
    pub fn resume(&self) -> Result<Option<World>, Trouble> {
        let Some(world) = self.read_save()? else {
            return Ok(None);
        };
        // Another game that has deleted it meanwhile plays it now.
        Ok(self.delete_save()?.then_some(world))
    }

    /// Deletes the suspended game, if there is one, and what was said in it.
    ///
    /// # Errors
    /// If the file can not be deleted.
    pub fn forget(&self) -> Result<(), Trouble> {
        self.delete_save()?;
        // What is left of it belongs to no game.
        let _ = self.data.remove(LOG);
        Ok(())
    }

    fn read_save(&self) -> Result<Option<World>, Trouble> {
        read(&*self.data, SAVE, MAX_BYTES, |bytes| {
            World::load(bytes).map_err(words)
        })
    }

    /// Whether there was one.
    fn delete_save(&self) -> Result<bool, Trouble> {
        self.data.remove(SAVE).map_err(|error| Trouble::Delete {
            path: self.save_path(),
            error,
        })
    }

    /// Writes the page of an ended game (see [`morgue`]) and returns its path. No other page
    /// is ever replaced.
    ///
    /// # Errors
    /// If the file can not be written.
    pub fn bury(&self, morgue: &str, score: &Score) -> Result<PathBuf, Trouble> {
        let name = format!("{MORGUE}/{}-keep-{}.txt", score.date, score.seed);
        match self.data.write_new(&name, morgue.as_bytes()) {
            Ok(name) => Ok(self.data.path(&name)),
            Err(error) => Err(Trouble::Write {
                path: self.data.path(&name),
                error,
            }),
        }
    }
}

/// What is in a file, if there is one. If it can not be used, it is kept aside.
fn read<T>(
    storage: &dyn Storage,
    name: &str,
    most: usize,
    parse: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<Option<T>, Trouble> {
    let path = storage.path(name);
    let flaw = match storage.read(name, most) {
        Ok(bytes) => match parse(&bytes) {
            Ok(value) => return Ok(Some(value)),
            Err(flaw) => flaw,
        },
        Err(error) => match error.kind() {
            ErrorKind::NotFound => return Ok(None),
            // What the game wrote is neither.
            ErrorKind::FileTooLarge | ErrorKind::InvalidData => error.to_string(),
            _ => return Err(Trouble::Read { path, error }),
        },
    };
    Err(match storage.quarantine(name, "damaged") {
        Ok(aside) => Trouble::Damaged {
            path,
            flaw,
            aside: storage.path(&aside),
        },
        Err(error) => Trouble::Stuck { path, flaw, error },
    })
}

fn or_default<T: Default>(read: Result<Option<T>, Trouble>) -> (T, Option<Trouble>) {
    match read {
        Ok(value) => (value.unwrap_or_default(), None),
        Err(trouble) => (T::default(), Some(trouble)),
    }
}

/// What was read, if nothing that must not be lost is in the way of what will be written.
fn unless_in_the_way<T>(read: Result<Option<T>, Trouble>) -> Result<Option<T>, Trouble> {
    match read {
        Err(Trouble::Damaged { .. }) => Ok(None),
        read => read,
    }
}

/// An error in one line of a bearable length.
fn words(error: impl ToString) -> String {
    let words = error.to_string();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut letters = words.join(" ");
    if let Some((end, _)) = letters.char_indices().nth(MOST_WORDS) {
        letters.truncate(end);
        letters.push_str(" ...");
    }
    letters
}

fn write_ron(storage: &dyn Storage, name: &str, value: &impl Serialize) -> Result<(), Trouble> {
    let failed = |error| Trouble::Write {
        path: storage.path(name),
        error,
    };
    let text = ron::ser::to_string_pretty(value, PrettyConfig::default());
    let text = text.map_err(|error| failed(io::Error::other(error)))? + "\n";
    if text.len() > MOST_TEXT {
        // Or else it would be refused when it is read.
        return Err(failed(ErrorKind::FileTooLarge.into()));
    }
    write(storage, name, text.as_bytes())
}

fn write(storage: &dyn Storage, name: &str, bytes: &[u8]) -> Result<(), Trouble> {
    storage.write(name, bytes).map_err(|error| Trouble::Write {
        path: storage.path(name),
        error,
    })
}
