//! The present light of one color, and records of its changes.
//!
//! Several readers need the changes since they last looked, each at its own time. Each reader has a
//! separate record. Every method that changes light, or data that light depends on, must update all
//! records that are concerned:
//!
//! ```text
//!   tiles       the tiles that the next step of the automaton must visit
//!   unsettled   the cells where the settled solver must look for work
//!   dirty       the tiles that must be redrawn
//! ```

use super::{band::Band, before::Overwritten, unsettled::Unsettled};
use crate::{
    activity::Activity, area::Area, plane::Plane, source::SourceConstraint, sparse::Sparse,
};

/// Steps set light below this to zero. Otherwise ever fainter light would spread forever and keep
/// every tile awake, although no screen can show it. As a cost, a cell loses up to this much in
/// each step, so steps end up to this divided by the decay below the settled light.
pub(super) const DARK: f32 = 1.0 / 65536.0;

/// The light of one color.
#[derive(Debug, Clone)]
pub(crate) struct Channel {
    /// The present light.
    pub(super) light: Plane,
    /// The buffer for the next light, which contains the previous one. Equal to `light` in all
    /// tiles that the next step does not visit.
    pub(super) back: Plane,
    /// Whether `light` was replaced from outside, so that `back` differs from it anywhere.
    pub(super) back_is_old: bool,
    /// The constraints of sources on cells.
    pub(super) constraints: Sparse<SourceConstraint>,
    /// The same as a list, row by row.
    constrained: Vec<(usize, usize, SourceConstraint)>,
    /// The ambient light of each cell, if there is any, and its maximum.
    pub(super) floor: Option<Plane>,
    brightest_floor: f32,
    /// An upper bound on all light. It prevents rounding from brightening a room without decay.
    pub(super) ceiling: f32,
    /// The maximum that sources and ambient light demand.
    pub(super) brightest: f32,
    pub(super) tiles: Activity,
    pub(super) tile: usize,
    /// The tiles that have changed since the last drain, and whether there are any.
    pub(super) dirty: Vec<bool>,
    pub(super) any_dirty: bool,
    /// The settled solver leaves a cell alone if it is this close to its average.
    pub(super) threshold: f32,
    /// Whether the light has been a rounded multiple of another color's light.
    pub(super) was_shade: bool,
    /// The cells that have changed since the settled solver came to rest.
    pub(super) unsettled: Unsettled,
    /// The light that the solver has overwritten, while it must be restored later.
    pub(super) overwritten: Overwritten,
    /// The time of the last step that left nothing to do.
    pub(super) step_quiet_since: u64,
    pub(super) bands: Vec<Band>,
}

impl Channel {
    /// A channel without light.
    pub(crate) fn new(width: usize, height: usize, tile: usize) -> Self {
        let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
        Self {
            light: Plane::new(width, height),
            back: Plane::new(width, height),
            back_is_old: false,
            constraints: Sparse::new(height),
            constrained: Vec::new(),
            floor: None,
            brightest_floor: 0.0,
            ceiling: 0.0,
            brightest: 0.0,
            tiles: Activity::new(across, down),
            tile,
            dirty: vec![true; across * down],
            any_dirty: true,
            threshold: f32::INFINITY,
            was_shade: false,
            unsettled: Unsettled::new(width, height, tile),
            overwritten: Overwritten::default(),
            step_quiet_since: 0,
            bands: Band::all(across, down),
        }
    }

    pub(crate) fn light(&self) -> &Plane {
        &self.light
    }

    pub(crate) fn tiles(&self) -> &Activity {
        &self.tiles
    }

    /// Changes the size of the tiles.
    pub(crate) fn set_tile(&mut self, tile: usize) {
        let (width, height) = (self.light.width(), self.light.height());
        let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
        self.tile = tile;
        self.tiles = Activity::new(across, down);
        self.dirty = vec![true; across * down];
        self.any_dirty = true;
        self.bands = Band::all(across, down);
        self.unsettled = Unsettled::new(width, height, tile);
        // The new records do not include past changes: anything may have changed.
        self.step_quiet_since = 0;
        self.touch_all();
    }

    pub(crate) fn tile(&self) -> usize {
        self.tile
    }

    pub(crate) fn ceiling(&self) -> f32 {
        self.ceiling
    }

    /// The maximum that sources and ambient light demand.
    pub(crate) fn brightest(&self) -> f32 {
        self.brightest
    }

    /// The ambient light of a cell.
    pub(crate) fn floor(&self, x: usize, y: usize) -> f32 {
        self.floor.as_ref().map_or(0.0, |floor| floor.get(x, y))
    }

    /// Records that the light becomes this multiple of another color's light.
    pub(crate) fn note_shade(&mut self, part: f32) {
        self.was_shade |= part > 0.0;
    }

    /// Whether the light has been a rounded multiple of another color's light.
    pub(crate) fn was_shade(&self) -> bool {
        self.was_shade
    }

    /// Whether there is ambient light.
    pub(crate) fn has_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// The constraints of sources, row by row.
    pub(crate) fn constrained(&self) -> &[(usize, usize, SourceConstraint)] {
        &self.constrained
    }

    /// The constraint of sources on a cell.
    pub(crate) fn constraint(&self, x: usize, y: usize) -> Option<SourceConstraint> {
        self.constraints.get(x, y)
    }

    /// Whether the light is settled with this threshold.
    pub(crate) fn is_settled(&self, threshold: f32) -> bool {
        threshold >= self.threshold && self.unsettled.is_empty()
    }

    /// Sets the threshold for the settled solver.
    pub(crate) fn ask_for(&mut self, threshold: f32) {
        // Cells that were close enough before may not be now: lit cells, and dark cells where a
        // source or ambient light demands a little. With a larger threshold all cells stay at rest.
        if threshold < self.threshold {
            self.touch_lit();
            self.touch_asked();
        }
        self.threshold = threshold;
    }

    /// The settled solver leaves a cell alone if it is this close to its average.
    pub(crate) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Takes the areas that have changed since the light was settled, one for each tile.
    pub(crate) fn drain_unsettled(&mut self) -> Vec<Area> {
        self.unsettled.drain()
    }

    /// Records that the settled solver has not finished a cell.
    pub(crate) fn unsettle(&mut self, x: usize, y: usize) {
        self.unsettled.mark(x, y);
    }

    /// Sets the settled light of a cell.
    pub(crate) fn put(&mut self, x: usize, y: usize, light: f32) {
        let before = self.light.get(x, y);
        // Does not mark `unsettled`, because this is the result of the solver. Steps and renderers
        // must see it.
        if before != light {
            self.overwritten.note(x, y, before);
            self.light.set(x, y, light);
            self.wake(x / self.tile, y / self.tile);
        }
    }

    /// Sets the settled light of every second cell of a row, starting at `(x, y)`, for those cells
    /// whose bit is set.
    pub(crate) fn put_every_second(&mut self, (x, y): (usize, usize), bits: u64, light: &[f32]) {
        let mut changed = 0_u64;
        // The last block of a row may extend beyond the grid.
        let end = (x + 2 * light.len()).min(self.light.width());
        let cells = self.light.row_mut(y, x, end).chunks_mut(2);
        for (n, (cell, &light)) in cells.zip(light).enumerate() {
            if bits >> n & 1 == 1 && cell[0] != light {
                self.overwritten.note(x + 2 * n, y, cell[0]);
                cell[0] = light;
                changed |= 1 << n;
            }
        }
        // Wakes each tile once, and then clears the bits of its other cells.
        while changed != 0 {
            let first = x + 2 * changed.trailing_zeros() as usize;
            let tile = first / self.tile;
            self.wake(tile, y / self.tile);
            let beyond = ((tile + 1) * self.tile - x).div_ceil(2);
            // A shift by 64 or more, which is past all bits, leaves none.
            changed &= u64::MAX.checked_shl(beyond as u32).unwrap_or(0);
        }
    }

    /// Records that the settled solver has visited these areas, and the largest change in its last
    /// sweep.
    pub(crate) fn note_residual(&mut self, areas: &[Area], change: f32) {
        // Each area is in one tile.
        for area in areas {
            let tile = area.first.as_usizevec2() / self.tile;
            let tile = tile.y * self.light.width().div_ceil(self.tile) + tile.x;
            self.tiles.change[tile] = change;
        }
    }

    /// Makes the next step visit a tile, and marks it for redrawing.
    fn wake(&mut self, tile_x: usize, tile_y: usize) {
        self.tiles.touch(tile_x, tile_y);
        self.dirty[tile_y * self.light.width().div_ceil(self.tile) + tile_x] = true;
        self.any_dirty = true;
    }

    /// Takes the tiles that have changed since the last call.
    pub(crate) fn drain_dirty(&mut self, dirty: &mut Vec<usize>) {
        if core::mem::take(&mut self.any_dirty) {
            let tiles = self.dirty.iter_mut().enumerate();
            dirty.extend(tiles.filter_map(|(tile, is)| core::mem::take(is).then_some(tile)));
        }
    }

    /// Marks these tiles for redrawing again.
    pub(crate) fn mark_dirty_tiles(&mut self, tiles: impl Iterator<Item = usize>) {
        for tile in tiles {
            self.dirty[tile] = true;
            self.any_dirty = true;
        }
    }

    /// Marks an area for redrawing whose light was not changed by this channel.
    pub(crate) fn mark_dirty(&mut self, area: Area) {
        let across = self.light.width().div_ceil(self.tile);
        let tile = |cell: i32| cell as usize / self.tile;
        for y in tile(area.first.y)..=tile(area.end.y - 1) {
            for x in tile(area.first.x)..=tile(area.end.x - 1) {
                self.dirty[y * across + x] = true;
            }
        }
        self.any_dirty = true;
    }

    /// Records that a cell has changed. Adjacent tiles are visited as well.
    pub(crate) fn touch(&mut self, x: usize, y: usize) {
        self.wake(x / self.tile, y / self.tile);
        self.unsettled.mark(x, y);
    }

    /// Records that the rule, or the properties of all cells, have changed. Dark tiles remain dark
    /// under any rule.
    pub(crate) fn touch_lit(&mut self) {
        let width = self.light.width();
        for y in 0..self.light.height() {
            for (tile_x, cells) in self.light.row(y, 0, width).chunks(self.tile).enumerate() {
                if cells.iter().any(|&light| light > 0.0) {
                    self.tiles.touch(tile_x, y / self.tile);
                    self.unsettled.mark_tile(tile_x, y / self.tile);
                }
            }
        }
    }

    /// Records that everything has changed.
    pub(crate) fn touch_all(&mut self) {
        self.tiles.touch_all();
        self.unsettled.mark_all();
    }

    /// Sets all light, row by row, and the upper bound that the automaton keeps.
    pub(crate) fn restore(&mut self, light: &[f32], ceiling: f32) {
        let width = self.light.width();
        for (y, row) in light.chunks(width).enumerate() {
            self.light.row_mut(y, 0, width).copy_from_slice(row);
        }
        // The ceiling must not cut off the loaded light, even if its lamps are gone.
        let brightest = light.iter().copied().fold(self.brightest, f32::max);
        self.ceiling = ceiling.max(brightest);
        self.dirty.fill(true);
        self.any_dirty = true;
        self.touch_all();
    }

    /// Removes all light. Only cells with a source or ambient light must be visited; the others
    /// stay dark.
    pub(crate) fn darken(&mut self) {
        self.light.clear();
        self.back.clear();
        // Both buffers are equal again, and no rounded shades remain.
        self.back_is_old = false;
        self.was_shade = false;
        self.ceiling = self.brightest;
        self.dirty.fill(true);
        self.any_dirty = true;
        self.touch_asked();
    }

    /// Marks the cells with a source or ambient light.
    fn touch_asked(&mut self) {
        for &(x, y, _) in &self.constrained {
            self.tiles.touch(x / self.tile, y / self.tile);
            self.unsettled.mark(x, y);
        }
        if self.floor.is_some() {
            self.touch_all();
        }
    }

    /// Replaces the constraints of the sources. The list is row by row, with each cell once. Calls
    /// `changed` with every cell whose constraint differs.
    pub(crate) fn set_constraints(
        &mut self,
        constraints: Vec<(usize, usize, SourceConstraint)>,
        mut changed: impl FnMut(usize, usize),
    ) {
        // Both lists are taken out, because `touch` needs all of `self`. A cell with a different
        // constraint is in both differences: its constraint is removed, and then set.
        let old = core::mem::replace(&mut self.constrained, constraints);
        let new = core::mem::take(&mut self.constrained);
        for &(x, y, _) in only_in(&old, &new) {
            self.constraints.set(x, y, None);
            self.touch(x, y);
            changed(x, y);
        }
        for &(x, y, constraint) in only_in(&new, &old) {
            self.constraints.set(x, y, Some(constraint));
            self.touch(x, y);
            changed(x, y);
        }
        self.constrained = new;
        self.find_brightest();
    }

    /// Copies the constraints of the sources and the upper bounds of another channel. Calls
    /// `changed` with each cell whose constraint differs.
    pub(super) fn take_bounds(&mut self, other: &Self, mut changed: impl FnMut(usize, usize)) {
        let (own, others) = (&self.constrained, &other.constrained);
        for &(x, y, _) in only_in(own, others).chain(only_in(others, own)) {
            changed(x, y);
        }
        // No cells are touched, because the caller takes over the other channel's light as well.
        self.constraints.clone_from(&other.constraints);
        self.constrained.clone_from(&other.constrained);
        self.brightest_floor = other.brightest_floor;
        self.brightest = other.brightest;
        self.ceiling = other.ceiling;
    }

    /// Replaces the ambient light of all cells.
    pub(crate) fn set_floor(&mut self, floor: Option<Plane>) {
        let brightest = |floor: &Plane| floor.values().iter().copied().fold(0.0, f32::max);
        self.brightest_floor = floor.as_ref().map_or(0.0, brightest);
        self.floor = floor;
        self.touch_all();
        self.find_brightest();
    }

    fn find_brightest(&mut self) {
        let held = self
            .constrained
            .iter()
            .map(|(_, _, constraint)| constraint.held);
        self.brightest = held.fold(self.brightest_floor, f32::max);
        // Never lowers the ceiling, because light of removed lamps is still there. Steps and
        // `darken` lower it.
        self.ceiling = self.ceiling.max(self.brightest);
    }

    /// Records the changes in the tiles that were visited.
    pub(super) fn note_changes(&mut self) {
        for band in &self.bands {
            let visited = band.visit.iter().zip(&band.change).enumerate();
            for (tile_x, (_, &change)) in visited.filter(|(_, (visited, _))| **visited) {
                let tile = band.tile_y * band.change.len() + tile_x;
                self.tiles.change[tile] = change;
                // In the next step the tile and its neighbors are visited again.
                if change > 0.0 {
                    self.tiles.touch(tile_x, band.tile_y);
                    self.unsettled.mark_tile(tile_x, band.tile_y);
                    self.dirty[tile] = true;
                    self.any_dirty = true;
                }
            }
        }
    }
}

/// Limits light to the range from the floor to the ceiling.
#[inline(always)]
pub(crate) fn limit(light: f32, floor: f32, ceiling: f32) -> f32 {
    // Unlike `f32::max`, a comparison needs no case for NaN in vector loops.
    let lifted = if light < floor { floor } else { light };
    if lifted > ceiling { ceiling } else { lifted }
}

/// The entries of `a` that are missing or different in `b`. Both are sorted row by row.
fn only_in<'a>(
    a: &'a [(usize, usize, SourceConstraint)],
    b: &'a [(usize, usize, SourceConstraint)],
) -> impl Iterator<Item = &'a (usize, usize, SourceConstraint)> {
    // Both are sorted, so one pass over each is enough.
    let mut rest = b.iter().peekable();
    a.iter().filter(move |&&(x, y, constraint)| {
        while rest.next_if(|&&(bx, by, _)| (by, bx) < (y, x)).is_some() {}
        rest.peek()
            .is_none_or(|&&other| other != (x, y, constraint))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn put_every_second_equals_single_puts() {
        let light: [f32; 8] = core::array::from_fn(|n| n as f32 + 1.0);
        for tile in [4, 5, 16, 32] {
            for (x, y) in [(0, 0), (1, 3), (16, 9), (23, 9)] {
                for bits in [0, 0b1, 0b1000_0110, 0xff] {
                    let mut channels = [(); 2].map(|()| Channel::new(33, 10, tile));
                    let before = channels.each_mut().map(Channel::remember);
                    let [rows, cells] = &mut channels;
                    let within = (x..33).step_by(2).zip(light).enumerate();
                    for (_, (x, light)) in within.filter(|(n, _)| bits >> n & 1 == 1) {
                        cells.put(x, y, light);
                    }
                    rows.put_every_second((x, y), bits, &light);
                    assert_eq!(rows.light, cells.light);
                    let tiles = channels.each_mut().map(|channel| {
                        let mut tiles = Vec::new();
                        channel.drain_dirty(&mut tiles);
                        (tiles, channel.tiles.clone())
                    });
                    for (channel, before) in channels.iter_mut().zip(before) {
                        channel.put_back(before);
                        assert!(channel.light.values().iter().all(|&light| light == 0.0));
                    }
                    assert_eq!(
                        tiles[0].0, tiles[1].0,
                        "tiles of {tile}, {x}, {y}, {bits:b}"
                    );
                    assert_eq!(format!("{:?}", tiles[0].1), format!("{:?}", tiles[1].1));
                }
            }
        }
    }
}
