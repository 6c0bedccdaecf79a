//! Where the cells of a map lie: from the world to cells and back.

use bevy::{math::Affine3A, prelude::*};
use serde::{Deserialize, Serialize};

/// How a map's rows and columns lie in the world.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LightPlane {
    /// Upright, for 2D: row 0 is at the top (+y). The default.
    #[default]
    Xy,
    /// Flat on the ground, for 3D: row 0 is in the north (-z).
    Xz,
}

/// From the world to a map's cells and back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    to_local: Affine3A,
    plane: LightPlane,
    cell_size: f32,
    /// The middle of the map, in cells.
    middle: Vec2,
    size: UVec2,
}

impl Frame {
    /// Of a map of `size` cells of `cell_size` world units each, at this transform.
    pub(crate) fn new(
        transform: &GlobalTransform,
        plane: LightPlane,
        cell_size: f32,
        size: UVec2,
    ) -> Self {
        let to_world = transform.affine();
        let usable = to_world.is_finite() && to_world.matrix3.determinant() != 0.0;
        Self {
            to_local: if usable {
                to_world.inverse()
            } else {
                Affine3A::NAN
            },
            plane,
            cell_size,
            middle: (size.as_vec2() - 1.0) * 0.5,
            size,
        }
    }

    pub(crate) fn cell_at(&self, position: Vec3) -> Vec2 {
        let local = self.to_local.transform_point3(position);
        let flat = match self.plane {
            LightPlane::Xy => Vec2::new(local.x, -local.y),
            LightPlane::Xz => Vec2::new(local.x, local.z),
        };
        flat / self.cell_size + self.middle
    }

    /// A place given in cells, in the map's own frame.
    pub(crate) fn local(&self, cell: Vec2) -> Vec3 {
        let flat = (cell - self.middle) * self.cell_size;
        match self.plane {
            LightPlane::Xy => Vec3::new(flat.x, -flat.y, 0.0),
            LightPlane::Xz => Vec3::new(flat.x, 0.0, flat.y),
        }
    }

    /// Whether a light here reaches any cell: up to one cell outside.
    pub(crate) fn reaches(&self, at: Vec2) -> bool {
        // Written so that NaN is nowhere.
        at.cmpgt(Vec2::NEG_ONE).all() && at.cmplt(self.size.as_vec2()).all()
    }

    /// The cell of a place, if the map has it.
    pub(crate) fn cell(&self, at: Vec2) -> Option<IVec2> {
        let cell = (at + 0.5).floor();
        let inside = cell.cmpge(Vec2::ZERO).all() && cell.cmplt(self.size.as_vec2()).all();
        inside.then(|| cell.as_ivec2())
    }
}
