//! The map in square regions: droplets on every core, in an order that is always the same.
//!
//! Problem: a droplet changes the ground under the next one. Droplets that run at the same
//! time on several cores must not meet, or chance decides what each of them sees.
//!
//! Idea: a droplet goes one cell a step and lives for so many steps. Start droplets only in
//! the middle of a square region, with a margin around it as wide as their way is long:
//! none leaves its region, so regions side by side can be worked on at the same time.
//!
//! ```text
//!   +-----------+-----------+     #  droplets start here
//!   |  . . . .  |  . . . .  |     .  and may come as far as this
//!   |  . ### .  |  . ### .  |
//!   |  . ### .  |  . ### .  |     The middles are a quarter of the map. Three more such
//!   |  . . . .  |  . . . .  |     grids, half a region further east, south, and both,
//!   +-----------+-----------+     make up the rest of it, one after the other.
//! ```
//!
//! Steps: many rounds of four such phases; every round puts the grid elsewhere, so that no
//! line of the map is always a border between the earlier and the later.
//!
//! Cost: for each round every cell is copied four times into a square that lies in the
//! processor's cache, and back: about a twentieth of the work. Scratch: one region per
//! thread, 256 KiB for droplets of up to 55 steps, at most 4 MiB.

use super::{ground::Ground, lanes::Ledger, region_heights::RegionHeights};
use crate::{MapSize, SeededRng};

/// The regions' sides are 2 to a power from the first to the second of these.
const SHIFTS: (u32, u32) = (7, 10);

/// The cells of a region's margin that droplets can not use: what the widest brush reaches
/// around them, and one for the cell north-west of a place.
pub(super) const SPARE: u32 = 9;

/// The longest way in the largest regions.
pub(super) const LONGEST: u32 = (1 << SHIFTS.1) / 4 - SPARE;

/// The smallest region, as a power of two, whose margin, a quarter of its side, is wide
/// enough for so many steps.
pub(super) fn shift_for(lifetime: u32) -> u32 {
    let fits = |shift: &u32| (1 << shift) / 4 >= lifetime + SPARE;
    (SHIFTS.0..SHIFTS.1).find(fits).unwrap_or(SHIFTS.1)
}

/// Where a map lies in the world that it is a part of, in its own cells: the world's width and
/// height, and the column and row of the map's first cell. Regions are the world's, so that drops
/// fall alike on parts of one world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) world: (usize, usize),
    pub(super) origin: (usize, usize),
}

impl Place {
    /// A map of this size that is all there is.
    pub(super) fn whole(size: MapSize) -> Self {
        Self {
            world: (size.width(), size.height()),
            origin: (0, 0),
        }
    }
}

/// A piece of the map.
pub(super) struct ErosionRegion<'a> {
    /// Which one of the world's it is: its random numbers.
    pub(super) number: u64,
    rows: Vec<&'a mut [f32]>,
    /// Where it begins on the map; below 0 when its first columns or rows lie outside.
    west: isize,
    north: isize,
    /// What its droplets have done.
    pub(super) ledger: Ledger,
}

/// Cuts the map into squares, one of which would begin at `corner` of the world: their rows, first
/// from west to east, then from north to south.
pub(super) fn cut(
    ground: &mut Ground,
    Place { world, origin }: Place,
    shift: u32,
    corner: (usize, usize),
) -> Vec<ErosionRegion<'_>> {
    let (side, size) = (1 << shift, ground.size);
    let columns = Cuts::new((world.0, origin.0, size.width()), side, corner.0);
    let rows = Cuts::new((world.1, origin.1, size.height()), side, corner.1);
    let mut regions: Vec<ErosionRegion<'_>> = (0..rows.count * columns.count)
        .map(|number| ErosionRegion {
            number: (rows.world_number(number / columns.count) * columns.in_world
                + columns.world_number(number % columns.count)) as u64,
            rows: Vec::with_capacity(side),
            west: columns.begin(number % columns.count),
            north: rows.begin(number / columns.count),
            ledger: Ledger::default(),
        })
        .collect();
    for (y, mut row) in ground.cells.chunks_exact_mut(size.width()).enumerate() {
        let band = rows.holding(y);
        for column in 0..columns.count {
            let end = columns.begin(column) + side as isize;
            let begin = columns.begin(column).max(0);
            let length = (end - begin) as usize;
            let (piece, rest) = row.split_at_mut(length.min(row.len()));
            row = rest;
            regions[band * columns.count + column].rows.push(piece);
        }
    }
    regions
}

/// Where an axis of the map is cut.
struct Cuts {
    /// How far the world's first region ends before or behind the map's first cell.
    first: isize,
    side: usize,
    /// The world's number of the first region on the map.
    before: usize,
    /// The number of regions on the map.
    count: usize,
    /// The number of regions in the world.
    in_world: usize,
}

impl Cuts {
    /// Of the cells of a map, so many from `origin` on, of a world so long.
    fn new((world, origin, length): (usize, usize, usize), side: usize, corner: usize) -> Self {
        let first = match corner % side {
            0 => side,
            part => part,
        };
        let holding = |at: usize| (at + side - first) / side;
        let before = holding(origin);
        Self {
            first: first as isize - origin as isize,
            side,
            before,
            count: holding(origin + length - 1) - before + 1,
            in_world: 1 + world.saturating_sub(first).div_ceil(side),
        }
    }

    /// Where a region of the map begins.
    fn begin(&self, number: usize) -> isize {
        self.first + ((self.before + number) * self.side) as isize - self.side as isize
    }

    /// Which region of the map holds a cell.
    fn holding(&self, at: usize) -> usize {
        (at as isize - self.begin(0)) as usize / self.side
    }

    fn world_number(&self, number: usize) -> usize {
        self.before + number
    }
}

impl ErosionRegion<'_> {
    /// Copies the region into a square.
    pub(super) fn fetch<'a>(&self, cells: &'a mut [f32], shift: u32) -> RegionHeights<'a> {
        let column = (-self.west).max(0) as usize;
        let row = (-self.north).max(0) as usize;
        let across = self.rows.first().map_or(0, |row| row.len());
        for (to, from) in cells.chunks_exact_mut(1 << shift).skip(row).zip(&self.rows) {
            to[column..column + across].copy_from_slice(from);
        }
        RegionHeights {
            cells,
            shift,
            columns: column..column + across,
            rows: row..row + self.rows.len(),
        }
    }

    /// Copies the square back.
    pub(super) fn put_back(&mut self, ground: &RegionHeights<'_>) {
        let rows = ground.cells.chunks_exact(ground.side());
        for (from, to) in rows.skip(ground.rows.start).zip(&mut self.rows) {
            to.copy_from_slice(&from[ground.columns.clone()]);
        }
    }

    /// Where a cell of the square lies on the map: column and row.
    pub(super) fn place(&self, cell: u32, shift: u32) -> (usize, usize) {
        let (column, row) = (cell & ((1 << shift) - 1), cell >> shift);
        let on_map = |begin: isize, at: u32| (begin + at as isize) as usize;
        (on_map(self.west, column), on_map(self.north, row))
    }
}

/// A random point in the middle of a region, in its cells: of a word, the low 24 bits are
/// how far east it lies, the next 24 how far south.
pub(super) fn start(rng: &mut SeededRng, shift: u32) -> (f32, f32) {
    let word = rng.word();
    let half = (1 << (shift - 1)) as f32;
    let place = |bits: u64| half * (0.5 + (bits & 0xff_ffff) as f32 / 16_777_216.0);
    (place(word), place(word >> 24))
}
