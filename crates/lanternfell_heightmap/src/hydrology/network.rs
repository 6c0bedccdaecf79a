//! What a river network is like, in numbers by which geographers tell real ones.
//!
//! Idea: a stream is a stretch of river of one Strahler order, from its source or from the
//! confluence that made it to where a larger order takes it up. Over a whole network streams keep
//! laws that hold from gullies to the Amazon:
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
//! Melton: there are 0.69 D^2 streams on an area of 1, where D is the rivers' length on it, whether a river is said
//! to begin early or late.
//!
//! Steps: orders; one pass downstream, in which each stream hands its length on until it ends, and
//! each cell the longest way that water takes to it, from the divide; then straight lines
//! through logarithms, by least squares.
//!
//! Cost: O(n); 13 bytes per cell beside the drainage.
//!
//! Sources: Horton, *Erosional development of streams and their drainage basins*, 1945, for the
//! laws and the drainage density; Schumm, *Evolution of drainage systems and slopes in badlands at
//! Perth Amboy*, 1956; Hack, *Studies of longitudinal stream profiles in Virginia and Maryland*,
//! 1957; Melton, *Geometric properties of mature drainage systems and their representation in an E4 phase space*,
//! 1958; the ranges after Smart, *Channel networks*, 1972, and Rigon et al., *On Hack's law*, 1996.

use super::{Drainage, Rivers, grid::DISTANCES, strahler::strahler};
use crate::{GenerateError, Progress, least_squares::Line};

/// A river network in numbers.
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
    /// Its streams by Strahler's order: the first entry are those of order 1. Empty where
    /// nothing is a river.
    pub orders: Vec<StreamOrder>,
    /// The cells of land: those whose water runs to a neighbor.
    pub land: u64,
    /// Hack's law over all streams; `None` where there are fewer than three of them or all
    /// catchments are alike.
    pub hack: Option<HackLaw>,
}

/// All streams of one order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StreamOrder {
    /// How many there are.
    pub streams: u64,
    /// The length of all of them together, in cells.
    pub length: f64,
    /// The catchments of all of them, where they end, together, in cells.
    pub area: f64,
}

/// `length = factor * area ^ exponent`, both in cells: how much longer a catchment is that is
/// larger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HackLaw {
    /// 0.5 where catchments of all sizes have one shape; of real ones 0.5 to 0.6, since larger
    /// ones are slimmer.
    pub exponent: f64,
    /// The length, in cells, of a catchment of one cell.
    pub factor: f64,
}

impl HackLaw {
    /// Of logarithms of areas and lengths.
    fn of(streams: &Line) -> Option<Self> {
        let exponent = streams.slope().filter(|_| streams.points() >= 3.0)?;
        let factor = libm::exp(streams.height_at_0(exponent));
        Some(Self { exponent, factor })
    }
}

impl Network {
    /// Horton's bifurcation ratio: by how much streams become fewer from one order to the next.
    /// 3 to 5 in nature. `None` below two orders.
    pub fn bifurcation_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.streams as f64)
            .map(|ratio| 1.0 / ratio)
    }

    /// Horton's length ratio: by how much streams become longer from one order to the next. 1.5 to
    /// 3.5 in nature. `None` below two orders.
    pub fn length_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.length / order.streams as f64)
    }

    /// Schumm's area ratio: by how much catchments grow from one order to the next. 3 to 6 in
    /// nature. `None` below two orders.
    pub fn area_ratio(&self) -> Option<f64> {
        self.ratio(|order| order.area / order.streams as f64)
    }

    /// The drainage density: the rivers' length by the area of land, in 1 per cell; divided by
    /// the spacing in metres and times 1000 it is in kilometres per square kilometre. It depends on
    /// how much land a river needs to begin.
    pub fn density(&self) -> f64 {
        let lengths = self.orders.iter().map(|order| order.length);
        let length = lengths.fold(0.0, |sum, length| sum + length);
        length / self.land.max(1) as f64
    }

    /// Melton's ratio: how many streams there are on the area of land, by the square of the [density](Self::density).
    /// 0.69 where rivers have made all of the land; more where many short ones run side by side into a sea or over
    /// the border. It hardly depends on where a river begins. `None` without rivers.
    pub fn relative_density(&self) -> Option<f64> {
        let streams: u64 = self.orders.iter().map(|order| order.streams).sum();
        let frequency = streams as f64 / self.land.max(1) as f64;
        (streams > 0).then(|| frequency / (self.density() * self.density()))
    }

    /// The factor from order to order in a straight line through logarithms.
    fn ratio(&self, of: impl Fn(&StreamOrder) -> f64) -> Option<f64> {
        let mut line = Line::default();
        for (order, streams) in self.orders.iter().enumerate() {
            line.add(order as f64, libm::log(of(streams)));
        }
        line.slope().map(libm::exp)
    }
}

impl Rivers {
    /// What the network of all rivers is like; their width does not matter.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
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
            // No two of an order meet without making a higher one: this is the only one.
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
