//! The weather that is wanted, and the weather that is: the one goes over into the other.

use bevy::{math::ops, prelude::*};

/// The weather that the app wants. What is seen follows it ([`CurrentWeather`]).
///
/// ```
/// # use lanternfell_sky::Weather;
/// let drizzle = Weather { rain: 0.3, ..Weather::OVERCAST };
/// assert_eq!(Weather::named("storm"), Some(Weather::STORM));
/// ```
///
/// What can not be (a cover of 7, not a number) counts as the nearest that can.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct Weather {
    /// How much of the sky is behind clouds, from 0 to 1; 0.35 by default.
    pub cover: f32,
    /// From 0 to 1, a cloudburst; 0 by default.
    pub rain: f32,
    /// From 0, as far as one ever sees, to 1, some tens of metres; 0 by default.
    pub fog: f32,
    /// Where the wind blows to and how fast: x to the east, y to the south, in metres per second, up to 60. (4, 3) by
    /// default.
    pub wind: Vec2,
    /// Seconds after which a change of weather is over but for a twentieth, from 0 (at once) to 3600; 20 by default.
    pub transition: f32,
}

impl Default for Weather {
    /// [`Weather::FAIR`].
    fn default() -> Self {
        Self::FAIR
    }
}

impl Weather {
    /// Hardly a cloud.
    pub const CLEAR: Self = Self::of(0.06, 0.0, 0.0, Vec2::new(2.4, 1.8));
    /// Clouds with blue between them.
    pub const FAIR: Self = Self::of(0.35, 0.0, 0.0, Vec2::new(4.0, 3.0));
    /// One gray cloud.
    pub const OVERCAST: Self = Self::of(0.92, 0.0, 0.12, Vec2::new(5.6, 4.2));
    /// Fog on the ground, and a pale sky above.
    pub const MIST: Self = Self::of(0.45, 0.0, 0.72, Vec2::new(0.8, 0.6));
    /// A rainy day.
    pub const RAIN: Self = Self::of(0.97, 0.55, 0.35, Vec2::new(6.4, 4.8));
    /// Rain that is driven by the wind.
    pub const STORM: Self = Self::of(1.0, 1.0, 0.5, Vec2::new(14.4, 10.8));

    /// The presets by name.
    pub const PRESETS: [(&'static str, Self); 6] = [
        ("clear", Self::CLEAR),
        ("fair", Self::FAIR),
        ("overcast", Self::OVERCAST),
        ("mist", Self::MIST),
        ("rain", Self::RAIN),
        ("storm", Self::STORM),
    ];

    const fn of(cover: f32, rain: f32, fog: f32, wind: Vec2) -> Self {
        Self {
            cover,
            rain,
            fog,
            wind,
            transition: 20.0,
        }
    }

    /// The preset of that name.
    pub fn named(name: &str) -> Option<Self> {
        let mut presets = Self::PRESETS.into_iter();
        presets.find_map(|(of, weather)| (of == name).then_some(weather))
    }

    /// The same with all fields as they can be.
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
            cover: share(self.cover),
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

    /// So many seconds nearer to another weather. It is nearly there after that one's transition, whatever the steps.
    fn towards(self, wanted: Self, seconds: f32) -> Self {
        let wanted = wanted.checked();
        // Three times the time constant leave a twentieth.
        let share = 1.0 - ops::exp(-3.0 * seconds.max(0.0) / wanted.transition.max(1e-3));
        let mix = |from: f32, to: f32| {
            let mixed = from + (to - from) * share;
            if (mixed - to).abs() < 1e-4 { to } else { mixed }
        };
        Self {
            cover: mix(self.cover, wanted.cover),
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

/// The weather that is seen at the moment. Where there was none yet, it is what is wanted at once; an app may set it to
/// leap.
#[derive(Resource, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct CurrentWeather(pub Option<Weather>);

impl CurrentWeather {
    /// As it is; the default before the first frame.
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
    fn weather_goes_over_smoothly_and_arrives() {
        let mut now = Weather::CLEAR;
        let mut seconds = 0.0;
        while now != Weather::STORM {
            let next = now.towards(Weather::STORM, 0.1);
            assert!(next.cover > now.cover || next.cover == Weather::STORM.cover);
            assert!(next.cover - now.cover < 0.02 && next.rain - now.rain < 0.02);
            now = next;
            seconds += 0.1;
            assert!(seconds < 120.0);
        }
        let nearly = Weather::CLEAR.towards(Weather::STORM, Weather::STORM.transition);
        assert!((0.94..0.96).contains(&nearly.rain), "{nearly:?}");
    }

    #[test]
    fn the_way_does_not_depend_on_frames() {
        let once = Weather::CLEAR.towards(Weather::RAIN, 4.0);
        let often = (0..400).fold(Weather::CLEAR, |now, _| now.towards(Weather::RAIN, 0.01));
        assert!((once.cover - often.cover).abs() < 1e-3);
        let at_once = Weather {
            transition: 0.0,
            ..Weather::RAIN
        };
        assert_eq!(Weather::CLEAR.towards(at_once, 0.016).rain, at_once.rain);
    }

    #[test]
    fn what_can_not_be_counts_as_what_can() {
        let bad = Weather {
            cover: 7.0,
            rain: f32::NAN,
            fog: -3.0,
            wind: Vec2::new(f32::INFINITY, 0.0),
            transition: f32::NAN,
        };
        let fine = bad.checked();
        assert_eq!((fine.cover, fine.rain, fine.fog), (1.0, 0.0, 0.0));
        assert_eq!((fine.wind, fine.transition), (Vec2::ZERO, 0.0));
        let now = Weather::CLEAR.towards(bad, f32::NAN);
        assert_eq!(now.checked(), now);
        for (name, preset) in Weather::PRESETS {
            assert_eq!(preset.checked(), preset, "{name}");
            assert_eq!(Weather::named(name), Some(preset));
        }
    }
}
