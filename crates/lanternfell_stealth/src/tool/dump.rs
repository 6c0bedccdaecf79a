//! `gutterlight dump`: a floor of a keep as text and as a picture.

use lanternfell_stealth::{Rules, Survey, drawing};

use crate::{args, failure::Failure, files, picture};

/// Draws it.
pub(crate) fn run(command: &args::Dump) -> Result<String, Failure> {
    let (seed, difficulty) = (command.seed, command.difficulty);
    let survey = Survey::new(&Rules::standard(), seed, difficulty, command.floor - 1);
    let survey = survey.ok_or_else(|| Failure::Usage("there is no such floor".to_owned()))?;
    if let Some(path) = &command.png {
        files::write(path, &picture::png(&survey))?;
    }
    Ok(format!(
        "{}: floor {} of seed {seed} for a{} {}\n\n{}\n\n{}",
        survey.floor.theme.name(),
        command.floor,
        if difficulty.name().starts_with('a') {
            "n"
        } else {
            ""
        },
        difficulty.name(),
        drawing::draw(&survey.floor, None),
        survey.light.dump(),
    ))
}
