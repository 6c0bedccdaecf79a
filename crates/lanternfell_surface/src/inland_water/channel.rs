//! A river's channel: its centerline in small steps, with the height, depth and width of the
//! water.
//!
//! Steps: smooth the course (`course`), compute the water profile along it (`profile`), and draw
//! a quadratic B-spline through both. The spline is smooth and, like the profile, never rises.
//! Between close walls the channel is as narrow as they allow. Where a tributary already runs
//! inside the larger river, its last water has the level of that river.
//!
//! Sources: de Boor, *A practical guide to splines*, 1978, for the spline; Finnegan and others,
//! *Controls on the channel width of rivers*, 2005, for narrow channels between walls.

use glam::DVec2;

use super::{
    InlandWater,
    course::{self, Tolerance, mean},
    ground::Ground,
    profile,
    reaches::{End, Reach, Station},
    standing::Standing,
};

/// Half the width of the narrowest channel, in cells. A map cannot resolve less.
pub(super) const LEAST_HALF_WIDTH: f64 = 0.8;

/// Half the width of the widest channel, in cells. The cost of carving grows with its square.
const MOST_HALF_WIDTH: f64 = 32.0;

/// The distance from a spring to full depth and width, in cells.
const SPRING: f64 = 8.0;

/// How far the wall of a valley rises above the water that it narrows, in depths.
const WALL: f64 = 2.0;

/// How many passes smooth a channel's width.
const WIDTH_PASSES: usize = 10;

/// Samples between two stations.
pub(super) const PER_STATION: usize = 2;

/// How many samples up and down the larger river are searched for the one nearest to a tributary.
const NEAR: usize = 48;

/// A point on the centerline of a river.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// In cells.
    pub(super) at: DVec2,
    /// The height of the water, in meters.
    pub(super) surface: f64,
    /// The minimum depth of the water, in meters.
    pub(super) depth: f64,
    /// In cells.
    pub(super) half_width: f64,
}

/// The channel of a reach.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) samples: Vec<Sample>,
    /// Whether it begins at a spring, with no water above.
    pub(super) spring: bool,
}

impl Channel {
    /// The channel of `reach`. If it is a tributary, its main river is one of the `earlier`
    /// channels.
    pub(super) fn of(
        reach: &Reach,
        settings: &InlandWater,
        spacing: f64,
        ground: &Ground,
        standing: &Standing,
        earlier: &[Self],
    ) -> Self {
        let mut stations = reach.stations.clone();
        let spring = reach.from.is_none();
        let main = match reach.end {
            // The spline has PER_STATION samples per station, the first of them nearest to the
            // station.
            End::River { reach, station } => Some((&earlier[reach], station * PER_STATION)),
            End::Sea | End::Outlet | End::Lake(_) => None,
        };
        let mut end = match reach.end {
            End::Sea => Some(standing.sea),
            End::Lake(lake) => Some(standing.basins[lake as usize].level),
            End::River { .. } | End::Outlet => None,
        };
        if let (Some((main, at)), Some(last)) = (main, stations.last_mut()) {
            // The spline ends at its last control, so this makes both channels meet in one point.
            last.at = main.samples[at].at;
            end = Some(main.samples[at].surface);
        }
        let ramp = |at: usize| {
            if spring {
                (at as f64 / SPRING).min(1.0)
            } else {
                1.0
            }
        };
        let discharge = |station: &Station| settings.discharge(station.area * spacing * spacing);
        let stream = |(at, station): (usize, &Station)| {
            let discharge = discharge(station);
            let width = 0.5 * settings.width(discharge) / spacing * (0.5 + 0.5 * ramp(at));
            let depth = settings.depth(discharge) * ramp(at);
            (depth, width.clamp(LEAST_HALF_WIDTH, MOST_HALF_WIDTH))
        };
        let (depths, widths): (Vec<f64>, Vec<f64>) =
            stations.iter().enumerate().map(stream).unzip();
        let tolerance = |at: usize| {
            let depth: f64 = depths[at];
            Tolerance {
                above: depth,
                below: 2.0 * depth,
            }
        };
        // How far the ground under the smoothed course may be from the water level: deeper rivers
        // may cut further into a spur.
        let places = course::rounded(&stations, &widths, ground, tolerance);
        let surfaces = profile::surfaces(&stations, &depths, end);
        let controls: Vec<Sample> = (0..stations.len())
            .map(|at| Sample {
                at: places[at],
                surface: surfaces[at],
                depth: depths[at],
                half_width: widths[at],
            })
            .collect();
        let mut samples = spline(&controls);
        // Joining changes the surface, and the walls are measured from the surface. So `narrow`
        // comes last.
        if let Some((main, at)) = main {
            join(&mut samples, main, at);
        }
        narrow(&mut samples, ground);
        Self { samples, spring }
    }
}

/// The spline through the midpoints between controls, starting and ending at the outer controls.
/// Each control gets [`PER_STATION`] samples, the first of which is nearest to it.
fn spline(controls: &[Sample]) -> Vec<Sample> {
    let last = controls.len() - 1;
    let mut samples = Vec::with_capacity(PER_STATION * last + 1);
    for at in 0..=last {
        let (before, after) = (controls[at.saturating_sub(1)], controls[(at + 1).min(last)]);
        let here = controls[at];
        let at_end = at == 0 || at == last;
        samples.push(if at_end {
            here
        } else {
            // The middle of a uniform quadratic segment. All weights are positive and sum to 1,
            // so a surface that never rises stays so.
            blend([before, here, after], [0.125, 0.75, 0.125])
        });
        if at < last {
            // The joint of two segments, midway between two controls.
            samples.push(blend([here, after, after], [0.5, 0.5, 0.0]));
        }
    }
    samples
}

fn blend(samples: [Sample; 3], weights: [f64; 3]) -> Sample {
    let mix = |value: fn(&Sample) -> f64| {
        let [a, b, c] = [0, 1, 2].map(|at| value(&samples[at]) * weights[at]);
        a + b + c
    };
    Sample {
        at: DVec2::new(mix(|sample| sample.at.x), mix(|sample| sample.at.y)),
        surface: mix(|sample| sample.surface),
        depth: mix(|sample| sample.depth),
        half_width: mix(|sample| sample.half_width),
    }
}

/// Levels the end of a tributary with the larger river, which it joins at sample `end`.
fn join(samples: &mut [Sample], main: &Channel, end: usize) {
    let near = &main.samples[end.saturating_sub(NEAR)..(end + NEAR).min(main.samples.len())];
    let mut least = f64::NEG_INFINITY;
    let mut inside = true;
    // Upstream from the confluence, until the tributary leaves the water of the larger river.
    // Bends further upstream that touch it again keep their own level.
    for sample in samples.iter_mut().rev() {
        if inside {
            let closer = |a: &&Sample, b: &&Sample| {
                let [a, b] = [a, b].map(|other| other.at.distance_squared(sample.at));
                a.total_cmp(&b)
            };
            let nearest = near.iter().min_by(closer).unwrap_or(&near[0]);
            inside = nearest.at.distance(sample.at) < nearest.half_width;
            if inside {
                sample.surface = nearest.surface;
            }
        }
        // The levels taken from the larger river may be higher than the profile upstream. The
        // running maximum restores a surface that never rises downstream.
        least = least.max(sample.surface);
        sample.surface = least;
    }
}

/// Narrows a channel until the ground at both sides is not far above the water.
fn narrow(samples: &mut [Sample], ground: &Ground) {
    let widths = (0..samples.len()).map(|at| {
        let sample = &samples[at];
        let along = direction(samples, at);
        let side = DVec2::new(-along.y, along.x);
        let wall = sample.surface + WALL * sample.depth;
        let mut half_width = LEAST_HALF_WIDTH;
        // Widens in half cells until either side meets a wall. Testing only the full width would
        // miss a ridge in between.
        while half_width < sample.half_width {
            let next = (half_width + 0.5).min(sample.half_width);
            let sides = [side * next, -side * next];
            let walled = |offset: &DVec2| ground.at(ground.inside(sample.at + *offset)) > wall;
            if sides.iter().any(walled) {
                break;
            }
            half_width = next;
        }
        half_width
    });
    let mut widths: Vec<f64> = widths.collect();
    // Each sample was measured on its own. Without smoothing, the banks would be jagged.
    mean(&mut widths, WIDTH_PASSES);
    for (sample, width) in samples.iter_mut().zip(widths) {
        sample.half_width = width;
    }
}

/// The direction of a river at a sample: a unit vector.
pub(super) fn direction(samples: &[Sample], at: usize) -> DVec2 {
    let (before, after) = (at.saturating_sub(1), (at + 1).min(samples.len() - 1));
    let way = samples[after].at - samples[before].at;
    way.try_normalize().unwrap_or(DVec2::X)
}
