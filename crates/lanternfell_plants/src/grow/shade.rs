//! Ambient occlusion from leaves, baked into the vertex colors.
//!
//! The leaves are counted in a coarse grid. From each vertex, nine rays go up and outward through the grid, and the
//! leaves on their way absorb light exponentially (Beer-Lambert). Each ray takes at most 14 steps of a few additions.
//! Cost: some milliseconds per tree.

use glam::Vec3;

use super::builder::Builder;

/// Cells of the grid along its longest side.
const CELLS: f32 = 14.0;

/// Brightness of fully occluded vertices.
const FLOOR: f32 = 0.30;

/// Rays with their weights: more sky light comes from above than from the sides.
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

/// The density of leaves on a grid.
struct Fog {
    min: Vec3,
    cell: f32,
    counts: [usize; 3],
    density: Vec<f32>,
}

impl Fog {
    /// Counts the leaf positions. The mean of the non-empty cells is scaled to 1.
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

    /// The cell of a position, if it is in the grid.
    fn index(&self, place: Vec3) -> Option<usize> {
        self.index_of((place - self.min) / self.cell)
    }

    /// The cell of a position given in cells from the corner of the grid.
    fn index_of(&self, place: Vec3) -> Option<usize> {
        let [width, height, depth] = self.counts;
        // Casts truncate, which rounds down for positive numbers. NaN fails the comparison.
        let positive = place.x >= 0.0 && place.y >= 0.0 && place.z >= 0.0;
        let [x, y, z] = place.to_array().map(|side| side as usize);
        let inside = positive && x < width && y < height && z < depth;
        inside.then(|| (y * depth + z) * width + x)
    }

    /// Fraction of the sky light that reaches a position.
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

/// Darkens all vertices by the leaves around them. `thickness` is the absorption of a cell with the mean density.
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
    fn inside_is_darker_than_the_top() {
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
