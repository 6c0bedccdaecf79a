//! Normal mapping for sprites, with the light of a map.
//!
//! A [`DirectionTexture`] contains the direction of the light. A quad over each sprite with a [`NormalMap`] multiplies
//! its pixels by how much they face that direction. The sprites remain Bevy's own, with their atlases, flips and
//! anchors. The quads are separate entities, which follow the sprites after transform propagation. Sprites with the
//! same images on the same map share a material, and sprites that show the same part of an image share a mesh.

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
    detail::{DetailWork, DirectionTexture, SoftShadows},
    display::LightDisplay,
    frame::LightPlane,
    map::TorchlightMap,
};
use material::{MapSide, NormalMaterial, Shared};

pub use rounded::{RoundedError, rounded_normals};

/// Gives a [`Sprite`] relief: sides that face the light are brighter, and other sides are darker.
///
/// The center of the sprite must be in a map with [`SoftShadows::directions`]. Sprites that are scaled to fit, sliced
/// or tiled are not supported.
///
/// A pixel gets at most twice as bright, and not brighter than white unless the camera is HDR. Bright sprites therefore
/// show their relief mostly by darker sides. Sprites that overlap need different z values.
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
    /// The normal map. It has the layout of the sprite's image, but may have another size.
    ///
    /// Red points right, green up and blue toward the viewer. 0.5 is zero. All three channels are required. You can
    /// load it as sRGB or as linear. [`rounded_normals`] computes one from the outline of a sprite.
    pub image: Handle<Image>,
    /// The strength of the effect, from 0 (flat) to 1 (full). Values are clamped. Default: 0.8.
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
    /// Uses this image, with the default depth.
    pub fn new(image: Handle<Image>) -> Self {
        Self {
            image,
            ..Self::default()
        }
    }

    /// Sets the strength of the effect, from 0 to 1.
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
            // Quads copy the transforms and visibility of their sprites, so both must be final. The visibility of the
            // quads themselves, and their new assets, are processed later.
            (renew_materials, update_quads)
                .chain()
                .after(TransformSystems::Propagate)
                .after(VisibilitySystems::VisibilityPropagate)
                .before(VisibilitySystems::CheckVisibility)
                .before(AssetEventSystems),
        );
}

/// The quads, by sprite.
#[derive(Resource, Default)]
struct Shades(EntityHashMap<Entity>);

/// A quad over a sprite.
#[derive(Component)]
struct Shade;

/// A sprite with a normal map.
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

/// A map with light directions.
type Directed = (
    &'static TorchlightMap,
    &'static LightDisplay,
    &'static GlobalTransform,
    &'static DirectionTexture,
    &'static DetailWork,
);

/// Updates the materials of images that were reloaded.
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

/// Creates, updates and despawns the quads over sprites with normal maps.
fn update_quads(
    mut commands: Commands,
    (images, atlases): (Res<Assets<Image>>, Res<Assets<TextureAtlasLayout>>),
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<NormalMaterial>>),
    (mut shared, mut shades): (ResMut<Shared>, ResMut<Shades>),
    (maps, lit, details): (
        Query<Directed, Without<Shade>>,
        Query<(), With<TorchlightMap>>,
        Query<&SoftShadows>,
    ),
    sprites: Query<Shaded, Without<Shade>>,
    mut drawn: Query<Drawn, With<Shade>>,
) {
    // Other systems may have despawned either the sprite or the quad.
    shades.0.retain(|sprite, quad| {
        let stays = sprites.contains(*sprite) && drawn.contains(*quad);
        if !stays {
            commands.entity(*quad).try_despawn();
        }
        stays
    });
    // Meshes and materials that have no quad since the last run.
    shared.forget_unused();
    if sprites.is_empty() {
        return;
    }
    if !lit.is_empty() && !details.iter().any(|detail| detail.directions) {
        warn_once!(
            "sprites have a `NormalMap`, but no map has `SoftShadows` with `directions: true`"
        );
    }
    let sides: Vec<MapSide> = maps
        .iter()
        .filter(|(map, display, ..)| display.shown && map.plane == LightPlane::Xy)
        // Before that, the texture is empty.
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
            // The quad's `Transform` has no effect: this system runs after transform propagation in every frame.
            let quad = (Shade, mesh, material, place, *shaded.visible, layers);
            shades.0.insert(shaded.entity, commands.spawn(quad).id());
            continue;
        };
        // Bevy sorts an entity again only when its mesh or material changes.
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

/// The height of the quad above its sprite. Far from 0, the next larger float is used instead.
const LIFT: f32 = 1e-5;

/// The part of its image that a sprite shows, and its rectangle.
struct Part {
    /// Left, top, right and bottom, from 0 to 1.
    uv: [f32; 4],
    center: Vec2,
    size: Vec2,
}

impl Part {
    /// Returns `None` until the images are loaded.
    fn of(
        shaded: &ShadedItem,
        images: &Assets<Image>,
        atlases: &Assets<TextureAtlasLayout>,
    ) -> Option<Self> {
        let sprite = shaded.sprite;
        if sprite.image_mode != SpriteImageMode::Auto {
            warn_once!(
                "the normal map of a sprite is ignored: `NormalMap` requires `SpriteImageMode::Auto`"
            );
            return None;
        }
        let whole = images.get(&sprite.image)?.size_f32();
        images.get(&shaded.normals.image)?;
        let atlas = match &sprite.texture_atlas {
            Some(atlas) => Some(atlas.texture_rect(atlases)?.as_rect()),
            None => None,
        };
        // As in Bevy, the rectangle of a sprite is relative to the corner of its part of the atlas.
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

    /// The transform that puts the unit square just above the sprite.
    fn place(&self, sprite: &GlobalTransform) -> GlobalTransform {
        let local = Vec3::from((self.center, 0.0));
        let scale = self.size.extend(1.0);
        let local = Affine3A::from_scale_rotation_translation(scale, Quat::IDENTITY, local);
        let mut place = sprite.affine() * local;
        let z = sprite.translation().z;
        // Far from 0, the next float is further away than `LIFT`.
        place.translation.z = (z + LIFT).max(z.next_up());
        GlobalTransform::from(place)
    }
}
