//! `gutterlight replay`: a recorded game to its end.

use lanternfell_stealth::{Replay, Rules, World, drawing};

use crate::{args, failure::Failure, files};

/// Plays it, and says how it ended.
pub(crate) fn run(command: &args::Replay) -> Result<String, Failure> {
    let bytes = files::read(&command.file)?;
    let played = Replay::from_bytes(&bytes).and_then(|replay| replay.play(Rules::standard()));
    let world = played.map_err(|error| Failure::Replay {
        path: command.file.clone(),
        error,
    })?;
    let mut page = summary(&world);
    if command.dump {
        let map = drawing::draw(world.floor(), Some(world.view().thief().at));
        page.extend(["\n", &map, "\n"]);
    }
    Ok(page)
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
