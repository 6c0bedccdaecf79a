//! Serialization of [`TextureWork`] and its result.

use bevy::math::Vec3;

use super::TextureWork;
use crate::{
    background::wire::{
        Damaged, Order, Sink, Source, put_bytes, put_floats, put_text, put_whole, take_bytes,
        take_floats, take_text, take_whole,
    },
    error::TerrainError,
    land::textures::MadeTexture,
};

/// The largest texture size that is accepted, in texels per side.
pub(crate) const LARGEST: u32 = 2048;

impl Order for TextureWork {
    const NAME: &'static str = "texture";

    async fn write(&self, to: &mut impl Sink) {
        put_text(to, self.kind.name());
        put_whole(to, self.size);
    }

    async fn read(from: &mut impl Source) -> Result<Self, Damaged> {
        let name = take_text(from)?;
        let mut kinds = lanternfell_textures::GroundKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.name() == name);
        let (kind, size) = (kind.ok_or(Damaged::Kind)?, take_whole(from)?);
        if size > LARGEST {
            return Err(Damaged::Long);
        }
        Ok(Self { kind, size })
    }

    async fn write_made(&self, made: &MadeTexture, to: &mut impl Sink) {
        put_whole(to, made.size);
        put_floats(to, &made.average.to_array()).await;
        put_bytes(to, &made.color).await;
        put_bytes(to, &made.material).await;
    }

    async fn read_made(&self, from: &mut impl Source) -> Result<MadeTexture, Damaged> {
        let size = take_whole(from)?;
        let average = take_floats(from).await?;
        let made = MadeTexture {
            average: Vec3::from_array(average.try_into().map_err(|_| Damaged::Short)?),
            size,
            color: take_bytes(from).await?,
            material: take_bytes(from).await?,
            // Procedural textures have no maps.
            left_out: false,
        };
        match made.is_whole() && (size == self.size || size == 0) {
            true => Ok(made),
            false => Err(Damaged::Short),
        }
    }

    fn check(&self) -> Result<(), TerrainError> {
        Ok(())
    }
}
