//! Roads, platforms and stamps over the strokes of a log.

use std::sync::Arc;

use lanternfell_edits::{
    Bank, BaseHeights, Brush, CellRect, Channel, Earthwork, Edits, MapGrid, ModifiedTiles,
    Modifier, PathHeights, PathModifier, PathPoint, Pavement, Placement, PlatformModifier,
    StampBlend, StampImage, StampModifier, Stroke, Tile, TileAddress,
};
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

fn path(points: &[[f32; 2]]) -> PathModifier {
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
        tiles.add(modifier, (&**edits.base(), &strokes), before);
    }
    tiles
}

fn tile(edits: &Edits, tiles: &ModifiedTiles, address: TileAddress) -> Option<Arc<Tile>> {
    tiles.tile(address, &**edits.base(), &|address| {
        edits.tile(address).cloned()
    })
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
fn moved_modifiers_give_the_terrain_of_new_ones() {
    let edits = edits(40);
    let mut random = SeededRng::new(8, b"moves   ");
    let mut modifiers = Vec::new();
    let mut before = modified(&edits, &[], None);
    let (mut alike, mut other) = (0, 0);
    for _ in 0..40 {
        match random.within(0, 2) {
            0 if modifiers.len() > 2 => {
                modifiers.swap_remove(random.below(modifiers.len() as u64) as usize);
            }
            1 if modifiers.len() > 2 => {
                let moved = random.below(modifiers.len() as u64) as usize;
                modifiers[moved] = random_modifier(&mut random);
            }
            _ => modifiers.push(random_modifier(&mut random)),
        }
        let now = modified(&edits, &modifiers, Some(&before));
        let fresh = modified(&edits, &modifiers, None);
        assert!(fresh.addresses().eq(now.addresses()));
        for address in before.addresses().chain(now.addresses()) {
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
    for address in before.addresses() {
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

#[test]
fn banks_meet_the_terrain_within_their_reach() {
    let road = path(&[[-150.0, 20.0], [150.0, 20.0]]);
    let (with, without) = (
        heights(&edits(0), &[Modifier::Path(road)]),
        heights(&edits(0), &[]),
    );
    let mut moved = 0;
    for x in -140..140 {
        for away in [17.0, 40.0] {
            assert_eq!(
                at(&with, x as f32, 20.0 + away),
                at(&without, x as f32, 20.0 + away)
            );
        }
        moved += u32::from(at(&with, x as f32, 20.0) != at(&without, x as f32, 20.0));
    }
    assert!(moved > 200);
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

#[test]
fn a_road_meets_a_platform() {
    let platform = PlatformModifier {
        size: [40.0, 40.0],
        ..PlatformModifier::at(placed(0.0, 9.0, 0.0))
    };
    let road = path(&[[-180.0, -30.0], [0.0, 0.0]]);
    let map = heights(
        &edits(0),
        &[Modifier::Platform(platform), Modifier::Path(road)],
    );
    for x in [-12.0, -6.0, 0.0, 2.0] {
        assert!((at(&map, x, x / 6.0) - 9000).abs() <= 1, "{x}");
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
    tiles.add(&Modifier::Platform(flat), (&**edits.base(), &strokes), None);
    assert!(tiles.is_empty());
    // Neither have points at one place, far away, or huge sizes.
    for modifier in [
        Modifier::Path(path(&[[5.0, 5.0], [5.0, 5.0]])),
        Modifier::Path(path(&[[1e7, 1e7], [-1e7, 1e7]])),
        Modifier::Platform(PlatformModifier::at(placed(1e7, 0.0, -1e7))),
    ] {
        assert_eq!(heights(&edits, &[modifier]), heights(&edits, &[]));
    }
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
    assert_eq!(hash.finish(), 7_569_352_579_667_580_841);
}
