//! Filters on a part of a map.
//!
//! Problem: a world that no memory holds, whose parts are changed alone, as if the rest were there.
//!
//! Idea: most filters look at a cell's surroundings, and some at the range of all heights; with so
//! much around the part, and that range found out once, a part gets the bits of the whole. Others
//! are decided by ever less of what is ever further away, which a margin cuts off; and erosion by
//! what the whole world is like in the large, which a coarse map knows (`erosion::guide`).
//!
//! | filter | what a part needs | is the whole's |
//! |---|---|---|
//! | pointwise ones, `Island`, `Shape`, `Edges`, `Mound`, `Dig` | nothing | to the bit |
//! | `Normalize`, `Stretch` | two heights of the whole | to the bit |
//! | `Kernel`, `Smooth(Median)`, `Smooth(Conservative)` | their radius | to the bit |
//! | `Smooth(Box)`, `Smooth(Gaussian)` and `Sharpen` up to sigma 5, `Warp`, `ThermalErosion` | their reach and the range | to the bit |
//! | wider `Smooth(Gaussian)`, `Sharpen` | 7 sigma and the range | to 0.000002 of the range |
//! | `HydraulicErosion`, `StreamPowerErosion`, `GlacialErosion` | a margin, the range and the coarse map | nearly |
//!
//! Where one of a recipe's filters is none of the whole's to the bit, the ranges of those behind it
//! are found by its coarse map, and they are nearly the whole's too.

use super::{Filter, Smooth, Stretch, smooth};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, Progress, Scale,
    erosion::{GlacialErosion, HydraulicErosion, StreamPowerErosion, guide::Change, guide::Guide},
};

/// The furthest that a filter may look beyond a part, in cells: beyond it nearly all of the work would
/// be for what is cut off.
const FURTHEST: usize = 1024;

/// Fewer coarse cells than this across, and a glacier's trough is none.
const LEAST_ACROSS: f64 = 4.0;

/// How much of a map decides a cell's new height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Locality {
    /// The cells so far around and, if `range`, two heights of the whole map.
    Exact { reach: usize, range: bool },
    /// Nearly all of it the cells so far around, and what the coarse map knows if it is `guided`.
    Near { reach: usize, guided: bool },
    /// All of it, for this reason.
    Whole(&'static str),
}

/// What is known of the whole map that a part is one of.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Its lowest and highest heights; of [`Filter::Stretch`] those that become 0 and 1.
    pub(crate) range: (f32, f32),
    /// For filters that are guided, unless they have nothing to do.
    pub(crate) guide: Option<&'a Guide>,
}

impl Filter {
    /// How much of a map of that size and scale decides a cell's new height.
    pub(crate) fn locality(&self, world: MapSize, scale: Scale) -> Locality {
        let exact = |reach| Locality::Exact {
            reach,
            range: false,
        };
        let within = |reach: usize| match reach {
            0..=FURTHEST => Locality::Exact { reach, range: true },
            _ => Locality::Whole("it looks further than 1024 cells"),
        };
        match self {
            Self::Terrace(terrace) if terrace.equal_areas => {
                Locality::Whole("equal areas are those of the whole map")
            }
            Self::Gamma(_)
            | Self::Clamp(_)
            | Self::Linear(_)
            | Self::Invert
            | Self::Turbulence(_)
            | Self::Curve(_)
            | Self::Terrace(_)
            | Self::Island(_)
            | Self::Shape(_)
            | Self::Edges(_)
            | Self::Mound(_)
            | Self::Dig(_) => exact(0),
            Self::Normalize | Self::Stretch(_) => within(0),
            Self::Smooth(Smooth::Median(radius)) => exact(*radius as usize),
            Self::Smooth(Smooth::Conservative(_)) => exact(1),
            Self::Kernel(kernel) => exact(kernel.reach()),
            Self::Smooth(Smooth::Box(radius)) => within(*radius as usize),
            Self::Smooth(Smooth::Gaussian(sigma)) => blurred(*sigma),
            Self::Sharpen(sharpen) => blurred(sharpen.sigma),
            Self::Warp(warp) => within(warp.reach()),
            Self::ThermalErosion(erosion) if erosion.passes as usize <= FURTHEST => {
                within(erosion.passes as usize)
            }
            Self::ThermalErosion(_) => {
                Locality::Whole("ground slides further than 1024 cells in so many passes")
            }
            Self::HydraulicErosion(_) => Locality::Near {
                reach: HydraulicErosion::MARGIN,
                guided: true,
            },
            Self::StreamPowerErosion(_) => Locality::Near {
                reach: StreamPowerErosion::MARGIN,
                guided: true,
            },
            Self::GlacialErosion(erosion) => {
                let coarse = ratio(world) as f64 * f64::from(scale.spacing);
                if erosion.width >= LEAST_ACROSS * coarse {
                    Locality::Near {
                        reach: GlacialErosion::MARGIN,
                        guided: true,
                    }
                } else {
                    Locality::Whole(
                        "its troughs are narrower than 4 cells of a coarse map of the world",
                    )
                }
            }
            Self::Seamless(_) => Locality::Whole("it joins the map's sides"),
            Self::WindErosion(_) => {
                Locality::Whole("sand is blown from one end of the map to the other")
            }
        }
    }

    /// Changes a part of a map, given by the context's window, of which a
    /// [`locality`](Self::locality)'s reach more is there than is wanted.
    pub(crate) fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let range = known.range;
        match (self, known.guide) {
            (Self::Normalize, _) => map.stretch(range, progress)?,
            (Self::Stretch(_), _) => Stretch::apply_between(map, range, progress)?,
            (Self::Smooth(smooth), _) => smooth.apply_within(map, range, progress)?,
            (Self::Sharpen(sharpen), _) => sharpen.apply_within(map, range, progress)?,
            (Self::Warp(warp), _) => warp.apply_within(map, range, context, progress)?,
            (Self::ThermalErosion(erosion), _) => {
                erosion.erode_within(map, range, context, progress)?;
            }
            (Self::HydraulicErosion(erosion), Some(Guide::Change(change))) => {
                erosion.erode_part(map, range, context, change, progress)?;
            }
            (Self::StreamPowerErosion(erosion), Some(Guide::Rivers(rivers))) => {
                erosion.erode_part(map, context, rivers, progress)?;
            }
            (Self::GlacialErosion(erosion), Some(Guide::Ice(ice))) => {
                erosion.erode_part(map, context, ice, progress)?;
            }
            (
                Self::HydraulicErosion(_) | Self::StreamPowerErosion(_) | Self::GlacialErosion(_),
                _,
            ) => {}
            _ => return self.apply(map, context, progress),
        }
        Ok(progress.step(1, 1)?)
    }

    /// Changes the coarse map of a world, a cell of which are `ratio` of the world's along each side,
    /// as nearly as it can show it, and says what guides the parts. The context is that of the coarse
    /// map.
    pub(crate) fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        match self {
            Self::StreamPowerErosion(erosion) => {
                let rivers = erosion.guide(map, ratio, range, context.seed, progress)?;
                return Ok(rivers.map(|rivers| Guide::Rivers(rivers.into())));
            }
            Self::GlacialErosion(erosion) => {
                let ice = erosion.guide(map, ratio, range.1, context, progress)?;
                return Ok(ice.map(|ice| Guide::Ice(ice.into())));
            }
            Self::HydraulicErosion(_) => {
                let before = map.clone();
                self.apply(map, context, progress)?;
                let after = map.clone();
                return Ok(Some(Guide::Change(Change {
                    ratio,
                    before,
                    after,
                })));
            }
            _ => {}
        }
        if let Some(coarser) = self.coarser(ratio) {
            let known = Known { range, guide: None };
            coarser.apply_part(map, context, known, progress)?;
        }
        Ok(None)
    }

    /// What it is on a map of so many times larger cells; `None` if it would change nothing there.
    fn coarser(&self, ratio: usize) -> Option<Self> {
        let times = ratio as f64;
        let cells = |count: u32| match (f64::from(count) / times).round() as u32 {
            0 => None,
            count => Some(count),
        };
        let mut coarser = self.clone();
        match &mut coarser {
            Self::Smooth(Smooth::Box(radius) | Smooth::Median(radius)) => *radius = cells(*radius)?,
            Self::Smooth(Smooth::Gaussian(sigma)) => *sigma /= times,
            Self::Smooth(Smooth::Conservative(_)) | Self::Kernel(_) => return None,
            Self::Sharpen(sharpen) => sharpen.sigma /= times,
            Self::Edges(edges) => edges.width /= times,
            Self::ThermalErosion(erosion) => erosion.passes = erosion.passes.div_ceil(ratio as u32),
            Self::Warp(warp) => {
                warp.scale /= times;
                warp.distance /= times;
                if warp.scale < 2.0 {
                    return None;
                }
            }
            _ => {}
        }
        Some(coarser)
    }
}

fn blurred(sigma: f64) -> Locality {
    let reach = smooth::reach(sigma);
    match reach {
        0..=FURTHEST if smooth::is_narrow(sigma) => Locality::Exact { reach, range: true },
        0..=FURTHEST => Locality::Near {
            reach,
            guided: false,
        },
        _ => Locality::Whole("its bell is wider than 1024 cells to each side"),
    }
}

/// The longest side of a coarse map.
const COARSE_SIDE: usize = 1024;

/// How many cells of a world are along one of its coarse map: the least power of two at which that
/// has no more than [`COARSE_SIDE`] along any side; 1 if the world is no larger.
pub(crate) fn ratio(world: MapSize) -> usize {
    let longer = world.width().max(world.height());
    longer.div_ceil(COARSE_SIDE).next_power_of_two()
}
