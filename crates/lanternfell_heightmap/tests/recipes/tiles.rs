//! Tiles that are generated on their own have the bits of the whole map.

use crate::common::fnv;
use lanternfell_heightmap::{
    Band, Blend, FaultErosion, Faults, Filter, Fluid, FractalNoise, Generator, Heightmap, Hills,
    LineDistribution, MapRegion, MapSize, Mask, Operation, Profile, Progress, Recipe, RecipeError,
    RidgedMultifractal, Selection, TileError, TilePrepass, Worley,
    erosion::ThermalErosion,
    filter::{
        Clamp, Curve, Dig, Edges, Kernel, Linear, Mound, Shape, Sharpen, Smooth, Stretch, Terrace,
        Warp,
    },
};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn measured(recipe: &Recipe) -> TilePrepass {
    recipe.prepass(&Progress::default()).unwrap()
}

/// Generates the map in tiles of this size, with smaller tiles at the end, and compares each with
/// the whole map.
#[track_caller]
fn assert_tiles(recipe: &Recipe, (across, down): (usize, usize)) {
    let whole = recipe.generate(&Progress::default()).unwrap();
    let prepass = measured(recipe);
    for top in (0..recipe.size.height()).step_by(down) {
        for left in (0..recipe.size.width()).step_by(across) {
            let width = across.min(recipe.size.width() - left);
            let height = down.min(recipe.size.height() - top);
            let tile = size(width as u64, height as u64);
            let region = MapRegion::new(left, top, tile, recipe.size).unwrap();
            assert_tile(
                &whole,
                &recipe.tile(&prepass, region, &Progress::default()).unwrap(),
                region,
            );
        }
    }
}

#[track_caller]
fn assert_tile(whole: &Heightmap, tile: &Heightmap, region: MapRegion) {
    assert_eq!(tile.size(), region.size());
    for y in 0..tile.height() {
        let expected = &whole.row(region.y() + y)[region.x()..][..tile.width()];
        let same = expected
            .iter()
            .zip(tile.row(y))
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "row {y} of {region:?}");
    }
}

fn generators() -> Vec<Generator> {
    let faults = |profile, width, distribution| Faults {
        lines: 60,
        profile,
        width,
        distribution,
        displacement_last: 0.25,
        ..Faults::default()
    };
    vec![
        faults(Profile::Step, 0.0, LineDistribution::TwoPoints).into(),
        faults(Profile::Linear, 9.5, LineDistribution::AngleDistance).into(),
        faults(Profile::Cosine, 30.0, LineDistribution::AngleDistance).into(),
        Hills::default().into(),
        Hills {
            island: true,
            radius_max: 30.0,
            count: 50,
            ..Hills::default()
        }
        .into(),
        FractalNoise::default().into(),
        FractalNoise {
            warp: 30.0,
            mask: Mask::Radial,
            ..FractalNoise::default()
        }
        .into(),
        FractalNoise {
            mask: Mask::Square,
            quantized: true,
            ..FractalNoise::default()
        }
        .into(),
        RidgedMultifractal {
            warp: 9.0,
            ..RidgedMultifractal::default()
        }
        .into(),
        RidgedMultifractal {
            scale: 20.0,
            period: Some(40),
            ..RidgedMultifractal::default()
        }
        .into(),
        Worley {
            scale: 13.7,
            ..Worley::default()
        }
        .into(),
        Worley {
            scale: 7.0,
            period: Some(35),
            ..Worley::default()
        }
        .into(),
    ]
}

#[test]
fn generators_in_tiles_match_the_whole_map() {
    for (seed, generator) in (0..).zip(generators()) {
        for (world, tile) in [(size(120, 90), (32, 32)), (size(65, 131), (50, 11))] {
            assert_tiles(&Recipe::new(world, seed, generator.clone()), tile);
        }
    }
}

/// A recipe with all kinds of steps, and a range that no single tile contains.
#[test]
fn recipes_in_tiles_match_the_whole_map() {
    let named = str::to_owned;
    let high = Operation::Select {
        of: named("hills"),
        by: Selection::Height(Band {
            from: Some(0.4),
            to: None,
            fade: 0.2,
        }),
    };
    let shaped = Operation::Filter {
        of: named("hills"),
        by: vec![
            Filter::Gamma(2.0),
            Filter::Island(Mask::Radial),
            Filter::Normalize,
            Filter::Gamma(1.5),
        ],
        mask: Some(named("high")),
        salt: None,
    };
    let steep = Operation::Select {
        of: named("hills"),
        by: Selection::Slope(Band {
            from: Some(10.0),
            to: Some(40.0),
            fade: 8.0,
        }),
    };
    let recipe = Recipe::new(size(150, 110), 3, Faults::default())
        .with_layer(FractalNoise::default(), Blend::Multiply, 0.7)
        .with_filter(Filter::Normalize)
        .with_step("hills", Generator::default().into())
        .with_step("high", high)
        .with_step("steep", steep)
        .with_step("peaks", shaped)
        .with_step("level", Operation::Flat { height: 0.1 })
        .with_step(
            "sum",
            Operation::Blend {
                ground: named("peaks"),
                layer: named("shaped"),
                how: Blend::Max,
                weight: 0.8,
                mask: Some(named("steep")),
            },
        )
        .with_layer(FractalNoise::default(), Blend::Add, 0.2)
        .with_filter(Filter::Normalize)
        .with_filter(Filter::Island(Mask::Square));
    assert_tiles(&recipe, (64, 48));
    assert_tiles(&recipe, (150, 110));
}

/// The world is larger than the regions in which the prepass generates it.
#[test]
fn prepass_measures_the_whole_world() {
    let recipe =
        Recipe::new(size(2300, 1030), 5, FractalNoise::default()).with_filter(Filter::Normalize);
    let whole = recipe.generate(&Progress::default()).unwrap();
    let prepass = measured(&recipe);
    for (x, y) in [(0, 0), (1000, 500), (2200, 990)] {
        let region = MapRegion::new(x, y, size(100, 40), recipe.size).unwrap();
        assert_tile(
            &whole,
            &recipe.tile(&prepass, region, &Progress::default()).unwrap(),
            region,
        );
    }
}

#[test]
fn rejects_steps_that_need_the_whole_map() {
    let eroded = Faults {
        erosion: Some(FaultErosion::default()),
        ..Faults::default()
    };
    let image = Operation::Image {
        name: "a.png".to_owned(),
    };
    let plain = || Recipe::new(size(64, 64), 1, FractalNoise::default());
    for (recipe, step) in [
        (Recipe::new(size(64, 64), 1, Fluid::default()), "land"),
        (Recipe::new(size(64, 64), 1, eroded), "land"),
        (plain().with_step("coast", image.clone()), "coast"),
    ] {
        let error = recipe.prepass(&Progress::default()).expect_err(step);
        let words = format!("step `{step}` cannot be generated in tiles: ");
        assert!(error.to_string().starts_with(&words), "{error}");
        let region = MapRegion::whole(recipe.size);
        let same = recipe.tile(&TilePrepass::default(), region, &Progress::default());
        assert_eq!(same, Err(error), "{step}");
    }
    // Steps that the result does not need are ignored.
    let unused = Recipe {
        result: Some("land".to_owned()),
        ..plain().with_step("coast", image)
    };
    assert_tiles(&unused, (20, 20));
}

#[test]
fn rejects_foreign_prepass_and_region_outside() {
    let hills = Recipe::new(size(64, 64), 1, Hills::default());
    let normalized =
        Recipe::new(size(64, 64), 1, FractalNoise::default()).with_filter(Filter::Normalize);
    let region = MapRegion::new(0, 0, size(9, 9), hills.size).unwrap();
    let foreign = [
        TilePrepass::default(),
        measured(&Recipe::new(size(64, 64), 2, Hills::default())),
        measured(&Recipe::new(size(64, 65), 1, Hills::default())),
        measured(&hills.clone().with_filter(Filter::Invert)),
    ];
    for recipe in [&hills, &normalized] {
        for prepass in &foreign {
            let error = recipe.tile(prepass, region, &Progress::default());
            assert_eq!(error, Err(TileError::Foreign), "{recipe:?}");
        }
    }
    let beyond = MapRegion::new(60, 60, size(9, 9), size(100, 100)).unwrap();
    let error = hills.tile(&measured(&hills), beyond, &Progress::default());
    assert_eq!(error, Err(TileError::Outside));
    let wrong = hills.with_filter(Filter::Gamma(0.0));
    let error = wrong.prepass(&Progress::default()).unwrap_err();
    assert!(
        matches!(error, TileError::Recipe(RecipeError::Step { .. })),
        "{error}"
    );
}

/// A file can contain anything.
#[test]
fn rejects_damaged_prepass() {
    let recipe = Recipe::new(size(64, 64), 1, Faults::default())
        .with_layer(FractalNoise::default(), Blend::Add, 0.5)
        .with_filter(Filter::Normalize);
    let text = ron::to_string(&measured(&recipe)).unwrap();
    let after = |word: &str| text.split_once(word).unwrap().1.split_once(')').unwrap().0;
    let range = format!("range:{}", after("range:"));
    let low = text
        .split_once("low:")
        .unwrap()
        .1
        .split_once(',')
        .unwrap()
        .0;
    let low = format!("low:{low}");
    for (old, new, step) in [
        (&range, "range:(-inf,inf", "shaped"),
        (&range, "range:(0.0,NaN", "shaped"),
        (&range, "range:(1.0,0.5", "shaped"),
        (&low, "low:-inf", "land"),
        (&low, "low:NaN", "land"),
        (&low, "low:0.5", "land"),
        (&low, "low:1e30", "land"),
    ] {
        let damaged = text.replace(old.as_str(), new);
        assert_ne!(damaged, text, "{new}");
        let error = ron::from_str::<TilePrepass>(&damaged)
            .unwrap_err()
            .to_string();
        assert!(error.contains(&format!("step `{step}`")), "{new}: {error}");
    }
    // A valid range, but not of this map: heights would be outside 0 to 1.
    let region = MapRegion::whole(recipe.size);
    let lacking = format!("[(step:\"shaped\",place:0,{range}))]");
    assert!(text.contains(&lacking), "{text}");
    for lying in [
        text.replace(&range, "range:(0.4,0.5"),
        text.replace(&lacking, "[]"),
    ] {
        let lying: TilePrepass = ron::from_str(&lying).unwrap();
        let step = "shaped".to_owned();
        let error = recipe.tile(&lying, region, &Progress::default());
        assert_eq!(error, Err(TileError::Prepass { step }));
    }
    assert!(ron::from_str::<TilePrepass>(&text.replace("fingerprint", "print")).is_err());
}

/// Each level uses the previous one three times, with a larger region. An implementation that runs
/// it for each use would run the first level 3^30 times.
#[test]
fn deep_recipes_run_each_step_once() {
    let mut recipe = Recipe::new(size(90, 70), 7, FractalNoise::default());
    for level in 0..30 {
        let ground = recipe.result_name().to_owned();
        let (mask, shaped) = (format!("mask{level}"), format!("shaped{level}"));
        let select = Operation::Select {
            of: ground.clone(),
            by: Selection::Slope(Band {
                from: Some(f64::from(level)),
                to: None,
                fade: 20.0,
            }),
        };
        let filter = Operation::Filter {
            of: ground,
            by: match level % 3 {
                0 => vec![Filter::Gamma(1.1), Filter::Smooth(Smooth::Median(1))],
                1 => vec![
                    Filter::Smooth(Smooth::Conservative(0.02)),
                    Filter::Normalize,
                ],
                _ => vec![Filter::Invert],
            },
            mask: Some(mask.clone()),
            salt: None,
        };
        recipe = recipe.with_step(mask, select).with_step(shaped, filter);
    }
    assert_tiles(&recipe, (40, 35));
}

/// Steps that are needed in several regions, and twice by one step.
#[test]
fn shared_steps_are_cut_for_each_user() {
    let named = str::to_owned;
    let blend = |ground, layer, mask: Option<&str>| Operation::Blend {
        ground: named(ground),
        layer: named(layer),
        how: Blend::Multiply,
        weight: 0.9,
        mask: mask.map(named),
    };
    let median = |of| Operation::filter(of, vec![Filter::Smooth(Smooth::Median(2))]);
    let recipe = Recipe::new(size(100, 80), 2, Hills::default())
        .with_step("soft", median("land"))
        .with_step("softer", median("soft"))
        .with_step("self", blend("land", "land", Some("land")))
        .with_step("sum", blend("softer", "self", Some("soft")))
        .with_step(
            "end",
            Operation::Filter {
                of: named("sum"),
                by: vec![Filter::Smooth(Smooth::Median(1))],
                mask: Some(named("sum")),
                salt: None,
            },
        );
    assert_tiles(&recipe, (34, 27));
}

#[test]
fn prepass_round_trips_exactly() {
    let recipe = Recipe::new(size(80, 70), 9, Hills::default())
        .with_layer(Faults::default(), Blend::Add, 0.3)
        .with_filter(Filter::Normalize);
    let prepass = measured(&recipe);
    let text = ron::to_string(&prepass).unwrap();
    assert_eq!(ron::from_str::<TilePrepass>(&text).unwrap(), prepass);
}

/// Pointwise filters and filters that read their neighborhood. Includes regions of two rows,
/// regions narrower than the reach, and corners, where the map is extended by its border cells.
#[test]
fn filters_in_tiles_match_the_whole_map() {
    let filters = [
        Filter::Smooth(Smooth::Median(1)),
        Filter::Smooth(Smooth::Median(7)),
        Filter::Smooth(Smooth::Conservative(0.2)),
        Filter::Kernel(Kernel::default()),
        Filter::Kernel(Kernel {
            weights: (0..81).map(|k| f64::from(k % 7) - 2.5).collect(),
            ..Kernel::default()
        }),
        Filter::Terrace(Terrace::default()),
        Filter::Curve(Curve(vec![(0.0, 0.1), (0.4, 0.2), (1.0, 0.9)])),
        Filter::Turbulence(0.4),
        Filter::Clamp(Clamp { min: 0.3, max: 0.6 }),
        Filter::Linear(Linear {
            scale: -1.5,
            offset: 0.3,
        }),
        Filter::Invert,
        Filter::Stretch(Stretch {
            low: 3.0,
            high: 91.0,
        }),
        Filter::Smooth(Smooth::Box(3)),
        Filter::Smooth(Smooth::Gaussian(1.3)),
        Filter::Sharpen(Sharpen {
            sigma: 1.1,
            amount: 0.7,
        }),
        Filter::Warp(Warp {
            scale: 9.0,
            distance: 4.0,
            octaves: 3,
        }),
        Filter::ThermalErosion(ThermalErosion {
            angle: 1.5,
            passes: 7,
            rate: 0.8,
        }),
        Filter::Shape(Shape::default()),
        Filter::Edges(Edges {
            width: 6.0,
            level: 0.1,
            north: false,
            ..Edges::default()
        }),
        Filter::Mound(Mound {
            at: (0.4, 0.7),
            ..Mound::default()
        }),
        Filter::Dig(Dig::default()),
    ];
    let world = size(42, 38);
    let plain = Recipe::new(world, 9, FractalNoise::default());
    let recipe = |filters: &[Filter]| {
        let filters = filters.iter().cloned();
        filters.fold(plain.clone(), Recipe::with_filter)
    };
    let made = |recipe: &Recipe| recipe.generate(&Progress::default()).unwrap();
    for filter in &filters {
        let recipe = recipe(std::slice::from_ref(filter));
        assert_ne!(made(&recipe), made(&plain), "{filter:?}");
        for tile in [(42, 2), (2, 38), (2, 3), (16, 16)] {
            assert_tiles(&recipe, tile);
        }
    }
    // The reach of consecutive filters adds up.
    assert_tiles(&recipe(&filters), (42, 2));
    assert_tiles(&recipe(&filters), (5, 4));
}

/// Tiles of all releases with the same format version fit together only if the prepass does not
/// change.
#[test]
fn prepass_text_is_stable() {
    let recipe = r#"(version: 1, size: (300, 200), seed: 4, steps: {
        "a": Generate(by: FractalNoise((octaves: 3, scale: 60, variant: Billowed, quantized: true))),
        "b": Generate(by: Faults((lines: 20))),
        "land": Blend(ground: "a", layer: "b", weight: 0.5),
        "shaped": Filter(of: "land", by: [Normalize, Gamma(1.5), Normalize]),
    })"#;
    let kept = r#"(fingerprint:18406572544350314792,generators:[(step:"b",normalization:(origin:30064771072,low:-4294967300.0,high:25769804000.0))],normalized:[(step:"shaped",place:0,range:(0.03529412,1.3431373)),(step:"shaped",place:2,range:(0.0,1.0))])"#;
    let recipe = Recipe::from_ron(recipe).unwrap();
    let prepass: TilePrepass = ron::from_str(kept).unwrap();
    assert_eq!(prepass, measured(&recipe));
    let whole = recipe.generate(&Progress::default()).unwrap();
    assert_eq!(fnv(&whole), 0x558c_a09c_f5e3_4325);
    let region = MapRegion::new(100, 50, size(64, 64), recipe.size).unwrap();
    let tile = recipe.tile(&prepass, region, &Progress::default());
    assert_tile(&whole, &tile.unwrap(), region);
}

#[test]
fn canceled_prepasses_and_tiles_stop() {
    let recipe = Recipe::new(size(64, 64), 1, Hills::default());
    let prepass = measured(&recipe);
    let progress = Progress::default();
    progress.cancel();
    let canceled = TileError::Recipe(RecipeError::Canceled(lanternfell_heightmap::Canceled));
    assert_eq!(recipe.prepass(&progress), Err(canceled.clone()));
    assert_eq!(
        recipe.tile(&prepass, MapRegion::whole(recipe.size), &progress),
        Err(canceled)
    );
}
