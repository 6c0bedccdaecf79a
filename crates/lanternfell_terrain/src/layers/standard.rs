//! The grounds that come along.

use bevy::prelude::*;
use lanternfell_heightmap::Band;
use lanternfell_surface::layers::{BesideWater, LayerNoise, LayerRule};
use lanternfell_textures::GroundKind;

use super::{GroundLayer, TerrainLayers};

/// From which height and slope what lies, for the grounds that come along.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub struct LayerZones {
    /// Metres above the sea up to which sand lies.
    pub sand_height: f32,
    /// The slope in degrees from which there is rock.
    pub rock_slope: f32,
    /// From which height there is snow, as a share of the way from the sea to a height of 1; above 1 for none.
    pub snow_line: f32,
    /// Metres across the largest patches of grass, forest and rock.
    pub patches: f32,
    /// Metres beside rivers and lakes up to which there is gravel, as under them; 0 for none.
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

/// Patches of so many metres, on about that share of the ground.
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
    /// Meadows, forest floor, beaches, three kinds of rock, scree, snow: all fourteen textures that are made by code.
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

    /// With patches and borders as large as the zones are.
    fn in_zones(zones: &LayerZones, layers: Vec<GroundLayer>) -> Self {
        Self {
            fray_wavelength: (0.3 * zones.patches).clamp(0.1, 1e5),
            fray_height: (0.5 * zones.sand_height).clamp(0.0, 1e4),
            patches: zones.patches,
            ..Self::new(layers)
        }
    }

    /// Sand and gravel, and layered red rock where it is steeper than sand can lie.
    pub fn desert(zones: &LayerZones) -> Self {
        let dune = Color::srgb(1.0, 0.86, 0.68);
        let red = Color::srgb(1.0, 0.70, 0.55);
        let steep = zones.rock_slope;
        let layers = vec![
            GroundLayer::made(GroundKind::Sand, rule(1.0)).tinted(dune),
            GroundLayer::made(
                GroundKind::Pebbles,
                LayerRule {
                    slope: below(24.0, 8.0),
                    noise: patches(zones.patches, 0.3, 3),
                    beside_water: beds(zones),
                    ..rule(1.3)
                },
            )
            .tinted(red),
            GroundLayer::made(
                GroundKind::Scree,
                LayerRule {
                    slope: between(steep - 9.0, steep, 4.0),
                    ..rule(1.5)
                },
            )
            .tinted(red),
            GroundLayer::made(
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

/// What grows.
fn green(zones: &LayerZones) -> [GroundLayer; 6] {
    let (steep, size) = (zones.rock_slope, zones.patches);
    let inland = above(1.4 * zones.sand_height, zones.sand_height);
    [
        GroundLayer::made(
            GroundKind::Grass,
            LayerRule {
                slope: below(steep - 4.0, 6.0),
                ..rule(1.0)
            },
        ),
        GroundLayer::made(
            GroundKind::Meadow,
            LayerRule {
                slope: below(22.0, 8.0),
                noise: patches(size, 0.4, 1),
                ..rule(1.3)
            },
        ),
        GroundLayer::made(
            GroundKind::DryGrass,
            LayerRule {
                altitude: above(0.42, 0.25),
                slope: below(steep - 4.0, 6.0),
                noise: patches(0.7 * size, 0.6, 2),
                ..rule(1.4)
            },
        ),
        GroundLayer::made(
            GroundKind::ForestFloor,
            LayerRule {
                height: inland,
                altitude: below(0.5, 0.15),
                slope: below(steep - 7.0, 6.0),
                noise: patches(2.3 * size, 0.4, 3),
                ..rule(1.5)
            },
        ),
        GroundLayer::made(
            GroundKind::Mud,
            LayerRule {
                height: inland,
                altitude: below(0.4, 0.1),
                slope: below(9.0, 6.0),
                curvature: below(-0.004, 0.004),
                ..rule(1.2)
            },
        ),
        GroundLayer::made(
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

/// What the sea has laid down.
fn shore(zones: &LayerZones) -> [GroundLayer; 3] {
    let high = zones.sand_height;
    [
        GroundLayer::made(
            GroundKind::Sand,
            LayerRule {
                height: below(0.7 * high, 0.6 * high),
                slope: below(24.0, 8.0),
                ..rule(5.0)
            },
        ),
        GroundLayer::made(
            GroundKind::WetSand,
            LayerRule {
                height: between(-0.35 * high, 0.1 * high, 0.2 * high),
                slope: below(18.0, 6.0),
                ..rule(7.0)
            },
        ),
        GroundLayer::made(
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

/// Gravel lies in and beside rivers and lakes.
fn beds(zones: &LayerZones) -> Option<BesideWater> {
    let reach = f64::from(zones.river_beds).clamp(0.0, 1e5);
    (reach > 0.0).then(|| BesideWater {
        reach,
        ..BesideWater::default()
    })
}

/// What is bare, and what lies on it.
fn rocks(zones: &LayerZones) -> [GroundLayer; 5] {
    let (steep, size) = (zones.rock_slope, zones.patches);
    let cliff = above(steep, 6.0);
    [
        GroundLayer::made(
            GroundKind::Granite,
            LayerRule {
                slope: cliff,
                ..rule(3.0)
            },
        ),
        GroundLayer::made(
            GroundKind::Basalt,
            LayerRule {
                slope: cliff,
                noise: patches(3.1 * size, 0.4, 6),
                ..rule(4.0)
            },
        ),
        GroundLayer::made(
            GroundKind::Sandstone,
            LayerRule {
                altitude: below(0.35, 0.2),
                slope: cliff,
                noise: patches(2.2 * size, 0.16, 7),
                ..rule(4.5)
            },
        )
        .tinted(Color::srgb(0.74, 0.76, 0.78)),
        GroundLayer::made(
            GroundKind::Scree,
            LayerRule {
                altitude: above(0.35, 0.15),
                slope: between(steep - 8.0, steep, 4.0),
                noise: patches(0.8 * size, 0.5, 8),
                ..rule(2.2)
            },
        ),
        GroundLayer::made(
            GroundKind::Snow,
            LayerRule {
                altitude: above(zones.snow_line, 0.06),
                slope: below(steep + 3.0, 7.0),
                ..rule(9.0)
            },
        ),
    ]
}
