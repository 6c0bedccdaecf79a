//! Random edits, each compared with a complete computation.

use std::sync::{Arc, OnceLock};

use lanternfell_test_support::cases;

use super::{super::Rivers, *};
use crate::{FractalNoise, MapSize, SeededRng};

fn bits(map: &Heightmap) -> Vec<u32> {
    map.heights().iter().map(|z| z.to_bits()).collect()
}

/// Updates the drainage, and compares it with a complete computation.
fn check(drainage: &mut EditableDrainage, map: &Heightmap, say: &str) {
    let progress = Progress::default();
    let hydrology = *drainage.hydrology();
    let expected = hydrology.drain(map, &progress).unwrap();
    let (found, areas) = drainage.update(map, &progress).unwrap();
    assert_eq!(bits(found.filled()), bits(expected.filled()), "{say}");
    assert_eq!(found.flow, expected.flow, "{say}");
    assert_eq!(areas, expected.areas(&progress).unwrap(), "{say}");
}

/// A map of at most 65 x 65 cells: smooth, with steps, white noise, or heights around 0.
fn map(rng: &mut SeededRng) -> Heightmap {
    let size = MapSize::new(2 + rng.below(64), 2 + rng.below(64)).unwrap();
    let noise = FractalNoise {
        scale: 20.0,
        ..FractalNoise::default()
    };
    let mut map = noise
        .generate(size, rng.below(1 << 30), &Progress::default())
        .unwrap();
    let kind = rng.below(5);
    let near_0 = [-1e-45, -0.0, 0.0, 1e-45, 1.0];
    for z in map.heights_mut() {
        *z = match kind {
            0 | 1 => *z,
            2 => (*z * 12.0).floor() / 12.0,
            3 => rng.below(40) as f32 / 40.0,
            _ => near_0[rng.below(5) as usize],
        };
    }
    map
}

/// Raises, lowers or levels a rectangle or a disc, builds a wall, digs a canal or a pit. Half of the maps have a sea
/// at 0.3.
fn edit(map: &mut Heightmap, rng: &mut SeededRng) {
    let (width, height) = (map.width() as u64, map.height() as u64);
    let mut place = || [rng.below(width) as f32, rng.below(height) as f32];
    let ([x, y], [to_x, to_y]) = (place(), place());
    let radius = [0.5, 1.5, 3.0, 8.0][rng.below(4) as usize];
    let shape = rng.below(3);
    let near = |column: f32, row: f32| match shape {
        0 => (column - x).abs().max((row - y).abs()) < radius,
        1 => (column - x).hypot(row - y) < radius,
        // A line to another point.
        _ => {
            let (along_x, along_y) = (to_x - x, to_y - y);
            let length = (along_x * along_x + along_y * along_y).max(1.0);
            let part = ((column - x) * along_x + (row - y) * along_y) / length;
            let part = part.clamp(0.0, 1.0);
            (column - x - part * along_x).hypot(row - y - part * along_y) < radius.min(1.5)
        }
    };
    let step = rng.below(8) as f32 / 8.0;
    let level = [0.0, -0.0, 0.3, step, 0.8, -1.0][rng.below(6) as usize];
    let kind = rng.below(6);
    for cell in 0..map.size().cells() {
        let (column, row) = (cell % map.width(), cell / map.width());
        if near(column as f32, row as f32) {
            let z = &mut map.heights_mut()[cell];
            *z = match kind {
                0 => *z + 0.25,
                1 => *z - 0.25,
                2 | 3 => level,
                4 => z.max(level),
                _ => z.min(level),
            };
        }
    }
}

#[test]
fn edited_drainage_equals_new_one() {
    let mut rng = SeededRng::new(9, b"editable");
    let (edits, mut partial) = (cases(500, 10_000), 0);
    for case in 0..edits / 10 {
        let hydrology = Hydrology {
            sea_level: rng.percent(50).then_some(0.3),
            border: rng.percent(70),
        };
        let mut drainage = EditableDrainage::new(hydrology);
        drainage.strip_rows = [1, 2, 3, 8, 128][rng.below(5) as usize];
        let mut map = map(&mut rng);
        check(&mut drainage, &map, &format!("case {case}"));
        for turn in 0..10 {
            let before = map.clone();
            edit(&mut map, &mut rng);
            let say = format!("case {case}, edit {turn}, {hydrology:?}, {map:?}");
            let most = map.size().cells() / PART;
            let kept = drainage.kept.as_ref().unwrap();
            let outlets = Outlets::of(&hydrology, &map, &Progress::default()).unwrap();
            let few = kept.changes(&outlets, &map, most).is_some();
            partial += u32::from(few && kept.basins.is_some());
            check(&mut drainage, &map, &say);
            // Undo.
            if rng.percent(30) {
                map = before;
                check(&mut drainage, &map, &format!("undone: {say}"));
            }
        }
    }
    assert!(
        partial > edits * 6 / 10,
        "only {partial} of {edits} updates were partial"
    );
}

/// A progress that is canceled when this fraction of the work is done.
fn canceled_at(fraction: f32) -> Progress {
    let handle: Arc<OnceLock<Progress>> = Arc::default();
    let own = handle.clone();
    let progress = Progress::with_listener(move |done| {
        if done >= fraction
            && let Some(progress) = own.get()
        {
            progress.cancel();
        }
    });
    handle.set(progress.clone()).ok();
    progress
}

#[test]
fn canceled_update_does_no_harm() {
    let mut rng = SeededRng::new(10, b"editable");
    let mut drainage = EditableDrainage::new(Hydrology::default());
    let mut lost = 0;
    for case in 0..100 {
        let mut map = map(&mut rng);
        check(&mut drainage, &map, "a map of another size");
        edit(&mut map, &mut rng);
        let progress = canceled_at(case as f32 / 100.0);
        drainage.update(&map, &progress).ok();
        lost += u32::from(drainage.kept.is_none());
        edit(&mut map, &mut rng);
        check(
            &mut drainage,
            &map,
            &format!("after canceled update {case}"),
        );
    }
    assert!((10..100).contains(&lost), "{lost}");
}

/// The areas of `Rivers::lines_of` come from the caller.
#[test]
fn wrong_areas_are_errors_or_wrong_rivers() {
    let mut rng = SeededRng::new(11, b"editable");
    let progress = Progress::default();
    for _ in 0..200 {
        let drainage = Hydrology::default()
            .drain(&map(&mut rng), &progress)
            .unwrap();
        let cells = drainage.size().cells();
        let rivers = Rivers {
            share: 0.3,
            ..Rivers::default()
        };
        let areas: Vec<u32> = (0..cells).map(|_| rng.below(cells as u64) as u32).collect();
        rivers.lines_of(&drainage, &areas, &progress).unwrap();
        let error = rivers
            .lines_of(&drainage, &areas[1..], &progress)
            .unwrap_err();
        let expected = format!("rivers: areas is {}, but must be {cells}", cells - 1);
        assert_eq!(error.to_string(), expected);
    }
}
