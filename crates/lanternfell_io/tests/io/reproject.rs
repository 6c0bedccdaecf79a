//! Projections of maps with unusual georeferences.

use lanternfell_heightmap::{
    CoordinateSystem, GeoReference, Heightmap, LengthUnit, MapSize, Progress, SeededRng,
    filter::Resampling,
};
use lanternfell_io::{Extent, Plane, Reprojection, ReprojectionError};

const EXTREMES: [f64; 13] = [
    0.0,
    1e-300,
    1e-9,
    1.0,
    8.5,
    89.9,
    179.9,
    180.0,
    720.0,
    5e5,
    1e7,
    1e300,
    f64::MAX,
];

/// Any georeference gives a grid or an error, and the heights of a grid are those of the map or missing.
#[test]
fn unusual_georeferences_never_panic() {
    let mut rng = SeededRng::new(3, b"project ");
    let size = MapSize::new(7, 5).unwrap();
    let map = Heightmap::from_heights(size, (0..35).map(|z| z as f32).collect()).unwrap();
    let mut grids = 0;
    for _ in 0..4000 {
        let mut pick = |count: usize| (rng.unit() * count as f64) as usize;
        let number = |pick: &mut dyn FnMut(usize) -> usize| {
            EXTREMES[pick(EXTREMES.len())] * [1.0, -1.0][pick(2)]
        };
        let corner = [number(&mut pick), number(&mut pick)];
        let cell = [number(&mut pick), number(&mut pick)].map(|cell: f64| cell.abs().max(1e-300));
        let codes = [4326, 4258, 3857, 32_601, 32_760, 25_832, 2056, 32_767, 0];
        let code = codes[pick(codes.len())];
        let place = GeoReference {
            corner,
            cell,
            unit: [LengthUnit::Meter, LengthUnit::UsSurveyFoot][pick(2)],
            system: [
                None,
                Some(CoordinateSystem::Projected(code)),
                Some(CoordinateSystem::Geographic(code)),
            ][pick(3)],
        };
        let plane = [Plane::Utm, Plane::Meters][pick(2)];
        let extent = [Extent::Covered, Extent::Whole][pick(2)];
        let cell = [None, Some(number(&mut pick))][pick(2)];
        let Ok(grid) = Reprojection::new((place, size), plane, cell, extent) else {
            continue;
        };
        grids += 1;
        if grid.size().cells() < 10_000 {
            let progress = Progress::default();
            let heights = grid.heights(&map, Resampling::Bilinear, None, &progress);
            for z in heights.unwrap() {
                assert!(z.is_nan() || (0.0..=34.0).contains(&z), "{place:?}: {z}");
            }
        }
    }
    assert!(grids > 50, "{grids}");
}

#[test]
fn covered_grid_has_a_height_in_every_cell() {
    let size = MapSize::new(50, 40).unwrap();
    let map = Heightmap::from_heights(size, vec![5.0; size.cells()]).unwrap();
    for (west, south, cell) in [(8.0, 46.0, 0.01), (-71.0, -33.0, 0.05), (20.0, 69.0, 0.02)] {
        let place = GeoReference {
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at([west, south], cell)
        };
        for plane in [Plane::Utm, Plane::Meters] {
            let missing = |extent| {
                let grid = Reprojection::new((place, size), plane, None, extent).unwrap();
                let heights = grid
                    .heights(&map, Resampling::Bicubic, None, &Progress::default())
                    .unwrap();
                heights.iter().filter(|z| z.is_nan()).count()
            };
            assert_eq!(missing(Extent::Covered), 0, "{place:?}");
            assert!(missing(Extent::Whole) > 0, "{place:?}");
        }
    }
}

#[test]
fn errors_name_the_value() {
    let size = MapSize::new(10, 10).unwrap();
    let error = |place: GeoReference, cell| {
        Reprojection::new((place, size), Plane::Utm, cell, Extent::Covered).unwrap_err()
    };
    let degrees = GeoReference {
        system: Some(CoordinateSystem::Geographic(4326)),
        ..GeoReference::at([8.0, 46.0], 0.01)
    };
    let nowhere = GeoReference::at([0.0, 0.0], 1.0);
    let message = error(nowhere, None).to_string();
    assert!(message.contains("without a coordinate system"), "{message}");
    let swiss = GeoReference {
        system: Some(CoordinateSystem::Projected(2056)),
        ..nowhere
    };
    assert!(error(swiss, None).to_string().contains("EPSG:2056"));
    for cell in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            error(degrees, Some(cell)),
            ReprojectionError::Cell { .. }
        ));
    }
    let message = error(degrees, Some(0.1)).to_string();
    assert!(message.contains("cells of 0.100 m: size"), "{message}");
}
