//! What a player has set: how the game looks, sounds and is steered.
//!
//! Every field has a default, so a file need hold only what was changed. Keys are stored by name (the control's and the key's), since
//! nothing here knows a keyboard.

use std::collections::BTreeMap;

use gutterlight_rules::{Difficulty, Heat};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use gutterlight_assets::sound::Volumes;

/// How large words can be, in percent.
pub const TEXT_SIZES: [u16; 4] = [100, 125, 150, 200];

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How bright the dark is shown, from -5 to 5; 0 by default. What is not lit is not drawn,
    /// whatever this says.
    pub brightness: i8,
    /// How large words and the panel are, in percent: 100 (the default), 125, 150 or 200.
    pub text_size: u16,
    /// Whether the game fills the screen; off by default.
    pub full_screen: bool,
    /// Whether flames flicker; on by default.
    pub flicker: bool,
    /// Whether the picture shakes at a blow; on by default.
    pub shake: bool,
    /// Whether sounds are told in words, too; on by default.
    pub captions: bool,
    /// Colors that differ for color-blind eyes, too; off by default.
    pub colorblind: bool,
    /// Volumes in percent: of everything, of what happens, of what goes on; 80, 100 and 80.
    pub volume: u8,
    /// See [`volume`](Self::volume).
    pub effects: u8,
    /// See [`volume`](Self::volume).
    pub ambience: u8,
    /// How hard a new game is; thief by default.
    pub difficulty: Difficulty,
    /// The burdens that a new game is played with, by whoever has won one; none by default.
    pub heat: Heat,
    /// Whether the next new game begins with the opening and its lessons: until it was played.
    pub opening: bool,
    /// The keys of each control that has other keys than the usual ones, by their names.
    pub keys: BTreeMap<String, Vec<String>>,
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
        }
    }
}

/// What is wrong with settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("settings: {name} is {value}, but must be {allowed}")]
pub struct SettingsError {
    /// Which of them.
    pub name: &'static str,
    /// What it is.
    pub value: i32,
    /// What it may be.
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
    /// Checks that every number is one that can be set. Whether there are such controls and keys
    /// is for the keyboard to say.
    ///
    /// # Errors
    /// If one is not: which.
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

    /// The volumes as the mixer wants them.
    pub fn volumes(&self) -> Volumes {
        let part = |percent: u8| f32::from(percent.min(100)) / 100.0;
        Volumes {
            master: part(self.volume),
            effects: part(self.effects),
            ambience: part(self.ambience),
        }
    }
}
