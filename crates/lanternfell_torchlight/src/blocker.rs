//! Things that stand in light's way and move: over the map's cells, which come back.

use bevy::prelude::*;
use lanternfell_lightgrid::{Cell, LightGrid};
use serde::{Deserialize, Serialize};

/// Stands in the light's way, in the cell in which its middle is: a golem, a closed door,
/// a cloud of smoke.
///
/// It lies over the map's own cell (see [`Cell::behind`]), and several in one cell lie over
/// each other. When it moves on, is removed or despawned, the map's cell comes back.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LightBlocker {
    /// What it does with light; [`Cell::WALL`] by default. Its values are brought into 0
    /// to 1, and what is no number is 0.
    pub cell: Cell,
}

impl Default for LightBlocker {
    fn default() -> Self {
        Self { cell: Cell::WALL }
    }
}

impl LightBlocker {
    /// Lets light through as this cell does.
    pub const fn new(cell: Cell) -> Self {
        Self { cell }
    }

    /// The cell, within what a grid takes.
    pub(crate) fn sane(&self) -> Cell {
        sane(&self.cell)
    }
}

/// A cell within what a grid takes.
pub(crate) fn sane(cell: &Cell) -> Cell {
    let sane = |values: Vec3| Vec3::select(values.is_nan_mask(), Vec3::ZERO, values);
    Cell {
        transparency: sane(cell.transparency).clamp(Vec3::ZERO, Vec3::ONE),
        albedo: sane(cell.albedo).clamp(Vec3::ZERO, Vec3::ONE),
    }
}

/// The blockers over one map's cells, row by row, each cell once.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Cover(Vec<Covered>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Covered {
    at: IVec2,
    /// The map's own cell.
    base: Cell,
    /// All blockers in it together.
    over: Cell,
}

impl Cover {
    fn find(&self, at: IVec2) -> Option<usize> {
        find(&self.0, at, |covered| covered.at)
    }

    /// The map's own cell where blockers lie over it.
    pub(crate) fn base(&self, at: IVec2) -> Option<Cell> {
        self.find(at).map(|place| self.0[place].base)
    }

    /// Whether no blocker lies over any cell.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the cells of a copy of the grid the map's own.
    pub(crate) fn uncover(&self, grid: &mut LightGrid) {
        for covered in &self.0 {
            put(grid, covered.at, covered.base);
        }
    }

    /// The map's own cell has been written into the grid: the blockers lie over it again.
    pub(crate) fn base_changed(&mut self, grid: &mut LightGrid, at: IVec2) {
        if let Some(place) = self.find(at) {
            self.0[place].lay_over(grid);
        }
    }

    /// As [`base_changed`](Self::base_changed), for all cells.
    pub(crate) fn all_bases_changed(&mut self, grid: &mut LightGrid) {
        for covered in &mut self.0 {
            covered.lay_over(grid);
        }
    }

    /// Makes these the blockers over the cells, row by row, each cell of the grid once.
    pub(crate) fn replace(&mut self, grid: &mut LightGrid, blockers: &[(IVec2, Cell)]) {
        let now = self.0.iter().map(|covered| (covered.at, covered.over));
        if now.eq(blockers.iter().copied()) {
            return;
        }
        let old = std::mem::take(self);
        let gone = |covered: &&Covered| find(blockers, covered.at, |blocker| blocker.0).is_none();
        for covered in old.0.iter().filter(gone) {
            put(grid, covered.at, covered.base);
        }
        // Those that stay as they were are not touched: that would wake their tiles.
        let lay = |&(at, over): &(IVec2, Cell)| match old.find(at).map(|place| old.0[place]) {
            Some(covered) if covered.over == over => covered,
            // The grid's cell is the map's own unless a blocker lay over it before.
            before => {
                let base = before.map_or_else(|| grid.cell(at), |covered| covered.base);
                put(grid, at, base.behind(&over));
                Covered { at, base, over }
            }
        };
        self.0 = blockers.iter().map(lay).collect();
    }
}

/// The place of a cell in a list that is sorted row by row.
fn find<T>(list: &[T], at: IVec2, cell: impl Fn(&T) -> IVec2) -> Option<usize> {
    let key = |item: &T| (cell(item).y, cell(item).x);
    list.binary_search_by_key(&(at.y, at.x), key).ok()
}

impl Covered {
    fn lay_over(&mut self, grid: &mut LightGrid) {
        self.base = grid.cell(self.at);
        put(grid, self.at, self.base.behind(&self.over));
    }
}

fn put(grid: &mut LightGrid, at: IVec2, cell: Cell) {
    let taken = grid.set_cell(at, cell);
    debug_assert!(taken.is_ok(), "{taken:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_cells_are_brought_into_range() {
        let blocker = LightBlocker::new(Cell {
            transparency: Vec3::new(f32::NAN, 2.0, -1.0),
            albedo: Vec3::new(f32::INFINITY, 0.5, f32::NEG_INFINITY),
        });
        let sane = blocker.sane();
        assert_eq!(sane.transparency, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(sane.albedo, Vec3::new(1.0, 0.5, 0.0));
    }
}
