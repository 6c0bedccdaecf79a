//! The layers of the ground: what each looks like, and where it lies.

mod laid;
mod pictures;
mod standard;
#[cfg(test)]
mod tests;

use bevy::prelude::*;
use lanternfell_surface::layers::{Fray, LayerError, LayerRule, LayerRules};
use lanternfell_textures::GroundKind;

pub(crate) use laid::LaidLayers;
pub use pictures::LayerPictures;
pub use standard::LayerZones;

use crate::{
    ground::{await_files, require_on_terrain, take_up_changes},
    systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<TerrainLayers>();
    require_on_terrain::<TerrainLayers>(app);
    app.add_systems(
        Update,
        // New ground comes with a cover of the layers that are laid when its task begins.
        laid::follow_layers
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    );
}

/// The layers of a terrain's ground, up to 16 of them: grass, sand, rock, snow. A change shows as soon as it is worked
/// out in the background.
///
/// By default the fourteen of [`TerrainLayers::temperate`], whose textures are made by the plugin when they are used
/// first, in the background; until then the ground has their colors.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{LayerZones, TerrainLayers, prelude::*};
///
/// fn spawn(mut commands: Commands) {
///     // No snow, and beaches four metres high.
///     let zones = LayerZones { snow_line: 2.0, sand_height: 4.0, ..default() };
///     let mut layers = TerrainLayers::temperate(&zones);
///     // Redder rock.
///     if let Some(granite) = layers.layer_mut("granite") {
///         granite.tint = Color::srgb(1.0, 0.8, 0.7);
///     }
///     commands.spawn((Terrain::default(), layers));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(LaidLayers)]
pub struct TerrainLayers {
    /// From 1 to 16; where several want a place the two that want it most share it. The first lies where none does.
    pub layers: Vec<GroundLayer>,
    /// Metres from one tongue to the next, where the borders that heights and slopes draw are frayed.
    pub fray_wavelength: f32,
    /// By how many metres of height they are frayed, at most about.
    pub fray_height: f32,
    /// By how many degrees of slope.
    pub fray_slope: f32,
    /// Metres across the largest lighter and darker patches of the land; 0 for none.
    pub patches: f32,
    /// How much is done for each pixel.
    pub quality: LayerQuality,
}

/// One layer of ground.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub struct GroundLayer {
    /// What it is called, by which it is found.
    pub name: String,
    /// What it looks like.
    pub texture: LayerTexture,
    /// Multiplies the texture's color; white by default.
    pub tint: Color,
    /// Metres of ground that the texture covers before it begins again.
    pub tile: f32,
    /// Where it lies.
    pub rule: LayerRule,
}

impl Default for GroundLayer {
    fn default() -> Self {
        Self::made(GroundKind::Grass, LayerRule::default())
    }
}

impl GroundLayer {
    /// A layer with a texture that the plugin makes, by the name of that.
    pub fn made(kind: GroundKind, rule: LayerRule) -> Self {
        Self {
            name: kind.name().to_owned(),
            texture: LayerTexture::Made(kind),
            tint: Color::WHITE,
            tile: kind.metres(),
            rule,
        }
    }

    /// The same layer in another color.
    pub fn tinted(mut self, tint: Color) -> Self {
        self.tint = tint;
        self
    }
}

/// What a layer looks like.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum LayerTexture {
    /// A texture that is made by code, in the background.
    Made(GroundKind),
    /// Pictures of one's own.
    Pictures(LayerPictures),
}

/// How much is done for each pixel of the ground.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum LayerQuality {
    /// For weak devices: a color of each of two layers, without bumps.
    Low,
    /// Up to three layers with bumps, each at two sizes so that nothing is seen to repeat, and cliffs from the side.
    #[default]
    Medium,
}

impl Default for TerrainLayers {
    fn default() -> Self {
        Self::temperate(&LayerZones::default())
    }
}

impl TerrainLayers {
    /// Of these layers, with default borders.
    pub fn new(layers: Vec<GroundLayer>) -> Self {
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

    /// A single layer of one's own.
    pub fn single(layer: GroundLayer) -> Self {
        Self::new(vec![layer])
    }

    /// The layer of that name.
    pub fn layer(&self, name: &str) -> Option<&GroundLayer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// The layer of that name, to change.
    pub fn layer_mut(&mut self, name: &str) -> Option<&mut GroundLayer> {
        self.layers.iter_mut().find(|layer| layer.name == name)
    }

    /// The same layers, of which those of these names have pictures from a folder of assets: with `("ground", "png")`
    /// grass has `ground/grass_color.png` and `ground/grass_normal.png`, its tint and size stay, and it is as rough as
    /// soil. Where the normals are not there it is flat.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use lanternfell_terrain::prelude::*;
    /// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    ///     let names = ["grass", "sand"];
    ///     let layers = TerrainLayers::default().with_pictures(&assets, "ground", "png", &names);
    ///     commands.spawn((Terrain::default(), layers));
    /// }
    /// # bevy::ecs::system::assert_is_system(spawn);
    /// ```
    ///
    /// A name that is none of theirs is told by a warning. For heights and roughness, or other names of files, see
    /// [`LayerPictures`].
    pub fn with_pictures(
        mut self,
        assets: &AssetServer,
        folder: &str,
        extension: &str,
        names: &[&str],
    ) -> Self {
        for &name in names {
            let Some(layer) = self.layer_mut(name) else {
                warn!("{name:?} is none of the layers that get pictures from {folder:?}");
                continue;
            };
            let load = |what: &str| assets.load(format!("{folder}/{name}_{what}.{extension}"));
            layer.texture = LayerTexture::Pictures(LayerPictures {
                normal: Some(load("normal")),
                ..LayerPictures::of(load("color"))
            });
        }
        self
    }

    /// Which layer that is, as [`GroundCover`](crate::GroundCover) counts them.
    pub fn index(&self, name: &str) -> Option<u8> {
        let index = self.layers.iter().position(|layer| layer.name == name)?;
        u8::try_from(index).ok()
    }

    /// Checks their number and every number of their rules.
    ///
    /// # Errors
    /// Names what can not be. The plugin says it once, and goes on with what was there before, or the default.
    pub fn validate(&self) -> Result<(), LayerError> {
        self.rules().validate()
    }

    /// Their rules, for the library.
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
