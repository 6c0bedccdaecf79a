//! The light of one color as it is now, and which tiles have changed.
//!
//! Several readers want to know what has changed since they looked last, each at its own time. Each
//! has its own record, and every method that changes light or what light follows from must write to
//! all that are concerned:
//!
//! ```text
//!   tiles       which tiles the next step of the automaton has to visit
//!   unsettled   where the settled solver has to look for work
//!   dirty       which tiles have to be shown again
//! ```

use super::{band::Band, before::Overwritten, unsettled::Unsettled};
use crate::{
    activity::Activity, area::Area, plane::Plane, source::SourceConstraint, sparse::Sparse,
};

/// Light below this is none after a step. Without an end light would creep on for ever, ever
/// fainter, and keep every tile awake; a screen can not show it. The price: a cell loses up to so
/// much in a step, and so steps end up to this over the decay below the settled light.
pub(super) const DARK: f32 = 1.0 / 65536.0;

/// The light of one color.
#[derive(Debug, Clone)]
pub(crate) struct Channel {
    /// The light now.
    pub(super) light: Plane,
    /// The light of the step before, in whose place the next is written. Equal to `light`
    /// in all tiles that the next step will not visit.
    pub(super) back: Plane,
    /// Or not: `light` was put in the place of another.
    pub(super) back_is_old: bool,
    /// What each source asks of its cells.
    pub(super) constraints: Sparse<SourceConstraint>,
    /// The same as a list, row by row.
    constrained: Vec<(usize, usize, SourceConstraint)>,
    /// The light that every cell has at least, if there is ambient light, and its greatest.
    pub(super) floor: Option<Plane>,
    brightest_floor: f32,
    /// No cell is brighter. Keeps rounding from lifting a room that nothing dims.
    pub(super) ceiling: f32,
    /// The brightest that sources and ambient light ask for.
    pub(super) brightest: f32,
    pub(super) tiles: Activity,
    pub(super) tile: usize,
    /// Tiles whose light has changed since they were drained last, and whether there are any.
    pub(super) dirty: Vec<bool>,
    pub(super) any_dirty: bool,
    /// How near to its average a cell must be to be left alone by the settled solver.
    pub(super) threshold: f32,
    /// Whether its light has been a rounded part of another color's.
    pub(super) was_shade: bool,
    /// Where light has changed since that solver came to rest.
    pub(super) unsettled: Unsettled,
    /// What this solver has written over, while it is to be put back.
    pub(super) overwritten: Overwritten,
    /// The last step left nothing to do.
    pub(super) step_quiet_since: u64,
    pub(super) bands: Vec<Band>,
}

impl Channel {
    /// Darkness.
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

    /// Divides the grid into tiles of another size.
    pub(crate) fn set_tile(&mut self, tile: usize) {
        let (width, height) = (self.light.width(), self.light.height());
        let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
        self.tile = tile;
        self.tiles = Activity::new(across, down);
        self.dirty = vec![true; across * down];
        self.any_dirty = true;
        self.bands = Band::all(across, down);
        self.unsettled = Unsettled::new(width, height, tile);
        // The new records know nothing of the past: everything may have changed.
        self.step_quiet_since = 0;
        self.touch_all();
    }

    pub(crate) fn tile(&self) -> usize {
        self.tile
    }

    pub(crate) fn ceiling(&self) -> f32 {
        self.ceiling
    }

    /// The brightest that sources and ambient light ask for.
    pub(crate) fn brightest(&self) -> f32 {
        self.brightest
    }

    /// The ambient light of a cell.
    pub(crate) fn floor(&self, x: usize, y: usize) -> f32 {
        self.floor.as_ref().map_or(0.0, |floor| floor.get(x, y))
    }

    /// Its light becomes such a part of another color's.
    pub(crate) fn note_shade(&mut self, part: f32) {
        self.was_shade |= part > 0.0;
    }

    /// Whether its light has been a rounded part of another color's.
    pub(crate) fn was_shade(&self) -> bool {
        self.was_shade
    }

    /// Whether there is ambient light.
    pub(crate) fn has_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// What sources ask, row by row.
    pub(crate) fn constrained(&self) -> &[(usize, usize, SourceConstraint)] {
        &self.constrained
    }

    /// What sources ask of a cell.
    pub(crate) fn constraint(&self, x: usize, y: usize) -> Option<SourceConstraint> {
        self.constraints.get(x, y)
    }

    /// Whether it is settled, with cells as near to their averages as this.
    pub(crate) fn is_settled(&self, threshold: f32) -> bool {
        threshold >= self.threshold && self.unsettled.is_empty()
    }

    /// From now on cells are to be as near to their averages as this.
    pub(crate) fn ask_for(&mut self, threshold: f32) {
        // Cells that were near enough before may not be now: those with light, and dark ones where a
        // source or ambient light asks for a little. With a larger threshold all stay at rest.
        if threshold < self.threshold {
            self.touch_lit();
            self.touch_asked();
        }
        self.threshold = threshold;
    }

    /// How near to its average a cell must be to be left alone by the settled solver.
    pub(crate) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Takes out where light has changed since it was settled, one area for each tile.
    pub(crate) fn drain_unsettled(&mut self) -> Vec<Area> {
        self.unsettled.drain()
    }

    /// The settled solver is not done with a cell.
    pub(crate) fn unsettle(&mut self, x: usize, y: usize) {
        self.unsettled.mark(x, y);
    }

    /// Sets a cell to its settled light.
    pub(crate) fn put(&mut self, x: usize, y: usize, light: f32) {
        let before = self.light.get(x, y);
        // Not `unsettled`: this is what the solver has come to. The automaton and the screen see it.
        if before != light {
            self.overwritten.note(x, y, before);
            self.light.set(x, y, light);
            self.wake(x / self.tile, y / self.tile);
        }
    }

    /// Sets those of every second cell of a row that have a bit, from `(x, y)` on, to their settled light.
    pub(crate) fn put_every_second(&mut self, (x, y): (usize, usize), bits: u64, light: &[f32]) {
        let mut changed = 0_u64;
        // The last block of a row may go beyond the grid.
        let end = (x + 2 * light.len()).min(self.light.width());
        let cells = self.light.row_mut(y, x, end).chunks_mut(2);
        for (n, (cell, &light)) in cells.zip(light).enumerate() {
            if bits >> n & 1 == 1 && cell[0] != light {
                self.overwritten.note(x + 2 * n, y, cell[0]);
                cell[0] = light;
                changed |= 1 << n;
            }
        }
        // Each tile is woken once: then the bits of its other cells are dropped.
        while changed != 0 {
            let first = x + 2 * changed.trailing_zeros() as usize;
            let tile = first / self.tile;
            self.wake(tile, y / self.tile);
            let beyond = ((tile + 1) * self.tile - x).div_ceil(2);
            // A shift by 64 or more, past all bits, leaves none.
            changed &= u64::MAX.checked_shl(beyond as u32).unwrap_or(0);
        }
    }

    /// The settled solver has been in these areas, and cells moved by so much at most in its last
    /// sweep.
    pub(crate) fn note_residual(&mut self, areas: &[Area], change: f32) {
        // Each area lies in one tile.
        for area in areas {
            let tile = area.first.as_usizevec2() / self.tile;
            let tile = tile.y * self.light.width().div_ceil(self.tile) + tile.x;
            self.tiles.change[tile] = change;
        }
    }

    /// The next step has to visit a tile, and its light is to be shown anew.
    fn wake(&mut self, tile_x: usize, tile_y: usize) {
        self.tiles.touch(tile_x, tile_y);
        self.dirty[tile_y * self.light.width().div_ceil(self.tile) + tile_x] = true;
        self.any_dirty = true;
    }

    /// Takes out the tiles whose light has changed since the last call.
    pub(crate) fn drain_dirty(&mut self, dirty: &mut Vec<usize>) {
        if core::mem::take(&mut self.any_dirty) {
            let tiles = self.dirty.iter_mut().enumerate();
            dirty.extend(tiles.filter_map(|(tile, is)| core::mem::take(is).then_some(tile)));
        }
    }

    /// The light of these tiles is to be shown anew still.
    pub(crate) fn mark_dirty_tiles(&mut self, tiles: impl Iterator<Item = usize>) {
        for tile in tiles {
            self.dirty[tile] = true;
            self.any_dirty = true;
        }
    }

    /// The light that is shown has changed here, though not by this channel.
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

    /// The cell is no longer what it was. (Tiles that it lies beside are visited too.)
    pub(crate) fn touch(&mut self, x: usize, y: usize) {
        self.wake(x / self.tile, y / self.tile);
        self.unsettled.mark(x, y);
    }

    /// The rule, or what cells do with light, is no longer what it was. Where it is dark it
    /// stays dark by any rule.
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

    /// Nothing is what it was.
    pub(crate) fn touch_all(&mut self) {
        self.tiles.touch_all();
        self.unsettled.mark_all();
    }

    /// Sets all light, row by row, and the bound that the automaton keeps.
    pub(crate) fn restore(&mut self, light: &[f32], ceiling: f32) {
        let width = self.light.width();
        for (y, row) in light.chunks(width).enumerate() {
            self.light.row_mut(y, 0, width).copy_from_slice(row);
        }
        // The ceiling must not cut what was loaded, even if its lamps are gone.
        let brightest = light.iter().copied().fold(self.brightest, f32::max);
        self.ceiling = ceiling.max(brightest);
        self.dirty.fill(true);
        self.any_dirty = true;
        self.touch_all();
    }

    /// No light at all. Only what has a source, or ambient light, is to be visited: the
    /// rest stays dark.
    pub(crate) fn darken(&mut self) {
        self.light.clear();
        self.back.clear();
        // Both buffers are equal again, and no rounded shade is left.
        self.back_is_old = false;
        self.was_shade = false;
        self.ceiling = self.brightest;
        self.dirty.fill(true);
        self.any_dirty = true;
        self.touch_asked();
    }

    /// Where there is a source, or ambient light, there is something to do.
    fn touch_asked(&mut self) {
        for &(x, y, _) in &self.constrained {
            self.tiles.touch(x / self.tile, y / self.tile);
            self.unsettled.mark(x, y);
        }
        if self.floor.is_some() {
            self.touch_all();
        }
    }

    /// Replaces what the sources ask for by this list, row by row, each cell once; calls `changed`
    /// with every cell of which they ask something else.
    pub(crate) fn set_constraints(
        &mut self,
        constraints: Vec<(usize, usize, SourceConstraint)>,
        mut changed: impl FnMut(usize, usize),
    ) {
        // Both lists are taken out, since `touch` needs all of `self`. A cell of which something else
        // is asked is in both differences: it is removed, and then set.
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

    /// Takes over what the sources ask of another channel, and how bright its light can be; `changed` hears of cells of
    /// which they ask for something else.
    pub(super) fn take_bounds(&mut self, other: &Self, mut changed: impl FnMut(usize, usize)) {
        let (own, others) = (&self.constrained, &other.constrained);
        for &(x, y, _) in only_in(own, others).chain(only_in(others, own)) {
            changed(x, y);
        }
        // Nothing is touched: the caller takes the other channel's light over as well.
        self.constraints.clone_from(&other.constraints);
        self.constrained.clone_from(&other.constrained);
        self.brightest_floor = other.brightest_floor;
        self.brightest = other.brightest;
        self.ceiling = other.ceiling;
    }

    /// Replaces the ambient light of every cell.
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
        // Not lowered: the light of lamps that are gone is still there. Steps and `darken` lower it.
        self.ceiling = self.ceiling.max(self.brightest);
    }

    /// Takes note of what has changed in the tiles that were visited.
    pub(super) fn note_changes(&mut self) {
        for band in &self.bands {
            let visited = band.visit.iter().zip(&band.change).enumerate();
            for (tile_x, (_, &change)) in visited.filter(|(_, (visited, _))| **visited) {
                let tile = band.tile_y * band.change.len() + tile_x;
                self.tiles.change[tile] = change;
                // In the next step the tile, and those beside it, are visited again.
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

/// Not below the floor, and not above the ceiling.
#[inline(always)]
pub(crate) fn limit(light: f32, floor: f32, ceiling: f32) -> f32 {
    // Unlike `f32::max`, a comparison needs no case for NaN in vector loops.
    let lifted = if light < floor { floor } else { light };
    if lifted > ceiling { ceiling } else { lifted }
}

/// The entries of `a` that `b` has not, or has differently; both row by row.
fn only_in<'a>(
    a: &'a [(usize, usize, SourceConstraint)],
    b: &'a [(usize, usize, SourceConstraint)],
) -> impl Iterator<Item = &'a (usize, usize, SourceConstraint)> {
    // Both are sorted, so one walk over each is enough.
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
    fn every_second_cell_is_put_as_cells_are_put_one_by_one() {
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
