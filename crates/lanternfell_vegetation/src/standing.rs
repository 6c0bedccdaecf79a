//! Where trunks and stones stand, for whoever asks about a stretch of land.

use bevy::prelude::*;
use lanternfell_plants::grow::Solid;
use lanternfell_tasks::pause;

use crate::{
    plan::{CELL, PlotKind},
    sowing::Sowing,
    vegetation::PlantLook,
};

/// A trunk, log or stone as bodies meet it.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidPlant {
    /// What it is: a kind of this crate or a model of the game.
    pub look: PlantLook,
    /// Where the shape stands in the terrain's own frame, in metres: of a [`Solid::Cylinder`] its middle. It has no scale.
    pub place: Transform,
    /// The shape, in its own size.
    pub shape: Solid,
}

impl Sowing {
    /// The trunks, logs and stones that stand within a rectangle of the land, in metres of the terrain's own frame: x to
    /// the east, y of the rectangle to the south. They are those that are drawn and that bodies meet.
    ///
    /// In a background task: some milliseconds for a hectare of dense forest.
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

/// What stands in a cell. In a background task.
pub(crate) fn solids_of_cell(sowing: &Sowing, cell: [i64; 2]) -> impl Iterator<Item = SolidPlant> {
    let stands = sowing.stands(PlotKind::Near, cell);
    stands.filter_map(|(plant, instance)| {
        let shape = plant.species.solid(instance.variant)?;
        let look = plant.look.clone();
        Some(SolidPlant::new(look, &shape, sowing.place(&instance)))
    })
}

impl SolidPlant {
    fn new(look: PlantLook, shape: &Solid, mut place: Transform) -> Self {
        // Engines are given shapes of their size.
        let scale = std::mem::replace(&mut place.scale, Vec3::ONE).y;
        let scaled = |place: &[f32; 3]| (Vec3::from(*place) * scale).to_array();
        let shape = match shape {
            Solid::Cylinder { radius, height } => {
                let (radius, height) = (radius * scale, height * scale);
                // Engines have theirs around the middle.
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
    fn a_trunk_stands_on_its_root() {
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
