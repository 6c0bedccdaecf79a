//! Rainfall: wet windward slopes, and dry rain shadows behind mountains.
//!
//! Idea: follow the air. It carries water up to its capacity, which is smaller in the cold above mountains (by about
//! 7 % per kelvin, according to the Clausius-Clapeyron relation).
//!
//! ```text
//!    wind →       rain  .^.
//!               ' ' '  /   `.      rain shadow: the air is as warm as
//!     ~~~~~~~~~~~~~~~./      `--._ before, but has lost half of its
//!     sea: takes up water          `-.____ water
//! ```
//!
//! Steps, from row to row of a grid that is aligned with the wind (module `wind`). Each row is a front of air across
//! the wind:
//!
//! 1. Over the sea, the air takes up a fraction of its free capacity.
//! 2. The air loses a fraction of its water to clouds, in proportion to the square of its relative humidity. It also
//!    loses all water above its capacity.
//! 3. Clouds drift on and rain out gradually. Land returns a fraction of its rain to the air. It also adds enough water
//!    to keep air over level land at the humidity that it has far from any sea.
//! 4. Neighbors across the wind mix by diffusion. It is solved implicitly, so any strength is stable.
//!
//! If the border is water, the air that enters the map comes from the sea. If it is land, only the border of that land
//! is known, and the air is in equilibrium with terrain like that of the border. Otherwise, every inland map would have
//! a strip of rain forest on its windward side.
//!
//! Cost: O(1) per cell. The simulation runs on one core; reading and writing the map use all. Memory in addition to the
//! result: about two maps of 1024 x 1024, for any size of map.
//!
//! Source: Smith and Barstad, *A linear theory of orographic precipitation*, Journal of the Atmospheric Sciences, 2004
//! (lift, condensation, drift). The difference is that the air is followed instead of solving in Fourier space, because
//! it must be able to run dry.

use serde::{Deserialize, Serialize};

use super::{Location, wind::WindGrid};
use crate::{Canceled, GenerateError, Heightmap, ParamError, Progress};

/// The rain model, in millimeters per year.
///
/// Distances are in lengths of the map's longer side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rain {
    /// The direction from which the wind blows, in degrees clockwise from north; from -360 to 360. Default: 240, the
    /// west-south-west.
    pub wind_from: f64,
    /// The rain of saturated air at sea level, in millimeters per year; from 0 to 10,000. Default: 2000. Windward
    /// slopes get a multiple of it.
    pub rate: f64,
    /// The relative humidity of air that enters the map over the sea; from 0 to 1. Default: 0.9.
    pub humidity: f64,
    /// The relative humidity of air far from any sea; from 0 to 1. Default: 0.75. Air enters the map with it where the
    /// border is land, and plants and distant weather keep it at this humidity over level land.
    pub inland: f64,
    /// The length of sea over which air takes up 63 % of its free capacity; from 0.001 to 100. Default: 0.15.
    pub fetch: f64,
    /// The length of flat land over which saturated air would lose 63 % of its water if its rain did not decrease. In
    /// fact the loss decreases with the square of the humidity. From 0.01 to 100. Default: 0.4.
    pub reach: f64,
    /// The decrease of the capacity at height 1, as an exponent: the air holds `exp(-lift)` of the water; from 0 to 10.
    /// Default: 1.3, as for air that is 20 K colder. Some air flows around mountains, so this is less than their
    /// temperature suggests. If the [`Location`] is in meters, it is the decrease at 4.6 km.
    pub lift: f64,
    /// The distance that clouds drift until 63 % of them have rained out; from 0.0001 to 1. Default: 0.04.
    pub drift: f64,
    /// The spread of air across the wind by the time it has crossed the map, as a standard deviation; from 0 to 1.
    /// Default: 0.06.
    pub spread: f64,
    /// The fraction of its rain that land returns to the air; from 0 to 1. Default: 0.5.
    pub recycling: f64,
}

impl Default for Rain {
    fn default() -> Self {
        Self {
            wind_from: 240.0,
            rate: 2000.0,
            humidity: 0.9,
            inland: 0.75,
            fetch: 0.15,
            reach: 0.4,
            lift: 1.3,
            drift: 0.04,
            spread: 0.06,
            recycling: 0.5,
        }
    }
}

/// The marker for sea. Over land the capacity is at most 1, so the two cannot be confused.
const SEA: f32 = 2.0;

impl Rain {
    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check = |name, value, min, max| ParamError::check_range("rain", name, value, min, max);
        check("wind_from", self.wind_from, -360.0, 360.0)?;
        check("rate", self.rate, 0.0, 10_000.0)?;
        check("humidity", self.humidity, 0.0, 1.0)?;
        check("inland", self.inland, 0.0, 1.0)?;
        check("fetch", self.fetch, 0.001, 100.0)?;
        check("reach", self.reach, 0.01, 100.0)?;
        check("lift", self.lift, 0.0, 10.0)?;
        check("drift", self.drift, 0.0001, 1.0)?;
        check("spread", self.spread, 0.0, 1.0)?;
        check("recycling", self.recycling, 0.0, 1.0)
    }

    /// Computes the rain on every cell of `map`, including water, in millimeters per year. `location` is a sea level, or
    /// a [`Location`].
    ///
    /// # Errors
    /// If a parameter or the sea level is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        location: impl Into<Location>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let location = location.into();
        location.validate()?;
        let wind = WindGrid::new(map, self.wind_from);
        let lift = self.lift as f32;
        let mut grid = wind.read(map, &progress.span(0.0, 0.3), |z, on_map| {
            let fits = if location.is_land(z) {
                libm::expf(-lift * location.share(z))
            } else {
                SEA
            };
            // The sign marks cells outside of the map, where the air does not change: see `Air`.
            if on_map { fits } else { -fits }
        })?;
        self.march(&wind, &mut grid, &progress.span(0.3, 0.7))?;
        Ok(wind.write(&grid, map, &progress.span(0.7, 1.0))?)
    }

    /// Replaces the capacities of the air in the grid by the rain.
    fn march(
        &self,
        wind: &WindGrid,
        grid: &mut [f32],
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let rates = Rates::new(self, wind.distance);
        let mixing = Mixing::new(self.spread, wind.distance, wind.breadth);
        let (humidity, inland) = (self.humidity as f32, self.inland as f32);
        let entering = |place: f32| rates.entering(place, humidity, inland);
        let mut air: Vec<Air> = grid[..wind.breadth].iter().copied().map(entering).collect();
        // Whether the air has reached the border of the map.
        let mut is_in = vec![false; wind.breadth];
        for (i, row) in grid.chunks_exact_mut(wind.breadth).enumerate() {
            for ((air, is_in), cell) in air.iter_mut().zip(&mut is_in).zip(row) {
                // Until it reaches the map, the air is that of the current cell. Otherwise the
                // distance from the corner of the grid to the map would matter.
                *is_in |= *cell > 0.0;
                if !*is_in {
                    *air = entering(*cell);
                }
                *cell = air.move_on(*cell, &rates);
            }
            // After the rain of the row has been written: mixing only affects the rows downwind.
            mixing.mix(&mut air);
            progress.step(i + 1, wind.steps)?;
        }
        Ok(())
    }
}

/// The rates of one step.
struct Rates {
    /// The fraction of its free capacity that air takes up over the sea.
    take_up: f32,
    /// The fraction of its water that saturated air loses.
    lose: f32,
    /// The fraction of the clouds that rains out.
    fall: f32,
    recycling: f32,
    /// The fraction of its capacity that air takes up over land.
    supply: f32,
    /// Converts the water that falls in one step to millimeters per year.
    millimeters: f32,
}

impl Rates {
    fn new(rain: &Rain, distance: f64) -> Self {
        let part = |length: f64| (1.0 - libm::exp(-distance / length)) as f32;
        let lose = part(rain.reach);
        Self {
            take_up: part(rain.fetch),
            lose,
            fall: part(rain.drift),
            recycling: rain.recycling as f32,
            // Air of humidity `inland` loses `lose * inland^3` of its capacity. Recycling returns
            // a part of that, and this is the rest, so level land keeps the air at that humidity.
            supply: lose
                * ((1.0 - rain.recycling) * rain.inland * rain.inland * rain.inland) as f32,
            millimeters: rain.rate as f32 / lose,
        }
    }

    /// The air that enters the map over such a cell (see [`Air::move_on`]). It has the humidity for sea or the one for
    /// land, and clouds in equilibrium.
    fn entering(&self, place: f32, humidity: f32, inland: f32) -> Air {
        let (fits, humidity) = if place.abs() == SEA {
            (1.0, humidity)
        } else {
            (place.abs(), inland)
        };
        let water = humidity * fits;
        let forms = water * self.lose * humidity * humidity;
        Air {
            water,
            // The stationary amount, at which as much rains out as forms.
            clouds: forms * (1.0 - self.fall) / self.fall,
        }
    }
}

/// The air at one position across the wind. The capacity over the sea is 1.
#[derive(Debug, Clone, Copy)]
struct Air {
    water: f32,
    clouds: f32,
}

impl Air {
    /// Moves the air one step, and returns the rain in millimeters per year. `place` is the capacity of the air there,
    /// [`SEA`] over the sea, and negative outside the map.
    ///
    /// Nothing is known outside the map. The air rains there as usual but does not change, so the distance from the
    /// border of the grid to that of the map does not matter.
    #[inline(always)]
    fn move_on(&mut self, place: f32, rates: &Rates) -> f32 {
        let sea = place.abs() == SEA;
        let fits = if sea { 1.0 } else { place.abs() };
        let mut air = *self;
        let humidity = (air.water / fits).min(1.0);
        let lost = air.water * rates.lose * humidity * humidity;
        // What exceeds the capacity condenses at once, as when air is lifted over a mountain.
        let forms = lost + (air.water - lost - fits).max(0.0);
        air.water -= forms;
        air.clouds += forms;
        let falls = air.clouds * rates.fall;
        air.clouds -= falls;
        air.water += if sea {
            (1.0 - air.water) * rates.take_up
        } else {
            falls * rates.recycling + fits * rates.supply
        };
        if place > 0.0 {
            *self = air;
        }
        falls * rates.millimeters
    }
}

/// Mixing across the wind: one implicit step of the heat equation. Its matrix has `1 + 2 k` on the diagonal and `-k`
/// next to it, and is factored once (Thomas).
struct Mixing {
    k: f32,
    /// The inverse of the diagonal after forward elimination.
    inverse: Vec<f32>,
}

impl Mixing {
    fn new(spread: f64, distance: f64, breadth: usize) -> Self {
        // `2 k` is the growth of the variance per step, in square cells. `1 / distance` steps across the map add up to
        // the variance `(spread / distance)^2`.
        let k = 0.5 * (spread / distance) * (spread / distance) * distance;
        let mut inverse: Vec<f64> = Vec::with_capacity(breadth);
        for j in 0..breadth {
            let neighbors = usize::from(j > 0) + usize::from(j + 1 < breadth);
            let before = inverse.last().map_or(0.0, |before| k * k * before);
            inverse.push(1.0 / (1.0 + neighbors as f64 * k - before));
        }
        Self {
            k: k as f32,
            inverse: inverse.into_iter().map(|inverse| inverse as f32).collect(),
        }
    }

    fn mix(&self, air: &mut [Air]) {
        let mut before = Air {
            water: 0.0,
            clouds: 0.0,
        };
        // Forward elimination and back substitution. The matrix is diagonally dominant, so no
        // pivoting is needed, and its columns sum to 1, so no water is lost.
        for (air, inverse) in air.iter_mut().zip(&self.inverse) {
            air.water = (air.water + self.k * before.water) * inverse;
            air.clouds = (air.clouds + self.k * before.clouds) * inverse;
            before = *air;
        }
        let mut after = Air {
            water: 0.0,
            clouds: 0.0,
        };
        for (air, inverse) in air.iter_mut().zip(&self.inverse).rev() {
            air.water += self.k * inverse * after.water;
            air.clouds += self.k * inverse * after.clouds;
            after = *air;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_conserves_water_and_has_given_spread() {
        let mixing = Mixing::new(0.1, 1.0 / 200.0, 201);
        let none = Air {
            water: 0.0,
            clouds: 0.0,
        };
        let mut air = vec![none; 201];
        air[100].water = 1.0;
        for _ in 0..200 {
            mixing.mix(&mut air);
        }
        let total: f32 = air.iter().map(|air| air.water).sum();
        assert!((total - 1.0).abs() < 1e-3, "{total}");
        let squares = (0..)
            .zip(&air)
            .map(|(j, air)| air.water * ((j - 100) * (j - 100)) as f32);
        let deviation = squares.sum::<f32>().sqrt() / 200.0;
        assert!((deviation - 0.1).abs() < 0.002, "{deviation}");
    }

    #[test]
    fn conserves_water_over_land() {
        let rain = Rain {
            recycling: 0.0,
            inland: 0.0,
            ..Rain::default()
        };
        let rates = Rates::new(&rain, 0.01);
        let mut air = rates.entering(SEA, 0.9, 0.0);
        let whole = air.water + air.clouds;
        let mut fallen = 0.0;
        for i in 0..200 {
            let fits = if i < 100 { 1.0 - 0.008 * i as f32 } else { 0.2 };
            fallen += air.move_on(fits, &rates) / rates.millimeters;
            assert!(
                (air.water + air.clouds + fallen - whole).abs() < 1e-4,
                "cell {i}"
            );
        }
        assert!(air.water < 0.2 && fallen > 0.6);
    }
}
