//! Pictures of one's own on a layer.

use bevy::prelude::*;

/// Pictures of one layer, of any size: each is brought to the size of the others. They are of pixels that a processor
/// can read, as those of PNG and JPEG files are, and not compressed for a graphics card.
///
/// Until all are loaded, and where the color can not be, the layer is gray; it goes without any other that can not be
/// had. A picture that changes, as a file that is watched does, is taken anew.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn slate(assets: &AssetServer) -> LayerTexture {
///     LayerTexture::Pictures(LayerPictures {
///         normal: Some(assets.load("slate/normal_gl.png")),
///         height: Some(assets.load("slate/displacement.png")),
///         roughness_map: Some(assets.load("slate/roughness.png")),
///         roughness: 1.0,
///         ..LayerPictures::of(assets.load("slate/diffuse.png"))
///     })
/// }
/// ```
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub struct LayerPictures {
    /// The color, sRGB.
    pub color: Handle<Image>,
    /// The normals, red to the right and green to the top as in OpenGL; none, where it is flat.
    pub normal: Option<Handle<Image>>,
    /// In red how high the ground is, from 0 to 1, so that grass stands out of sand; none, where the color's alpha says
    /// so.
    pub height: Option<Handle<Image>>,
    /// In red how rough it is, times [`roughness`](Self::roughness); none, where it is that everywhere.
    pub roughness_map: Option<Handle<Image>>,
    /// In red how much light reaches it, from 0 to 1; none, where all does.
    pub occlusion_map: Option<Handle<Image>>,
    /// From 0, a mirror, to 1.
    pub roughness: f32,
}

impl LayerPictures {
    /// With a color alone, as rough as soil.
    pub fn of(color: Handle<Image>) -> Self {
        Self {
            color,
            normal: None,
            height: None,
            roughness_map: None,
            occlusion_map: None,
            roughness: 0.95,
        }
    }

    /// All but the color, with what they are.
    pub(crate) fn maps(&self) -> [(&'static str, Option<&Handle<Image>>); 4] {
        [
            ("normal map", self.normal.as_ref()),
            ("height map", self.height.as_ref()),
            ("roughness map", self.roughness_map.as_ref()),
            ("occlusion map", self.occlusion_map.as_ref()),
        ]
    }

    /// All of them.
    pub(crate) fn handles(&self) -> impl Iterator<Item = &Handle<Image>> {
        let maps = self.maps().into_iter().filter_map(|(_, map)| map);
        std::iter::once(&self.color).chain(maps)
    }
}
