//! Texts of settings and difficulties.

use std::path::Path;

use gutterlight_rules::Difficulty;

use super::wrap::{WIDE, wrapped};
use crate::{home::Trouble, play::menu::setting::Setting, settings::Settings};

pub const ON: &str = "on";
pub const OFF: &str = "off";
pub const CAPTIONS_ONLY: &str = "on (no sound)";
pub const TEST_CARD: &str = "the left patch should be black, and the next one barely visible";
#[cfg(not(target_arch = "wasm32"))]
pub const HOMELESS: &str = "The system has no folder for files: nothing will be saved.";
#[cfg(target_arch = "wasm32")]
pub const HOMELESS: &str = "The browser forbids storage: nothing will be saved.";

/// The message if another game that is running has the files.
pub const ELSEWHERE: &str =
    "The game is already open elsewhere. Games in this window will not be saved.";

/// The message for a continued game that cannot be saved.
pub fn not_saved(trouble: &Trouble) -> String {
    format!("You can keep playing, but this game will not be saved. {trouble}")
}

/// The name of a setting.
pub fn setting(setting: Setting) -> &'static str {
    match setting {
        Setting::Difficulty => "Difficulty",
        Setting::Brightness => "Brightness",
        Setting::TextSize => "Text size",
        Setting::FullScreen => "Full screen (F11)",
        Setting::Flicker => "Flickering flames",
        Setting::Shake => "Screen shake",
        Setting::Captions => "Captions for sounds",
        Setting::Colorblind => "Color-blind palette",
        Setting::Volume => "Volume",
        Setting::Effects => "Volume: effects",
        Setting::Ambience => "Volume: ambience",
        Setting::Opening => "Start with the opening",
    }
}

/// The value of a setting.
pub fn set_to(setting: Setting, settings: &Settings) -> String {
    let switch = |on: bool| if on { ON } else { OFF }.to_owned();
    match setting {
        Setting::Difficulty => settings.difficulty.name().to_owned(),
        Setting::Brightness => format!("{:+}", settings.brightness),
        Setting::TextSize => format!("{}%", settings.text_size),
        Setting::FullScreen => switch(settings.full_screen),
        Setting::Flicker => switch(settings.flicker),
        Setting::Shake => switch(settings.shake),
        Setting::Captions => switch(settings.captions),
        Setting::Colorblind => switch(settings.colorblind),
        Setting::Volume => format!("{}%", settings.volume),
        Setting::Effects => format!("{}%", settings.effects),
        Setting::Ambience => format!("{}%", settings.ambience),
        Setting::Opening => switch(settings.opening),
    }
}

/// A short description of a difficulty.
pub fn difficulty(difficulty: Difficulty) -> &'static str {
    match difficulty {
        Difficulty::Apprentice => "guards see and hear less, and torches last longer",
        Difficulty::Thief => "the game as it is meant to be",
        Difficulty::Ghost => "guards see and hear more, and torches are shorter",
    }
}

/// The paths of the settings and of the finished games.
pub fn lies(settings: &Path, morgue: &Path) -> Vec<String> {
    let settings = format!("Settings: {}", settings.display());
    let morgue = format!("Finished games: {}", morgue.display());
    [settings, morgue]
        .iter()
        .flat_map(|line| wrapped(line, WIDE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_visible() {
        let before = Settings::default();
        for setting in Setting::ALL.into_iter().chain([Setting::Difficulty]) {
            let mut settings = before.clone();
            setting.change(&mut settings, false);
            let shown = set_to(setting, &settings);
            assert_ne!(shown, set_to(setting, &before), "{setting:?}");
        }
    }
}
