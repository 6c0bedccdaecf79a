//! The rules of ground layers.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::surface::SizeMismatch;
use lanternfell_heightmap::{
    Band, GenerateError, ParamError,
    climate::{BiomeTable, TableError},
    simplex_noise_row,
};

/// The rule of one ground layer: its weight, and the conditions that reduce it.
///
/// At each position, the weight is multiplied by how much each condition applies, from 0 to 1. By
/// default, all bands are unbounded and the rule applies everywhere.
///
/// ```
/// use lanternfell_heightmap::Band;
/// use lanternfell_surface::layers::LayerRule;
///
/// let sand = LayerRule {
///     weight: 3.0,
///     height: Band { to: Some(1.5), fade: 0.8, ..Band::default() },
///     slope: Band { to: Some(20.0), fade: 10.0, ..Band::default() },
///     ..LayerRule::default()
/// };
/// assert!(sand.validate().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct LayerRule {
    /// The weight where all conditions apply fully, from 0 to 1000. Default: 1. The two rules with
    /// the largest weights share a position.
    pub weight: f64,
    /// The height above the sea in meters.
    pub height: Band,
    /// The height above the sea as a fraction: 0 at the sea and 1 at a map height of 1.
    pub altitude: Band,
    /// The slope in degrees.
    pub slope: Band,
    /// The curvature in 1/meter: positive on ridges, negative in gullies.
    pub curvature: Band,
    /// The moisture in millimeters per year, from 0 to about 2500.
    pub moisture: Band,
    /// The distance from the coast in meters, negative in the sea.
    pub coast: Band,
    /// The distance to the nearest river in meters. These are the rivers that the map's drainage
    /// would form, not those of [`InlandWater`](crate::inland_water::InlandWater).
    pub river: Band,
    /// The biomes of the default [`BiomeTable`] in which the layer occurs. Default: empty, which
    /// means all biomes.
    pub biomes: Vec<String>,
    /// The name of a mask, whose value from 0 to 1 multiplies the weight. Default: `None`.
    pub mask: Option<String>,
    /// Restricts the layer to patches of noise. Default: `None`.
    pub noise: Option<LayerNoise>,
    /// Also places the layer in and along [rivers and lakes](super::ControlMapBuilder::waters),
    /// regardless of the other conditions. Default: `None`.
    pub beside_water: Option<NearWater>,
}

/// The weight of a layer in and along rivers and lakes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NearWater {
    /// The weight in the water and up to half of `reach` from it, from 0 to 1000. Default: 6.
    pub weight: f64,
    /// The distance from the water, in meters, at which the weight reaches 0. From 0 to 100,000,
    /// default: 2.5.
    pub reach: f64,
}

impl Default for NearWater {
    fn default() -> Self {
        Self {
            weight: 6.0,
            reach: 2.5,
        }
    }
}

impl Default for LayerRule {
    fn default() -> Self {
        Self {
            weight: 1.0,
            height: Band::default(),
            altitude: Band::default(),
            slope: Band::default(),
            curvature: Band::default(),
            moisture: Band::default(),
            coast: Band::default(),
            river: Band::default(),
            biomes: Vec::new(),
            mask: None,
            noise: None,
            beside_water: None,
        }
    }
}

/// Patches of noise to which a layer is restricted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayerNoise {
    /// The distance from one patch to the next in meters, from 0.1 to 100,000. Default: 40.
    pub wavelength: f64,
    /// The approximate share of the area that is in a patch, from 0 to 1. Default: 0.5.
    pub coverage: f64,
    /// The softness of the patches' borders, from 0.01 to 2. Default: 0.4.
    pub softness: f64,
    /// The seed of the noise. Default: 0.
    pub seed: u32,
}

impl Default for LayerNoise {
    fn default() -> Self {
        Self {
            wavelength: 40.0,
            coverage: 0.5,
            softness: 0.4,
            seed: 0,
        }
    }
}

/// Frays the borders that depend on height and slope, so that they do not follow contour lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fray {
    /// The wavelength of the fraying in meters, from 0.1 to 100,000. Default: 12.
    pub wavelength: f64,
    /// The approximate maximum offset in height, in meters. From 0 to 10,000, default: 1.
    pub height: f64,
    /// The approximate maximum offset in slope, in degrees. From 0 to 90, default: 6.
    pub slope: f64,
}

impl Default for Fray {
    fn default() -> Self {
        Self {
            wavelength: 12.0,
            height: 1.0,
            slope: 6.0,
        }
    }
}

/// The rules of all ground layers of a terrain, in the order of the layers. Where no rule applies,
/// the first layer is used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayerRules {
    /// One rule per layer, at most [`LayerRules::MAX`].
    pub rules: Vec<LayerRule>,
    /// The fraying of borders between layers.
    pub fray: Fray,
}

/// An error in layer rules, or in the computation of a control map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LayerError {
    /// There are no layers, or too many.
    #[error("{count} layers: 1 to {max} are allowed", max = LayerRules::MAX)]
    Count {
        /// The number of layers.
        count: usize,
    },
    /// A number in a layer's rule is out of its range.
    #[error("layer {layer}: {error}")]
    Rule {
        /// The index of the layer, from 0.
        layer: usize,
        /// The error of the number.
        error: ParamError,
    },
    /// A number in [`LayerRules::fray`] is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A rule names an unknown biome.
    #[error("layer {layer}: unknown biome '{name}'")]
    UnknownBiome {
        /// The index of the layer, from 0.
        layer: usize,
        /// The name in the rule.
        name: String,
    },
    /// A rule names a mask that was not given to
    /// [`ControlMapBuilder::masks`](super::ControlMapBuilder::masks).
    #[error("layer {layer}: unknown mask '{name}'")]
    UnknownMask {
        /// The index of the layer, from 0.
        layer: usize,
        /// The name in the rule.
        name: String,
    },
    /// Two maps have different sizes.
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// The climate of the map could not be computed.
    #[error(transparent)]
    Climate(#[from] TableError),
    /// The work was canceled, or one of its steps rejected its parameters.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

const OWNER: &str = "layer rule";

impl LayerRule {
    /// The largest weight that it can have.
    pub(super) fn most(&self) -> f64 {
        let near_water = self.beside_water.map_or(0.0, |near| near.weight);
        self.weight.max(near_water)
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// If a number is out of its range. The error names the first one.
    pub fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range(OWNER, "weight", self.weight, 0.0, 1000.0)?;
        self.bands().iter().try_for_each(|band| band.validate())?;
        self.noise.map_or(Ok(()), |noise| noise.validate())?;
        self.beside_water
            .map_or(Ok(()), |near_water| near_water.validate())
    }

    fn bands(&self) -> [&Band; 7] {
        [
            &self.height,
            &self.altitude,
            &self.slope,
            &self.curvature,
            &self.moisture,
            &self.coast,
            &self.river,
        ]
    }
}

impl NearWater {
    fn validate(&self) -> Result<(), ParamError> {
        const OWNER: &str = "beside water";
        ParamError::check_range(OWNER, "weight", self.weight, 0.0, 1000.0)?;
        ParamError::check_range(OWNER, "reach", self.reach, 0.0, 1e5)
    }

    /// Returns the weight at a distance from the water in meters, which is 0 or less in the water.
    pub(super) fn wants(&self, distance: f64) -> f64 {
        let half = 0.5 * self.reach;
        let band = Band {
            from: None,
            to: Some(half),
            fade: half,
        };
        self.weight * band.share(distance)
    }
}

impl LayerNoise {
    fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, from, to| ParamError::check_range("layer noise", name, value, from, to);
        check("wavelength", self.wavelength, 0.1, 1e5)?;
        check("coverage", self.coverage, 0.0, 1.0)?;
        check("softness", self.softness, 0.01, 2.0)
    }

    /// Returns how much the positions with these x and the same z are in a patch, from 0 to 1.
    pub(super) fn along(&self, xs: &[f64], z: f64) -> Vec<f64> {
        // The median of the noise is 0, and values beyond 0.7 are rare.
        let level = 0.7 * (1.0 - 2.0 * self.coverage);
        let mut noise = patches(xs, z, self.wavelength, self.seed);
        for value in &mut noise {
            let t = ((*value - level) / self.softness + 0.5).clamp(0.0, 1.0);
            *value = t * t * (3.0 - 2.0 * t);
        }
        noise
    }
}

impl Fray {
    fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, from, to| ParamError::check_range("layer fray", name, value, from, to);
        check("wavelength", self.wavelength, 0.1, 1e5)?;
        check("height", self.height, 0.0, 1e4)?;
        check("slope", self.slope, 0.0, 90.0)
    }

    /// Returns the offsets at the positions with these x and the same z, from -1 to 1.
    pub(super) fn along(&self, xs: &[f64], z: f64) -> Vec<f64> {
        patches(xs, z, self.wavelength, 0x0f4a)
    }
}

/// Two octaves of simplex noise at positions with the same z, from -1 to 1.
fn patches(xs: &[f64], z: f64, wavelength: f64, seed: u32) -> Vec<f64> {
    let octave = |scale: f64, seed| {
        let scaled: Vec<f64> = xs.iter().map(|x| x * scale).collect();
        let mut noise = vec![0.0; xs.len()];
        simplex_noise_row(&scaled, z * scale, seed, &mut noise);
        noise
    };
    let per_meter = 1.0 / wavelength;
    let coarse = octave(per_meter, seed);
    let fine = octave(2.63 * per_meter, seed.wrapping_add(0x9e37));
    let both = coarse.into_iter().zip(fine);
    both.map(|(coarse, fine)| (2.0 * f64::from(coarse) + f64::from(fine)) / 3.0)
        .collect()
}

impl LayerRules {
    /// The maximum number of layers. A texel of the control map has four bits for each of its two
    /// layers.
    pub const MAX: usize = 16;

    /// Checks the number of layers, all numbers, and that all biomes exist.
    ///
    /// # Errors
    /// If something is invalid. The error names the first invalid layer.
    pub fn validate(&self) -> Result<(), LayerError> {
        let count = self.rules.len();
        if !(1..=Self::MAX).contains(&count) {
            return Err(LayerError::Count { count });
        }
        self.fray.validate()?;
        for (layer, rule) in self.rules.iter().enumerate() {
            let named = |error| LayerError::Rule { layer, error };
            rule.validate().map_err(named)?;
        }
        self.biomes().map(drop)
    }

    /// Returns the biomes of each rule as bits. All bits are set if the rule names no biomes.
    pub(super) fn biomes(&self) -> Result<Vec<u64>, LayerError> {
        let table = BiomeTable::default();
        let bit = |layer: usize, name: &String| -> Result<u64, LayerError> {
            let index = table.biomes.iter().position(|biome| biome.name == *name);
            let unknown = || LayerError::UnknownBiome {
                layer,
                name: name.clone(),
            };
            Ok(1 << index.ok_or_else(unknown)?.min(63))
        };
        let bits = |(layer, rule): (usize, &LayerRule)| {
            if rule.biomes.is_empty() {
                return Ok(u64::MAX);
            }
            let mut names = rule.biomes.iter();
            names.try_fold(0, |bits, name| Ok(bits | bit(layer, name)?))
        };
        self.rules.iter().enumerate().map(bits).collect()
    }

    /// Whether any rule has a bound in this band.
    pub(super) fn ask_for(&self, band: impl Fn(&LayerRule) -> &Band) -> bool {
        self.rules.iter().any(|rule| is_bounded(band(rule)))
    }
}

/// Whether a band excludes any values.
pub(super) fn is_bounded(band: &Band) -> bool {
    band.from.is_some() || band.to.is_some()
}
