//! What was said in the suspended game: whoever continues it reads on where the journal ended.
//!
//! It lies beside the game, in a file of its own, so that a game can be taken elsewhere without it. It
//! knows by a checksum which game it belongs to: what was said in another is of no worth, as one that
//! is damaged is, and nobody is told of it.

use gutterlight_rules::World;
use serde::{Deserialize, Serialize};

use super::{Home, LOG, MOST_TEXT, Trouble, write};

/// So many of the last lines are kept.
pub const MOST_LINES: usize = 300;

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The sentence.
    pub words: String,
    /// How often in a row.
    pub times: u32,
    /// Whether it stood over somebody's head, and is only to be read again.
    pub quiet: bool,
}

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct Log {
    /// The checksum of the game, as it is saved.
    game: u32,
    lines: Vec<LogLine>,
}

impl Home {
    /// Keeps what was said in a game, of which `save` is all.
    ///
    /// # Errors
    /// If the file can not be written.
    pub fn keep_log(&self, save: &[u8], lines: &[LogLine]) -> Result<(), Trouble> {
        let log = Log {
            game: crc32fast::hash(save),
            lines: lines[lines.len().saturating_sub(MOST_LINES)..].to_owned(),
        };
        // It is only made of words and numbers.
        let text = ron::to_string(&log).unwrap_or_default();
        write(&*self.data, LOG, text.as_bytes())
    }

    /// What was said in a game that was just [resumed](Self::resume); nothing if that is not known.
    pub fn log_of(&self, game: &World) -> Vec<LogLine> {
        let read = self.data.read(LOG, MOST_TEXT).ok();
        let log: Option<Log> = read.and_then(|bytes| ron::de::from_bytes(&bytes).ok());
        let own = log.filter(|log| log.game == crc32fast::hash(&game.save()));
        let mut lines = own.map(|log| log.lines).unwrap_or_default();
        lines.drain(..lines.len().saturating_sub(MOST_LINES));
        lines
    }
}
