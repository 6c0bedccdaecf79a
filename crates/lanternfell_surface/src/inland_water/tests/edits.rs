//! Tests of rivers and lakes after edits of the terrain.

use lanternfell_heightmap::{
    FractalNoise, Heightmap, MapSize, Progress, Scale,
    hydrology::{EditableDrainage, Hydrology},
};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;

use crate::inland_water::{InlandWater, RiverEnd, RiverWater, WaterBody, Waters};

/// All bits of a carved map and its water.
fn bits(map: &Heightmap, waters: &Waters) -> (Vec<u32>, Vec<u8>) {
    let heights = map.heights().iter().map(|z| z.to_bits()).collect();
    (heights, postcard::to_allocvec(waters).unwrap())
}

/// A terrain that is edited.
struct Edited {
    map: Heightmap,
    scale: Scale,
    drainage: EditableDrainage,
}

impl Edited {
    fn new(map: Heightmap, scale: Scale, sea_level: Option<f32>) -> Self {
        let hydrology = Hydrology {
            sea_level,
            border: true,
        };
        Self {
            map,
            scale,
            drainage: EditableDrainage::new(hydrology),
        }
    }

    /// Changes heights. `edit` is called with the column, the row and the height of each cell.
    fn edit(&mut self, edit: impl Fn(f32, f32, f32) -> f32) {
        let (size, heights) = (self.map.size(), self.map.heights());
        let new = |x: usize, y: usize| edit(x as f32, y as f32, heights[y * size.width() + x]);
        self.map = Heightmap::from_fn(size, new).unwrap();
    }

    /// Carves beds into a copy of the map.
    fn carve(&mut self) -> (Heightmap, Waters) {
        let (inland, mut map) = (InlandWater::default(), self.map.clone());
        let progress = Progress::default();
        let waters = inland.carve_edited(&mut map, self.scale, &mut self.drainage, &progress);
        (map, waters.unwrap())
    }

    /// The same without the kept drainage.
    fn carve_all(&self) -> (Heightmap, Waters) {
        let (inland, mut map) = (InlandWater::default(), self.map.clone());
        let (hydrology, progress) = (self.drainage.hydrology(), Progress::default());
        let waters = inland.carve(&mut map, self.scale, hydrology, &progress);
        (map, waters.unwrap())
    }

    /// The position of a cell in meters.
    fn place(&self, x: usize, y: usize) -> (f32, f32) {
        let middle = |cells: usize| 0.5 * (cells - 1) as f32;
        let (x, y) = (
            x as f32 - middle(self.map.width()),
            y as f32 - middle(self.map.height()),
        );
        (x * self.scale.spacing, y * self.scale.spacing)
    }
}

/// A valley that falls to the south by 0.4 m per cell. Its sides rise by 1 m per cell. Heights are
/// fractions of 100 m.
fn valley(x: f32, y: f32) -> f32 {
    0.5 + 0.01 * (x - 32.0).abs() - 0.004 * y
}

/// The valley, with a lake of 9 x 9 cells in the east of its middle. The lake is 4 m deep.
fn valley_with_lake(x: f32, y: f32) -> f32 {
    let ground = valley(x, y);
    let in_lake = (x - 50.0).abs() <= 4.0 && (y - 24.0).abs() <= 4.0;
    if in_lake { 0.45 } else { ground }
}

fn edited(height: impl Fn(f32, f32) -> f32) -> Edited {
    let size = MapSize::new(65, 65).unwrap();
    let map = Heightmap::from_fn(size, |x, y| height(x as f32, y as f32)).unwrap();
    let scale = Scale {
        spacing: 8.0,
        relief: 100.0,
    };
    Edited::new(map, scale, None)
}

#[test]
fn lake_rises_behind_dam_to_its_lowest_point() {
    let mut terrain = edited(valley);
    let before = terrain.carve();
    assert_eq!((before.1.rivers().len(), before.1.lakes().len()), (1, 0));
    // A dam 12 m above the valley, with a lower cell, which is 7 m above it.
    let dry = terrain.map.clone();
    terrain.edit(|x, y, z| match y as usize {
        40 if x == 28.0 => z.max(0.41),
        40 => z.max(0.46),
        _ => z,
    });
    let (_, waters) = terrain.carve();
    let [lake] = waters.lakes() else {
        panic!("{} lakes", waters.lakes().len());
    };
    assert_eq!(lake.level, 41.0);
    let (x, z) = terrain.place(32, 38);
    let water = waters.at(x, z).unwrap();
    assert_eq!((water.height, water.body), (41.0, WaterBody::Lake(0)));
    assert!((water.depth - 6.2).abs() < 0.01, "{}", water.depth);
    // Water flows into the lake, and leaves it only over the lowest point of the dam.
    let rivers = || waters.rivers().iter();
    assert!(rivers().any(|river| river.end == RiverEnd::Lake(0)));
    let at_dam = |river: &&RiverWater| {
        let (_, z) = terrain.place(0, 40);
        let mut points = river.points.iter().map(|point| point.position);
        let (west, east) = (terrain.place(27, 40).0, terrain.place(29, 40).0);
        let point = points.find(|at| (at[2] - z).abs() < 4.0);
        point
            .inspect(|at| assert!((west..east).contains(&at[0]), "{at:?}"))
            .is_some()
    };
    let over_dam: Vec<_> = rivers()
        .filter(at_dam)
        .map(|river| river.from_lake)
        .collect();
    assert_eq!(over_dam, [Some(0)]);
    // Without the dam, the water is the same as before.
    terrain.map = dry;
    let after = terrain.carve();
    assert!(bits(&after.0, &after.1) == bits(&before.0, &before.1));
}

#[test]
fn canal_drains_lake() {
    let mut terrain = edited(valley_with_lake);
    let before = terrain.carve();
    let [lake] = before.1.lakes() else {
        panic!("{} lakes", before.1.lakes().len());
    };
    let full = lake.level;
    assert!(full > 47.0, "{full}");
    // A canal to the west, from 2 m above the lake bed down to the valley.
    let dry = terrain.map.clone();
    terrain.edit(|x, y, z| {
        let canal = (y - 24.0).abs() <= 1.0 && (32.0..=46.0).contains(&x);
        if canal {
            z.min(0.47 - 0.005 * (44.0 - x).max(0.0))
        } else {
            z
        }
    });
    let (_, waters) = terrain.carve();
    let [lake] = waters.lakes() else {
        panic!("{} lakes", waters.lakes().len());
    };
    assert!(
        (46.9..47.01).contains(&lake.level),
        "{} after {full}",
        lake.level
    );
    terrain.map = dry;
    let after = terrain.carve();
    assert!(bits(&after.0, &after.1) == bits(&before.0, &before.1));
}

#[test]
fn canal_between_valleys_fills_with_their_water() {
    // The valley falls to the south. A canal leads its water out to the east.
    let mut terrain = edited(valley);
    let (x, z) = terrain.place(52, 30);
    let before = terrain.carve();
    assert_eq!(before.1.at(x, z), None);
    terrain.edit(|x, y, z| {
        let canal = y == 30.0 && x >= 31.0;
        if canal {
            z.min(0.37 - 0.001 * (x - 31.0))
        } else {
            z
        }
    });
    let (_, waters) = terrain.carve();
    let water = waters.at(x, z).unwrap();
    assert!(matches!(water.body, WaterBody::River(_)), "{water:?}");
    assert!(water.velocity[0] > 0.1, "{water:?}");
    assert!((34.0..36.0).contains(&water.height), "{water:?}");
}

#[test]
fn trench_without_outlet_fills_to_its_rim() {
    let mut terrain = edited(valley);
    assert!(terrain.carve().1.lakes().is_empty());
    // A trench along the valley, 5 m deep at its upper end.
    let trench = |x: f32, y: f32| (x - 32.0).abs() <= 1.0 && (20.0..=30.0).contains(&y);
    let bottom = valley(32.0, 20.0) - 0.05;
    terrain.edit(|x, y, z| if trench(x, y) { z.min(bottom) } else { z });
    let (_, waters) = terrain.carve();
    let [lake] = waters.lakes() else {
        panic!("{} lakes", waters.lakes().len());
    };
    // It spills to the first cell below its lower end.
    let rim = 100.0 * valley(32.0, 31.0);
    assert!(
        (lake.level - rim).abs() < 1e-4,
        "{} instead of {rim}",
        lake.level
    );
}

/// Raises, lowers or levels discs and lines of random size.
fn edit(terrain: &mut Edited, rng: &mut SeededRng) {
    let (width, height) = (terrain.map.width() as u64, terrain.map.height() as u64);
    let mut place = || (rng.below(width) as f32, rng.below(height) as f32);
    let ((x, y), (to_x, to_y)) = (place(), place());
    let radius = [0.5, 1.5, 3.0, 8.0][rng.below(4) as usize];
    let length = if rng.percent(60) { 1.0 } else { 0.0 };
    let (along_x, along_y) = (length * (to_x - x), length * (to_y - y));
    let square = (along_x * along_x + along_y * along_y).max(1.0);
    let (kind, level) = (rng.below(5), rng.below(100) as f32 / 100.0);
    terrain.edit(|column, row, z| {
        let (dx, dy) = (column - x, row - y);
        let part = ((dx * along_x + dy * along_y) / square).clamp(0.0, 1.0);
        if (dx - part * along_x).hypot(dy - part * along_y) >= radius {
            return z;
        }
        match kind {
            0 => z + 0.1,
            1 => z - 0.1,
            2 => level,
            3 => z.max(level),
            _ => z.min(level),
        }
    });
}

#[test]
fn edited_water_equals_new_one() {
    let mut rng = SeededRng::new(1, b"edits   ");
    let (mut with_rivers, mut with_lakes) = (0, 0);
    let edits = cases(500, 10_000);
    for case in 0..edits / 10 {
        let size = MapSize::new(40 + rng.below(26), 40 + rng.below(26)).unwrap();
        let noise = FractalNoise {
            scale: 60.0,
            ..FractalNoise::default()
        };
        let seed = rng.below(1 << 30);
        let map = noise.generate(size, seed, &Progress::default()).unwrap();
        let scale = Scale {
            spacing: 8.0,
            relief: 150.0,
        };
        let mut terrain = Edited::new(map, scale, rng.percent(50).then_some(0.3));
        terrain.carve();
        for turn in 0..10 {
            let before = terrain.map.clone();
            edit(&mut terrain, &mut rng);
            if rng.percent(10) {
                terrain.map = before;
            }
            let ((map, waters), all) = (terrain.carve(), terrain.carve_all());
            assert!(
                bits(&map, &waters) == bits(&all.0, &all.1),
                "case {case}, edit {turn}"
            );
            with_rivers += u32::from(!waters.rivers().is_empty());
            with_lakes += u32::from(!waters.lakes().is_empty());
        }
    }
    assert!(with_rivers > edits / 5, "{with_rivers} of {edits}");
    assert!(with_lakes > edits / 5, "{with_lakes} of {edits}");
}
