//! Sprites with a shape: brighter on the sides that face the light.
//!
//! A [`DirectionTexture`] says where light comes from. Over a sprite with normals lies a quad, a child of it, that multiplies
//! what is there by how much each of its pixels faces that: sprites stay Bevy's own, with their atlases, flips and anchors, and
//! whatever else draws them. Those with the same pictures on the same map share a material, and those that show the same part a
//! mesh.

mod material;
mod rounded;

use bevy::{
    asset::embedded_asset, camera::visibility::RenderLayers, ecs::query::QueryData, prelude::*,
    sprite::Anchor, sprite_render::Material2dPlugin,
};

use crate::{
    detail::{DetailWork, DirectionTexture, LightDetail},
    display::LightDisplay,
    frame::LightPlane,
    map::LightMap,
    systems::PresentSystems,
};
use material::{MapSide, NormalMaterial, Shared};

pub use rounded::{RoundedError, rounded_normals};

/// Gives a [`Sprite`] a shape: it is brighter on the sides that face the light, and darker on those that do not, on a map whose
/// [`LightDetail`] has [directions](LightDetail::directions). Beside the sprite; sprites that are cut into slices or repeated
/// have none.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_torchlight::prelude::*;
///
/// fn barrel(mut commands: Commands, assets: Res<AssetServer>) {
///     let normals = NormalMap::new(assets.load("barrel_normals.png"));
///     commands.spawn((Sprite::from_image(assets.load("barrel.png")), normals));
/// }
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct NormalMap {
    /// The normals, laid out as the sprite's image is, as large or not: red to the right, green up, blue to the eye, 0.5 for
    /// none. It does not matter whether it was loaded as colors (sRGB) or as numbers. [`rounded_normals`] makes one of
    /// the sprite's outline.
    pub image: Handle<Image>,
    /// How deep it looks: 0 for flat, 1 for all of it. 0.8 by [`new`](Self::new). Brought into 0 to 1.
    pub depth: f32,
}

impl NormalMap {
    /// Of this image, as deep as looks well.
    pub fn new(image: Handle<Image>) -> Self {
        Self { image, depth: 0.8 }
    }

    /// As deep as this.
    #[must_use]
    pub const fn with_depth(mut self, depth: f32) -> Self {
        self.depth = depth;
        self
    }

    fn sane_depth(&self) -> f32 {
        if self.depth.is_nan() {
            return 0.0;
        }
        self.depth.clamp(0.0, 1.0)
    }
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "shaders/normals.wgsl");
    app.init_resource::<Shared>()
        .add_plugins(Material2dPlugin::<NormalMaterial>::default())
        .add_systems(PostUpdate, lay.in_set(PresentSystems::Lay))
        .add_observer(take_up::<NormalMap>)
        .add_observer(take_up::<Sprite>);
}

/// On a sprite: its child that shades it.
#[derive(Component)]
#[component(clone_behavior = Ignore)]
struct Shade(Entity);

/// How far it lies over its sprite.
const LIFT: f32 = 0.0005;

/// What is shaded.
#[derive(QueryData)]
struct Shaded {
    entity: Entity,
    sprite: &'static Sprite,
    anchor: &'static Anchor,
    normals: &'static NormalMap,
    at: &'static GlobalTransform,
    layers: Option<&'static RenderLayers>,
    shade: Option<&'static Shade>,
}

type Drawn = (
    &'static mut Mesh2d,
    &'static mut MeshMaterial2d<NormalMaterial>,
    &'static mut Transform,
    &'static mut RenderLayers,
);

/// A map that says where its light comes from.
type Directed = (
    &'static LightMap,
    &'static LightDisplay,
    &'static GlobalTransform,
    &'static DirectionTexture,
    &'static DetailWork,
);

/// Keeps a quad over every sprite with normals that stands in a map.
fn lay(
    mut commands: Commands,
    (images, atlases): (Res<Assets<Image>>, Res<Assets<TextureAtlasLayout>>),
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<NormalMaterial>>),
    mut shared: ResMut<Shared>,
    (maps, details): (Query<Directed>, Query<&LightDetail>),
    sprites: Query<Shaded>,
    mut drawn: Query<Drawn, (Without<Sprite>, Without<LightMap>)>,
) {
    if sprites.is_empty() {
        return;
    }
    if !details.is_empty() && !details.iter().any(|detail| detail.directions) {
        warn_once!(
            "sprites have normal maps, but no map says where light comes from: see `LightDetail::directions`"
        );
    }
    let sides: Vec<MapSide> = maps
        .iter()
        .filter(|(map, display, ..)| display.shown && map.plane() == LightPlane::Xy)
        .filter(|(.., work)| work.shown().is_some())
        .map(|(map, _, at, texture, _)| MapSide::new(map, at, texture))
        .collect();
    for shaded in &sprites {
        let side = sides.iter().find(|side| side.contains(shaded.at));
        let part = Part::of(&shaded, &images, &atlases);
        let quad = shaded.shade.map(|shade| shade.0);
        let quad = quad.filter(|&quad| drawn.contains(quad));
        let Some((side, part)) = side.zip(part) else {
            if let Some(quad) = quad {
                commands.entity(quad).try_despawn();
            }
            continue;
        };
        let material = NormalMaterial::new(side, (shaded.sprite, shaded.normals), &images);
        let material = MeshMaterial2d(shared.material(&mut materials, material));
        let mesh = Mesh2d(shared.mesh(&mut meshes, part.uv));
        let place =
            Transform::from_translation(part.center.extend(LIFT)).with_scale(part.size.extend(1.0));
        let layers = shaded.layers.cloned().unwrap_or_default();
        match quad.and_then(|quad| drawn.get_mut(quad).ok()) {
            Some((mut own_mesh, mut own_material, mut transform, mut own_layers)) => {
                own_mesh.set_if_neq(mesh);
                own_material.set_if_neq(material);
                transform.set_if_neq(place);
                own_layers.set_if_neq(layers);
            }
            None => spawn(
                &mut commands,
                shaded.entity,
                (mesh, material, place, layers),
            ),
        }
    }
}

fn spawn(commands: &mut Commands, sprite: Entity, quad: impl Bundle) {
    commands.queue(move |world: &mut World| {
        if let Ok(mut entity) = world.get_entity_mut(sprite)
            && entity.contains::<NormalMap>()
        {
            let quad = entity.world_scope(|world| world.spawn((quad, ChildOf(sprite))).id());
            entity.insert(Shade(quad));
        }
    });
}

/// Which part of its image a sprite shows, and where.
struct Part {
    /// Its left, top, right and bottom, from 0 to 1.
    uv: [f32; 4],
    center: Vec2,
    size: Vec2,
}

impl Part {
    /// None before its image has been loaded.
    fn of(
        shaded: &ShadedItem,
        images: &Assets<Image>,
        atlases: &Assets<TextureAtlasLayout>,
    ) -> Option<Self> {
        let sprite = shaded.sprite;
        if sprite.image_mode != SpriteImageMode::Auto {
            warn_once!("a sprite that is cut or repeated is not shaded by its normal map");
            return None;
        }
        let whole = images.get(&sprite.image)?.size_f32();
        images.get(&shaded.normals.image)?;
        let atlas = match &sprite.texture_atlas {
            Some(atlas) => Some(atlas.texture_rect(atlases)?.as_rect()),
            None => None,
        };
        let corner = atlas.map_or(Vec2::ZERO, |atlas| atlas.min);
        let rect = match sprite.rect {
            Some(rect) => Rect::from_corners(rect.min + corner, rect.max + corner),
            None => atlas.unwrap_or(Rect::from_corners(Vec2::ZERO, whole)),
        };
        let (mut min, mut max) = (rect.min / whole, rect.max / whole);
        if sprite.flip_x {
            std::mem::swap(&mut min.x, &mut max.x);
        }
        if sprite.flip_y {
            std::mem::swap(&mut min.y, &mut max.y);
        }
        let size = sprite.custom_size.unwrap_or(rect.size());
        Some(Self {
            uv: [min.x, min.y, max.x, max.y],
            center: -shaded.anchor.as_vec() * size,
            size,
        })
    }
}

/// There is nothing to shade any more.
fn take_up<C: Component>(remove: On<Remove, C>, shades: Query<&Shade>, mut commands: Commands) {
    if let Ok(shade) = shades.get(remove.entity) {
        commands.entity(shade.0).try_despawn();
        commands.entity(remove.entity).try_remove::<Shade>();
    }
}
