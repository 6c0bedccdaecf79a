//! Keeps the page's URL up to date in a browser, so that it links to the current island.
//!
//! The query of the URL holds command line arguments (see `args`), and this module writes them. A generator or preset
//! is written by name. Once the user tuned a parameter, all settings are written as `--tuned`.

use std::time::Duration;

use bevy::{prelude::*, time::common_conditions::on_timer};
use lanternfell::{
    heightmap::Recipe,
    prelude::{TimeOfDay, Weather},
};

use crate::{
    ground::{Choice, Ground, Land},
    plants::Plants,
    quality::Quality,
    resize::longer_side,
};

/// The URL changes at most this often. Browsers block pages that change it too often, as a slider would.
const PAUSE: Duration = Duration::from_millis(500);

pub fn plugin(app: &mut App) {
    if lanternfell::headless::web_page::is_there() {
        app.add_systems(Update, show.run_if(on_timer(PAUSE)));
    }
}

fn show(
    ground: Res<Ground>,
    day: Res<TimeOfDay>,
    plants: Res<Plants>,
    quality: Res<Quality>,
    weather: Res<Weather>,
    mut shown: Local<Vec<(&'static str, String)>>,
) {
    // While the clock runs, `day` changes in every frame.
    let is_same = !ground.is_changed() && !day.is_changed() && !plants.is_changed();
    if is_same && !quality.is_changed() && !weather.is_changed() {
        return;
    }
    let mut options = options(&ground, *day);
    options.extend(weather_option(*weather));
    options.extend(drawn_options(*plants, *quality));
    if *shown != options {
        lanternfell::headless::web_page::show_in_address(&options);
        *shown = options;
    }
}

/// The arguments that start the program with this terrain and time of day.
fn options(ground: &Ground, day: TimeOfDay) -> Vec<(&'static str, String)> {
    let mut options = ground_options(ground);
    // A link cannot keep the time of a running clock.
    if day.hour != TimeOfDay::default().hour && !day.is_running {
        options.push(("hour", day.hour.to_string()));
    }
    options
}

/// The argument for the weather, unless it is the default or no preset.
fn weather_option(weather: Weather) -> Option<(&'static str, String)> {
    let mut presets = Weather::PRESETS.into_iter();
    let (name, _) = presets.find(|(_, preset)| *preset == weather)?;
    (weather != Weather::default()).then(|| ("weather", name.to_owned()))
}

/// The arguments for plants and quality, unless they are the defaults.
fn drawn_options(plants: Plants, quality: Quality) -> Vec<(&'static str, String)> {
    let mut options = Vec::new();
    if !plants.shown {
        options.push(("no-plants", String::new()));
    }
    if let Some(level) = quality.chosen {
        options.push(("quality", level.name().to_owned()));
    }
    options
}

/// The arguments for the terrain. Empty for a file, which exists only on this machine.
fn ground_options(ground: &Ground) -> Vec<(&'static str, String)> {
    let mut options = match &ground.choice {
        Choice::Generator(name) => vec![("algorithm", (*name).to_owned())],
        Choice::Preset(name) => vec![("preset", (*name).to_owned())],
        Choice::File(_) => return Vec::new(),
    };
    let mut untuned = Ground::of(ground.choice.clone());
    if let (Some(cells), true) = (ground.cells(), ground.cells() != untuned.cells()) {
        untuned.resize(cells);
        options.push(("cells", cells.to_string()));
    }
    if let (Some(own), Some(seed)) = (ground.clone().seed_mut(), untuned.seed_mut())
        && own != seed
    {
        options.push(("seed", own.to_string()));
        *seed = *own;
    }
    if ground.land != untuned.land
        && let Ok(land) = ron::to_string(&ground.land)
    {
        options.truncate(1);
        options.push(("tuned", land));
    }
    if untuned.sea && !ground.sea {
        options.push(("dry", String::new()));
    }
    if untuned.rivers != ground.rivers {
        options.push(("rivers", ground.rivers.to_string()));
    }
    options
}

/// Parses the `--tuned` argument that [`ground_options`] writes.
pub fn tuned(text: &str) -> Result<Land, String> {
    let land: Land = ron::from_str(text).map_err(|error| error.to_string())?;
    let recipe: Option<Recipe> = match &land {
        Land::Island(design) => design.recipe(),
        Land::Recipe(recipe) => Some(recipe.clone()),
        Land::File(_) => None,
    };
    let recipe = recipe.ok_or("the number of cells is not a valid map size")?;
    recipe.validate().map_err(|error| error.to_string())?;
    let cells = longer_side(recipe.size);
    match cells <= MOST_CELLS {
        true => Ok(land),
        false => Err(format!(
            "{cells} cells per side, but a link allows at most {MOST_CELLS}"
        )),
    }
}

/// The largest map that a link may request, in cells per side. It limits the memory that opening a link can use.
const MOST_CELLS: u64 = 4096;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{args::IslandArgs, quality::Level};

    fn args_at(options: &[(&str, String)]) -> Result<IslandArgs, String> {
        let option = |(name, value): &(&str, String)| match value.is_empty() {
            true => format!("--{name}"),
            false => format!("--{name}={value}"),
        };
        let arguments = std::iter::once("island".to_owned()).chain(options.iter().map(option));
        IslandArgs::try_parse_from(arguments).map_err(|error| error.to_string())
    }

    fn ground_at(options: &[(&str, String)]) -> Result<Ground, String> {
        Ok(args_at(options)?.ground())
    }

    #[test]
    fn link_restores_terrain() {
        let of = Ground::of;
        let mut grounds = vec![of(Choice::Generator("fluid")), of(Choice::Preset("dunes"))];
        for mut ground in grounds.clone() {
            *ground.seed_mut().unwrap() = 77;
            ground.resize(256);
            grounds.push(ground.clone());
            ground.sea = !ground.sea;
            ground.rivers = !ground.rivers;
            grounds.push(ground.clone());
            match &mut ground.land {
                Land::Island(design) => design.flatten = 1.75,
                Land::Recipe(recipe) => recipe.sea_level = Some(0.125),
                Land::File(_) => unreachable!("no file was chosen"),
            }
            grounds.push(ground);
        }
        for ground in grounds {
            let options = ground_options(&ground);
            let again = ground_at(&options).unwrap();
            assert_eq!(again.land, ground.land, "{options:?}");
            assert_eq!(again.rivers, ground.rivers, "{options:?}");
            // A link cannot add a sea to a recipe without one.
            assert!(again.sea == ground.sea || ground.sea, "{options:?}");
        }
    }

    #[test]
    fn link_restores_plants_and_quality() {
        let levels = Level::ALL.map(Some).into_iter().chain([None]);
        for chosen in levels {
            for shown in [false, true] {
                let (plants, quality) = (Plants { shown }, Quality::new(chosen));
                let options = drawn_options(plants, quality);
                let again = args_at(&options).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!((again.plants(), again.quality()), (plants, quality));
            }
        }
        let usual = drawn_options(Plants { shown: true }, Quality::new(None));
        assert_eq!(usual, []);
    }

    #[test]
    fn link_restores_weather() {
        for (_, weather) in Weather::PRESETS {
            let options = Vec::from_iter(weather_option(weather));
            assert_eq!(args_at(&options).unwrap().weather(), weather);
        }
        assert_eq!(weather_option(Weather::default()), None);
    }

    #[test]
    fn untuned_terrain_has_short_link() {
        let mut ground = Ground::of(Choice::Preset("alpine"));
        *ground.seed_mut().unwrap() = 5;
        let day = TimeOfDay {
            hour: 6.5,
            ..default()
        };
        let expected = [
            ("preset", "alpine".to_owned()),
            ("seed", "5".to_owned()),
            ("hour", "6.5".to_owned()),
        ];
        assert_eq!(options(&ground, day), expected);
    }

    #[test]
    fn rejects_broken_links() {
        let mut huge = Recipe::preset("alpine").unwrap();
        huge.size = lanternfell::prelude::MapSize::new(8192, 8192).unwrap();
        let huge = ron::to_string(&Land::Recipe(huge)).unwrap();
        let mut wrong = Recipe::preset("alpine").unwrap();
        wrong.sea_level = Some(f32::NAN);
        let wrong = ron::to_string(&Land::Recipe(wrong)).unwrap();
        for (text, words) in [
            ("", "expected"),
            ("Island(())", "expected"),
            ("File(())", "File"),
            (&huge, "at most 4096"),
            (&wrong, "sea"),
        ] {
            let error = tuned(text).unwrap_err().to_lowercase();
            assert!(error.contains(&words.to_lowercase()), "{text}: {error}");
        }
    }
}
