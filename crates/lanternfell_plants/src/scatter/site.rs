//! What the ground answers, and what stands on it.

use glam::{Quat, Vec3};

/// What the ground is like at a place; the caller answers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// Metres above the sea.
    pub height: f32,
    /// The ground's unit normal; y is up.
    pub normal: Vec3,
    /// The ground's layers there, and the share of each.
    pub layers: [(u8, f32); 2],
    /// The number of its biome, where that is known.
    pub biome: Option<u8>,
    /// From 0, dry, to 1, wet.
    pub moisture: f32,
    /// From a map of the user's, from 0 to 1; 1 without.
    pub density: f32,
}

impl Default for Site {
    /// Level ground of layer 0 at the sea's height, half moist.
    fn default() -> Self {
        Self {
            height: 0.0,
            normal: Vec3::Y,
            layers: [(0, 1.0), (0, 0.0)],
            biome: None,
            moisture: 0.5,
            density: 1.0,
        }
    }
}

impl Site {
    /// How steep the ground is, in degrees: 0 level, 90 a wall.
    pub fn slope(&self) -> f32 {
        libm::acosf(self.normal.y.clamp(-1.0, 1.0)).to_degrees()
    }
}

/// One that stands: where, how turned, how large, and which.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Where it stands in the world, in metres: x to the east, z to the south.
    pub position: [f64; 2],
    /// The ground's height there, in metres above the sea.
    pub height: f32,
    /// The direction it grows in.
    pub up: Vec3,
    /// How it is turned about that, in radians from 0 to 2 pi.
    pub yaw: f32,
    /// How large it is: 1 as its mesh is.
    pub scale: f32,
    /// Which of the rule's variants.
    pub variant: u32,
    /// Random bits of its own, for colors and such.
    pub seed: u32,
}

impl Instance {
    /// Where it stands from the northwest corner of a cell, x to the east and z to the south, in metres.
    pub fn in_cell(&self, cell: [i64; 2], cell_size: f64) -> [f32; 2] {
        [0, 1].map(|axis| (self.position[axis] - cell[axis] as f64 * cell_size) as f32)
    }

    /// How its mesh is turned: first by the yaw about y, then y to [`up`](Self::up).
    pub fn rotation(&self) -> Quat {
        // The arc from y to `up`, whose axis is y x up: (z, 0, -x) of it.
        let (w, x, z) = (1.0 + self.up.y, self.up.z, -self.up.x);
        let length = (w * w + x * x + z * z).sqrt();
        // Downward: any half turn will do.
        let (w, x, z) = if length < 1e-6 {
            (0.0, 1.0, 0.0)
        } else {
            (w / length, x / length, z / length)
        };
        let (sin, cos) = libm::sincosf(self.yaw / 2.0);
        // (w; x, 0, z) times (cos; 0, sin, 0).
        Quat::from_xyzw(x * cos - z * sin, w * sin, z * cos + x * sin, w * cos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaning(up: Vec3, yaw: f32) -> Instance {
        Instance {
            position: [0.0; 2],
            height: 0.0,
            up,
            yaw,
            scale: 1.0,
            variant: 0,
            seed: 0,
        }
    }

    #[test]
    fn the_slope_is_the_normal_s_angle() {
        let slope = |normal| {
            Site {
                normal,
                ..Site::default()
            }
            .slope()
        };
        assert_eq!(slope(Vec3::Y), 0.0);
        assert!((slope(Vec3::new(1.0, 1.0, 0.0).normalize()) - 45.0).abs() < 1e-4);
        assert!((slope(Vec3::Z) - 90.0).abs() < 1e-4);
    }

    #[test]
    fn a_rotation_brings_y_up_and_turns_by_the_yaw() {
        for up in [
            Vec3::Y,
            Vec3::new(0.6, 0.8, 0.0),
            Vec3::new(-0.48, 0.6, 0.64),
            Vec3::X,
        ] {
            let rotation = leaning(up, 0.7).rotation();
            assert!(rotation.is_normalized());
            assert!((rotation * Vec3::Y).distance(up) < 1e-5, "{up}");
            // The shortest arc turns nothing about the axis itself.
            let arc = Quat::from_rotation_arc(Vec3::Y, up) * Quat::from_rotation_y(0.7);
            assert!((rotation * Vec3::X).distance(arc * Vec3::X) < 1e-5, "{up}");
        }
        assert!(leaning(Vec3::NEG_Y, 0.3).rotation().is_normalized());
    }

    #[test]
    fn a_place_is_told_from_the_cells_corner() {
        let mut instance = leaning(Vec3::Y, 0.0);
        instance.position = [-1.5, 100.25];
        assert_eq!(instance.in_cell([-1, 3], 32.0), [30.5, 4.25]);
    }
}
