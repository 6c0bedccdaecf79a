//! Where rivers run out into the sea.
//!
//! Problem: the sea's foam lies where it is shallow. In a river's mouth that is straight across the river, whose water
//! would carry it away.
//!
//! Idea: the image of heights tells the sea's shader one bit more of each texel, the lowest of its height, which is
//! less than a millionth of it. The shader weighs it between texels as it does the heights, and where it is set there
//! is no foam: no other image, nothing more to read.

use std::collections::BTreeSet;

use bevy::prelude::*;
use lanternfell_surface::inland_water::{RiverEnd, RiverWater, Waters};

use crate::{ground::TerrainSurface, water::texels};

/// Metres above the sea up to which a river keeps foam away.
const HIGHEST: f32 = 0.5;

/// How far it does out in the sea, in widths of the river.
const FAR: f32 = 2.0;

/// Texels of the image of heights that lie where rivers run out: row and column.
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

    /// Marks those of a row of the image, and no others.
    pub(super) fn mark(&self, row: u32, heights: &mut [f32]) {
        // Heights have arbitrary lowest bits, so all are cleared before some are set.
        for height in heights.iter_mut() {
            *height = f32::from_bits(height.to_bits() & !1);
        }
        // The set is ordered by row first, so a row is a range of it.
        for &[_, column] in self.0.range([row, 0]..[row + 1, 0]) {
            if let Some(height) = heights.get_mut(column as usize) {
                // Numbers next to 0 are 0 for many a graphics card.
                let apart = height.abs().max(1e-6).copysign(*height);
                *height = f32::from_bits(apart.to_bits() | 1);
            }
        }
    }
}

/// A place in the terrain's frame, and a radius: in metres.
type Disc = (Vec2, f32);

/// Those that a river's last water covers, and those before its mouth, where it spreads.
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

/// The image of heights on the land.
struct Image {
    /// The column and row of its last texel.
    last: UVec2,
    /// Of the land, in metres.
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
    fn what_lies_in_a_disc_and_one_texel_around_it_is_marked() {
        let image = Image {
            last: UVec2::new(20, 10),
            half: Vec2::new(20.0, 10.0),
        };
        let texels: BTreeSet<_> = image.texels_in((Vec2::new(4.0, -2.0), 2.0)).collect();
        // Column 12 and row 4, and all that are within 4 metres, which are 2 texels.
        assert!(
            texels.contains(&[4, 12]) && texels.contains(&[4, 14]) && texels.contains(&[2, 12])
        );
        assert!(!texels.contains(&[4, 15]) && !texels.contains(&[2, 14]));
        assert_eq!(texels.len(), 13);
        // Off the land there is none, at its corner a quarter.
        assert_eq!(image.texels_in((Vec2::new(90.0, 0.0), 2.0)).count(), 0);
        assert_eq!(image.texels_in((Vec2::new(-20.0, -10.0), 2.0)).count(), 6);
    }

    #[test]
    fn a_mark_is_the_lowest_bit_of_a_height_and_changes_it_by_less_than_a_millionth() {
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
