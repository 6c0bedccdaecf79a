//! `gutterlight replay`: plays a recorded game to its end.

use std::path::PathBuf;

use clap::Args;
use gutterlight_rules::{World, drawing};

use crate::{failure::Failure, files};

/// The arguments of `gutterlight replay`.
#[derive(Debug, Args)]
#[command(after_help = "Example: gutterlight replay thursday.replay")]
pub(crate) struct ReplayArgs {
    /// Replay file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Also print the last floor
    #[arg(long)]
    dump: bool,
}

impl ReplayArgs {
    /// Plays the replay. Returns a summary.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let (_, world) = files::read_replay(&self.file)?;
        let mut page = summary(&world);
        if self.dump {
            let map = drawing::draw(world.floor(), Some(world.view().thief().at));
            page.extend(["\n", &map, "\n"]);
        }
        Ok(page)
    }
}

fn summary(world: &World) -> String {
    let view = world.view();
    format!(
        "seed        {}\n\
         difficulty  {}\n\
         turns       {}\n\
         ending      {}\n\
         score       {}\n\
         end state   {:08x}\n",
        view.seed(),
        view.difficulty().name(),
        view.turn(),
        view.fate(),
        view.score(),
        crc32fast::hash(&world.save()),
    )
}
