//! `gutterlight import`: a game that was suspended elsewhere.

use std::path::PathBuf;

use clap::Args;

use crate::{failure::Failure, files, home::Trouble};

/// `gutterlight import`.
#[derive(Debug, Args)]
#[command(
    after_help = "A game that is suspended here is kept in a file of its own. Do this while the
game is closed: it writes its own after every turn.

Example: gutterlight import thursday.save"
)]
pub(crate) struct ImportArgs {
    /// What `export` has written
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Games lie there, and not in the user's folders
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

impl ImportArgs {
    /// Suspends it, and says what became of the one that was suspended before.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let home = files::home(self.home.as_deref())?;
        let save = files::read(&self.file)?;
        let replaced = home.import(&save).map_err(|trouble| match trouble {
            Trouble::Refused { flaw } => Failure::Refused {
                path: self.file.clone(),
                flaw,
            },
            trouble => trouble.into(),
        })?;
        let kept = replaced.map(|path| format!("The one before lies in {}\n", path.display()));
        Ok(format!(
            "the game is suspended: `Continue` goes on with it\n{}",
            kept.unwrap_or_default()
        ))
    }
}
