//! Recipes as files: what is written reads back, and old versions are read for ever.

use super::*;

#[test]
fn what_is_written_reads_back_the_same() {
    for recipe in [Recipe::default(), two_layers(), every_kind()] {
        let text = recipe.to_ron();
        assert_eq!(Recipe::from_ron(&text), Ok(recipe), "{text}");
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
        let recipe = Recipe::from_ron(text).expect(text);
        assert_eq!(fnv(&generated(&recipe)), bits, "{}", recipe.to_ron());
        assert_eq!(recipe.water_level(), sea, "{text}");
        assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe), "{text}");
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
            Normalise, Flatten(1.5), Fluvial((strength: 0.4)),
        ]),"#;
    let of_version =
        |version| format!("(version: {version}, size: (96, 80), seed: 11, steps: {{{steps}}})");
    let recipe = Recipe::from_ron(&of_version(2)).unwrap();
    assert_eq!(recipe.version, Recipe::VERSION);
    assert_eq!(
        fnv(&generated(&recipe)),
        0x9a8c_1583_fdfb_f60b,
        "{}",
        recipe.to_ron()
    );
    let written = recipe.to_ron();
    assert_eq!(Recipe::version_of(&written), Some(4));
    for old in [
        "Islands",
        "Plain",
        "quantised",
        "Normalise",
        "Flatten",
        "Fluvial",
    ] {
        assert!(!written.contains(old), "{old} in\n{written}");
    }
    assert_eq!(Recipe::from_ron(&written).unwrap(), recipe);
    // The old names are read in any version.
    assert_eq!(Recipe::from_ron(&of_version(3)).unwrap(), recipe);
}

/// Drops and slides in files of every version since they have steps are the newest ones.
#[test]
fn files_of_versions_2_and_3_erode_as_those_of_version_4() {
    let read = |version, drops, slides| {
        let text = format!(
            "(version: {version}, size: (64, 48), seed: 3, steps: {{
                \"land\": Generate(by: Hills((radius_max: 20))),
                \"worn\": Filter(of: \"land\", by: [{drops}((density: 0.2)), {slides}((angle: 40))]),
            }})"
        );
        Recipe::from_ron(&text).expect(&text)
    };
    let newest = read(4, "HydraulicErosion", "ThermalErosion");
    assert_eq!(newest.version, 4);
    assert_eq!(read(2, "Droplets", "Talus"), newest);
    assert_eq!(read(3, "HydraulicErosion", "ThermalErosion"), newest);
    let written = newest.to_ron();
    assert!(
        !written.contains("Droplets") && !written.contains("Talus"),
        "{written}"
    );
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
