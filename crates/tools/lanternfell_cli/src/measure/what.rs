//! The quantities that can be measured for each cell.

use clap::ValueEnum;
use lanternfell_heightmap::{
    Elevation, GroundScale, Heightmap, Progress, RgbImage, Scale,
    analysis::{
        Aspect, CoastDistance, Curvature, CurvatureKind, Hillshade, NormalMap, SkyView, Slope,
        TopographicPositionIndex, roughness, ruggedness,
    },
    climate::{Climate, LegendEntry, Location},
    hydrology::{Drainage, FlowRouting, Hydrology, Lakes, Rivers},
    is_land,
};

use crate::failure::Failure;

/// A quantity that each cell has. The comments on the variants are help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum What {
    /// Height in meters
    Elevation,
    /// Slope in degrees; as integers, 90 is 1
    Slope,
    /// Downhill direction in degrees: 0 north, 90 east, -1 flat; as integers, 360 is 1
    Aspect,
    /// Brightness with the sun in the northwest, 45 degrees high, from 0 to 1
    Hillshade,
    /// Curvature in 1/meter: above 0 on ridges, below 0 in hollows
    Curvature,
    /// Curvature along the slope
    ProfileCurvature,
    /// Curvature along the contour line
    PlanCurvature,
    /// Visible share of the sky, from 0 to 1 (1 minus ambient occlusion)
    Sky,
    /// Ruggedness in meters: the root of the sum of the squared height differences to the eight neighbors
    Ruggedness,
    /// Difference between the highest and the lowest of the cell and its eight neighbors, in meters
    Roughness,
    /// Height above the mean of the cells within --radius, in meters
    Position,
    /// Distance to the coast in meters; below 0 at sea
    Coast,
    /// 1 on land, 0 at sea
    Land,
    /// Number of cells that drain through the cell, including itself
    Catchment,
    /// 1 in a river, less on its banks, 0 elsewhere; 0 in lakes that rivers cross
    Rivers,
    /// 1 in a lake, 0 elsewhere
    Lakes,
    /// Temperature in degrees Celsius
    Temperature,
    /// Rain in millimeters per year
    Rain,
    /// Rain and seepage from nearby water, in millimeters per year
    Moisture,
    /// Number of the biome; 253 and above are water; as integers, 255 is 1
    Biomes,
    /// Normal map, as an image: .png only
    Normals,
}

/// The input of a measurement.
pub(super) struct Terrain<'a> {
    pub(super) map: &'a Heightmap,
    /// The scale with square cells, and the one with the exact spacings.
    pub(super) scale: Scale,
    pub(super) ground: GroundScale,
    pub(super) sea_level: f32,
    pub(super) climate: Climate,
    pub(super) location: Location,
    pub(super) normals: NormalMap,
    pub(super) position: TopographicPositionIndex,
    pub(super) rivers: Rivers,
    /// How water flows to catchments.
    pub(super) flow: FlowRouting,
    pub(super) elevation: Elevation,
    /// Whether catchments are written as logarithms.
    pub(super) log: bool,
}

/// The result of a measurement.
pub(super) enum Measured {
    /// Values, with a legend if they have names.
    Values(Heightmap, Vec<LegendEntry>),
    RgbImage(RgbImage),
}

/// Lakes with fewer cells are ignored.
const LEAST_LAKE: u32 = 8;

impl What {
    /// Returns the name on the command line.
    pub(super) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the unit of the values, after a space, if they have one.
    pub(super) fn unit(self, log: bool) -> &'static str {
        match self {
            Self::Slope | Self::Aspect => " degrees",
            Self::Curvature | Self::ProfileCurvature | Self::PlanCurvature => " per meter",
            Self::Elevation | Self::Ruggedness | Self::Roughness | Self::Position | Self::Coast => {
                " m"
            }
            Self::Catchment if log => ", the logarithm of cells",
            Self::Catchment => " cells",
            Self::Temperature => " degrees Celsius",
            Self::Rain | Self::Moisture => " mm per year",
            Self::Hillshade
            | Self::Sky
            | Self::Land
            | Self::Rivers
            | Self::Lakes
            | Self::Biomes
            | Self::Normals => "",
        }
    }

    /// Returns the values that become 0 and 1 in integer formats, if they do not depend on the map.
    pub(super) fn whole_range(self) -> Option<(f32, f32)> {
        match self {
            Self::Slope => Some((0.0, 90.0)),
            Self::Aspect => Some((0.0, 360.0)),
            Self::Biomes => Some((0.0, 255.0)),
            Self::Hillshade | Self::Sky | Self::Land | Self::Rivers | Self::Lakes => {
                Some((0.0, 1.0))
            }
            Self::Elevation
            | Self::Curvature
            | Self::ProfileCurvature
            | Self::PlanCurvature
            | Self::Ruggedness
            | Self::Roughness
            | Self::Position
            | Self::Coast
            | Self::Catchment
            | Self::Temperature
            | Self::Rain
            | Self::Moisture
            | Self::Normals => None,
        }
    }

    /// Returns whether the result is an image.
    pub(super) fn is_picture(self) -> bool {
        self == Self::Normals
    }

    /// Returns how many cells around a cell the quantity needs, for this radius of positions, or `None` if it needs the
    /// whole map.
    pub(super) fn reach(self, radius: usize) -> Option<usize> {
        match self {
            Self::Slope
            | Self::Aspect
            | Self::Hillshade
            | Self::Curvature
            | Self::ProfileCurvature
            | Self::PlanCurvature
            | Self::Ruggedness
            | Self::Roughness
            | Self::Normals => Some(1),
            Self::Position => Some(radius),
            Self::Elevation | Self::Land | Self::Temperature => Some(0),
            Self::Sky
            | Self::Coast
            | Self::Catchment
            | Self::Rivers
            | Self::Lakes
            | Self::Rain
            | Self::Moisture
            | Self::Biomes => None,
        }
    }

    /// Returns whether the quantity depends on the sea level.
    pub(super) fn knows_the_sea(self) -> bool {
        matches!(
            self,
            Self::Coast | Self::Land | Self::Catchment | Self::Rivers | Self::Lakes
        ) || self.knows_the_weather()
    }

    /// Returns whether the quantity depends on the climate.
    pub(super) fn knows_the_weather(self) -> bool {
        matches!(
            self,
            Self::Temperature | Self::Rain | Self::Moisture | Self::Biomes
        )
    }

    pub(super) fn of(self, ground: &Terrain<'_>, progress: &Progress) -> Result<Measured, Failure> {
        let Terrain {
            map,
            scale,
            ground: cells,
            ..
        } = *ground;
        let bend = |kind| Curvature { kind }.of(map, cells, progress);
        let values = match self {
            Self::Elevation => ground.elevation(),
            Self::Slope => Slope::default().of(map, cells, progress)?,
            Self::Aspect => Aspect.on(map, cells, progress)?,
            Self::Hillshade => Hillshade::default().of(map, cells, progress)?,
            Self::Curvature => bend(CurvatureKind::Mean)?,
            Self::ProfileCurvature => bend(CurvatureKind::Profile)?,
            Self::PlanCurvature => bend(CurvatureKind::Plan)?,
            Self::Sky => SkyView::default().of(map, scale, progress)?,
            Self::Ruggedness => ruggedness(map, scale, progress)?,
            Self::Roughness => roughness(map, scale, progress)?,
            Self::Position => ground.position.of(map, scale, progress)?,
            Self::Coast => ground.coast().of(map, scale, progress)?,
            Self::Land => ground.land(),
            Self::Catchment => ground.catchment(progress)?,
            Self::Rivers => ground.rivers(progress)?,
            Self::Lakes => {
                let drainage = ground.drain(&progress.span(0.0, 0.8))?;
                drainage
                    .lakes(map, LEAST_LAKE, &progress.span(0.8, 1.0))?
                    .mask()
            }
            Self::Temperature => ground
                .climate
                .temperature
                .of(map, ground.location, progress)?,
            Self::Rain => ground.climate.rain.of(map, ground.location, progress)?,
            Self::Moisture => ground.moisture(progress)?,
            Self::Biomes => {
                let biomes = ground.climate.biomes_of(map, ground.location, progress)?;
                let numbers = ground.values(biomes.cells().iter().map(|&number| number.into()));
                return Ok(Measured::Values(numbers, biomes.legend()));
            }
            Self::Normals => {
                return Ok(Measured::RgbImage(ground.normals.of(map, cells, progress)?));
            }
        };
        Ok(Measured::Values(values, Vec::new()))
    }
}

impl Terrain<'_> {
    fn values(&self, values: impl Iterator<Item = f32>) -> Heightmap {
        let values = Heightmap::from_heights(self.map.size(), values.collect());
        values.expect("one finite value per cell")
    }

    fn elevation(&self) -> Heightmap {
        let heights = self.map.heights().iter();
        self.values(heights.map(|&z| self.elevation.meters(z) as f32))
    }

    fn coast(&self) -> CoastDistance {
        CoastDistance {
            sea_level: self.sea_level,
        }
    }

    fn land(&self) -> Heightmap {
        let heights = self.map.heights().iter();
        self.values(heights.map(|&z| f32::from(u8::from(is_land(z, self.sea_level)))))
    }

    fn drain(&self, progress: &Progress) -> Result<Drainage, Failure> {
        let hydrology = Hydrology {
            sea_level: Some(self.sea_level),
            ..Hydrology::default()
        };
        Ok(hydrology.drain(self.map, progress)?)
    }

    fn rivers(&self, progress: &Progress) -> Result<Heightmap, Failure> {
        let drainage = self.drain(&progress.span(0.0, 0.6))?;
        let lakes = drainage.lakes(self.map, LEAST_LAKE, &progress.span(0.6, 0.8))?;
        let rivers = self.rivers.mask(&drainage, &progress.span(0.8, 1.0))?;
        // In lakes, the flow from cell to cell is not a river.
        let dry = |(&river, &lake): (&f32, &u32)| if lake == Lakes::LAND { river } else { 0.0 };
        Ok(self.values(rivers.heights().iter().zip(&lakes.labels).map(dry)))
    }

    fn catchment(&self, progress: &Progress) -> Result<Heightmap, Failure> {
        let drainage = self.drain(&progress.span(0.0, 0.8))?;
        let areas = drainage.catchments(self.flow, &progress.span(0.8, 1.0))?;
        let value = |cells: f64| {
            if self.log {
                libm::log10(cells) as f32
            } else {
                cells as f32
            }
        };
        Ok(self.values(areas.into_iter().map(value)))
    }

    fn moisture(&self, progress: &Progress) -> Result<Heightmap, Failure> {
        Ok(self
            .climate
            .moisture_of(self.map, self.location, progress)?)
    }
}
