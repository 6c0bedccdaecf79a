//! A procedural texture for one terrain layer, as work for a background task.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) mod order;

use lanternfell_heightmap::Progress;
use lanternfell_textures::GroundKind;

use crate::background::Work;
use crate::{
    error::Unmade,
    land::textures::{MadeTexture, Source},
};

/// A procedural texture of `size` x `size` texels.
pub(crate) struct TextureWork {
    pub(crate) kind: GroundKind,
    pub(crate) size: u32,
}

impl Work for TextureWork {
    type Made = MadeTexture;

    fn make(&self, _: &Progress) -> Result<MadeTexture, Unmade> {
        Ok(MadeTexture::of(&Source::Procedural(self.kind), self.size))
    }
}
