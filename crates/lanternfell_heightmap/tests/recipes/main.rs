//! Recipes: files, errors, steps and presets.

#[path = "../common/mod.rs"]
mod common;
mod errors;
mod files;
mod holes;
mod landscapes;
mod parameters;
mod scale;
mod tiles;
mod tiles_erosion;

use common::fnv;
use lanternfell_heightmap::{
    Band, Blend, Canceled, Faults, Filter, FractalNoise, Generator, Heightmap, Hills, MapSize,
    Mask, Operation, Preset, Progress, Recipe, RecipeError, Scale, SeededRng, Selection,
};

fn two_layers() -> Recipe {
    let hills = Hills {
        island: true,
        radius_max: 20.0,
        ..Hills::default()
    };
    let faults = Faults {
        lines: 40,
        ..Faults::default()
    };
    Recipe::new(MapSize::new(96, 80).unwrap(), 11, hills)
        .with_layer(faults, Blend::Add, 0.3)
        .with_filter(Filter::Normalize)
        .with_filter(Filter::Gamma(2.0))
        .with_filter(Filter::Island(Mask::Radial))
}

/// A recipe with every kind of step.
fn every_kind() -> Recipe {
    let named = str::to_owned;
    let cliffs = Operation::Select {
        of: named("land"),
        by: Selection::Height(Band {
            from: Some(0.5),
            to: None,
            fade: 0.1,
        }),
    };
    let terraced = Operation::Filter {
        of: named("land"),
        by: vec![Filter::Gamma(3.0)],
        mask: Some(named("cliffs")),
        salt: Some(4),
    };
    let image = Operation::Image {
        name: named("coast.png"),
    };
    let drowned = Operation::Blend {
        ground: named("terraced"),
        layer: named("plain"),
        how: Blend::Mix,
        weight: 0.9,
        mask: Some(named("coast")),
    };
    Recipe {
        scale: Some(Scale {
            spacing: 10.0,
            relief: 900.0,
        }),
        sea_level: Some(0.25),
        ..Recipe::new(MapSize::new(40, 30).unwrap(), 5, FractalNoise::default())
    }
    .with_step("plain", Operation::Flat { height: 0.125 })
    .with_step("cliffs", cliffs)
    .with_step("coast", image)
    .with_step("terraced", terraced)
    .with_step("drowned", drowned)
    .with_step("unused", Generator::default().into())
    .ending_in("drowned")
}

trait EndingIn {
    fn ending_in(self, step: &str) -> Recipe;
}

impl EndingIn for Recipe {
    fn ending_in(self, step: &str) -> Recipe {
        Recipe {
            result: Some(step.to_owned()),
            ..self
        }
    }
}

fn generated(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

fn reads(text: &str) -> String {
    Recipe::from_ron(text).unwrap_err().to_string()
}

#[test]
fn blend_fills_zero_to_one_and_is_deterministic() {
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
fn steps_with_equal_generators_differ() {
    let alone = Recipe::new(MapSize::default(), 3, FractalNoise::default());
    let two = alone
        .clone()
        .with_layer(FractalNoise::default(), Blend::Mix, 1.0);
    assert_ne!(generated(&alone), generated(&two));
    // The name determines the seed, so it outlives the name of the generator.
    assert_eq!(two.steps[1].name, "islands");
}

/// Salt 0 is the seed itself, equal salts share their random numbers, and a missing salt is derived
/// from the name.
#[test]
fn salt_selects_random_numbers() {
    let step = |name: &str, salt| {
        let by = FractalNoise::default().into();
        Recipe {
            steps: vec![],
            ..Recipe::new(MapSize::new(32, 32).unwrap(), 9, Hills::default())
        }
        .with_step(name, Operation::Generate { by, salt })
    };
    let map = |name: &str, salt| generated(&step(name, salt));
    let plain = FractalNoise::default().generate(step("a", None).size, 9, &Progress::default());
    assert_eq!(map("a", Some(0)), plain.unwrap());
    assert_eq!(map("a", Some(3)), map("b", Some(3)));
    assert_ne!(map("a", Some(3)), map("a", Some(4)));
    assert_ne!(map("a", None), map("b", None));
    let more = step("a", None).with_step("b", Generator::default().into());
    assert_eq!(map("a", None), generated(&more.ending_in("a")));
}

#[test]
fn every_kind_of_step_affects_the_map() {
    let recipe = every_kind();
    assert_eq!(recipe.images(), ["coast.png"]);
    let (width, height) = (recipe.size.width(), recipe.size.height());
    // Water in the west, land in the east.
    let coast = (0..height).flat_map(|_| (0..width).map(|x| f32::from(u8::from(x < 10))));
    let coast = Heightmap::from_heights(recipe.size, coast.collect()).unwrap();
    let images = |name: &str| match name {
        "coast.png" => Ok(coast.clone()),
        other => Err(format!("no {other}")),
    };
    let map = recipe.generate_with(&images, &Progress::default()).unwrap();
    let land = generated(&recipe.clone().ending_in("land"));
    for y in 0..height {
        for x in 0..width {
            let z = land.get(x, y);
            let share = ((z - 0.4) / 0.1).clamp(0.0, 1.0);
            let terraced = z + share * (z.powi(3) - z);
            let weight = if x < 10 { 0.9 } else { 0.0 };
            let expected = terraced + weight * (0.125 - terraced);
            let found = map.get(x, y);
            assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
        }
    }
    let error = recipe.generate(&Progress::default()).unwrap_err();
    let words = "step `coast`: image `coast.png`: there are no images here";
    assert_eq!(error.to_string(), words);
}

#[test]
fn peak_map_count_counts_needed_maps() {
    let size = MapSize::default();
    let at_once = |recipe: &Recipe| recipe.peak_map_count().unwrap();
    let plain = Recipe::new(size, 1, Hills::default());
    assert_eq!(at_once(&plain), 1);
    let filtered = plain.clone().with_filter(Filter::Normalize);
    assert_eq!(at_once(&filtered), 1, "in place");
    let many = (0..20).fold(filtered.clone(), |recipe, _| {
        recipe.with_layer(FractalNoise::default(), Blend::Max, 1.0)
    });
    assert_eq!(at_once(&many), 2);
    assert_eq!(at_once(&every_kind()), 3);
    // The map is used twice, so it is copied, and the other use sees it unmodified.
    let mut twice =
        filtered.with_step("again", Operation::filter("land", vec![Filter::Gamma(2.0)]));
    let shaped = Operation::Blend {
        ground: "again".to_owned(),
        layer: "shaped".to_owned(),
        how: Blend::Mix,
        weight: 1.0,
        mask: None,
    };
    twice = twice.with_step("both", shaped);
    assert_eq!(at_once(&twice), 2);
    assert_eq!(
        generated(&twice),
        generated(&plain.with_filter(Filter::Normalize))
    );
    // A map blended with itself.
    let own = Operation::Blend {
        ground: "land".to_owned(),
        layer: "land".to_owned(),
        how: Blend::Multiply,
        weight: 1.0,
        mask: Some("land".to_owned()),
    };
    let own = Recipe::new(size, 1, FractalNoise::default()).with_step("own", own);
    let (land, own) = (generated(&own.clone().ending_in("land")), generated(&own));
    for (&a, &z) in land.heights().iter().zip(own.heights()) {
        assert_eq!(z, a * (1.0 - a + a * a));
    }
}

#[test]
fn gamma_keeps_coast_of_islands_but_not_of_hills() {
    let size = MapSize::default();
    let land = |recipe: &Recipe| {
        let map = recipe.generate(&Progress::default()).unwrap();
        map.share_above(recipe.water_level())
    };
    let islands = Recipe::new(size, 5, FractalNoise::default());
    let flat = islands.clone().with_filter(Filter::Gamma(3.0));
    assert!((land(&islands) - land(&flat)).abs() < 0.001);
    let hills = Recipe::new(
        size,
        5,
        Hills {
            island: true,
            ..Hills::default()
        },
    );
    let flat = hills.clone().with_filter(Filter::Gamma(3.0));
    assert!(land(&flat) < 0.9 * land(&hills));
}

/// Canceled as soon as the generators are done: the remaining steps must stop too.
#[test]
fn blends_and_filters_can_be_canceled() {
    let mut recipe = two_layers();
    recipe.size = MapSize::new(1500, 1500).unwrap();
    recipe = recipe.with_step(
        "long",
        Operation::filter("shaped", vec![Filter::Gamma(1.5); 40]),
    );
    let progress = Progress::default();
    let watcher = progress.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while watcher.fraction() < 0.3 {
                std::thread::yield_now();
            }
            watcher.cancel();
        });
        let result = recipe.generate(&progress);
        assert_eq!(result, Err(RecipeError::Canceled(Canceled)));
    });
    assert!(progress.fraction() < 1.0, "{}", progress.fraction());
}

#[test]
fn presets_have_land() {
    for preset in Preset::ALL {
        let (name, recipe) = (preset.name, preset.recipe());
        let map = generated(&recipe);
        let land = map.share_above(recipe.water_level());
        // An atoll has little land, a desert has nothing else.
        assert!(land > 0.02, "{name}: {land} land");
        let (low, high) = map.range();
        assert!(low >= 0.0, "{name}: {low}");
        assert!((0.5..=1.0).contains(&high), "{name}: {high}");
    }
}
