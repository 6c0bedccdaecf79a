//! A landscape at one resolution, and one time step of it.
//!
//! In a step of length `p` (in units of the uplift time), a cell of catchment `A` with a receiver
//! at distance `d` gets
//!
//! ```text
//!   h' = (h + p given + g h'_receiver) / (1 + p + g),    g = p strength sqrt(A) / d
//! ```
//!
//! which is implicit, so that any step length is stable. It is solved from the outlets upstream.
//! The result is a weighted mean of three heights, so it never leaves the range of the given
//! ones.
//!
//! Where the result would be below the receiver, which happens on the bed of a former lake, the
//! cell is set slightly above the receiver: rivers have filled the lake. No step therefore leaves
//! a pit, and only the initial terrain of each level needs depression filling.

use super::{hillslope, pyramid::Level, ring::lowest_in_ring};
use crate::{
    Canceled, Progress, SeededRng,
    hydrology::{DISTANCES, Flow, Grid, Luck, Order, slope},
    rows,
};

/// The least drop from a cell to its receiver: more than an ulp of an `f32` up to 2.
const LEAST_FALL: f32 = 1.0 / (1 << 22) as f32;

/// The length of a step: uplift alone would close a tenth of the gap to the given heights.
const PACE: f32 = 0.1;

/// The largest relative change of an apparent slope by the random factor.
const LUCK: f32 = 0.7;

/// The amplitude of the noise that is added to the coarsest level, as a fraction of its range. It lets rivers on even
/// slopes join.
const ROUGHNESS: f32 = 0.1;

/// The number of parts of the border, the lowest cell of each of which is an outlet.
const BORDER_PARTS: usize = 12;

/// The parameters of a landscape, in cells of its resolution.
pub(super) struct Law {
    /// `cutting * sqrt(A) / d` is the weight of the receiver's height relative to the old height.
    cutting: f32,
    /// In square cells per step.
    diffusion: f32,
    /// As a share of the range; below 0 without a sea.
    sea: f32,
    luck: Luck,
}

impl Law {
    /// Creates the law of rivers of this strength and hillslopes of this length in cells. The seed of the random
    /// factors comes with the position of the map's first cell (column and row) in its world.
    pub(super) fn new(
        strength: f64,
        hillslope: f64,
        sea: f32,
        (seed, origin): (u32, (usize, usize)),
    ) -> Self {
        Self {
            cutting: (f64::from(PACE) * strength) as f32,
            diffusion: (f64::from(PACE) * hillslope * hillslope) as f32,
            sea,
            luck: Luck {
                strength: LUCK,
                seed,
                origin,
            },
        }
    }
}

/// The data that a part of a map needs from the rest of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Beyond {
    /// The sides beyond which the map continues: north, east, south, west.
    pub(super) sides: [bool; 4],
    /// The land cells on those sides and their heights, which do not change.
    pub(super) edges: Vec<(usize, f32)>,
    /// The cells where rivers flow in, and the catchments of those rivers.
    pub(super) inflows: Vec<(usize, u32)>,
}

/// The terrain and its rivers at one resolution.
pub(super) struct Landscape {
    pub(super) level: Level,
    pub(super) heights: Vec<f32>,
    pub(super) flow: Flow,
    /// Outlets on the border, and the heights at which rivers leave there.
    pub(super) mouths: Vec<(usize, f32)>,
    /// The surroundings of a part of a map; empty for a whole map.
    pub(super) beyond: Beyond,
    /// The heights after hillslopes moved, before rivers cut.
    smooth: Vec<f32>,
    pub(super) areas: Vec<u32>,
    order: Order,
}

impl Landscape {
    /// Creates the coarsest level from the given heights, with added noise.
    pub(super) fn first(
        level: Level,
        law: &Law,
        rng: &mut SeededRng,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let border = level.border();
        let mouths = lowest_parts(&level, &border, law.sea);
        let rough = |&given: &f32| {
            // Drawn for sea cells too: the random sequence must not depend on the sea level.
            let higher = given + ROUGHNESS * rng.unit() as f32;
            if given > law.sea { higher } else { given }
        };
        let heights = level.given.iter().map(rough).collect();
        Self::new(level, heights, mouths, Beyond::default(), law, progress)
    }

    /// Creates the next finer level from the heights of a coarser one.
    pub(super) fn finer(
        level: Level,
        coarse: &Self,
        law: &Law,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let mouths = coarse.mouths.iter();
        let mouths = mouths.filter_map(|&(cell, height)| {
            let finer = finer_mouth(&level, &coarse.level, cell, law.sea)?;
            Some((finer, height))
        });
        let mouths = mouths.collect();
        let width = level.size.width();
        let mut heights = level.given.clone();
        rows::for_each_row(&mut heights, width, &progress.span(0.0, 0.3), |y, row| {
            for (x, height) in row.iter_mut().enumerate() {
                if *height > law.sea {
                    let coarser = coarse.level.between(&coarse.heights, x, y);
                    // Interpolation near the coast includes the sea bed, which must not pull land
                    // below the sea.
                    *height = coarser.max(law.sea);
                }
            }
        })?;
        let beyond = coarse.beyond.finer(&level, coarse, &heights, law.sea);
        Self::new(
            level,
            heights,
            mouths,
            beyond,
            law,
            &progress.span(0.3, 1.0),
        )
    }

    fn new(
        level: Level,
        heights: Vec<f32>,
        mouths: Vec<(usize, f32)>,
        beyond: Beyond,
        law: &Law,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let grid = Grid::new(level.size);
        let mut outlets: Vec<bool> = level.given.iter().map(|&given| given <= law.sea).collect();
        let fixed = mouths.iter().chain(&beyond.edges);
        fixed.for_each(|&(cell, _)| outlets[cell] = true);
        // The bucket queue of the fill needs bounds. Roughening may exceed the range of the map
        // by this much.
        let range = (0.0, 1.0 + ROUGHNESS);
        let (heights, flow) = slope(grid, &heights, range, &outlets, progress)?;
        Ok(Self {
            level,
            heights,
            flow,
            mouths,
            beyond,
            smooth: vec![0.0; grid.cells()],
            areas: vec![0; grid.cells()],
            order: Order::default(),
        })
    }

    /// Creates a landscape that has no flow yet and only serves as the input of [`finer`](Self::finer).
    pub(super) fn still(
        level: Level,
        heights: Vec<f32>,
        mouths: Vec<(usize, f32)>,
        beyond: Beyond,
    ) -> Self {
        Self {
            flow: Flow {
                grid: Grid::new(level.size),
                directions: Vec::new(),
            },
            level,
            heights,
            mouths,
            beyond,
            smooth: Vec::new(),
            areas: Vec::new(),
            order: Order::default(),
        }
    }

    /// One time step. On the coarsest level (`first`), outlets on the border are lowered to the
    /// lowest terrain that drains to them.
    pub(super) fn pass(
        &mut self,
        law: &Law,
        first: bool,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let Self { flow, heights, .. } = self;
        // The order matters: directions from the old heights, then catchments along them, then
        // cutting by those catchments.
        flow.descend(heights, law.luck, &progress.span(0.0, 0.3))?;
        self.smooth(law, &progress.span(0.3, 0.5))?;
        self.gather(&progress.span(0.5, 0.8))?;
        if first {
            self.lower_mouths(law)?;
        }
        self.cut(law, &progress.span(0.8, 1.0))
    }

    /// Hillslope diffusion. The sea and rivers carry away the soil that reaches them.
    fn smooth(&mut self, law: &Law, progress: &Progress) -> Result<(), Canceled> {
        let heights = &self.heights;
        let width = self.flow.grid.width;
        rows::for_each_row(
            &mut self.smooth,
            width,
            &progress.span(0.0, 0.3),
            |y, row| {
                for (smooth, &height) in row.iter_mut().zip(&heights[y * width..]) {
                    // The sea bed may be deep, but must not pull the coast down.
                    *smooth = height.max(law.sea);
                }
            },
        )?;
        hillslope::creep(
            &mut self.smooth,
            width,
            law.diffusion,
            &progress.span(0.3, 1.0),
        )
    }

    /// Sums up the catchments, and records the order of the cells.
    fn gather(&mut self, progress: &Progress) -> Result<(), Canceled> {
        self.areas.fill(1);
        for &(cell, area) in &self.beyond.inflows {
            // A part of a world may receive more than 2^32 cells from beyond; saturation keeps
            // rivers large.
            self.areas[cell] = self.areas[cell].saturating_add(area);
        }
        let strip_rows = self.flow.grid.strip_rows();
        let (areas, order) = (&mut self.areas, &mut self.order);
        let pour = |_, donor: u32, receiver: u32| receiver.saturating_add(donor);
        self.flow
            .gather_in_order(areas, strip_rows, order, progress, pour)
    }

    fn lower_mouths(&mut self, law: &Law) -> Result<(), Canceled> {
        let mut lowest = self.level.given.clone();
        // Donors come before receivers, so one pass carries the lowest upstream height down to
        // each outlet.
        for cell in self.order.cells() {
            if let Some(receiver) = self.flow.receiver(cell) {
                lowest[receiver] = lowest[receiver].min(lowest[cell]);
            }
        }
        for (cell, height) in &mut self.mouths {
            *height = lowest[*cell].max(law.sea);
        }
        Ok(())
    }

    /// Incises the rivers from the outlets upstream.
    fn cut(&mut self, law: &Law, progress: &Progress) -> Result<(), Canceled> {
        let (heights, flow) = (&mut self.heights, &self.flow);
        for &(cell, height) in self.mouths.iter().chain(&self.beyond.edges) {
            heights[cell] = height;
        }
        self.order.upstream(flow, heights, progress, |cell, below| {
            // A river cuts no deeper than the sea, whose bed may be far below.
            let base = below.max(law.sea);
            let distance = DISTANCES[usize::from(flow.directions[cell] & 7)];
            let river = law.cutting * (self.areas[cell] as f32).sqrt() / distance;
            let rock = self.smooth[cell] + PACE * self.level.given[cell];
            let height = (rock + river * base) / (1.0 + PACE + river);
            // Strictly above the receiver, so that the next `descend` finds a way down from every
            // cell.
            height.max(base + LEAST_FALL)
        })
    }
}

/// The outlets on the border: land cells that are the lowest within half a border part on both sides. Of equal cells,
/// the first.
fn lowest_parts(level: &Level, border: &[usize], sea: f32) -> Vec<(usize, f32)> {
    // Comparing `(height, cell)` pairs breaks ties.
    let given: Vec<(f32, usize)> = border
        .iter()
        .map(|&cell| (level.given[cell], cell))
        .collect();
    let lowest = lowest_in_ring(&given, border.len() / (2 * BORDER_PARTS));
    let mouths = lowest.into_iter().map(|at| (given[at].1, given[at].0));
    mouths.filter(|&(_, height)| height > sea).collect()
}

/// The lowest land cell on the border among the four cells that a coarse cell covers.
fn finer_mouth(level: &Level, coarse: &Level, cell: usize, sea: f32) -> Option<usize> {
    let grid = Grid::new(level.size);
    let (x, y) = Grid::new(coarse.size).place(cell);
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (2 * x + dx, 2 * y + dy));
    let on_border =
        |&(x, y): &(usize, usize)| x < grid.width && y < grid.height && grid.border_at(x, y);
    let cells = corners.into_iter().filter(on_border);
    let cells = cells.map(|(x, y)| y * grid.width + x);
    let land = cells.filter(|&cell| level.given[cell] > sea);
    land.min_by(|&a, &b| level.given[a].total_cmp(&level.given[b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heightmap, MapSize};

    const WIDTH: usize = 9;
    const HEIGHT: usize = 7;

    /// A slope down to a sea in the west, with random heights added.
    fn slope(roughness: f64) -> Level {
        let mut rng = SeededRng::new(3, b"slope   ");
        let height = |cell| {
            let x = cell % WIDTH;
            let above = 0.1 * x as f64 + roughness * rng.unit();
            if x == 0 { 0.0 } else { above as f32 }
        };
        let heights = (0..WIDTH * HEIGHT).map(height).collect();
        let size = MapSize::new(WIDTH as u64, HEIGHT as u64).unwrap();
        let map = Heightmap::from_heights(size, heights).unwrap();
        Level::pyramid(&map, |z| z, &Progress::default())
            .unwrap()
            .remove(0)
    }

    fn landscape(level: Level, law: &Law) -> Landscape {
        let (heights, progress) = (level.given.clone(), Progress::default());
        let beyond = Beyond::default();
        Landscape::new(level, heights, Vec::new(), beyond, law, &progress).unwrap()
    }

    /// Gauss-Jordan elimination.
    fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
        for at in 0..rows.len() {
            let pivot = rows[at].clone();
            for (other, row) in rows.iter_mut().enumerate() {
                let times = if other == at {
                    0.0
                } else {
                    row[at] / pivot[at]
                };
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(a, b)| *a -= times * b);
            }
        }
        let unknown = |(at, row): (usize, &Vec<f64>)| row[rows.len()] / row[at];
        rows.iter().enumerate().map(unknown).collect()
    }

    #[test]
    fn step_solves_all_equations() {
        let law = Law::new(3.0, 0.4, 0.0, (5, (0, 0)));
        let mut land = landscape(slope(0.05), &law);
        land.pass(&law, false, &Progress::default()).unwrap();
        let cells = WIDTH * HEIGHT;
        let mut rows = vec![vec![0.0; cells + 1]; cells];
        for (cell, row) in rows.iter_mut().enumerate() {
            row[cell] = 1.0;
            let Some(receiver) = land.flow.receiver(cell) else {
                continue;
            };
            let straight = receiver % WIDTH == cell % WIDTH || receiver / WIDTH == cell / WIDTH;
            let distance = if straight { 1.0 } else { 2.0_f64.sqrt() };
            let river = 0.1 * 3.0 * f64::from(land.areas[cell]).sqrt() / distance;
            row[cell] += 0.1 + river;
            row[receiver] = -river;
            let given = f64::from(land.level.given[cell]);
            row[cells] = f64::from(land.smooth[cell]) + 0.1 * given;
        }
        for (cell, height) in solve(rows).into_iter().enumerate() {
            let found = f64::from(land.heights[cell]);
            assert!(
                (found - height).abs() < 1e-6,
                "{cell}: {found}, not {height}"
            );
        }
    }

    #[test]
    fn incision_balances_uplift_in_equilibrium() {
        let law = Law::new(2.0, 0.0, 0.0, (5, (0, 0)));
        let mut land = landscape(slope(0.3), &law);
        for _ in 0..400 {
            land.pass(&law, false, &Progress::default()).unwrap();
        }
        for cell in land.order.cells() {
            let receiver = land.flow.receiver(cell).unwrap();
            let distance = DISTANCES[usize::from(land.flow.directions[cell])];
            let fall = (land.heights[cell] - land.heights[receiver]) / distance;
            let cut = 2.0 * (land.areas[cell] as f32).sqrt() * fall;
            let uplift = land.level.given[cell] - land.heights[cell];
            let filled = fall * distance < 2.0 * LEAST_FALL;
            assert!(
                (cut - uplift).abs() < 1e-3 || filled,
                "{cell}: {cut}, {uplift}"
            );
        }
    }

    #[test]
    fn steps_leave_no_pits() {
        let law = Law::new(4.0, 0.0, 0.0, (9, (0, 0)));
        let mut level = slope(0.5);
        level.given[3 * WIDTH + 6] = 0.01;
        let mut land = landscape(level, &law);
        for pass in 0..50 {
            land.pass(&law, false, &Progress::default()).unwrap();
            for cell in 0..WIDTH * HEIGHT {
                let mut lowest = f32::MAX;
                let grid = land.flow.grid;
                grid.around(cell, |_, other| lowest = lowest.min(land.heights[other]));
                let outlet = land.flow.receiver(cell).is_none();
                assert!(
                    outlet || lowest < land.heights[cell],
                    "cell {cell} in pass {pass}"
                );
            }
        }
    }

    #[test]
    fn outlets_are_lowest_on_border_parts() {
        let level = slope(0.3);
        let border = level.border();
        assert_eq!(border.len(), 2 * (WIDTH + HEIGHT) - 4);
        let mouths = lowest_parts(&level, &border, -1.0);
        let lowest = border
            .iter()
            .map(|&cell| level.given[cell])
            .fold(1.0, f32::min);
        assert!(mouths.iter().any(|&(_, height)| height == lowest));
        assert!(
            mouths
                .iter()
                .all(|&(cell, height)| level.given[cell] == height)
        );
        // Sea cells are not outlets of the border.
        let land = lowest_parts(&level, &border, 0.0);
        assert!(land.iter().all(|&(cell, _)| level.given[cell] > 0.0));
    }
}
