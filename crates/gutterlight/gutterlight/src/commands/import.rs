//! `gutterlight import`: suspends a game that was exported elsewhere.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{failure::Failure, files, home::Trouble};

/// The arguments of `gutterlight import`.
#[derive(Debug, Args)]
#[command(
    after_help = "A game that is already suspended here is kept in a separate file. Close the game
before importing.

Example: gutterlight import thursday.save"
)]
pub(crate) struct ImportArgs {
    /// File written by `export`
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Folder of the game's files, instead of the user's folders
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

impl ImportArgs {
    /// Suspends the game. Returns a message that says where a replaced game is kept.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let home = files::home(self.home.as_deref())?;
        // A game that is running has created the folder. A rejected file must not create it.
        let _claim = match home.save_path().parent().is_some_and(Path::is_dir) {
            true => Some(home.claim().ok_or(Failure::Open)?),
            false => None,
        };
        let save = files::read(&self.file)?;
        let replaced = home.import(&save).map_err(|trouble| match trouble {
            Trouble::Refused { flaw } => Failure::Refused {
                path: self.file.clone(),
                flaw,
            },
            trouble => trouble.into(),
        })?;
        let kept =
            replaced.map(|path| format!("The previous game is kept in {}\n", path.display()));
        Ok(format!(
            "imported: choose `Continue` on the title screen to play\n{}",
            kept.unwrap_or_default()
        ))
    }
}
