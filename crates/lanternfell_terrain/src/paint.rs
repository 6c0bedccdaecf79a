//! Painted layers: paths, yards, brush strokes.

use bevy::{math::DVec2, platform::collections::HashSet, prelude::*};
use lanternfell_surface::layers::LayerStroke;

use crate::{
    ground::Terrain,
    layers::TerrainLayers,
    region::{Regioned, TerrainRegion},
};

/// Brush strokes that paint layers onto a [`Terrain`] or an [`EndlessTerrain`](crate::EndlessTerrain), on top of their
/// rules.
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
/// /// Adds a brush stroke.
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
///
/// A change takes effect when the new cover has been computed in the background. If strokes are only added, as a brush
/// does, only these are computed. [`TerrainCover`](crate::TerrainCover) and
/// [`TerrainQuery::cover`](crate::TerrainQuery::cover) include the paint.
///
/// On an [`EndlessTerrain`](crate::EndlessTerrain), insert the component on its own entity, not on its regions. It
/// applies to every region that is generated. The component can be saved in scenes.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TerrainPaint {
    /// The strokes. Later ones cover earlier ones.
    pub strokes: Vec<PaintStroke>,
}

impl TerrainPaint {
    /// Creates paint from strokes.
    pub fn new(strokes: impl IntoIterator<Item = PaintStroke>) -> Self {
        let strokes = strokes.into_iter().collect();
        Self { strokes }
    }

    /// Converts the strokes whose layers exist. `middle` is the position of the terrain's center.
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

/// A brush stroke along a line.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct PaintStroke {
    /// The name of the layer to paint, one of the terrain's [`TerrainLayers`]. If the layer does not exist, the stroke
    /// has no effect and a warning is logged once.
    pub layer: String,
    /// The points of the line along x and z, in the terrain's local space. For an endless terrain, in meters from cell
    /// (0, 0) of its plane. A single point paints a disc.
    ///
    /// `f32` suffices for paint, because the edges of strokes are soft: it is accurate to 6 cm at 1000 km.
    pub points: Vec<Vec2>,
    /// The radius of the brush in meters.
    pub radius: f32,
    /// The width in meters of the soft edge, inside the radius.
    pub fade: f32,
    /// The share of the layer on the line, from 0 to 1.
    pub strength: f32,
}

impl Default for PaintStroke {
    fn default() -> Self {
        Self::new("", 2.0)
    }
}

impl PaintStroke {
    /// Creates a stroke without points, at full strength. `radius` is in meters, and the soft edge is half of it.
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
    Or<(With<Terrain>, With<Regioned>)>,
    Without<TerrainRegion>,
    Or<(Changed<TerrainPaint>, Changed<TerrainLayers>)>,
);

/// Logs once which painted layers do not exist.
pub(crate) fn say_what_is_missing(
    terrains: Query<(Entity, &TerrainPaint, &TerrainLayers), Asked>,
    mut said: Local<HashSet<(Entity, String)>>,
) {
    for (terrain, paint, layers) in &terrains {
        for PaintStroke { layer, .. } in &paint.strokes {
            if layers.index(layer).is_none() && said.insert((terrain, layer.clone())) {
                warn!("{terrain} is painted with {layer:?}, but has no layer of this name");
            }
        }
    }
}
