//! Tiles of worlds with erosion match to the last bit, and are close to the whole map.

use crate::common::fnv;
use lanternfell_heightmap::{
    Faults, Filter, FractalNoise, Heightmap, MapRegion, MapSize, MemoryBlocks, Operation, Preset,
    Progress, Recipe, RecipeError, Scale, TileError, TilePrepass,
    erosion::{GlacialErosion, HydraulicErosion, StreamPowerErosion, ThermalErosion, WindErosion},
    filter::Smooth,
};
use std::ops::Range;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

/// A world of two blocks, the second of which is larger. A coarse cell has four world cells along each side.
fn world() -> MapSize {
    size(2060, 260)
}

/// Mountains like those of the preset `alpine`, with these filters.
fn eroded(filters: Vec<Filter>) -> Recipe {
    let noise = FractalNoise {
        octaves: 5,
        scale: 400.0,
        gain: 0.45,
        ..FractalNoise::default()
    };
    Recipe::new(world(), 8, noise).with_step("worn", Operation::filter("land", filters))
}

fn measured(recipe: &Recipe) -> TilePrepass {
    recipe.prepass(&Progress::default()).unwrap()
}

/// Generates these regions. Earlier regions may leave blocks in the store for later ones.
fn tiles(recipe: &Recipe, prepass: &TilePrepass, regions: &[MapRegion]) -> Vec<Heightmap> {
    let progress = Progress::default();
    let tiles = recipe.tiles(prepass, &progress).unwrap();
    assert!(tiles.has_blocks());
    let blocks = MemoryBlocks::default();
    let tile = |&region: &MapRegion| tiles.tile(region, &blocks, &progress).unwrap();
    regions.iter().map(tile).collect()
}

/// The whole map, generated at once and in tiles.
fn both(recipe: &Recipe) -> (Heightmap, Heightmap) {
    let whole = recipe.generate(&Progress::default()).unwrap();
    let region = MapRegion::whole(recipe.size);
    let made = tiles(recipe, &measured(recipe), &[region]).remove(0);
    (whole, made)
}

/// The maximum and the root-mean-square difference in these columns, as fractions of the whole map's range.
fn differences((whole, made): &(Heightmap, Heightmap), columns: Range<usize>) -> (f64, f64) {
    let (low, high) = whole.range();
    let span = f64::from(high) - f64::from(low);
    let (mut most, mut squares) = (0.0_f64, 0.0);
    for y in 0..whole.height() {
        let pairs = whole.row(y).iter().zip(made.row(y));
        for (&a, &b) in pairs.take(columns.end).skip(columns.start) {
            let off = (f64::from(a) - f64::from(b)).abs() / span;
            most = most.max(off);
            squares += off * off;
        }
    }
    let cells = columns.len() * whole.height();
    (most, (squares / cells as f64).sqrt())
}

#[track_caller]
fn assert_within(name: &str, (most, mean): (f64, f64), bound: (f64, f64)) {
    assert!(most <= bound.0 && mean <= bound.1, "{name}: {most} {mean}");
}

#[track_caller]
fn assert_near(name: &str, recipe: &Recipe, bound: (f64, f64)) {
    let off = differences(&both(recipe), 0..recipe.size.width());
    assert_within(name, off, bound);
}

#[test]
fn stream_power_tiles_are_close_to_the_whole_map() {
    let rivers = StreamPowerErosion {
        strength: 0.8,
        ..StreamPowerErosion::default()
    };
    assert_near(
        "rivers",
        &eroded(vec![Filter::StreamPowerErosion(rivers)]),
        RIVERS,
    );
}

#[test]
fn hydraulic_tiles_are_close_to_the_whole_map() {
    let rain = HydraulicErosion {
        density: 0.4,
        ..HydraulicErosion::default()
    };
    assert_near("rain", &eroded(vec![Filter::HydraulicErosion(rain)]), RAIN);
}

/// Noise under glaciers. The troughs are 50 cells wide, which is 12 cells of the coarse map.
fn icy() -> Recipe {
    let ice = GlacialErosion::default();
    let mut recipe = eroded(vec![Filter::GlacialErosion(ice)]);
    recipe.scale = Some(Scale {
        spacing: 20.0,
        relief: 2200.0,
    });
    recipe
}

/// Checks the whole world, and the strip where two blocks are cross-faded.
#[test]
fn glacial_tiles_are_close_to_the_whole_map() {
    let maps = both(&icy());
    assert_within("ice", differences(&maps, 0..2060), ICE);
    assert_within("where blocks meet", differences(&maps, 992..1056), ICE);
}

#[test]
fn glacial_presets_are_close_to_the_whole_map() {
    for (name, bound) in [("cirques", CIRQUES), ("fjords", FJORDS)] {
        let mut recipe = Preset::find(name).unwrap().recipe();
        recipe.size = world();
        assert_near(name, &recipe, bound);
    }
}

/// The bounds in `TILES.md` for this world.
const RIVERS: (f64, f64) = (0.1, 0.001);
const RAIN: (f64, f64) = (0.15, 0.008);
const ICE: (f64, f64) = (0.01, 0.001);
const CIRQUES: (f64, f64) = (0.25, 0.06);
const FJORDS: (f64, f64) = (0.5, 0.07);
const PRESETS: (f64, f64) = (0.15, 0.02);

#[test]
fn presets_are_close_to_the_whole_map() {
    for name in ["alpine", "archipelago", "craters"] {
        let mut recipe = Preset::find(name).unwrap().recipe();
        recipe.size = world();
        assert_near(name, &recipe, PRESETS);
    }
}

/// Generates different regions in any order, also with a prepass that was written and read. Includes regions across the
/// seam of two blocks and regions of the minimum width.
#[test]
fn cell_bits_depend_only_on_the_recipe() {
    let rain = HydraulicErosion {
        density: 0.2,
        ..HydraulicErosion::default()
    };
    let slides = ThermalErosion {
        passes: 10,
        ..ThermalErosion::default()
    };
    let rivers = StreamPowerErosion::default();
    let recipe = eroded(vec![
        Filter::StreamPowerErosion(rivers),
        Filter::Normalize,
        Filter::HydraulicErosion(rain),
        Filter::ThermalErosion(slides),
    ]);
    let prepass = measured(&recipe);
    let written = ron::to_string(&prepass).unwrap();
    let read: TilePrepass = ron::from_str(&written).unwrap();
    assert_eq!(read, prepass);
    let region =
        |x, y, width, height| MapRegion::new(x, y, size(width, height), recipe.size).unwrap();
    let parts = [
        region(1500, 0, 300, 260),
        region(1000, 100, 60, 40),
        region(1023, 7, 2, 2),
        region(0, 258, 2060, 2),
        region(980, 0, 90, 260),
    ];
    let whole = tiles(&recipe, &prepass, &[MapRegion::whole(recipe.size)]).remove(0);
    for (part, tile) in parts.iter().zip(tiles(&recipe, &read, &parts)) {
        let expected = whole.cropped((part.x(), part.y()), part.size()).unwrap();
        assert_eq!(fnv(&expected), fnv(&tile), "{part:?}");
    }
    let cells = [(1024, 9), (0, 0), (2059, 259)];
    let heights = recipe.heights_at(&prepass, &cells, &Progress::default());
    let expected = cells.map(|(x, y)| whole.get(x, y));
    assert_eq!(heights.unwrap(), expected);
}

#[test]
fn small_worlds_match_the_whole_map() {
    let mut recipe = Preset::find("alpine").unwrap().recipe();
    recipe.size = size(300, 200);
    let whole = recipe.generate(&Progress::default()).unwrap();
    let prepass = measured(&recipe);
    let region = MapRegion::new(41, 77, size(100, 90), recipe.size).unwrap();
    let tile = recipe.tile(&prepass, region, &Progress::default()).unwrap();
    assert_eq!(tile, whole.cropped((41, 77), region.size()).unwrap());
}

#[test]
fn rejects_filters_that_need_the_whole_map() {
    let narrow = GlacialErosion {
        width: 3.0,
        ..GlacialErosion::default()
    };
    let slides = ThermalErosion {
        passes: 1025,
        ..ThermalErosion::default()
    };
    for (filter, why) in [
        (Filter::WindErosion(WindErosion::default()), "blows sand"),
        (
            Filter::ThermalErosion(slides),
            "slides further than 1024 cells",
        ),
        (Filter::GlacialErosion(narrow), "narrower than 4 cells"),
        (Filter::Seamless(0.2), "joins opposite sides"),
        (
            Filter::Smooth(Smooth::Gaussian(400.0)),
            "further than 1024 cells",
        ),
    ] {
        let error = eroded(vec![filter])
            .validate_tiles()
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("step `worn`") && error.contains(why),
            "{error}"
        );
    }
}

#[test]
fn rejects_prepass_without_coarse_map() {
    let recipe = eroded(vec![Filter::HydraulicErosion(HydraulicErosion::default())]);
    let text = ron::to_string(&measured(&recipe)).unwrap();
    let coarse = text.find(",coarse:[").unwrap();
    let without = format!("{})", &text[..coarse]);
    let short = text.replacen("heights:\"", "heights:\"0", 1);
    for damaged in [without, short] {
        let damaged: TilePrepass = ron::from_str(&damaged).unwrap();
        let error = recipe.tiles(&damaged, &Progress::default()).err();
        let step = "worn".to_owned();
        assert_eq!(error, Some(TileError::Prepass { step }));
    }
    let wrong = text.replacen("heights:\"", "heights:\"z", 1);
    assert!(ron::from_str::<TilePrepass>(&wrong).is_err());
}

/// Noise is as precise far from the origin as near it. Only parts of this world are ever generated.
#[test]
fn tiles_work_in_worlds_of_65536_cells() {
    let world = MapSize::of_world(65_536, 65_536).unwrap();
    assert!(MapSize::new(65_536, 2).is_err() && MapSize::of_world(65_537, 2).is_err());
    let noise = FractalNoise {
        octaves: 7,
        warp: 40.0,
        ..FractalNoise::default()
    };
    let recipe = Recipe::new(world, 3, noise.clone());
    let text = recipe.to_ron();
    assert_eq!(Recipe::from_ron(&text).unwrap(), recipe);
    let error = recipe.generate(&Progress::default()).unwrap_err();
    assert!(matches!(error, RecipeError::World { .. }), "{error}");
    let prepass = measured(&recipe);
    let tile = |recipe: &Recipe, prepass: &TilePrepass, x, y, side| {
        let region = MapRegion::new(x, y, size(side, side), recipe.size).unwrap();
        recipe.tile(prepass, region, &Progress::default()).unwrap()
    };
    let corner = tile(&recipe, &prepass, 65_436, 65_436, 100);
    let part = tile(&recipe, &prepass, 65_500, 65_480, 30);
    assert_eq!(part, corner.cropped((64, 44), size(30, 30)).unwrap());
    // Noise is a function of the position, so a smaller world has the same cells.
    let smaller = Recipe::new(size(16_384, 16_384), 3, noise);
    let (one, other) = (
        tile(&recipe, &prepass, 16_000, 15_000, 50),
        tile(&smaller, &measured(&smaller), 16_000, 15_000, 50),
    );
    assert_eq!(one, other);
    // Neighboring cells have similar heights.
    let steps = corner.heights().chunks(100).flat_map(|row| row.windows(2));
    let steepest = steps
        .map(|pair| (pair[0] - pair[1]).abs())
        .fold(0.0, f32::max);
    assert!(steepest < 0.1, "{steepest}");
    let faults = Recipe::new(world, 3, Faults::default());
    let error = faults.validate_tiles().unwrap_err().to_string();
    assert!(error.contains("at most 16384 cells per side"), "{error}");
}
