//! Scenes save terrains with their recipes and the paths of their files.

use bevy::{
    asset::{EphemeralHandleBehavior, HandleDeserializeProcessor, HandleSerializeProcessor},
    ecs::reflect::AppTypeRegistry,
    prelude::*,
    reflect::serde::{ReflectDeserializer, ReflectSerializer},
};
use lanternfell_terrain::{
    TerrainPath, TerrainPlatform, TerrainStamp,
    edits::{Brush, StampImage, Stroke},
    prelude::*,
};
use serde::de::DeserializeSeed;

use crate::common::*;

/// Serializes through reflection, and deserializes again.
fn saved_and_read<T: FromReflect>(studio: &Studio, value: &T) -> T {
    let registry = studio.app.world().resource::<AppTypeRegistry>().read();
    let processor = HandleSerializeProcessor {
        ephemeral_handle_behavior: EphemeralHandleBehavior::Error,
    };
    let saved =
        ReflectSerializer::with_processor(value.as_partial_reflect(), &registry, &processor);
    let text = ron::to_string(&saved).unwrap();
    let mut server = studio.server();
    let mut processor = HandleDeserializeProcessor {
        load_from_path: &mut server,
    };
    let mut reader = ron::Deserializer::from_str(&text).unwrap();
    let read = ReflectDeserializer::with_processor(&registry, &mut processor);
    let read = read.deserialize(&mut reader);
    let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
    T::from_reflect(read.as_partial_reflect()).unwrap()
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

#[test]
fn scene_restores_edits_and_modifiers() {
    let studio = Studio::new();
    let mut edits = TerrainEdits::default();
    for at in [[0, 0], [9000, -70_000]] {
        let raise = Stroke::along(Brush::Raise { mm: 800 }, 900, [at]);
        edits.stroke(3, raise).unwrap();
    }
    let read = saved_and_read(&studio, &edits);
    assert_eq!(read.to_bytes(), edits.to_bytes());
    let path = TerrainPath {
        camber: 0.1,
        ..TerrainPath::new(7.5, [Vec3::ZERO, Vec3::new(20.0, 1.0, -3.5)])
    };
    assert_eq!(saved_and_read(&studio, &path), path);
    let platform = TerrainPlatform {
        size: Vec2::new(4.0, 9.0),
        ..default()
    };
    assert_eq!(saved_and_read(&studio, &platform), platform);
    let image = StampImage::new(2, [1, -2, 3, 4]).unwrap();
    for stamp in [TerrainStamp::new(image), TerrainStamp::new(hills(5))] {
        assert_eq!(saved_and_read(&studio, &stamp), stamp);
    }
}
