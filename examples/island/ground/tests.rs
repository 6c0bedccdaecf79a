//! Whatever is chosen: what stands, what is told, and that a file that is none changes nothing.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use lanternfell::{
    heightmap::Generator,
    surface::inland_water::RiverWater,
    terrain::{GroundCover, KeepsCover},
};

use super::*;

/// An app that shows a small island, without a window.
pub fn studio() -> App {
    let mut ground = Ground::of(Choice::Generator("hills"));
    ground.resize(128);
    studio_of(ground)
}

fn studio_of(ground: Ground) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, asset_plugin(), TerrainPlugin, plugin))
        .insert_resource(ground);
    app.finish();
    app.cleanup();
    settle(&mut app);
    assert_eq!(standing(&app).choice, Choice::Generator("hills"));
    app
}

/// Updates the app until nothing is made any more.
pub fn settle(app: &mut App) {
    let start = Instant::now();
    let mut quiet = 0;
    while quiet < 10 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "it does not end"
        );
        thread::sleep(Duration::from_millis(1));
        app.update();
        let world = app.world_mut();
        let is_busy = world.query::<&Generating>().iter(world).count() > 0;
        quiet = if is_busy { 0 } else { quiet + 1 };
    }
}

fn choose(app: &mut App, choice: Choice) {
    let world = app.world_mut();
    world.resource_mut::<Trouble>().0 = None;
    world.resource_scope(|world, mut ground: Mut<Ground>| {
        ground.choose(choice, world.resource::<AssetServer>());
    });
    settle(app);
}

fn standing(app: &App) -> &Ground {
    let built = app.world().resource::<Built>();
    built.standing.as_ref().expect("some ground stands")
}

pub fn ground(app: &App) -> &Ground {
    app.world().resource()
}

fn trouble(app: &App) -> Option<&str> {
    app.world().resource::<Trouble>().0.as_deref()
}

/// The map that stands.
fn heights(app: &mut App) -> Vec<f32> {
    let world = app.world_mut();
    let mut grounds = world.query::<&TerrainSurface>();
    grounds.single(world).unwrap().map().heights().to_vec()
}

fn water(app: &mut App) -> Water {
    let world = app.world_mut();
    *world.query::<&Water>().single(world).unwrap()
}

#[test]
fn every_generator_and_every_preset_is_ground() {
    let generators = Generator::NAMES.into_iter().map(Choice::Generator);
    let presets = Preset::ALL.iter().map(|preset| Choice::Preset(preset.name));
    for choice in generators.chain(presets) {
        let ground = Ground::of(choice.clone());
        let recipe = ground.recipe().unwrap();
        assert_eq!(recipe.validate(), Ok(()), "{}", choice.name());
        assert_eq!(ground.choice, choice);
    }
}

#[test]
fn a_preset_stands_in_its_own_sea_or_in_none() {
    let mut app = studio();
    choose(&mut app, Choice::Preset("article-faults"));
    assert_eq!(trouble(&app), None);
    assert_eq!(standing(&app), ground(&app));
    assert_eq!(water(&mut app).level, Some(0.4));
    assert!(water(&mut app).shown);
    assert!(!Ground::of(Choice::Preset("dunes")).sea);
    assert_eq!(Ground::of(Choice::Preset("dunes")).cover(), Cover::Desert);
}

#[test]
fn what_can_not_be_made_is_told_and_leaves_the_ground_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let image = Operation::Image {
        name: "nowhere.png".to_owned(),
    };
    let recipe = Recipe::beginning_with(MapSize::default(), 0, "image", image);
    let huge = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 1 2 3e38\n";
    let files = [
        (
            "broken.tif",
            "II*\0 and then nothing".to_owned(),
            "broken.tif: ",
        ),
        (
            "recipe.terrain.ron",
            "(version: 1, size: (8".to_owned(),
            "recipe.terrain.ron: ",
        ),
        (
            "no-image.terrain.ron",
            recipe.to_ron(),
            "no-image.terrain.ron: nowhere.png: there is no such file",
        ),
        ("no-size.r16", "01234567".to_owned(), "no-size.r16: "),
        ("huge.asc", huge.to_owned(), "huge.asc: terrain: "),
    ];
    let mut app = studio();
    let (before, island) = (heights(&mut app), ground(&app).clone());
    for (name, content, words) in files {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        choose(&mut app, Choice::File(path));
        let told = trouble(&app).unwrap_or_default();
        assert!(told.contains(words), "{name}: {told}");
        assert!(!told.contains(folder.path().to_str().unwrap()), "{told}");
        assert_eq!((ground(&app), standing(&app)), (&island, &island), "{name}");
        assert_eq!(heights(&mut app), before, "{name}");
    }
    choose(&mut app, Choice::File(folder.path().join("nowhere.tif")));
    assert_eq!(trouble(&app), Some("nowhere.tif: there is no such file"));
    // Mended, it is read.
    let path = folder.path().join("recipe.terrain.ron");
    fs::write(&path, Recipe::default().to_ron()).unwrap();
    choose(&mut app, Choice::File(path));
    assert_eq!(trouble(&app), None);
    assert_ne!(heights(&mut app), before);
}

#[test]
fn a_recipe_in_a_file_is_tuned_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("land.terrain.ron");
    let size = MapSize::new(60, 40).unwrap();
    let recipe = Recipe::new(size, 3, FractalNoise::default());
    fs::write(&path, recipe.to_ron()).unwrap();
    let mut app = studio();
    choose(&mut app, Choice::File(path.clone()));
    assert_eq!(ground(&app).land, Land::Recipe(recipe));
    assert_eq!(standing(&app).choice, Choice::File(path.clone()));
    let before = heights(&mut app);
    *app.world_mut().resource_mut::<Ground>().seed_mut().unwrap() = 4;
    settle(&mut app);
    assert_ne!(heights(&mut app), before);
    // Chosen again, it is as the file is now.
    let changed = Recipe::new(size, 9, FractalNoise::default());
    fs::write(&path, changed.to_ron()).unwrap();
    choose(&mut app, Choice::File(path));
    assert_eq!(ground(&app).land, Land::Recipe(changed));
}

/// What one sees first has all of it: beaches, woods, a river that one can swim in, and a lake.
#[test]
fn the_first_island_has_beaches_woods_a_river_and_a_lake() {
    let mut app = studio_of(Ground::of(Choice::Generator("hills")));
    let world = app.world_mut();
    let mut grounds = world.query::<(Entity, &TerrainSurface)>();
    let (terrain, ground) = grounds.single(world).unwrap();
    let waters = ground.waters().expect("rivers are asked for");
    let longest = waters.rivers().iter().map(RiverWater::length);
    assert!(longest.fold(0.0, f32::max) > 100.0);
    let points = waters.rivers().iter().flat_map(|river| &river.points);
    assert!(points.map(|point| point.half_width).fold(0.0, f32::max) > 1.0);
    assert!(!waters.lakes().is_empty());
    world.entity_mut(terrain).insert(KeepsCover);
    let start = Instant::now();
    while app.world().get::<GroundCover>(terrain).is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing covers it"
        );
        app.update();
    }
    let cover: &GroundCover = app.world().get(terrain).unwrap();
    for layer in ["sand", "forest floor", "grass", "meadow"] {
        assert!(cover.lies(cover.index(layer).unwrap()), "{layer}");
    }
}

#[test]
fn a_map_keeps_its_metres_and_an_inland_one_has_no_sea() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/assets/elevation/jacksboro.tif"
    );
    let mut app = studio();
    choose(&mut app, Choice::File(path.into()));
    assert_eq!(trouble(&app), None);
    assert!(matches!(ground(&app).land, Land::File(_)) && !ground(&app).sea);
    assert!(!water(&mut app).shown);
    let world = app.world_mut();
    let mut grounds = world.query::<&TerrainSurface>();
    let scale = grounds.single(world).unwrap().surface().scale();
    assert!((600.0..1000.0).contains(&scale.relief), "{scale:?}");
    // Shown twice as high, it is.
    let Land::File(file) = &mut app.world_mut().resource_mut::<Ground>().land else {
        panic!("it is a file's");
    };
    let relief = 2.0 * scale.relief;
    file.scale = Some(Scale { relief, ..scale });
    settle(&mut app);
    let world = app.world_mut();
    let ground = grounds.single(world).unwrap();
    assert_eq!(ground.surface().scale().relief, relief);
}

#[test]
fn a_map_that_has_changed_is_read_when_it_is_chosen_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("land.asc");
    let grid = |last: u32| {
        format!("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\n0 8 2 {last}\n")
    };
    let mut app = studio();
    for (last, expected) in [(4, [0.0, 1.0, 0.25, 0.5]), (6, [0.0, 1.0, 0.25, 0.75])] {
        fs::write(&path, grid(last)).unwrap();
        choose(&mut app, Choice::File(path.clone()));
        let start = Instant::now();
        while heights(&mut app) != expected {
            assert!(start.elapsed() < Duration::from_secs(60), "it is not read");
            app.update();
        }
    }
}

#[test]
fn what_is_tuned_too_far_is_told_and_can_be_tuned_back() {
    let mut app = studio();
    choose(&mut app, Choice::Preset("article-hills"));
    let before = heights(&mut app);
    let set = |app: &mut App, gamma: &str| {
        let Land::Recipe(recipe) = &mut app.world_mut().resource_mut::<Ground>().land else {
            panic!("a preset is a recipe");
        };
        let step = recipe.steps.last_mut().unwrap();
        step.operation.set("gamma", gamma).unwrap();
        settle(app);
    };
    set(&mut app, "99");
    assert!(trouble(&app).unwrap().contains("gamma"));
    assert!(ground(&app).recipe().unwrap().validate().is_err());
    assert_eq!(heights(&mut app), before);
    set(&mut app, "2");
    assert_ne!(heights(&mut app), before);
}

#[test]
fn rivers_end_in_the_sea_wherever_it_is() {
    let mut app = studio();
    choose(&mut app, Choice::Preset("rolling-hills"));
    assert_eq!(standing(&app), ground(&app));
    let mut lowest = Vec::new();
    for level in [0.2, 0.3] {
        let Land::Recipe(recipe) = &mut app.world_mut().resource_mut::<Ground>().land else {
            panic!("a preset is a recipe");
        };
        recipe.sea_level = Some(level);
        settle(&mut app);
        let world = app.world_mut();
        let mut lands = world.query::<(&TerrainSurface, &Water)>();
        let (land, water) = lands.single(world).unwrap();
        let waters = land.waters().unwrap();
        let points = waters.rivers().iter().flat_map(|river| &river.points);
        let heights = points.map(|point| point.position[1]);
        let least = heights.fold(f32::INFINITY, f32::min);
        let sea = water.surface_y(land);
        assert!(
            (least - sea).abs() < 0.1,
            "a river at {least}, the sea at {sea}"
        );
        lowest.push(least);
    }
    assert!(lowest[0] < lowest[1]);
    app.world_mut().resource_mut::<Ground>().rivers = false;
    settle(&mut app);
    let world = app.world_mut();
    let mut lands = world.query::<&TerrainSurface>();
    assert!(lands.single(world).unwrap().waters().is_none());
}

#[test]
fn without_rivers_to_move_the_sea_does_not_make_the_land_anew() {
    let mut app = studio();
    choose(&mut app, Choice::Preset("article-hills"));
    app.world_mut().resource_mut::<Ground>().rivers = false;
    settle(&mut app);
    let Land::Recipe(recipe) = &mut app.world_mut().resource_mut::<Ground>().land else {
        panic!("a preset is a recipe");
    };
    recipe.sea_level = Some(0.3);
    app.update();
    let world = app.world_mut();
    assert_eq!(world.query::<&Generating>().iter(world).count(), 0);
    assert_eq!(water(&mut app).level, Some(0.3));
    assert_eq!(standing(&app), ground(&app));
}

#[test]
fn islands_keep_their_seed_and_their_cells() {
    let mut app = studio();
    *app.world_mut().resource_mut::<Ground>().seed_mut().unwrap() = 99;
    choose(&mut app, Choice::Generator("worley"));
    let recipe = ground(&app).recipe().unwrap();
    assert_eq!((recipe.seed, recipe.size.width()), (99, 128));
}
