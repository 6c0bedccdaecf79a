//! The recipes that come with this crate: the files in its folder `presets`.
//!
//! They are part of the library, so that a plugin, a tool and a page share them. A preset's
//! first sentence, a comment at the head of its file, says what it makes.

use crate::{Cover, Recipe};

/// A recipe that comes with this crate.
///
/// ```
/// use lanternfell_heightmap::{Cover, Preset};
///
/// let dunes = Preset::find("dunes").unwrap();
/// assert_eq!(dunes.cover, Cover::Desert);
/// assert!(dunes.recipe().validate().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// What it is called, which is its file's name without the ending.
    pub name: &'static str,
    /// The file's text, RON.
    pub text: &'static str,
    /// What covers its land in pictures: a recipe says how the land lies, not what grows there.
    pub cover: Cover,
}

macro_rules! presets {
    ($($name:literal $cover:ident),* $(,)?) => {
        &[$(Preset {
            name: $name,
            cover: Cover::$cover,
            text: include_str!(concat!("../presets/", $name, ".ron")),
        }),*]
    };
}

const ALL: &[Preset] = presets![
    "alpine" Temperate,
    "archipelago" Temperate,
    "article-faults" Temperate,
    "article-fluid" Temperate,
    "article-hills" Temperate,
    "article-islands" Temperate,
    "atoll" Temperate,
    "badlands" Desert,
    "caldera" Temperate,
    "canyons" Desert,
    "cirques" Temperate,
    "coral" Temperate,
    "craters" Desert,
    "dunes" Desert,
    "fjords" Temperate,
    "jagged-range" Temperate,
    "karst" Temperate,
    "mesas" Desert,
    "river-delta" Temperate,
    "rolling-hills" Temperate,
    "volcano" Temperate,
];

impl Preset {
    /// All of them, by their names.
    pub const ALL: &[Self] = ALL;

    /// The preset of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|preset| preset.name == name)
    }

    /// The recipe.
    pub fn recipe(&self) -> Recipe {
        Recipe::from_ron(self.text).expect("a test reads every recipe that comes with it")
    }

    /// What it makes, in a sentence: the first of its file.
    pub fn about(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix("//"));
        let words: Vec<&str> = comment.map(str::trim).collect();
        let words = words.join(" ");
        let sentence = words
            .split_once(". ")
            .map_or(words.as_str(), |(first, _)| first);
        sentence.trim_end_matches('.').to_owned()
    }
}

impl Recipe {
    /// The [preset](Preset) of that name; `None` if there is none.
    ///
    /// ```
    /// use lanternfell_heightmap::Recipe;
    ///
    /// let volcano = Recipe::preset("volcano").unwrap();
    /// assert!(volcano.images().is_empty());
    /// assert_eq!(Recipe::preset("moon"), None);
    /// ```
    pub fn preset(name: &str) -> Option<Self> {
        Preset::find(name).map(Preset::recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_in_the_folder_is_a_preset() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let names: Vec<String> = ALL
            .iter()
            .map(|preset| format!("{}.ron", preset.name))
            .collect();
        assert_eq!(names, files);
    }

    /// One name, one map: whoever asks for it must not get the generator's default.
    #[test]
    fn no_preset_is_called_like_a_generator() {
        for preset in ALL {
            assert_eq!(crate::Generator::from_name(preset.name), None);
        }
    }

    #[test]
    fn every_preset_is_a_recipe_and_says_what_it_makes() {
        for preset in ALL {
            let recipe = preset.recipe();
            assert_eq!(
                Recipe::version_of(preset.text),
                Some(Recipe::VERSION.into()),
                "{}",
                preset.name
            );
            assert!(recipe.images().is_empty(), "{}", preset.name);
            let about = preset.about();
            assert!((20..100).contains(&about.len()), "{}: {about}", preset.name);
        }
    }
}
