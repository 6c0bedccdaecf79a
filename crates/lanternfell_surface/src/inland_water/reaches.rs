//! Splits rivers into reaches: from a spring or a lake to a lake, a larger river, the sea or the
//! border of the map.
//!
//! ```text
//!     spring ──── lake ──── lake ──── sea       three reaches of one river, each with its own
//!            reach    reach     reach           start and end
//! ```
//!
//! A reach starts and ends a few cells inside its lakes, so that its water overlaps theirs.

use glam::DVec2;

use super::{ground::Ground, standing::Standing};
use lanternfell_heightmap::hydrology::{Drainage, River};

/// The number of cells by which a reach extends into a lake at either end.
const CELLS_IN_LAKE: usize = 3;

/// The minimum number of points of a stream without tributaries. A shorter one would be a dot and
/// is left out.
const LEAST_POINTS: usize = 8;

/// A cell of a reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Station {
    /// The position in cells.
    pub(super) at: DVec2,
    /// The catchment in cells.
    pub(super) area: f64,
    /// The height of the filled ground or the sea in meters. It never rises downstream.
    pub(super) level: f64,
    /// Whether the cell is in a lake.
    pub(super) in_lake: bool,
}

/// The end of a reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Sea,
    /// At the border of the map, where the water leaves it.
    Outlet,
    Lake(u32),
    /// At a station of an earlier reach.
    River {
        reach: usize,
        station: usize,
    },
}

/// A part of a river between two lakes, or between a lake and an end of the river.
#[derive(Debug)]
pub(super) struct Reach {
    /// At least two stations, in downstream order.
    pub(super) stations: Vec<Station>,
    /// The lake that it flows from, or `None` for a spring.
    pub(super) from: Option<u32>,
    pub(super) end: End,
}

/// Splits rivers at lakes. Each river must only join earlier ones.
pub(super) fn cut(
    rivers: &[River],
    drainage: &Drainage,
    ground: &Ground,
    standing: &Standing,
) -> Vec<Reach> {
    let mut reaches: Vec<Reach> = Vec::new();
    let mut firsts = Vec::with_capacity(rivers.len());
    for river in rivers {
        firsts.push(reaches.len());
        let course = stations(river, drainage, ground, standing);
        let dry = |station: &Station| !station.in_lake;
        let mut next = 0;
        while let Some(start) = course[next..].iter().position(dry).map(|at| next + at) {
            let length = course[start..].iter().position(|station| station.in_lake);
            let stop = length.map_or(course.len(), |length| start + length);
            next = stop;
            let lake_at = |at: usize| standing.lake(cell(&course[at], ground));
            let from = start.checked_sub(1).and_then(lake_at);
            let end = match (course.get(stop), river.joins) {
                (Some(station), _) => standing.lake(cell(station, ground)).map(End::Lake),
                (None, Some(main)) => {
                    let main = firsts[main as usize]..firsts[main as usize + 1];
                    find(&reaches[main.clone()], course[stop - 1].at, main.start)
                }
                (None, None) if is_sea(&course[stop - 1], ground, standing) => Some(End::Sea),
                (None, None) => Some(End::Outlet),
            };
            let dot = river.order == 1 && from.is_none() && stop - start < LEAST_POINTS;
            // Two cells of a lake may both drain directly to its outlet.
            let joins = river.joins.is_some() && stop == course.len();
            let twin = from.is_some() && joins && stop - start == 1;
            let Some(end) = end.filter(|_| !(dot || twin)) else {
                continue;
            };
            let before = back_in_lake(&course[..start]);
            let after = course[stop..]
                .iter()
                .take(CELLS_IN_LAKE)
                .take_while(|at| at.in_lake);
            reaches.push(Reach {
                stations: course[start - before..stop]
                    .iter()
                    .chain(after)
                    .copied()
                    .collect(),
                from,
                end,
            });
        }
    }
    reaches
}

fn back_in_lake(before: &[Station]) -> usize {
    let wet = before.iter().rev().take_while(|station| station.in_lake);
    wet.take(CELLS_IN_LAKE).count()
}

fn cell(station: &Station, ground: &Ground) -> usize {
    station.at.y as usize * ground.width + station.at.x as usize
}

fn is_sea(station: &Station, ground: &Ground, standing: &Standing) -> bool {
    ground.meters(cell(station, ground)) <= standing.sea
}

/// Finds the station at this position. The reaches are numbered from `first`.
fn find(reaches: &[Reach], at: DVec2, first: usize) -> Option<End> {
    (first..).zip(reaches).find_map(|(reach, candidate)| {
        let mut stations = candidate.stations.iter();
        let station = stations.position(|station| station.at == at)?;
        Some(End::River { reach, station })
    })
}

fn stations(
    river: &River,
    drainage: &Drainage,
    ground: &Ground,
    standing: &Standing,
) -> Vec<Station> {
    let filled = drainage.filled().heights();
    let points = river.points.iter().map(|point| {
        let at = DVec2::new(point.x.into(), point.y.into());
        let cell = point.y as usize * ground.width + point.x as usize;
        Station {
            at,
            area: point.area.into(),
            level: ground.meters_of(filled[cell]).max(standing.sea),
            in_lake: standing.lake(cell).is_some(),
        }
    });
    points.collect()
}
