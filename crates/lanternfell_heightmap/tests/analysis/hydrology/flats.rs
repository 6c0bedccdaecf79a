//! Paths across lakes and flats, compared with distances that are found by repeated relaxation.

use super::{drainage::steepest, *};

/// The flats of a drained map.
struct Flats<'a> {
    size: MapSize,
    levels: &'a [f32],
    /// Whether each cell has neither a descent nor an outlet.
    flat: Vec<bool>,
}

impl<'a> Flats<'a> {
    fn of(water: Hydrology, ground: &Heightmap, drainage: &'a Drainage) -> Self {
        let (size, levels) = (ground.size(), drainage.filled().heights());
        let flat = |cell| !is_outlet(water, ground, cell) && steepest(size, levels, cell).is_none();
        Self {
            size,
            levels,
            flat: (0..levels.len()).map(flat).collect(),
        }
    }

    /// The neighbors at the same level.
    fn level(&self, cell: usize) -> Vec<usize> {
        let mut around = neighbors(self.size, cell);
        around.retain(|&next| self.levels[next] == self.levels[cell]);
        around
    }

    /// The neighbors on the shore, the straight ones first.
    fn shore(&self, cell: usize) -> Vec<usize> {
        let width = self.size.width();
        let mut shore = self.level(cell);
        shore.retain(|&next| !self.flat[next]);
        shore.sort_by_key(|&next| next % width != cell % width && next / width != cell / width);
        shore
    }

    /// The number of steps within the flat from the cells for which `start` returns true, which are 1 away.
    fn distances(&self, start: impl Fn(usize) -> bool) -> Vec<Option<i64>> {
        let mut distances: Vec<Option<i64>> = (0..self.flat.len())
            .map(|cell| (self.flat[cell] && start(cell)).then_some(1))
            .collect();
        loop {
            let before = distances.clone();
            for cell in (0..self.flat.len()).filter(|&cell| self.flat[cell]) {
                for next in self.level(cell) {
                    let through = before[next].map(|distance| distance + 1);
                    if let Some(through) = through.filter(|_| self.flat[next]) {
                        let known = distances[cell].unwrap_or(i64::MAX);
                        distances[cell] = Some(known.min(through));
                    }
                }
            }
            if distances == before {
                return distances;
            }
        }
    }
}

/// Source: the gradients of Garbrecht and Martz (1997), as in Barnes, Lehman and Mulla (2014).
#[test]
fn water_crosses_flats_away_from_higher_and_toward_lower_terrain() {
    let (mut near_shore, mut inside) = (0, 0);
    let mut check = |case: &str, water: Hydrology, ground: &Heightmap| {
        let drainage = drain(water, ground);
        let flats = Flats::of(water, ground, &drainage);
        let higher = |cell| {
            let around = neighbors(flats.size, cell).into_iter();
            around
                .map(|next| flats.levels[next])
                .any(|level| level > flats.levels[cell])
        };
        let away = flats.distances(higher);
        let toward = flats.distances(|cell| !flats.shore(cell).is_empty());
        let height = |cell: usize| 2 * toward[cell].unwrap() - away[cell].unwrap_or(0);
        for cell in (0..flats.flat.len()).filter(|&cell| flats.flat[cell]) {
            let to = receiver(&drainage, cell).unwrap();
            assert_eq!(flats.levels[to], flats.levels[cell], "{case}: cell {cell}");
            if let Some(&shore) = flats.shore(cell).first() {
                near_shore += 1;
                assert_eq!(to, shore, "{case}: cell {cell}");
            } else {
                inside += 1;
                assert!(height(to) < height(cell), "{case}: cell {cell}");
            }
        }
    };
    for_each_case(&mut check);
    for seed in 0..40 {
        // Wide flats: few steps, in blocks of cells.
        let blocks = ground(size(6, 5), 2, seed);
        let height = |cell: usize| blocks.heights()[cell / 30 / 6 * 6 + cell % 30 / 5];
        let map = Heightmap::from_heights(size(30, 30), (0..900).map(height).collect()).unwrap();
        check(
            &format!("blocks, seed {seed}"),
            SEAS[seed as usize % 4],
            &map,
        );
    }
    assert!(near_shore > 1000 && inside > 1000, "{near_shore} {inside}");
}

/// Source: rivers on a flat of 120 x 300 cells were parallel diagonals, a few cells apart.
#[test]
fn streams_join_on_a_wide_flat() {
    let (width, height) = (124, 304);
    let z = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let wall = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
        match (x, y) {
            (62, 302..) => -1.0,
            _ => f32::from(u8::from(wall)),
        }
    };
    let size = size(width as u64, height as u64);
    let map = Heightmap::from_heights(size, (0..size.cells()).map(z).collect()).unwrap();
    let drainage = drain(Hydrology::default(), &map);
    let areas = drainage.areas(&Progress::default()).unwrap();
    let area = |x: usize, y: usize| areas[y * width + x];
    // Half of the flat is above the middle row. One river carries most of its water.
    let river = (2..122).map(|x| area(x, 152)).max().unwrap();
    assert!(river > 120 * 150 / 2, "{river}");
    // Toward the middle, the flat has one stream in a few cells, and not one per row.
    for x in [42, 52, 72, 82] {
        let streams = (80..240).filter(|&y| area(x, y) >= 40).count();
        assert!((10..70).contains(&streams), "{streams} streams at {x}");
    }
}
