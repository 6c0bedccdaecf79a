//! The message log of the suspended game, and the lesson that is due in it.
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

/// What is kept of a suspended game apart from the rules.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The messages, oldest first.
    pub lines: Vec<LogLine>,
    /// The name of the lesson that is due. Empty if no lesson is due.
    pub lesson: String,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// CRC-32 of the save of the game.
    game: u32,
    log: Log,
}

impl Home {
    /// Writes the message log of a game. `save` is the result of [`World::save`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_log(&self, save: &[u8], mut log: Log) -> Result<(), Trouble> {
        log.drop_oldest();
        let kept = Kept {
            game: crc32fast::hash(save),
            log,
        };
        // Serialization cannot fail: the log contains only strings and numbers.
        let text = ron::to_string(&kept).unwrap_or_default();
        write(&*self.data, LOG, text.as_bytes())
    }

    /// Returns the message log of a game that was just [resumed](Self::resume). `None` if there is no matching log.
    pub fn log_of(&self, game: &World) -> Option<Log> {
        let bytes = self.data.read(LOG, MOST_TEXT).ok()?;
        let kept: Kept = ron::de::from_bytes(&bytes).ok()?;
        let mut log = (kept.game == crc32fast::hash(&game.save())).then_some(kept.log)?;
        log.drop_oldest();
        Some(log)
    }
}

impl Log {
    /// Keeps the newest lines, as many as are allowed.
    fn drop_oldest(&mut self) {
        let old = self.lines.len().saturating_sub(MOST_LINES);
        self.lines.drain(..old);
    }
}
