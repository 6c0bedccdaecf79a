//! The settings on the menu pages.

use gutterlight_rules::Difficulty;

use crate::settings::{Settings, TEXT_SIZES};

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    Difficulty,
    Brightness,
    TextSize,
    FullScreen,
    Flicker,
    Shake,
    Captions,
    Colorblind,
    Volume,
    Effects,
    Ambience,
    Opening,
}

/// The step of volumes, in percent.
const VOLUME: i32 = 10;

impl Setting {
    /// The settings on the settings page. Difficulty is on the page for new games instead.
    pub const ALL: [Self; 11] = [
        Self::Brightness,
        Self::TextSize,
        Self::FullScreen,
        Self::Flicker,
        Self::Shake,
        Self::Captions,
        Self::Colorblind,
        Self::Volume,
        Self::Effects,
        Self::Ambience,
        Self::Opening,
    ];

    /// Sets the next or previous value. Ranges stop at their ends, and lists wrap around.
    pub fn change(self, settings: &mut Settings, up: bool) {
        let percent = |volume: &mut u8| {
            let step = if up { VOLUME } else { -VOLUME };
            *volume = (i32::from(*volume) + step).clamp(0, 100) as u8;
        };
        match self {
            Self::Difficulty => {
                settings.difficulty = next(&Difficulty::ALL, settings.difficulty, up);
            }
            Self::Brightness => {
                let step = if up { 1 } else { -1 };
                settings.brightness = (settings.brightness + step).clamp(-5, 5);
            }
            Self::TextSize => settings.text_size = next(&TEXT_SIZES, settings.text_size, up),
            Self::FullScreen => settings.full_screen = !settings.full_screen,
            Self::Flicker => settings.flicker = !settings.flicker,
            Self::Shake => settings.shake = !settings.shake,
            Self::Captions => settings.captions = !settings.captions,
            Self::Colorblind => settings.colorblind = !settings.colorblind,
            Self::Volume => percent(&mut settings.volume),
            Self::Effects => percent(&mut settings.effects),
            Self::Ambience => percent(&mut settings.ambience),
            Self::Opening => settings.opening = !settings.opening,
        }
    }
}

/// The next or previous value of a list, wrapping around.
fn next<T: Copy + PartialEq>(all: &[T], now: T, up: bool) -> T {
    let place = all.iter().position(|other| *other == now).unwrap_or(0);
    let step = if up { 1 } else { all.len() - 1 };
    all[(place + step) % all.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_can_be_reverted() {
        let before = Settings::default();
        for setting in Setting::ALL.into_iter().chain([Setting::Difficulty]) {
            let mut settings = before.clone();
            setting.change(&mut settings, false);
            assert_ne!(settings, before, "{setting:?}");
            setting.change(&mut settings, true);
            assert_eq!(settings, before, "{setting:?}");
        }
    }

    #[test]
    fn changes_stay_in_range() {
        for setting in Setting::ALL {
            for up in [true, false] {
                let mut settings = Settings::default();
                for _ in 0..20 {
                    setting.change(&mut settings, up);
                    settings.validate().expect("in range");
                }
            }
        }
    }
}
