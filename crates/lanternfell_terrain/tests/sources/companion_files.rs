//! Files next to a map's file: sidecars, world files, projections.

use bevy::prelude::*;
use lanternfell_terrain::{
    heightmap::{CoordinateSystem, GeoReference},
    io::{self, Fill, Format, ReadOptions, Sidecar},
    prelude::*,
};

use crate::common::*;

/// The terrain of a PGM file, which contains no metadata, with these files next to it.
fn ground(companions: &[(&str, Vec<u8>)]) -> TerrainSurface {
    let mut studio = Studio::new();
    studio.write("maps/land.pgm", written(&placed(1), Format::Pgm));
    for (name, bytes) in companions {
        studio.write(&format!("maps/{name}"), bytes.clone());
    }
    let file = studio.load("maps/land.pgm");
    let entity = studio.spawn(Terrain::new(file));
    studio.ground(entity).clone()
}

fn sidecar(model: &ElevationModel) -> Vec<u8> {
    let mut json = Vec::new();
    let sidecar = Sidecar::of(model, None, model.frame.elevation);
    sidecar.write(&mut json).unwrap();
    json
}

#[test]
fn sidecar_sets_frame_and_scale() {
    let model = placed(1);
    let ground = ground(&[("land.pgm.json", sidecar(&model))]);
    assert_eq!(ground.frame(), &model.frame);
    assert_eq!(ground.surface().scale().spacing, 25.0);
    assert_eq!(ground.surface().scale().relief, 642.0);
    assert_eq!(ground.datum(), -42.0);
}

#[test]
fn world_file_and_projection_set_the_place() {
    let world = b"30\n0\n0\n-30\n1015\n2585\n".to_vec();
    let system = CoordinateSystem::Projected(32_633);
    let prj = io::gdal_projection(system).unwrap().into_bytes();
    let ground = ground(&[("land.pmw", world.clone()), ("land.prj", prj)]);
    let expected = GeoReference {
        system: Some(system),
        ..GeoReference::at([1000.0, 2000.0], 30.0)
    };
    assert_eq!(ground.frame().place, expected);
    let wld = self::ground(&[("land.wld", world)]);
    assert_eq!(wld.frame().place.corner, [1000.0, 2000.0]);
    assert_eq!(wld.surface().scale().spacing, 30.0);
}

#[test]
fn ignores_damaged_and_mismatched_files() {
    let plain = ground(&[]);
    let mut other = placed(1);
    other.heights = bumps(9, 9, 1);
    for content in [
        b"<html>404</html>".to_vec(),
        Vec::new(),
        vec![0xff; 100],
        sidecar(&other),
    ] {
        let companions = [
            ("land.pgm.json", content.clone()),
            ("land.pmw", b"north".to_vec()),
        ];
        let ground = ground(&companions);
        assert_eq!(ground.frame(), plain.frame(), "{content:?}");
        assert_eq!(ground.map(), plain.map(), "{content:?}");
    }
}

#[test]
fn fills_missing_heights_if_set() {
    let mut studio = Studio::new();
    let grid = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n\
                10 20 -9999\n30 20 10\n";
    studio.write("land.asc", grid);
    studio.write("filled.asc", grid);
    let file = studio.load("land.asc");
    studio.spawn(Terrain::new(file));
    assert!(
        studio.last_error().contains("has no height"),
        "{}",
        studio.last_error()
    );
    let fill = |options: &mut ReadOptions| options.fill = Some(Fill::Height(25.0));
    let builder = studio.server().load_builder().with_settings(fill);
    let file: Handle<TerrainFile> = builder.load("filled.asc");
    let entity = studio.spawn(Terrain::new(file));
    let ground = studio.ground(entity);
    let elevation = ground.frame().elevation;
    assert_eq!(elevation.meters(ground.map().get(2, 0)), 25.0);
    assert_eq!(ground.frame().no_data, Some(-9999.0));
}
