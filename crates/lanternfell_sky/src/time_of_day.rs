//! Time of day, and the positions of sun, moon and stars.
//!
//! The celestial sphere rotates about the pole, whose elevation in the north equals the latitude. On the sphere, the
//! sun moves along the ecliptic once a year. The moon moves along it once in 29.5 days relative to the sun, which also
//! gives its phase. So each body needs one longitude, and the sphere needs one rotation (Meeus, "Astronomical
//! Algorithms", 1998, chapters 13 and 25, with a circular orbit and without the 5 degree tilt of the moon's orbit).
//!
//! ```text
//!            pole         declination  sin d = sin(23.44°) sin(longitude)
//!           /             hour angle   h = rotation of the sphere - right ascension
//!   north _/__ latitude
//! ```

use core::f32::consts::{PI, TAU};

use bevy::{math::ops, prelude::*};

/// Hour, day of the year and latitude, and whether time advances.
///
/// Hours are local solar time: the sun is highest at 12. Values out of range are clamped. Values that are not finite
/// become the default, or 0 for [`pace`](Self::pace).
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TimeOfDay {
    /// Hour, from 0 to 24. Other values wrap around. Default: 9.5.
    pub hour: f32,
    /// Days since the start of the year, from 0 to 36,525. Default: 79, the March equinox, shortly before a full moon.
    pub day: f32,
    /// Latitude in degrees north, from -90 to 90. Default: 35.
    pub latitude: f32,
    /// Whether the plugin advances [`hour`](Self::hour), and after each midnight [`day`](Self::day). Default: `false`.
    pub is_running: bool,
    /// Hours per second, from -24 to 24. Default: 0.125, a day in 192 seconds. Real time is 1 / 3600.
    pub pace: f32,
}

impl Default for TimeOfDay {
    fn default() -> Self {
        Self {
            hour: 9.5,
            day: EQUINOX,
            latitude: 35.0,
            is_running: false,
            pace: 0.125,
        }
    }
}

/// The day of the March equinox, at noon.
const EQUINOX: f32 = 79.0;

/// Days per year.
const YEAR: f32 = 365.2422;

/// Days from new moon to new moon (synodic month).
const MONTH: f32 = 29.530_59;

/// Fraction of the month that has passed at noon of [`EQUINOX`]: just before the full moon.
const FIRST_AGE: f32 = 0.47;

/// Tilt of the earth's axis, in degrees.
const TILT: f32 = 23.44;

/// The largest day: a century.
const LAST_DAY: f32 = 36_525.0;

impl TimeOfDay {
    /// Returns the time with each field in its valid range.
    pub(crate) fn checked(self) -> Self {
        let usual = Self::default();
        let finite = |value: f32, usual: f32| if value.is_finite() { value } else { usual };
        Self {
            hour: finite(self.hour, usual.hour).rem_euclid(24.0),
            day: finite(self.day, usual.day).clamp(0.0, LAST_DAY),
            latitude: finite(self.latitude, usual.latitude).clamp(-90.0, 90.0),
            is_running: self.is_running,
            pace: finite(self.pace, 0.0).clamp(-24.0, 24.0),
        }
    }

    /// Returns the time `hours` later.
    fn after(self, hours: f32) -> Self {
        let now = self.checked();
        let hour = now.hour + hours;
        // With a negative pace this is the day before.
        let mut days = (hour / 24.0).floor();
        let mut wrapped = hour.rem_euclid(24.0);
        if wrapped >= 24.0 {
            // Rounded up from slightly less than 0.
            days += 1.0;
            wrapped = 0.0;
        }
        Self {
            day: now.day + days,
            hour: wrapped,
            ..now
        }
        .checked()
    }
}

/// Positions of sun, moon and stars: unit vectors in world space, +x east, +y up, +z south.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct Ephemeris {
    /// Direction to the sun.
    pub to_sun: Vec3,
    /// Direction to the moon.
    pub to_moon: Vec3,
    /// Lit fraction of the moon's disc, from 0 to 1.
    pub moon_lit: f32,
    /// Rotation from the frame of the stars (z is the celestial north pole) to the world.
    pub world_from_stars: Mat3,
}

impl Default for Ephemeris {
    /// Returns the positions at the default [`TimeOfDay`].
    fn default() -> Self {
        Self::at(&TimeOfDay::default())
    }
}

impl Ephemeris {
    /// Computes the positions at `time`.
    ///
    /// ```
    /// # use lanternfell_sky::{Ephemeris, TimeOfDay};
    /// let noon = TimeOfDay { hour: 12.0, latitude: 40.0, ..Default::default() };
    /// let elevation = Ephemeris::at(&noon).to_sun.y.asin().to_degrees();
    /// assert!((elevation - 50.0).abs() < 0.1);
    /// ```
    pub fn at(time: &TimeOfDay) -> Self {
        let time = time.checked();
        // Days since noon of the equinox, when the sun's longitude is 0.
        let days = time.day - EQUINOX + (time.hour - 12.0) / 24.0;
        let sun_longitude = TAU * (days / YEAR).rem_euclid(1.0);
        let age = (days / MONTH + FIRST_AGE).rem_euclid(1.0);
        let sun = on_ecliptic(sun_longitude);
        let moon = on_ecliptic(sun_longitude + TAU * age);
        // Rotate the sphere so that the sun is at its hour angle.
        let hour_angle = PI * (time.hour - 12.0) / 12.0;
        let turn = hour_angle + ops::atan2(sun.y, sun.x);
        let world_from_stars = world_from_stars(turn, time.latitude.to_radians());
        Self {
            to_sun: (world_from_stars * sun).normalize(),
            to_moon: (world_from_stars * moon).normalize(),
            moon_lit: 0.5 - 0.5 * ops::cos(TAU * age),
            world_from_stars,
        }
    }

    /// The axis of rotation of the celestial sphere.
    pub(crate) fn pole(&self) -> Vec3 {
        self.world_from_stars.z_axis
    }
}

/// A point on the ecliptic in the frame of the stars: x toward the March equinox, z toward the pole.
fn on_ecliptic(longitude: f32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(longitude);
    let (tilt_sin, tilt_cos) = ops::sin_cos(TILT.to_radians());
    Vec3::new(cos, sin * tilt_cos, sin * tilt_sin)
}

/// `turn` is the right ascension that crosses the meridian.
fn world_from_stars(turn: f32, latitude: f32) -> Mat3 {
    // Axes of the equatorial frame: meridian, west and pole.
    let (sin, cos) = ops::sin_cos(turn);
    let (lat_sin, lat_cos) = ops::sin_cos(latitude);
    // The point (x, y, z) has the meridian coordinate x cos + y sin and the west coordinate x sin - y cos.
    let column = |meridian: f32, west: f32, pole: f32| {
        Vec3::new(
            -west,
            lat_cos * meridian + lat_sin * pole,
            lat_sin * meridian - lat_cos * pole,
        )
    };
    Mat3::from_cols(
        column(cos, sin, 0.0),
        column(sin, -cos, 0.0),
        column(0.0, 0.0, 1.0),
    )
}

/// Hours that have passed but are not in [`TimeOfDay::hour`] yet. An `f32` near 24 changes in steps of 7 ms of real time,
/// which is longer than a frame: without this the time would stand still.
#[derive(Default)]
pub(crate) struct Owed(f64);

impl Owed {
    /// Returns the time after `seconds`, and keeps the part that is lost to rounding.
    fn advance(&mut self, day: TimeOfDay, seconds: f64) -> TimeOfDay {
        let day = day.checked();
        self.0 += f64::from(day.pace) * seconds;
        // Rounding may have advanced the time too far. Then it waits.
        if self.0 * f64::from(day.pace) <= 0.0 {
            return day;
        }
        let next = day.after(self.0 as f32);
        // The hour wraps around at midnight.
        let passed = f64::from(next.hour) - f64::from(day.hour);
        let passed = passed - 24.0 * ((passed - self.0) / 24.0).round();
        self.0 -= passed;
        next
    }
}

/// Advances the time, and updates [`Ephemeris`].
pub(crate) fn pass_time(
    time: Res<Time>,
    mut owed: Local<Owed>,
    mut day: ResMut<TimeOfDay>,
    mut ephemeris: ResMut<Ephemeris>,
) {
    if day.is_running {
        let next = owed.advance(*day, time.delta_secs_f64());
        day.set_if_neq(next);
    }
    if day.is_changed() {
        ephemeris.set_if_neq(Ephemeris::at(&day));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: f32, day: f32, latitude: f32) -> Ephemeris {
        Ephemeris::at(&TimeOfDay {
            hour,
            day,
            latitude,
            ..default()
        })
    }

    fn elevation(direction: Vec3) -> f32 {
        direction.y.asin().to_degrees()
    }

    #[test]
    fn sun_elevation_at_noon_matches_almanacs() {
        for latitude in [-60.0_f32, -35.0, 0.0, 20.0, 40.0, 66.0] {
            // Equinoxes and solstices.
            for (day, declination) in [(79.0, 0.0), (172.0, 23.44), (265.0, 0.0), (355.0, -23.44)] {
                let sun = at(12.0, day, latitude).to_sun;
                let expected = 90.0 - (latitude - declination).abs();
                let found = elevation(sun);
                // A year is not a whole number of days.
                assert!((found - expected).abs() < 1.6, "{latitude} {day}: {found}");
                assert!(sun.x.abs() < 1e-3);
            }
        }
        let exact = elevation(at(12.0, 79.0, 40.0).to_sun);
        assert!((exact - 50.0).abs() < 0.01, "{exact}");
        // At noon the sun is in the south in the northern hemisphere, and in the north in the southern.
        assert!(at(12.0, 79.0, 40.0).to_sun.z > 0.0);
        assert!(at(12.0, 79.0, -40.0).to_sun.z < 0.0);
    }

    #[test]
    fn sun_rises_in_the_east_and_sets_in_the_west() {
        let rise = at(6.0, 79.0, 50.0).to_sun;
        assert!(rise.abs_diff_eq(Vec3::X, 0.01), "{rise}");
        let set = at(18.0, 79.0, 50.0).to_sun;
        assert!(set.abs_diff_eq(Vec3::NEG_X, 0.01), "{set}");
        // At midsummer the day lasts sixteen hours at 49 degrees.
        assert!(at(4.2, 172.0, 49.0).to_sun.y > 0.0 && at(3.8, 172.0, 49.0).to_sun.y < 0.0);
        // Midnight sun and polar night beyond the polar circle.
        assert!(at(0.0, 172.0, 70.0).to_sun.y > 0.0 && at(12.0, 355.0, 70.0).to_sun.y < 0.0);
    }

    #[test]
    fn stars_rotate_about_the_pole() {
        for latitude in [-30.0_f32, 0.0, 52.0] {
            for hour in [0.0, 7.0, 15.5] {
                let sphere = at(hour, 140.0, latitude).world_from_stars;
                assert!((sphere.determinant() - 1.0).abs() < 1e-4);
                assert!((elevation(sphere.z_axis) - latitude).abs() < 0.01);
                assert!(sphere.z_axis.x.abs() < 1e-6);
            }
        }
        // A star on the meridian is in the west six hours later.
        let south = at(0.0, 79.0, 0.0).world_from_stars.inverse() * Vec3::Y;
        let later = at(6.0, 79.0, 0.0).world_from_stars * south;
        assert!(later.x < -0.99, "{later}");
    }

    #[test]
    fn full_moon_is_opposite_the_sun_and_new_moon_near_it() {
        let full = at(12.0, EQUINOX + (0.5 - FIRST_AGE) * MONTH, 35.0);
        assert!(full.to_sun.dot(full.to_moon) < -0.99 && full.moon_lit > 0.99);
        let new = at(12.0, EQUINOX + (1.0 - FIRST_AGE) * MONTH, 35.0);
        assert!(new.to_sun.dot(new.to_moon) > 0.99 && new.moon_lit < 0.01);
        let night = at(0.0, EQUINOX, 35.0);
        assert!(night.moon_lit > 0.95 && night.to_moon.y > 0.5, "{night:?}");
    }

    #[test]
    fn positions_change_smoothly() {
        let mut time = TimeOfDay {
            is_running: true,
            pace: 1.0,
            hour: 0.0,
            ..default()
        };
        let mut before = Ephemeris::at(&time);
        for _ in 0..4800 {
            time = time.after(0.01);
            let now = Ephemeris::at(&time);
            assert!(before.to_sun.distance(now.to_sun) < 0.004);
            assert!(before.to_moon.distance(now.to_moon) < 0.004, "{time:?}");
            before = now;
        }
        assert_eq!(time.day, EQUINOX + 2.0);
        let back = time.after(-1.0);
        assert_eq!(back.day, EQUINOX + 1.0);
    }

    #[test]
    fn real_time_is_exact_at_high_frame_rates() {
        let mut owed = Owed::default();
        let mut time = TimeOfDay {
            is_running: true,
            pace: 1.0 / 3600.0,
            hour: 23.95,
            ..default()
        };
        for _ in 0..10 * 60 * 1000 {
            time = owed.advance(time, 0.001);
        }
        // Ten minutes later.
        assert_eq!(time.day, EQUINOX + 1.0);
        assert!(
            (time.hour - (23.95 + 1.0 / 6.0 - 24.0)).abs() < 1e-5,
            "{time:?}"
        );
    }

    #[test]
    fn clamps_bad_values() {
        for bad in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
            let time = TimeOfDay {
                hour: bad,
                day: bad,
                latitude: bad,
                pace: bad,
                is_running: true,
            };
            let found = Ephemeris::at(&time.after(bad));
            assert!(found.to_sun.is_normalized() && found.to_moon.is_normalized());
            assert!(elevation(found.pole()).abs() <= 90.01);
        }
        assert_eq!(at(25.0, 79.0, 35.0), at(1.0, 79.0, 35.0));
    }
}
