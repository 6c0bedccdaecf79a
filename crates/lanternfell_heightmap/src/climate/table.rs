//! The table of biomes by temperature and moisture.
//!
//! A biome has niches, which are points on the plane of temperature and moisture. A location gets the biome of the
//! nearest niche. So any table covers the whole plane without gaps or overlaps, and a biome of an irregular shape has
//! several niches.
//!
//! ```text
//!   moisture                          default: after Whittaker
//!      ^             · tropical
//!      |   · temperate  rain forest   distance: 10 kelvin count as much as 10
//!      |     rain forest              units of the square root of the moisture in
//!      | ·   · seasonal forests       millimeters. So deserts, which differ by
//!      | taiga · grass  · savanna     100 mm, are as far apart as forests, which
//!      | tundra      · desert         differ by 1000.
//!      +-------------------------> temperature
//! ```
//!
//! Source: Whittaker, *Communities and Ecosystems*, second edition, 1975.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Canceled, GenerateError, ParamError};

/// A point on the plane of temperature and moisture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Niche {
    /// The annual mean in degrees Celsius; from -100 to 100.
    pub temperature: f32,
    /// Millimeters per year; from 0 to 20,000.
    pub moisture: f32,
}

/// A biome: what grows in certain climates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Biome {
    /// Its name, which must be unique in the table.
    pub name: String,
    /// Its color on maps: red, green and blue in sRGB.
    pub color: [u8; 3],
    /// The climates in which it grows; at least one.
    pub niches: Vec<Niche>,
}

/// The biomes, and the colors of water.
///
/// ```
/// use lanternfell_heightmap::climate::BiomeTable;
///
/// let table = BiomeTable::default();
/// assert!(table.validate().is_ok());
/// assert_eq!(table.biomes[table.nearest(26.0, 3000.0)].name, "tropical rain forest");
/// assert_eq!(table.biomes[table.nearest(-20.0, 200.0)].name, "ice");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BiomeTable {
    /// The biomes of land; from 1 to 250. Default: those of Whittaker.
    pub biomes: Vec<Biome>,
    /// The color of the deep ocean.
    pub ocean: [u8; 3],
    /// The color of the ocean at the shore.
    pub shallows: [u8; 3],
    /// The color of lakes.
    pub lake: [u8; 3],
    /// The color of frozen water.
    pub sea_ice: [u8; 3],
    /// The annual mean temperature below which water is frozen, in degrees Celsius; from -100 to 100. Default: -5.
    pub freezing: f32,
}

/// An error in a table of biomes, or while biomes are computed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableError {
    /// The table has no biomes, or too many.
    #[error("biomes: the table has {0}, but must have from 1 to {max}", max = BiomeTable::MAX_BIOMES)]
    Count(usize),
    /// Two biomes have the same name.
    #[error("biomes: two are named `{0}`")]
    DuplicateName(String),
    /// A biome has no niche.
    #[error("biomes: `{0}` has no niche, but needs at least one")]
    NoNiche(String),
    /// A biome has no name.
    #[error("biomes: number {0} has no name")]
    MissingName(usize),
    /// Two biomes have the same niche, so that one of them would never grow there.
    #[error("biomes: `{0}` and `{1}` have the same niche")]
    SameNiche(String, String),
    /// A parameter is out of range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

impl From<GenerateError> for TableError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Param(error) => error.into(),
            GenerateError::Canceled(error) => error.into(),
        }
    }
}

impl BiomeTable {
    /// The largest number of biomes. The numbers above it are reserved for water.
    pub const MAX_BIOMES: usize = 250;

    /// Checks that every biome has a name and a niche, and that names and niches are unique.
    ///
    /// # Errors
    /// Names the problem and the biome.
    pub fn validate(&self) -> Result<(), TableError> {
        if !(1..=Self::MAX_BIOMES).contains(&self.biomes.len()) {
            return Err(TableError::Count(self.biomes.len()));
        }
        let check = |name, value: f32, min, max| {
            ParamError::check_range("biomes", name, ParamError::shortest(value), min, max)
        };
        check("freezing", self.freezing, -100.0, 100.0)?;
        for (number, biome) in self.biomes.iter().enumerate() {
            if biome.name.trim().is_empty() {
                return Err(TableError::MissingName(number));
            }
            if biome.niches.is_empty() {
                return Err(TableError::NoNiche(biome.name.clone()));
            }
            for niche in &biome.niches {
                check("temperature", niche.temperature, -100.0, 100.0)?;
                check("moisture", niche.moisture, 0.0, 20_000.0)?;
            }
            for other in &self.biomes[..number] {
                if other.name == biome.name {
                    return Err(TableError::DuplicateName(biome.name.clone()));
                }
                if biome
                    .niches
                    .iter()
                    .any(|niche| other.niches.contains(niche))
                {
                    let names = (other.name.clone(), biome.name.clone());
                    return Err(TableError::SameNiche(names.0, names.1));
                }
            }
        }
        Ok(())
    }

    /// The index of the biome that grows at this temperature in degrees Celsius and this moisture in millimeters per
    /// year. If two are equally near, the first one.
    pub fn nearest(&self, temperature: f32, moisture: f32) -> usize {
        self.finder().find(temperature, moisture).into()
    }

    pub(super) fn finder(&self) -> Finder {
        let numbered = (0..).zip(&self.biomes);
        let places = numbered.flat_map(|(number, biome): (u8, _)| {
            biome.niches.iter().map(move |niche| NichePoint {
                temperature: niche.temperature,
                root: niche.moisture.sqrt(),
                number,
            })
        });
        Finder(places.collect())
    }
}

/// Finds the nearest niche.
#[derive(Debug)]
pub(super) struct Finder(Vec<NichePoint>);

/// A niche in the coordinates in which distances are measured, with the index of its biome.
#[derive(Debug, Clone, Copy)]
struct NichePoint {
    temperature: f32,
    root: f32,
    number: u8,
}

impl Finder {
    #[inline(always)]
    pub(super) fn find(&self, temperature: f32, moisture: f32) -> u8 {
        let root = moisture.max(0.0).sqrt();
        let mut best = (f32::INFINITY, 0);
        for place in &self.0 {
            let (x, y) = (temperature - place.temperature, root - place.root);
            let square = x * x + y * y;
            best = if square < best.0 {
                (square, place.number)
            } else {
                best
            };
        }
        best.1
    }
}

impl Default for BiomeTable {
    /// Whittaker's biomes with an added biome for ice, and with cold and hot deserts as one biome.
    fn default() -> Self {
        let biome = |name: &str, color, niches: &[(f32, f32)]| Biome {
            name: name.to_owned(),
            color,
            niches: niches
                .iter()
                .map(|&(temperature, moisture)| Niche {
                    temperature,
                    moisture,
                })
                .collect(),
        };
        Self {
            biomes: vec![
                biome(
                    "ice",
                    [238, 243, 247],
                    &[(-11.0, 100.0), (-10.0, 900.0), (-9.0, 2800.0)],
                ),
                biome(
                    "tundra",
                    [172, 170, 148],
                    &[(-3.0, 150.0), (-3.0, 900.0), (-2.0, 2800.0)],
                ),
                biome(
                    "taiga",
                    [92, 118, 96],
                    &[(3.0, 500.0), (3.5, 1300.0), (4.0, 2600.0)],
                ),
                biome(
                    "temperate grassland",
                    [180, 194, 112],
                    &[(9.0, 300.0), (15.0, 420.0)],
                ),
                biome("shrubland", [150, 152, 84], &[(16.0, 750.0)]),
                biome(
                    "temperate forest",
                    [104, 142, 80],
                    &[(10.0, 900.0), (13.0, 1400.0)],
                ),
                biome(
                    "temperate rain forest",
                    [58, 110, 84],
                    &[(10.0, 2400.0), (15.0, 2800.0)],
                ),
                biome(
                    "desert",
                    [226, 204, 152],
                    &[(10.0, 60.0), (18.0, 100.0), (26.0, 150.0)],
                ),
                biome("savanna", [214, 184, 92], &[(22.0, 550.0), (26.0, 800.0)]),
                biome(
                    "tropical seasonal forest",
                    [132, 160, 70],
                    &[(21.0, 1300.0), (26.0, 1600.0)],
                ),
                biome(
                    "tropical rain forest",
                    [46, 112, 58],
                    &[(21.0, 2500.0), (27.0, 2900.0)],
                ),
            ],
            ocean: [52, 92, 138],
            shallows: [128, 180, 204],
            lake: [104, 158, 194],
            sea_ice: [212, 226, 234],
            freezing: -5.0,
        }
    }
}
