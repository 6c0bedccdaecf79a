//! Square regions of the map, for droplets on every core in a deterministic order.
//!
//! Problem: a droplet changes the terrain for the next one. Droplets that run on several cores at the same time must
//! not meet, or the result would depend on timing.
//!
//! Idea: a droplet moves one cell per step and has a limited lifetime. Start droplets only in the middle of a square
//! region, whose margin is as wide as the longest path. No droplet leaves its region, so all regions can be processed
//! in parallel.
//!
//! ```text
//!   +-----------+-----------+     #  droplets start here
//!   |  . . . .  |  . . . .  |     .  droplets may reach these cells
//!   |  . ### .  |  . ### .  |
//!   |  . ### .  |  . ### .  |     The middles are a quarter of the map. Three more grids,
//!   |  . . . .  |  . . . .  |     shifted by half a region to the east, south, and both,
//!   +-----------+-----------+     cover the rest, one after the other.
//! ```
//!
//! Steps: many rounds of four such phases. Every round moves the grid, so that no line of the map is always a border
//! between earlier and later droplets.
//!
//! Cost: in each round every cell is copied four times into a square that fits in the CPU cache, and back. This is
//! about a twentieth of the work. Scratch memory: one region per thread, 256 KiB for lifetimes of up to 55 steps, at
//! most 4 MiB.

use super::{ground::Ground, lanes::Ledger, region_heights::RegionHeights};
use crate::{MapSize, SeededRng};

/// The smallest and the largest region: their sides are 2 to these powers.
const SHIFTS: (u32, u32) = (7, 10);

/// The cells of a region's margin that droplets cannot use: the reach of the widest brush, and one for the cell to the
/// north-west of a point.
pub(super) const SPARE: u32 = 9;

/// The longest lifetime that the largest regions support.
pub(super) const LONGEST: u32 = (1 << SHIFTS.1) / 4 - SPARE;

/// The smallest region, as a power of two, that supports this lifetime. Its margin is a quarter of its side.
pub(super) fn shift_for(lifetime: u32) -> u32 {
    let fits = |shift: &u32| (1 << shift) / 4 >= lifetime + SPARE;
    (SHIFTS.0..SHIFTS.1).find(fits).unwrap_or(SHIFTS.1)
}

/// The position of a map in its world, in cells of the map: the width and height of the world, and the column and row
/// of the map's first cell. Regions belong to the world, so droplets fall at the same points on all parts of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) world: (usize, usize),
    pub(super) origin: (usize, usize),
}

impl Place {
    /// A map of this size that is the whole world.
    pub(super) fn whole(size: MapSize) -> Self {
        Self {
            world: (size.width(), size.height()),
            origin: (0, 0),
        }
    }
}

/// A square region of the map.
pub(super) struct ErosionRegion<'a> {
    /// The number of the region in the world, which selects its random numbers.
    pub(super) number: u64,
    rows: Vec<&'a mut [f32]>,
    /// The first column and row on the map; negative if the region starts outside.
    west: isize,
    north: isize,
    /// The effect of its droplets.
    pub(super) ledger: Ledger,
}

/// Cuts the map into regions, of which one starts at `corner` of the world. They are ordered from west to east, then
/// from north to south.
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

/// The cuts along an axis of the map.
struct Cuts {
    /// Where the first region of the world ends, relative to the first cell of the map.
    first: isize,
    side: usize,
    /// The number in the world of the first region on the map.
    before: usize,
    /// The number of regions on the map.
    count: usize,
    /// The number of regions in the world.
    in_world: usize,
}

impl Cuts {
    /// The cuts of a map of `length` cells that starts at `origin` in a world of `world` cells.
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

    /// The first cell of a region of the map.
    fn begin(&self, number: usize) -> isize {
        self.first + ((self.before + number) * self.side) as isize - self.side as isize
    }

    /// The region of the map that contains a cell.
    fn holding(&self, at: usize) -> usize {
        (at as isize - self.begin(0)) as usize / self.side
    }

    fn world_number(&self, number: usize) -> usize {
        self.before + number
    }
}

impl ErosionRegion<'_> {
    /// Copies the region into a square of cells.
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

    /// Copies the square of cells back to the map.
    pub(super) fn put_back(&mut self, ground: &RegionHeights<'_>) {
        let rows = ground.cells.chunks_exact(ground.side());
        for (from, to) in rows.skip(ground.rows.start).zip(&mut self.rows) {
            to.copy_from_slice(&from[ground.columns.clone()]);
        }
    }

    /// The column and row on the map of a cell of the square.
    pub(super) fn place(&self, cell: u32, shift: u32) -> (usize, usize) {
        let (column, row) = (cell & ((1 << shift) - 1), cell >> shift);
        let on_map = |begin: isize, at: u32| (begin + at as isize) as usize;
        (on_map(self.west, column), on_map(self.north, row))
    }
}

/// A random point in the middle of a region, in cells. The low 24 bits of a word are its position to the east, and the
/// next 24 bits its position to the south.
pub(super) fn start(rng: &mut SeededRng, shift: u32) -> (f32, f32) {
    let word = rng.word();
    let half = (1 << (shift - 1)) as f32;
    let place = |bits: u64| half * (0.5 + (bits & 0xff_ffff) as f32 / 16_777_216.0);
    (place(word), place(word >> 24))
}
