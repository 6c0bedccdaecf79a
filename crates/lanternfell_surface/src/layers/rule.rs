//! What a layer says of where it lies.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use lanternfell_heightmap::{
    Band, GenerateError, ParamError,
    climate::{BiomeTable, TableError},
    simplex_noise,
};

/// Where one layer of ground lies: wanted where all of these agree, and as much as they do.
///
/// Every band is boundless by default, so a rule without any lies everywhere.
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
    /// How much it is wanted where all agree, from 0 to 1000; 1 by default. Where several rules want a
    /// place the two that want it most share it.
    pub weight: f64,
    /// Metres above the sea.
    pub height: Band,
    /// Height above the sea as a share of the way from there to a height of 1.
    pub altitude: Band,
    /// Steepness in degrees.
    pub slope: Band,
    /// How the ground bends, in 1/metre: above 0 on ridges, below in gullies.
    pub curvature: Band,
    /// How wet it is, in millimetres per year; 0 to about 2500.
    pub moisture: Band,
    /// Metres from the coast, below 0 in the sea.
    pub coast: Band,
    /// Metres from the nearest river: from where one would run.
    pub river: Band,
    /// In these biomes of the default [`BiomeTable`]; with none, the default, in all.
    pub biomes: Vec<String>,
    /// As much as that mask says, from 0 to 1; with none, the default, everywhere.
    pub mask: Option<String>,
    /// In patches; with none, the default, everywhere.
    pub noise: Option<LayerNoise>,
    /// In and beside the [rivers and lakes that were laid](super::ControlMapBuilder::waters) too, whatever else is asked;
    /// with none, the default, not.
    pub beside_water: Option<BesideWater>,
}

/// What lies in and beside rivers and lakes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BesideWater {
    /// How much it is wanted there, from 0 to 1000; 6 by default.
    pub weight: f64,
    /// Metres from the water, from 0 to 100,000, on half of which it is wanted whole; 2.5 by default.
    pub reach: f64,
}

impl Default for BesideWater {
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

/// Patches of noise in which a layer lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayerNoise {
    /// Metres from one patch to the next, from 0.1 to 100,000; 40 by default.
    pub wavelength: f64,
    /// About which share of the ground is in a patch, from 0 to 1; 0.5 by default.
    pub coverage: f64,
    /// How soft the patches' borders are, from 0.01 to 2; 0.4 by default.
    pub softness: f64,
    /// Another number, other patches.
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

/// How borders that heights and slopes draw are frayed, so that none is a contour line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fray {
    /// Metres from one tongue to the next, from 0.1 to 100,000; 12 by default.
    pub wavelength: f64,
    /// By how many metres of height, at most about; from 0 to 10,000, 1 by default.
    pub height: f64,
    /// By how many degrees of slope, at most about; from 0 to 90, 6 by default.
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

/// The rules of all layers of a ground, in the layers' order. Where none wants a place the first layer lies.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayerRules {
    /// One for each layer, at most [`LayerRules::MAX`].
    pub rules: Vec<LayerRule>,
    /// How their borders are frayed.
    pub fray: Fray,
}

/// Why a ground can not be covered by these rules.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LayerError {
    /// There is no layer, or there are more than fit.
    #[error("{count} layers: there must be from 1 to {max}", max = LayerRules::MAX)]
    Count {
        /// How many there are.
        count: usize,
    },
    /// A number of a layer's rule is out of its range.
    #[error("layer {layer}: {source}")]
    Rule {
        /// Which layer, counted from 0.
        layer: usize,
        /// Which number.
        source: ParamError,
    },
    /// A number that all rules share is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// There is no biome of that name.
    #[error("layer {layer}: there is no biome '{name}'")]
    UnknownBiome {
        /// Which layer, counted from 0.
        layer: usize,
        /// What it asked for.
        name: String,
    },
    /// There is no mask of that name, or one of another shape than the map.
    #[error("layer {layer}: there is no mask '{name}' of this map")]
    UnknownMask {
        /// Which layer, counted from 0.
        layer: usize,
        /// What it asked for.
        name: String,
    },
    /// The climate of the map can not be told.
    #[error(transparent)]
    Climate(#[from] TableError),
    /// The work was cancelled, or a part of it refused its numbers.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

const OWNER: &str = "layer rule";

impl LayerRule {
    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first that is outside.
    pub fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range(OWNER, "weight", self.weight, 0.0, 1000.0)?;
        self.bands().iter().try_for_each(|band| band.validate())?;
        self.noise.map_or(Ok(()), |noise| noise.validate())?;
        self.beside_water.map_or(Ok(()), |beside| beside.validate())
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

impl BesideWater {
    fn validate(&self) -> Result<(), ParamError> {
        const OWNER: &str = "beside water";
        ParamError::check_range(OWNER, "weight", self.weight, 0.0, 1000.0)?;
        ParamError::check_range(OWNER, "reach", self.reach, 0.0, 1e5)
    }

    /// How much it is wanted so many metres from the water, which is 0 or less in it.
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

    /// How much a place is in a patch, from 0 to 1.
    pub(super) fn share(&self, place: [f64; 2]) -> f64 {
        let noise = patches(place, self.wavelength, self.seed);
        // The noise is below its middle as often as above, and nearly never beyond 0.7.
        let level = 0.7 * (1.0 - 2.0 * self.coverage);
        let t = ((noise - level) / self.softness + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
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

    /// From -1 to 1.
    pub(super) fn at(&self, place: [f64; 2]) -> f64 {
        patches(place, self.wavelength, 0x0f4a)
    }
}

/// Two octaves of simplex noise, from -1 to 1.
fn patches([x, z]: [f64; 2], wavelength: f64, seed: u32) -> f64 {
    let at = |scale: f64, seed| f64::from(simplex_noise([x * scale, z * scale], seed));
    let per_meter = 1.0 / wavelength;
    let coarse = at(per_meter, seed);
    (2.0 * coarse + at(2.63 * per_meter, seed.wrapping_add(0x9e37))) / 3.0
}

impl LayerRules {
    /// So many layers at most: a texel of the control map has four bits for each of its two.
    pub const MAX: usize = 16;

    /// Checks every number, and whether all biomes exist.
    ///
    /// # Errors
    /// Names the first layer with something that can not be.
    pub fn validate(&self) -> Result<(), LayerError> {
        let count = self.rules.len();
        if !(1..=Self::MAX).contains(&count) {
            return Err(LayerError::Count { count });
        }
        self.fray.validate()?;
        for (layer, rule) in self.rules.iter().enumerate() {
            let named = |source| LayerError::Rule { layer, source };
            rule.validate().map_err(named)?;
        }
        self.biomes().map(drop)
    }

    /// For each rule the biomes in which it lies, as bits; all where it names none.
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

    /// Whether any rule bounds what `band` says.
    pub(super) fn ask_for(&self, band: impl Fn(&LayerRule) -> &Band) -> bool {
        let bounded = |band: &Band| band.from.is_some() || band.to.is_some();
        self.rules.iter().any(|rule| bounded(band(rule)))
    }
}
