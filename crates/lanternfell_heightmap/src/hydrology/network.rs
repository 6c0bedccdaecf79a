//! Statistics of a river network, which geographers use to describe real ones.
//!
//! Idea: a stream is a stretch of river of one Strahler order. It starts at a source, or at the confluence that created
//! its order, and ends where it joins a stream of a higher order. The streams of a network follow laws that hold from
//! gullies to the Amazon:
//!
//! ```text
//!   order   streams   mean length   mean catchment         from one order to the next
//!     1        84        1.0             1.0       Horton: streams become fewer by R_B, 3 to 5,
//!     2        20        2.1             4.3       and longer by R_L, 1.5 to 3.5;
//!     3         5        4.8            19.2       Schumm: catchments grow by R_A, 3 to 6;
//!     4         1        9.9            85.0       Hack: a catchment of area A is c A^h long,
//!                                                  with h from 0.5 to 0.6.
//! ```
//!
//! Melton: a unit of area has 0.69 D^2 streams, where D is the length of rivers on it. This does not depend on the
//! catchment area at which rivers start.
//!
//! Steps: compute the Strahler orders. Then, in one pass downstream, each stream sums its length until it ends, and
//! each cell finds the longest upstream path, from the divide. Finally fit straight lines to logarithms by least
//! squares.
//!
//! Cost: O(n). Memory: 13 bytes per cell in addition to the drainage.
//!
//! Sources: Horton, *Erosional development of streams and their drainage basins*, 1945, for the laws and the drainage
//! density; Schumm, *Evolution of drainage systems and slopes in badlands at Perth Amboy*, 1956; Hack, *Studies of
//! longitudinal stream profiles in Virginia and Maryland*, 1957; Melton, *Geometric properties of mature drainage
//! systems and their representation in an E4 phase space*, 1958; the ranges are from Smart, *Channel networks*, 1972,
//! and Rigon et al., *On Hack's law*, 1996.

use super::{Drainage, Rivers, grid::DISTANCES, strahler::strahler};
use crate::{GenerateError, Progress, least_squares::Line};

/// Statistics of the river network of a map, returned by [`Rivers::network`].
///
/// ```
/// use lanternfell_heightmap::{FractalNoise, MapSize, Progress};
/// use lanternfell_heightmap::hydrology::{Hydrology, Rivers};
///
/// let progress = Progress::default();
/// let map = FractalNoise::default().generate(MapSize::new(256, 256)?, 7, &progress)?;
/// let water = Hydrology { sea_level: Some(FractalNoise::SEA_LEVEL), border: true };
/// let drainage = water.drain(&map, &progress)?;
/// let network = Rivers::default().network(&drainage, &progress)?;
/// assert!(network.orders[0].streams > network.orders[1].streams);
/// assert!(network.bifurcation_ratio().unwrap() > 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// The streams by Strahler order, starting with order 1. Empty if there are no rivers.
    pub orders: Vec<StreamOrder>,
    /// The number of land cells: those whose water flows to a neighbor.
    pub land: u64,
    /// Hack's law fitted to all streams. `None` with fewer than three streams, or if all catchments have the same area.
    pub hack: Option<HackLaw>,
}

/// All streams of one Strahler order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StreamOrder {
    /// The number of streams.
    pub streams: u64,
    /// The total length of the streams, in cells.
    pub length: f64,
    /// The total catchment area at the ends of the streams, in cells.
    pub area: f64,
}

/// Hack's law: `length = factor * area ^ exponent`, both in cells. It describes the length of catchments as a function
/// of their area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HackLaw {
    /// 0.5 if catchments of all sizes have the same shape; 0.5 to 0.6 in nature, because larger catchments are
    /// narrower.
    pub exponent: f64,
    /// The length of a catchment of one cell, in cells.
    pub factor: f64,
}

impl HackLaw {
    /// Fits the law to the logarithms of areas and lengths.
    fn of(streams: &Line) -> Option<Self> {
        let exponent = streams.slope().filter(|_| streams.points() >= 3.0)?;
        let factor = libm::exp(streams.height_at_0(exponent));
        Some(Self { exponent, factor })
    }
}

impl Network {
    /// Horton's bifurcation ratio: the factor by which the number of streams decreases from one order to the next. 3 to
    /// 5 in nature. `None` with fewer than two orders.
    pub fn bifurcation_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.streams as f64)
            .map(|ratio| 1.0 / ratio)
    }

    /// Horton's length ratio: the factor by which the mean length of streams increases from one order to the next. 1.5
    /// to 3.5 in nature. `None` with fewer than two orders.
    pub fn length_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.length / order.streams as f64)
    }

    /// Schumm's area ratio: the factor by which the mean catchment increases from one order to the next. 3 to 6 in
    /// nature. `None` with fewer than two orders.
    pub fn area_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.area / order.streams as f64)
    }

    /// The drainage density: the length of rivers per area of land, in 1/cell. To convert it to kilometers per square
    /// kilometer, divide it by the spacing in meters and multiply by 1000. It depends on the catchment at which rivers
    /// start.
    pub fn density(&self) -> f64 {
        let lengths = self.orders.iter().map(|order| order.length);
        let length = lengths.fold(0.0, |sum, length| sum + length);
        length / self.land.max(1) as f64
    }

    /// Melton's ratio: the number of streams per area of land, divided by the square of the [density](Self::density).
    ///
    /// About 0.69 where rivers have shaped all of the terrain, and more where many short streams flow side by side into
    /// a sea or over the border. It hardly depends on where rivers start. `None` without rivers.
    pub fn relative_density(&self) -> Option<f64> {
        let streams: u64 = self.orders.iter().map(|order| order.streams).sum();
        let frequency = streams as f64 / self.land.max(1) as f64;
        (streams > 0).then(|| frequency / (self.density() * self.density()))
    }

    /// The factor from one order to the next, from a straight line through logarithms.
    fn ratio(&self, of: impl Fn(&StreamOrder) -> f64) -> Option<f64> {
        let mut line = Line::default();
        for (order, streams) in self.orders.iter().enumerate() {
            line.add(order as f64, libm::log(of(streams)));
        }
        line.slope().map(libm::exp)
    }
}

impl Rivers {
    /// Computes the statistics of all rivers. [`width`](Self::width) is not used.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn network(
        &self,
        drainage: &Drainage,
        progress: &Progress,
    ) -> Result<Network, GenerateError> {
        self.validate()?;
        let areas = drainage.areas(&progress.span(0.0, 0.3))?;
        let least = self.least_area(drainage);
        let orders = strahler(drainage, &areas, least, &progress.span(0.3, 0.6))?;
        let mut network = Network {
            orders: vec![StreamOrder::default(); orders.iter().copied().max().unwrap_or(0).into()],
            land: 0,
            hack: None,
        };
        let (mut hack, mut along, mut longest) = (
            Line::default(),
            vec![0.0_f32; areas.len()],
            vec![0.0_f32; areas.len()],
        );
        let flow = &drainage.flow;
        flow.downstream(&progress.span(0.6, 1.0), |cell, receiver| {
            network.land += 1;
            let step = DISTANCES[usize::from(flow.directions[cell])];
            let way = longest[cell] + step;
            longest[receiver] = longest[receiver].max(way);
            let order = orders[cell];
            if order == 0 {
                return;
            }
            let length = along[cell] + step;
            // Two streams of the same order create a higher one where they meet, so this is the only one.
            if orders[receiver] == order {
                along[receiver] = length;
                return;
            }
            let streams = &mut network.orders[usize::from(order) - 1];
            streams.streams += 1;
            streams.length += f64::from(length);
            streams.area += f64::from(areas[cell]);
            hack.add(libm::log(areas[cell].into()), libm::log(way.into()));
        })?;
        network.hack = HackLaw::of(&hack);
        Ok(network)
    }
}
