//! Mud: rivers carry on the loads of droplets that have ended.
//!
//! Problem: the lifetime of a droplet is rarely long enough to reach the foot of a mountain. If its load were deposited
//! where it ends, it would block the gullies that it comes from. But the load must not vanish either.
//!
//! Idea: rivers carry the load along the drainage of the map. It settles in the hollows on its way, in proportion to
//! the depth of the water, until three quarters of the depth are filled. The rest moves on to the next hollow, or over
//! the border of the map.
//!
//! ```text
//!    \   o ends                 \
//!     \___.                      \___
//!          \      /\      ->         \      /\
//!           \~~~~/  \                 \____/  \      half full: half as deep everywhere
//!            '--'    \___ border       '..'    \___
//! ```
//!
//! Steps:
//!
//! 1. Divide the map into blocks of 4 x 4 cells, as high as their lowest cell. Add a rim of blocks around the map, as
//!    high as the lowest adjacent border cell.
//! 2. Find the drainage and the lakes of that small map (see [`hydrology`](crate::hydrology)).
//! 3. Hand the mud down from block to block.
//! 4. Deposit the mud on the cells of lakes.
//!
//! The level of a lake of blocks is never above that of a lake of cells, and a block without water has no cell below
//! the level. So the borders of blocks are not visible. All amounts are whole grains.
//!
//! Cost: a sixteenth of the cost of the drainage of the whole map, and one pass over every cell.

use core::ops::Range;

use super::ground::Ground;
use crate::{
    GenerateError, Heightmap, MapSize, Progress,
    hydrology::{Drainage, Hydrology, Lakes},
    range::lower,
    rows,
};

/// The side of a block in cells.
const SIDE: usize = 4;

/// The part of a hollow's depth that mud fills, in quarters. A hollow filled to its rim would be unnaturally flat.
const FILLED: i64 = 3;

/// The mud on a map before it is carried off.
pub(super) struct Mud {
    /// The columns and rows of blocks, including the rim.
    columns: usize,
    rows: usize,
    /// Grains, block by block.
    grains: Vec<i64>,
}

/// The amounts of mud that settled and that left the map, in grains.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Settled {
    pub(super) deposited: i64,
    pub(super) exported: i64,
}

/// A hollow.
#[derive(Debug, Clone, Copy, Default)]
struct Basin {
    /// Its capacity.
    room: i64,
    mud: i64,
    /// The number of its blocks that have not handed on their mud yet.
    waiting: u32,
    /// The capacity of the cells that have received their mud, and that mud.
    served: (i64, i64),
}

impl Basin {
    /// The mud for the next cell, which has the capacity `room`. Cells receive mud in proportion to their capacity, and
    /// all of them together exactly the available amount.
    fn serve(&mut self, room: i64) -> i64 {
        let (before, given) = self.served;
        let up_to = before + room;
        let shares = i128::from(self.mud) * i128::from(up_to) / i128::from(self.room);
        self.served = (up_to, shares as i64);
        shares as i64 - given
    }
}

impl Mud {
    pub(super) fn none(size: MapSize) -> Self {
        let columns = size.width().div_ceil(SIDE) + 2;
        let rows = size.height().div_ceil(SIDE) + 2;
        Self {
            columns,
            rows,
            grains: vec![0; columns * rows],
        }
    }

    /// Adds mud at a cell (column and row).
    pub(super) fn add(&mut self, (x, y): (usize, usize), grains: f32) {
        self.grains[(y / SIDE + 1) * self.columns + x / SIDE + 1] += grains as i64;
    }

    /// Lets rivers carry the mud off.
    pub(super) fn settle(
        mut self,
        ground: &mut Ground,
        progress: &Progress,
    ) -> Result<Settled, GenerateError> {
        if self.grains.iter().all(|&grains| grains == 0) {
            return Ok(Settled::default());
        }
        let blocks = self.blocks(ground, &progress.span(0.0, 0.1))?;
        let drainage = Hydrology::default().drain_like_flood(&blocks, &progress.span(0.1, 0.6))?;
        let lakes = drainage.lakes(&blocks, 1, &progress.span(0.6, 0.7))?;
        let mut basins = self.measure(ground, &drainage, &lakes);
        self.hand_down(&drainage, &lakes, &mut basins, &progress.span(0.7, 0.9))?;
        let exported = self.grains.iter().sum();
        let deposited = self.deposit(ground, &drainage, &lakes, &mut basins);
        Ok(Settled {
            deposited,
            exported,
        })
    }

    /// The heights of the blocks and the rim.
    fn blocks(&self, ground: &Ground, progress: &Progress) -> Result<Heightmap, GenerateError> {
        let size = MapSize::new(self.columns as u64, self.rows as u64)
            .expect("the map of blocks with its rim has a valid size");
        let mut blocks = Heightmap::flat(size);
        let (width, height) = (ground.size.width(), ground.size.height());
        rows::for_each_row(
            blocks.heights_mut(),
            self.columns,
            progress,
            |row, blocks| {
                let rows = cells_of(row, height);
                for (column, lowest) in blocks.iter_mut().enumerate() {
                    let columns = cells_of(column, width);
                    let cells = rows.clone().flat_map(|y| &ground.row(y)[columns.clone()]);
                    *lowest = cells.copied().fold(f32::INFINITY, lower);
                }
            },
        )?;
        Ok(blocks)
    }

    /// The hollows and their capacities.
    fn measure(&self, ground: &Ground, drainage: &Drainage, lakes: &Lakes) -> Vec<Basin> {
        let mut basins = vec![Basin::default(); lakes.lakes.len()];
        self.each_wet_block(
            ground.size,
            drainage,
            lakes,
            |basin, level, rows, columns| {
                let basin = &mut basins[basin];
                basin.waiting += 1;
                for y in rows {
                    let cells = ground.row(y)[columns.clone()].iter();
                    basin.room += cells.map(|&height| room_below(level, height)).sum::<i64>();
                }
            },
        );
        basins
    }

    /// Hands the mud on from block to block, into hollows, and out of them when they are full. The mud that remains in
    /// `grains` has reached the border of the map.
    fn hand_down(
        &mut self,
        drainage: &Drainage,
        lakes: &Lakes,
        basins: &mut [Basin],
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let grains = &mut self.grains;
        let basin_of = |block: usize| {
            let label = lakes.labels[block];
            (label != Lakes::LAND).then_some(label as usize)
        };
        drainage.downstream(progress, |block, receiver| {
            let mut mud = core::mem::take(&mut grains[block]);
            if let Some(basin) = basin_of(block) {
                let basin = &mut basins[basin];
                basin.mud += core::mem::take(&mut mud);
                basin.waiting -= 1;
                // This is the last block of the hollow; all others are upstream of it.
                if basin.waiting == 0 {
                    mud = (basin.mud - basin.room).max(0);
                    basin.mud -= mud;
                }
            }
            grains[receiver] += mud;
        })?;
        Ok(())
    }

    /// Deposits the mud of each hollow on its cells, and returns the amount.
    fn deposit(
        &self,
        ground: &mut Ground,
        drainage: &Drainage,
        lakes: &Lakes,
        basins: &mut [Basin],
    ) -> i64 {
        let (size, width) = (ground.size, ground.size.width());
        let mut deposited = 0;
        self.each_wet_block(size, drainage, lakes, |basin, level, rows, columns| {
            let basin = &mut basins[basin];
            let rows = if basin.mud > 0 { rows } else { 0..0 };
            for y in rows {
                for height in &mut ground.cells[y * width..][columns.clone()] {
                    let mud = basin.serve(room_below(level, *height));
                    *height += mud as f32;
                    deposited += mud;
                }
            }
        });
        deposited
    }

    /// Calls `each` for each block that is under water, with its hollow, the water level, its rows and its columns.
    fn each_wet_block(
        &self,
        size: MapSize,
        drainage: &Drainage,
        lakes: &Lakes,
        mut each: impl FnMut(usize, f32, Range<usize>, Range<usize>),
    ) {
        for (block, &label) in lakes.labels.iter().enumerate() {
            if label != Lakes::LAND {
                let rows = cells_of(block / self.columns, size.height());
                let columns = cells_of(block % self.columns, size.width());
                let level = drainage.filled().heights()[block];
                each(label as usize, level, rows, columns);
            }
        }
    }
}

/// The cells of a block along one axis of `cells` cells. Blocks of the rim use the nearest cell.
fn cells_of(block: usize, cells: usize) -> Range<usize> {
    match block.checked_sub(1) {
        None => 0..1,
        Some(block) if block * SIDE >= cells => cells - 1..cells,
        Some(block) => block * SIDE..cells.min((block + 1) * SIDE),
    }
}

/// The capacity for mud of a cell below the water level, in grains.
fn room_below(level: f32, height: f32) -> i64 {
    (level - height).max(0.0) as i64 * FILLED / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    fn ground(width: u64, cells: Vec<f32>) -> Ground {
        let size = MapSize::new(width, cells.len() as u64 / width).unwrap();
        Ground { size, cells }
    }

    fn sum(ground: &Ground) -> i64 {
        ground.cells.iter().map(|&grains| grains as i64).sum()
    }

    fn settle(ground: &mut Ground, places: &[((usize, usize), f32)]) -> Settled {
        let mut mud = Mud::none(ground.size);
        places
            .iter()
            .for_each(|&(place, grains)| mud.add(place, grains));
        mud.settle(ground, &Progress::default()).unwrap()
    }

    /// A valley that descends to the east between walls, with a hollow of 16 cells in it.
    #[test]
    fn mud_fills_hollow_and_excess_leaves_map() {
        let height = |x: usize, y: usize| match (x, y) {
            (_, 0..4 | 8..12) => 9000.0,
            (8..12, _) => 1000.0,
            _ => 4000.0 - 100.0 * x as f32,
        };
        let valley = ground(24, (0..24 * 12).map(|k| height(k % 24, k / 24)).collect());
        // The water is as high as the valley floor behind the hollow: the lowest cell of the next block.
        let room = 16 * (4000 - 1500 - 1000) * 3 / 4;
        for (mud, deposited) in [(800, 800), (1_000_000, room)] {
            let mut valley = valley.clone();
            let settled = settle(&mut valley, &[((2, 5), mud as f32)]);
            let exported = mud - deposited;
            assert_eq!(
                settled,
                Settled {
                    deposited,
                    exported
                }
            );
            let even = (1000 + deposited / 16) as f32;
            assert!((4..8).all(|y| valley.row(y)[8..12] == [even; 4]));
        }
    }

    #[test]
    fn bowl_holds_mud_until_full() {
        for side in [2, 3, 5, 8, 30] {
            let rim = |k: usize| {
                let (x, y) = (k % side, k / side);
                let at_border = x == 0 || y == 0 || x + 1 == side || y + 1 == side;
                if at_border { 5000.0 } else { 1000.0 }
            };
            let bowl = ground(side as u64, (0..side * side).map(rim).collect());
            let inner = side.saturating_sub(2) * side.saturating_sub(2);
            let (room, place) = (3000 * inner as i64, (side / 2, side / 2));
            for (mud, deposited) in [(777, room.min(777)), (10_000_000, room.min(10_000_000))] {
                let mut bowl = bowl.clone();
                let settled = settle(&mut bowl, &[(place, mud as f32)]);
                assert_eq!(settled.deposited, deposited, "{side}");
                assert_eq!(settled.exported, mud - deposited);
                let floor = bowl.cells.iter().copied().fold(f32::MAX, f32::min);
                let even = 1000 + deposited / (inner.max(1) as i64);
                assert!(inner == 0 || (floor as i64 - even).abs() <= 1, "{floor}");
            }
        }
    }

    /// On any terrain: no mud is lost, nothing sinks, and no cell rises above the highest one.
    #[test]
    fn conserves_grains() {
        let mut rng = SeededRng::new(9, b"test    ");
        for _ in 0..200 {
            let (width, height) = (2 + rng.below(40), 2 + rng.below(40));
            let top = [3, 1000, 1 << 24][rng.below(3) as usize];
            let cells = (0..width * height).map(|_| rng.below(top + 1) as f32);
            let mut ground = ground(width, cells.collect());
            let before = ground.clone();
            let highest = before.cells.iter().copied().fold(0.0, f32::max);
            let places: Vec<_> = (0..rng.below(50))
                .map(|_| {
                    let place = (rng.below(width) as usize, rng.below(height) as usize);
                    (place, rng.below(1 << 23) as f32)
                })
                .collect();
            let settled = settle(&mut ground, &places);
            let all: i64 = places.iter().map(|&(_, grains)| grains as i64).sum();
            assert_eq!(settled.deposited + settled.exported, all);
            assert_eq!(sum(&ground), sum(&before) + settled.deposited);
            assert!(
                ground
                    .cells
                    .iter()
                    .zip(&before.cells)
                    .all(|(now, old)| now >= old)
            );
            assert!(ground.cells.iter().all(|&now| now <= highest));
        }
    }
}
