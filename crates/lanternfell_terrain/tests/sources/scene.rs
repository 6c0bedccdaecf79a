//! Scenes save terrains with their recipes and the paths of their files.

use bevy::{
    asset::{EphemeralHandleBehavior, HandleDeserializeProcessor, HandleSerializeProcessor},
    ecs::reflect::AppTypeRegistry,
    prelude::*,
    reflect::serde::{ReflectDeserializer, ReflectSerializer},
};
use lanternfell_terrain::prelude::*;
use serde::de::DeserializeSeed;

use crate::common::*;

/// Serializes through reflection, and deserializes again.
fn saved_and_read(studio: &Studio, terrain: &Terrain) -> Terrain {
    let registry = studio.app.world().resource::<AppTypeRegistry>().read();
    let processor = HandleSerializeProcessor {
        ephemeral_handle_behavior: EphemeralHandleBehavior::Error,
    };
    let saved = ReflectSerializer::with_processor(terrain, &registry, &processor);
    let text = ron::to_string(&saved).unwrap();
    let mut server = studio.server();
    let mut processor = HandleDeserializeProcessor {
        load_from_path: &mut server,
    };
    let mut reader = ron::Deserializer::from_str(&text).unwrap();
    let read = ReflectDeserializer::with_processor(&registry, &mut processor);
    let read = read.deserialize(&mut reader);
    let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
    Terrain::from_reflect(read.as_partial_reflect()).unwrap()
}

#[test]
fn scene_restores_source_scale_and_rivers() {
    let studio = Studio::new();
    let scale = Scale {
        spacing: 3.0,
        relief: 77.5,
    };
    let file = studio.load("maps/alps.asc");
    for source in [TerrainSource::from(hills(2)), file.into()] {
        for terrain in [
            Terrain::new(source.clone()),
            Terrain::new(source.clone()).with_scale(scale),
            Terrain::new(source.clone()).with_inland_water(InlandWater {
                width_factor: 7.5,
                ..default()
            }),
        ] {
            assert_eq!(saved_and_read(&studio, &terrain), terrain);
        }
    }
}
