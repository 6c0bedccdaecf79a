//! `gutterlight export`: the suspended game, to be taken elsewhere.

use std::path::PathBuf;

use clap::Args;

use crate::{failure::Failure, files};

/// `gutterlight export`.
#[derive(Debug, Args)]
#[command(
    after_help = "The game stays suspended here. `import` takes the file elsewhere.

Example: gutterlight export thursday.save"
)]
pub(crate) struct ExportArgs {
    /// Where to write it. An existing file is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game lies there, and not in the user's folders
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

impl ExportArgs {
    /// Writes it, and says which game it is.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let save = files::home(self.home.as_deref())?.export()?;
        let save = save.ok_or_else(|| Failure::Usage("no game is suspended".into()))?;
        files::write(&self.file, &save)?;
        Ok(format!("written to {}\n", self.file.display()))
    }
}
