//! Images of heights.

use bevy::prelude::*;
use lanternfell_edits::{Modifier, ModifierError, StampBlend, StampImage, StampModifier};
use lanternfell_heightmap::Recipe;

use super::{Shape, placed, valid};

/// An image of heights on a terrain, for example a crater or a plateau. Spawn it as a child of a
/// [`Terrain`](crate::Terrain) or an [`EndlessTerrain`](crate::EndlessTerrain).
///
/// The image is stretched over a rectangle around the entity. Its [`Transform`] moves, rotates (about y) and scales it,
/// and the terrain follows in the background. When it is moved or despawned, the terrain is restored exactly.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainStamp, edits::StampImage, prelude::*};
///
/// /// A crater with a rim.
/// fn impact(mut commands: Commands, terrain: Single<Entity, With<Terrain>>) -> Result {
///     let height = |x: u32, z: u32| {
///         let away = Vec2::new(x as f32, z as f32).distance(Vec2::splat(31.5)) / 31.5;
///         // In millimeters.
///         let depth = if away < 0.6 { 6000.0 * (away * away / 0.36 - 1.0) + 2000.0 } else { 5000.0 * (1.0 - away) };
///         depth.max(-4000.0) as i32
///     };
///     let heights: Vec<i32> = (0..64 * 64).map(|pixel| height(pixel % 64, pixel / 64)).collect();
///     let image = StampImage::new(64, heights)?;
///     commands.spawn((
///         TerrainStamp { size: Vec2::splat(30.0), ..TerrainStamp::new(image) },
///         Transform::from_xyz(12.0, 0.0, 40.0),
///         ChildOf(*terrain),
///     ));
///     Ok(())
/// }
/// # App::new().add_systems(Startup, impact);
/// ```
///
/// See [`TerrainPath`](super::TerrainPath) for the order of platforms, paths and stamps, and for their limits.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform, Visibility)]
pub struct TerrainStamp {
    /// The heights.
    pub source: StampSource,
    /// The lengths of the rows and columns of the image in meters, each from 0.001 to 10,000. Default: 20 m.
    pub size: Vec2,
    /// A factor for the heights, from -1000 to 1000, which is multiplied by the y scale of the [`Transform`]. Default: 1.
    pub scale: f32,
    /// How it combines with the terrain. Default: [`StampBlend::Add`].
    pub blend: StampBlend,
    /// The share of the way from the border to the center over which the effect fades in, from 0 to 1. Default: 0.3.
    pub fade: f32,
}

/// The heights of a [`TerrainStamp`].
#[derive(Reflect, Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[reflect(opaque, Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StampSource {
    /// An image of heights in millimeters.
    Image(StampImage),
    /// A recipe with at most 512 cells on a side, and without images. Its relief sets the heights. It is generated in
    /// the background.
    Recipe(Box<Recipe>),
}

impl From<StampImage> for StampSource {
    fn from(image: StampImage) -> Self {
        Self::Image(image)
    }
}

impl From<Recipe> for StampSource {
    fn from(recipe: Recipe) -> Self {
        Self::Recipe(recipe.into())
    }
}

impl Default for TerrainStamp {
    /// A stamp without any height.
    fn default() -> Self {
        Self::new(StampImage::default())
    }
}

impl TerrainStamp {
    /// Creates a stamp that adds the heights of an image or a recipe.
    pub fn new(source: impl Into<StampSource>) -> Self {
        Self {
            source: source.into(),
            size: Vec2::splat(20.0),
            scale: 1.0,
            blend: StampBlend::default(),
            fade: 0.3,
        }
    }

    pub(super) fn shape(&self, transform: &Transform) -> Result<Shape, ModifierError> {
        let (placement, scale) = placed(transform);
        let (image, recipe) = match &self.source {
            StampSource::Image(image) => (image.clone(), None),
            StampSource::Recipe(recipe) => (StampImage::default(), Some(recipe)),
        };
        let stamp = Modifier::Stamp(StampModifier {
            placement,
            size: (self.size * scale).into(),
            image,
            scale: self.scale * transform.scale.y,
            blend: self.blend,
            fade: self.fade,
        });
        let Some(recipe) = recipe else {
            return valid(stamp);
        };
        stamp.validate()?;
        let longest = recipe.size.width().max(recipe.size.height());
        if longest > StampImage::MAX_SIDE as usize {
            return Err(ModifierError {
                name: "longer side of the recipe",
                value: longest.to_string(),
                from: "1".to_owned(),
                to: StampImage::MAX_SIDE.to_string(),
            });
        }
        Ok(Shape::Recipe(stamp, recipe.clone()))
    }
}
