//! The layers of a terrain: their looks and rules.

mod effective;
mod images;
mod standard;
#[cfg(test)]
mod tests;

use bevy::prelude::*;
use lanternfell_surface::layers::{Fray, LayerError, LayerRule, LayerRules};
use lanternfell_textures::GroundKind;

pub(crate) use effective::EffectiveLayers;
pub use images::LayerImages;
pub use standard::LayerZones;

use crate::{
    ground::{await_files, require_on_terrain, take_up_changes},
    systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<TerrainLayers>();
    require_on_terrain::<TerrainLayers>(app);
    app.add_systems(
        PostUpdate,
        // New terrain comes with a cover for the layers that are valid when its task starts.
        effective::follow_layers
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    );
}

/// The layers of a terrain, such as grass, sand, rock and snow.
///
/// The default is [`TerrainLayers::temperate`], which has 14 layers with procedural textures. The plugin builds the
/// textures in the background when they are first used; until then the layers are drawn in their average colors.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{LayerZones, TerrainLayers, prelude::*};
///
/// fn spawn(mut commands: Commands) {
///     // No snow, and beaches 4 m high.
///     let zones = LayerZones { snow_line: 2.0, sand_height: 4.0, ..default() };
///     let mut layers = TerrainLayers::temperate(&zones);
///     // Redder rock.
///     if let Some(granite) = layers.layer_mut("granite") {
///         granite.tint = Color::srgb(1.0, 0.8, 0.7);
///     }
///     commands.spawn((Terrain::default(), layers));
/// }
/// ```
///
/// A change takes effect when the new cover has been computed in the background. Invalid layers are logged, and the
/// last valid ones stay in use.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(EffectiveLayers)]
pub struct TerrainLayers {
    /// 1 to 16 layers. Where several match, the two with the largest weights are blended. Where none matches, the first
    /// layer is used.
    pub layers: Vec<TerrainLayer>,
    /// The wavelength, in meters, of the noise that makes borders at a height or slope irregular. From 0.1 to 100,000.
    /// Default: 12.
    pub fray_wavelength: f32,
    /// The approximate maximum offset of a border in height, in meters. From 0 to 10,000. Default: 1.
    pub fray_height: f32,
    /// The approximate maximum offset of a border in slope, in degrees. From 0 to 90. Default: 6.
    pub fray_slope: f32,
    /// The size in meters of the largest lighter and darker patches of the terrain. Default: 42. 0 disables them.
    pub patches: f32,
    /// The shading quality.
    pub quality: LayerQuality,
}

/// One layer of a terrain.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub struct TerrainLayer {
    /// The name of the layer, for example for [`TerrainLayers::layer_mut`] and [`TerrainLayers::index`].
    pub name: String,
    /// The texture of the layer: procedural, or your own images.
    pub texture: LayerTexture,
    /// A color that the texture is multiplied with. Default: white.
    pub tint: Color,
    /// The size of one repetition of the texture on the terrain, in meters.
    pub tile: f32,
    /// Where the layer appears.
    pub rule: LayerRule,
}

impl Default for TerrainLayer {
    fn default() -> Self {
        Self::procedural(GroundKind::Grass, LayerRule::default())
    }
}

impl TerrainLayer {
    /// Creates a layer with a procedural texture. Its name is that of the texture.
    pub fn procedural(kind: GroundKind, rule: LayerRule) -> Self {
        Self {
            name: kind.name().to_owned(),
            texture: LayerTexture::Procedural(kind),
            tint: Color::WHITE,
            tile: kind.meters(),
            rule,
        }
    }

    /// Returns the layer with this tint.
    #[must_use]
    pub fn tinted(mut self, tint: Color) -> Self {
        self.tint = tint;
        self
    }
}

/// The texture of a layer.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum LayerTexture {
    /// A procedural texture, which is built in the background.
    Procedural(GroundKind),
    /// Custom images.
    Images(LayerImages),
}

/// The shading quality of the layers.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum LayerQuality {
    /// The colors of two layers without normal maps, for weak devices.
    Low,
    /// Up to three layers with normal maps. Each is sampled at two scales to hide repetition, and cliffs are textured
    /// from the side.
    #[default]
    Medium,
}

impl Default for TerrainLayers {
    fn default() -> Self {
        Self::temperate(&LayerZones::default())
    }
}

impl TerrainLayers {
    /// Creates a set of layers. All other fields have their default values.
    pub fn new(layers: Vec<TerrainLayer>) -> Self {
        let fray = Fray::default();
        Self {
            layers,
            fray_wavelength: fray.wavelength as f32,
            fray_height: fray.height as f32,
            fray_slope: fray.slope as f32,
            patches: 42.0,
            quality: LayerQuality::default(),
        }
    }

    /// Creates a set with a single layer.
    pub fn single(layer: TerrainLayer) -> Self {
        Self::new(vec![layer])
    }

    /// Returns the layer with this name.
    pub fn layer(&self, name: &str) -> Option<&TerrainLayer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// Returns the layer with this name, mutably.
    pub fn layer_mut(&mut self, name: &str) -> Option<&mut TerrainLayer> {
        self.layers.iter_mut().find(|layer| layer.name == name)
    }

    /// Replaces the textures of the layers in `names` by images from `folder`.
    ///
    /// With `folder` `"ground"` and `extension` `"png"`, grass uses `ground/grass_color.png` and
    /// `ground/grass_normal.png`. The layer keeps its tint and size, and has a roughness of 0.95. If the normal map is
    /// missing, a warning is logged and the layer is flat.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use lanternfell_terrain::prelude::*;
    /// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    ///     let names = ["grass", "sand"];
    ///     let layers = TerrainLayers::default().with_images(&assets, "ground", "png", &names);
    ///     commands.spawn((Terrain::default(), layers));
    /// }
    /// # bevy::ecs::system::assert_is_system(spawn);
    /// ```
    ///
    /// Logs a warning for each name that is not in the layers. For height and roughness maps, or other file names, use
    /// [`LayerImages`].
    #[must_use]
    pub fn with_images(
        mut self,
        assets: &AssetServer,
        folder: &str,
        extension: &str,
        names: &[&str],
    ) -> Self {
        for &name in names {
            let Some(layer) = self.layer_mut(name) else {
                warn!("there is no layer {name:?} for the images in {folder:?}");
                continue;
            };
            let load = |what: &str| assets.load(format!("{folder}/{name}_{what}.{extension}"));
            layer.texture = LayerTexture::Images(LayerImages {
                normal: Some(load("normal")),
                ..LayerImages::of(load("color"))
            });
        }
        self
    }

    /// Returns the index of the layer with this name, as used by [`TerrainCover`](crate::TerrainCover),
    /// [`Brush::Paint`](crate::edits::Brush::Paint) and [`Pavement::layer`](crate::edits::Pavement::layer).
    pub fn index(&self, name: &str) -> Option<u8> {
        let index = self.layers.iter().position(|layer| layer.name == name)?;
        u8::try_from(index).ok()
    }

    /// Checks the number of layers and all numbers in their rules.
    ///
    /// # Errors
    /// Returns the first invalid value. The plugin logs this error once and keeps the previous valid layers, or the
    /// default.
    pub fn validate(&self) -> Result<(), LayerError> {
        self.rules().validate()
    }

    /// The rules of the layers.
    pub(crate) fn rules(&self) -> LayerRules {
        LayerRules {
            rules: self.layers.iter().map(|layer| layer.rule.clone()).collect(),
            fray: Fray {
                wavelength: self.fray_wavelength.into(),
                height: self.fray_height.into(),
                slope: self.fray_slope.into(),
            },
        }
    }
}
