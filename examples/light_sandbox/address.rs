//! Keeps the page's URL up to date in a browser, so that it links to the current drawing and settings.
//!
//! The query of the URL holds command line arguments (see `args`), and this module writes them. An unchanged preset is
//! written by name, and an edited drawing as a PNG in base64.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bevy::{prelude::*, time::common_conditions::on_timer};
use lanternfell::prelude::*;

use crate::{
    board::Rules,
    brush::Begun,
    drawing::{Drawing, Walls},
    files,
};

/// The URL changes at most this often. Browsers block pages that change it too often, as a brush would.
const PAUSE: Duration = Duration::from_millis(500);

pub fn plugin(app: &mut App) {
    if lanternfell::headless::web_page::is_there() {
        app.add_systems(Update, show.run_if(on_timer(PAUSE)));
    }
}

fn show(
    drawing: Res<Drawing>,
    begun: Res<Begun>,
    rules: Res<Rules>,
    walls: Res<Walls>,
    mut stale: Local<bool>,
) {
    *stale |=
        drawing.is_changed() || begun.is_changed() || rules.is_changed() || walls.is_changed();
    if std::mem::take(&mut *stale) {
        let mut options = drawing_options(&drawing, *begun);
        options.extend(rule_options(&rules, *walls));
        lanternfell::headless::web_page::show_in_address(&options);
    }
}

/// Maximum length of an encoded drawing, in bytes. Some programs cut longer links.
const LONGEST: usize = 16 << 10;

fn drawing_options(drawing: &Drawing, begun: Begun) -> Vec<(&'static str, String)> {
    let mut options = vec![("preset", begun.preset.name().to_owned())];
    if begun.seed != Begun::default().seed {
        options.push(("seed", begun.seed.to_string()));
    }
    if *drawing != begun.preset.draw(begun.seed)
        && let Ok(picture) = files::to_png(drawing)
    {
        let text = BASE64_URL_SAFE_NO_PAD.encode(picture);
        match text.len() <= LONGEST {
            true => options = vec![("drawing", text)],
            false => options.clear(),
        }
    }
    options
}

fn rule_options(rules: &Rules, walls: Walls) -> Vec<(&'static str, String)> {
    let usual = Rules::default();
    let settings = &rules.settings;
    let mut options = Vec::new();
    if rules.radius() != usual.radius() {
        options.push(("radius", rules.radius().to_string()));
    }
    if settings.neighborhood != usual.settings.neighborhood {
        let name = match settings.neighborhood {
            Neighborhood::Four => "four",
            Neighborhood::Eight => "eight",
            Neighborhood::Isotropic => "isotropic",
            // The sandbox has square cells, so the user cannot choose it.
            Neighborhood::Hexagonal => "hexagonal",
        };
        options.push(("neighbors", name.to_owned()));
    }
    if settings.direct != usual.settings.direct {
        options.push(("direct", settings.direct.to_string()));
    }
    if !rules.fine {
        options.push(("coarse", String::new()));
    }
    if walls != Walls::default() {
        options.push(("walls", walls.albedo.to_string()));
    }
    if rules.flow == LightFlow::SETTLED {
        options.push(("settled", String::new()));
    }
    options
}

/// Decodes the `--drawing` argument.
pub fn drawing(text: &str) -> Result<Drawing, String> {
    let picture = BASE64_URL_SAFE_NO_PAD.decode(text);
    files::from_png(&picture.map_err(|error| error.to_string())?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{args::SandboxArgs, drawing::Hue, files::tests::content, presets::Preset};

    fn args_at(options: Vec<(&str, String)>) -> Result<SandboxArgs, String> {
        let option = |(name, value): (&str, String)| match value.is_empty() {
            true => format!("--{name}"),
            false => format!("--{name}={value}"),
        };
        let arguments = std::iter::once("app".to_owned()).chain(options.into_iter().map(option));
        SandboxArgs::try_parse_from(arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn link_restores_drawing() {
        for preset in Preset::ALL {
            let begun = Begun { preset, seed: 5 };
            let mut drawn = preset.draw(5);
            for kind in ["preset", "drawing"] {
                let options = drawing_options(&drawn, begun);
                assert_eq!(options[0].0, kind);
                let again = args_at(options).unwrap().drawing();
                assert!(content(&again) == content(&drawn), "{kind}");
                drawn.hang_lamp(IVec2::new(7, 3), Hue::Violet);
            }
        }
    }

    #[test]
    fn link_restores_light_settings() {
        assert!(rule_options(&Rules::default(), Walls::default()).is_empty());
        let mut rules = Rules::default();
        rules.set_radius(21.5);
        rules.settings.neighborhood = Neighborhood::Four;
        rules.settings.direct = 0.25;
        rules.flow = LightFlow::SETTLED;
        rules.fine = false;
        let walls = Walls { albedo: 0.5 };
        let args = args_at(rule_options(&rules, walls)).unwrap();
        let again = args.rules();
        assert_eq!(again.settings, rules.settings);
        assert_eq!((again.flow, again.fine), (rules.flow, rules.fine));
        assert_eq!(args.walls(), walls);
    }

    #[test]
    fn rejects_broken_links() {
        for text in ["", "%", "AAAA", "iVBORw0KGgo"] {
            assert!(drawing(text).is_err(), "{text}");
        }
    }
}
