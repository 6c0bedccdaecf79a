//! The game's files, on disk or in a browser's storage.
//!
//! ```text
//!    config folder    settings.ron       settings
//!    data folder      scores.ron         the best games
//!                     suspended.save     the suspended game
//!                     suspended.log      its message log, and the lesson that is due
//!                     lore.ron           guards, tools and twists that the player has met
//!                     replays.ron        list of the last games
//!                     replays/*.replay   their replays
//!                     morgue/*.txt       one text file for each finished game
//!                     running.lock       locked while the game runs
//! ```
//!
//! Disks and browser storages can be full. Folders can be read-only. Files can be truncated, edited
//! by hand, or written by a later release. None of this may crash the game or destroy data:
//!
//! - [`Storage`] writes files atomically and reads them up to a size limit. In a browser, the file
//!   names are keys of `localStorage`.
//! - A file is only used if all of it is valid. An invalid file is **kept aside**: `settings.ron`
//!   is renamed to `settings.damaged.ron`, and the title screen reports it.
//! - Before a file is replaced, the old one is checked. If it is invalid, it is kept aside first.
//!   If that fails, nothing is written.
//! - Every failure is a [`Trouble`], and the game continues with defaults.
//!
//! Folders are created on the first write.
//!
//! Only the first of several games that run at the same time saves and continues games
//! ([`Home::claim`]). All of them share the other files. No file gets damaged, but if two add a score
//! at the same moment, one score is lost.
//!
//! Limits: two tabs of a browser can both continue the same suspended game.

mod claim;
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

pub use claim::Claim;
pub use date::{DAILY_DIFFICULTY, Date, NoDate};
pub use log::{Log, LogLine, MOST_LINES};
pub use lore::Lore;
pub use morgue::morgue;
pub use replays::{KeptReplay, MOST_REPLAYS, Replays, ReplaysError};
pub use scores::{MOST_SCORES, Score, Scores, ScoresError};
pub use trouble::Trouble;
pub use writer::Writer;

/// File names on disk, and keys in a browser.
const SETTINGS: &str = "settings.ron";
const SCORES: &str = "scores.ron";
const SAVE: &str = "suspended.save";
const LOG: &str = "suspended.log";
const LORE: &str = "lore.ron";
const REPLAYS: &str = "replays";
const MORGUE: &str = "morgue";

/// Maximum size of a RON file, in bytes.
const MOST_TEXT: usize = 256 << 10;

/// Maximum length of an error description, in characters. A damaged file may be one long word.
const MOST_WORDS: usize = 160;

/// Access to the game's files.
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
    /// Returns the standard location of the platform: settings in the configuration folder,
    /// everything else in the data folder. In a browser, everything is in the page's
    /// `localStorage`. Returns `None` if the platform has no such folders, or if the browser
    /// forbids storage.
    pub fn standard() -> Option<Self> {
        place::standard().map(|[config, data]| Self { config, data })
    }

    /// Keeps everything in one folder, which need not exist yet. In a browser, `folder` is a prefix
    /// of all keys.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::of(place::at(folder.into()))
    }

    /// Keeps everything in `storage`.
    pub fn of(storage: Arc<dyn Storage>) -> Self {
        Self {
            config: Arc::clone(&storage),
            data: storage,
        }
    }

    /// The path of the settings. In a browser, their key.
    pub fn settings_path(&self) -> PathBuf {
        self.config.path(SETTINGS)
    }

    /// The path of the scores.
    pub fn scores_path(&self) -> PathBuf {
        self.data.path(SCORES)
    }

    /// The path of the suspended game.
    pub fn save_path(&self) -> PathBuf {
        self.data.path(SAVE)
    }

    /// The folder with a text file for each finished game.
    pub fn morgue_folder(&self) -> PathBuf {
        self.data.path(MORGUE)
    }

    /// Loads the settings. If there is no valid file, returns the defaults. An invalid file is kept
    /// aside.
    pub fn settings(&self) -> (Settings, Option<Trouble>) {
        or_default(self.read_settings())
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// A setting is out of range, or the file cannot be written.
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

    /// Loads the best games. If there is no valid file, the list is empty. An invalid file is kept
    /// aside.
    pub fn scores(&self) -> (Scores, Option<Trouble>) {
        or_default(self.read_scores())
    }

    /// Adds a game to the best games if it ranks among them, and returns the list. An invalid list
    /// is kept aside and replaced without an error. To report it, call [`scores`](Self::scores)
    /// first.
    ///
    /// # Errors
    /// The file cannot be read or written.
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

    /// Whether a file of a suspended game exists and is not empty. Does not read it.
    pub fn is_suspended(&self) -> bool {
        // A crash of the system can leave an empty file.
        self.data.holds(SAVE) && self.data.read(SAVE, 0).is_err()
    }

    /// Suspends a game, and replaces a game that was suspended before. `save` is the result of
    /// [`World::save`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn suspend(&self, save: &[u8]) -> Result<(), Trouble> {
        unless_in_the_way(self.read_save())?;
        write(&*self.data, SAVE, save)
    }

    /// Like [`suspend`](Self::suspend), for a game that this process has suspended before. Skips
    /// the check of the old file, since the game wrote it itself.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn suspend_again(&self, save: &[u8]) -> Result<(), Trouble> {
        write(&*self.data, SAVE, save)
    }

    /// Loads the suspended game and deletes its file, so that a game cannot be continued twice.
    /// Returns `None` if no game is suspended.
    ///
    /// # Errors
    /// The file cannot be read or deleted, or it is invalid. An invalid file is kept aside.
    pub fn resume(&self) -> Result<Option<World>, Trouble> {
        let Some(world) = self.read_save()? else {
            return Ok(None);
        };
        // If the file is already gone, another process has resumed the game.
        Ok(self.delete_save()?.then_some(world))
    }

    /// Deletes the suspended game, if there is one, and its message log.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn forget(&self) -> Result<(), Trouble> {
        self.delete_save()?;
        // A log that cannot be deleted is harmless: it does not match any other game.
        let _ = self.data.remove(LOG);
        Ok(())
    }

    fn read_save(&self) -> Result<Option<World>, Trouble> {
        read(&*self.data, SAVE, MAX_BYTES, |bytes| {
            World::load(bytes).map_err(words)
        })
    }

    /// Deletes the save. Returns whether there was one.
    fn delete_save(&self) -> Result<bool, Trouble> {
        self.data.remove(SAVE).map_err(|error| Trouble::Delete {
            path: self.save_path(),
            error,
        })
    }

    /// Writes the text file of a finished game (see [`morgue`]) and returns its path. Never
    /// replaces an existing file.
    ///
    /// # Errors
    /// The file cannot be written.
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

/// Reads and parses a file, if it exists. Keeps an invalid file aside.
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
            // The game writes neither too large files nor invalid data, so the file is damaged.
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

/// Returns the parsed file, or an error if an invalid file is in the way and could not be kept
/// aside.
fn unless_in_the_way<T>(read: Result<Option<T>, Trouble>) -> Result<Option<T>, Trouble> {
    match read {
        Err(Trouble::Damaged { .. }) => Ok(None),
        read => read,
    }
}

/// Returns the message of an error, in one line of limited length.
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
        // A larger file would be rejected on the next read.
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
