//! Saves the current recipe in the folder that the panel lists, or in a browser as a download.

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

/// The result of the last save, which the panel shows.
#[derive(Resource, Default)]
pub struct LastSaved(pub String);

impl LastSaved {
    /// Saves the recipe, if the terrain has one. Without a folder it is downloaded.
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
        Err(error) => format!("cannot save in {}: {error}", folder.display()),
    }
}

/// Offers the recipe as a download. The browser chooses the folder and a free name.
fn offer(recipe: &Recipe, choice: &Choice) -> String {
    let name = format!("{}.{RECIPE}", stem(choice));
    match lanternfell::headless::web_page::offer_file(&name, recipe.to_ron().as_bytes()) {
        true => format!("downloaded {name}"),
        false => "cannot save: there is no folder".to_owned(),
    }
}

/// A recipe without a sea has a sea level of 0.
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

/// The name of the choice, without the extension and without the number of an earlier save.
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

/// The first path among NAME-1, NAME-2, ... that does not exist.
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
    fn saved_recipe_is_the_same() {
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
    fn name_of_resaved_file_does_not_grow() {
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
    fn failed_save_reports_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut saved = LastSaved::default();
        let ground = Ground::of(Choice::Generator("hills"));
        for folder in [Some(file.path()), None] {
            saved.save(&ground, folder);
            assert!(saved.0.starts_with("cannot save"), "{}", saved.0);
        }
    }
}
