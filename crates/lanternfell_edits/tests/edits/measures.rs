//! Measurements. Run them with
//!
//! ```text
//! cargo test --release -p lanternfell_edits --test edits -- --ignored --nocapture measure
//! ```

use std::{sync::Arc, time::Instant};

use lanternfell_edits::{
    Brush, CellRect, EditLimits, Edits, Falloff, FlatBase, MapGrid, ModifiedTiles, Modifier,
    Placement, PlatformModifier, StampImage, Stroke,
};
use lanternfell_heightmap::Progress;
use lanternfell_random::SeededRng;

use crate::modifiers::path as road;

fn brushes() -> Vec<(&'static str, Brush)> {
    let image = StampImage::new(64, (0..4096).collect::<Vec<i32>>()).unwrap();
    vec![
        ("raise", Brush::Raise { mm: 100 }),
        ("lower", Brush::Lower { mm: 100 }),
        (
            "noise",
            Brush::Noise {
                seed: 1,
                cells: 8,
                mm: 100,
            },
        ),
        ("stamp", Brush::Stamp { image }),
        ("flatten", Brush::Flatten { mm: None }),
        ("slope", Brush::Slope),
        ("terrace", Brush::Terrace { mm: 500 }),
        ("smooth", Brush::Smooth { reach: 4 }),
        ("sharpen", Brush::Sharpen { reach: 4 }),
        ("clone", Brush::Clone { offset: [200, 50] }),
        ("hole", Brush::Hole),
        ("paint", Brush::Paint { layer: 3 }),
        ("plants", Brush::Plants { density: 9 }),
        ("erode", Brush::Erode { seed: 1, steps: 16 }),
    ]
}

fn base() -> Arc<FlatBase> {
    Arc::new(FlatBase { height_mm: 5000 })
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// Strokes of one dab of radius 64 cells, one after the other, over rough edits.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints its results")]
fn measure_dabs() {
    for (name, brush) in brushes() {
        let mut edits = Edits::new(base());
        let noise = Brush::Noise {
            seed: 2,
            cells: 5,
            mm: 900,
        };
        let ground = Stroke::along(noise, 400 * 256, [[0, 0]]);
        edits.stroke(1, ground).unwrap();
        let click = |at: i64| {
            let place = [at * 531 % 40_000 - 20_000, at * 737 % 40_000 - 20_000];
            Stroke::along(brush.clone(), 64 * 256, [place])
        };
        let [mut clicks, mut drags, mut undos] = [f64::MAX; 3];
        let line = [[0, 0], [200 * 256, 50 * 256]];
        let drag = Stroke::along(brush.clone(), 64 * 256, line);
        let dabs = drag.dabs().len();
        // The fastest of several, because other programs may be running.
        for batch in 0..8 {
            let strokes: Vec<Stroke> = (0..25).map(|at| click(25 * batch + at)).collect();
            let start = Instant::now();
            for stroke in strokes {
                edits.stroke(1, stroke).unwrap();
            }
            clicks = clicks.min(ms(start) / 25.0);
            let start = Instant::now();
            edits.stroke(1, drag.clone()).unwrap();
            drags = drags.min(ms(start) / dabs as f64);
            let start = Instant::now();
            edits.undo(1).unwrap();
            undos = undos.min(ms(start));
        }
        println!(
            "{name:8} {clicks:.3} ms per click; a drag of {dabs:2} dabs: {drags:.3} ms per dab, undo {undos:.2} ms"
        );
    }
}

/// 100,000 strokes over 4096 x 4096 cells: memory, bytes, and undo of single strokes.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints its results")]
fn measure_100_000_strokes() {
    for percent_reading in [0, 2, 30] {
        let mut rng = SeededRng::new(1, b"measure ");
        let mut edits = Edits::with_limits(base(), EditLimits::default());
        let brushes = brushes();
        let start = Instant::now();
        let mut ids = Vec::new();
        for at in 0..100_000 {
            let kinds = if rng.percent(percent_reading) {
                4..13
            } else {
                0..3
            };
            let brush = rng.pick(&brushes[kinds]).unwrap().1.clone();
            let first = [(); 2].map(|()| i64::from(rng.within(0, 4096 * 256)));
            let last = first.map(|axis| axis + i64::from(rng.within(-5000, 5000)));
            let stroke = Stroke {
                falloff: Falloff::Smooth,
                ..Stroke::along(brush, 256 * rng.within(2, 16) as u32, [first, last])
            };
            ids.push(edits.stroke(at % 4, stroke).unwrap().id);
        }
        let each = ms(start) / 1e5;
        let memory = edits.memory();
        let bytes = edits.to_bytes();
        println!("{percent_reading} % reading strokes: {each:.3} ms per stroke");
        println!("  memory {memory:?}, total {} MiB", memory.total() >> 20);
        println!("  {} bytes per stroke in a file", bytes.len() / 100_000);
        let mut undone = |name: &str, id| {
            let start = Instant::now();
            let made = edits.undo_edit(9, id).unwrap();
            let ms = start.elapsed().as_secs_f64() * 1e3;
            println!(
                "  undo of {name}: {ms:.2} ms, {} rectangles",
                made.changes.len()
            );
        };
        for (name, at) in [
            ("the last", 99_999),
            ("a recent", 99_900),
            ("an older", 95_000),
            ("the middle", 50_000),
            ("the first", 0),
        ] {
            undone(name, ids[at]);
        }
        let mut times: Vec<f64> = (0..100)
            .map(|at| {
                let start = Instant::now();
                edits.undo_edit(9, ids[505 + 990 * at]).unwrap();
                ms(start)
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "  undo of 100 of all ages: median {:.2} ms, worst {:.2} ms",
            times[50], times[99]
        );
        let start = Instant::now();
        edits.compact(u64::MAX);
        let ms = ms(start);
        let memory = edits.memory().total() >> 20;
        println!("  compaction {ms:.0} ms, then {memory} MiB");
    }
}

/// 300 modifiers on a map of 4096 x 4096 cells: all of them, and after one platform was moved.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints its results")]
fn measure_modifiers() {
    let grid = MapGrid {
        columns: 4096,
        rows: 4096,
        spacing: 1.0,
    };
    let (base, strokes) = (base(), |_| None);
    let mut rng = SeededRng::new(6, b"things  ");
    let mut number = |most: i32| rng.within(-most, most) as f32;
    let mut modifiers: Vec<Modifier> = Vec::new();
    for _ in 0..100 {
        let [x, z] = [number(1900), number(1900)];
        let line = [
            [x, z],
            [x + number(90), z + 70.0],
            [x + number(90), z + 200.0],
        ];
        modifiers.push(Modifier::Path(road(&line)));
        for _ in 0..2 {
            let at = [number(2000), 5.0, number(2000)];
            let direction = [0.6, 0.8];
            modifiers.push(Modifier::Platform(PlatformModifier::at(Placement {
                at,
                direction,
            })));
        }
    }
    let made = |modifiers: &[Modifier], before: Option<&ModifiedTiles>| {
        let start = Instant::now();
        let mut tiles = ModifiedTiles::new(grid);
        for modifier in modifiers {
            let terrain = (&*base as _, &strokes as _);
            tiles
                .add(modifier, terrain, before, &Progress::default())
                .unwrap();
        }
        let added = ms(start);
        let mut computed = 0;
        for address in tiles.addresses(CellRect::new(0, 0, grid.columns, grid.rows)) {
            if !before.is_some_and(|before| tiles.is_alike(address, before)) {
                tiles.tile(address, &*base, &strokes);
                computed += 1;
            }
        }
        println!(
            "added in {added:.1} ms, {computed} tiles in {:.1} ms",
            ms(start) - added
        );
        tiles
    };
    let before = made(&modifiers, None);
    if let Modifier::Platform(platform) = &mut modifiers[1] {
        platform.placement.at[0] += 3.0;
    }
    made(&modifiers, Some(&before));
    let start = Instant::now();
    let winding: Vec<[f32; 2]> = (0..51)
        .map(|at| [at as f32 * 95.0, (at % 2) as f32 * 31.0])
        .collect();
    let ribbon = road(&winding).ribbon(1.0, |[x, z]| Some(x * 0.1 + z * 0.2));
    println!(
        "a road of 5 km: {} vertices in {:.1} ms",
        ribbon.unwrap().positions.len(),
        ms(start)
    );
}
