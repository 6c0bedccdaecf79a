//! Conversion between local and geographic positions.

use bevy::prelude::*;
use lanternfell_terrain::{GeoPosition, heightmap::SeededRng, prelude::*};

use crate::common::*;

/// Terrains with different places, cell sizes and scales.
fn grounds() -> Vec<TerrainSurface> {
    let mut studio = Studio::new();
    let with = |corner, cell: f64| {
        let mut model = placed(1);
        model.frame.place.corner = corner;
        model.frame.place.cell = [cell; 2];
        Terrain::new(model)
    };
    let scale = Scale {
        spacing: 0.7,
        relief: 13.0,
    };
    let terrains = [
        with([500_000.0, 5_200_000.0], 25.0),
        with([-3_456_789.125, 12.3], 0.1),
        with([1e7, -1e7], 1.0 / 3.0),
        with([500_000.0, 5_200_000.0], 30.0).with_scale(scale),
        Terrain::new(hills(1)),
    ];
    terrains
        .into_iter()
        .map(|terrain| {
            let entity = studio.spawn(terrain);
            studio.ground(entity).clone()
        })
        .collect()
}

#[test]
fn cells_have_exact_positions() {
    for ground in grounds() {
        let (frame, map) = (ground.frame(), ground.map());
        for row in 0..map.height() {
            for column in 0..map.width() {
                let vertex = ground.surface().vertex(column, row);
                let found = ground.geo_position(vertex);
                let place = frame
                    .place
                    .position([column as f64, row as f64], map.height());
                assert_eq!([found.easting, found.northing], place, "{column}, {row}");
                let meters = frame.elevation.meters(map.get(column, row));
                let off = (found.elevation - meters).abs();
                assert!(
                    off < 1e-6 * frame.elevation.relief,
                    "{column}, {row}: {off}"
                );
                // The way back is exact in x and z, and up to rounding in y.
                let back = ground.local_position(found);
                assert_eq!((back.x, back.z), (vertex.x, vertex.z), "{column}, {row}");
                assert!((back.y - vertex.y).abs() <= 1e-6 * ground.surface().scale().relief);
            }
        }
    }
}

#[test]
fn corner_and_north_match_the_frame() {
    let ground = &grounds()[0];
    let half = ground.surface().half_extent();
    // The center of the south-west cell, half a cell from its corner.
    let south_west = ground.geo_position(Vec3::new(-half.x, 0.0, half.y));
    assert_eq!(
        south_west,
        GeoPosition {
            easting: 500_012.5,
            northing: 5_200_012.5,
            elevation: -42.0,
        }
    );
    let north = ground.geo_position(Vec3::new(-half.x, 642.0, half.y - 100.0));
    assert_eq!((north.easting, north.northing), (500_012.5, 5_200_112.5));
    assert!((north.elevation - 600.0).abs() < 1e-9);
}

#[test]
fn positions_survive_a_round_trip() {
    let mut rng = SeededRng::new(4, b"places  ");
    for ground in grounds() {
        let half = ground.surface().half_extent();
        for _ in 0..500 {
            // Also outside the terrain.
            let mut part = |extent: f32| ((rng.unit() * 4.0 - 2.0) as f32) * extent;
            let (x, z) = (part(half.x), part(half.y));
            let local = Vec3::new(x, part(100.0), z);
            let back = ground.local_position(ground.geo_position(local));
            let tolerance = 4e-7 * (half.max_element() + 200.0);
            assert!(local.distance(back) <= tolerance, "{local}: {back}");
        }
    }
}
