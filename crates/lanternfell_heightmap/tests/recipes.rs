//! Recipes: what is written reads back, what is wrong is named, and the shipped ones work.

use lanternfell_heightmap::{
    Blend, Cancelled, Faults, Filter, Hills, Islands, Layer, MapSize, Mask, Progress, Recipe,
    RecipeError,
};

fn two_layers() -> Recipe {
    let hills = Hills {
        island: true,
        ..Hills::default()
    };
    let mut recipe = Recipe::new(MapSize::new(96, 80).unwrap(), 11, hills);
    recipe.layers[0].generator.set("radius_max", "20").unwrap();
    let faults = Faults {
        lines: 40,
        ..Faults::default()
    };
    recipe.layers.push(Layer {
        weight: 0.3,
        ..Layer::new(faults)
    });
    recipe
        .with_filter(Filter::Flatten(2.0))
        .with_filter(Filter::Island(Mask::Radial))
}

#[test]
fn what_is_written_reads_back_the_same() {
    for recipe in [Recipe::default(), two_layers()] {
        let text = recipe.to_ron();
        assert_eq!(Recipe::from_ron(&text).unwrap(), recipe, "{text}");
    }
}

#[test]
fn a_blend_fills_zero_to_one_and_repeats() {
    let progress = Progress::default();
    let map = two_layers().generate(&progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
    assert_eq!(map, two_layers().generate(&Progress::default()).unwrap());
    let other = Recipe {
        seed: 12,
        ..two_layers()
    };
    assert_ne!(map, other.generate(&Progress::default()).unwrap());
    let (low, high) = map.range();
    assert!(low == 0.0 && high <= 1.0 && high > 0.8, "{low} to {high}");
}

#[test]
fn layers_of_one_kind_differ() {
    let mut recipe = Recipe::new(MapSize::default(), 3, Islands::default());
    let alone = recipe.generate(&Progress::default()).unwrap();
    let second = Layer {
        blend: Blend::Mix,
        ..Layer::new(Islands::default())
    };
    recipe.layers.push(second);
    assert_ne!(alone, recipe.generate(&Progress::default()).unwrap());
}

#[test]
fn a_typo_is_named_with_its_place() {
    let text = "(\n  version: 1,\n  size: (64, 64),\n  layers: [(generator: Hils(()))],\n)";
    let error = Recipe::from_ron(text).unwrap_err().to_string();
    assert!(
        error.contains("line 4") && error.contains("Hils"),
        "{error}"
    );
    let text = "(version: 1, size: (64, 64), layers: [(generator: Hills((cuont: 3)))])";
    let error = Recipe::from_ron(text).unwrap_err().to_string();
    assert!(
        error.contains("cuont") && error.contains("count"),
        "{error}"
    );
    let error = Recipe::from_ron("(version: 1, size: (64")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 1"), "{error}");
}

#[test]
fn an_optional_field_needs_no_some() {
    let text = |level| {
        format!(
            "(version: 1, size: (64, 64), sea_level: {level}, \
             layers: [(generator: Faults((erosion: (every: 30))))])"
        )
    };
    let short = Recipe::from_ron(&text("0.3")).unwrap();
    assert_eq!(short.sea_level, Some(0.3));
    assert_eq!(short, Recipe::from_ron(&text("Some(0.3)")).unwrap());
    assert_eq!(Recipe::from_ron(&text("None")).unwrap().sea_level, None);
    let marked = format!("\u{feff}{}", text("0.3"));
    assert_eq!(short, Recipe::from_ron(&marked).unwrap());
}

#[test]
fn a_whole_number_of_the_wrong_size_is_told_the_range() {
    let reads = |text: &str| Recipe::from_ron(text).unwrap_err().to_string();
    let newer = reads("(version: 99999999999, size: (64, 64))");
    assert!(newer.starts_with("recipe version 99999999999"), "{newer}");
    for count in ["-5", "99999999999", "4294967296"] {
        let error = reads(&format!(
            "(version: 1, size: (64, 64), layers: [(generator: Hills((count: {count})))])"
        ));
        assert!(error.starts_with("line 1, column 6"), "{error}");
        assert!(
            error.contains("a whole number from 0 to 4294967295"),
            "{error}"
        );
    }
}

#[test]
fn what_is_out_of_range_is_named_with_its_layer() {
    let reads = |text| Recipe::from_ron(text).unwrap_err().to_string();
    let text = "(version: 1, size: (1, 64), layers: [(generator: Hills(()))])";
    assert!(reads(text).contains("size 1x64"), "{}", reads(text));
    let text = "(version: 2, size: (64, 64), layers: [], colour: Red)";
    assert!(reads(text).contains("version 2"), "{}", reads(text));
    let text = "(version: 1, size: (64, 64), layers: [])";
    assert!(reads(text).contains("this one has 0"), "{}", reads(text));
    let text = "(version: 1, size: (64, 64), layers: [(generator: Fluid(())), (generator: Hills((radius_max: -1)))])";
    assert!(
        reads(text).starts_with("layer 1: hills: radius_m"),
        "{}",
        reads(text)
    );
    let text =
        "(version: 1, size: (64, 64), layers: [(generator: Fluid(()))], sea_level: Some(1.5))";
    assert!(reads(text).contains("sea_level is 1.5"), "{}", reads(text));
    let text = "(version: 1, size: (64, 64), layers: [(generator: Fluid(()))], sea_level: 1.1)";
    assert!(reads(text).contains("sea_level is 1.1,"), "{}", reads(text));
}

#[test]
fn flattening_keeps_the_coast_of_islands_but_not_of_hills() {
    let size = MapSize::default();
    let land = |recipe: &Recipe| {
        let map = recipe.generate(&Progress::default()).unwrap();
        map.share_above(recipe.water_level())
    };
    let islands = Recipe::new(size, 5, Islands::default());
    let flat = islands.clone().with_filter(Filter::Flatten(3.0));
    assert!((land(&islands) - land(&flat)).abs() < 0.001);
    let hills = Recipe::new(
        size,
        5,
        Hills {
            island: true,
            ..Hills::default()
        },
    );
    let flat = hills.clone().with_filter(Filter::Flatten(3.0));
    assert!(land(&flat) < 0.9 * land(&hills));
}

/// Cancelled as soon as the layers are made: what is left must stop too.
#[test]
fn blends_and_filters_can_be_cancelled_and_the_end_is_1() {
    let mut recipe = two_layers();
    recipe.size = MapSize::new(1500, 1500).unwrap();
    recipe.filters = vec![Filter::Flatten(1.5); 40];
    let progress = Progress::default();
    let watcher = progress.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while watcher.fraction() < 0.91 {
                std::thread::yield_now();
            }
            watcher.cancel();
        });
        let result = recipe.generate(&progress);
        assert_eq!(result, Err(RecipeError::Cancelled(Cancelled)));
    });
    assert!(progress.fraction() < 1.0, "{}", progress.fraction());
}

#[test]
fn shipped_recipes_make_land_in_a_sea() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/recipes");
    let mut made = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let recipe = Recipe::from_ron(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let map = recipe.generate(&Progress::default()).unwrap();
        let land = map.share_above(recipe.water_level());
        assert!(
            (0.05..0.95).contains(&land),
            "{}: {land} land",
            path.display()
        );
        made += 1;
    }
    assert!(made > 0);
}
