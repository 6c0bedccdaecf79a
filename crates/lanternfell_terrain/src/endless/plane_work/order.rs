//! Serialization of [`PlaneWork`] and its result.

use std::sync::Arc;

use lanternfell_heightmap::{Heightmap, MapSize, Plane, Recipe};
use serde::{Deserialize, Serialize};

use super::PlaneWork;
use crate::{
    background::wire::{
        Damaged, Order, Sink, Source, put_floats, put_value, take_floats, take_value,
    },
    error::TerrainError,
};

/// The serialized form of a [`PlaneWork`].
#[derive(Serialize, Deserialize)]
struct PlaneHead {
    recipe: Recipe,
    origin: (i64, i64),
    size: MapSize,
}

impl Order for PlaneWork {
    const NAME: &'static str = "plane";

    async fn write(&self, to: &mut impl Sink) {
        let head = PlaneHead {
            recipe: self.plane.recipe().clone(),
            origin: self.origin,
            size: self.size,
        };
        put_value(to, &head);
    }

    async fn read(from: &mut impl Source) -> Result<Self, Damaged> {
        let head: PlaneHead = take_value(from)?;
        let plane: Plane = head.recipe.plane()?;
        Ok(Self {
            plane: Arc::new(plane),
            origin: head.origin,
            size: head.size,
        })
    }

    async fn write_made(&self, made: &Heightmap, to: &mut impl Sink) {
        put_floats(to, made.heights()).await;
    }

    async fn read_made(&self, from: &mut impl Source) -> Result<Heightmap, Damaged> {
        let heights = take_floats(from).await?;
        Ok(Heightmap::from_heights(self.size, heights)?)
    }

    fn check(&self) -> Result<(), TerrainError> {
        Ok(())
    }
}
