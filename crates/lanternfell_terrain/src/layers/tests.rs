//! Tests of the standard layers and of validation.

use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};
use lanternfell_surface::layers::ControlMap;

use super::*;

/// A ramp along x, constant along z. With a relief of 100 m it reaches from -20 m in the west to 80 m in the east.
fn ramp(relief: f32) -> ControlMap {
    let size = MapSize::new(200, 8).unwrap();
    let map = Heightmap::from_fn(size, |x, _| x as f32 / 199.0).unwrap();
    let scale = Scale {
        spacing: 1.0,
        relief,
    };
    let rules = TerrainLayers::default().rules();
    ControlMap::of(&rules, &map, scale, 0.2, &Progress::default()).unwrap()
}

fn names(control: &ControlMap, columns: std::ops::Range<usize>) -> Vec<String> {
    let layers = TerrainLayers::default();
    let rows = 0..control.size().height();
    let cells = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let mut names: Vec<String> = cells
        .map(|(x, y)| {
            let [first, _] = control.texels()[y * control.size().width() + x];
            layers.layers[usize::from(first & 15)].name.clone()
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn standard_layers_are_valid_for_any_zones() {
    let zones = [
        LayerZones::default(),
        LayerZones {
            sand_height: 0.0,
            rock_slope: 0.0,
            snow_line: -1.0,
            patches: 0.0,
            river_beds: f32::NAN,
        },
        LayerZones {
            sand_height: 500.0,
            rock_slope: 90.0,
            snow_line: 9.0,
            patches: 1e5,
            river_beds: 1e6,
        },
    ];
    for zones in &zones {
        assert!(
            TerrainLayers::temperate(zones).validate().is_ok(),
            "{zones:?}"
        );
        assert!(TerrainLayers::desert(zones).validate().is_ok(), "{zones:?}");
    }
}

#[test]
fn temperate_has_sand_below_green_below_snow() {
    let gentle = ramp(20.0);
    assert_eq!(names(&gentle, 0..30), ["sand"]);
    let green = names(&gentle, 80..120);
    let grown = [
        "dry grass",
        "forest floor",
        "grass",
        "meadow",
        "moss",
        "mud",
    ];
    assert!(
        green.iter().all(|name| grown.contains(&name.as_str())),
        "{green:?}"
    );
    assert_eq!(names(&gentle, 185..200), ["snow"]);
    let steep = names(&ramp(400.0), 60..140);
    let rocks = ["basalt", "granite", "sandstone"];
    assert!(
        steep.iter().all(|name| rocks.contains(&name.as_str())),
        "{steep:?}"
    );
}

#[test]
fn temperate_uses_every_procedural_texture() {
    let layers = TerrainLayers::default();
    let made: Vec<GroundKind> = layers
        .layers
        .iter()
        .filter_map(|layer| match layer.texture {
            LayerTexture::Procedural(kind) => Some(kind),
            LayerTexture::Images(_) => None,
        })
        .collect();
    assert!(GroundKind::ALL.iter().all(|kind| made.contains(kind)));
    assert_eq!(
        layers.index("snow").map(usize::from),
        layers.layers.iter().position(|layer| layer.name == "snow")
    );
    assert_eq!(layers.index("lava"), None);
}

#[test]
fn rejects_too_many_layers() {
    let too_many = TerrainLayers::new(vec![TerrainLayer::default(); 17]);
    let error = too_many.validate().unwrap_err().to_string();
    assert_eq!(error, "17 layers: 1 to 16 are allowed");
    assert!(
        TerrainLayers::single(TerrainLayer::default())
            .validate()
            .is_ok()
    );
}
