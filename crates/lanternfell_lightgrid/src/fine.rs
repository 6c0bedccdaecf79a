//! The light of a grid for a screen, in finer cells: crisp shadows, soft where a lamp has a size.
//!
//! # The problem
//!
//! Rules want one light for each cell; the eye sees that shadows go along cells. A grid of finer
//! cells would cost more with each power of two than twice that, and rules would have other numbers.
//!
//! # The idea
//!
//! The light that flows has no borders finer than a cell: it is taken from the grid, and laid smoothly
//! through its cells. Only light in straight lines is worked out anew, in `finer` x `finer` cells for each:
//!
//! ```text
//!   light here = (1 - share) * what flows in the grid, between its cells + share * what comes straight
//! ```
//!
//! - A lamp shines from all fine cells under its disc, each by the part of it that the disc covers: what
//!   only some of those see is in half shadow, which widens with the distance, as it should.
//! - What passes some light dims by how far the ray goes through it.
//! - Walls show the brightest of the straight light that falls on their faces, whole.
//! - Things smaller than a cell stand in the light's way as [`Disc`]s, which rules know nothing of. A
//!   lamp in a disc shines out of it: who carries a lantern does not hide it.
//!
//! For all fine cells is kept whether light passes, in a byte each, and for each lamp how much of its light comes to those in
//! the rectangle that it lights, in four. What a tile shows is added up from the lamps around it when it is asked for.
//!
//! # Cost
//!
//! A few fields of view for each lamp that moved, or near which a cell changed; and the tiles it reaches.
//! Of 64 lamps with a radius of 12 cells that move through rooms on 256 x 256 cells, four times finer, a step takes some 30 ms
//! of one core, of one lamp 1 ms; taking over the light of all cells 0.8 ms. It is done in pieces ([`work`](FineLight::work), [`next_changed`](FineLight::next_changed)), so that it
//! fits beside a frame, or on another thread.
//!
//! [Where light comes from](FineLight::paint_directions), for things with normals, is worked out only for who asks, in as much time
//! again.

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

/// A lamp, for a screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FineLamp {
    /// Where, and how bright. Its height plays a part only in [where light comes
    /// from](FineLight::paint_directions).
    pub source: Source,
    /// How large it is: the radius of its disc, in cells, from 0 to [`MAX_RADIUS`](Self::MAX_RADIUS). The larger, the
    /// softer are its shadows.
    pub radius: f32,
}

impl FineLamp {
    /// The largest that a lamp can be, in cells.
    pub const MAX_RADIUS: f32 = 1.0;
}

/// The light of a [`LightGrid`] in finer cells: see the crate's list of what there is to ask, and
/// [`LightGrid::light`] for what rules read.
///
/// ```
/// use lanternfell_lightgrid::{
///     Cell, FineLamp, FineLight, IVec2, LightGrid, LightSettings, Source, UVec2, Vec3,
/// };
///
/// let mut grid = LightGrid::new(16, 9, LightSettings::default())?;
/// grid.set_cell(IVec2::new(6, 4), Cell::WALL)?;
/// let lamp = Source::new(IVec2::new(3, 4), Vec3::ONE);
/// grid.set_sources(&[lamp])?;
/// grid.settle(1e-3);
///
/// let mut fine = FineLight::new(&grid, 4, 1.0)?;
/// fine.take_light(&grid, UVec2::ZERO, grid.size());
/// fine.set_lamps(&[FineLamp { source: lamp, radius: 0.25 }])?;
/// while fine.work() {}
/// // Behind the pillar, and beside its shadow.
/// assert!(fine.light(IVec2::new(34, 18)).x < 0.01);
/// assert!(fine.light(IVec2::new(34, 12)).x > 0.05);
/// # Ok::<(), lanternfell_lightgrid::LightError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FineLight {
    ground: FineGround,
    share: f32,
    gray: bool,
    falloff: FalloffTable,
    /// Of which settings the table is.
    faded_by: (Neighborhood, Falloff),
    lamps: Vec<FineLamp>,
    /// Of each lamp. Those before `next` are as they should be.
    stamps: Vec<Stamp>,
    next: usize,
    /// No light is brighter than this in straight lines; a power of two and at least 1, so that a flame that flickers does
    /// not change all sums.
    most: f32,
    /// Tiles of [`Tile::SIDE`] cells, row by row, that are to be shown anew.
    changed: Vec<bool>,
    next_changed: usize,
    /// How many have never been named.
    unnamed: usize,
    looking: Looking,
    tile: Tile,
    toward: Toward,
}

impl FineLight {
    /// The most fine cells along a cell's side.
    pub const MAX_FINER: u32 = 8;

    /// Of this grid, with `finer` fine cells along each cell's side, from 2 to 8, where `share` (from 0 to 1) of the
    /// light comes in straight lines. It has no lamps yet, and no walls and no light before it has
    /// [taken](Self::take_light) them.
    ///
    /// # Errors
    ///
    /// Hexagons; numbers outside of what is allowed; more than 16,777,216 fine cells.
    pub fn new(grid: &LightGrid, finer: u32, share: f32) -> Result<Self, LightError> {
        check_range("finer", finer as f32, 2.0, Self::MAX_FINER as f32)?;
        check_range("share", share, 0.0, 1.0)?;
        let settings = grid.settings();
        if settings.neighborhood.is_hexagonal() {
            return Err(LightError::HexagonalDetail);
        }
        let ground = FineGround::new(grid.size(), finer)?;
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

    /// How many fine cells a cell has along its side.
    pub fn finer(&self) -> u32 {
        self.ground.finer()
    }

    /// Fine cells from west to east and from north to south.
    pub fn size(&self) -> UVec2 {
        self.ground.fine_size()
    }

    /// Which share of the light comes in straight lines, from 0 to 1.
    pub fn share(&self) -> f32 {
        self.share
    }

    /// Changes which share of the light comes in straight lines.
    ///
    /// # Errors
    ///
    /// It is outside of 0 to 1.
    pub fn set_share(&mut self, share: f32) -> Result<(), LightError> {
        check_range("share", share, 0.0, 1.0)?;
        if self.share != share {
            self.share = share;
            self.changed.fill(true);
        }
        Ok(())
    }

    /// Whether it is one of this grid: with as many cells, in squares, and as gray.
    pub fn fits(&self, grid: &LightGrid) -> bool {
        let hexagonal = grid.settings().neighborhood.is_hexagonal();
        self.ground.size() == grid.size() && self.gray == grid.is_gray() && !hexagonal
    }

    /// Takes over cells and light of a part of the grid: `size` cells from `first` on, as
    /// [`LightGrid::drain_changes`] names them; and how light fades in all of it. What lies outside of the grid is left
    /// out; a grid that it does not [fit](Self::fits) changes nothing.
    pub fn take_light(&mut self, grid: &LightGrid, first: UVec2, size: UVec2) {
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

    /// Makes these the lamps.
    ///
    /// # Errors
    ///
    /// A number outside of what is allowed. The lamps are then as they were.
    pub fn set_lamps(&mut self, lamps: &[FineLamp]) -> Result<(), LightError> {
        for lamp in lamps {
            lamp.source.validate()?;
            check_range("lamp.radius", lamp.radius, 0.0, FineLamp::MAX_RADIUS)?;
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
        // Stamps are the expensive part and are in the order of the lamps. Only those in the middle,
        // between lamps that stand where they stood, are replaced. A flame that flickers keeps its stamp.
        let (gone, come) = exchanged(&self.lamps, lamps, |old, new| {
            (old.source.at, old.radius) == (new.source.at, new.radius)
        });
        let kept = gone.len().min(come.len());
        // The first of them keep the place of old ones, and `work` finds that they are for others.
        let gone = gone.start + kept..gone.end;
        self.show_stamps(gone.clone());
        let come = (kept..come.len()).map(|_| Stamp::default());
        self.stamps.splice(gone, come);
        self.next = 0;
        // Darkness has no stamp, so it is shown where it was, above, and where it is, below.
        self.lamps.clear();
        self.lamps.extend_from_slice(lamps);
        self.show_darkness();
        Ok(())
    }

    /// Makes these the things that stand in the light's way.
    ///
    /// # Errors
    ///
    /// A number that is not finite, or outside of what is allowed. They are then as they were.
    pub fn set_discs(&mut self, discs: &[Disc]) -> Result<(), LightError> {
        discs.iter().try_for_each(Disc::validate)?;
        let other = self.ground.set_discs(discs);
        for &area in &other {
            self.show(area.grown(1));
        }
        self.look_again(other);
        Ok(())
    }

    /// Does a piece of what is to be done before light can be [shown](Self::next_changed): looks at what one lamp shines
    /// on. Whether it has to be called again.
    pub fn work(&mut self) -> bool {
        let old = |(lamp, stamp): (&FineLamp, &Stamp)| !stamp.is_for(lamp);
        let mut rest = self.lamps.iter().zip(&self.stamps).skip(self.next);
        let Some(next) = rest.position(old).map(|place| self.next + place) else {
            self.next = self.lamps.len();
            return false;
        };
        // What the lamp no longer shines on changes as well.
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

    /// An area of fine cells whose light has changed since it was named last: its first and its size. None when all have been
    /// named. Before that all [work](Self::work) is to be done.
    pub fn next_changed(&mut self) -> Option<(UVec2, UVec2)> {
        // In turns, so that none waits for ever, whatever changes meanwhile.
        let next = self.next_changed.min(self.changed.len());
        let first = (next..self.changed.len())
            .chain(0..next)
            .find(|&tile| self.changed[tile])?;
        // In the first turn every tile is marked and none comes twice, so `unnamed` counts each once.
        self.changed[first] = false;
        self.next_changed = first + 1;
        self.unnamed = self.unnamed.saturating_sub(1);
        let across = self.ground.size().x.div_ceil(Tile::SIDE);
        let tile = UVec2::new(first as u32 % across, first as u32 / across);
        let cells = tile * Tile::SIDE;
        let end = (cells + Tile::SIDE).min(self.ground.size());
        Some((cells * self.finer(), (end - cells) * self.finer()))
    }

    /// Whether nothing is left to be [done](Self::work), and all that has changed has been [named](Self::next_changed).
    pub fn is_done(&self) -> bool {
        let mut stamps = self.lamps.iter().zip(&self.stamps).skip(self.next);
        stamps.all(|(lamp, stamp)| stamp.is_for(lamp)) && !self.changed.contains(&true)
    }

    /// Whether every fine cell has been [named](Self::next_changed) once.
    pub fn is_whole(&self) -> bool {
        self.unnamed == 0
    }

    /// The light of some fine cells, as [`next_changed`](Self::next_changed) names them: row by row, and whether light
    /// passes there.
    pub fn paint(&mut self, first: UVec2, size: UVec2, mut put: impl FnMut(Vec3, bool)) {
        // Taken out, since it reads all of `self`; put back, since its memory is used again.
        let mut tile = core::mem::take(&mut self.tile);
        tile.paint(self, first, size, &mut put);
        self.tile = tile;
    }

    /// Where the light of some fine cells comes from, as [`paint`](Self::paint) gives it: x to the east and y to the south.
    /// As long as 1 where it all comes from one side along the ground, and shorter the more comes from above or from all
    /// sides; 0 in darkness. A lamp hangs as high as its [`Source`] says.
    pub fn paint_directions(&mut self, first: UVec2, size: UVec2, put: impl FnMut(Vec2)) {
        let mut toward = core::mem::take(&mut self.toward);
        toward.paint(self, first, size, put);
        self.toward = toward;
    }

    /// The light at a fine cell; none outside.
    pub fn light(&mut self, cell: IVec2) -> Vec3 {
        let mut light = Vec3::ZERO;
        if cell.cmpge(IVec2::ZERO).all() && cell.cmplt(self.size().as_ivec2()).all() {
            self.paint(cell.as_uvec2(), UVec2::ONE, |here, _| light = here);
        }
        light
    }

    /// Gives what each lamp brings in straight lines to fine cells of an area, and their places there.
    fn shine(&self, area: Area, mut put: impl FnMut(&FineLamp, IVec2, usize, Vec3)) {
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

    /// All lamps are to be looked at anew.
    fn forget_stamps(&mut self) {
        self.look_again(vec![Area::whole(self.ground.size())]);
    }

    /// The lamps that reach these areas of cells are to be looked at anew.
    fn look_again(&mut self, areas: Vec<Area>) {
        if areas.is_empty() {
            return;
        }
        // `reached` is what a lamp may light, not what it does: a wall that falls may open a room.
        for n in 0..self.stamps.len() {
            let own = self.stamps[n].reached();
            let meets = |area: &Area| !own.within(self.ground.fine(*area)).is_empty();
            if areas.iter().any(meets) {
                self.stamps[n].forget();
                // All lamps before `next` have a stamp that is for them.
                self.next = self.next.min(n);
            }
        }
    }

    /// These cells are to be shown anew.
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

    /// The same of fine cells. Walls around show what falls on their faces.
    fn show_fine(&mut self, area: Area) {
        if area.is_empty() {
            return;
        }
        self.show(self.ground.cells_around(area).grown(1));
    }

    /// What these stamps shine on is to be shown anew.
    fn show_stamps(&mut self, which: Range<usize>) {
        for n in which {
            self.show_fine(self.stamps[n].area());
        }
    }

    /// Darknesses have no stamps.
    fn show_darkness(&mut self) {
        for n in 0..self.lamps.len() {
            let source = self.lamps[n].source;
            if source.light.min_element() < 0.0 {
                self.show(Area::around(source.cell(), 2, self.ground.size()));
            }
        }
    }
}

/// The light of a lamp where all light is gray, or as it is.
fn tinted(light: Vec3, gray: bool) -> Vec3 {
    if gray {
        Vec3::splat(luminance(light))
    } else {
        light
    }
}

/// The least power of two that is not below a strength of at least 1.
fn power_of_two(strength: f32) -> f32 {
    let mut power = 1.0;
    while power < strength {
        power *= 2.0;
    }
    power
}

/// Which of the old things are gone, and which of the new have come in their place: all but those before and behind, that
/// are the same.
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
