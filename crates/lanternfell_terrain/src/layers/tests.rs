//! The grounds that come along can be laid, and say what is wrong where they are changed.

use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale};
use lanternfell_surface::layers::ControlMap;

use super::*;

/// From -20 m at the west to 80 m at the east, level along z: every height, and one slope.
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
fn grounds_that_come_along_are_valid_in_any_zones() {
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
fn temperate_ground_is_sand_below_green_below_snow() {
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
fn every_made_texture_lies_somewhere() {
    let layers = TerrainLayers::default();
    let made: Vec<GroundKind> = layers
        .layers
        .iter()
        .filter_map(|layer| match layer.texture {
            LayerTexture::Made(kind) => Some(kind),
            LayerTexture::Pictures(_) => None,
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
fn too_many_layers_are_refused() {
    let too_many = TerrainLayers::new(vec![GroundLayer::default(); 17]);
    let error = too_many.validate().unwrap_err().to_string();
    assert_eq!(error, "17 layers: there must be from 1 to 16");
    assert!(
        TerrainLayers::single(GroundLayer::default())
            .validate()
            .is_ok()
    );
}
