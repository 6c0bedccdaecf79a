//! Recipes that define where the terrain has holes.

use std::cell::RefCell;

use lanternfell_heightmap::{HoleMask, TileError};

use super::*;

fn hills() -> Recipe {
    let hills = Hills {
        radius_max: 20.0,
        ..Hills::default()
    };
    Recipe::new(MapSize::new(72, 64).unwrap(), 5, hills)
}

fn above(of: &str, from: f64) -> Operation {
    let band = Band {
        from: Some(from),
        ..Band::default()
    };
    let (of, by) = (of.to_owned(), Selection::Height(band));
    Operation::Select { of, by }
}

/// Hills with holes at their tops.
fn craters() -> Recipe {
    hills().with_holes("tops", above("land", 0.6))
}

fn both(recipe: &Recipe) -> (Heightmap, Option<HoleMask>) {
    let none = |_: &str| Err("there are no images here".to_owned());
    recipe
        .generate_with_holes(&none, &Progress::default())
        .unwrap()
}

#[test]
fn holes_are_above_one_half_and_keep_the_map() {
    let recipe = craters();
    assert_eq!(recipe.result_name(), "land");
    let (map, holes) = both(&recipe);
    assert_eq!(map, generated(&hills()));
    assert_eq!(map, generated(&recipe));
    let tops = generated(&recipe.ending_in("tops"));
    let expected = HoleMask::from_map(&tops, 0.5, &Progress::default()).unwrap();
    let holes = holes.unwrap();
    assert_eq!(holes, expected);
    assert!((20..3000).contains(&holes.count()), "{}", holes.count());
    assert_eq!(both(&hills()), (map, None));
}

#[test]
fn files_omit_unset_holes() {
    assert!(!hills().to_ron().contains("holes"));
    let text = craters().to_ron();
    assert!(text.contains("holes: \"tops\""), "{text}");
    assert_eq!(Recipe::from_ron(&text), Ok(craters()));
    let read = reads("(version: 1, size: (64, 64), steps: {\"a\": Flat(height: 1)}, holes: \"b\")");
    assert_eq!(read, "holes: there is no step `b`");
}

/// A step that both maps depend on is run once, and neither map changes the other.
#[test]
fn shared_steps_run_once() {
    let named = str::to_owned;
    let image = |name: &str| Operation::Image { name: named(name) };
    let inverted = Operation::filter("land", vec![Filter::Invert]);
    let recipe = Recipe::beginning_with(hills().size, 0, "land", image("land.png"))
        .with_holes("mouth", inverted)
        .with_step("unused", image("unused.png"))
        .ending_in("land");
    let land = generated(&hills());
    let asked = RefCell::new(Vec::new());
    let images = |name: &str| {
        asked.borrow_mut().push(named(name));
        Ok(land.clone())
    };
    let progress = Progress::default();
    let (map, holes) = recipe.generate_with_holes(&images, &progress).unwrap();
    assert_eq!(*asked.borrow(), ["land.png"]);
    assert_eq!(progress.fraction(), 1.0);
    assert_eq!(map, land);
    let low = HoleMask::from_fn(land.size(), |x, y| {
        let cell = |dx, dy| f64::from(1.0 - land.get(x + dx, y + dy));
        cell(0, 0) + cell(1, 0) + cell(0, 1) + cell(1, 1) > 2.0
    });
    assert_eq!(holes, Some(low));
    // The map defines its own holes.
    let own = Recipe {
        holes: Some(named("land")),
        ..hills()
    };
    let (map, holes) = both(&own);
    assert_eq!(map, land);
    let high = HoleMask::from_map(&land, 0.5, &Progress::default()).unwrap();
    assert_eq!(holes, Some(high));
}

#[test]
fn peak_map_count_includes_holes() {
    let at_once = |recipe: &Recipe| recipe.peak_map_count().unwrap();
    assert_eq!((at_once(&hills()), at_once(&craters())), (1, 2));
    // Without holes the map is filtered in place. With holes the unfiltered map is also needed.
    let filtered = hills().with_filter(Filter::Normalize);
    let opened = filtered.clone().with_holes("tops", above("land", 0.6));
    assert_eq!((at_once(&filtered), at_once(&opened)), (1, 3));
}

#[test]
fn holes_by_slope_depend_on_scale() {
    assert!(!craters().depends_on_scale());
    let band = Band {
        from: Some(30.0),
        ..Band::default()
    };
    let of = "land".to_owned();
    let by = Selection::Slope(band);
    let cliffs = hills().with_holes("cliffs", Operation::Select { of, by });
    assert!(cliffs.depends_on_scale());
    assert!(!cliffs.produces_map_of(&hills()) && !craters().produces_map_of(&hills()));
    assert!(craters().produces_map_of(&craters()));
}

#[test]
fn tiles_and_planes_reject_holes() {
    let error = craters().validate_tiles().unwrap_err();
    let step = "tops".to_owned();
    assert_eq!(error, TileError::Holes { step });
    assert!(error.to_string().contains("step `tops`"), "{error}");
    assert_eq!(craters().prepass(&Progress::default()), Err(error.clone()));
    let prepass = hills().prepass(&Progress::default()).unwrap();
    let height = craters().height_at(&prepass, (3, 4), &Progress::default());
    assert_eq!(height, Err(error.clone()));
    assert_eq!(craters().plane().err(), Some(error));
    // Errors of the recipe itself take precedence.
    let nowhere = Recipe {
        holes: Some("nowhere".to_owned()),
        ..hills()
    };
    let error = nowhere.validate_tiles().unwrap_err();
    let missing = "nowhere".to_owned();
    let expected = RecipeError::MissingHoles { missing };
    assert_eq!(error, TileError::Recipe(expected.clone()));
    assert_eq!(nowhere.generate(&Progress::default()), Err(expected));
}

#[test]
fn canceled_holes_stop() {
    let progress = Progress::default();
    progress.cancel();
    let none = |_: &str| Err("there are no images here".to_owned());
    let result = craters().generate_with_holes(&none, &progress);
    assert_eq!(result, Err(RecipeError::Canceled(Canceled)));
}
