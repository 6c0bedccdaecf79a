//! The feature `serialize`: settings as text.

use std::fmt::Debug;

use bevy::{
    prelude::*,
    reflect::{GetTypeRegistration, TypeRegistry},
};
use lanternfell::prelude::*;
use lanternfell_terrain::{PathMesh, TerrainCache, TerrainPath};
use serde::{Serialize, de::DeserializeOwned};

/// Converts a value to text and back, with serde and as scenes do it.
fn check<T>(value: &T)
where
    T: Serialize + DeserializeOwned + GetTypeRegistration + PartialEq + Debug,
{
    let text = ron::to_string(value).unwrap();
    assert_eq!(&ron::from_str::<T>(&text).unwrap(), value);
    let mut registry = TypeRegistry::default();
    registry.register::<T>();
    let registration = registry.get(std::any::TypeId::of::<T>()).unwrap();
    assert!(registration.data::<ReflectSerialize>().is_some(), "{text}");
    let deserialize = registration.data::<ReflectDeserialize>().unwrap();
    let mut deserializer = ron::Deserializer::from_str(&text).unwrap();
    let read = deserialize.deserialize(&mut deserializer).unwrap();
    assert_eq!(read.downcast_ref::<T>(), Some(value));
}

#[test]
fn settings_survive_as_text() {
    check(&SkySettings {
        rain_floor: -3.5,
        light: false,
        ..default()
    });
    check(&SkyFog { visibility: 700.0 });
    check(&HandTorch {
        mode: TorchMode::Off,
        offset: Vec3::new(0.1, 0.2, 0.3),
        ..default()
    });
    check(&TimeOfDay {
        hour: 23.75,
        ..default()
    });
    check(&Weather::STORM);
    check(&CurrentWeather(Some(Weather::OVERCAST)));
    check(&Water {
        level: Some(0.3),
        deep: Color::BLACK,
        visibility: f32::INFINITY,
        waves: Waves::CALM,
        ..default()
    });
    check(&TerrainCollider::AroundBodies(12.0));
    check(&TerrainDetail {
        pixel_error: 2.5,
        ..default()
    });
    check(&SnapToGround {
        height: 1.5,
        lean: true,
    });
    check(&TerrainPath::new(
        1.5,
        [Vec3::new(1.0, 0.0, -2.0), Vec3::ONE],
    ));
    check(&PathMesh { lift: 0.2 });
    check(&LayerZones {
        snow_line: 0.4,
        ..default()
    });
    check(&LayerQuality::Low);
    check(&TerrainCache {
        folder: "cache".into(),
        max_bytes: 1 << 40,
    });
    check(&NeedsTerrainCover);
    check(&TerrainViewer);
    check(&HoldRegion);
    check(&Wind {
        direction: Vec2::NEG_Y,
        speed: 9.0,
    });
    check(&GrassPresser { radius: 0.5 });
    check(&WindWaves { fetch: 800.0 });
    check(&TerrainTorchlightSettings {
        plants: false,
        ..default()
    });
}

#[test]
fn missing_fields_have_their_defaults() {
    let water: Water = ron::from_str("(ripples: 0.25, waves: (height: 1.5))").unwrap();
    let waves = Waves {
        height: 1.5,
        ..default()
    };
    assert_eq!(
        water,
        Water {
            ripples: 0.25,
            waves,
            ..default()
        }
    );
}

#[test]
fn rejects_unknown_fields() {
    let error = ron::from_str::<SkySettings>("(rain_flor: 2.0)").unwrap_err();
    assert!(error.to_string().contains("rain_flor"), "{error}");
}
