//! Recipes as files: writing and reading round-trips, and old versions stay readable.

use super::*;

#[test]
fn write_then_read_returns_the_same_recipe() {
    for recipe in [Recipe::default(), two_layers(), every_kind()] {
        let text = recipe.to_ron();
        assert_eq!(Recipe::from_ron(&text), Ok(recipe), "{text}");
    }
}

/// Blends of several generators, as files. If these bits changed, the map of every game would
/// change.
#[test]
fn recipe_files_keep_their_bits() {
    let cone = r#"(version: 1, size: (768, 768), seed: 11, steps: {
        "hills": Generate(by: Hills((count: 260, radius_min: 12, radius_max: 130, island: true)), salt: 0),
        "noise": Generate(by: FractalNoise((octaves: 6)), salt: 1),
        "blend": Blend(ground: "hills", layer: "noise", how: Add, weight: 0.35),
        "shaped": Filter(of: "blend", by: [Normalize, Island(Radial)]),
    }, sea_level: 0.12)"#;
    let three = r#"(version: 1, size: (96, 80), seed: 11, steps: {
        "a": Generate(by: FractalNoise((octaves: 4)), salt: 0),
        "low": Filter(of: "a", by: [Gamma(1.5), Normalize]),
        "b": Generate(by: Faults((lines: 40)), salt: 1),
        "square": Filter(of: "b", by: [Island(Square)]),
        "ab": Blend(ground: "low", layer: "square", how: Multiply, weight: 0.3),
        "c": Generate(by: FractalNoise(()), salt: 2),
        "abc": Blend(ground: "ab", layer: "c", how: Max, weight: 0.4),
        "shaped": Filter(of: "abc", by: [Normalize, Gamma(2.0), Island(Radial)]),
    })"#;
    let noise = r#"(version: 1, size: (96, 80), seed: 11, steps: {
        "a": Generate(by: FractalNoise((octaves: 4, scale: 40, variant: Fbm, quantized: true))),
        "b": Generate(by: RidgedMultifractal((octaves: 3, scale: 30, lacunarity: 3, gain: 0.3333333333333333, warp: 12, sharpness: 0, feedback: 0, offset: 1))),
        "land": Blend(ground: "a", layer: "b", weight: 0.5),
        "worn": Filter(of: "land", by: [Normalize, Gamma(1.5), StreamPowerErosion((strength: 0.4))]),
    })"#;
    for (text, bits) in [
        (cone, 0x19df_8cd8_cc53_2053),
        (three, 0xae14_b6b7_07a8_286e),
        (noise, 0x9a8c_1583_fdfb_f60b),
    ] {
        let recipe = Recipe::from_ron(text).expect(text);
        assert_eq!(fnv(&generated(&recipe)), bits, "{text}");
        assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe), "{text}");
    }
}

#[test]
fn version_of_ignores_the_rest() {
    let version = |text| Recipe::version_of(text);
    let written = Recipe::default().to_ron();
    assert_eq!(version(&written), Some(1));
    assert_eq!(version("(version: 7, layers: [])"), Some(7));
    assert_eq!(version("(size: (64, 64))"), None);
    assert_eq!(version("no recipe"), None);
}

#[test]
fn optional_fields_accept_values_without_some() {
    let text = |level| {
        format!(
            "(version: 1, size: (64, 64), sea_level: {level}, \
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

/// Steps in any order, up to the maximum depth.
#[test]
fn step_order_does_not_matter() {
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
    assert_eq!(deep.peak_map_count().unwrap(), 1);
}
