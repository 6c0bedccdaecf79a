//! Removes sea foam at the mouths of rivers.
//!
//! Problem: the sea has foam where it is shallow. At the mouth of a river this would be a line across the river,
//! although the river's current would carry the foam away.
//!
//! Idea: one more bit per texel of the height texture, the lowest bit of the height, marks where there is no foam. It
//! changes the height by less than a millionth of its value. The shader interpolates the bit between texels as it does
//! with the heights. This needs no other texture and no additional reads.

use std::collections::BTreeSet;

use bevy::prelude::*;
use lanternfell_surface::inland_water::{RiverEnd, RiverWater, Waters};

use crate::{ground::TerrainSurface, water::texels};

/// Height above the sea in meters up to which a river prevents foam.
const HIGHEST: f32 = 0.5;

/// Distance into the sea to which a river prevents foam, in widths of the river.
const FAR: f32 = 2.0;

/// The texels of the height texture that are at the mouths of rivers, as row and column.
pub(super) struct Mouths(BTreeSet<[u32; 2]>);

impl Mouths {
    pub(super) fn of(ground: &TerrainSurface) -> Self {
        let image = Image {
            last: texels(ground) - 1,
            half: ground.surface().half_extent(),
        };
        let sea = ground.water_level();
        let rivers = ground.waters().into_iter().flat_map(Waters::rivers);
        let mouths = rivers.filter(|river| river.end == RiverEnd::Sea);
        let discs = mouths.flat_map(|river| discs(river, sea));
        Self(discs.flat_map(|disc| image.texels_in(disc)).collect())
    }

    /// Sets the mark of these texels in a row of the texture, and clears it for all others.
    pub(super) fn mark(&self, row: u32, heights: &mut [f32]) {
        // Heights have arbitrary lowest bits, so all are cleared before some are set.
        for height in heights.iter_mut() {
            *height = f32::from_bits(height.to_bits() & !1);
        }
        // The set is ordered by row first, so a row is a range of it.
        for &[_, column] in self.0.range([row, 0]..[row + 1, 0]) {
            if let Some(height) = heights.get_mut(column as usize) {
                // Many GPUs flush denormal numbers to 0, so the absolute height is at least 1e-6.
                let apart = height.abs().max(1e-6).copysign(*height);
                *height = f32::from_bits(apart.to_bits() | 1);
            }
        }
    }
}

/// A center in the terrain's local space and a radius, in meters.
type Disc = (Vec2, f32);

/// Discs that cover the last part of a river, and the fan in front of its mouth, where its water spreads.
fn discs(river: &RiverWater, sea: f32) -> impl Iterator<Item = Disc> {
    let points = &river.points;
    let at = |point: [f32; 3]| Vec2::new(point[0], point[2]);
    let low = points
        .iter()
        .filter(move |point| point.position[1] < sea + HIGHEST)
        .map(move |point| (at(point.position), 1.2 * point.half_width));
    let out = points.last_chunk().map(|[before, last]| {
        let (end, half) = (at(last.position), last.half_width);
        let onward = (end - at(before.position)).normalize_or_zero();
        (1..=8).map(move |step| {
            let part = step as f32 / 8.0;
            let along = FAR * 2.0 * half * part;
            (end + along * onward, half * (1.2 + part))
        })
    });
    low.chain(out.into_iter().flatten())
}

/// The mapping between the terrain and its height texture.
struct Image {
    /// The column and row of the last texel.
    last: UVec2,
    /// Half the size of the terrain, in meters.
    half: Vec2,
}

impl Image {
    /// The texels within a disc, and one more all around.
    fn texels_in(&self, (middle, radius): Disc) -> impl Iterator<Item = [u32; 2]> {
        let last = self.last.as_vec2();
        let texel = 2.0 * self.half / last;
        let reach = radius + texel.max_element();
        let clamped = |at: Vec2| ((at + self.half) / texel).clamp(Vec2::ZERO, last);
        let from = clamped(middle - reach).ceil().as_uvec2();
        let to = clamped(middle + reach).as_uvec2();
        let half = self.half;
        let rows = (from.y..=to.y).flat_map(move |row| (from.x..=to.x).map(move |x| [row, x]));
        rows.filter(move |&[row, column]| {
            let at = Vec2::new(column as f32, row as f32) * texel - half;
            at.distance(middle) <= reach
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_texels_in_a_disc_and_one_around_it() {
        let image = Image {
            last: UVec2::new(20, 10),
            half: Vec2::new(20.0, 10.0),
        };
        let texels: BTreeSet<_> = image.texels_in((Vec2::new(4.0, -2.0), 2.0)).collect();
        // Column 12 and row 4, and all texels within 4 meters, which are 2 texels.
        assert!(
            texels.contains(&[4, 12]) && texels.contains(&[4, 14]) && texels.contains(&[2, 12])
        );
        assert!(!texels.contains(&[4, 15]) && !texels.contains(&[2, 14]));
        assert_eq!(texels.len(), 13);
        // A disc outside the terrain covers no texels, and one at its corner covers a quarter.
        assert_eq!(image.texels_in((Vec2::new(90.0, 0.0), 2.0)).count(), 0);
        assert_eq!(image.texels_in((Vec2::new(-20.0, -10.0), 2.0)).count(), 6);
    }

    #[test]
    fn mark_is_lowest_bit_of_height() {
        let mouths = Mouths([[3, 1], [3, 2], [4, 0]].into());
        let heights = [12.345_f32, 0.0, -7.5, 1000.1];
        let mut marked = heights;
        mouths.mark(3, &mut marked);
        let bits = marked.map(|height| height.to_bits() & 1);
        assert_eq!(bits, [0, 1, 1, 0]);
        for (marked, height) in marked.iter().zip(heights) {
            assert!(
                (marked - height).abs() <= 1e-6 * height.abs().max(1.1),
                "{marked} {height}"
            );
            assert!(marked.is_normal() || *marked == 0.0);
        }
    }
}
