//! Which recipes depend on the scale.

use lanternfell_heightmap::{
    Band, Filter, Heightmap, Hills, MapSize, Operation, Progress, Recipe, Scale, Selection,
};

fn hills() -> Recipe {
    let hills = Hills {
        radius_max: 20.0,
        ..Hills::default()
    };
    Recipe::new(MapSize::new(72, 64).unwrap(), 5, hills)
}

fn at(scale: Scale, recipe: &Recipe) -> Recipe {
    Recipe {
        scale: Some(scale),
        ..recipe.clone()
    }
}

/// Different cell sizes, heights and slopes.
const SCALES: [Scale; 3] = [
    Scale {
        spacing: 1.0,
        relief: 12.0,
    },
    Scale {
        spacing: 25.0,
        relief: 300.0,
    },
    Scale {
        spacing: 25.0,
        relief: 1500.0,
    },
];

/// Whether the map actually differs at one of these scales.
fn differs(recipe: &Recipe) -> bool {
    let maps: Vec<Heightmap> = SCALES
        .iter()
        .map(|&scale| at(scale, recipe).generate(&Progress::default()).unwrap())
        .collect();
    maps.iter().any(|map| *map != maps[0])
}

/// Tests every filter with its default parameters.
#[test]
fn depends_on_scale_matches_generated_maps() {
    let mut depending = 0;
    for name in Filter::NAMES {
        let recipe = hills().with_filter(Filter::from_name(name).unwrap());
        assert_eq!(recipe.depends_on_scale(), differs(&recipe), "{name}");
        depending += usize::from(recipe.depends_on_scale());
    }
    assert!(depending >= 4, "{depending}");
}

#[test]
fn slope_selection_depends_on_scale() {
    let band = Band {
        from: Some(0.3),
        to: Some(20.0),
        fade: 0.1,
    };
    for (by, expected) in [
        (Selection::Slope(band), true),
        (Selection::Height(band), false),
    ] {
        let of = "land".to_owned();
        let recipe = hills().with_step("mask", Operation::Select { of, by });
        assert_eq!(recipe.depends_on_scale(), expected, "{by:?}");
        assert_eq!(differs(&recipe), expected, "{by:?}");
    }
}

#[test]
fn unused_steps_do_not_depend_on_scale() {
    let slides = Filter::from_name("thermal-erosion").unwrap();
    let mut recipe = hills().with_filter(slides);
    assert!(recipe.depends_on_scale());
    recipe.result = Some("land".to_owned());
    assert!(!recipe.depends_on_scale() && !differs(&recipe));
    // For invalid recipes it returns `true`.
    recipe.result = Some("nowhere".to_owned());
    assert!(recipe.depends_on_scale());
}

#[test]
fn produces_map_of_ignores_sea_level_and_unused_scale() {
    let (plain, slid) = (
        hills(),
        hills().with_filter(Filter::from_name("thermal-erosion").unwrap()),
    );
    for recipe in [&plain, &slid] {
        let flooded = Recipe {
            sea_level: Some(0.5),
            ..recipe.clone()
        };
        let reseeded = Recipe {
            seed: 6,
            ..recipe.clone()
        };
        // Setting the default scale explicitly makes no difference.
        let said = at(recipe.scale(), recipe);
        assert!(recipe.produces_map_of(recipe) && recipe.produces_map_of(&flooded));
        assert!(recipe.produces_map_of(&said) && said.produces_map_of(recipe));
        assert!(!recipe.produces_map_of(&reseeded));
    }
    for scale in SCALES {
        assert!(plain.produces_map_of(&at(scale, &plain)), "{scale:?}");
        assert!(!slid.produces_map_of(&at(scale, &slid)), "{scale:?}");
        assert!(!at(scale, &slid).produces_map_of(&slid), "{scale:?}");
    }
}
