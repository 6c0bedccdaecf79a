//! Layers with custom images.

use bevy::prelude::*;

/// The images of a layer: color, normals, height, roughness and occlusion.
///
/// Images can have any size and are resampled to the size of the layer textures (512 x 512 texels, or 256 x 256 in a
/// browser). Their pixels must be readable on the CPU, as those of PNG and JPEG files are. GPU-compressed formats are
/// not supported.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn slate(assets: &AssetServer) -> LayerTexture {
///     LayerTexture::Images(LayerImages {
///         normal: Some(assets.load("slate/normal_gl.png")),
///         height: Some(assets.load("slate/displacement.png")),
///         roughness_map: Some(assets.load("slate/roughness.png")),
///         roughness: 1.0,
///         ..LayerImages::of(assets.load("slate/diffuse.png"))
///     })
/// }
/// ```
///
/// The layer is gray until all images are loaded, and if the color image fails to load. Any other image that fails to
/// load is ignored with a warning. The layer is rebuilt when an image changes, for example through hot reloading.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub struct LayerImages {
    /// The color, in sRGB.
    pub color: Handle<Image>,
    /// The normal map: red points right and green points up, as in OpenGL. `None` for a flat surface.
    pub normal: Option<Handle<Image>>,
    /// The height map, from 0 to 1 in the red channel, which is used where layers blend: for example, grass sticks out
    /// of sand. `None` to use the alpha channel of the color.
    pub height: Option<Handle<Image>>,
    /// The roughness map, in the red channel. It is multiplied by [`roughness`](Self::roughness). `None` for a constant
    /// roughness.
    pub roughness_map: Option<Handle<Image>>,
    /// The ambient occlusion, in the red channel: 0 is fully occluded, 1 unoccluded. `None` for no occlusion.
    pub occlusion_map: Option<Handle<Image>>,
    /// The roughness, from 0 (a mirror) to 1.
    pub roughness: f32,
}

impl LayerImages {
    /// Creates a layer from a color image alone, with a roughness of 0.95, like soil.
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

    /// All images except the color, with their names.
    pub(crate) fn maps(&self) -> [(&'static str, Option<&Handle<Image>>); 4] {
        [
            ("normal map", self.normal.as_ref()),
            ("height map", self.height.as_ref()),
            ("roughness map", self.roughness_map.as_ref()),
            ("occlusion map", self.occlusion_map.as_ref()),
        ]
    }

    /// The handles of all images.
    pub(crate) fn handles(&self) -> impl Iterator<Item = &Handle<Image>> {
        let maps = self.maps().into_iter().filter_map(|(_, map)| map);
        std::iter::once(&self.color).chain(maps)
    }
}
