//! Connected regions of land and of water: islands, lakes and the ocean.
//!
//! Problem: find out which cells are connected. Flood filling from cell to cell jumps all over memory.
//!
//! Idea: a row consists of runs, alternately of land and of water. Runs of the same type that touch in adjacent rows
//! belong to the same region. This is a union of two sets, each of which is represented by its first run from the
//! north-west.
//!
//! ```text
//!     row 0   A A . . B B B       A and B are separate until row 2. There C, which is
//!     row 1   A A A . B B .       connected to A, touches B, so all three become A.
//!     row 2   . C C C C . .
//! ```
//!
//! Steps: divide the rows into runs. Unite the runs (path halving; the smaller number is the root). Number the roots in
//! order. Write the labels, row by row on every core.
//!
//! If land is connected by corners, water must not be, or two lines of cells could cross. So water always has the
//! opposite neighborhood.
//!
//! Cost: about O(1) per cell, on one core except for writing the labels. Memory: labels as large as the map, and 8
//! bytes per run. Natural maps have few runs. On a map of noise, every second cell starts one, and the runs take as
//! much memory as the map.
//!
//! Sources: Rosenfeld and Pfaltz, *Sequential operations in digital picture processing*, 1966; run-based: He, Chao and
//! Suzuki, *A run-based two-scan labeling algorithm*, 2008.

use serde::{Deserialize, Serialize};

use super::HeightRows;
use crate::{
    Canceled, GenerateError, Heightmap, MapSize, ParamError, Progress, Scale, is_land, rows,
};

/// Whether land cells that touch only at their corners are connected. Water cells use the opposite rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Connectivity {
    /// Land is connected by its four sides, water also by corners.
    #[default]
    Four,
    /// Land is also connected by corners, water by its four sides.
    Eight,
}

/// Finds connected regions of land and of water.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindRegions {
    /// The height of the sea: see [`is_land`]. Must be finite. Default: 0.5.
    pub sea_level: f32,
    /// How land is connected. Default: by its four sides.
    pub connectivity: Connectivity,
}

impl Default for FindRegions {
    fn default() -> Self {
        Self {
            sea_level: 0.5,
            connectivity: Connectivity::default(),
        }
    }
}

/// A connected region of land or of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Its number, which its cells have in [`Regions::labels`].
    pub label: u32,
    /// Whether it is land.
    pub land: bool,
    /// The number of its cells.
    pub cells: u64,
    /// The westernmost and the easternmost column.
    pub columns: (usize, usize),
    /// The northernmost and the southernmost row.
    pub rows: (usize, usize),
    /// Whether it touches the border of the map. Water that does is the ocean; other water is a lake.
    pub touches_border: bool,
}

impl Region {
    /// Its area in square meters. Cells are squares of the scale's spacing.
    pub fn area(&self, scale: Scale) -> f64 {
        self.cells as f64 * f64::from(scale.spacing) * f64::from(scale.spacing)
    }
}

/// All connected regions of land and of water of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    size: MapSize,
    labels: Vec<u32>,
    list: Vec<Region>,
}

impl Regions {
    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The number of each cell's region, row by row.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// All regions in the order of their numbers, which is the order of their first cells.
    pub fn list(&self) -> &[Region] {
        &self.list
    }

    /// The region of the cell at column `x` and row `y`.
    ///
    /// # Panics
    /// If the cell is outside the map.
    pub fn at(&self, x: usize, y: usize) -> &Region {
        let row = &self.labels[y * self.size.width()..][..self.size.width()];
        &self.list[row[x] as usize]
    }

    /// The regions of land, starting with the largest.
    pub fn islands(&self) -> Vec<Region> {
        self.sorted(|region| region.land)
    }

    /// The regions of water that do not touch the border, starting with the largest.
    pub fn lakes(&self) -> Vec<Region> {
        self.sorted(|region| !region.land && !region.touches_border)
    }

    fn sorted(&self, wanted: impl Fn(&Region) -> bool) -> Vec<Region> {
        let mut found: Vec<Region> = self.list.iter().copied().filter(wanted).collect();
        // A stable sort keeps equally large regions in the order of their numbers.
        found.sort_by_key(|region| core::cmp::Reverse(region.cells));
        found
    }
}

impl FindRegions {
    /// Checks that the sea level is finite.
    pub fn validate(&self) -> Result<(), ParamError> {
        let level = ParamError::shortest(self.sea_level);
        ParamError::check(level.is_finite(), "regions", "sea_level", level, "finite")
    }

    /// Finds the regions of `map`.
    ///
    /// # Errors
    /// If the sea level is not finite, or the work is canceled.
    pub fn of(&self, map: &Heightmap, progress: &Progress) -> Result<Regions, GenerateError> {
        self.validate()?;
        let mut runs = Runs::cut(map, self.sea_level, &progress.span(0.0, 0.4))?;
        runs.unite(self.connectivity, &progress.span(0.4, 0.6))?;
        let (labels_of_runs, list) = runs.number(map.size());
        let mut labels = vec![0; map.size().cells()];
        let painted = progress.span(0.6, 1.0);
        rows::for_each_row(&mut labels, map.width(), &painted, |y, row| {
            for run in runs.of_row(y) {
                row[runs.start(run)..runs.end(run, y)].fill(labels_of_runs[run]);
            }
        })?;
        Ok(Regions {
            size: map.size(),
            labels,
            list,
        })
    }

    /// Finds the regions of a map that is read row by row, without the labels of its cells. The regions are in the
    /// order of [`Regions::list`]. Memory: 12 bytes per run of land or water in a row.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub fn list(
        &self,
        map: &(impl HeightRows + ?Sized),
        progress: &Progress,
    ) -> Result<Vec<Region>, GenerateError> {
        self.validate()?;
        let mut runs = Runs::cut(map, self.sea_level, &progress.span(0.0, 0.7))?;
        runs.unite(self.connectivity, &progress.span(0.7, 1.0))?;
        Ok(runs.number(map.size()).1)
    }
}

/// The runs of all rows, in order.
struct Runs {
    width: usize,
    /// The column where each run starts.
    starts: Vec<u32>,
    /// For each run, another run of its set, or itself if it is the root.
    parents: Vec<u32>,
    /// The index of the first run of each row, followed by the number of runs.
    rows: Vec<usize>,
    /// Whether the first run of each row is land.
    first_is_land: Vec<bool>,
}

impl Runs {
    fn cut(
        map: &(impl HeightRows + ?Sized),
        sea_level: f32,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let height = map.size().height();
        let mut runs = Self {
            width: map.size().width(),
            starts: Vec::new(),
            parents: Vec::new(),
            rows: vec![0],
            first_is_land: Vec::new(),
        };
        for y in 0..height {
            map.show(y, &mut |row| {
                runs.starts.push(0);
                for (x, pair) in (1..).zip(row.windows(2)) {
                    if is_land(pair[0], sea_level) != is_land(pair[1], sea_level) {
                        runs.starts.push(x);
                    }
                }
                runs.first_is_land.push(is_land(row[0], sea_level));
                runs.rows.push(runs.starts.len());
            });
            progress.step(y + 1, height)?;
        }
        // A map has at most 2^28 cells, so `u32` is enough for runs.
        runs.parents = (0..runs.starts.len() as u32).collect();
        Ok(runs)
    }

    fn of_row(&self, y: usize) -> core::ops::Range<usize> {
        self.rows[y]..self.rows[y + 1]
    }

    fn start(&self, run: usize) -> usize {
        self.starts[run] as usize
    }

    /// One past the last column of a run of row `y`.
    fn end(&self, run: usize, y: usize) -> usize {
        if run + 1 < self.rows[y + 1] {
            self.start(run + 1)
        } else {
            self.width
        }
    }

    /// Land and water alternate.
    fn is_land(&self, run: usize, y: usize) -> bool {
        self.first_is_land[y] ^ ((run - self.rows[y]) % 2 == 1)
    }

    /// Unites runs of the same type that touch in adjacent rows.
    fn unite(&mut self, connectivity: Connectivity, progress: &Progress) -> Result<(), Canceled> {
        for y in 1..self.rows.len() - 1 {
            let mut above = self.rows[y - 1];
            for run in self.of_row(y) {
                let (start, end, land) = (self.start(run), self.end(run, y), self.is_land(run, y));
                let by_corners = land == (connectivity == Connectivity::Eight);
                let reach = usize::from(by_corners);
                // Runs further west touch neither this run nor later ones.
                while self.end(above, y - 1) < start {
                    above += 1;
                }
                let mut other = above;
                while other < self.rows[y] && self.start(other) < end + reach {
                    let touches = self.end(other, y - 1) + reach > start;
                    if touches && self.is_land(other, y - 1) == land {
                        self.join(run, other);
                    }
                    other += 1;
                }
            }
            progress.step(y, self.rows.len() - 2)?;
        }
        Ok(())
    }

    fn root(&mut self, mut run: u32) -> u32 {
        while self.parents[run as usize] != run {
            let above = self.parents[self.parents[run as usize] as usize];
            self.parents[run as usize] = above;
            run = above;
        }
        run
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a as u32), self.root(b as u32));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Returns the label of each run, and the region of each label.
    fn number(&mut self, size: MapSize) -> (Vec<u32>, Vec<Region>) {
        let mut list: Vec<Region> = Vec::new();
        let mut labels = vec![0; self.starts.len()];
        for y in 0..size.height() {
            for run in self.of_row(y) {
                let (first, last) = (self.start(run), self.end(run, y) - 1);
                let root = self.root(run as u32) as usize;
                if root == run {
                    labels[run] = list.len() as u32;
                    list.push(Region {
                        label: list.len() as u32,
                        land: self.is_land(run, y),
                        cells: 0,
                        columns: (first, last),
                        rows: (y, y),
                        touches_border: false,
                    });
                }
                // A root precedes all other runs of its set, so its label is already known.
                labels[run] = labels[root];
                let region = &mut list[labels[root] as usize];
                region.cells += (last + 1 - first) as u64;
                region.columns.0 = region.columns.0.min(first);
                region.columns.1 = region.columns.1.max(last);
                region.rows.1 = y;
                let at_side = first == 0 || last == size.width() - 1;
                region.touches_border |= at_side || y == 0 || y == size.height() - 1;
            }
        }
        (labels, list)
    }
}
