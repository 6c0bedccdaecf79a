//! The hour, and where sun, moon and stars stand at it.
//!
//! The celestial sphere turns about the pole, which stands as high in the north as the place's latitude. On it the sun
//! runs along the ecliptic once a year, and the moon once in 29.5 days from sun to sun, which is its phase too. So all of
//! it is one longitude for each and one turn of the sphere (Meeus, "Astronomical Algorithms", 1998, chapters 13 and 25,
//! with a round orbit and without the moon's own tilt of five degrees).
//!
//! ```text
//!            pole         declination  sin d = sin(23.44°) sin(longitude)
//!           /             hour angle   h = turn of the sphere - right ascension
//!   north _/__ latitude
//! ```

use core::f32::consts::{PI, TAU};

use bevy::{math::ops, prelude::*};

/// The hour, the day and the place, and whether time passes.
///
/// The hour is the sun's own: it stands highest at 12. What can not be (not a number, a latitude of 200) counts as the
/// nearest that can.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct TimeOfDay {
    /// From 0 to 24; 9.5 by default. What is more or less begins again.
    pub hour: f32,
    /// Days since the year began, from 0 to 36,525; 79 by default, when day and night are equally long. The moon is
    /// nearly full then.
    pub day: f32,
    /// Degrees north, from -90 to 90; 35 by default.
    pub latitude: f32,
    /// Whether time passes; not by default.
    pub passes: bool,
    /// Hours that pass in a second, from -24 to 24; 1/8 by default, a day in three minutes.
    pub pace: f32,
}

impl Default for TimeOfDay {
    fn default() -> Self {
        Self {
            hour: 9.5,
            day: EQUINOX,
            latitude: 35.0,
            passes: false,
            pace: 0.125,
        }
    }
}

/// The day on whose noon spring begins.
const EQUINOX: f32 = 79.0;

/// Days in a year.
const YEAR: f32 = 365.2422;

/// Days from new moon to new moon.
const MONTH: f32 = 29.530_59;

/// Of the month, how much is over at the noon of [`EQUINOX`]: just before the full moon.
const FIRST_AGE: f32 = 0.47;

/// Of the earth's axis, in degrees.
const TILT: f32 = 23.44;

/// A century.
const LAST_DAY: f32 = 36_525.0;

impl TimeOfDay {
    /// The same with all fields as they can be.
    pub(crate) fn checked(self) -> Self {
        let usual = Self::default();
        let finite = |value: f32, usual: f32| if value.is_finite() { value } else { usual };
        Self {
            hour: finite(self.hour, usual.hour).rem_euclid(24.0),
            day: finite(self.day, usual.day).clamp(0.0, LAST_DAY),
            latitude: finite(self.latitude, usual.latitude).clamp(-90.0, 90.0),
            passes: self.passes,
            pace: finite(self.pace, 0.0).clamp(-24.0, 24.0),
        }
    }

    /// So many seconds later.
    fn after(self, seconds: f32) -> Self {
        let now = self.checked();
        let hour = now.hour + now.pace * seconds;
        Self {
            // A negative pace leads to the day before; `checked` brings the hour into 0 to 24.
            day: now.day + (hour / 24.0).floor(),
            hour,
            ..now
        }
        .checked()
    }
}

/// Where sun, moon and stars stand: directions of length 1 in Bevy's world, +x east, +y up, +z south.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct Ephemeris {
    /// Towards the sun.
    pub to_sun: Vec3,
    /// Towards the moon.
    pub to_moon: Vec3,
    /// How much of the moon's disc is lit, from 0 to 1.
    pub moon_lit: f32,
    /// From the stars' own frame (z to the northern pole) to the world.
    pub world_from_stars: Mat3,
}

impl Default for Ephemeris {
    /// That of the default [`TimeOfDay`].
    fn default() -> Self {
        Self::at(&TimeOfDay::default())
    }
}

impl Ephemeris {
    /// At that time.
    ///
    /// ```
    /// # use lanternfell_sky::{Ephemeris, TimeOfDay};
    /// let noon = TimeOfDay { hour: 12.0, latitude: 40.0, ..Default::default() };
    /// let elevation = Ephemeris::at(&noon).to_sun.y.asin().to_degrees();
    /// assert!((elevation - 50.0).abs() < 0.1);
    /// ```
    pub fn at(time: &TimeOfDay) -> Self {
        let time = time.checked();
        // Since the equinox at noon, where the sun's longitude is 0.
        let days = time.day - EQUINOX + (time.hour - 12.0) / 24.0;
        let sun_longitude = TAU * (days / YEAR).rem_euclid(1.0);
        let age = (days / MONTH + FIRST_AGE).rem_euclid(1.0);
        let sun = on_ecliptic(sun_longitude);
        let moon = on_ecliptic(sun_longitude + TAU * age);
        // The sphere has turned so far that the sun is at its hour.
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

    /// About which all of it turns.
    pub(crate) fn pole(&self) -> Vec3 {
        self.world_from_stars.z_axis
    }
}

/// In the stars' frame: x to the point where spring begins, z to the pole.
fn on_ecliptic(longitude: f32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(longitude);
    let (tilt_sin, tilt_cos) = ops::sin_cos(TILT.to_radians());
    Vec3::new(cos, sin * tilt_cos, sin * tilt_sin)
}

/// `turn` is the right ascension that stands in the south.
fn world_from_stars(turn: f32, latitude: f32) -> Mat3 {
    // In the frame of the equator: west of the meridian, on it, and the pole.
    let (sin, cos) = ops::sin_cos(turn);
    let (lat_sin, lat_cos) = ops::sin_cos(latitude);
    // A point (x, y, z) is at (x cos + y sin) on the meridian and (x sin - y cos) in the west.
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

/// Lets time pass, and sees where all stands.
pub(crate) fn pass_time(
    time: Res<Time>,
    mut day: ResMut<TimeOfDay>,
    mut ephemeris: ResMut<Ephemeris>,
) {
    if day.passes {
        *day = day.after(time.delta_secs());
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
    fn the_sun_stands_at_noon_as_high_as_almanacs_say() {
        for latitude in [-60.0_f32, -35.0, 0.0, 20.0, 40.0, 66.0] {
            // Equinoxes and solstices.
            for (day, declination) in [(79.0, 0.0), (172.0, 23.44), (265.0, 0.0), (355.0, -23.44)] {
                let sun = at(12.0, day, latitude).to_sun;
                let expected = 90.0 - (latitude - declination).abs();
                let found = elevation(sun);
                // A year is not exactly round.
                assert!((found - expected).abs() < 1.6, "{latitude} {day}: {found}");
                assert!(sun.x.abs() < 1e-3);
            }
        }
        let exact = elevation(at(12.0, 79.0, 40.0).to_sun);
        assert!((exact - 50.0).abs() < 0.01, "{exact}");
        // In the south here, in the north there.
        assert!(at(12.0, 79.0, 40.0).to_sun.z > 0.0);
        assert!(at(12.0, 79.0, -40.0).to_sun.z < 0.0);
    }

    #[test]
    fn it_rises_in_the_east_and_sets_in_the_west() {
        let rise = at(6.0, 79.0, 50.0).to_sun;
        assert!(rise.abs_diff_eq(Vec3::X, 0.01), "{rise}");
        let set = at(18.0, 79.0, 50.0).to_sun;
        assert!(set.abs_diff_eq(Vec3::NEG_X, 0.01), "{set}");
        // At midsummer a sixteen-hour day at 49 degrees.
        assert!(at(4.2, 172.0, 49.0).to_sun.y > 0.0 && at(3.8, 172.0, 49.0).to_sun.y < 0.0);
        // And none without night beyond the polar circle.
        assert!(at(0.0, 172.0, 70.0).to_sun.y > 0.0 && at(12.0, 355.0, 70.0).to_sun.y < 0.0);
    }

    #[test]
    fn stars_turn_about_the_pole() {
        for latitude in [-30.0_f32, 0.0, 52.0] {
            for hour in [0.0, 7.0, 15.5] {
                let sphere = at(hour, 140.0, latitude).world_from_stars;
                assert!((sphere.determinant() - 1.0).abs() < 1e-4);
                assert!((elevation(sphere.z_axis) - latitude).abs() < 0.01);
                assert!(sphere.z_axis.x.abs() < 1e-6);
            }
        }
        // Towards the west over the south: what stood in the south stands in the west six hours later.
        let south = at(0.0, 79.0, 0.0).world_from_stars.inverse() * Vec3::Y;
        let later = at(6.0, 79.0, 0.0).world_from_stars * south;
        assert!(later.x < -0.99, "{later}");
    }

    #[test]
    fn the_full_moon_is_opposite_the_sun_and_the_new_moon_beside_it() {
        let full = at(12.0, EQUINOX + (0.5 - FIRST_AGE) * MONTH, 35.0);
        assert!(full.to_sun.dot(full.to_moon) < -0.99 && full.moon_lit > 0.99);
        let new = at(12.0, EQUINOX + (1.0 - FIRST_AGE) * MONTH, 35.0);
        assert!(new.to_sun.dot(new.to_moon) > 0.99 && new.moon_lit < 0.01);
        let night = at(0.0, EQUINOX, 35.0);
        assert!(night.moon_lit > 0.95 && night.to_moon.y > 0.5, "{night:?}");
    }

    #[test]
    fn nothing_jumps() {
        let mut time = TimeOfDay {
            passes: true,
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
        let back = TimeOfDay { pace: -1.0, ..time }.after(1.0);
        assert_eq!(back.day, EQUINOX + 1.0);
    }

    #[test]
    fn what_can_not_be_counts_as_what_can() {
        for bad in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
            let time = TimeOfDay {
                hour: bad,
                day: bad,
                latitude: bad,
                pace: bad,
                passes: true,
            };
            let found = Ephemeris::at(&time.after(bad));
            assert!(found.to_sun.is_normalized() && found.to_moon.is_normalized());
            assert!(elevation(found.pole()).abs() <= 90.01);
        }
        assert_eq!(at(25.0, 79.0, 35.0), at(1.0, 79.0, 35.0));
    }
}
