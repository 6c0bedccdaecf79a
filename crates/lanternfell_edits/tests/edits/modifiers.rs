//! Roads, platforms and stamps over the strokes of a log.

use std::sync::Arc;

use lanternfell_edits::{
    Bank, BaseHeights, Brush, CellRect, Channel, Earthwork, Edits, FlatBase, MapGrid,
    ModifiedTiles, Modifier, PathHeights, PathModifier, PathPoint, Pavement, Placement,
    PlatformModifier, StampBlend, StampImage, StampModifier, Stroke, TILE_SIDE, Tile, TileAddress,
};
use lanternfell_heightmap::Progress;
use lanternfell_random::{Fnv1a, SeededRng};

const SPACING: f32 = 2.0;
const GRID: MapGrid = MapGrid {
    columns: 200,
    rows: 150,
    spacing: SPACING,
};

/// A slope with waves.
struct Waves;

impl BaseHeights for Waves {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        let columns = i64::from(area.columns);
        for (index, height) in (0..).zip(heights) {
            let (column, row) = (area.column + index % columns, area.row + index / columns);
            let wave = |at: i64, period: i64| {
                let at = at.rem_euclid(period);
                at * (period - at)
            };
            *height = (column * 60 + wave(column, 50) * 9 + wave(row, 37) * 14) as i32;
        }
    }
}

pub fn path(points: &[[f32; 2]]) -> PathModifier {
    let point = |&[x, z]: &[f32; 2]| PathPoint {
        at: [x, 0.0, z],
        width: 8.0,
    };
    PathModifier {
        points: points.iter().map(point).collect(),
        closed: false,
        heights: PathHeights::Terrain { max_grade: 0.1 },
        offset: 0.0,
        camber: 0.0,
        earthwork: Earthwork::CutAndFill,
        bank: Bank::default(),
        pavement: Pavement {
            layer: Some(4),
            ..Pavement::default()
        },
    }
}

fn placed(x: f32, y: f32, z: f32) -> Placement {
    Placement {
        at: [x, y, z],
        direction: [0.6, 0.8],
    }
}

fn modified(
    edits: &Edits,
    modifiers: &[Modifier],
    before: Option<&ModifiedTiles>,
) -> ModifiedTiles {
    let strokes = |address| edits.tile(address).cloned();
    let mut tiles = ModifiedTiles::new(GRID);
    for modifier in modifiers {
        modifier.validate().unwrap();
        let terrain = (&**edits.base(), &strokes as _);
        tiles
            .add(modifier, terrain, before, &Progress::default())
            .unwrap();
    }
    tiles
}

fn tile(edits: &Edits, tiles: &ModifiedTiles, address: TileAddress) -> Option<Arc<Tile>> {
    tiles.tile(address, &**edits.base(), &|address| {
        edits.tile(address).cloned()
    })
}

fn addresses(tiles: &ModifiedTiles) -> impl Iterator<Item = TileAddress> {
    tiles.addresses(CellRect::new(0, 0, GRID.columns, GRID.rows))
}

/// The heights of the whole map in millimeters.
fn heights(edits: &Edits, modifiers: &[Modifier]) -> Vec<Vec<i32>> {
    let tiles = modified(edits, modifiers, None);
    let whole = CellRect::new(0, 0, GRID.columns, GRID.rows);
    let mut rows = vec![vec![0; GRID.columns as usize]; GRID.rows as usize];
    let mut base = vec![0; whole.cells()];
    edits.base().heights_mm(whole, &mut base);
    for column in 0..=3 {
        for row in 0..=2 {
            let address = TileAddress::new(Channel::Heights, column, row);
            let made = tile(edits, &tiles, address);
            let area = address.area().intersection(whole).unwrap();
            for row in area.row..area.end_row() {
                for column in area.column..area.end_column() {
                    let index = (row * i64::from(GRID.columns) + column) as usize;
                    let delta = match made.as_deref() {
                        Some(Tile::Heights(deltas)) => {
                            deltas[(row % 64 * 64 + column % 64) as usize]
                        }
                        _ => 0,
                    };
                    rows[row as usize][column as usize] = base[index] + delta;
                }
            }
        }
    }
    rows
}

/// The cell at a position in meters.
fn at(heights: &[Vec<i32>], x: f32, z: f32) -> i32 {
    let cell = |along: f32, cells: u32| (along / SPACING + (cells - 1) as f32 / 2.0) as usize;
    heights[cell(z, GRID.rows)][cell(x, GRID.columns)]
}

fn edits(strokes: usize) -> Edits {
    let mut edits = Edits::new(Arc::new(Waves));
    let mut random = SeededRng::new(3, b"modified");
    for _ in 0..strokes {
        let point = [random.within(0, 200 * 256), random.within(0, 150 * 256)].map(i64::from);
        let brush = match random.within(0, 3) {
            0 => Brush::Raise { mm: 900 },
            1 => Brush::Paint { layer: 2 },
            2 => Brush::Plants { density: 90 },
            _ => Brush::Hole,
        };
        edits
            .stroke(1, Stroke::along(brush, 9 * 256, [point]))
            .unwrap();
    }
    edits
}

fn random_modifier(random: &mut SeededRng) -> Modifier {
    let mut along = |most: i32| random.within(-most, most) as f32;
    let [x, z, far] = [along(190), along(140), along(60)];
    match along(10) as i32 {
        ..-3 => Modifier::Path(PathModifier {
            camber: 0.02,
            closed: far > 30.0,
            ..path(&[[x, z], [x + far, z - far / 2.0], [-x, -z]])
        }),
        -3..3 => Modifier::Platform(PlatformModifier {
            size: [30.0, 12.0],
            ..PlatformModifier::at(placed(x, far / 3.0, z))
        }),
        _ => Modifier::Stamp(StampModifier {
            placement: placed(x, 0.0, z),
            size: [60.0, 40.0],
            image: StampImage::new(2, [0, 4000, 8000, -2000]).unwrap(),
            scale: 1.0,
            blend: StampBlend::Add,
            fade: 0.5,
        }),
    }
}

/// Modifiers appear, move and disappear. Tiles that are recognized as equal are equal to new ones.
#[test]
fn moved_modifiers_equal_fresh_ones() {
    let edits = edits(40);
    let mut random = SeededRng::new(8, b"moves   ");
    let mut modifiers = Vec::new();
    let mut before = modified(&edits, &[], None);
    let (mut alike, mut other) = (0, 0);
    for _ in 0..60 {
        match random.within(0, 4) {
            0 if modifiers.len() > 2 => {
                modifiers.swap_remove(random.below(modifiers.len() as u64) as usize);
            }
            1 if modifiers.len() > 2 => {
                let moved = random.below(modifiers.len() as u64) as usize;
                modifiers[moved] = random_modifier(&mut random);
            }
            2 if !modifiers.is_empty() => modifiers.extend_from_within(..1),
            _ => modifiers.push(random_modifier(&mut random)),
        }
        let now = modified(&edits, &modifiers, Some(&before));
        let fresh = modified(&edits, &modifiers, None);
        assert!(addresses(&fresh).eq(addresses(&now)));
        for address in addresses(&before).chain(addresses(&now)) {
            let new = tile(&edits, &fresh, address);
            match now.is_alike(address, &before) {
                true => assert_eq!(tile(&edits, &before, address), new),
                false => assert_eq!(tile(&edits, &now, address), new),
            }
            *if now.is_alike(address, &before) {
                &mut alike
            } else {
                &mut other
            } += 1;
        }
        before = now;
    }
    assert!(alike > 100 && other > 100, "{alike} {other}");
    let none = modified(&edits, &[], Some(&before));
    for address in addresses(&before) {
        assert_eq!(tile(&edits, &none, address).as_ref(), edits.tile(address));
    }
}

#[test]
fn roads_are_level_across_and_within_their_grade() {
    let road = Modifier::Path(path(&[[-150.0, 20.0], [150.0, 20.0]]));
    let map = heights(&edits(10), &[road]);
    // The bed is 8 m wide: cells in rows 4 m apart on each side are on it.
    for x in -140..140 {
        let x = x as f32;
        let across = [-3.0, -1.0, 1.0, 3.0].map(|z| at(&map, x, 20.0 + z));
        let spread = across.iter().max().unwrap() - across.iter().min().unwrap();
        assert!(spread <= 1, "{x}: {across:?}");
        let rise = (at(&map, x + SPACING, 20.0) - at(&map, x, 20.0)).abs();
        assert!(rise <= 201, "{x}: {rise}");
    }
}

/// The bed is at the height 100 m, and the terrain below it is flat.
#[test]
fn banks_have_their_slope_and_end_at_their_reach() {
    let flat = Edits::new(Arc::new(FlatBase { height_mm: 100_500 }));
    let mut road = path(&[[-150.0, 19.0], [150.0, 19.0]]);
    road.heights = PathHeights::Points;
    for point in &mut road.points {
        point.at[1] = 100.0;
    }
    road.camber = 0.05;
    let cross = |road: &PathModifier| {
        let map = heights(&flat, &[Modifier::Path(road.clone())]);
        [0.0, 2.0, 4.0, 6.0, 8.0].map(|away| at(&map, 0.0, 19.0 + away))
    };
    // 4 m from the middle is the edge, 0.2 m below it. The bank rises by half a meter per meter, and a little more.
    assert_eq!(cross(&road), [100_000, 99_900, 99_800, 100_500, 100_500]);
    road.bank.slope = 0.1;
    let gentle = 99_800.0 + 200.0 / (1.0 - (2.0_f64 / 12.0).powi(2));
    assert_eq!(cross(&road)[3], (gentle + 0.5).floor() as i32);
    road.bank.reach = 1.0;
    assert_eq!(cross(&road)[3], 100_500);
}

/// A ring road around a hill of waves.
#[test]
fn closed_paths_have_no_step_where_they_close() {
    let ring = PathModifier {
        closed: true,
        ..path(&[[-60.0, -40.0], [60.0, -50.0], [70.0, 50.0], [-50.0, 60.0]])
    };
    let map = heights(&edits(10), &[Modifier::Path(ring.clone())]);
    for x in -62..-58 {
        let rise = at(&map, x as f32 + SPACING, -40.0) - at(&map, x as f32, -40.0);
        assert!(rise.abs() <= 210, "{rise}");
    }
    // The last point is joined to the first one.
    let open = PathModifier {
        closed: false,
        ..ring
    };
    let open = heights(&edits(10), &[Modifier::Path(open)]);
    let cells = map.iter().flatten().zip(open.iter().flatten());
    assert!(cells.filter(|(closed, open)| closed != open).count() > 200);
}

/// Between two arms of a serpentine on a steep slope, the terrain rises with the slope of the banks.
#[test]
fn arms_of_a_serpentine_share_the_slope_between_them() {
    struct Slope;
    impl BaseHeights for Slope {
        fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
            for (index, height) in (0..).zip(heights) {
                *height = (area.row + index / i64::from(area.columns)) as i32 * 500;
            }
        }
    }
    let slope = Edits::new(Arc::new(Slope));
    let mut line = path(&[[-80.0, -10.0], [60.0, -12.0], [60.0, 12.0], [-80.0, 10.0]]);
    line.bank.slope = 1.0;
    let map = heights(&slope, &[Modifier::Path(line)]);
    for z in -4..4 {
        let [low, high] = [0.0, SPACING].map(|more| at(&map, 20.0, z as f32 * SPACING + more));
        assert!((high - low).abs() <= 2100, "{z}: {low} {high}");
    }
}

#[test]
fn a_crossing_has_the_height_of_the_first_road() {
    let first = Modifier::Path(path(&[[-150.0, 0.0], [150.0, 30.0]]));
    let second = Modifier::Path(path(&[[10.0, -120.0], [-20.0, 10.0], [40.0, 120.0]]));
    let alone = heights(&edits(10), std::slice::from_ref(&first));
    let both = heights(&edits(10), &[first, second]);
    // The second road crosses the first one at about x = -19.
    let mut on_both = 0;
    for x in -24..-13 {
        let z = 0.1 * (x as f32 + 150.0);
        let rise = (at(&both, x as f32, z) - at(&alone, x as f32, z)).abs();
        // The first road has a grade of 10 % across the second.
        assert!(rise <= 500, "{x}: {rise}");
        on_both += 1;
    }
    assert!(on_both > 5);
}

/// Without meeting the platform, the road would be 9 m lower.
#[test]
fn a_road_meets_a_platform() {
    let flat = Edits::new(Arc::new(FlatBase { height_mm: 0 }));
    let platform = PlatformModifier {
        size: [40.0, 40.0],
        ..PlatformModifier::at(placed(0.0, 9.0, 0.0))
    };
    let platform = Modifier::Platform(platform);
    for offset in [0.0, -2.0] {
        let road = PathModifier {
            offset,
            ..path(&[[-180.0, -30.0], [0.0, 0.0]])
        };
        let map = heights(&flat, &[platform.clone(), Modifier::Path(road)]);
        for x in [-12.0, -6.0, 0.0, 2.0] {
            assert!((at(&map, x, x / 6.0) - 9000).abs() <= 1, "{x}");
        }
        // It rises at its grade of 10 % before.
        let before = at(&map, -60.0, -10.0);
        assert!((4000..6500).contains(&before), "{before}");
    }
}

#[test]
fn equal_modifiers_count_twice_after_every_change() {
    let stamp = Modifier::Stamp(StampModifier {
        placement: placed(0.0, 0.0, 0.0),
        size: [20.0, 20.0],
        image: StampImage::new(1, [1000]).unwrap(),
        scale: 1.0,
        blend: StampBlend::Add,
        fade: 0.0,
    });
    let (edits, both) = (edits(0), [stamp.clone(), stamp]);
    let before = modified(&edits, &both, None);
    let after = modified(&edits, &both, Some(&before));
    let address = TileAddress::of_cell(Channel::Heights, 100, 75);
    assert!(after.is_alike(address, &before));
    for tiles in [before, after] {
        let made = tile(&edits, &tiles, address);
        let Some(Tile::Heights(deltas)) = made.as_deref() else {
            panic!("{made:?}");
        };
        assert_eq!(deltas[TILE_SIDE * (75 % 64) + 100 % 64], 2000);
    }
}

#[test]
fn river_beds_only_cut_and_dams_only_fill() {
    let edits = edits(10);
    let before = heights(&edits, &[]);
    let with = |earthwork, heights: PathHeights, offset| {
        let path = PathModifier {
            earthwork,
            heights,
            offset,
            camber: -0.2,
            ..path(&[[-150.0, -60.0], [0.0, 40.0], [150.0, -20.0]])
        };
        self::heights(&edits, &[Modifier::Path(path)])
    };
    let terrain = PathHeights::Terrain { max_grade: 0.2 };
    let differences = |after: &[Vec<i32>]| -> Vec<i32> {
        let pairs = after.iter().flatten().zip(before.iter().flatten());
        pairs
            .map(|(after, before)| after - before)
            .filter(|&z| z != 0)
            .collect()
    };
    let cut = differences(&with(Earthwork::Cut, terrain, -2.0));
    assert!(cut.len() > 500 && cut.iter().all(|&z| z < 0));
    let filled = differences(&with(Earthwork::Fill, PathHeights::Points, 15.0));
    assert!(filled.len() > 500 && filled.iter().all(|&z| z > 0));
    assert!(differences(&with(Earthwork::None, PathHeights::Points, 15.0)).is_empty());
}

/// A footpath has no bed that a road could meet.
#[test]
fn paths_without_earthwork_only_paint() {
    let edits = edits(0);
    let footpath = Modifier::Path(PathModifier {
        earthwork: Earthwork::None,
        offset: 9.0,
        ..path(&[[0.0, -60.0], [0.0, 60.0]])
    });
    let road = Modifier::Path(path(&[[-150.0, 20.0], [150.0, 20.0]]));
    let both = heights(&edits, &[footpath.clone(), road.clone()]);
    assert_eq!(both, heights(&edits, &[road]));
    let tiles = modified(&edits, &[footpath], None);
    let of = |channel| tile(&edits, &tiles, TileAddress::of_cell(channel, 100, 75));
    assert!(of(Channel::Heights).is_none());
    assert!(of(Channel::Paint).is_some() && of(Channel::Plants).is_some());
}

#[test]
fn pavement_paints_and_clears_plants() {
    let edits = edits(0);
    let road = Modifier::Path(path(&[[-150.0, 20.0], [150.0, 20.0]]));
    let tiles = modified(&edits, &[road], None);
    // Row 84 is the nearest to z = 20 on 150 rows, and row 104 is off the road.
    for (row, on) in [(84, true), (104, false)] {
        let of = |channel| tile(&edits, &tiles, TileAddress::of_cell(channel, 100, row));
        let index = (row % 64 * 64 + 100 % 64) as usize;
        match (
            of(Channel::Paint).as_deref(),
            of(Channel::Plants).as_deref(),
        ) {
            (Some(Tile::Paint(paint)), Some(Tile::Plants(plants))) => {
                let cell = paint[index];
                let expected = if on { (4, 255, 0) } else { (0, 0, 255) };
                assert_eq!((cell.layers[0], cell.covers[0], plants[index]), expected);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn later_modifiers_are_on_top() {
    let level = |y: f32| Modifier::Platform(PlatformModifier::at(placed(0.0, y, 0.0)));
    for order in [[3.0, 8.0], [8.0, 3.0]] {
        let map = heights(&edits(0), &order.map(level));
        assert_eq!(at(&map, 0.0, 0.0), (order[1] * 1000.0) as i32);
    }
}

#[test]
fn names_the_value_that_is_not_allowed() {
    let message = |modifier: Modifier| modifier.validate().unwrap_err().to_string();
    let line = [[0.0, 0.0], [9.0, 9.0]];
    let wide = PathModifier {
        points: path(&line).points[..1].to_vec(),
        ..path(&line)
    };
    assert_eq!(
        message(Modifier::Path(wide)),
        "the number of points is 1, but must be from 2 to 4096"
    );
    let flat = PlatformModifier {
        bank: Bank {
            slope: f32::NAN,
            ..Bank::default()
        },
        ..PlatformModifier::at(placed(0.0, 0.0, 0.0))
    };
    assert_eq!(
        message(Modifier::Platform(flat.clone())),
        "the slope of the bank is NaN, but must be from 0.01 to 100"
    );
    // It has no effect.
    let edits = edits(3);
    let strokes = |address| edits.tile(address).cloned();
    let mut tiles = ModifiedTiles::new(GRID);
    let terrain = (&**edits.base(), &strokes as _);
    let flat = Modifier::Platform(flat);
    tiles
        .add(&flat, terrain, None, &Progress::default())
        .unwrap();
    assert!(tiles.is_empty());
    // Neither have points at one place, far away, or huge sizes.
    let near_zero = [[-90.0, 0.0], [0.0, 0.0], [1e-30, 0.0], [90.0, 5.0]];
    heights(&edits, &[Modifier::Path(path(&near_zero))]);
    for modifier in [
        Modifier::Path(path(&[[5.0, 5.0], [5.0, 5.0]])),
        Modifier::Path(path(&[[1e7, 0.0], [0.0, 1e7]])),
        Modifier::Platform(PlatformModifier::at(placed(1e7, 0.0, -1e7))),
    ] {
        assert_eq!(heights(&edits, &[modifier]), heights(&edits, &[]));
    }
}

#[test]
fn far_and_wide_modifiers_end_soon() {
    let mut random = SeededRng::new(4, b"far     ");
    let mut far = || (random.unit() as f32 - 0.5) * 2e7;
    let mut line = path(&(0..4096).map(|_| [far(), far()]).collect::<Vec<_>>());
    for point in &mut line.points {
        point.width = 1000.0;
    }
    line.bank.reach = 1000.0;
    let edits = edits(0);
    let strokes = |address| edits.tile(address).cloned();
    for spacing in [1e-6, 0.01, 1.0, 1e4] {
        let mut tiles = ModifiedTiles::new(MapGrid { spacing, ..GRID });
        let terrain = (&**edits.base(), &strokes as _);
        let path = Modifier::Path(line.clone());
        tiles
            .add(&path, terrain, None, &Progress::default())
            .unwrap();
        assert!(addresses(&tiles).count() < 1000);
    }
    for spacing in [1e-6, 0.01, 1.0, 1e4] {
        let mut plane = ModifiedTiles::of_plane(spacing);
        plane.set_origin([i64::MAX, i64::MIN]);
        let wide = PlatformModifier {
            size: [1e4; 2],
            ..PlatformModifier::at(placed(-1e7, 0.0, 1e7))
        };
        for modifier in [Modifier::Path(line.clone()), Modifier::Platform(wide)] {
            let terrain = (&FlatBase::default() as _, &strokes as _);
            plane
                .add(&modifier, terrain, None, &Progress::default())
                .unwrap();
        }
        assert_eq!(plane.is_empty(), spacing < 1.0, "{spacing}");
    }
    let nothing = MapGrid {
        columns: 0,
        rows: 0,
        spacing: f32::NAN,
    };
    let mut tiles = ModifiedTiles::new(nothing);
    let terrain = (&**edits.base(), &strokes as _);
    let path = Modifier::Path(path(&[[0.0, 0.0], [9.0, 9.0]]));
    tiles
        .add(&path, terrain, None, &Progress::default())
        .unwrap();
    assert!(tiles.is_empty());
    let canceled = Progress::default();
    canceled.cancel();
    let mut tiles = ModifiedTiles::new(GRID);
    assert!(tiles.add(&path, terrain, None, &canceled).is_err());
}

fn moved(modifier: &Modifier, [x, z]: [f32; 2]) -> Modifier {
    let mut modifier = modifier.clone();
    let by = |at: &mut [f32; 3]| *at = [at[0] + x, at[1], at[2] + z];
    match &mut modifier {
        Modifier::Path(path) => path.points.iter_mut().for_each(|point| by(&mut point.at)),
        Modifier::Platform(platform) => by(&mut platform.placement.at),
        Modifier::Stamp(stamp) => by(&mut stamp.placement.at),
    }
    modifier
}

/// Cells far from cell (0, 0) of a plane, on other tiles than those of a map.
#[test]
fn planes_equal_maps_wherever_they_are() {
    const FAR: [i64; 2] = [(1 << 50) + 29, -(1 << 50) - 3];
    /// The same terrain, elsewhere.
    struct Moved;
    impl BaseHeights for Moved {
        fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
            let (column, row) = (area.column - FAR[0], area.row - FAR[1]);
            Waves.heights_mm(
                CellRect {
                    column,
                    row,
                    ..area
                },
                heights,
            );
        }
    }
    let grid = MapGrid {
        columns: 401,
        rows: 301,
        ..GRID
    };
    let mut random = SeededRng::new(77, b"planes  ");
    let modifiers: Vec<_> = (0..20).map(|_| random_modifier(&mut random)).collect();
    let no_strokes = |_| None;
    let add = |tiles: &mut ModifiedTiles, base: &dyn BaseHeights, modifier: &Modifier| {
        let terrain = (base, &no_strokes as _);
        tiles
            .add(modifier, terrain, None, &Progress::default())
            .unwrap();
    };
    let (mut near, mut far) = (ModifiedTiles::new(grid), ModifiedTiles::of_plane(SPACING));
    for (index, modifier) in modifiers.iter().enumerate() {
        near.set_origin(FAR);
        add(&mut near, &Waves, modifier);
        // Each modifier has another origin.
        let by = [index as i64 * 31, index as i64 * -17];
        far.set_origin([FAR[0] + 200 + by[0], FAR[1] + 150 + by[1]]);
        let moved = moved(modifier, by.map(|cells| -cells as f32 * SPACING));
        add(&mut far, &Moved, &moved);
    }
    let delta = |tiles: &ModifiedTiles, base: &dyn BaseHeights, column, row| {
        let address = TileAddress::of_cell(Channel::Heights, column, row);
        match tiles.tile(address, base, &no_strokes).as_deref() {
            Some(Tile::Heights(deltas)) => deltas[TileAddress::index(column, row)],
            _ => 0,
        }
    };
    let mut changed = 0;
    for _ in 0..400 {
        let (column, row) = (
            random.within(100, 300).into(),
            random.within(75, 225).into(),
        );
        let expected = delta(&near, &Waves, column, row);
        let found = delta(&far, &Moved, column + FAR[0], row + FAR[1]);
        // Lines are rounded in other places.
        let away = (found - expected).abs();
        assert!(
            away <= 1,
            "{found} instead of {expected} at ({column}, {row})"
        );
        changed += usize::from(found != 0);
    }
    assert!(changed > 100, "{changed}");
}

/// Pinned: the same scene gives the same terrain on every machine.
#[test]
fn modified_terrain_has_the_same_bits_everywhere() {
    let mut random = SeededRng::new(21, b"pinned  ");
    let modifiers: Vec<Modifier> = (0..12).map(|_| random_modifier(&mut random)).collect();
    let map = heights(&edits(20), &modifiers);
    let hash = map
        .iter()
        .flatten()
        .fold(Fnv1a::default(), |hash, &mm| hash.with(mm as u32));
    assert_eq!(hash.finish(), 5_368_968_873_912_342_478);
}
