//! Moving obstacles, which cover the cells of a map and restore them when they are gone.

use bevy::prelude::*;
use lanternfell_lightgrid::{Cell, LightGrid};
use serde::{Deserialize, Serialize};

/// Covers the cell that contains the center of its entity: a golem, a closed door, a cloud of
/// smoke.
///
/// Its cell is combined with the map's own cell (see [`Cell::behind`]) and with other blockers in
/// the same cell. When the blocker moves, or is removed or despawned, the map's own cell is
/// restored.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LightBlocker {
    /// How light passes through the blocker. Values are clamped to 0 to 1, and NaN is replaced by
    /// 0. Default: [`Cell::WALL`].
    pub cell: Cell,
}

impl Default for LightBlocker {
    fn default() -> Self {
        Self { cell: Cell::WALL }
    }
}

impl LightBlocker {
    /// A blocker through which light passes as through this cell.
    pub const fn new(cell: Cell) -> Self {
        Self { cell }
    }

    /// The cell with its values clamped to the range that the grid accepts.
    pub(crate) fn sane(&self) -> Cell {
        sane(&self.cell)
    }
}

/// A cell with its values clamped to the range that the grid accepts.
pub(crate) fn sane(cell: &Cell) -> Cell {
    let sane = |values: Vec3| Vec3::select(values.is_nan_mask(), Vec3::ZERO, values);
    Cell {
        transparency: sane(cell.transparency).clamp(Vec3::ZERO, Vec3::ONE),
        albedo: sane(cell.albedo).clamp(Vec3::ZERO, Vec3::ONE),
    }
}

/// The blockers over the cells of one map: sorted by row, with at most one entry per cell.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Cover(Vec<Covered>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Covered {
    at: IVec2,
    /// The map's own cell.
    base: Cell,
    /// All blockers in this cell, combined.
    over: Cell,
}

impl Cover {
    fn find(&self, at: IVec2) -> Option<usize> {
        find(&self.0, at, |covered| covered.at)
    }

    /// The map's own cell, if blockers cover it.
    pub(crate) fn base(&self, at: IVec2) -> Option<Cell> {
        self.find(at).map(|place| self.0[place].base)
    }

    /// Whether there are no blockers.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the map's own cells into a copy of the grid.
    pub(crate) fn uncover(&self, grid: &mut LightGrid) {
        for covered in &self.0 {
            put(grid, covered.at, covered.base);
        }
    }

    /// Call this after the map's own cell was written into the grid. It puts the blockers over it
    /// again.
    pub(crate) fn base_changed(&mut self, grid: &mut LightGrid, at: IVec2) {
        if let Some(place) = self.find(at) {
            self.0[place].reapply(grid);
        }
    }

    /// Like [`base_changed`](Self::base_changed), for all cells.
    pub(crate) fn all_bases_changed(&mut self, grid: &mut LightGrid) {
        for covered in &mut self.0 {
            covered.reapply(grid);
        }
    }

    /// Replaces the blockers. `blockers` is sorted by row, with at most one entry per cell.
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
        // Cells whose blockers are unchanged are not written, because that would wake their tiles.
        let combine = |&(at, over): &(IVec2, Cell)| match old.find(at).map(|place| old.0[place]) {
            Some(covered) if covered.over == over => covered,
            // A cell that was not covered before still holds the map's own cell in the grid.
            before => {
                let base = before.map_or_else(|| grid.cell(at), |covered| covered.base);
                put(grid, at, base.behind(&over));
                Covered { at, base, over }
            }
        };
        self.0 = blockers.iter().map(combine).collect();
    }
}

/// The index of a cell in a list that is sorted by row.
fn find<T>(list: &[T], at: IVec2, cell: impl Fn(&T) -> IVec2) -> Option<usize> {
    let key = |item: &T| (cell(item).y, cell(item).x);
    list.binary_search_by_key(&(at.y, at.x), key).ok()
}

impl Covered {
    fn reapply(&mut self, grid: &mut LightGrid) {
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
    fn clamps_invalid_cells() {
        let blocker = LightBlocker::new(Cell {
            transparency: Vec3::new(f32::NAN, 2.0, -1.0),
            albedo: Vec3::new(f32::INFINITY, 0.5, f32::NEG_INFINITY),
        });
        let sane = blocker.sane();
        assert_eq!(sane.transparency, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(sane.albedo, Vec3::new(1.0, 0.5, 0.0));
    }
}
