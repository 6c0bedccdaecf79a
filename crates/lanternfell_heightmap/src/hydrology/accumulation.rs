//! The drainage of a map, and the area and discharge of each cell.
//!
//! Idea: water follows the steepest descent where there is one. Across lakes and flats it follows two gradients, away
//! from higher terrain and toward the outlet.
//!
//! ```text
//!     9  8  9        drop per distance: 3 to the south, 4 / sqrt 2 = 2.8
//!     8  6  7        to the south-east. Water flows south.
//!     7  3  2
//! ```
//!
//! Steps: find the levels with [`basins`], then the steepest descents row by row, and the paths across [`flats`].
//!
//! Erosion uses the directions of a flood on lakes and flats instead. Where water descends, they are the same. Both lead
//! to a lower level or, on a flat, to a cell that is closer to the outlet, so there are no cycles.
//!
//! Why directions like those of a flood need none: the levels are unique. Where they descend, the steepest descent
//! replaces the direction of the flood. Elsewhere the cell is on a flat, which [`flats`] crosses in the same way as a
//! flood. Only where a slope underflows in `f32` would the direction of the flood remain on a slope. In that case a
//! flood is used.
//!
//! Cost: O(n), with strips and rows in parallel.
//!
//! Source: the steepest descent is from O'Callaghan and Mark, *The extraction of drainage networks from digital
//! elevation data*, 1984.

use super::{
    Hydrology,
    basins::{self, STRIP_ROWS},
    fill::Outlets,
    flats::{self, Crossing, UNSEEN},
    flood::Water,
    flow::{self, Flow, Luck},
    grid::OUTLET,
};
use crate::{Canceled, GenerateError, Heightmap, MapSize, ParamError, Progress, rows};

/// The drainage of a map: for each cell, the water level and the neighbor to which it drains.
///
/// Computed by [`Hydrology::drain`].
#[derive(Debug, Clone, PartialEq)]
pub struct Drainage {
    pub(crate) flow: Flow,
    pub(super) filled: Heightmap,
}

impl Drainage {
    pub(super) fn find(
        hydrology: &Hydrology,
        map: &Heightmap,
        crossing: Crossing,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let outlets = Outlets::of(hydrology, map, &progress.span(0.0, 0.02))?;
        let strip_rows = outlets.grid.strip_rows();
        let finding = progress.span(0.02, 1.0);
        let (levels, flow) = match crossing {
            Crossing::Gradients => find(&outlets, strip_rows, &finding)?,
            Crossing::Flood => match find_like_flood(&outlets, [STRIP_ROWS, strip_rows], &finding)?
            {
                Some(found) => found,
                None => find_by_flood(&outlets, &finding)?,
            },
        };
        let filled = Heightmap::from_heights(map.size(), levels);
        let filled = filled.expect("levels are finite like the heights");
        progress.step(1, 1)?;
        Ok(Self { flow, filled })
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.filled.size()
    }

    /// The heights with filled depressions, which are the water surface on lakes.
    pub fn filled(&self) -> &Heightmap {
        &self.filled
    }

    /// The neighbor to which cell `(x, y)` drains; `None` for an outlet.
    ///
    /// # Panics
    /// If the cell is outside the map.
    pub fn receiver(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        assert!(x < self.flow.grid.width, "column {x} is outside the map");
        let receiver = self.flow.receiver(y * self.flow.grid.width + x)?;
        Some(self.flow.grid.place(receiver))
    }

    /// The cells where water leaves the map, row by row.
    pub fn outlets(&self) -> impl Iterator<Item = (usize, usize)> {
        let directions = self.flow.directions.iter().enumerate();
        let outlets = directions.filter(|&(_, &direction)| direction == OUTLET);
        outlets.map(|(cell, _)| self.flow.grid.place(cell))
    }

    /// Calls `join(cell, receiver)` with their indices once for each cell that is not an outlet, after all its donors.
    pub(crate) fn downstream(
        &self,
        progress: &Progress,
        join: impl FnMut(usize, usize),
    ) -> Result<(), Canceled> {
        self.flow.downstream(progress, join)
    }

    /// Computes the catchment area of each cell, row by row: the exact number of cells that drain through it, including
    /// itself.
    ///
    /// # Errors
    /// If the work is canceled.
    #[doc(alias = "flow accumulation")]
    #[doc(alias = "upslope area")]
    pub fn areas(&self, progress: &Progress) -> Result<Vec<u32>, Canceled> {
        let mut areas = vec![1_u32; self.flow.grid.cells()];
        let pour = |_, donor, receiver| donor + receiver;
        let strip_rows = self.flow.grid.strip_rows();
        self.flow.gather(&mut areas, strip_rows, progress, pour)?;
        Ok(areas)
    }

    /// Computes the discharge of each cell, row by row, for the given rain on each cell. It is summed in `f64` in a
    /// fixed order, so that large rivers stay precise.
    ///
    /// # Errors
    /// If the sizes of the rain and the drained map differ, or the work is canceled.
    pub fn discharge(
        &self,
        rain: &Heightmap,
        progress: &Progress,
    ) -> Result<Vec<f64>, GenerateError> {
        let (width, height) = (self.size().width(), self.size().height());
        ParamError::check(
            rain.size() == self.size(),
            "hydrology",
            "rain",
            rain.size().cells() as f64,
            format_args!("a map of {width}x{height} cells"),
        )?;
        let mut water: Vec<f64> = rain.heights().iter().map(|&rain| rain.into()).collect();
        self.flow.downstream(progress, |cell, receiver| {
            water[receiver] += water[cell];
        })?;
        Ok(water)
    }
}

/// Finds the levels, the steepest descents, and the paths across flats by their gradients.
fn find(
    outlets: &Outlets,
    flats_rows: usize,
    progress: &Progress,
) -> Result<(Vec<f32>, Flow), Canceled> {
    let levels = outlets.levels(&progress.span(0.0, 0.6))?;
    let flow = directions(outlets, &levels, flats_rows, &progress.span(0.6, 1.0))?;
    Ok((levels, flow))
}

/// Finds the steepest descents, and the paths across flats by their gradients.
pub(super) fn directions(
    outlets: &Outlets,
    levels: &[f32],
    flats_rows: usize,
    progress: &Progress,
) -> Result<Flow, Canceled> {
    let mut flow = descents(outlets, levels, &progress.span(0.0, 0.55))?;
    flats::descend_near_zero(&mut flow, levels, &progress.span(0.55, 0.6))?;
    let crossing = progress.span(0.6, 1.0);
    flats::cross(
        &mut flow,
        levels,
        Crossing::Gradients,
        flats_rows,
        &crossing,
    )?;
    Ok(flow)
}

/// The same, with the directions of a flood on flats. Returns `None` if a flood is needed, because heights are too close
/// to 0.
fn find_like_flood(
    outlets: &Outlets,
    [levels_rows, flats_rows]: [usize; 2],
    progress: &Progress,
) -> Result<Option<(Vec<f32>, Flow)>, Canceled> {
    let Some(levels) = basins::levels(outlets, levels_rows, &progress.span(0.0, 0.6))? else {
        return Ok(None);
    };
    let mut flow = descents(outlets, &levels, &progress.span(0.6, 0.85))?;
    let crossing = Crossing::Flood;
    let flat = flats::cross(
        &mut flow,
        &levels,
        crossing,
        flats_rows,
        &progress.span(0.85, 1.0),
    )?;
    Ok(flat.then_some((levels, flow)))
}

/// The direction of the steepest descent of a cell: the same as in [`find`].
pub(super) fn descent(outlets: &Outlets, levels: &[f32], x: usize, y: usize) -> u8 {
    let grid = &outlets.grid;
    if outlets.at(x, y) {
        return OUTLET;
    }
    let descent = flow::descent(grid, levels, x, y);
    let descent = descent.or_else(|| flats::descent_near_zero(grid, levels, x, y));
    descent.unwrap_or(UNSEEN)
}

/// The directions of the steepest descents: [`OUTLET`] at outlets, and [`UNSEEN`] where there is no descent.
fn descents(outlets: &Outlets, levels: &[f32], progress: &Progress) -> Result<Flow, Canceled> {
    let grid = outlets.grid;
    let mut directions = vec![UNSEEN; grid.cells()];
    let mark = |y, row: &mut [u8]| {
        for (x, direction) in row.iter_mut().enumerate() {
            if outlets.at(x, y) {
                *direction = OUTLET;
            }
        }
    };
    rows::for_each_row(&mut directions, grid.width, &progress.span(0.0, 0.2), mark)?;
    let mut flow = Flow { grid, directions };
    flow.descend(levels, Luck::NONE, &progress.span(0.2, 1.0))?;
    Ok(flow)
}

/// The same as [`find_like_flood`], with a flood.
fn find_by_flood(outlets: &Outlets, progress: &Progress) -> Result<(Vec<f32>, Flow), Canceled> {
    let flooded = outlets.flood(Water::Level, &progress.span(0.0, 0.9))?;
    let mut flow = Flow {
        grid: outlets.grid,
        directions: flooded.origins,
    };
    flow.descend(&flooded.levels, Luck::NONE, &progress.span(0.9, 1.0))?;
    Ok((flooded.levels, flow))
}

#[cfg(test)]
mod tests {
    use super::{super::gather::Order, *};
    use crate::SeededRng;

    /// Small maps of many kinds: noise with more or fewer ties, terraces, one lake, and heights around 0.
    fn ground(kind: u64, rng: &mut SeededRng) -> Heightmap {
        let longest = 1 + rng.below(30);
        let size = MapSize::new(2 + rng.below(longest), 2 + rng.below(30)).unwrap();
        let steps = [1, 2, 3, 7, 40, 1 << 20][rng.below(6) as usize];
        let (width, height) = (size.width() as f32, size.height() as f32);
        let near_0 = [-1e-45, -0.0, 0.0, 0.0, 1e-45, 3e-45, 1.0];
        let mut z = |cell: usize| {
            let (x, y) = ((cell % size.width()) as f32, (cell / size.width()) as f32);
            let noise = rng.below(steps + 1) as f32 / steps as f32;
            match kind {
                0 => noise,
                1 => ((0.3 * x + 0.2 * y).floor() + (1.2 * noise).floor()) / 8.0,
                2 => ((x - 0.5 * width).abs().max((y - 0.5 * height).abs()) + noise).floor() / 8.0,
                3 => [-0.5, -0.0, 0.0, 0.5][rng.below(4) as usize],
                _ => near_0[rng.below(7) as usize],
            }
        };
        Heightmap::from_heights(size, (0..size.cells()).map(&mut z).collect()).unwrap()
    }

    fn water(rng: &mut SeededRng) -> Hydrology {
        Hydrology {
            sea_level: rng.percent(50).then_some(0.3),
            border: rng.percent(60),
        }
    }

    fn bits(levels: &[f32]) -> Vec<u32> {
        levels.iter().map(|z| z.to_bits()).collect()
    }

    #[test]
    fn strips_match_flood() {
        let mut rng = SeededRng::new(1, b"drainage");
        let progress = Progress::default();
        let mut left_to_the_flood = [0; 5];
        for case in 0..4000 {
            let kind = case % 5;
            let (map, water) = (ground(kind, &mut rng), water(&mut rng));
            let outlets = Outlets::of(&water, &map, &progress).unwrap();
            let (levels, flow) = find_by_flood(&outlets, &progress).unwrap();
            for strip_rows in [[1, 1], [2, 1], [3, 2], [8, 3], [1, 8], [128, 128]] {
                let Some(found) = find_like_flood(&outlets, strip_rows, &progress).unwrap() else {
                    left_to_the_flood[kind as usize] += 1;
                    continue;
                };
                let say = || format!("case {case}: {strip_rows:?} rows, {water:?}, {map:?}");
                assert_eq!(bits(&found.0), bits(&levels), "{}", say());
                assert_eq!(found.1, flow, "{}", say());
            }
        }
        // The fallback is used only for zeros with two signs and for underflow, and not always then.
        assert_eq!(left_to_the_flood[..3], [0; 3]);
        assert!(
            left_to_the_flood[3..]
                .iter()
                .all(|&cases| (100..3900).contains(&cases))
        );
    }

    /// With gradients across flats the strips do not matter either, no water flows uphill, and all of it gets out. No
    /// flood is needed near 0.
    #[test]
    fn strips_match_whole_map() {
        let mut rng = SeededRng::new(6, b"drainage");
        let progress = Progress::default();
        for case in 0..2000 {
            let (map, water) = (ground(case % 5, &mut rng), water(&mut rng));
            let outlets = Outlets::of(&water, &map, &progress).unwrap();
            let (levels, flow) = find(&outlets, 128, &progress).unwrap();
            let say = || format!("case {case}: {water:?}, {map:?}");
            let (flooded, _) = find_by_flood(&outlets, &progress).unwrap();
            assert_eq!(bits(&levels), bits(&flooded), "{}", say());
            for strip_rows in [1, 2, 3, 8] {
                let found = find(&outlets, strip_rows, &progress).unwrap();
                assert_eq!(found.1, flow, "{strip_rows} rows, {}", say());
            }
            for cell in 0..levels.len() {
                let way = std::iter::successors(Some(cell), |&at| flow.receiver(at));
                let way: Vec<usize> = way.take(levels.len() + 1).collect();
                assert!(way.len() <= levels.len(), "{}", say());
                assert!(
                    way.is_sorted_by(|&a, &b| levels[a] >= levels[b]),
                    "{}",
                    say()
                );
                let (x, y) = flow.grid.place(way[way.len() - 1]);
                assert!(outlets.at(x, y), "{}", say());
            }
        }
    }

    #[test]
    fn strips_gather_same_areas() {
        let mut rng = SeededRng::new(2, b"drainage");
        let progress = Progress::default();
        for case in 0..500 {
            let (map, water) = (ground(case % 3, &mut rng), water(&mut rng));
            let drainage = Drainage::find(&water, &map, Crossing::Gradients, &progress).unwrap();
            let mut expected = vec![1; map.size().cells()];
            let join = |cell: usize, receiver: usize| expected[receiver] += expected[cell];
            drainage.downstream(&progress, join).unwrap();
            for strip_rows in [1, 2, 5, 128] {
                let mut areas = vec![1; expected.len()];
                let pour = |_, donor: u32, receiver: u32| donor + receiver;
                let flow = &drainage.flow;
                flow.gather(&mut areas, strip_rows, &progress, pour)
                    .unwrap();
                assert_eq!(areas, expected, "case {case}: {strip_rows} rows, {map:?}");
            }
        }
    }

    #[test]
    fn upstream_pass_reads_receivers() {
        let mut rng = SeededRng::new(3, b"drainage");
        let progress = Progress::default();
        let mut order = Order::default();
        for case in 0..500 {
            let (map, water) = (ground(case % 3, &mut rng), water(&mut rng));
            let flow = &Drainage::find(&water, &map, Crossing::Gradients, &progress)
                .unwrap()
                .flow;
            let cells = map.size().cells();
            let steps_from =
                |cell| std::iter::successors(Some(cell), |&at| flow.receiver(at)).count() - 1;
            let expected: Vec<usize> = (0..cells).map(steps_from).collect();
            for strip_rows in [1, 2, 5, 128] {
                let say = || format!("case {case}: {strip_rows} rows, {map:?}");
                let pour = |_, donor: u32, receiver: u32| donor + receiver;
                let mut areas = vec![1; cells];
                flow.gather_in_order(&mut areas, strip_rows, &mut order, &progress, pour)
                    .unwrap();
                let mut turns = vec![usize::MAX; cells];
                order
                    .cells()
                    .enumerate()
                    .for_each(|(turn, cell)| turns[cell] = turn);
                for cell in 0..cells {
                    let later = flow.receiver(cell).map(|receiver| turns[receiver]);
                    assert!(later.is_none_or(|later| turns[cell] < later), "{}", say());
                }
                let mut steps = vec![0; cells];
                order
                    .upstream(flow, &mut steps, &progress, |_, below| below + 1)
                    .unwrap();
                assert_eq!(steps, expected, "{}", say());
            }
        }
    }
}
