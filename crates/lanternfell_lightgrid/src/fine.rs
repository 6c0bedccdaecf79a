//! High-resolution light for rendering: crisp shadows, which are soft for lamps that have a size.
//!
//! # The problem
//!
//! Game rules need one light per cell, but players see that the edges of shadows follow cells. A
//! grid of smaller cells would be expensive: halving the cell size costs more than twice as much.
//! The rules would also get different numbers.
//!
//! # The idea
//!
//! Flowing light has no details smaller than a cell, so it is copied from the grid and
//! interpolated. Only light in straight lines is computed in smaller cells, called *fine cells*,
//! with `subdivisions` x `subdivisions` of them in each cell:
//!
//! ```text
//!   light = (1 - share) * interpolated flowing light of the grid + share * straight light
//! ```
//!
//! - A lamp shines from all fine cells under its disc, weighted by the part that the disc covers.
//!   Where only some of them are visible there is a half shadow, which widens with the distance.
//! - Cells that pass on a part of the light dim it depending on the length of the ray inside them.
//! - Each wall cell shows the brightest straight light that falls on its faces, over its whole
//!   area.
//! - Objects smaller than a cell can block light as [`Disc`]s, which the grid ignores. A lamp
//!   inside a disc is not blocked by it, so a character does not hide its own lantern.
//!
//! Memory: one byte for each fine cell, for what blocks the light there, and four bytes for each
//! fine cell in the lit rectangle of each lamp (16 bytes if there is glass or smoke). The light of
//! a tile is summed over the lamps when it is requested.
//!
//! # Cost
//!
//! A few fields of view for each lamp that moved, or near which a cell changed, and the tiles that
//! it reaches. With 64 moving lamps with a radius of 12 cells, in rooms on 256 x 256 cells and
//! `subdivisions` 4, one step takes about 30 ms on one core; with one lamp, 1 ms. Copying the light of all
//! cells takes 0.8 ms. The work is divided into small pieces ([`work`](HighResLight::work),
//! [`pop_changed_area`](HighResLight::pop_changed_area)), so that it can be spread over frames or
//! run on another thread.
//!
//! [Light directions](HighResLight::paint_directions), for normal mapping, are only computed on
//! request, and take as much time again.

mod ground;
mod paint;
mod stamp;
mod tint;
mod toward;

use core::ops::Range;

use glam::{IVec2, UVec2, Vec2, Vec3};

use crate::{
    area::Area,
    color::luminance,
    direct::falloff::FalloffTable,
    error::{LightError, check_range},
    grid::LightGrid,
    neighborhood::Neighborhood,
    settings::Falloff,
    source::Source,
};
use ground::FineGround;
use paint::{Tile, row};
use stamp::{Looking, Stamp};
use toward::Toward;

pub use ground::Disc;

/// A lamp for high-resolution light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HighResLamp {
    /// Position and light. The height only affects [light
    /// directions](HighResLight::paint_directions).
    pub source: Source,
    /// The radius of the lamp's disc in cells, from 0 to [`MAX_RADIUS`](Self::MAX_RADIUS). Larger
    /// lamps cast softer shadows.
    pub radius: f32,
}

impl HighResLamp {
    /// The maximum radius of a lamp in cells.
    pub const MAX_RADIUS: f32 = 1.0;
}

/// High-resolution light of a [`LightGrid`], for rendering. Each cell of the grid is divided into
/// fine cells.
///
/// Game rules should read [`LightGrid::light`] instead.
///
/// After changes of the grid, call [`copy_light_from`](Self::copy_light_from) with each changed
/// tile. After changes of lamps, call [`set_lamps`](Self::set_lamps). Then call
/// [`work`](Self::work) until it returns `false`, and read the areas that
/// [`pop_changed_area`](Self::pop_changed_area) returns with [`paint`](Self::paint).
///
/// ```
/// use lanternfell_lightgrid::{
///     Cell, HighResLamp, HighResLight, IVec2, LightGrid, LightSettings, Source, UVec2, Vec3,
/// };
///
/// let mut grid = LightGrid::new(16, 9, LightSettings::default())?;
/// grid.set_cell(IVec2::new(6, 4), Cell::WALL)?;
/// let lamp = Source::new(IVec2::new(3, 4), Vec3::ONE);
/// grid.set_sources(&[lamp])?;
/// grid.settle(1e-3);
///
/// let mut fine = HighResLight::new(&grid, 4, 1.0)?;
/// fine.copy_light_from(&grid, UVec2::ZERO, grid.size());
/// fine.set_lamps(&[HighResLamp { source: lamp, radius: 0.25 }])?;
/// while fine.work() {}
/// // In the shadow of the pillar, and next to the shadow.
/// assert!(fine.light(IVec2::new(34, 18)).x < 0.01);
/// assert!(fine.light(IVec2::new(34, 12)).x > 0.05);
/// # Ok::<(), lanternfell_lightgrid::LightError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HighResLight {
    ground: FineGround,
    share: f32,
    gray: bool,
    falloff: FalloffTable,
    /// The settings that the table was computed from.
    faded_by: (Neighborhood, Falloff),
    lamps: Vec<HighResLamp>,
    /// One for each lamp. Those before `next` are up to date.
    stamps: Vec<Stamp>,
    next: usize,
    /// An upper bound on the straight light of a lamp. A power of two and at least 1, so that a
    /// flickering flame does not change all sums.
    most: f32,
    /// Whether each tile of [`Tile::SIDE`] cells must be redrawn, row by row.
    changed: Vec<bool>,
    next_changed: usize,
    /// The number of tiles that were never returned by
    /// [`pop_changed_area`](Self::pop_changed_area).
    unnamed: usize,
    looking: Looking,
    tile: Tile,
    toward: Toward,
}

impl HighResLight {
    /// The maximum number of fine cells along the side of a cell.
    pub const MAX_SUBDIVISIONS: u32 = 8;

    /// Creates the high-resolution light of a grid. It has no walls, light or lamps until they are
    /// [copied](Self::copy_light_from) and [set](Self::set_lamps).
    ///
    /// - `subdivisions`: the number of fine cells along the side of a cell, from 2 to 8.
    /// - `share`: the share of the light in straight lines, from 0 to 1.
    ///
    /// # Errors
    ///
    /// - [`LightError::Range`] if `subdivisions` or `share` is out of range
    /// - [`LightError::HexagonalDetail`] if the grid is hexagonal
    /// - [`LightError::Size`] if there would be more than 16,777,216 fine cells, or more than
    ///   16,384 along a side
    pub fn new(grid: &LightGrid, subdivisions: u32, share: f32) -> Result<Self, LightError> {
        check_range(
            "subdivisions",
            subdivisions as f32,
            2.0,
            Self::MAX_SUBDIVISIONS as f32,
        )?;
        check_range("share", share, 0.0, 1.0)?;
        let settings = grid.settings();
        if settings.neighborhood.is_hexagonal() {
            return Err(LightError::HexagonalDetail);
        }
        let ground = FineGround::new(grid.size(), subdivisions)?;
        let tiles = grid.size().map(|cells| cells.div_ceil(Tile::SIDE));
        let tiles = tiles.element_product() as usize;
        Ok(Self {
            ground,
            share,
            gray: grid.is_gray(),
            falloff: FalloffTable::new(settings.neighborhood, grid.decay()),
            faded_by: (settings.neighborhood, settings.falloff),
            lamps: Vec::new(),
            stamps: Vec::new(),
            next: 0,
            most: 1.0,
            changed: vec![true; tiles],
            next_changed: 0,
            unnamed: tiles,
            looking: Looking::default(),
            tile: Tile::default(),
            toward: Toward::default(),
        })
    }

    /// The number of fine cells along the side of a cell.
    pub fn subdivisions(&self) -> u32 {
        self.ground.subdivisions()
    }

    /// The number of fine cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.ground.fine_size()
    }

    /// The share of the light in straight lines, from 0 to 1.
    pub fn share(&self) -> f32 {
        self.share
    }

    /// Changes the share of the light in straight lines.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if the share is not from 0 to 1.
    pub fn set_share(&mut self, share: f32) -> Result<(), LightError> {
        check_range("share", share, 0.0, 1.0)?;
        if self.share != share {
            self.share = share;
            self.changed.fill(true);
        }
        Ok(())
    }

    /// Whether it can copy from this grid: the grid has the same size, square cells, and the same
    /// kind of light (gray or colored).
    pub fn fits(&self, grid: &LightGrid) -> bool {
        let hexagonal = grid.settings().neighborhood.is_hexagonal();
        self.ground.size() == grid.size() && self.gray == grid.is_gray() && !hexagonal
    }

    /// Copies cells and light of a part of the grid, `size` cells from `first` on, for example a
    /// tile from [`LightGrid::drain_changes`]. It also copies the falloff settings.
    ///
    /// Cells outside of the grid are ignored. If the grid does not [fit](Self::fits), nothing is
    /// copied.
    pub fn copy_light_from(&mut self, grid: &LightGrid, first: UVec2, size: UVec2) {
        if !self.fits(grid) {
            return;
        }
        let settings = grid.settings();
        let faded_by = (settings.neighborhood, settings.falloff);
        if self.faded_by != faded_by {
            self.faded_by = faded_by;
            self.falloff = FalloffTable::new(settings.neighborhood, grid.decay());
            self.forget_stamps();
        }
        let area = self.ground.inside(first, size, 1);
        let other = self.ground.take(grid, area);
        self.show(area.grown(1));
        self.look_again(other);
    }

    /// Replaces the lamps.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a number is out of range. The lamps are then unchanged.
    pub fn set_lamps(&mut self, lamps: &[HighResLamp]) -> Result<(), LightError> {
        for lamp in lamps {
            lamp.source.validate()?;
            check_range("lamp.radius", lamp.radius, 0.0, HighResLamp::MAX_RADIUS)?;
        }
        if self.lamps == lamps {
            return Ok(());
        }
        let strengths = lamps.iter().map(|lamp| lamp.source.light.max_element());
        let most = power_of_two(strengths.fold(1.0, f32::max));
        // Straight light adds up as `a + b - a b / most`, so another `most` changes every sum. As a
        // power of two it rarely changes while lamps flicker, and its reciprocal is exact.
        if self.most != most {
            self.most = most;
            self.show_stamps(0..self.stamps.len());
        }
        self.show_darkness();
        // Stamps are expensive, and have the same order as the lamps. Only the stamps between the
        // unchanged lamps at the beginning and at the end are replaced. A lamp that flickers
        // without moving keeps its stamp.
        let (gone, come) = exchanged(&self.lamps, lamps, |old, new| {
            (old.source.at, old.radius) == (new.source.at, new.radius)
        });
        let kept = gone.len().min(come.len());
        // Some of the new lamps reuse the stamps of old ones. `work` detects that these are for
        // other lamps.
        let gone = gone.start + kept..gone.end;
        self.show_stamps(gone.clone());
        let come = (kept..come.len()).map(|_| Stamp::default());
        self.stamps.splice(gone, come);
        self.next = 0;
        // A darkness has no stamp. Its cells are redrawn where it was, above, and where it is now,
        // below.
        self.lamps.clear();
        self.lamps.extend_from_slice(lamps);
        self.show_darkness();
        Ok(())
    }

    /// Replaces the discs that block light.
    ///
    /// # Errors
    ///
    /// [`LightError::Range`] if a number is out of range or not finite. The discs are then
    /// unchanged.
    pub fn set_discs(&mut self, discs: &[Disc]) -> Result<(), LightError> {
        discs.iter().try_for_each(Disc::validate)?;
        let other = self.ground.set_discs(discs);
        for &area in &other {
            self.show(area.grown(1));
        }
        self.look_again(other);
        Ok(())
    }

    /// Performs one piece of the pending work: updates what one lamp lights. Call it until it
    /// returns `false`; then redraw the [changed areas](Self::pop_changed_area).
    pub fn work(&mut self) -> bool {
        let old = |(lamp, stamp): (&HighResLamp, &Stamp)| !stamp.is_for(lamp);
        let mut rest = self.lamps.iter().zip(&self.stamps).skip(self.next);
        let Some(next) = rest.position(old).map(|place| self.next + place) else {
            self.next = self.lamps.len();
            return false;
        };
        // Fine cells that the lamp no longer lights change as well.
        let stamp = &mut self.stamps[next];
        let before = stamp.area();
        let lamp = self.lamps[next];
        let light = tinted(lamp.source.light, self.gray);
        let on = (&self.ground, &self.falloff);
        stamp.renew((&lamp, light), on, &mut self.looking);
        let now = stamp.area();
        self.show_fine(before);
        self.show_fine(now);
        self.next = next + 1;
        true
    }

    /// Returns an area of fine cells that must be redrawn, as its first fine cell and its size.
    /// `None` if there are no more. Call it after all [work](Self::work) is done.
    pub fn pop_changed_area(&mut self) -> Option<(UVec2, UVec2)> {
        // In a circle, so that every tile gets its turn even if others keep changing.
        let next = self.next_changed.min(self.changed.len());
        let first = (next..self.changed.len())
            .chain(0..next)
            .find(|&tile| self.changed[tile])?;
        // Initially all tiles are marked, and the circle visits each once, so `unnamed` counts each
        // tile once.
        self.changed[first] = false;
        self.next_changed = first + 1;
        self.unnamed = self.unnamed.saturating_sub(1);
        let across = self.ground.size().x.div_ceil(Tile::SIDE);
        let tile = UVec2::new(first as u32 % across, first as u32 / across);
        let cells = tile * Tile::SIDE;
        let end = (cells + Tile::SIDE).min(self.ground.size());
        Some((
            cells * self.subdivisions(),
            (end - cells) * self.subdivisions(),
        ))
    }

    /// Whether all [work](Self::work) is done, and all changed areas have been
    /// [returned](Self::pop_changed_area).
    pub fn is_done(&self) -> bool {
        let mut stamps = self.lamps.iter().zip(&self.stamps).skip(self.next);
        stamps.all(|(lamp, stamp)| stamp.is_for(lamp)) && !self.changed.contains(&true)
    }

    /// Whether every fine cell has been [returned](Self::pop_changed_area) at least once.
    pub fn is_whole(&self) -> bool {
        self.unnamed == 0
    }

    /// Computes the light of an area of fine cells, as returned by
    /// [`pop_changed_area`](Self::pop_changed_area). Calls `put` for each fine cell, row by row,
    /// with its light and whether light passes there.
    pub fn paint(&mut self, first: UVec2, size: UVec2, mut put: impl FnMut(Vec3, bool)) {
        // Taken out, because it reads all of `self`, and put back to reuse its memory.
        let mut tile = core::mem::take(&mut self.tile);
        tile.paint(self, first, size, &mut put);
        self.tile = tile;
    }

    /// Computes the direction that the light of an area of fine cells comes from, for normal
    /// mapping. Calls `put` for each fine cell in the same order as [`paint`](Self::paint), with x
    /// to the east and y to the south.
    ///
    /// The length is 1 if all light comes from one side along the ground. It is shorter if light
    /// comes from above or from several sides, and 0 in darkness. The height of each lamp is that
    /// of its [`Source`].
    pub fn paint_directions(&mut self, first: UVec2, size: UVec2, put: impl FnMut(Vec2)) {
        let mut toward = core::mem::take(&mut self.toward);
        toward.paint(self, first, size, put);
        self.toward = toward;
    }

    /// The light of a fine cell. Zero outside of the grid.
    pub fn light(&mut self, cell: IVec2) -> Vec3 {
        let mut light = Vec3::ZERO;
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size().as_ivec2()).all() {
            self.paint(cell.as_uvec2(), UVec2::ONE, |here, _| light = here);
        }
        light
    }

    /// Calls `put` with the straight light of each lamp in the fine cells of an area, and the index
    /// of the fine cell in it.
    fn shine(&self, area: Area, mut put: impl FnMut(&HighResLamp, IVec2, usize, Vec3)) {
        for (lamp, stamp) in self.lamps.iter().zip(&self.stamps) {
            let both = stamp.area().within(area);
            if both.is_empty() {
                continue;
            }
            for y in both.first.y..both.end.y {
                let first = IVec2::new(both.first.x, y);
                let place = area.place(first);
                stamp.shine(row(stamp.area(), first, both.end.x), |n, light| {
                    put(lamp, first + IVec2::new(n as i32, 0), place + n, light);
                });
            }
        }
    }

    fn tinted(&self, light: Vec3) -> Vec3 {
        tinted(light, self.gray)
    }

    /// Marks all lamps for updating.
    fn forget_stamps(&mut self) {
        self.look_again(vec![Area::whole(self.ground.size())]);
    }

    /// Marks the lamps that reach these areas of cells for updating.
    fn look_again(&mut self, areas: Vec<Area>) {
        if areas.is_empty() {
            return;
        }
        // `reached` is what a lamp could light without walls: the removal of a wall may open a
        // room.
        for n in 0..self.stamps.len() {
            let own = self.stamps[n].reached();
            let meets = |area: &Area| !own.within(self.ground.fine(*area)).is_empty();
            if areas.iter().any(meets) {
                self.stamps[n].forget();
                // All lamps before `next` have a stamp that is up to date.
                self.next = self.next.min(n);
            }
        }
    }

    /// Marks the tiles with these cells for redrawing.
    fn show(&mut self, area: Area) {
        let area = area.within(Area::whole(self.ground.size()));
        if area.is_empty() {
            return;
        }
        let side = Tile::SIDE as usize;
        let across = self.ground.size().x.div_ceil(Tile::SIDE) as usize;
        let (first, last) = (area.first.as_usizevec2(), (area.end - 1).as_usizevec2());
        for y in first.y / side..=last.y / side {
            self.changed[y * across + first.x / side..=y * across + last.x / side].fill(true);
        }
    }

    /// Marks the tiles with these fine cells for redrawing, and the walls around them, which show
    /// the light on their faces.
    fn show_fine(&mut self, area: Area) {
        if area.is_empty() {
            return;
        }
        self.show(self.ground.cells_around(area).grown(1));
    }

    /// Marks the areas of these stamps for redrawing.
    fn show_stamps(&mut self, which: Range<usize>) {
        for n in which {
            self.show_fine(self.stamps[n].area());
        }
    }

    /// Marks the cells around darknesses for redrawing. They have no stamps.
    fn show_darkness(&mut self) {
        for n in 0..self.lamps.len() {
            let source = self.lamps[n].source;
            if source.light.min_element() < 0.0 {
                self.show(Area::around(source.cell(), 2, self.ground.size()));
            }
        }
    }
}

/// The light of a lamp, converted to luminance if the light is gray.
fn tinted(light: Vec3, gray: bool) -> Vec3 {
    if gray {
        Vec3::splat(luminance(light))
    } else {
        light
    }
}

/// The smallest power of two that is not below a strength. At least 1.
fn power_of_two(strength: f32) -> f32 {
    let mut power = 1.0;
    while power < strength {
        power *= 2.0;
    }
    power
}

/// The ranges of elements that differ between two lists: all except for the equal elements at the
/// beginning and at the end.
fn exchanged<T>(
    old: &[T],
    new: &[T],
    same: impl Fn(&T, &T) -> bool,
) -> (Range<usize>, Range<usize>) {
    let is_same = |(old, new): &(&T, &T)| same(old, new);
    let before = old.iter().zip(new).take_while(is_same).count();
    let ends = old[before..].iter().rev().zip(new[before..].iter().rev());
    let behind = ends.take_while(is_same).count();
    (before..old.len() - behind, before..new.len() - behind)
}
