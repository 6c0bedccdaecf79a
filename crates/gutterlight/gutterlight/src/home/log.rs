//! The message log of the suspended game.
//!
//! The log is a separate file, so that a save can be copied without it. It stores the checksum of the game that it
//! belongs to. A log of another game or a damaged log is ignored without a message.

use gutterlight_rules::World;
use serde::{Deserialize, Serialize};

use super::{Home, LOG, MOST_TEXT, Trouble, write};

/// Maximum number of lines in the file. The newest are kept.
pub const MOST_LINES: usize = 300;

/// A message of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The message.
    pub words: String,
    /// How many times in a row it was logged.
    pub times: u32,
    /// Whether it was shown in the scene, so that the log on screen does not need to show it.
    pub quiet: bool,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Log {
    /// CRC-32 of the save of the game.
    game: u32,
    lines: Vec<LogLine>,
}

impl Home {
    /// Writes the message log of a game. `save` is the result of [`World::save`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_log(&self, save: &[u8], lines: &[LogLine]) -> Result<(), Trouble> {
        let log = Log {
            game: crc32fast::hash(save),
            lines: lines[lines.len().saturating_sub(MOST_LINES)..].to_owned(),
        };
        // Serialization cannot fail: the log contains only strings and numbers.
        let text = ron::to_string(&log).unwrap_or_default();
        write(&*self.data, LOG, text.as_bytes())
    }

    /// Returns the message log of a game that was just [resumed](Self::resume). Empty if there is no matching log.
    pub fn log_of(&self, game: &World) -> Vec<LogLine> {
        let read = self.data.read(LOG, MOST_TEXT).ok();
        let log: Option<Log> = read.and_then(|bytes| ron::de::from_bytes(&bytes).ok());
        let own = log.filter(|log| log.game == crc32fast::hash(&game.save()));
        let mut lines = own.map(|log| log.lines).unwrap_or_default();
        lines.drain(..lines.len().saturating_sub(MOST_LINES));
        lines
    }
}
