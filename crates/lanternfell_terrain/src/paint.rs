//! Layers laid by hand: paths, yards, what a pointer draws.

use bevy::{math::DVec2, platform::collections::HashSet, prelude::*};
use lanternfell_surface::layers::LayerStroke;

use crate::{
    ground::Terrain,
    layers::TerrainLayers,
    window::{TerrainWindow, Windowed},
};

/// Layers laid by hand over what their rules say, on a [`Terrain`]'s entity: one stroke over the other.
///
/// A change shows as soon as it is worked out in the background. Where strokes are only added, which is what a
/// brush does, nothing else is worked out anew. [`GroundCover`](crate::GroundCover) and
/// [`TerrainQuery::cover`](crate::TerrainQuery::cover) answer with the paint.
///
/// It is saved in scenes. That of an [`EndlessTerrain`](crate::EndlessTerrain) is for all of it, and is shown by whatever window comes: it goes
/// on the endless terrain's own entity, not on its windows.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     let path = PaintStroke {
///         points: vec![Vec2::new(-60.0, 10.0), Vec2::ZERO, Vec2::new(45.0, -30.0)],
///         ..PaintStroke::new("pebbles", 2.5)
///     };
///     commands.spawn((Terrain::default(), TerrainPaint::new([path])));
/// }
///
/// /// A brush in the player's hand.
/// fn brush(
///     click: On<Add, Terrain>, // or `On<Pointer<Drag>>`
///     terrains: TerrainQuery,
///     mut paints: Query<(&mut TerrainPaint, &GlobalTransform)>,
/// ) {
///     let Ok((mut paint, place)) = paints.get_mut(click.entity) else { return };
///     let Some(hit) = terrains.hit(Vec3::ZERO) else { return };
///     let point = place.affine().inverse().transform_point3(hit.point).xz();
///     paint.strokes.push(PaintStroke { points: vec![point], ..PaintStroke::new("mud", 1.5) });
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// # World::new().add_observer(brush);
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainPaint {
    /// Those after others lie over them.
    pub strokes: Vec<PaintStroke>,
}

impl TerrainPaint {
    /// These strokes.
    pub fn new(strokes: impl IntoIterator<Item = PaintStroke>) -> Self {
        let strokes = strokes.into_iter().collect();
        Self { strokes }
    }

    /// The strokes whose layer is there, for the library: of a land whose middle lies there.
    pub(crate) fn of_layers(&self, layers: &TerrainLayers, middle: DVec2) -> Vec<LayerStroke> {
        let local = |point: &Vec2| (point.as_dvec2() - middle).as_vec2();
        let stroke = |stroke: &PaintStroke| {
            Some(LayerStroke {
                layer: layers.index(&stroke.layer)?,
                points: stroke.points.iter().map(local).collect(),
                radius: stroke.radius,
                fade: stroke.fade,
                strength: stroke.strength,
            })
        };
        self.strokes.iter().filter_map(stroke).collect()
    }
}

/// A line of a brush.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub struct PaintStroke {
    /// The name of the layer that it lays, one of the terrain's [`TerrainLayers`]. One that is not there is said once,
    /// and lays nothing.
    pub layer: String,
    /// Where the brush goes, along x and z in the terrain's own frame; of an endless terrain in metres from cell (0, 0)
    /// of its plane. A single point is a dab.
    pub points: Vec<Vec2>,
    /// Metres from the line to where it ends.
    pub radius: f32,
    /// In the outermost so many metres of the radius it gets weaker.
    pub fade: f32,
    /// How much of the place it gets on the line, from 0 to 1.
    pub strength: f32,
}

impl Default for PaintStroke {
    fn default() -> Self {
        Self::new("", 2.0)
    }
}

impl PaintStroke {
    /// A stroke of that layer and radius in metres, half of it faded, at full strength; without points yet.
    pub fn new(layer: impl Into<String>, radius: f32) -> Self {
        Self {
            layer: layer.into(),
            points: Vec::new(),
            radius,
            fade: radius / 2.0,
            strength: 1.0,
        }
    }
}

type Asked = (
    Or<(With<Terrain>, With<Windowed>)>,
    Without<TerrainWindow>,
    Or<(Changed<TerrainPaint>, Changed<TerrainLayers>)>,
);

/// Says which layers are painted that are not there, once each.
pub(crate) fn say_what_is_missing(
    terrains: Query<(Entity, &TerrainPaint, &TerrainLayers), Asked>,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    for (terrain, paint, layers) in &terrains {
        for PaintStroke { layer, .. } in &paint.strokes {
            if layers.index(layer).is_none() && said.insert((terrain, layer.clone())) {
                warn!("{terrain} is painted with {layer:?}, which is none of its layers");
            }
        }
    }
}
