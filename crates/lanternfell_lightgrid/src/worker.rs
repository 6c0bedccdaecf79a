//! Light that is worked out on one grid and read on another.
//!
//! # The problem
//!
//! A game asks its light at any time, and draws it in every frame. On a large map a step takes longer
//! than a frame may, and many lamps that move take longer to settle; and while that goes on there is
//! no light to read.
//!
//! # The idea
//!
//! A [`LightWorker`] has a grid of its own. It follows what is changed on the grid that is shown, works
//! for as long as it takes, on whatever thread it is sent to, and hands over its light, whole:
//!
//! ```text
//!   the grid that is shown                      the worker
//!   cells, sources, ... ───── follow ─────────> a grid: step, settle
//!                                                 │ finish: copies the tiles that have changed
//!   light <───────────────── hand_over ──────── light to be handed over
//! ```
//!
//! Handing over exchanges one plane of light for the other, so that it takes the same time however
//! large the map is. What comes back is the light shown before, in which those tiles are old that have
//! changed since; they are copied with the next that change. Until then the grid that is shown has the
//! light that it had, and the cells and sources that it was given: it is a grid like any other, that
//! can be asked, copied, saved and even be stepped itself.
//!
//! Copy-on-write planes would be simpler. But one flickering lamp would then copy the light of the whole map in every
//! frame.
//!
//! # Cost
//!
//! [`follow`](LightWorker::follow) costs what has been changed, [`finish`](LightWorker::finish) a copy
//! of the tiles whose light has, [`hand_over`](LightWorker::hand_over) a glance at every tile. Memory
//! is a grid's and one plane for each color.

use std::sync::Arc;

use glam::{IVec2, UVec2, Vec3};

use crate::{
    area::Area, channel::Shown, flow::Settled, grid::LightGrid, plane::Plane, settle::Alike,
};

/// Works out the light of a [`LightGrid`] that is read meanwhile.
///
/// ```
/// use lanternfell_lightgrid::{IVec2, LightGrid, LightSettings, LightWorker, Source, Vec3};
///
/// let mut grid = LightGrid::new(40, 20, LightSettings::default())?;
/// let mut worker = LightWorker::new(&mut grid);
///
/// grid.set_sources(&[Source::new(IVec2::new(7, 3), Vec3::ONE)])?;
/// worker.follow(&mut grid);
/// // The worker may go to a thread; the grid stays here, and can be read and changed.
/// let work = std::thread::spawn(move || {
///     worker.settle(1e-3);
///     worker.finish();
///     worker
/// });
/// assert_eq!(grid.luminance(IVec2::new(9, 5)), 0.0);
/// let mut worker = work.join().unwrap();
/// worker.hand_over(&mut grid);
/// assert!(grid.luminance(IVec2::new(9, 5)) > 0.1);
/// # Ok::<(), lanternfell_lightgrid::LightError>(())
/// ```
#[derive(Debug)]
pub struct LightWorker {
    grid: LightGrid,
    /// Of the shown grid, since when its changes are to be taken over.
    epoch: u64,
    /// The light to be handed over, and that in straight lines.
    planes: Vec<Plane>,
    straight: Vec<Vec3>,
    /// Whether its colors are in one proportion.
    alike: Alike,
    /// Whether the grid has gone on since.
    has_begun: bool,
    /// Tiles whose light has changed since it was handed over.
    changed: Vec<bool>,
    /// Tiles in which that to be handed over is old.
    old: Vec<bool>,
}

impl LightWorker {
    /// For this grid, from the light that it has. It costs a copy of the grid.
    pub fn new(shown: &mut LightGrid) -> Self {
        // The copy has all edits up to now. Taking them starts a new epoch, by which this worker knows
        // that it was the last one to take any.
        shown.edits.take();
        shown.edits.take_light();
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

    /// Takes over what stands on the grid that is shown: cells, sources, ambient light, settings, the
    /// size of tiles. Of a grid that it has not followed before, the light too.
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
        debug_assert!(taken.is_ok(), "the shown grid has taken it: {taken:?}");
        if edits.regions() || grid.scene.ambient != shown.scene.ambient {
            grid.scene.regions.clone_from(&shown.scene.regions);
            grid.scene.ambient.clone_from(&shown.scene.ambient);
            grid.dirty.ambient = true;
        }
        if edits.darkened() {
            grid.darken();
        }
    }

    /// What it works on.
    pub fn grid(&self) -> &LightGrid {
        &self.grid
    }

    /// As [`LightGrid::step`].
    pub fn step(&mut self, steps: u32) {
        self.has_begun = true;
        self.grid.step(steps);
    }

    /// As [`LightGrid::settle`].
    pub fn settle(&mut self, tolerance: f32) -> Settled {
        self.settle_within(tolerance, LightGrid::MAX_SWEEPS)
    }

    /// As [`LightGrid::settle_within`].
    pub fn settle_within(&mut self, tolerance: f32, sweeps: u32) -> Settled {
        self.has_begun = true;
        self.grid.settle_within(tolerance, sweeps)
    }

    /// Makes the light as it is now that which is [handed over](Self::hand_over) next.
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
        // It is empty while no light comes in straight lines.
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

    /// Gives the grid that is shown the light as it was [finished](Self::finish) last; whether any was
    /// new. Only of grids that it has [followed](Self::follow); else nothing is done.
    pub fn hand_over(&mut self, shown: &mut LightGrid) -> bool {
        let followed = shown.edits.epoch() == self.epoch;
        // What was worked out before the light was put out is not to come back.
        if !followed || shown.edits.darkened() || !self.changed.contains(&true) {
            return false;
        }
        // What is known of the worker's grid is of the light that is handed over.
        let is_known = !self.has_begun && shown.tile_size() == self.grid.tile_size();
        let planes = self.planes.iter_mut().zip(&self.grid.channels);
        // The planes change places, whatever their size. What comes back is old where `changed` is set.
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
        // Sources and ambient light ask for what they asked for when the worker followed it.
        shown.dirty.constraints = true;
        shown.dirty.ambient |=
            shown.edits.regions() || shown.scene.ambient != self.grid.scene.ambient;
        if shown.edits.take_light() {
            // It has written where the worker has not: what comes back by and by is old there too.
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
    /// What was changed since the worker took it over is to be worked on still.
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

/// Puts the same land under the other grid. Before its settings, which may be for hexagons now, that have none.
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

/// Copies an area of cells, that are given row by row, if there are any.
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
