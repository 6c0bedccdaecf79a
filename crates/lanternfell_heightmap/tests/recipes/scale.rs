//! Which recipes make another map at another scale.

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

/// Cells and heights of other metres, and another steepness.
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

/// Whether the map really is another at one of those scales.
fn differs(recipe: &Recipe) -> bool {
    let maps: Vec<Heightmap> = SCALES
        .iter()
        .map(|&scale| at(scale, recipe).generate(&Progress::default()).unwrap())
        .collect();
    maps.iter().any(|map| *map != maps[0])
}

/// Every filter that there is, by its defaults.
#[test]
fn a_filter_depends_on_the_scale_exactly_if_its_work_does() {
    let mut depending = 0;
    for name in Filter::NAMES {
        let recipe = hills().with_filter(Filter::from_name(name).unwrap());
        assert_eq!(recipe.depends_on_scale(), differs(&recipe), "{name}");
        depending += usize::from(recipe.depends_on_scale());
    }
    assert!(depending >= 4, "{depending}");
}

#[test]
fn slopes_are_measured_in_metres_and_heights_are_not() {
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
fn a_step_that_the_result_does_not_need_makes_no_difference() {
    let slides = Filter::from_name("thermal-erosion").unwrap();
    let mut recipe = hills().with_filter(slides);
    assert!(recipe.depends_on_scale());
    recipe.result = Some("land".to_owned());
    assert!(!recipe.depends_on_scale() && !differs(&recipe));
    // Of what can not be made nothing is known.
    recipe.result = Some("nowhere".to_owned());
    assert!(recipe.depends_on_scale());
}

#[test]
fn recipes_give_the_same_map_if_they_differ_in_nothing_that_it_is_made_of() {
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
        // To say the default scale is to say nothing.
        let said = at(recipe.scale(), recipe);
        assert!(recipe.gives_the_map_of(recipe) && recipe.gives_the_map_of(&flooded));
        assert!(recipe.gives_the_map_of(&said) && said.gives_the_map_of(recipe));
        assert!(!recipe.gives_the_map_of(&reseeded));
    }
    for scale in SCALES {
        assert!(plain.gives_the_map_of(&at(scale, &plain)), "{scale:?}");
        assert!(!slid.gives_the_map_of(&at(scale, &slid)), "{scale:?}");
        assert!(!at(scale, &slid).gives_the_map_of(&slid), "{scale:?}");
    }
}
