//! Sprites with a shape: brighter on the sides that face the light.
//!
//! A [`DirectionTexture`] says where light comes from. Over a sprite with normals lies a quad that multiplies what is there by how
//! much each of its pixels faces that: sprites stay Bevy's own, with their atlases, flips and anchors, and whatever else draws
//! them. Quads are entities of their own, and follow the sprites when these have been placed. Those with the same pictures on the
//! same map share a material, and those that show the same part a mesh.

mod material;
mod rounded;

use bevy::{
    asset::{AssetEventSystems, embedded_asset},
    camera::visibility::{RenderLayers, VisibilitySystems},
    ecs::{entity::EntityHashMap, query::QueryData},
    math::Affine3A,
    prelude::*,
    sprite::Anchor,
    sprite_render::Material2dPlugin,
};

use crate::{
    detail::{DetailWork, DirectionTexture, LightDetail},
    display::LightDisplay,
    frame::LightPlane,
    map::LightMap,
};
use material::{MapSide, NormalMaterial, Shared};

pub use rounded::{RoundedError, rounded_normals};

/// Gives a [`Sprite`] a shape: it is brighter on the sides that face the light, and darker on those that do not. On the sprite's
/// entity, whose middle lies in a map with a [`LightDetail`] that has [directions](LightDetail::directions). Sprites that are
/// scaled to fit, cut into slices or repeated have none.
///
/// A sprite is up to twice as bright, and no brighter than white where a camera is not HDR: pale pictures show shape by their
/// shadows. Of sprites that overlap each other, each needs a z of its own.
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
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct NormalMap {
    /// The normals, laid out as the sprite's image is, as large or not: red to the right, green up, blue to the eye, 0.5 for
    /// none; all three are needed. It does not matter whether it was loaded as colors (sRGB) or as numbers. [`rounded_normals`] makes one from
    /// the sprite's outline.
    pub image: Handle<Image>,
    /// How deep it looks: 0 for flat, 1 for all of it. 0.8 by default. Brought into 0 to 1.
    pub depth: f32,
}

impl Default for NormalMap {
    fn default() -> Self {
        Self {
            image: Handle::default(),
            depth: 0.8,
        }
    }
}

impl NormalMap {
    /// Of this image.
    pub fn new(image: Handle<Image>) -> Self {
        Self {
            image,
            ..Self::default()
        }
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
        .init_resource::<Shades>()
        .add_plugins(Material2dPlugin::<NormalMaterial>::default())
        .add_systems(
            PostUpdate,
            // Quads copy transforms and visibility of their sprites, so these must be final; whether the
            // quads themselves are seen, and their new assets, must not be decided yet.
            (renew_materials, lay)
                .chain()
                .after(TransformSystems::Propagate)
                .after(VisibilitySystems::VisibilityPropagate)
                .before(VisibilitySystems::CheckVisibility)
                .before(AssetEventSystems),
        );
}

/// The quads, by the sprites that they lie over.
#[derive(Resource, Default)]
struct Shades(EntityHashMap<Entity>);

/// A quad over a sprite.
#[derive(Component)]
struct Shade;

/// What is shaded.
#[derive(QueryData)]
struct Shaded {
    entity: Entity,
    sprite: &'static Sprite,
    anchor: &'static Anchor,
    normals: &'static NormalMap,
    at: &'static GlobalTransform,
    visible: &'static InheritedVisibility,
    layers: Option<&'static RenderLayers>,
}

type Drawn = (
    &'static mut Mesh2d,
    &'static mut MeshMaterial2d<NormalMaterial>,
    &'static mut GlobalTransform,
    &'static mut InheritedVisibility,
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

/// Pictures that have been loaded anew are seen.
fn renew_materials(
    mut events: MessageReader<AssetEvent<Image>>,
    mut materials: ResMut<Assets<NormalMaterial>>,
    shared: Res<Shared>,
) {
    for event in events.read() {
        if let AssetEvent::Modified { id } = event {
            shared.renew(&mut materials, *id);
        }
    }
}

/// Keeps a quad over every sprite with normals that stands in a map.
fn lay(
    mut commands: Commands,
    (images, atlases): (Res<Assets<Image>>, Res<Assets<TextureAtlasLayout>>),
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<NormalMaterial>>),
    (mut shared, mut shades): (ResMut<Shared>, ResMut<Shades>),
    (maps, lit, details): (
        Query<Directed, Without<Shade>>,
        Query<(), With<LightMap>>,
        Query<&LightDetail>,
    ),
    sprites: Query<Shaded, Without<Shade>>,
    mut drawn: Query<Drawn, With<Shade>>,
) {
    // Sprites and quads are despawned by others without notice: either may be gone.
    shades.0.retain(|sprite, quad| {
        let stays = sprites.contains(*sprite) && drawn.contains(*quad);
        if !stays {
            commands.entity(*quad).try_despawn();
        }
        stays
    });
    // Meshes and materials that the last run left without a quad.
    shared.forget_unused();
    if sprites.is_empty() {
        return;
    }
    if !lit.is_empty() && !details.iter().any(|detail| detail.directions) {
        warn_once!(
            "sprites have normal maps, but no map says where light comes from: see `LightDetail::directions`"
        );
    }
    let sides: Vec<MapSide> = maps
        .iter()
        .filter(|(map, display, ..)| display.shown && map.plane() == LightPlane::Xy)
        // Before that, the texture has no content.
        .filter(|(.., work)| work.shown().is_some())
        .map(|(map, _, at, texture, _)| MapSide::new(map, at, texture))
        .collect();
    for shaded in &sprites {
        let part = Part::of(&shaded, &images, &atlases);
        let found = part.and_then(|part| {
            let middle = shaded.at.transform_point(part.center.extend(0.0));
            let side = sides.iter().find(|side| side.contains(middle))?;
            Some((side, part))
        });
        let Some((side, part)) = found else {
            if let Some(quad) = shades.0.remove(&shaded.entity) {
                commands.entity(quad).try_despawn();
            }
            continue;
        };
        let material = NormalMaterial::new(side, (shaded.sprite, shaded.normals), &images);
        let material = MeshMaterial2d(shared.material(&mut materials, material));
        let mesh = Mesh2d(shared.mesh(&mut meshes, part.uv));
        let place = part.place(shaded.at);
        let layers = shaded.layers.cloned().unwrap_or_default();
        let quad = shades.0.get(&shaded.entity);
        let Some(mut own) = quad.and_then(|&quad| drawn.get_mut(quad).ok()) else {
            // Its own `Transform` has no effect: this system runs after propagation in every frame.
            let quad = (Shade, mesh, material, place, *shaded.visible, layers);
            shades.0.insert(shaded.entity, commands.spawn(quad).id());
            continue;
        };
        // Bevy sorts it again only when it has another mesh or material.
        if own.2.translation().z != place.translation().z {
            own.0.set_changed();
        }
        own.0.set_if_neq(mesh);
        own.1.set_if_neq(material);
        own.2.set_if_neq(place);
        own.3.set_if_neq(*shaded.visible);
        own.4.set_if_neq(layers);
    }
}

/// How far it lies over its sprite, or where numbers are too large for that as little as can be.
const LIFT: f32 = 1e-5;

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
            warn_once!(
                "a sprite that is scaled to fit, cut or repeated is not shaded by its normal map"
            );
            return None;
        }
        let whole = images.get(&sprite.image)?.size_f32();
        images.get(&shaded.normals.image)?;
        let atlas = match &sprite.texture_atlas {
            Some(atlas) => Some(atlas.texture_rect(atlases)?.as_rect()),
            None => None,
        };
        // As Bevy does: a sprite's rectangle counts from the corner of its part of the atlas.
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

    /// Where the mesh's square lies, just over a sprite that is there.
    fn place(&self, sprite: &GlobalTransform) -> GlobalTransform {
        let local = Vec3::from((self.center, 0.0));
        let scale = self.size.extend(1.0);
        let local = Affine3A::from_scale_rotation_translation(scale, Quat::IDENTITY, local);
        let mut place = sprite.affine() * local;
        let z = sprite.translation().z;
        // Far from 0 a float's next value is further away than the lift.
        place.translation.z = (z + LIFT).max(z.next_up());
        GlobalTransform::from(place)
    }
}
