//! The command line arguments.

// In a browser there are no files.
#[cfg(not(target_arch = "wasm32"))]
mod paths;

use std::path::PathBuf;

use clap::{
    Parser,
    builder::{PossibleValue, PossibleValuesParser},
};
use lanternfell::{
    headless::{HeadlessArgs, parse_or_exit},
    heightmap::{Generator, Preset},
    prelude::{TimeOfDay, Weather},
};

use crate::{
    address,
    folder::{self, Folder},
    ground::{Choice, Ground, Land},
    plants::Plants,
    quality::{Level, Quality},
    resize::SIZES,
    view::StartView,
};

/// Fly over and walk on a procedural terrain, and tune it in a panel
#[derive(Parser)]
pub struct IslandArgs {
    #[command(flatten)]
    pub headless: HeadlessArgs,

    /// The generator of the island
    #[arg(long, value_name = "NAME", value_parser = algorithm(), default_value = "hills")]
    algorithm: String,

    /// Show a built-in recipe instead of an island
    #[arg(long, value_name = "NAME", value_parser = preset(), conflicts_with = "algorithm")]
    preset: Option<String>,

    /// Show a recipe (.ron) or a heightmap file instead of an island
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "PATH",
        value_parser = paths::file(),
        conflicts_with_all = ["algorithm", "preset", "seed", "cells", "tuned"]))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    file: Option<PathBuf>,

    /// The folder whose recipes and heightmaps the panel offers [default: assets/elevation]
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "DIR",
        value_parser = paths::folder()))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    folder: Option<PathBuf>,

    /// Settings from a link to a tuned island
    #[arg(long, value_name = "RON", value_parser = address::tuned, conflicts_with_all = ["seed", "cells"])]
    tuned: Option<Land>,

    /// The seed of the terrain
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Cells along each side: 128, 256, 512, 1024 or 2048
    #[arg(long, value_name = "N", value_parser = cells, allow_negative_numbers = true)]
    cells: Option<u64>,

    /// The time of day in hours, from 0 to 24
    #[arg(long, value_name = "H", value_parser = hour, allow_negative_numbers = true)]
    hour: Option<f32>,

    /// The weather
    #[arg(long, value_name = "NAME", value_parser = weather(), default_value = "fair")]
    weather: String,

    /// Show no sea
    #[arg(long)]
    dry: bool,

    /// Whether there are rivers and lakes [default: false for deserts and files, otherwise true]
    #[arg(long, value_name = "true|false")]
    rivers: Option<bool>,

    /// Show no trees, grass and stones
    #[arg(long)]
    no_plants: bool,

    /// The quality level: low, medium, high, or auto to follow the frame time
    #[arg(long, value_name = "NAME", value_parser = quality, default_value = "auto")]
    quality: Quality,

    /// Where the camera starts: air, shore, walk or river
    #[arg(long, value_name = "NAME", value_parser = view, default_value = "air")]
    pub view: StartView,

    /// Hide the panel and the line of keys
    #[arg(long)]
    pub bare: bool,
}

impl IslandArgs {
    /// Parses the arguments of the process. An invalid argument exits with a one-line message.
    pub fn from_env() -> Self {
        parse_or_exit()
    }

    pub fn ground(&self) -> Ground {
        let mut ground = Ground::of(self.choice());
        if let (Some(wanted), Some(seed)) = (self.seed, ground.seed_mut()) {
            *seed = wanted;
        }
        if let Some(cells) = self.cells {
            ground.resize(cells);
        }
        if let Some(land) = &self.tuned {
            ground.land = land.clone();
        }
        ground.sea &= !self.dry;
        ground.rivers = self.rivers.unwrap_or(ground.rivers);
        ground
    }

    fn choice(&self) -> Choice {
        if let Some(file) = &self.file {
            return Choice::File(file.clone());
        }
        // The parser has checked both names.
        let preset = self.preset.as_ref().and_then(|name| Preset::find(name));
        match preset {
            Some(preset) => Choice::Preset(preset.name),
            None => {
                let generator = Generator::from_name(&self.algorithm).unwrap_or_default();
                Choice::Generator(generator.name())
            }
        }
    }

    pub fn folder(&self) -> Folder {
        Folder::at(self.folder.clone().or_else(folder::of_assets))
    }

    pub fn plants(&self) -> Plants {
        Plants {
            shown: !self.no_plants,
        }
    }

    pub fn quality(&self) -> Quality {
        self.quality
    }

    pub fn time_of_day(&self) -> TimeOfDay {
        let mut time = TimeOfDay::default();
        time.hour = self.hour.unwrap_or(time.hour);
        time
    }

    pub fn weather(&self) -> Weather {
        // The parser has checked the name.
        Weather::named(&self.weather).unwrap_or_default()
    }
}

fn weather() -> PossibleValuesParser {
    PossibleValuesParser::new(Weather::PRESETS.map(|(name, _)| name))
}

fn algorithm() -> PossibleValuesParser {
    let generators = Generator::DESCRIBED.iter();
    PossibleValuesParser::new(
        generators.map(|generator| PossibleValue::new(generator.name).aliases(generator.alias)),
    )
}

fn preset() -> PossibleValuesParser {
    let presets = Preset::ALL.iter();
    PossibleValuesParser::new(
        presets.map(|preset| PossibleValue::new(preset.name).help(preset.about())),
    )
}

fn seed(value: &str) -> Result<u64, &'static str> {
    value.parse().map_err(|_| "must be a whole number")
}

fn cells(value: &str) -> Result<u64, &'static str> {
    let cells = value.parse().ok().filter(|cells| SIZES.contains(cells));
    cells.ok_or("must be 128, 256, 512, 1024 or 2048")
}

fn hour(value: &str) -> Result<f32, &'static str> {
    let hour = value.parse().ok();
    hour.filter(|hour| (0.0..=24.0).contains(hour))
        .ok_or("must be from 0 to 24")
}

fn quality(name: &str) -> Result<Quality, &'static str> {
    let mut levels = Level::ALL.into_iter();
    match (name, levels.find(|level| level.name() == name)) {
        ("auto", _) => Ok(Quality::new(None)),
        (_, Some(level)) => Ok(Quality::new(Some(level))),
        (_, None) => Err("must be low, medium, high or auto"),
    }
}

fn view(name: &str) -> Result<StartView, &'static str> {
    StartView::from_name(name).ok_or("must be air, shore, walk or river")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<IslandArgs, String> {
        let args = ["island"].iter().chain(args);
        IslandArgs::try_parse_from(args).map_err(|error| error.to_string())
    }

    fn choice(args: &[&str]) -> Choice {
        parse(args)
            .unwrap_or_else(|error| panic!("{error}"))
            .choice()
    }

    #[test]
    fn finds_every_generator_and_preset_by_name() {
        assert_eq!(choice(&[]), Choice::Generator("hills"));
        for name in Generator::NAMES {
            assert_eq!(choice(&["--algorithm", name]), Choice::Generator(name));
        }
        // The name of the article.
        let islands = choice(&["--algorithm", "islands"]);
        assert_eq!(islands, Choice::Generator("fractal-noise"));
        for preset in Preset::ALL {
            let chosen = choice(&["--preset", preset.name]);
            assert_eq!(chosen, Choice::Preset(preset.name));
        }
    }

    #[test]
    fn file_becomes_absolute_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Land.TIF");
        std::fs::write(&path, "").unwrap();
        let chosen = choice(&["--file", path.to_str().unwrap()]);
        assert_eq!(chosen, Choice::File(path));
    }

    #[test]
    fn seed_and_cells_apply_to_presets() {
        let args = ["--preset", "dunes", "--seed", "5", "--cells", "256"];
        let ground = parse(&args).unwrap().ground();
        let recipe = ground.recipe().unwrap();
        assert_eq!((recipe.seed, recipe.size.width()), (5, 256));
    }

    #[test]
    fn rejects_conflicting_and_missing_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let here = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (map, picture) = (here("land.tif"), here("land.jpg"));
        let folder = folder.path().to_str().unwrap();
        for (args, words) in [
            (&["--preset", "moon"][..], "volcano"),
            (
                &["--preset", "atoll", "--algorithm", "hills"],
                "cannot be used",
            ),
            (&["--preset", "atoll", "--file", &map], "cannot be used"),
            (&["--file", &map, "--seed", "1"], "cannot be used"),
            (&["--file", &picture], "one of .ron, .png"),
            (&["--file", folder], "no such file"),
            (&["--folder", "nowhere"], "no such folder"),
            (&["--folder", &map], "no such folder"),
        ] {
            let error = parse(args).err().unwrap_or_default();
            assert!(error.contains(words), "{args:?}: {error}");
        }
    }
}
