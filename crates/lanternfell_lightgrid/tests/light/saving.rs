//! Saving and loading: a loaded grid continues as if it had not been saved, and invalid files are
//! rejected with a reason.

use crate::common::{
    SceneRng, lamp, places,
    report::assert_same_light,
    scenes::{any_change, any_grid, any_grid_of, any_settings},
};
use lanternfell_lightgrid::{IVec2, LightGrid, LightSettings, Relief, Vec3};
use proptest::prelude::*;

fn save(grid: &LightGrid) -> String {
    ron::to_string(grid).unwrap()
}

fn load(text: &str) -> Result<LightGrid, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// Fails unless both grids return the same for all queries.
fn assert_same(grid: &LightGrid, other: &LightGrid, what: &str) {
    assert_eq!(grid.size(), other.size());
    assert_eq!(grid.is_gray(), other.is_gray());
    assert_eq!(grid.settings(), other.settings());
    assert_eq!(grid.cells(), other.cells());
    assert_eq!(grid.sources(), other.sources());
    assert_eq!(grid.relief(), other.relief());
    assert!((0..=255).all(|region| grid.ambient(region) == other.ambient(region)));
    assert!(places(grid).all(|cell| grid.region(cell) == other.region(cell)));
    assert_same_light(grid, other, what);
}

#[test]
fn loaded_grid_continues_with_same_bits() {
    let mut rng = SceneRng::new(1);
    for n in 0..60 {
        let mut grid = any_grid(&mut rng);
        // In an intermediate state: light flows, and something has just changed.
        grid.step(rng.below(30));
        any_change(&mut rng, &mut grid);
        if rng.chance(0.5) {
            grid.step(rng.below(3));
        }
        let mut loaded = load(&save(&grid)).unwrap();
        assert_same(&grid, &loaded, "after loading");
        for round in 0..4 {
            let (changes, settles) = (rng.bits(), rng.chance(0.3));
            for grid in [&mut grid, &mut loaded] {
                if settles {
                    grid.settle(1e-3);
                } else {
                    grid.step(7);
                }
            }
            assert_same(
                &grid,
                &loaded,
                &format!("grid {n}, round {round}, {settles}"),
            );
            any_change(&mut SceneRng::new(changes), &mut grid);
            any_change(&mut SceneRng::new(changes), &mut loaded);
        }
    }
}

#[test]
fn loaded_grid_has_straight_light() {
    let mut rng = SceneRng::new(4);
    for n in 0..20 {
        let settings = LightSettings {
            direct: 0.5,
            ..any_settings(&mut rng)
        };
        let mut grid = any_grid_of(&mut rng, 40, 30, settings);
        for _ in 0..4 {
            grid.step(3);
            any_change(&mut rng, &mut grid);
            grid.set_settings(settings).unwrap();
        }
        grid.step(3);
        let mut loaded = load(&save(&grid)).unwrap();
        assert_same(&grid, &loaded, &format!("grid {n} after loading"));
        grid.step(1);
        loaded.step(1);
        assert_same(&grid, &loaded, &format!("grid {n} after a step"));
    }
}

#[test]
fn loaded_grid_is_settled() {
    let mut rng = SceneRng::new(2);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        if !grid.settle(1e-2).at_rest {
            continue;
        }
        let mut loaded = load(&save(&grid)).unwrap();
        // It examines the cells, but has nothing to do.
        assert!(loaded.settle(1e-2).sweeps <= 1, "grid {n}");
        assert_same_light(&grid, &loaded, format_args!("grid {n}"));
    }
}

#[test]
fn saving_a_loaded_grid_gives_same_text() {
    let mut rng = SceneRng::new(3);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        grid.step(9);
        let text = save(&grid);
        assert_eq!(save(&load(&text).unwrap()), text, "grid {n}");
    }
}

#[test]
fn large_uniform_grid_is_small_file() {
    let grid = LightGrid::new(1000, 1000, LightSettings::default()).unwrap();
    assert!(save(&grid).len() < 1000);
}

/// A saved grid of 3 x 2 cells.
fn text() -> String {
    let mut grid = LightGrid::gray(3, 2, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(0, 0)]).unwrap();
    grid.set_region(IVec2::new(2, 1), 1).unwrap();
    grid.set_ambient(1, Vec3::splat(0.25)).unwrap();
    grid.step(1);
    save(&grid)
}

/// Loads the text with one part replaced by another.
fn loaded_with(part: &str, other: &str) -> Result<LightGrid, String> {
    let text = text();
    assert_eq!(text.matches(part).count(), 1, "{part} in {text}");
    load(&text.replace(part, other))
}

const CELLS: &str = "cells:[(6,(transparency:(1.0,1.0,1.0),albedo:(0.0,0.0,0.0)))]";
const REGIONS: &str = "regions:[(5,0),(1,1)]";
const AMBIENT: &str = "ambient:[(0.0,0.0,0.0),(0.25,0.25,0.25)]";
const LIGHT: &str = "light:[([(1,1.0),(4,0.0),(1,0.25)],1.0)]";
const SOURCES: &str = "sources:[(at:(0.0,0.0),light:(1.0,1.0,1.0))]";

#[test]
fn format_is_pinned() {
    let pinned = format!(
        "(version:1,width:3,height:2,gray:true,settings:(neighborhood:Isotropic,\
         falloff:Radius(12.0),direct:0.0),{CELLS},{REGIONS},{AMBIENT},{SOURCES},{LIGHT},\
         heights:[],relief:None)"
    );
    assert_eq!(text(), pinned);
}

/// In a format without field names, a grid consumes exactly its bytes, with and without a relief.
#[test]
fn binary_format_consumes_all_bytes() {
    let mut rng = SceneRng::on_squares(7);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        if n % 2 == 0 {
            let size = grid.size();
            let land = Relief::new(size.x, size.y, |_| rng.unit()).unwrap();
            grid.set_relief(Some(land.into())).unwrap();
            let sources = grid.sources().iter();
            let high: Vec<_> = sources.map(|source| source.with_height(9.0)).collect();
            grid.set_sources(&high).unwrap();
        }
        let mut bytes = postcard::to_stdvec(&grid).unwrap();
        bytes.extend([1, 2, 3]);
        let (loaded, after) = postcard::take_from_bytes::<LightGrid>(&bytes).unwrap();
        assert_eq!(after, [1, 2, 3]);
        assert_same(&grid, &loaded, &n.to_string());
    }
}

#[test]
fn rejects_invalid_files() {
    let wrong = [
        (
            "version:1",
            "version:3",
            "version is 3, but this release reads version 1",
        ),
        ("version:1,", "", "version"),
        ("version:1", "version:1,color:3", "color"),
        ("width:3", "width:0", "0 x 2"),
        ("width:3", "width:4294967295", "4294967295 x 2"),
        ("width:3", "width:-1", ""),
        ("height:2", "height:65536", "3 x 65536"),
        (
            "width:3,height:2",
            "width:16384,height:16384",
            "16384 x 16384",
        ),
        ("width:3", "width:4", "6 cells, but 8 expected"),
        ("height:2", "height:1", "6 cells, but 3 expected"),
        (
            "gray:true",
            "gray:false",
            "light has 1 colors, but must have 3",
        ),
        ("Radius(12.0)", "Radius(0.5)", "radius is 0.5"),
        ("Radius(12.0)", "Decay(NaN)", "decay is NaN"),
        ("direct:0.0", "direct:2.0", "direct is 2"),
        ("direct:0.0", "shadows:2.0", "shadows"),
        ("Isotropic", "Six", "Six"),
        (CELLS, "cells:[]", "0 cells, but 6 expected"),
        (
            CELLS,
            "cells:[(4294967295,(transparency:(1,1,1),albedo:(0,0,0)))]",
            "4294967295 cells",
        ),
        (
            "[(6,(transparency:(1.0",
            "[(6,(transparency:(1.5",
            "transparency is 1.5",
        ),
        (
            "albedo:(0.0,0.0,0.0)",
            "albedo:(0.0,0.0,NaN)",
            "albedo is NaN",
        ),
        (REGIONS, "regions:[(5,0)]", "5 regions, but 6 expected"),
        (
            REGIONS,
            "regions:[(4294967295,0),(7,0)]",
            "4294967302 regions",
        ),
        (REGIONS, "regions:[(6,256)]", ""),
        (AMBIENT, "ambient:[(0.0,0.0,-1.0)]", "ambient is -1"),
        (AMBIENT, "ambient:[(0.0,0.0)]", ""),
        (
            SOURCES,
            "sources:[(at:(0.0,NaN),light:(1.0,1.0,1.0))]",
            "source.at is NaN",
        ),
        (
            SOURCES,
            "sources:[(at:(0.0,0.0),light:(1.0,65.0,1.0))]",
            "source.light is 65",
        ),
        (LIGHT, "light:[]", "light has 0 colors"),
        (
            LIGHT,
            "light:[([(6,0.0)],1.0),([(6,0.0)],1.0)]",
            "light has 2 colors",
        ),
        (
            LIGHT,
            "light:[([(7,0.0)],1.0)]",
            "7 light values, but 6 expected",
        ),
        (
            LIGHT,
            "light:[([(6,NaN)],1.0)]",
            "light must be from 0 to 64",
        ),
        (
            LIGHT,
            "light:[([(6,-0.5)],1.0)]",
            "light must be from 0 to 64",
        ),
        (
            LIGHT,
            "light:[([(6,inf)],1.0)]",
            "light must be from 0 to 64",
        ),
        (
            LIGHT,
            "light:[([(6,0.0)],NaN)]",
            "light must be from 0 to 64",
        ),
        (
            LIGHT,
            "light:[([(6,0.0)],1e9)]",
            "light must be from 0 to 64",
        ),
    ];
    for (part, other, reason) in wrong {
        let error = loaded_with(part, other).unwrap_err();
        assert!(error.contains(reason), "{other}: {error}, not {reason}");
    }
}

#[test]
fn rejects_too_many_regions() {
    let regions = "(0.0,0.0,0.0),".repeat(257);
    let error = loaded_with(AMBIENT, &format!("ambient:[{regions}]")).unwrap_err();
    assert!(error.contains("257 regions, but at most 256"), "{error}");
    let regions = "(0.5,0.0,0.0),".repeat(256);
    let grid = loaded_with(AMBIENT, &format!("ambient:[{regions}]")).unwrap();
    assert_eq!(grid.ambient(255).x, 0.5);
}

#[test]
fn accepts_runs_split_anywhere() {
    let grid = loaded_with(
        LIGHT,
        "light:[([(0,9.0),(1,1.0),(3,0.0),(1,0.0),(1,0.25)],1.0)]",
    );
    assert_same(&grid.unwrap(), &load(&text()).unwrap(), "cut");
}

#[test]
fn rejects_truncated_files() {
    let text = text();
    for end in 0..text.len() {
        assert!(load(&text[..end]).is_err(), "{end} of {}", text.len());
    }
    assert!(load(&text).is_ok());
    assert!(load("").is_err());
    assert!(load(&"(".repeat(100_000)).is_err());
    assert!(load(&"[".repeat(100_000)).is_err());
}

/// Small files that claim huge sizes. If memory were allocated for the claimed sizes, this would
/// take a minute or fail.
#[test]
fn small_file_needs_little_memory() {
    for _ in 0..10 {
        let error = loaded_with("width:3,height:2", "width:16384,height:1024").unwrap_err();
        assert!(error.contains("6 cells, but 16777216 expected"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_file_is_read_or_rejected(
        at in any::<prop::sample::Index>(), length in 0usize..12,
        other in "[0-9a-z:,.()\\[\\]-]{0,8}",
    ) {
        let mut text = text();
        let at = at.index(text.len());
        let end = (at + length).min(text.len());
        text.replace_range(at..end, &other);
        if let Ok(mut grid) = load(&text) {
            // A random change may have produced a large grid.
            if grid.cells().len() < 10_000 {
                grid.step(3);
                let light = places(&grid).map(|cell| grid.light(cell));
                prop_assert!(light.into_iter().all(Vec3::is_finite));
            }
        }
    }
}
