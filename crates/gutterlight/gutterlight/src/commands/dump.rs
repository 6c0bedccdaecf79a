//! `gutterlight dump`: prints a floor of a keep as text and draws it as an image.

mod picture;

use std::path::PathBuf;

use clap::Args;
use gutterlight_rules::{Difficulty, Rules, Survey, drawing};

use crate::{failure::Failure, files, values};

/// The arguments of `gutterlight dump`.
#[derive(Debug, Args)]
#[command(
    after_help = "The floor is printed in the notation of gutterlight_rules::drawing. A second map shows
the brightness of each cell: a space is dark, then . : - = + * @, each twice as bright as the
one before. Lit walls are #, dark walls are %.

Example: gutterlight dump 7 --floor 3 --png chapel.png"
)]
pub(crate) struct DumpArgs {
    /// Seed of the keep
    #[arg(value_name = "SEED", value_parser = values::seed, allow_negative_numbers = true)]
    seed: u64,

    /// Floor, from 1 to 5
    #[arg(long, value_name = "N", value_parser = values::floor, default_value = "1",
        allow_negative_numbers = true)]
    floor: usize,

    /// apprentice, thief or ghost
    #[arg(long, value_name = "D", value_parser = values::difficulty, default_value = "thief")]
    difficulty: Difficulty,

    /// Also draw the floor to this .png file. An existing file is replaced
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

impl DumpArgs {
    /// Returns the floor as text and writes the image, if requested.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let (seed, difficulty) = (self.seed, self.difficulty);
        let survey = Survey::new(&Rules::standard(), seed, difficulty, self.floor - 1);
        let survey =
            survey.ok_or_else(|| Failure::Usage("the keep has no such floor".to_owned()))?;
        if let Some(path) = &self.png {
            files::write(path, &picture::png(&survey))?;
        }
        let vowel = difficulty.name().starts_with('a');
        Ok(format!(
            "{}: floor {} of seed {seed} for {} {}\n\n{}\n\n{}",
            survey.floor.theme.name(),
            self.floor,
            if vowel { "an" } else { "a" },
            difficulty.name(),
            drawing::draw(&survey.floor, None),
            survey.light.dump(),
        ))
    }
}
