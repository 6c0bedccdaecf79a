//! Light that does not reach the inside, baked into the vertices.
//!
//! The leaves are counted into a coarse grid. From each vertex a few rays go up and outward through it; what they
//! meet takes light away, exponentially, as fog does (Beer and Lambert). A dozen steps of a few additions each for
//! nine rays: some milliseconds for a tree.

use glam::Vec3;

use super::builder::Builder;

/// Squares of the grid along its longest side.
const CELLS: f32 = 14.0;

/// The darkest that leaves get.
const FLOOR: f32 = 0.30;

/// Rays and their weights: the sky's light comes from above more than from the sides.
const RAYS: [(Vec3, f32); 9] = [
    (Vec3::new(0.0, 1.0, 0.0), 2.0),
    (Vec3::new(0.6, 0.8, 0.0), 1.5),
    (Vec3::new(-0.6, 0.8, 0.0), 1.5),
    (Vec3::new(0.0, 0.8, 0.6), 1.5),
    (Vec3::new(0.0, 0.8, -0.6), 1.5),
    (Vec3::new(0.672, 0.28, 0.686), 1.0),
    (Vec3::new(-0.672, 0.28, 0.686), 1.0),
    (Vec3::new(0.672, 0.28, -0.686), 1.0),
    (Vec3::new(-0.672, 0.28, -0.686), 1.0),
];

/// What light is lost by in a part of space.
struct Fog {
    min: Vec3,
    cell: f32,
    counts: [usize; 3],
    density: Vec<f32>,
}

impl Fog {
    /// The leaves' corners as fog, of a mean density of 1 where there are any.
    fn new(leaves: &[Vec3]) -> Option<Self> {
        let first = *leaves.first()?;
        let (min, max) = leaves.iter().fold((first, first), |(min, max), &leaf| {
            (min.min(leaf), max.max(leaf))
        });
        let cell = (max - min).max_element().max(1e-3) / CELLS;
        let counts = ((max - min) / cell)
            .to_array()
            .map(|side| side as usize + 1);
        let mut fog = Self {
            min,
            cell,
            counts,
            density: vec![0.0; counts.iter().product()],
        };
        for &leaf in leaves {
            if let Some(index) = fog.index(leaf) {
                fog.density[index] += 1.0;
            }
        }
        let filled = fog.density.iter().filter(|density| **density > 0.0).count() as f32;
        let mean = leaves.len() as f32 / filled;
        for density in &mut fog.density {
            *density = (*density / mean).min(2.0);
        }
        Some(fog)
    }

    /// The cell of a place, if it is in the grid.
    fn index(&self, place: Vec3) -> Option<usize> {
        self.index_of((place - self.min) / self.cell)
    }

    /// The cell of a place in cells from the grid's corner.
    fn index_of(&self, place: Vec3) -> Option<usize> {
        let [width, height, depth] = self.counts;
        // Casts cut off, which is rounding down where nothing is negative; NaN is not at least 0.
        let positive = place.x >= 0.0 && place.y >= 0.0 && place.z >= 0.0;
        let [x, y, z] = place.to_array().map(|side| side as usize);
        let inside = positive && x < width && y < height && z < depth;
        inside.then(|| (y * depth + z) * width + x)
    }

    /// How much of the sky's light comes through to a place.
    fn light(&self, place: Vec3, thickness: f32) -> f32 {
        let place = (place - self.min) / self.cell;
        let mut light = 0.0;
        let mut weights = 0.0;
        for (ray, weight) in RAYS {
            let mut met = 0.0;
            for step in 1..=CELLS as u32 {
                match self.index_of(place + ray * step as f32) {
                    Some(index) => met += self.density[index],
                    None => break,
                }
            }
            light += weight * libm::expf(-met * thickness);
            weights += weight;
        }
        light / weights
    }
}

/// Darkens what leaves keep light from; `thickness`: how much of it a grid cell full of them takes.
pub(super) fn bake(builder: &mut Builder, leaves: &[Vec3], thickness: f32) {
    let Some(fog) = Fog::new(leaves) else {
        return;
    };
    for vertex in &mut builder.vertices {
        let light = fog.light(vertex.position, thickness);
        vertex.tint *= FLOOR + (1.0 - FLOOR) * light;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Key;

    #[test]
    fn the_inside_is_darker_and_the_top_lightest() {
        let mut draws = Key::new(1, 1).stream();
        let leaves: Vec<Vec3> = (0..3000)
            .map(|_| draws.direction() * libm::cbrtf(draws.unit_f32()) * 3.0)
            .collect();
        let fog = Fog::new(&leaves).unwrap();
        let light = |y: f32| fog.light(Vec3::Y * y, 0.2);
        assert!(light(3.2) > light(1.5) && light(1.5) > light(0.0) && light(0.0) > light(-2.5));
        assert!(
            light(3.2) > 0.9 && light(-2.5) < 0.5,
            "{} {}",
            light(3.2),
            light(-2.5)
        );
        assert!(Fog::new(&[]).is_none());
    }
}
