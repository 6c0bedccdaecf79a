//! Recipes: what is written reads back, what is wrong is named, and the shipped ones work.

mod common;

use common::fnv;
use lanternfell_heightmap::{
    Band, Blend, Cancelled, Faults, Filter, FractalNoise, Generator, Heightmap, Hills, MapSize,
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
fn what_is_written_reads_back_the_same() {
    for recipe in [Recipe::default(), two_layers(), every_kind()] {
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
fn steps_of_one_kind_differ() {
    let alone = Recipe::new(MapSize::default(), 3, FractalNoise::default());
    let two = alone
        .clone()
        .with_layer(FractalNoise::default(), Blend::Mix, 1.0);
    assert_ne!(generated(&alone), generated(&two));
}

/// Salts: 0 is the seed itself, equal ones share their draws, names stand in for missing ones.
#[test]
fn salts_say_which_random_numbers_a_step_draws() {
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
fn every_kind_of_step_does_its_part() {
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
fn maps_are_kept_only_while_they_are_needed() {
    let size = MapSize::default();
    let at_once = |recipe: &Recipe| recipe.maps_at_once().unwrap();
    let plain = Recipe::new(size, 1, Hills::default());
    assert_eq!(at_once(&plain), 1);
    let filtered = plain.clone().with_filter(Filter::Normalize);
    assert_eq!(at_once(&filtered), 1, "in place");
    let many = (0..20).fold(filtered.clone(), |recipe, _| {
        recipe.with_layer(FractalNoise::default(), Blend::Max, 1.0)
    });
    assert_eq!(at_once(&many), 2);
    assert_eq!(at_once(&every_kind()), 3);
    // The ground is needed twice, so it is copied, and still the same for the other.
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
    // A map on itself.
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

/// The bits that version 1 made, from before version 2 was.
#[test]
fn files_of_version_1_make_the_same_maps() {
    let cone = "(version: 1, size: (768, 768), seed: 11, layers: [
        (generator: Hills((count: 260, radius_min: 12, radius_max: 130, island: true))),
        (generator: Islands((octaves: 6)), blend: Add, weight: 0.35),
      ], filters: [Island(Radial)], sea_level: 0.12)";
    let three = "(version: 1, size: (96, 80), seed: 11, layers: [
        (generator: Islands((octaves: 4)), filters: [Flatten(1.5), Normalise]),
        (generator: Faults((lines: 40)), weight: 0.3, blend: Multiply, filters: [Island(Square)]),
        (generator: Islands(()), weight: 0.4, blend: Max),
      ], filters: [Flatten(2.0), Island(Radial)])";
    let old = [
        (cone, 0x19df_8cd8_cc53_2053, 0.12),
        (three, 0xae14_b6b7_07a8_286e, 0.248_043_06),
    ];
    for (text, bits, sea) in old {
        assert_eq!(Recipe::version_of(text), Some(1), "{text}");
        let recipe = Recipe::from_ron(text).unwrap();
        assert_eq!(fnv(&generated(&recipe)), bits, "{}", recipe.to_ron());
        assert_eq!(recipe.water_level(), sea, "{text}");
        assert_eq!(
            Recipe::from_ron(&recipe.to_ron()).unwrap(),
            recipe,
            "{text}"
        );
    }
    let names: Vec<String> = Recipe::from_ron(three)
        .unwrap()
        .steps
        .into_iter()
        .map(|s| s.name)
        .collect();
    assert_eq!(
        names,
        [
            "islands",
            "filtered",
            "faults",
            "filtered-2",
            "blend",
            "islands-2",
            "blend-2",
            "shaped"
        ]
    );
    assert_eq!(
        reads("(version: 1, size: (64, 64), layers: [])"),
        reads("(version: 3, size: (64, 64), steps: {})")
    );
}

/// Every name that version 3 changed, and the bits that version 2 made.
#[test]
fn files_of_version_2_make_the_same_maps() {
    let steps = r#"
        "a": Generate(by: Islands((octaves: 4, scale: 40, variant: Plain, quantised: true))),
        "b": Generate(by: Islands((octaves: 3, scale: 30, variant: Ridged, warp: 12))),
        "land": Blend(ground: "a", layer: "b", weight: 0.5),
        "worn": Filter(of: "land", by: [
            Normalise, Flatten(1.5), Fluvial((strength: 0.4)), Droplets((density: 0.2)),
            Talus((angle: 40)),
        ]),"#;
    let of_version =
        |version| format!("(version: {version}, size: (96, 80), seed: 11, steps: {{{steps}}})");
    let recipe = Recipe::from_ron(&of_version(2)).unwrap();
    assert_eq!(recipe.version, Recipe::VERSION);
    assert_eq!(
        fnv(&generated(&recipe)),
        0x82b9_b1df_47e9_373b,
        "{}",
        recipe.to_ron()
    );
    let written = recipe.to_ron();
    assert_eq!(Recipe::version_of(&written), Some(3));
    for old in [
        "Islands",
        "Plain",
        "quantised",
        "Normalise",
        "Flatten",
        "Fluvial",
        "Droplets",
        "Talus",
    ] {
        assert!(!written.contains(old), "{old} in\n{written}");
    }
    assert_eq!(Recipe::from_ron(&written).unwrap(), recipe);
    // The old names are read in any version.
    assert_eq!(Recipe::from_ron(&of_version(3)).unwrap(), recipe);
}

#[test]
fn a_typo_is_named_with_its_place() {
    let text =
        "(\n  version: 3,\n  size: (64, 64),\n  steps: {\n \"a\": Generate(by: Hils(()))},\n)";
    let error = reads(text);
    assert!(
        error.contains("line 5") && error.contains("Hils"),
        "{error}"
    );
    let error =
        reads("(version: 3, size: (64, 64), steps: {\"a\": Generate(by: Hills((cuont: 3)))})");
    assert!(
        error.contains("cuont") && error.contains("count"),
        "{error}"
    );
    let error = reads("(version: 3, size: (64, 64), steps: {\"a\": Blend(grund: \"b\")})");
    assert!(
        error.contains("grund") && error.contains("ground"),
        "{error}"
    );
    let error = reads("(version: 3, size: (64");
    assert!(error.starts_with("line 1"), "{error}");
    let twice =
        "(version: 3, size: (64, 64), steps: {\n\"a\": Flat(height: 0),\n\"a\": Flat(height: 1)})";
    let error = reads(twice);
    assert!(
        error.starts_with("line 3") && error.contains("two steps `a`"),
        "{error}"
    );
    let many: String = (0..300)
        .map(|i| format!("\"s{i}\": Flat(height: 0),"))
        .collect();
    let error = reads(&format!("(version: 3, size: (64, 64), steps: {{{many}}})"));
    assert!(error.contains("more than 256 steps"), "{error}");
}

/// Whatever a hand or a disk does to a file: it is refused, or it is a recipe.
#[test]
fn damaged_recipes_are_refused_or_recipes() {
    let mut rng = SeededRng::new(1, b"test    ");
    let text = every_kind().to_ron();
    let words: Vec<&str> = text
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..4000 {
        let mut damaged = words.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(damaged.len() as u64) as usize;
            match rng.below(4) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, rng.pick(&words).unwrap()),
                2 => damaged[at] = rng.pick(&words).unwrap(),
                _ => {
                    let odd = ["-1,", "1e39,", "[(", "NaN,", "()", ""];
                    damaged[at] = rng.pick(&odd).unwrap();
                }
            }
        }
        match Recipe::from_ron(&damaged.concat()) {
            Ok(recipe) => {
                assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe));
                good += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 100 && bad > 1000, "{good} good, {bad} bad");
    let deep = "(".repeat(100_000);
    assert!(Recipe::from_ron(&deep).is_err());
}

#[test]
fn an_optional_field_needs_no_some() {
    let text = |level| {
        format!(
            "(version: 3, size: (64, 64), sea_level: {level}, \
             steps: {{\"a\": Generate(by: Faults((erosion: (every: 30))))}})"
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
    for version in ["4", "99999999999"] {
        let newer = reads(&format!("(version: {version}, size: (64, 64), color: Red)"));
        let words =
            format!("recipe version {version} is not known: this release reads versions 1 to 3");
        assert_eq!(newer, words);
    }
    for count in ["-5", "99999999999", "4294967296"] {
        let error = reads(&format!(
            "(version: 3, size: (64, 64), steps: {{\"a\": Generate(by: Hills((count: {count})))}})"
        ));
        assert!(error.starts_with("line 1, column "), "{error}");
        assert!(
            error.contains("a whole number from 0 to 4294967295"),
            "{error}"
        );
    }
}

#[test]
fn what_is_wrong_is_named_with_its_step() {
    let steps = |steps: &str| reads(&format!("(version: 3, size: (64, 64), steps: {{{steps}}})"));
    let land = "\"land\": Generate(by: Fluid(()))";
    let cases = [
        ("", "a recipe has from 1 to 256 steps, and this one has 0"),
        (
            "\"land\": Generate(by: Hills((radius_max: -1)))",
            "step `land`: hills: radius_m",
        ),
        (
            "\"a\": Filter(of: \"land\", by: [Gamma(0.5)]), \"land\": Flat(height: 1)",
            "step `a`: filter: gamma is 0.5, but must be from 1 to 16",
        ),
        (
            "\"a\": Blend(ground: \"land\", layer: \"land\", weight: 7), \"land\": Flat(height: 1)",
            "step `a`: blend: weight is 7, but must be from 0 to 1",
        ),
        (
            "\"a\": Select(of: \"land\", by: Height((from: 1, to: 0.5))), \"land\": Flat(height: 1)",
            "step `a`: selection: to is 0.5, but must be at least 1",
        ),
        ("\"a\": Flat(height: 1.1)", "step `a`: flat: height is 1.1,"),
        (
            "\"a\": Filter(of: \"b\", by: [])",
            "step `a`: there is no step `b`",
        ),
        (
            "\"a\": Filter(of: \"a\", by: [])",
            "step `a` needs itself: `a` is made from `a`",
        ),
        (
            "\"x\": Filter(of: \"y\", by: []), \"y\": Filter(of: \"z\", by: []), \
             \"z\": Filter(of: \"y\", by: []), \"land\": Flat(height: 1)",
            "step `y` needs itself: `y` is made from `z` is made from `y`",
        ),
        (
            "\"two words\": Flat(height: 1)",
            "`two words` is no name for a step",
        ),
        ("\"\": Flat(height: 1)", "`` is no name for a step"),
    ];
    for (text, words) in cases {
        let error = steps(text);
        assert!(error.starts_with(words), "{error}\nis not\n{words}");
    }
    let rest = |rest: &str| {
        reads(&format!(
            "(version: 3, size: (64, 64), steps: {{{land}}}, {rest})"
        ))
    };
    assert!(rest("sea_level: 1.5").contains("sea_level is 1.5"));
    assert!(rest("sea_level: 1.1").contains("sea_level is 1.1,"));
    assert!(rest("scale: (spacing: 0, relief: 1)").contains("scale: spacing is 0"));
    assert_eq!(rest("result: \"lnd\""), "result: there is no step `lnd`");
    let text = "(version: 3, size: (1, 64), steps: {\"a\": Flat(height: 1)})";
    assert!(reads(text).contains("size 1x64"), "{}", reads(text));
}

#[test]
fn steps_with_one_name_are_refused_in_values_too() {
    let recipe = Recipe::default().with_step("land", Operation::Flat { height: 0.0 });
    let error = recipe.validate().unwrap_err();
    assert_eq!(
        error,
        RecipeError::Twice {
            name: "land".to_owned()
        }
    );
}

/// Steps in any order, and as deep as it gets.
#[test]
fn the_order_in_the_file_does_not_matter() {
    let mut deep = Recipe::new(MapSize::new(8, 8).unwrap(), 2, FractalNoise::default());
    for number in 1..Recipe::MAX_STEPS {
        let below = deep.result_name().to_owned();
        let filter = Operation::filter(below, vec![Filter::Gamma(1.01)]);
        deep = deep.with_step(format!("step-{number}"), filter);
    }
    let last = deep.result_name().to_owned();
    let mut turned = deep.clone().ending_in(&last);
    turned.steps.reverse();
    assert_eq!(generated(&deep), generated(&turned));
    assert_eq!(deep.water_level(), turned.water_level());
    assert_eq!(deep.maps_at_once().unwrap(), 1);
}

#[test]
fn flattening_keeps_the_coast_of_islands_but_not_of_hills() {
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

/// Cancelled as soon as the generators are done: what is left must stop too.
#[test]
fn blends_and_filters_can_be_cancelled() {
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
        assert_eq!(result, Err(RecipeError::Cancelled(Cancelled)));
    });
    assert!(progress.fraction() < 1.0, "{}", progress.fraction());
}

#[test]
fn presets_make_land() {
    for preset in Preset::ALL {
        let (name, recipe) = (preset.name, preset.recipe());
        let map = generated(&recipe);
        let land = map.share_above(recipe.water_level());
        // An atoll has little of it, a desert nothing else.
        assert!(land > 0.02, "{name}: {land} land");
        let (low, high) = map.range();
        assert!(low >= 0.0, "{name}: {low}");
        assert!((0.5..=1.0).contains(&high), "{name}: {high}");
    }
}
