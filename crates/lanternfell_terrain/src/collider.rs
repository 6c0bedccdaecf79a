//! A heightfield for the physics engine that equals the drawn surface.
//!
//! Rapier's heightfield lies centered on its entity and cuts each square from its corner at
//! low x and high z to that at high x and low z, which is how
//! [`Surface`] cuts it too. It wants its heights column by column.
//!
//! A body that slides from one triangle to the next must not trip over the edge between them, as
//! it does where contacts point away from the edge and not from the surface: on flat ground it
//! would hop. So contacts at inner edges are held to the normals of the triangles around
//! (`FIX_INTERNAL_EDGES`).
//!
//! Squares that are holes are taken out: at their edges contacts may point anywhere.

use bevy::prelude::*;
use bevy_rapier3d::{
    parry::{
        shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape},
        utils::Array2,
    },
    prelude::Collider,
};
use lanternfell_heightmap::surface::{HoleMask, Surface};

/// The collider of this surface.
pub(crate) fn heightfield(surface: &Surface<'_>) -> Collider {
    let map = surface.map();
    let (columns, rows) = (map.width(), map.height());
    let mut heights = Vec::with_capacity(columns * rows);
    for column in 0..columns {
        heights.extend((0..rows).map(|row| map.get(column, row)));
    }
    let extent = 2.0 * surface.half_extent();
    let scale = Vec3::new(extent.x, surface.scale().relief, extent.y);
    let heights = Array2::new(rows, columns, heights);
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    let mut field = HeightField::with_flags(heights, scale, flags);
    for (column, row) in surface.holes().into_iter().flat_map(HoleMask::iter) {
        field.set_cell_status(row, column, HeightFieldCellStatus::CELL_REMOVED);
    }
    SharedShape::new(field).into()
}
