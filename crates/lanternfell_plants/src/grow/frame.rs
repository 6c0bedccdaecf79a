//! The frame of a side view, and the cards that show it at far levels.
//!
//! With straight cards, a leaning stem would look like three different stems. So the cards lean with the plant, with
//! one bend at half the height, and the image shows the plant upright.
//!
//! ```text
//!      plant         image           card
//!       --o--          --o--          /--/
//!         /              |           /  /
//!        /               |          |  |
//!       |                |          |  |
//! ```

use core::f32::consts::PI;

use glam::Vec3;

use super::{
    PlantMesh, Skin,
    builder::{Builder, Vertex},
};

/// The area that a side view of a mesh shows.
///
/// It reaches from the ground to the highest point, and equally far to both sides of the plant's center line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Distance from the center line to the left and right edge, in meters.
    pub half_width: f32,
    /// Distance from the ground to the upper edge, in meters.
    pub height: f32,
    /// Offset of the center line from the root (east, south) in meters, at half the height and at the top. It is linear
    /// in between.
    pub middle: [[f32; 2]; 2],
}

impl Frame {
    /// Computes the frame of a mesh. Parts below the ground are ignored.
    pub fn of(mesh: &PlantMesh) -> Self {
        let height = mesh.bounds().1[1].max(0.0);
        let half = mean(mesh, height * 0.35..height * 0.65);
        let low = half * (0.5 * height / half.y.max(1e-6));
        let high = mean(mesh, height * 0.65..f32::INFINITY);
        // `high` is the center of the upper third. Extrapolate through it to the top.
        let on = (height - low.y) / (high.y - low.y).max(1e-6);
        let high = if high.y > low.y {
            low + (high - low) * on
        } else {
            low * 2.0
        };
        let middle = [[low.x, low.z], [high.x, high.z]];
        let frame = Self {
            half_width: 0.0,
            height,
            middle,
        };
        let reach = mesh.positions.iter().map(|position| {
            let upright = frame.upright(Vec3::from(*position));
            upright.x * upright.x + upright.z * upright.z
        });
        Self {
            half_width: reach.fold(0.0, f32::max).sqrt(),
            ..frame
        }
    }

    /// Removes the lean of the plant from a position.
    pub(crate) fn upright(&self, place: Vec3) -> Vec3 {
        place - self.aside(place.y)
    }

    /// Horizontal offset of the center line at a height.
    fn aside(&self, y: f32) -> Vec3 {
        let [low, high] = self.middle.map(|[x, z]| Vec3::new(x, 0.0, z));
        let share = 2.0 * y / self.height.max(1e-6);
        if share < 1.0 {
            low * share
        } else {
            low + (high - low) * (share - 1.0)
        }
    }
}

/// The mean of the vertices between two heights, or zero if there are none.
fn mean(mesh: &PlantMesh, heights: core::ops::Range<f32>) -> Vec3 {
    let inside = mesh
        .positions
        .iter()
        .filter(|[_, y, _]| heights.contains(y));
    let (sum, count) = inside.fold((Vec3::ZERO, 0.0), |(sum, count), place| {
        (sum + Vec3::from(*place), count + 1.0)
    });
    sum / f32::max(count, 1.0)
}

/// Creates the far level of a plant with an impostor from its near mesh: three crossed cards.
pub fn impostor_cards(near: &PlantMesh) -> PlantMesh {
    let frame = Frame::of(near);
    let mut builder = Builder::default();
    for turn in 0..3 {
        let (sin, cos) = libm::sincosf(turn as f32 * PI / 3.0);
        let side = Vec3::new(cos, 0.0, sin) * frame.half_width;
        let corner = |u: f32, v: f32| {
            let share = 1.0 - v;
            let upright = Vec3::Y * (share * frame.height) + side * (2.0 * u - 1.0);
            // Like the near crown as a whole: outward, and more upward toward the top.
            let up = frame.half_width * (0.45 + 0.5 * share);
            Vertex {
                position: upright + frame.aside(upright.y),
                normal: upright.with_y(up).normalize_or(Vec3::Y),
                // From half of all directions the last card is seen from behind. Mirror it, so that it matches the
                // others.
                uv: [if turn == 2 { 1.0 - u } else { u }, v],
                tint: Vec3::ONE,
                wind: 0.5 * share * share,
            }
        };
        let corners = [1.0, 0.5, 0.0].map(|v| [corner(0.0, v), corner(1.0, v)]);
        let triangles = [[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
        builder.add(Skin::Impostor, corners.as_flattened(), &triangles);
    }
    builder.finish()
}
