//! Regions of land and water, and the distance to the coast.

use super::*;

/// Flood fill from each cell that is not yet part of a region.
fn flooded(map: &Heightmap, find: FindRegions) -> Vec<u32> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let land = |x: i32, y: i32| map.get(x as usize, y as usize) > find.sea_level;
    let mut labels = vec![u32::MAX; map.size().cells()];
    let mut count = 0;
    for first in 0..labels.len() {
        if labels[first] != u32::MAX {
            continue;
        }
        labels[first] = count;
        let mut open = vec![(first as i32 % width, first as i32 / width)];
        while let Some((x, y)) = open.pop() {
            let corners = land(x, y) == (find.connectivity == Connectivity::Eight);
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let (nx, ny) = (x + dx, y + dy);
                let reached = corners || dx == 0 || dy == 0;
                if !reached || nx < 0 || ny < 0 || nx >= width || ny >= height {
                    continue;
                }
                let label = &mut labels[(ny * width + nx) as usize];
                if *label == u32::MAX && land(nx, ny) == land(x, y) {
                    *label = count;
                    open.push((nx, ny));
                }
            }
        }
        count += 1;
    }
    labels
}

#[test]
fn regions_match_a_flood_fill() {
    let mut rng = SeededRng::new(31, b"test    ");
    for round in 0..200 {
        let size = any_size(&mut rng);
        let map = noise(&mut rng, size);
        let connectivity = [Connectivity::Four, Connectivity::Eight][round % 2];
        let find = FindRegions {
            sea_level: rng.unit() as f32,
            connectivity,
        };
        let regions = find.of(&map, &go()).unwrap();
        assert_eq!(
            regions.labels(),
            flooded(&map, find),
            "round {round}: {find:?}"
        );
        let mut cells = vec![Vec::new(); regions.list().len()];
        for (x, y) in inner(&map, 0) {
            cells[regions.at(x, y).label as usize].push((x, y));
        }
        for (cells, region) in cells.iter().zip(regions.list()) {
            let columns = || cells.iter().map(|cell| cell.0);
            let rows = || cells.iter().map(|cell| cell.1);
            let border = |&(x, y): &(usize, usize)| {
                x == 0 || y == 0 || x == size.width() - 1 || y == size.height() - 1
            };
            let expected = Region {
                label: region.label,
                land: map.get(cells[0].0, cells[0].1) > find.sea_level,
                cells: cells.len() as u64,
                columns: (columns().min().unwrap(), columns().max().unwrap()),
                rows: (rows().min().unwrap(), rows().max().unwrap()),
                touches_border: cells.iter().any(border),
            };
            assert_eq!(*region, expected, "round {round}: {find:?}");
        }
    }
}

#[test]
fn lake_on_an_island_is_neither_ocean_nor_land() {
    let ring = |x: f64, y: f64| {
        let radius = f64::hypot(x - 20.0, y - 20.0);
        f64::from(u8::from((6.0..14.0).contains(&radius)))
    };
    // Also a skerry of two cells.
    let map = map_of(size(41, 41), |x, y| {
        if y == 2.0 && x < 4.0 && x > 1.0 {
            1.0
        } else {
            ring(x, y)
        }
    });
    let regions = FindRegions::default().of(&map, &go()).unwrap();
    let islands = regions.islands();
    assert_eq!(islands.len(), 2);
    assert!(islands[0].cells > islands[1].cells && islands[1].cells == 2);
    assert_eq!(islands[1].columns, (2, 3));
    assert_eq!(islands[1].area(SCALE), 8.0);
    let lakes = regions.lakes();
    assert_eq!(lakes.len(), 1);
    assert_eq!(*regions.at(20, 20), lakes[0]);
    assert!(regions.at(0, 0).touches_border && !regions.at(0, 0).land);
}

/// The distance to the nearest cell of the other kind, by testing all cells.
fn nearest(map: &Heightmap, sea_level: f32, (x, y): (usize, usize)) -> Option<f64> {
    let land = map.get(x, y) > sea_level;
    let others = inner(map, 0).filter(|&(i, j)| (map.get(i, j) > sea_level) != land);
    let squares = others.map(|(i, j)| i.abs_diff(x).pow(2) + j.abs_diff(y).pow(2));
    squares.min().map(|square| (square as f64).sqrt())
}

#[test]
fn coast_distance_matches_brute_force() {
    let mut rng = SeededRng::new(41, b"test    ");
    for round in 0..60 {
        let size = any_size(&mut rng);
        let map = noise(&mut rng, size);
        // Often almost all land or almost all sea.
        let sea_level = [0.02, 0.5, 0.97, 0.995, 2.0][rng.below(5) as usize];
        let distance = CoastDistance { sea_level }.of(&map, SCALE, &go()).unwrap();
        for (x, y) in inner(&map, 0) {
            let diagonal = f64::hypot(size.width() as f64, size.height() as f64);
            let cells = nearest(&map, sea_level, (x, y)).map_or(diagonal, |d| d - 0.5);
            let sign = if map.get(x, y) > sea_level { 1.0 } else { -1.0 };
            assert_eq!(
                distance.get(x, y),
                (sign * 2.0 * cells) as f32,
                "round {round}: ({x}, {y}) from {sea_level}"
            );
        }
    }
}

#[test]
fn coast_distance_works_on_the_longest_maps() {
    for (width, height) in [(16_384, 2), (2, 16_384)] {
        let far = |x: f64, y: f64| if x + y == 0.0 { 1.0 } else { 0.0 };
        let map = map_of(size(width, height), far);
        let distance = CoastDistance::default().of(&map, UNIT, &go()).unwrap();
        let last = distance.get(map.width() - 1, map.height() - 1);
        assert_eq!(
            last,
            -(f64::hypot(16_383.0, 1.0) - 0.5) as f32,
            "{width}x{height}"
        );
    }
}
