//! A river's channel: its middle in small steps, with how high, deep and wide the water is.
//!
//! Steps: the course is rounded (`course`), the water's profile laid along it (`profile`), and a quadratic B-spline
//! drawn through both, which is smooth and, like the profile, never rises. Where walls are near the channel is
//! as narrow as they leave it. A tributary's last water, where it already runs in the larger river's, stands
//! as high as that.
//!
//! Source of the spline: de Boor, *A practical guide to splines*, 1978; of narrow channels between walls:
//! Finnegan and others, *Controls on the channel width of rivers*, 2005.

use glam::DVec2;

use super::{
    InlandWater,
    course::{self, Tolerance, mean},
    ground::Ground,
    profile,
    reaches::{End, Reach, Station},
    standing::Standing,
};

/// Half the width of the narrowest channel, in cells: less, a map can not show.
pub(super) const LEAST_HALF_WIDTH: f64 = 0.8;

/// Half the width of the widest, in cells: what carving costs goes with its square.
const MOST_HALF_WIDTH: f64 = 32.0;

/// From a spring to its full depth and width, in cells.
const SPRING: f64 = 8.0;

/// By how many depths the wall of a valley rises above the water that narrows it.
const WALL: f64 = 2.0;

/// How many passes smooth a channel's width.
const WIDTH_PASSES: usize = 10;

/// Samples between two stations.
pub(super) const PER_STATION: usize = 2;

/// How many samples up and down a larger river a tributary looks for the nearest.
const NEAR: usize = 48;

/// A place in the middle of a river.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// In cells.
    pub(super) at: DVec2,
    /// How high the water stands, in metres.
    pub(super) surface: f64,
    /// How deep it is at least, in metres.
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
    /// The channel of `reach`, whose tributary to `earlier` channels it may be.
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
            End::River { reach, station } => Some((&earlier[reach], station * PER_STATION)),
            End::Sea | End::Outlet | End::Lake(_) => None,
        };
        let mut end = match reach.end {
            End::Sea => Some(standing.sea),
            End::Lake(lake) => Some(standing.basins[lake as usize].level),
            End::River { .. } | End::Outlet => None,
        };
        if let (Some((main, at)), Some(last)) = (main, stations.last_mut()) {
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
        if let Some((main, at)) = main {
            join(&mut samples, main, at);
        }
        narrow(&mut samples, ground);
        Self { samples, spring }
    }
}

/// The spline through the middles between controls, which it begins and ends at: [`PER_STATION`] samples
/// for each control, the first of which is nearest to it.
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
            blend([before, here, after], [0.125, 0.75, 0.125])
        });
        if at < last {
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

/// Lays the last water of a tributary, which ends at that sample of the larger river, level with it.
fn join(samples: &mut [Sample], main: &Channel, end: usize) {
    let near = &main.samples[end.saturating_sub(NEAR)..(end + NEAR).min(main.samples.len())];
    let mut least = f64::NEG_INFINITY;
    let mut inside = true;
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
        least = least.max(sample.surface);
        sample.surface = least;
    }
}

/// Narrows a channel to where the ground at its sides is not far above the water.
fn narrow(samples: &mut [Sample], ground: &Ground) {
    let widths = (0..samples.len()).map(|at| {
        let sample = &samples[at];
        let along = direction(samples, at);
        let side = DVec2::new(-along.y, along.x);
        let wall = sample.surface + WALL * sample.depth;
        let mut half_width = LEAST_HALF_WIDTH;
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
    mean(&mut widths, WIDTH_PASSES);
    for (sample, width) in samples.iter_mut().zip(widths) {
        sample.half_width = width;
    }
}

/// Which way a river runs at that sample: a unit vector.
pub(super) fn direction(samples: &[Sample], at: usize) -> DVec2 {
    let (before, after) = (at.saturating_sub(1), (at + 1).min(samples.len() - 1));
    let way = samples[after].at - samples[before].at;
    way.try_normalize().unwrap_or(DVec2::X)
}
