//! Queries for the collision shapes of plants.

use bevy::prelude::*;
use lanternfell_plants::grow::Solid;
use lanternfell_tasks::pause;

use crate::{
    layout::VegetationLayout,
    plan::{CELL, PlotKind},
    vegetation::PlantLook,
};

/// The collision shape of a trunk, log or stone.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidPlant {
    /// The kind or model of the plant.
    pub look: PlantLook,
    /// Position and rotation of the shape in the terrain's local space, in meters, with scale 1. For a
    /// [`Solid::Cylinder`], the center.
    pub place: Transform,
    /// The shape, at its final size.
    pub shape: Solid,
}

impl VegetationLayout {
    /// Returns the trunks, logs and stones whose position is in `area`, in meters in the terrain's local space: x east,
    /// y of the rectangle south.
    ///
    /// They match the plants that are drawn and have colliders. Call it in a background task: a hectare of dense forest
    /// takes some milliseconds.
    pub async fn solids(&self, area: Rect) -> Vec<SolidPlant> {
        let land = self.land();
        let min = self.ground.on_plane(area.min).max(land.min) / CELL;
        let max = self.ground.on_plane(area.max).min(land.max) / CELL;
        let (first, end) = (min.floor().as_i64vec2(), max.ceil().as_i64vec2());
        let mut solids = Vec::new();
        for z in first.y..end.y {
            for x in first.x..end.x {
                pause().await;
                let standing = solids_of_cell(self, [x, z]);
                solids.extend(standing.filter(|it| area.contains(it.place.translation.xz())));
            }
        }
        solids
    }
}

/// The collision shapes in a scatter cell. Call it in a background task.
pub(crate) fn solids_of_cell(
    layout: &VegetationLayout,
    cell: [i64; 2],
) -> impl Iterator<Item = SolidPlant> {
    let stands = layout.stands(PlotKind::Near, cell);
    stands.filter_map(|(plant, instance)| {
        let shape = plant.species.solid(instance.variant)?;
        let look = plant.look.clone();
        Some(SolidPlant::new(look, &shape, layout.place(&instance)))
    })
}

impl SolidPlant {
    fn new(look: PlantLook, shape: &Solid, mut place: Transform) -> Self {
        // Physics engines expect shapes at their final size, so apply the scale to the shape.
        let scale = std::mem::replace(&mut place.scale, Vec3::ONE).y;
        let scaled = |place: &[f32; 3]| (Vec3::from(*place) * scale).to_array();
        let shape = match shape {
            Solid::Cylinder { radius, height } => {
                let (radius, height) = (radius * scale, height * scale);
                // Physics engines center cylinders at their middle.
                place.translation += place.up() * (height / 2.0);
                Solid::Cylinder { radius, height }
            }
            Solid::Capsule { from, to, radius } => Solid::Capsule {
                from: scaled(from),
                to: scaled(to),
                radius: radius * scale,
            },
            Solid::Hull { points } => Solid::Hull {
                points: points.iter().map(scaled).collect(),
            },
        };
        Self { look, place, shape }
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_plants::grow::PlantKind;

    use super::*;

    #[test]
    fn cylinder_bottom_is_at_the_root() {
        let root = Vec3::new(10.0, 20.0, 30.0);
        let up = Vec3::new(0.6, 0.8, 0.0);
        let place = Transform::from_translation(root)
            .with_rotation(Quat::from_rotation_arc(Vec3::Y, up))
            .with_scale(Vec3::splat(2.0));
        let shape = Solid::Cylinder {
            radius: 0.2,
            height: 5.0,
        };
        let trunk = SolidPlant::new(PlantLook::Grown(PlantKind::Pine), &shape, place);
        let foot = trunk.place.transform_point(Vec3::NEG_Y * 5.0);
        assert!(foot.distance(root) < 1e-5, "{foot}");
        let top = trunk.place.transform_point(Vec3::Y * 5.0);
        assert!(top.distance(root + 10.0 * up) < 1e-5, "{top}");
    }
}
