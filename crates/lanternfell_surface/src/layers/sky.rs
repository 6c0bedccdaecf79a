//! The visible sky of a map that was edited.
//!
//! Problem: a hill changes the sky of every place that sees it, so a small edit would change some bytes of the relief
//! on the whole map.
//!
//! Idea: the sky changes only within [`REACH`] cells of edits. Beyond that it is the sky of the map before edits. The
//! result depends on both maps, and not on the order of edits.

use super::parts::{Part, Texels, nth, thin_scale, thin_size};
use lanternfell_heightmap::{
    GenerateError, Heightmap, MapSize, Progress, Scale, analysis::SkyView,
};

/// The maximum side, in cells, of the map of the visible sky.
const SIDE: usize = 512;

const SKY: SkyView = SkyView { directions: 8 };

/// How far edits change the sky, in cells of its map.
const REACH: usize = 24;

/// The sky of a map before edits.
#[derive(Debug, Clone)]
pub(super) struct Sky {
    /// The map with the cells of the sky.
    heights: Heightmap,
    sky: Heightmap,
    texels: Texels,
}

impl Sky {
    pub(super) fn of(
        map: &Heightmap,
        texels: Texels,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        let heights = reduced(map, texels);
        Ok(Self {
            sky: SKY.of(&heights, scale(texels, heights.size()), progress)?,
            heights,
            texels,
        })
    }

    /// The sky of the edited map.
    pub(super) fn on(&self, map: &Heightmap, progress: &Progress) -> Result<Part, GenerateError> {
        let heights = reduced(map, self.texels);
        let near = self.near_edits(&heights);
        let size = heights.size();
        if !near.contains(&true) {
            return Ok(Part::new(self.sky.clone(), self.texels.size));
        }
        let new = SKY.of_cells(&heights, &near, scale(self.texels, size), progress)?;
        let sky = Heightmap::from_fn(size, |x, y| match near[y * size.width() + x] {
            true => new.get(x, y),
            false => self.sky.get(x, y),
        });
        let sky = sky.expect("parts of the sky are finite");
        Ok(Part::new(sky, self.texels.size))
    }

    /// For each cell whether an edited cell is in a square around it.
    fn near_edits(&self, heights: &Heightmap) -> Vec<bool> {
        let (width, height) = (heights.width(), heights.height());
        let pairs = heights.heights().iter().zip(self.heights.heights());
        let mut near: Vec<bool> = pairs.map(|(new, old)| new != old).collect();
        let mut line = Vec::new();
        for y in 0..height {
            widen(&mut near, y * width, 1, width, &mut line);
        }
        for x in 0..width {
            widen(&mut near, x, width, height, &mut line);
        }
        near
    }
}

/// Marks everything within [`REACH`] of a mark on a line of `count` places.
fn widen(marks: &mut [bool], start: usize, step: usize, count: usize, line: &mut Vec<bool>) {
    line.clear();
    line.extend((0..count).map(|index| marks[start + index * step]));
    let mut end = 0;
    for (index, _) in line.iter().enumerate().filter(|(_, is_marked)| **is_marked) {
        let reached = index.saturating_sub(REACH).max(end)..(index + REACH + 1).min(count);
        end = reached.end;
        for index in reached {
            marks[start + index * step] = true;
        }
    }
}

/// A map with every n-th texel, that is at most [`SIDE`] cells long.
fn reduced(map: &Heightmap, texels: Texels) -> Heightmap {
    let size = thin_size(texels.size, SIDE);
    let places = |count: usize, texels: usize, cells: usize| -> Vec<usize> {
        let texel = |index| nth(index, count, texels);
        let places = (0..count).map(|index| nth(texel(index), texels, cells));
        places.collect()
    };
    let columns = places(size.width(), texels.size.width(), map.width());
    let rows = places(size.height(), texels.size.height(), map.height());
    let few = Heightmap::from_fn(size, |x, y| map.get(columns[x], rows[y]));
    few.expect("heights of a valid map are valid")
}

/// The scale of a reduced map of this size.
fn scale(texels: Texels, size: MapSize) -> Scale {
    thin_scale(texels.scale, texels.size, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sky_changes_only_near_edits() {
        let size = MapSize::new(120, 90).unwrap();
        let texels = Texels {
            size,
            scale: Scale {
                spacing: 1.0,
                relief: 20.0,
            },
            sea_level: 0.0,
        };
        let progress = Progress::default();
        let map = Heightmap::from_fn(size, |x, y| (x * 7 + y * 13) as f32 % 5.0 / 10.0).unwrap();
        let before = Sky::of(&map, texels, &progress).unwrap();
        let mut edited = map.clone();
        edited.set(60, 40, 3.0).unwrap();
        let after = before.on(&edited, &progress).unwrap();
        let all = Sky::of(&edited, texels, &progress).unwrap();
        let mut beyond = 0;
        for y in 0..90 {
            for (x, found) in after.row(y).enumerate() {
                let is_near = x.abs_diff(60) <= REACH && y.abs_diff(40) <= REACH;
                let [new, old] = [&all, &before].map(|sky| sky.sky.get(x, y));
                let expected = if is_near { new } else { old };
                assert!((found - expected).abs() < 1e-6, "{x}, {y}");
                beyond += usize::from(!is_near && new != old);
            }
        }
        // The tower is seen from further away.
        assert!(beyond > 0);
    }
}
