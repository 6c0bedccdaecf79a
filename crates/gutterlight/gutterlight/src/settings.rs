//! The player's settings: display, sound and controls.
//!
//! Every field has a default, so a file only needs the fields that differ. Key bindings are stored as names of controls
//! and keys, because this module does not depend on Bevy's input types.

use std::collections::BTreeMap;

use gutterlight_rules::{Difficulty, Heat};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use gutterlight_assets::sound::Volumes;

/// The allowed text sizes, in percent.
pub const TEXT_SIZES: [u16; 4] = [100, 125, 150, 200];

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Brightness of dark areas, from -5 to 5. Default: 0. Unlit creatures and things stay invisible at any value.
    pub brightness: i8,
    /// Size of text and panel in percent: 100 (default), 125, 150 or 200.
    pub text_size: u16,
    /// Whether the game runs in full screen. Default: `false`.
    pub full_screen: bool,
    /// Whether flames flicker. Default: `true`.
    pub flicker: bool,
    /// Whether the screen shakes on a hit. Default: `true`.
    pub shake: bool,
    /// Whether sounds are captioned. Default: `true`.
    pub captions: bool,
    /// Whether to use colors that are safe for color-blind players. Default: `false`.
    pub colorblind: bool,
    /// Master volume in percent. Default: 80.
    pub volume: u8,
    /// Volume of effects (single sounds) in percent. Default: 100.
    pub effects: u8,
    /// Volume of ambience (loops) in percent. Default: 80.
    pub ambience: u8,
    /// Difficulty of new games. Default: thief.
    pub difficulty: Difficulty,
    /// Burdens of new games, available after the first win. Default: none.
    pub heat: Heat,
    /// Whether new games start with the opening and its lessons. Becomes `false` once the lessons are finished or skipped.
    pub opening: bool,
    /// Key bindings that differ from the defaults, by the name of the control. Keys have the names of a US keyboard.
    pub keys: BTreeMap<String, Vec<String>>,
    /// What keys type that differ from a US keyboard, by their name there. Learned when a key is pressed.
    pub caps: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            brightness: 0,
            text_size: 100,
            full_screen: false,
            flicker: true,
            shake: true,
            captions: true,
            colorblind: false,
            volume: 80,
            effects: 100,
            ambience: 80,
            difficulty: Difficulty::default(),
            heat: Heat::NONE,
            opening: true,
            keys: BTreeMap::new(),
            caps: BTreeMap::new(),
        }
    }
}

/// A setting that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("settings: {name} is {value}, but must be {allowed}")]
pub struct SettingsError {
    /// The name of the setting.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The allowed values.
    pub allowed: &'static str,
}

fn check(
    name: &'static str,
    value: impl Into<i32>,
    fits: bool,
    allowed: &'static str,
) -> Result<(), SettingsError> {
    let value = value.into();
    fits.then_some(()).ok_or(SettingsError {
        name,
        value,
        allowed,
    })
}

impl Settings {
    /// Checks that every number is in range. Names of controls and keys are checked by the input module.
    ///
    /// # Errors
    /// Returns the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let (brightness, text_size) = (self.brightness, self.text_size);
        let dark_to_bright = (-5..=5).contains(&brightness);
        check("brightness", brightness, dark_to_bright, "from -5 to 5")?;
        let known_size = TEXT_SIZES.contains(&text_size);
        check("text_size", text_size, known_size, "100, 125, 150 or 200")?;
        for (name, percent) in [
            ("volume", self.volume),
            ("effects", self.effects),
            ("ambience", self.ambience),
        ] {
            check(name, percent, percent <= 100, "from 0 to 100")?;
        }
        Ok(())
    }

    /// The volumes for the mixer, from 0 to 1.
    pub fn volumes(&self) -> Volumes {
        let part = |percent: u8| f32::from(percent.min(100)) / 100.0;
        Volumes {
            master: part(self.volume),
            effects: part(self.effects),
            ambience: part(self.ambience),
        }
    }
}
