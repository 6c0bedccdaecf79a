//! `gutterlight export`: writes the suspended game to a file.

use std::path::PathBuf;

use clap::Args;

use crate::{failure::Failure, files};

/// The arguments of `gutterlight export`.
#[derive(Debug, Args)]
#[command(
    after_help = "The game also stays suspended here. `import` reads the file on the other machine.

Example: gutterlight export thursday.save"
)]
pub(crate) struct ExportArgs {
    /// File to write. An existing file is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Folder of the game's files, instead of the user's folders
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

impl ExportArgs {
    /// Writes the file. Returns a message.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let save = files::home(self.home.as_deref())?.export()?;
        let save = save.ok_or_else(|| Failure::Usage("no game is suspended".into()))?;
        files::write(&self.file, &save)?;
        Ok(format!("wrote {}\n", self.file.display()))
    }
}
