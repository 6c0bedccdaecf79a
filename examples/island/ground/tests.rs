//! Tests: what is shown after each choice, how errors are reported, and that a failed choice changes nothing.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use lanternfell::{
    heightmap::{Generator, Operation},
    surface::inland_water::RiverWater,
    terrain::{NeedsTerrainCover, TerrainCover},
};

use super::*;

/// Creates an app without a window that has built a small island.
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

/// Updates the app until no terrain is generated any more.
pub fn settle(app: &mut App) {
    let start = Instant::now();
    let mut quiet = 0;
    while quiet < 10 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "the terrain is not ready after 120 s"
        );
        thread::sleep(Duration::from_millis(1));
        app.update();
        let world = app.world_mut();
        let is_busy = world.query::<&TerrainProgress>().iter(world).count() > 0;
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
    built.standing.as_ref().expect("no terrain is shown")
}

pub fn ground(app: &App) -> &Ground {
    app.world().resource()
}

fn trouble(app: &App) -> Option<&str> {
    app.world().resource::<Trouble>().0.as_deref()
}

/// The heights of the map that is shown.
fn heights(app: &mut App) -> Vec<f32> {
    let world = app.world_mut();
    let mut grounds = world.query::<&TerrainSurface>();
    grounds.single(world).unwrap().map().heights().to_vec()
}

fn water(app: &mut App) -> Option<Water> {
    let world = app.world_mut();
    world.query::<&Water>().single(world).ok().copied()
}

#[test]
fn every_generator_and_preset_is_valid() {
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
fn preset_keeps_its_sea_level() {
    let mut app = studio();
    choose(&mut app, Choice::Preset("article-faults"));
    assert_eq!(trouble(&app), None);
    assert_eq!(standing(&app), ground(&app));
    assert_eq!(water(&mut app).unwrap().level, Some(0.4));
    assert!(!Ground::of(Choice::Preset("dunes")).sea);
    assert_eq!(
        Ground::of(Choice::Preset("dunes")).cover(),
        LandCover::Desert
    );
}

#[test]
fn failed_choice_reports_error_and_changes_nothing() {
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
        ("huge.asc", huge.to_owned(), "huge.asc: scale: "),
    ];
    let mut app = studio();
    let (before, island) = (heights(&mut app), ground(&app).clone());
    for (name, content, words) in files {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        choose(&mut app, Choice::File(path));
        let error = trouble(&app).unwrap_or_default();
        assert!(error.contains(words), "{name}: {error}");
        assert!(!error.contains(folder.path().to_str().unwrap()), "{error}");
        assert_eq!((ground(&app), standing(&app)), (&island, &island), "{name}");
        assert_eq!(heights(&mut app), before, "{name}");
    }
    choose(&mut app, Choice::File(folder.path().join("nowhere.tif")));
    assert_eq!(trouble(&app), Some("nowhere.tif: there is no such file"));
    // Once the file is repaired, it can be chosen.
    let path = folder.path().join("recipe.terrain.ron");
    fs::write(&path, Recipe::default().to_ron()).unwrap();
    choose(&mut app, Choice::File(path));
    assert_eq!(trouble(&app), None);
    assert_ne!(heights(&mut app), before);
}

#[test]
fn recipe_file_can_be_tuned() {
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
    // A recipe that is chosen again is reloaded.
    let changed = Recipe::new(size, 9, FractalNoise::default());
    fs::write(&path, changed.to_ron()).unwrap();
    choose(&mut app, Choice::File(path));
    assert_eq!(ground(&app).land, Land::Recipe(changed));
}

/// The default island shows all features: beaches, woods, a river wide enough to swim in, and a lake.
#[test]
fn default_island_has_beach_wood_river_and_lake() {
    let mut app = studio_of(Ground::of(Choice::Generator("hills")));
    let world = app.world_mut();
    let mut grounds = world.query::<(Entity, &TerrainSurface)>();
    let (terrain, ground) = grounds.single(world).unwrap();
    let waters = ground.waters().expect("the terrain has no rivers");
    let longest = waters.rivers().iter().map(RiverWater::length);
    assert!(longest.fold(0.0, f32::max) > 100.0);
    let points = waters.rivers().iter().flat_map(|river| &river.points);
    assert!(points.map(|point| point.half_width).fold(0.0, f32::max) > 1.0);
    assert!(!waters.lakes().is_empty());
    world.entity_mut(terrain).insert(NeedsTerrainCover);
    let start = Instant::now();
    while app.world().get::<TerrainCover>(terrain).is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no TerrainCover after 60 s"
        );
        app.update();
    }
    let cover: &TerrainCover = app.world().get(terrain).unwrap();
    for layer in ["sand", "forest floor", "grass", "meadow"] {
        assert!(cover.occurs(cover.index(layer).unwrap()), "{layer}");
    }
}

#[test]
fn map_keeps_meters_and_inland_map_has_no_sea() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/assets/elevation/jacksboro.tif"
    );
    let mut app = studio();
    choose(&mut app, Choice::File(path.into()));
    assert_eq!(trouble(&app), None);
    assert!(matches!(ground(&app).land, Land::File(_)) && !ground(&app).sea);
    assert_eq!(water(&mut app), None);
    let world = app.world_mut();
    let mut grounds = world.query::<&TerrainSurface>();
    let scale = grounds.single(world).unwrap().surface().scale();
    assert!((600.0..1000.0).contains(&scale.relief), "{scale:?}");
    // A doubled relief is applied.
    let Land::File(file) = &mut app.world_mut().resource_mut::<Ground>().land else {
        panic!("the terrain is no file");
    };
    let relief = 2.0 * scale.relief;
    file.scale = Some(Scale { relief, ..scale });
    settle(&mut app);
    let world = app.world_mut();
    let ground = grounds.single(world).unwrap();
    assert_eq!(ground.surface().scale().relief, relief);
}

#[test]
fn changed_map_is_reloaded_when_chosen_again() {
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
            assert!(start.elapsed() < Duration::from_secs(60), "not reloaded");
            app.update();
        }
    }
}

#[test]
fn invalid_setting_reports_error_and_can_be_corrected() {
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
fn rivers_end_at_sea_level() {
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
            "a river ends at {least}, the sea is at {sea}"
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
fn sea_level_without_rivers_does_not_regenerate() {
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
    assert_eq!(world.query::<&TerrainProgress>().iter(world).count(), 0);
    assert_eq!(water(&mut app).unwrap().level, Some(0.3));
    assert_eq!(standing(&app), ground(&app));
}

#[test]
fn islands_keep_seed_and_cells() {
    let mut app = studio();
    *app.world_mut().resource_mut::<Ground>().seed_mut().unwrap() = 99;
    choose(&mut app, Choice::Generator("worley"));
    let recipe = ground(&app).recipe().unwrap();
    assert_eq!((recipe.seed, recipe.size.width()), (99, 128));
}
