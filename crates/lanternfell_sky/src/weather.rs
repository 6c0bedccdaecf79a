//! The target weather and the current weather, which blends toward it.

use bevy::{math::ops, prelude::*};

/// The target weather, which the app sets. [`CurrentWeather`] blends toward it.
///
/// ```
/// # use lanternfell_sky::Weather;
/// let drizzle = Weather { rain: 0.3, ..Weather::OVERCAST };
/// assert_eq!(Weather::named("storm"), Some(Weather::STORM));
/// ```
///
/// Values out of range are clamped. NaN becomes 0, and a wind that is not finite becomes no wind.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Weather {
    /// Fraction of the sky behind clouds, from 0 to 1. Default: 0.35.
    pub cloud_cover: f32,
    /// Rain, from 0 (none) to 1 (cloudburst). Default: 0.
    pub rain: f32,
    /// Fog, from 0 (clear air) to 1 (about 90 m visibility at ground level). Default: 0.
    pub fog: f32,
    /// Velocity of the wind in m/s, in the direction to which it blows: x east, y south. Clamped to 60 m/s. Default:
    /// (4, 3).
    pub wind: Vec2,
    /// Seconds after which 95 % of a weather change is done, from 0 (immediate) to 3600. Default: 20.
    pub transition: f32,
}

impl Default for Weather {
    /// Returns [`Weather::FAIR`].
    fn default() -> Self {
        Self::FAIR
    }
}

impl Weather {
    /// Almost no clouds.
    pub const CLEAR: Self = Self::of(0.06, 0.0, 0.0, Vec2::new(2.4, 1.8));
    /// Clouds with blue sky between them.
    pub const FAIR: Self = Self::of(0.35, 0.0, 0.0, Vec2::new(4.0, 3.0));
    /// Closed gray cloud cover, a little fog.
    pub const OVERCAST: Self = Self::of(0.92, 0.0, 0.12, Vec2::new(5.6, 4.2));
    /// Dense ground fog under a pale sky.
    pub const MIST: Self = Self::of(0.45, 0.0, 0.72, Vec2::new(0.8, 0.6));
    /// Steady rain.
    pub const RAIN: Self = Self::of(0.97, 0.55, 0.35, Vec2::new(6.4, 4.8));
    /// Heavy rain and strong wind.
    pub const STORM: Self = Self::of(1.0, 1.0, 0.5, Vec2::new(14.4, 10.8));

    /// All presets with their names.
    pub const PRESETS: [(&'static str, Self); 6] = [
        ("clear", Self::CLEAR),
        ("fair", Self::FAIR),
        ("overcast", Self::OVERCAST),
        ("mist", Self::MIST),
        ("rain", Self::RAIN),
        ("storm", Self::STORM),
    ];

    const fn of(cloud_cover: f32, rain: f32, fog: f32, wind: Vec2) -> Self {
        Self {
            cloud_cover,
            rain,
            fog,
            wind,
            transition: 20.0,
        }
    }

    /// Returns the preset called `name`, or `None`.
    pub fn named(name: &str) -> Option<Self> {
        let mut presets = Self::PRESETS.into_iter();
        presets.find_map(|(of, weather)| (of == name).then_some(weather))
    }

    /// Returns the weather with each field in its valid range.
    pub(crate) fn checked(self) -> Self {
        let share = |value: f32| {
            if value.is_nan() {
                0.0
            } else {
                value.clamp(0.0, 1.0)
            }
        };
        let wind = if self.wind.is_finite() {
            self.wind.clamp_length_max(60.0)
        } else {
            Vec2::ZERO
        };
        Self {
            cloud_cover: share(self.cloud_cover),
            rain: share(self.rain),
            fog: share(self.fog),
            wind,
            transition: if self.transition.is_nan() {
                0.0
            } else {
                self.transition.clamp(0.0, 3600.0)
            },
        }
    }

    /// Returns this weather, blended toward `wanted` for `seconds`. The result does not depend on how the time is split
    /// into steps.
    fn towards(self, wanted: Self, seconds: f32) -> Self {
        let wanted = wanted.checked();
        // After three time constants, 5 % of the difference is left.
        let share = 1.0 - ops::exp(-3.0 * seconds.max(0.0) / wanted.transition.max(1e-3));
        let mix = |from: f32, to: f32| {
            let mixed = from + (to - from) * share;
            if (mixed - to).abs() < 1e-4 { to } else { mixed }
        };
        Self {
            cloud_cover: mix(self.cloud_cover, wanted.cloud_cover),
            rain: mix(self.rain, wanted.rain),
            fog: mix(self.fog, wanted.fog),
            wind: Vec2::new(
                mix(self.wind.x, wanted.wind.x),
                mix(self.wind.y, wanted.wind.y),
            ),
            transition: wanted.transition,
        }
    }
}

/// The weather at this moment.
///
/// It is `None` until the first frame and then equals [`Weather`]. After later changes of [`Weather`], it blends toward
/// the new value. To change the weather without a blend, set both resources.
#[derive(Resource, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct CurrentWeather(pub Option<Weather>);

impl CurrentWeather {
    /// Returns the current weather, or the default before the first frame.
    pub fn get(&self) -> Weather {
        self.0.unwrap_or_default().checked()
    }
}

pub(crate) fn change_weather(
    time: Res<Time>,
    wanted: Res<Weather>,
    mut current: ResMut<CurrentWeather>,
) {
    let next = match current.0 {
        Some(now) => now.checked().towards(*wanted, time.delta_secs()),
        None => wanted.checked(),
    };
    current.set_if_neq(CurrentWeather(Some(next)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_smoothly_and_arrives() {
        let mut now = Weather::CLEAR;
        let mut seconds = 0.0;
        while now != Weather::STORM {
            let next = now.towards(Weather::STORM, 0.1);
            assert!(
                next.cloud_cover > now.cloud_cover
                    || next.cloud_cover == Weather::STORM.cloud_cover
            );
            assert!(next.cloud_cover - now.cloud_cover < 0.02 && next.rain - now.rain < 0.02);
            now = next;
            seconds += 0.1;
            assert!(seconds < 120.0);
        }
        let nearly = Weather::CLEAR.towards(Weather::STORM, Weather::STORM.transition);
        assert!((0.94..0.96).contains(&nearly.rain), "{nearly:?}");
    }

    #[test]
    fn blend_does_not_depend_on_frame_rate() {
        let once = Weather::CLEAR.towards(Weather::RAIN, 4.0);
        let often = (0..400).fold(Weather::CLEAR, |now, _| now.towards(Weather::RAIN, 0.01));
        assert!((once.cloud_cover - often.cloud_cover).abs() < 1e-3);
        let at_once = Weather {
            transition: 0.0,
            ..Weather::RAIN
        };
        assert_eq!(Weather::CLEAR.towards(at_once, 0.016).rain, at_once.rain);
    }

    #[test]
    fn clamps_bad_values() {
        let bad = Weather {
            cloud_cover: 7.0,
            rain: f32::NAN,
            fog: -3.0,
            wind: Vec2::new(f32::INFINITY, 0.0),
            transition: f32::NAN,
        };
        let fine = bad.checked();
        assert_eq!((fine.cloud_cover, fine.rain, fine.fog), (1.0, 0.0, 0.0));
        assert_eq!((fine.wind, fine.transition), (Vec2::ZERO, 0.0));
        let now = Weather::CLEAR.towards(bad, f32::NAN);
        assert_eq!(now.checked(), now);
        for (name, preset) in Weather::PRESETS {
            assert_eq!(preset.checked(), preset, "{name}");
            assert_eq!(Weather::named(name), Some(preset));
        }
    }
}
