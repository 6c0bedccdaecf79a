//! The light of one color, and what holds it up or down.
//!
//! The three colors never mix: each is a problem of its own over the same cells.

mod automaton;
mod patch;
mod settle;

use core::ops::Range;

use crate::{
    activity::Activity,
    direct::Area,
    kernel::{Rows, Run},
    plane::Plane,
    source::Pin,
    sparse::Sparse,
};
use patch::Patch;

pub(crate) use settle::Solve;

/// Light below this is none. Without an end light would creep on for ever, ever fainter,
/// and keep every tile awake; a screen can not show it.
pub(crate) const DARK: f32 = 1.0 / 65536.0;

/// The light of one color.
#[derive(Debug, Clone)]
pub(crate) struct Channel {
    /// The light now.
    light: Plane,
    /// The light of the step before, in whose place the next is written. Equal to `light`
    /// in all tiles that the next step will not visit.
    back: Plane,
    /// What each source asks of its cells.
    pins: Sparse<Pin>,
    /// The same as a list, row by row.
    pinned: Vec<(usize, usize, Pin)>,
    /// The light that every cell has at least, if there is ambient light, and its greatest.
    floor: Option<Plane>,
    brightest_floor: f32,
    /// No cell is brighter. Keeps rounding from lifting a room that nothing dims.
    ceiling: f32,
    /// The brightest that sources and ambient light ask for.
    brightest: f32,
    tiles: Activity,
    tile: usize,
    /// Tiles whose light has changed since they were taken note of last.
    news: Vec<bool>,
    any_news: bool,
    /// How near to its average a cell must be to be left alone by the settled solver.
    threshold: f32,
    /// The last step, and the last solution, left nothing to do.
    step_quiet_since: u64,
    settle_quiet_since: u64,
    bands: Vec<Band>,
}

/// A row of tiles: what a pass has to do in it, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Band {
    tile_y: usize,
    /// The tiles that are to be visited; none at all when it is empty.
    visit: Vec<bool>,
    /// By how much the light in each of those tiles has changed at most.
    change: Vec<f32>,
    scratch: Scratch,
}

impl Band {
    /// Whether there is anything to do.
    #[cfg(feature = "parallel")]
    pub(crate) fn is_awake(&self) -> bool {
        self.visit.contains(&true)
    }

    fn all(across: usize, down: usize) -> Vec<Self> {
        let band = |tile_y| Self {
            tile_y,
            visit: Vec::new(),
            change: vec![0.0; across],
            scratch: Scratch::default(),
        };
        (0..down).map(band).collect()
    }
}

/// Memory that passes use again.
#[derive(Debug, Clone, Default)]
struct Scratch {
    rows: Rows,
    patches: Vec<Patch>,
    /// By how much the light in each column of a run has changed at most: the bits of the
    /// number, which have the same order, because their maxima become vector code.
    changes: Vec<u32>,
}

impl Scratch {
    fn start(&mut self, run: Run) {
        self.changes.clear();
        self.changes.resize(run.len(), 0);
    }

    /// The greatest change in each tile of a stretch.
    fn greatest(&self, change: &mut [f32], tile: usize) {
        for (change, columns) in change.iter_mut().zip(self.changes.chunks(tile)) {
            *change = f32::from_bits(columns.iter().copied().fold(0, u32::max));
        }
    }
}

impl Channel {
    /// Darkness.
    pub(crate) fn new(width: usize, height: usize, tile: usize) -> Self {
        let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
        Self {
            light: Plane::new(width, height),
            back: Plane::new(width, height),
            pins: Sparse::new(height),
            pinned: Vec::new(),
            floor: None,
            brightest_floor: 0.0,
            ceiling: 0.0,
            brightest: 0.0,
            tiles: Activity::new(across, down),
            tile,
            news: vec![true; across * down],
            any_news: true,
            threshold: f32::INFINITY,
            step_quiet_since: 0,
            settle_quiet_since: 0,
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
        self.news = vec![true; across * down];
        self.any_news = true;
        self.bands = Band::all(across, down);
        (self.step_quiet_since, self.settle_quiet_since) = (0, 0);
        self.touch_all();
    }

    pub(crate) fn tile(&self) -> usize {
        self.tile
    }

    #[cfg(feature = "parallel")]
    pub(crate) fn cells(&self) -> usize {
        self.light.width() * self.light.height()
    }

    pub(crate) fn ceiling(&self) -> f32 {
        self.ceiling
    }

    /// Takes out the tiles whose light has changed since the last call.
    pub(crate) fn drain_news(&mut self, news: &mut Vec<usize>) {
        if core::mem::take(&mut self.any_news) {
            let tiles = self.news.iter_mut().enumerate();
            news.extend(tiles.filter_map(|(tile, new)| core::mem::take(new).then_some(tile)));
        }
    }

    /// The light that is shown has changed here, though not by this channel.
    pub(crate) fn take_note_of(&mut self, area: Area) {
        let across = self.light.width().div_ceil(self.tile);
        let tile = |cell: i32| cell as usize / self.tile;
        for y in tile(area.first.y)..=tile(area.end.y - 1) {
            for x in tile(area.first.x)..=tile(area.end.x - 1) {
                self.news[y * across + x] = true;
            }
        }
        self.any_news = true;
    }

    /// The cell is no longer what it was. (Tiles that it lies beside are visited too.)
    pub(crate) fn touch(&mut self, x: usize, y: usize) {
        let (tile_x, tile_y) = (x / self.tile, y / self.tile);
        self.tiles.touch(tile_x, tile_y);
        self.news[tile_y * self.light.width().div_ceil(self.tile) + tile_x] = true;
        self.any_news = true;
    }

    /// The rule, or what cells do with light, is no longer what it was. Where it is dark it
    /// stays dark by any rule.
    pub(crate) fn touch_lit(&mut self) {
        let width = self.light.width();
        for y in 0..self.light.height() {
            for (tile_x, cells) in self.light.row(y, 0, width).chunks(self.tile).enumerate() {
                if cells.iter().any(|&light| light > 0.0) {
                    self.tiles.touch(tile_x, y / self.tile);
                }
            }
        }
    }

    /// Nothing is what it was.
    pub(crate) fn touch_all(&mut self) {
        self.tiles.touch_all();
    }

    /// Sets all light, row by row, and the bound that the automaton keeps.
    pub(crate) fn restore(&mut self, light: &[f32], ceiling: f32) {
        let width = self.light.width();
        for (y, row) in light.chunks(width).enumerate() {
            self.light.row_mut(y, 0, width).copy_from_slice(row);
        }
        let brightest = light.iter().copied().fold(self.brightest, f32::max);
        self.ceiling = ceiling.max(brightest);
        self.news.fill(true);
        self.any_news = true;
        self.touch_all();
    }

    /// No light at all. Only what has a source, or ambient light, is to be visited: the
    /// rest stays dark.
    pub(crate) fn darken(&mut self) {
        self.light.clear();
        self.back.clear();
        self.ceiling = self.brightest;
        self.news.fill(true);
        self.any_news = true;
        for &(x, y, _) in &self.pinned {
            self.tiles.touch(x / self.tile, y / self.tile);
        }
        if self.floor.is_some() {
            self.touch_all();
        }
    }

    /// Replaces what the sources ask for by this list, row by row, each cell once.
    pub(crate) fn set_pins(&mut self, pins: Vec<(usize, usize, Pin)>) {
        let old = core::mem::replace(&mut self.pinned, pins);
        let new = core::mem::take(&mut self.pinned);
        for &(x, y, _) in only_in(&old, &new) {
            self.pins.set(x, y, None);
            self.touch(x, y);
        }
        for &(x, y, pin) in only_in(&new, &old) {
            self.pins.set(x, y, Some(pin));
            self.touch(x, y);
        }
        self.pinned = new;
        self.find_brightest();
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
        let held = self.pinned.iter().map(|(_, _, pin)| pin.held);
        self.brightest = held.fold(self.brightest_floor, f32::max);
        self.ceiling = self.ceiling.max(self.brightest);
    }

    /// Takes note of what has changed in the tiles that were visited; returns the greatest
    /// change.
    fn note_changes(&mut self) -> f32 {
        let mut greatest = 0.0_f32;
        for band in &self.bands {
            let visited = band.visit.iter().zip(&band.change).enumerate();
            for (tile_x, (_, &change)) in visited.filter(|(_, (visited, _))| **visited) {
                let tile = band.tile_y * band.change.len() + tile_x;
                self.tiles.change[tile] = change;
                greatest = greatest.max(change);
                if change > 0.0 {
                    self.tiles.touch(tile_x, band.tile_y);
                    self.news[tile] = true;
                    self.any_news = true;
                }
            }
        }
        greatest
    }
}

/// The columns and rows of neighboring tiles.
fn tile_run(
    light: &Plane,
    tile: usize,
    tile_y: usize,
    tiles: &Range<usize>,
) -> (Run, Range<usize>) {
    let run = Run {
        first: tiles.start * tile,
        end: (tiles.end * tile).min(light.width()),
    };
    let last = ((tile_y + 1) * tile).min(light.height());
    (run, tile_y * tile..last)
}

/// The stretches of neighboring tiles that are to be visited.
fn stretches(visit: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = 0;
    core::iter::from_fn(move || {
        let start = next + visit[next..].iter().position(|&visit| visit)?;
        let length = visit[start..].iter().position(|&visit| !visit);
        next = length.map_or(visit.len(), |length| start + length);
        Some(start..next)
    })
}

/// Not below the floor, and not above the ceiling.
#[inline(always)]
fn limit(light: f32, floor: f32, ceiling: f32) -> f32 {
    let lifted = if light < floor { floor } else { light };
    if lifted > ceiling { ceiling } else { lifted }
}

/// The entries of `a` that `b` has not, or has differently; both row by row.
fn only_in<'a>(
    a: &'a [(usize, usize, Pin)],
    b: &'a [(usize, usize, Pin)],
) -> impl Iterator<Item = &'a (usize, usize, Pin)> {
    let mut rest = b.iter().peekable();
    a.iter().filter(move |&&(x, y, pin)| {
        while rest.next_if(|&&(bx, by, _)| (by, bx) < (y, x)).is_some() {}
        rest.peek().is_none_or(|&&other| other != (x, y, pin))
    })
}
