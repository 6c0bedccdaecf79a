//! The recipe of the land as it is tuned, saved into the folder whose files are offered; in a browser,
//! which has no folders, as a download.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use lanternfell::prelude::*;

use crate::{
    folder::{self, RECIPE},
    ground::{Choice, Ground},
};

/// What became of what was saved last, for the panel to show.
#[derive(Resource, Default)]
pub struct LastSaved(pub String);

impl LastSaved {
    /// Saves the recipe of the ground, if there is one, where there is a folder for it.
    pub fn save(&mut self, ground: &Ground, folder: Option<&Path>) {
        if let Some(recipe) = ground.recipe() {
            let recipe = with_sea(recipe, ground.sea);
            self.0 = match folder {
                Some(folder) => say(folder, write(&recipe, &ground.choice, folder)),
                None => offer(&recipe, &ground.choice),
            };
            info!("{}", self.0);
        }
    }
}

fn say(folder: &Path, written: io::Result<PathBuf>) -> String {
    match written {
        Ok(path) => format!("saved {}", path.display()),
        Err(error) => format!("nothing was saved in {}: {error}", folder.display()),
    }
}

/// The browser asks where to, or counts the names by itself.
fn offer(recipe: &Recipe, choice: &Choice) -> String {
    let name = format!("{}.{RECIPE}", stem(choice));
    match lanternfell::headless::web_page::offer_file(&name, recipe.to_ron().as_bytes()) {
        true => format!("downloaded {name}"),
        false => "nothing was saved: there is no folder for it".to_owned(),
    }
}

/// A recipe without a sea says so by putting it at the very bottom.
fn with_sea(recipe: Recipe, is_there: bool) -> Recipe {
    let sea_level = match is_there {
        true => Some(recipe.water_level()),
        false => Some(0.0),
    };
    Recipe {
        sea_level,
        ..recipe
    }
}

fn write(recipe: &Recipe, choice: &Choice, folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let path = free_name(stem(choice), folder);
    lanternfell_files::write(&path, recipe.to_ron().as_bytes())?;
    Ok(path)
}

/// The name of what it was made of, without endings and the number of an earlier save.
fn stem(choice: &Choice) -> String {
    let name = match choice {
        Choice::Generator(name) | Choice::Preset(name) => return (*name).to_owned(),
        Choice::File(path) => folder::name(path),
    };
    let stem = name.strip_suffix(".ron").unwrap_or(&name);
    let stem = stem.strip_suffix(".terrain").unwrap_or(stem);
    let unnumbered = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let unnumbered = unnumbered.strip_suffix('-').filter(|stem| !stem.is_empty());
    unnumbered.unwrap_or(stem).to_owned()
}

/// The first of NAME-1, NAME-2, ... that does not exist.
fn free_name(stem: String, folder: &Path) -> PathBuf {
    (1..)
        .map(|number| folder.join(format!("{stem}-{number}.{RECIPE}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(format!("{stem}.{RECIPE}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_the_same_land_again() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let mut ground = Ground::of(Choice::Preset("atoll"));
        *ground.seed_mut().unwrap() = 77;
        let mut saved = LastSaved::default();
        for number in [1, 2] {
            ground.sea = number == 1;
            saved.save(&ground, Some(&folder));
            let path = folder.join(format!("atoll-{number}.terrain.ron"));
            assert_eq!(saved.0, format!("saved {}", path.display()));
            let recipe = Recipe::from_ron(&fs::read_to_string(path).unwrap()).unwrap();
            let level = if ground.sea { 0.5 } else { 0.0 };
            assert_eq!(recipe.sea_level, Some(level));
            let sea_level = Some(0.5);
            assert_eq!(
                Some(Recipe {
                    sea_level,
                    ..recipe
                }),
                ground.recipe()
            );
        }
    }

    #[test]
    fn names_do_not_grow() {
        for (name, expected) in [
            ("atoll-2.terrain.ron", "atoll"),
            ("atoll.ron", "atoll"),
            ("-1.terrain.ron", "-1"),
            ("map12.terrain.ron", "map12"),
        ] {
            assert_eq!(stem(&Choice::File(name.into())), expected);
        }
    }

    #[test]
    fn where_nothing_can_be_written_it_is_said() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut saved = LastSaved::default();
        let ground = Ground::of(Choice::Generator("hills"));
        for folder in [Some(file.path()), None] {
            saved.save(&ground, folder);
            assert!(saved.0.starts_with("nothing was saved"), "{}", saved.0);
        }
    }
}
