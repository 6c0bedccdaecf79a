//! The input and output of scattering: terrain sites and instances.

use glam::{Quat, Vec3};

/// The terrain at a position, which the caller provides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// Height above the sea, in meters.
    pub height: f32,
    /// Unit normal of the terrain; y is up.
    pub normal: Vec3,
    /// The terrain layers at the position, with their weights.
    pub layers: [(u8, f32); 2],
    /// The biome number, if known.
    pub biome: Option<u8>,
    /// Moisture, from 0 (dry) to 1 (wet).
    pub moisture: f32,
    /// Density from a user's map, from 0 to 1. 1 without a map.
    pub density: f32,
}

impl Default for Site {
    /// Level terrain of layer 0 at sea level, with a moisture of 0.5.
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
    /// The slope of the terrain in degrees: 0 is level, 90 is vertical.
    pub fn slope(&self) -> f32 {
        libm::acosf(self.normal.y.clamp(-1.0, 1.0)).to_degrees()
    }
}

/// A placed plant or stone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Position in the world in meters: x east, z south.
    pub position: [f64; 2],
    /// Height of the terrain above the sea, in meters.
    pub height: f32,
    /// The direction in which it grows, a unit vector.
    pub up: Vec3,
    /// Rotation about [`up`](Self::up) in radians, from 0 to 2 pi.
    pub yaw: f32,
    /// Scale of the mesh.
    pub scale: f32,
    /// Index of the rule's variant.
    pub variant: u32,
    /// Random bits of this instance, for example for color variation.
    pub seed: u32,
}

impl Instance {
    /// Position relative to the northwest corner of a cell in meters: x east, z south.
    pub fn in_cell(&self, cell: [i64; 2], cell_size: f64) -> [f32; 2] {
        [0, 1].map(|axis| (self.position[axis] - cell[axis] as f64 * cell_size) as f32)
    }

    /// Rotation of the mesh: first by the yaw about y, then y to [`up`](Self::up).
    pub fn rotation(&self) -> Quat {
        // The shortest arc from y to `up`. Its axis is y x up = (up.z, 0, -up.x).
        let (w, x, z) = (1.0 + self.up.y, self.up.z, -self.up.x);
        let length = (w * w + x * x + z * z).sqrt();
        // If `up` points down, any half turn is correct.
        let (w, x, z) = if length < 1e-6 {
            (0.0, 1.0, 0.0)
        } else {
            (w / length, x / length, z / length)
        };
        let (sin, cos) = libm::sincosf(self.yaw / 2.0);
        // The product of (w; x, 0, z) and (cos; 0, sin, 0).
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
    fn slope_is_the_angle_of_the_normal() {
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
    fn rotation_applies_yaw_then_up() {
        for up in [
            Vec3::Y,
            Vec3::new(0.6, 0.8, 0.0),
            Vec3::new(-0.48, 0.6, 0.64),
            Vec3::X,
        ] {
            let rotation = leaning(up, 0.7).rotation();
            assert!(rotation.is_normalized());
            assert!((rotation * Vec3::Y).distance(up) < 1e-5, "{up}");
            // The shortest arc adds no rotation about the axis.
            let arc = Quat::from_rotation_arc(Vec3::Y, up) * Quat::from_rotation_y(0.7);
            assert!((rotation * Vec3::X).distance(arc * Vec3::X) < 1e-5, "{up}");
        }
        assert!(leaning(Vec3::NEG_Y, 0.3).rotation().is_normalized());
    }

    #[test]
    fn in_cell_is_relative_to_the_corner() {
        let mut instance = leaning(Vec3::Y, 0.0);
        instance.position = [-1.5, 100.25];
        assert_eq!(instance.in_cell([-1, 3], 32.0), [30.5, 4.25]);
    }
}
