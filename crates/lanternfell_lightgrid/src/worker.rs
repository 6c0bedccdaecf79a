//! Computes the light of a grid on another thread.
//!
//! # The problem
//!
//! A game reads its light at any time and draws it every frame. On a large map a step may take
//! longer than a frame, and settling takes even longer if many lamps move. In the meantime the
//! light would not be readable.
//!
//! # The idea
//!
//! A [`LightWorker`] has its own grid. It copies the changes of the shown grid, computes for as
//! long as necessary on any thread, and then publishes its light as a whole:
//!
//! ```text
//!   the shown grid                              the worker
//!   cells, sources, ... ───── follow ─────────> a grid: step, settle
//!                                                 │ finish: copies the tiles that have changed
//!   light <───────────────── publish ──────── the finished light
//! ```
//!
//! Publishing swaps planes of light, so it takes the same time on maps of any size. The worker gets
//! back the light that was shown before. It is outdated in the tiles that have changed since, and
//! [`finish`](LightWorker::finish) copies these together with the next changes. Until the next
//! publish, the shown grid has its previous light and its own cells and sources. It is a normal
//! grid that can be queried, cloned, saved and even stepped itself.
//!
//! Copy-on-write planes would be simpler. But then one flickering lamp would copy the light of the
//! whole map in every frame.
//!
//! # Cost
//!
//! - [`follow`](LightWorker::follow): proportional to the changes.
//! - [`finish`](LightWorker::finish): a copy of the tiles whose light has changed.
//! - [`publish`](LightWorker::publish): a check of each tile.
//! - Memory: one grid, plus one plane for each color.

use std::sync::Arc;

use glam::{IVec2, UVec2, Vec3};

use crate::{
    area::Area, channel::Shown, flow::Settled, grid::LightGrid, plane::Plane, settle::Alike,
};

/// Computes the light of a [`LightGrid`] that other code reads at the same time.
///
/// ```
/// use lanternfell_lightgrid::{IVec2, LightGrid, LightSettings, LightWorker, Source, Vec3};
///
/// let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
/// let mut worker = LightWorker::new(&mut grid);
///
/// grid.set_sources(&[Source::new(IVec2::new(7, 3), Vec3::ONE)])?;
/// worker.follow(&mut grid);
/// // You can move the worker to a thread. The grid stays here and can be read and changed.
/// let work = std::thread::spawn(move || {
///     worker.settle(1e-3);
///     worker.finish();
///     worker
/// });
/// assert_eq!(grid.luminance(IVec2::new(9, 5)), 0.0);
/// let mut worker = work.join().unwrap();
/// worker.publish(&mut grid);
/// assert!(grid.luminance(IVec2::new(9, 5)) > 0.1);
/// # Ok::<(), lanternfell_lightgrid::LightError>(())
/// ```
#[derive(Debug)]
pub struct LightWorker {
    grid: LightGrid,
    /// The epoch of the shown grid from which its edits are copied next.
    epoch: u64,
    /// The finished light to publish: flowing light of each color, and straight light.
    planes: Vec<Plane>,
    straight: Vec<Vec3>,
    /// Whether the colors of the finished light have the same proportion in all cells.
    alike: Alike,
    /// Whether the grid has changed since the last [`finish`](Self::finish).
    has_begun: bool,
    /// Tiles whose light has changed since the last publish.
    changed: Vec<bool>,
    /// Tiles in which the finished light is outdated.
    old: Vec<bool>,
}

impl LightWorker {
    /// Creates a worker that follows a grid, starting with its present light. Cost: a copy of the
    /// grid.
    pub fn new(shown: &mut LightGrid) -> Self {
        // The copy includes all edits so far. Taking them starts a new epoch, by which this worker
        // recognizes later that no other worker has taken edits since.
        shown.edits.take();
        shown.edits.take_light_changed();
        let mut grid = shown.clone();
        grid.drain_changes(|_, _, _| ());
        let tiles = grid.tile_count();
        Self {
            epoch: shown.edits.epoch(),
            planes: grid
                .channels
                .iter()
                .map(|channel| channel.light().clone())
                .collect(),
            straight: grid.direct.light().to_vec(),
            alike: grid.alike,
            has_begun: false,
            changed: vec![false; tiles],
            old: vec![false; tiles],
            grid,
        }
    }

    /// Copies the changes of the shown grid: cells, sources, ambient light, regions, settings,
    /// relief and tile size. If the worker has not followed this grid before, or another worker has
    /// followed it in the meantime, it copies the whole grid including its light.
    pub fn follow(&mut self, shown: &mut LightGrid) {
        let same_kind = shown.size() == self.grid.size() && shown.is_gray() == self.grid.is_gray();
        if !same_kind || shown.edits.epoch() != self.epoch {
            *self = Self::new(shown);
            return;
        }
        let edits = shown.edits.take();
        self.epoch = shown.edits.epoch();
        self.has_begun = true;
        let grid = &mut self.grid;
        if grid.tile_size() != shown.tile_size() {
            grid.set_tile_size(shown.tile_size());
            self.changed = vec![true; grid.tile_count()];
            self.old = vec![true; grid.tile_count()];
        }
        follow_relief(grid, shown);
        let taken = grid
            .set_settings(*shown.settings())
            .and_then(|()| match edits.cells() {
                Some(cells) => cells
                    .iter()
                    .try_for_each(|&at| grid.set_cell(at, shown.cell(at))),
                None => grid.set_cells(shown.cells().to_vec()),
            })
            .and_then(|()| grid.set_sources(shown.sources()));
        debug_assert!(taken.is_ok(), "the shown grid has accepted this: {taken:?}");
        if edits.regions() || grid.scene.ambient != shown.scene.ambient {
            grid.scene.regions.clone_from(&shown.scene.regions);
            grid.scene.ambient.clone_from(&shown.scene.ambient);
            grid.dirty.ambient = true;
        }
        if edits.darkened() {
            grid.darken();
        }
    }

    /// The grid that the worker computes on.
    pub fn grid(&self) -> &LightGrid {
        &self.grid
    }

    /// Like [`LightGrid::step`].
    pub fn step(&mut self, steps: u32) {
        self.has_begun = true;
        self.grid.step(steps);
    }

    /// Like [`LightGrid::settle`].
    pub fn settle(&mut self, tolerance: f32) -> Settled {
        self.settle_within(tolerance, LightGrid::MAX_SWEEPS)
    }

    /// Like [`LightGrid::settle_within`].
    pub fn settle_within(&mut self, tolerance: f32, sweeps: u32) -> Settled {
        self.has_begun = true;
        self.grid.settle_within(tolerance, sweeps)
    }

    /// Stores the present light for the next [`publish`](Self::publish).
    pub fn finish(&mut self) {
        (self.alike, self.has_begun) = (self.grid.alike, false);
        let Self {
            grid, changed, old, ..
        } = self;
        let (side, across) = (grid.tile_size(), grid.tiles_across());
        grid.drain_changes(|_, first, _| {
            let tile = first / side;
            let tile = (tile.y * across + tile.x) as usize;
            (changed[tile], old[tile]) = (true, true);
        });
        let straight = grid.direct.light();
        // The list is empty while no light travels in straight lines.
        if self.straight.len() != straight.len() {
            self.straight = straight.to_vec();
        }
        for tile in (0..old.len()).filter(|&tile| core::mem::take(&mut old[tile])) {
            let first = UVec2::new(tile as u32 % across, tile as u32 / across) * side;
            let area = Area {
                first: first.as_ivec2(),
                end: (first + side).min(grid.size()).as_ivec2(),
            };
            for (plane, channel) in self.planes.iter_mut().zip(&grid.channels) {
                plane.copy_area(channel.light(), area);
            }
            copy_cells(&mut self.straight, straight, area, grid.width());
        }
    }

    /// Gives the shown grid the light of the last [`finish`](Self::finish). Returns whether there
    /// was any new light.
    ///
    /// This worker must have been the last one to [follow](Self::follow) the grid. Otherwise, or if
    /// the grid has been [darkened](LightGrid::darken) since, the method does nothing and returns
    /// `false`.
    pub fn publish(&mut self, shown: &mut LightGrid) -> bool {
        let followed = shown.edits.epoch() == self.epoch;
        // Light that was computed before the grid was darkened must not come back.
        if !followed || shown.edits.darkened() || !self.changed.contains(&true) {
            return false;
        }
        // Whether the worker's knowledge of settled and resting tiles applies to the published
        // light.
        let is_known = !self.has_begun && shown.tile_size() == self.grid.tile_size();
        let planes = self.planes.iter_mut().zip(&self.grid.channels);
        // Swap the planes. The returned light is outdated in the tiles in `changed`.
        let parts = shown
            .channels
            .iter_mut()
            .zip(&mut shown.regions)
            .zip(planes);
        for ((channel, region), (plane, worked)) in parts {
            let news = Shown {
                light: plane,
                worked,
                changed: is_known.then_some(&self.changed),
            };
            channel.show(news, |x, y| region.source_changed(x, y));
        }
        shown.direct.show(&mut self.straight, &self.grid.direct);
        shown.dirty.direct = true;
        // The worker has copied the constraints of the sources and the ambient light as they were
        // when it followed.
        shown.dirty.constraints = true;
        shown.dirty.ambient |=
            shown.edits.regions() || shown.scene.ambient != self.grid.scene.ambient;
        if shown.edits.take_light_changed() {
            // The shown grid has written light by itself, so the returned light may be outdated
            // anywhere.
            self.old.fill(true);
            for channel in &mut shown.channels {
                channel.mark_dirty(Area::whole(self.grid.size()));
            }
        }
        shown.light_changed();
        shown.alike = self.alike;
        shown.touch_edits();
        for (old, changed) in self.old.iter_mut().zip(&mut self.changed) {
            *old |= core::mem::take(changed);
        }
        true
    }
}

impl LightGrid {
    /// Wakes the cells that were changed after the worker has copied the edits.
    fn touch_edits(&mut self) {
        let Self {
            channels, edits, ..
        } = self;
        for channel in channels {
            match edits.cells() {
                Some(cells) => cells
                    .iter()
                    .for_each(|at| channel.touch(at.x as usize, at.y as usize)),
                None => channel.touch_lit(),
            }
        }
    }

    fn tiles_across(&self) -> u32 {
        self.width().div_ceil(self.tile_size())
    }

    fn tile_count(&self) -> usize {
        (self.tiles_across() * self.height().div_ceil(self.tile_size())) as usize
    }
}

/// Copies the relief. This precedes the settings, which may change to hexagons, where no relief is
/// allowed.
fn follow_relief(grid: &mut LightGrid, shown: &LightGrid) {
    let same = match (grid.relief(), shown.relief()) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        (old, new) => old.is_none() && new.is_none(),
    };
    if !same {
        grid.scene.relief.clone_from(&shown.scene.relief);
        grid.direct.renew();
        grid.dirty.direct = true;
    }
}

/// Copies the cells of an area between two row-by-row lists, unless `from` is empty.
fn copy_cells(to: &mut [Vec3], from: &[Vec3], area: Area, width: u32) {
    if from.is_empty() {
        return;
    }
    for y in area.first.y..area.end.y {
        let place = |x: i32| IVec2::new(x, y).as_usizevec2();
        let (first, end) = (place(area.first.x), place(area.end.x));
        let row = first.y * width as usize;
        to[row + first.x..row + end.x].copy_from_slice(&from[row + first.x..row + end.x]);
    }
}
