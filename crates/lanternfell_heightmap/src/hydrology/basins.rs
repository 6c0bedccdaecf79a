//! Fills depressions without a queue: basins, the passes between them, and one sort.
//!
//! Problem: a [flood](super::flood) is a single front that winds through the whole map, so one
//! thread must run it. But when only the water level is needed, not the flow directions, no order
//! is needed. A cell's level is the height of the lowest pass on any path from it to an outlet.
//!
//! Idea: a cell drains to its lowest neighbor, so each cell belongs to the basin of one pit. Two
//! basins first meet at a saddle: a cell whose lower neighbors form groups that do not touch. Of
//! two equal cells the earlier one counts as lower, so flats have few pits.
//!
//! ```text
//!      \   a   /\   b  /         basin a fills up to its lowest pass to terrain that
//!       \     /  \    /__ sea    already drains; then b, or a over b, depending on
//!        \___/    \__/           which pass is lower
//! ```
//!
//! Steps: each strip of rows is surveyed independently, on every core. The survey finds flow
//! directions, basin labels, and the lowest passes that connect the basins. Then passes across
//! the seams are added, and all passes are processed from the lowest to the highest, joining
//! basins until they reach an outlet. A cell's level is its own height or the spill level of its
//! basin, whichever is higher.
//!
//! Why strips do not change the result: a cell without a lower neighbor in its own strip counts
//! as a pit there. A pass of its own height connects it to the lower cells beyond the seam. That
//! pass is no higher than any other path to this pit, so no level changes.
//!
//! Why saddles suffice: let the cells appear from the lowest to the highest. Where all lower
//! neighbors of a cell touch, the cell extends one connected piece and joins none.
//!
//! Cost: O(n), and a sort of the passes, about as many as there are pits. Memory: 4 bytes per
//! cell, shared by labels and levels, and 16 to 40 bytes per pit.
//!
//! Sources: Barnes, *Parallel priority-flood depression filling for trillion cell digital elevation
//! models on desktops or clusters*, 2016, for strips that are joined by their spills; Cordonnier, Bovy
//! and Braun, *A versatile, linear complexity algorithm for flow routing in topographies with
//! depressions*, 2019, for basins in place of a queue; Carr, Snoeyink and Axen, *Computing contour trees
//! in all dimensions*, 2003, for joining by saddles.

mod update;

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::{
    fill::Outlets,
    grid::Grid,
    queue::rank,
    spill::{Pass, Sets, spill},
};
use crate::{Canceled, Progress, rows};

/// The number of rows per strip. Few basins should cross seams, and the rows should fit in the cache.
pub(super) const STRIP_ROWS: usize = 128;

/// The label of cells that drain to an outlet.
const OUTSIDE: u32 = 0;

/// The label of a cell that has none yet.
const UNKNOWN: u32 = u32::MAX;

/// The direction of a cell without a lower neighbor.
const PIT: u8 = 8;

/// The water level of each cell. `None` if a level is 0 and the heights contain -0.0: only a
/// flood preserves the sign of zero.
pub(super) fn levels(
    outlets: &Outlets,
    strip_rows: usize,
    progress: &Progress,
) -> Result<Option<Vec<f32>>, Canceled> {
    let mut basins = Basins::find(outlets, strip_rows, &progress.span(0.0, 0.7))?;
    let surveys = core::mem::take(&mut basins.surveys).into_iter();
    basins.spills = basins.spills(outlets, surveys.map(|survey| survey.passes), progress)?;
    progress.span(0.7, 0.8).step(1, 1)?;
    if basins.lose_sign(outlets.ground) {
        return Ok(None);
    }
    let Basins {
        mut labels,
        firsts,
        spills,
        ..
    } = basins;
    let strip = outlets.grid.width * strip_rows;
    let last = progress.span(0.8, 1.0);
    rows::for_each_row(&mut labels, strip, &last, |index, labels| {
        for (label, &land) in labels.iter_mut().zip(&outlets.ground[index * strip..]) {
            // Levels replace labels in place: a separate array would take 1 GiB on the largest
            // map.
            *label = level(land, spills[number(firsts[index], *label) as usize]).to_bits();
        }
    })?;
    Ok(Some(labels.into_iter().map(f32::from_bits).collect()))
}

/// The level of a cell of this height, in a basin that spills at this level.
fn level(land: f32, spill: f32) -> f32 {
    if land < spill { spill } else { land }
}

/// The basins of a map, and the levels at which they spill.
#[derive(Debug, Clone)]
pub(super) struct Basins {
    strip_rows: usize,
    /// The basin of each cell, numbered within its strip.
    labels: Vec<u32>,
    surveys: Vec<Survey>,
    /// The number of basins before each strip, and at the end the number of all.
    firsts: Vec<u32>,
    /// The level at which each basin of the map spills.
    spills: Vec<f32>,
}

impl Basins {
    /// Surveys all strips. The levels are not known yet.
    pub(super) fn find(
        outlets: &Outlets,
        strip_rows: usize,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let strips = outlets.grid.height.div_ceil(strip_rows);
        let mut basins = Self {
            strip_rows,
            labels: vec![0; outlets.grid.cells()],
            surveys: vec![Survey::default(); strips],
            firsts: Vec::new(),
            spills: Vec::new(),
        };
        basins.survey(outlets, &vec![true; strips], progress)?;
        Ok(basins)
    }

    /// Surveys these strips. The others must not have changed since their last survey.
    fn survey(
        &mut self,
        outlets: &Outlets,
        strips: &[bool],
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let (width, strip_rows) = (outlets.grid.width, self.strip_rows);
        let all = self.labels.chunks_mut(width * strip_rows);
        let all = all.zip(&mut self.surveys).enumerate();
        let mut chosen: Vec<_> = all.filter(|&(index, _)| strips[index]).collect();
        let scratch = || Scratch::new(width);
        rows::for_each_row_with(&mut chosen, 1, progress, scratch, |scratch, _, strip| {
            let (index, (labels, survey)) = &mut strip[0];
            let first = *index * strip_rows;
            let rows = first..first + labels.len() / width;
            labels.fill(UNKNOWN);
            **survey = scratch.survey(outlets, rows, strip_rows, labels);
        })?;
        self.firsts.clear();
        self.firsts.push(0);
        for survey in &self.surveys {
            // Strips label basins from 1, so the offset is the number of basins before. Label 0 is
            // outside in all.
            self.firsts
                .push(self.firsts[self.firsts.len() - 1] + survey.basins);
        }
        Ok(())
    }

    /// The levels at which the basins spill. `passes` are those of each strip.
    fn spills<P: IntoIterator<Item = Pass>>(
        &self,
        outlets: &Outlets,
        passes: impl Iterator<Item = P>,
        progress: &Progress,
    ) -> Result<Vec<f32>, Canceled> {
        let grid = &outlets.grid;
        let basins = self.firsts[self.firsts.len() - 1] as usize + 1;
        // In a strip, passes that close a circle have been dropped, so there are fewer than basins.
        let mut all = Vec::with_capacity(basins);
        for (passes, &first) in passes.zip(&self.firsts) {
            let passes = passes.into_iter();
            all.extend(passes.map(|pass| pass.map(|label| number(first, label))));
        }
        for y in (0..grid.height).filter(|&y| at_seam(grid, self.strip_rows, y)) {
            progress.check()?;
            cross_seam(outlets, self, y, &mut all);
        }
        Ok(spill(basins, all))
    }

    /// The number of the basin of a cell on the whole map.
    fn of(&self, cell: usize, width: usize) -> u32 {
        let strip = cell / (width * self.strip_rows);
        number(self.firsts[strip], self.labels[cell])
    }

    /// Whether a level is 0 and the heights contain -0.0. [`rank`] maps both to the same key, so a
    /// spill level has lost its sign.
    fn lose_sign(&self, ground: &[f32]) -> bool {
        self.spills.contains(&0.0) && ground.iter().any(|z| z.to_bits() == (-0.0_f32).to_bits())
    }
}

/// Whether the row is next to the seam between two strips.
fn at_seam(grid: &Grid, strip_rows: usize, y: usize) -> bool {
    (y > 0 && y.is_multiple_of(strip_rows))
        || (y + 1 < grid.height && (y + 1).is_multiple_of(strip_rows))
}

/// The number of a basin on the whole map.
fn number(first: u32, label: u32) -> u32 {
    if label == OUTSIDE {
        OUTSIDE
    } else {
        first + label
    }
}

/// Adds the passes at the cells of a row that borders another strip.
fn cross_seam(outlets: &Outlets, basins: &Basins, y: usize, passes: &mut Vec<Pass>) {
    let (grid, ground) = (&outlets.grid, outlets.ground);
    for x in 0..grid.width {
        let cell = y * grid.width + x;
        let mut lower = 0_u8;
        // The survey sees only neighbors of its own strip. So it skips seam rows, and they are
        // tested here with all eight neighbors.
        grid.around_at(x, y, |way, neighbor| {
            let below = is_lower(way, ground[neighbor], ground[cell]);
            lower |= u8::from(below) << way;
        });
        let basin = |cell| basins.of(cell, grid.width);
        let beyond = |way| basin(grid.step(cell, way));
        add_passes(lower, ground[cell], basin(cell), beyond, passes);
    }
}

/// Adds the passes from this basin to those of its lower neighbors, over a cell of this height.
fn add_passes(
    lower: u8,
    height: f32,
    basin: u32,
    beyond: impl Fn(u8) -> u32,
    passes: &mut Vec<Pass>,
) {
    // One neighbor per group suffices: lower neighbors that touch each other were connected at a
    // lower height.
    let mut groups = GROUPS[usize::from(lower)];
    while groups != 0 {
        let other = beyond(groups.trailing_zeros() as u8);
        groups &= groups - 1;
        if other != basin {
            passes.push(Pass {
                rank: rank(height),
                basins: [basin, other],
            });
        }
    }
}

/// Whether the neighbor in this direction is lower. Of equal heights, the earlier cell is lower.
#[inline(always)]
fn is_lower(way: u8, there: f32, here: f32) -> bool {
    // Directions 4 to 7 lead to cells with smaller indices. The order is therefore total, and
    // flow paths have no cycles.
    if way >= 4 {
        there <= here
    } else {
        there < here
    }
}

/// For each set of neighbors, as one bit per direction: the first neighbor of each group of touching ones.
static GROUPS: [u8; 256] = {
    let mut groups = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut left = set as u8;
        while left != 0 {
            let first = left & left.wrapping_neg();
            groups[set] |= first;
            let mut group = first;
            loop {
                let grown = left & touching(group);
                if grown == group {
                    break;
                }
                group = grown;
            }
            left &= !group;
        }
        set += 1;
    }
    groups
};

/// These neighbors and those that touch them: the adjacent directions and, for the four axis directions, the next two.
const fn touching(set: u8) -> u8 {
    let straight = set & 0b0101_0101;
    let next = set.rotate_left(1) | set.rotate_right(1);
    // East and south, for example, touch diagonally even without the cell between them.
    let second = straight.rotate_left(2) | straight.rotate_right(2);
    set | next | second
}

/// The survey of a strip: the number of basins, and the passes that connect them.
#[derive(Debug, Clone, Default)]
struct Survey {
    basins: u32,
    passes: Vec<Pass>,
}

/// Scratch memory for the survey of a strip.
struct Scratch {
    falls: Falls,
    /// The direction of descent of each cell of the strip, or `PIT`.
    ways: Vec<u8>,
    /// Cells where basins may meet, as indices in the strip, with their lower neighbors.
    saddles: Vec<(u32, u8)>,
    path: Vec<usize>,
}

impl Scratch {
    fn new(width: usize) -> Self {
        Self {
            falls: Falls::new(width),
            ways: Vec::new(),
            saddles: Vec::new(),
            path: Vec::new(),
        }
    }

    fn survey(
        &mut self,
        outlets: &Outlets,
        rows: Range<usize>,
        strip_rows: usize,
        labels: &mut [u32],
    ) -> Survey {
        let (grid, first) = (&outlets.grid, rows.start * outlets.grid.width);
        self.ways.clear();
        self.saddles.clear();
        let mut basins = 0;
        for y in rows.clone() {
            self.falls.find(outlets, &rows, y);
            let seam = at_seam(grid, strip_rows, y);
            for x in 0..grid.width {
                let (way, lower) = (self.falls.ways[x] as u8, self.falls.lower[x] as u8);
                let (at, outlet) = (self.ways.len(), outlets.at(x, y));
                if outlet {
                    labels[at] = OUTSIDE;
                } else if way == PIT {
                    basins += 1;
                    labels[at] = basins;
                }
                let groups = GROUPS[usize::from(lower)];
                // Two or more groups. At an outlet one is enough, because the outlet itself
                // belongs to the outside.
                let saddle = groups & groups.wrapping_sub(1) != 0 || (outlet && lower != 0);
                if saddle && !seam {
                    self.saddles.push((at as u32, lower));
                }
                self.ways.push(way);
            }
        }
        self.follow(grid, labels);
        let mut passes = Vec::new();
        for &(at, lower) in &self.saddles {
            let at = at as usize;
            let beyond = |way| labels[grid.step(at, way)];
            add_passes(
                lower,
                outlets.ground[first + at],
                labels[at],
                beyond,
                &mut passes,
            );
        }
        // Kruskal's algorithm: a pass within one set can never be the lowest connection. Dropping
        // it here keeps the global sort small.
        passes.sort_unstable_by_key(|pass| pass.rank);
        let mut sets = Sets::new(basins as usize + 1);
        passes.retain(|pass| sets.join(pass.basins));
        passes.shrink_to_fit();
        Survey { basins, passes }
    }

    /// Gives each cell the label of the pit or outlet below it.
    fn follow(&mut self, grid: &Grid, labels: &mut [u32]) {
        for cell in 0..labels.len() {
            let mut at = cell;
            // The path ends at a pit, an outlet or a labeled cell. All its cells then get that
            // label, so no later path walks over them.
            while labels[at] == UNKNOWN {
                self.path.push(at);
                at = grid.step(at, self.ways[at]);
            }
            let label = labels[at];
            for cell in self.path.drain(..) {
                labels[cell] = label;
            }
        }
    }
}

/// For each cell of a row: which neighbors are lower, and which of them is the lowest. All fields
/// are 32 bits wide, so that loops along a row vectorize.
struct Falls {
    lowest: Vec<f32>,
    ways: Vec<u32>,
    lower: Vec<u32>,
}

impl Falls {
    fn new(width: usize) -> Self {
        Self {
            lowest: vec![0.0; width],
            ways: vec![0; width],
            lower: vec![0; width],
        }
    }

    /// Finds the lower neighbors of row `y`, considering only these rows.
    fn find(&mut self, outlets: &Outlets, rows: &Range<usize>, y: usize) {
        let (grid, ground) = (&outlets.grid, outlets.ground);
        let here = &ground[y * grid.width..][..grid.width];
        self.lowest.copy_from_slice(here);
        self.ways.fill(PIT.into());
        self.lower.fill(0);
        let inside = grid.inside(y);
        for way in (0..8).filter(|_| !inside.is_empty()) {
            let first = grid.step(y * grid.width + 1, way);
            if rows.contains(&(first / grid.width)) {
                let there = grid.row_neighbors(ground, y, way);
                let here = &here[inside.clone()];
                dispatch!(Level::new(), _simd => self.try_all(inside.clone(), way, here, there));
            }
        }
        for x in (0..inside.start).chain(inside.end..grid.width) {
            grid.around_at(x, y, |way, neighbor| {
                if rows.contains(&(neighbor / grid.width)) {
                    let there = &ground[neighbor..=neighbor];
                    self.try_all(x..x + 1, way, &here[x..=x], there);
                }
            });
        }
    }

    /// Tries one direction for these columns, from their heights `here` to the heights `there`.
    #[inline(always)]
    fn try_all(&mut self, columns: Range<usize>, way: u8, here: &[f32], there: &[f32]) {
        let lowest = self.lowest[columns.clone()].iter_mut();
        let ways = self.ways[columns.clone()].iter_mut();
        let cells = lowest.zip(ways).zip(&mut self.lower[columns]);
        for (((lowest, best), lower), (&here, &there)) in cells.zip(here.iter().zip(there)) {
            // Selects instead of branches, so that the loop vectorizes. Any lower neighbor is a
            // valid way down, so ties do not matter.
            *lower |= u32::from(is_lower(way, there, here)) << way;
            let better = is_lower(way, there, *lowest);
            *best = if better { way.into() } else { *best };
            *lowest = if better { there } else { *lowest };
        }
    }
}
