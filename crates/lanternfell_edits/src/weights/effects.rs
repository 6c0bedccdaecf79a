//! The effects of dabs on cells.
//!
//! The inner loop uses `f64`, which the compiler vectorizes, but every result is the exact integer: see
//! [`whole`].
//!
//! - `dx^2 + dy^2` is below 2^37, so it is exact in `f64`. IEEE 754 rounds the square root
//!   correctly. For `n < 2^52` this never reaches the next integer: the root of `k^2 - 1` is more
//!   than `1 / (2k)` below `k`.
//! - `65536 (radius - d) / radius` is computed as a product with the rounded `65536 / radius`, which
//!   is off by less than 2^-35. The distance of the exact quotient from the next integer above is 0 or
//!   at least `1 / radius >= 2^-18`.
//! - All other values are products of integers below 2^53, divided by a power of two.
//!
//! Cost: about 3 ns per cell and dab.

use std::borrow::Cow;

use super::Dabs;
use crate::{
    brush::Falloff,
    cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress},
    stroke::UNITS,
    whole::{self, whole},
};

/// One in the units of effects.
const ONE: u32 = 1 << 16;

impl Dabs<'_> {
    /// The cover of each cell of a tile, in 1/65536, for other brushes.
    pub(crate) fn covers(&self, tile: TileAddress) -> Vec<u32> {
        self.effects(tile).iter().map(|left| ONE - left).collect()
    }

    /// The cover of each cell of an area, row by row.
    pub(crate) fn covers_of(&self, area: CellRect, channel: Channel) -> Vec<u32> {
        let mut all = vec![0; area.cells()];
        for tile in area.tiles(channel) {
            let Some(part) = area.intersection(tile.area()) else {
                continue;
            };
            let covers = self.covers(tile);
            for row in part.row..part.end_row() {
                let from = TileAddress::index(part.column, row);
                let to = (row - area.row) as usize * area.columns as usize
                    + (part.column - area.column) as usize;
                let columns = part.columns as usize;
                all[to..][..columns].copy_from_slice(&covers[from..][..columns]);
            }
        }
        all
    }

    /// The effects of all dabs on the cells of a tile. Sums cannot overflow, because there are at most
    /// 65,535 dabs with an effect of at most 65,536 each.
    pub(crate) fn effects(&self, tile: TileAddress) -> Cow<'_, [u32]> {
        if let Some(effects) = self.known.and_then(|known| known.get(&tile)) {
            return Cow::Borrowed(effects);
        }
        let start = match self.stroke.brush.is_additive() {
            true => 0,
            false => ONE,
        };
        let mut effects = vec![start; TILE_CELLS];
        self.add_effects(0, tile, &mut effects);
        Cow::Owned(effects)
    }

    /// Adds the effects of the dabs from the one with the index `first` on to those of the dabs before.
    pub(crate) fn add_effects(&self, first: usize, tile: TileAddress, effects: &mut [u32]) {
        match self.stroke.brush.is_additive() {
            true => self.each_effect(first, tile, effects, |sum, effect| sum + effect),
            false => self.each_effect(first, tile, effects, |left, effect| {
                ((u64::from(left) * u64::from(ONE - effect)) >> 16) as u32
            }),
        }
    }

    /// The cells of a tile that are within the radius of a dab.
    pub(crate) fn inside(&self, tile: TileAddress) -> Vec<bool> {
        let mut inside = vec![false; TILE_CELLS];
        self.each_row(0, tile, |start, [first, end], _| {
            inside[start..][..(end - first) as usize].fill(true);
        });
        inside
    }

    /// Replaces the value of each cell within the radius of each dab, with the effect of the dab.
    fn each_effect(
        &self,
        first: usize,
        tile: TileAddress,
        cells: &mut [u32],
        apply: impl Fn(u32, u32) -> u32,
    ) {
        // Each falloff has a separate loop, in which it is a constant.
        macro_rules! with {
            ($($falloff:ident)*) => {
                match self.stroke.falloff {
                    $(Falloff::$falloff => self.each_of(first, tile, cells, apply, |inward| {
                        Falloff::$falloff.effect(inward)
                    }),)*
                }
            };
        }
        with!(Constant Linear Smooth Dome Tip);
    }

    #[inline(always)]
    fn each_of(
        &self,
        first: usize,
        tile: TileAddress,
        cells: &mut [u32],
        apply: impl Fn(u32, u32) -> u32,
        falloff: impl Fn(f64) -> f64,
    ) {
        let radius = f64::from(self.stroke.radius);
        let share = f64::from(ONE) / radius;
        let strength = self.stroke.strength() as f64 / f64::from(ONE);
        let mut effects = [0; TILE_SIDE];
        self.each_row(first, tile, |start, [first, end], [x, dy]| {
            let (dx, dy2) = ((first * UNITS - x) as f64, (dy * dy) as f64);
            let count = (end - first) as usize;
            for (at, effect) in effects[..count].iter_mut().enumerate() {
                let dx = dx + f64::from(at as i32) * UNITS as f64;
                let distance = whole((dx * dx + dy2).sqrt());
                let inward = whole((radius - distance) * share);
                let number = falloff(inward) * strength;
                *effect = whole::number(number);
            }
            let cells = cells[start..][..count].iter_mut();
            for (cell, &effect) in cells.zip(&effects) {
                *cell = apply(*cell, effect);
            }
        });
    }

    /// Calls `each` for each row of cells of a tile within the radius of each dab: with the index of the
    /// first cell, the columns, and the column of the dab and the distance of the row from it in units.
    fn each_row(
        &self,
        first: usize,
        tile: TileAddress,
        mut each: impl FnMut(usize, [i64; 2], [i64; 2]),
    ) {
        let radius = i64::from(self.stroke.radius);
        self.each_near(first, tile, |[x, y], near| {
            for row in near.row..near.end_row() {
                let dy = row * UNITS - y;
                let rest = radius * radius - dy * dy;
                if rest <= 0 {
                    continue;
                }
                // The cells with dx^2 < rest.
                let half = (rest - 1).isqrt();
                let first = (-(half - x).div_euclid(UNITS)).max(near.column);
                let end = ((x + half).div_euclid(UNITS) + 1).min(near.end_column());
                if first < end {
                    each(TileAddress::index(first, row), [first, end], [x, dy]);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{brush::Brush, stroke::Stroke};
    use lanternfell_random::SeededRng;

    /// The claims of the module docs about `f64`.
    #[test]
    fn float_roots_and_quotients_are_exact_integers() {
        let mut rng = SeededRng::new(6, b"test    ");
        for root in 1_i64..(1 << 19) {
            for square in [root * root - 1, root * root, root * root + 1] {
                assert_eq!(whole((square as f64).sqrt()) as i64, square.isqrt());
            }
        }
        let check = |radius: i64, distance: i64| {
            let share = 65_536.0 / radius as f64;
            let inward = whole((radius - distance) as f64 * share) as i64;
            assert_eq!(inward, 65_536 * (radius - distance) / radius);
        };
        for _ in 0..2_000_000 {
            let radius = 1 + rng.below(1 << 18) as i64;
            check(radius, rng.below(radius as u64 + 1) as i64);
        }
        for radius in (1..400).chain([1 << 18, (1 << 18) - 1, 3 << 16, 48 * 256]) {
            (0..=radius).for_each(|distance| check(radius, distance));
        }
    }

    /// The formulas of the docs of `weights`, in integers.
    #[test]
    fn effects_are_those_of_integer_arithmetic() {
        let mut rng = SeededRng::new(8, b"test    ");
        let one = i64::from(ONE);
        for case in 0..400 {
            let falloffs = [
                Falloff::Constant,
                Falloff::Linear,
                Falloff::Smooth,
                Falloff::Dome,
                Falloff::Tip,
            ];
            let at = [(); 2].map(|()| i64::from(rng.within(-9000, 25_000)));
            let radius = match case {
                0..5 => Stroke::MAX_RADIUS,
                5..10 => 1 + (case % 2) as u32,
                _ => 1 + rng.below(20_000) as u32,
            };
            let at = if radius < 3 { [2560, 5120] } else { at };
            let stroke = Stroke {
                falloff: falloffs[case % 5],
                strength: rng.below(1001) as u16,
                ..Stroke::along(Brush::Raise { mm: 1 }, radius, [at])
            };
            let tile = TileAddress::new(Channel::Heights, 0, 0);
            let dabs = Dabs::of(&stroke);
            let sums = dabs.effects(tile);
            let (radius, strength) = (i64::from(stroke.radius), stroke.strength() as i64);
            for (index, &effect) in sums.iter().enumerate() {
                let cell = [index % TILE_SIDE, index / TILE_SIDE];
                let [dx, dy] = [0, 1].map(|axis| cell[axis] as i64 * UNITS - at[axis]);
                let square = dx * dx + dy * dy;
                if square >= radius * radius {
                    assert_eq!(effect, 0, "{stroke:?} {cell:?}");
                    continue;
                }
                let inward = one * (radius - square.isqrt()) / radius;
                let falloff = match stroke.falloff {
                    Falloff::Constant => one,
                    Falloff::Linear => inward,
                    Falloff::Smooth => (inward * inward * (3 * one - 2 * inward)) >> 32,
                    Falloff::Dome => (one * one - (one - inward) * (one - inward)).isqrt(),
                    Falloff::Tip => (inward * inward) >> 16,
                };
                let expected = (falloff * strength) >> 16;
                assert_eq!(i64::from(effect), expected, "{stroke:?} {cell:?}");
            }
        }
    }
}
