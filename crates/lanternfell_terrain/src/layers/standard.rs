//! The standard sets of layers.

use bevy::prelude::*;
use lanternfell_heightmap::Band;
use lanternfell_surface::layers::{LayerNoise, LayerRule, NearWater};
use lanternfell_textures::GroundKind;

use super::{TerrainLayer, TerrainLayers};

/// The heights and slopes at which the layers of [`TerrainLayers::temperate`] and [`TerrainLayers::desert`] change.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct LayerZones {
    /// The height above the sea in meters up to which there is sand. Default: 1.6.
    pub sand_height: f32,
    /// The slope in degrees above which there is rock. Default: 39.
    pub rock_slope: f32,
    /// The height above which there is snow, as a fraction: 0 is the sea level, and 1 the highest possible point
    /// (height 1 of the map). Default: 0.8. Values above 1 disable snow. [The guide](crate::guide::layers) converts
    /// meters to this fraction.
    pub snow_line: f32,
    /// The size in meters of the largest patches of grass, forest and rock. Default: 42.
    pub patches: f32,
    /// The distance in meters from rivers and lakes up to which there is gravel, in addition to their beds. Default:
    /// 2.5. 0 disables gravel.
    pub river_beds: f32,
}

impl Default for LayerZones {
    fn default() -> Self {
        Self {
            sand_height: 1.6,
            rock_slope: 39.0,
            snow_line: 0.8,
            patches: 42.0,
            river_beds: 2.5,
        }
    }
}

fn below(to: f32, fade: f32) -> Band {
    let fade = f64::from(fade.max(0.0));
    Band {
        from: None,
        to: Some(to.into()),
        fade,
    }
}

fn above(from: f32, fade: f32) -> Band {
    let fade = f64::from(fade.max(0.0));
    Band {
        from: Some(from.into()),
        to: None,
        fade,
    }
}

fn between(from: f32, to: f32, fade: f32) -> Band {
    Band {
        to: Some(to.max(from).into()),
        ..above(from, fade)
    }
}

/// Noise patches of `wavelength` meters that cover about a fraction `coverage` of the terrain.
fn patches(wavelength: f32, coverage: f64, seed: u32) -> Option<LayerNoise> {
    Some(LayerNoise {
        wavelength: f64::from(wavelength).clamp(0.1, 1e5),
        coverage,
        seed,
        ..LayerNoise::default()
    })
}

fn rule(weight: f64) -> LayerRule {
    LayerRule {
        weight,
        ..LayerRule::default()
    }
}

impl TerrainLayers {
    /// Meadows, forest floor, beaches, three kinds of rock, scree and snow. Uses all 14 procedural textures.
    ///
    /// The layers are called "grass", "meadow", "dry grass", "forest floor", "mud", "moss", "sand", "wet sand",
    /// "pebbles", "granite", "basalt", "sandstone", "scree" and "snow".
    pub fn temperate(zones: &LayerZones) -> Self {
        Self::in_zones(
            zones,
            [
                green(zones).as_slice(),
                shore(zones).as_slice(),
                rocks(zones).as_slice(),
            ]
            .concat(),
        )
    }

    /// Creates layers whose patches and frayed borders match the zones.
    fn in_zones(zones: &LayerZones, layers: Vec<TerrainLayer>) -> Self {
        Self {
            fray_wavelength: (0.3 * zones.patches).clamp(0.1, 1e5),
            fray_height: (0.5 * zones.sand_height).clamp(0.0, 1e4),
            patches: zones.patches,
            ..Self::new(layers)
        }
    }

    /// Sand and gravel, with layered red rock on slopes that are too steep for sand.
    ///
    /// The layers are called "sand", "pebbles", "scree" and "sandstone". There is no snow.
    pub fn desert(zones: &LayerZones) -> Self {
        let dune = Color::srgb(1.0, 0.86, 0.68);
        let red = Color::srgb(1.0, 0.70, 0.55);
        let steep = zones.rock_slope;
        let layers = vec![
            TerrainLayer::procedural(GroundKind::Sand, rule(1.0)).tinted(dune),
            TerrainLayer::procedural(
                GroundKind::Pebbles,
                LayerRule {
                    slope: below(24.0, 8.0),
                    noise: patches(zones.patches, 0.3, 3),
                    beside_water: beds(zones),
                    ..rule(1.3)
                },
            )
            .tinted(red),
            TerrainLayer::procedural(
                GroundKind::Scree,
                LayerRule {
                    slope: between(steep - 9.0, steep, 4.0),
                    ..rule(1.5)
                },
            )
            .tinted(red),
            TerrainLayer::procedural(
                GroundKind::Sandstone,
                LayerRule {
                    slope: above(steep, 6.0),
                    ..rule(3.0)
                },
            )
            .tinted(red),
        ];
        Self::in_zones(zones, layers)
    }
}

/// Grass, meadow, forest floor, mud and moss.
fn green(zones: &LayerZones) -> [TerrainLayer; 6] {
    let (steep, size) = (zones.rock_slope, zones.patches);
    let inland = above(1.4 * zones.sand_height, zones.sand_height);
    [
        TerrainLayer::procedural(
            GroundKind::Grass,
            LayerRule {
                slope: below(steep - 4.0, 6.0),
                ..rule(1.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Meadow,
            LayerRule {
                slope: below(22.0, 8.0),
                noise: patches(size, 0.4, 1),
                ..rule(1.3)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::DryGrass,
            LayerRule {
                altitude: above(0.42, 0.25),
                slope: below(steep - 4.0, 6.0),
                noise: patches(0.7 * size, 0.6, 2),
                ..rule(1.4)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::ForestFloor,
            LayerRule {
                height: inland,
                altitude: below(0.5, 0.15),
                slope: below(steep - 7.0, 6.0),
                noise: patches(2.3 * size, 0.4, 3),
                ..rule(1.5)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Mud,
            LayerRule {
                height: inland,
                altitude: below(0.4, 0.1),
                slope: below(9.0, 6.0),
                curvature: below(-0.004, 0.004),
                ..rule(1.2)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Moss,
            LayerRule {
                height: inland,
                altitude: below(0.6, 0.15),
                slope: between(steep - 9.0, steep + 3.0, 5.0),
                noise: patches(0.6 * size, 0.45, 5),
                ..rule(2.4)
            },
        ),
    ]
}

/// Sand and pebbles along the sea.
fn shore(zones: &LayerZones) -> [TerrainLayer; 3] {
    let high = zones.sand_height;
    [
        TerrainLayer::procedural(
            GroundKind::Sand,
            LayerRule {
                height: below(0.7 * high, 0.6 * high),
                slope: below(24.0, 8.0),
                ..rule(5.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::WetSand,
            LayerRule {
                height: between(-0.35 * high, 0.1 * high, 0.2 * high),
                slope: below(18.0, 6.0),
                ..rule(7.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Pebbles,
            LayerRule {
                height: below(1.1 * high, 0.6 * high),
                slope: between(17.0, 38.0, 6.0),
                beside_water: beds(zones),
                ..rule(4.5)
            },
        ),
    ]
}

/// Gravel in and next to rivers and lakes. `None` if the reach is 0.
fn beds(zones: &LayerZones) -> Option<NearWater> {
    let reach = f64::from(zones.river_beds).clamp(0.0, 1e5);
    (reach > 0.0).then(|| NearWater {
        reach,
        ..NearWater::default()
    })
}

/// Rock, scree and snow.
fn rocks(zones: &LayerZones) -> [TerrainLayer; 5] {
    let (steep, size) = (zones.rock_slope, zones.patches);
    let cliff = above(steep, 6.0);
    [
        TerrainLayer::procedural(
            GroundKind::Granite,
            LayerRule {
                slope: cliff,
                ..rule(3.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Basalt,
            LayerRule {
                slope: cliff,
                noise: patches(3.1 * size, 0.4, 6),
                ..rule(4.0)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Sandstone,
            LayerRule {
                altitude: below(0.35, 0.2),
                slope: cliff,
                noise: patches(2.2 * size, 0.16, 7),
                ..rule(4.5)
            },
        )
        .tinted(Color::srgb(0.74, 0.76, 0.78)),
        TerrainLayer::procedural(
            GroundKind::Scree,
            LayerRule {
                altitude: above(0.35, 0.15),
                slope: between(steep - 8.0, steep, 4.0),
                noise: patches(0.8 * size, 0.5, 8),
                ..rule(2.2)
            },
        ),
        TerrainLayer::procedural(
            GroundKind::Snow,
            LayerRule {
                altitude: above(zones.snow_line, 0.06),
                slope: below(steep + 3.0, 7.0),
                ..rule(9.0)
            },
        ),
    ]
}
