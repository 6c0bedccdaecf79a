//! The included recipes: the files in this crate's folder `presets`.
//!
//! They are compiled into the library, so that plugins, tools and web pages share them. A comment at the start of each
//! file describes the preset; its first sentence is the summary.

use crate::{LandCover, Recipe};

/// A recipe that is included in this crate.
///
/// ```
/// use lanternfell_heightmap::{LandCover, Preset};
///
/// let dunes = Preset::find("dunes").unwrap();
/// assert_eq!(dunes.cover, LandCover::Desert);
/// assert!(dunes.recipe().validate().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name, which is the file name without its extension.
    pub name: &'static str,
    /// The RON text of the file.
    pub text: &'static str,
    /// The land cover for rendering. A recipe describes the terrain, but not what grows on it.
    pub cover: LandCover,
}

macro_rules! presets {
    ($($name:literal $cover:ident),* $(,)?) => {
        &[$(Preset {
            name: $name,
            cover: LandCover::$cover,
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
    /// All presets, sorted by name.
    pub const ALL: &[Self] = ALL;

    /// The preset called `name`.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|preset| preset.name == name)
    }

    /// Parses the recipe.
    pub fn recipe(&self) -> Recipe {
        Recipe::from_ron(self.text).expect("a test parses every preset")
    }

    /// The summary: the first sentence of its file.
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
    /// The [preset](Preset) called `name`, or `None` if it does not exist.
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

    /// Names of presets and generators share a namespace on the command line, so a preset must not shadow a generator.
    #[test]
    fn preset_names_differ_from_generators() {
        for preset in ALL {
            assert_eq!(crate::Generator::from_name(preset.name), None);
        }
    }

    #[test]
    fn every_preset_parses_and_has_a_summary() {
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
