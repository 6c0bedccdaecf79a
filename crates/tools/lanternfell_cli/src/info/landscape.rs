//! Statistics of a landscape that geographers use to describe real ones.

use lanternfell_heightmap::{
    ElevationModel, Progress,
    analysis::{Slope, coast_dimension},
    hydrology::{Hydrology, Network, Rivers},
    is_land,
};
use serde_json::{Value, json};

use crate::{failure::Failure, job::say};

/// The statistics of a landscape. Those that cannot be computed are `None`.
pub(super) struct Landscape {
    /// The median slope of the land in degrees.
    slope: Option<f64>,
    /// The mean height of the land, relative to its range: 0 is the lowest height, 1 the highest.
    integral: Option<f64>,
    network: Network,
    /// Kilometers of river per square kilometer.
    density: f64,
    coast: Option<f64>,
}

impl Landscape {
    /// Computes the statistics. Land is above the sea level, and rivers start at a catchment of a thousandth of the
    /// map.
    pub(super) fn of(
        model: &ElevationModel,
        sea_level: f32,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let map = &model.heights;
        let part = |index| progress.part(index, 4);
        let slope = Slope::default().of(map, model.ground_scale(), &part(0))?;
        let is_land = |&(&height, _): &(&f32, &f32)| is_land(height, sea_level);
        let land = map.heights().iter().zip(slope.heights()).filter(is_land);
        let (heights, mut slopes): (Vec<f32>, Vec<f32>) = land.unzip();
        let water = Hydrology {
            sea_level: Some(sea_level),
            border: true,
        };
        let drainage = water.drain(map, &part(1))?;
        let network = Rivers::default().network(&drainage, &part(2))?;
        Ok(Self {
            slope: median(&mut slopes),
            integral: integral(&heights),
            density: 1000.0 * network.density() / f64::from(model.scale().spacing),
            network,
            coast: coast_dimension(map, sea_level, &part(3))?,
        })
    }

    /// Prints the statistics. `coast` is the length of the coast.
    pub(super) fn show(&self, coast: f64) -> Result<(), Failure> {
        let or_unknown = |number: Option<f64>, digits: usize| {
            number.map_or_else(
                || "unknown".to_owned(),
                |number| format!("{number:.digits$}"),
            )
        };
        let Some(slope) = self.slope else {
            return say("landscape   no land above the sea");
        };
        let integral = or_unknown(self.integral, 3);
        say(&format!(
            "landscape   median slope of land {slope:.1} degrees, hypsometric integral {integral}"
        ))?;
        let ratios = self.ratios();
        let laws = if ratios == [None; 3] {
            "too few confluences for Horton's ratios".to_owned()
        } else {
            let ratios = ratios.map(|ratio| or_unknown(ratio, 2)).join(", ");
            format!("Horton's ratios of numbers, lengths and areas {ratios}")
        };
        let hack = or_unknown(self.network.hack.map(|law| law.exponent), 3);
        let density = self.density;
        let melton = or_unknown(self.network.relative_density(), 2);
        say(&format!(
            "rivers      {density:.2} km per km², order {}, {laws}, Melton's ratio {melton}, Hack's exponent {hack}",
            self.network.orders.len()
        ))?;
        say(&match self.coast {
            Some(dimension) => format!("coast       fractal dimension {dimension:.2}"),
            None if coast > 0.0 => "coast       too short for a fractal dimension".to_owned(),
            None => "coast       none".to_owned(),
        })
    }

    pub(super) fn as_json(&self) -> Value {
        let [bifurcation, length, area] = self.ratios();
        json!({
            "median_land_slope_degrees": self.slope,
            "land_hypsometric_integral": self.integral,
            "drainage_density_per_km": self.density,
            "relative_density": self.network.relative_density(),
            "streams": self.network.orders.iter().map(|order| order.streams).collect::<Vec<_>>(),
            "bifurcation_ratio": bifurcation,
            "length_ratio": length,
            "area_ratio": area,
            "hack_exponent": self.network.hack.map(|law| law.exponent),
            "coast_dimension": self.coast,
        })
    }

    /// Returns Horton's ratios of numbers, lengths and areas.
    fn ratios(&self) -> [Option<f64>; 3] {
        let network = &self.network;
        [
            network.bifurcation_ratio(),
            network.length_ratio(),
            network.area_ratio(),
        ]
    }
}

/// Returns the median, or `None` for an empty list.
fn median(numbers: &mut [f32]) -> Option<f64> {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    let (_, median, _) = numbers.select_nth_unstable_by(middle, f32::total_cmp);
    Some(f64::from(*median))
}

/// Returns the mean height, relative to the range: 0 is the lowest height, 1 the highest. Returns `None` if they are
/// the same.
fn integral(heights: &[f32]) -> Option<f64> {
    let low = f64::from(heights.iter().copied().fold(f32::INFINITY, f32::min));
    let high = f64::from(heights.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = heights.iter().map(|&height| f64::from(height)).sum();
    let mean = sum / heights.len() as f64;
    Some((mean - low) / (high - low)).filter(|integral| integral.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_integral() {
        assert_eq!(median(&mut [3.0, 9.0, 1.0]), Some(3.0));
        assert_eq!(median(&mut []), None);
        assert_eq!(integral(&[2.0, 2.0, 3.0, 6.0]), Some(0.3125));
        assert_eq!(integral(&[5.0, 5.0]), None);
        assert_eq!(integral(&[]), None);
    }
}
