//! Rivers and lakes on a terrain: queries and rendering.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use bevy::prelude::*;
use lanternfell_terrain::{
    TerrainCover, WaterMaterial,
    prelude::*,
    surface::inland_water::{RiverEnd, RiverWaterPoint},
};

use lanternfell_terrain_test_support::{canvas::*, terrain::*};

const SCALE: Scale = Scale {
    spacing: 6.0,
    relief: 160.0,
};

/// An island with rivers and lakes, or without.
pub fn island(inland: Option<InlandWater>) -> Terrain {
    let hills = Hills {
        count: 300,
        radius_max: 30.0,
        island: true,
        ..default()
    };
    let size = MapSize::new(192, 192).unwrap();
    let recipe = Recipe {
        sea_level: Some(0.1),
        ..Recipe::new(size, 7, hills)
    };
    Terrain {
        inland_water: inland,
        ..Terrain::new(recipe).with_scale(SCALE)
    }
}

fn calm() -> Water {
    Water {
        waves: Waves::CALM,
        ..default()
    }
}

/// The center lines of all rivers, downstream, in the terrain's local space, with half the width at each point.
fn middles(app: &App, terrain: Entity) -> Vec<Vec<(Vec3, f32)>> {
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap();
    let rivers = ground.waters().unwrap().rivers().iter();
    rivers
        .map(|river| {
            let points = river.points.iter();
            points
                .map(|point| (Vec3::from(point.position), point.half_width))
                .collect()
        })
        .collect()
}

fn ask_water<T: Send + 'static>(
    app: &mut App,
    ask: impl Fn(WaterQuery) -> T + Send + Sync + 'static,
) -> T {
    use bevy::ecs::system::RunSystemOnce;
    app.world_mut().run_system_once(ask).unwrap()
}

#[test]
fn queries_follow_rivers_down_to_the_sea() {
    let mut app = app();
    let turned = Transform::from_xyz(30.0, 7.0, -20.0)
        .with_rotation(Quat::from_rotation_y(0.7))
        .with_scale(Vec3::splat(0.5));
    let terrain = spawn_ready(
        &mut app,
        (island(Some(InlandWater::default())), calm(), turned),
    );
    app.update();
    let sea = ask_water(&mut app, move |water| {
        water.still_height(Vec3::new(500.0, 0.0, 500.0))
    });
    let sea = sea.unwrap();
    let rivers = middles(&app, terrain);
    assert!(!rivers.is_empty());
    let mut lowest = f32::INFINITY;
    for river in rivers {
        for pair in river.windows(2) {
            let [(before, _), (at, _)] = pair else {
                unreachable!()
            };
            let [before, at] = [before, at].map(|point| turned.transform_point(*point));
            let hit = ask_water(&mut app, move |water| water.hit(at.with_y(300.0)));
            let hit = hit.unwrap_or_else(|| panic!("no water at {at}"));
            assert_eq!(hit.terrain, terrain);
            assert!((hit.point.y - at.y.max(sea)).abs() < 0.02, "{hit:?}, {at}");
            assert!(
                at.y <= before.y + 1e-3,
                "the river flows up from {before} to {at}"
            );
            // Floating bodies are pushed downstream, and the terrain is below the water.
            if hit.point.y > sea + 0.01 {
                assert!(hit.velocity.dot(at - before) > 0.0, "{hit:?}");
                let push = ask_water(&mut app, move |water| {
                    let board = Buoyancy::cuboid(Vec3::new(0.5, 0.1, 0.5), UVec3::new(2, 1, 2));
                    let floating = Transform::from_translation(hit.point);
                    board.push(&floating, &BodyVelocity::default(), |at| water.hit(at))
                });
                let along = push.force.dot(hit.velocity.with_y(0.0));
                assert!(push.force.y > 0.0 && along > 0.0, "{push:?}, {hit:?}");
            }
            let ground = ask(&mut app, move |terrains| terrains.height(at));
            let depth = hit.point.y - ground.unwrap();
            assert!((depth - hit.depth).abs() < 0.02, "{depth} m and {hit:?}");
            lowest = lowest.min(hit.point.y);
        }
    }
    assert!(
        (lowest - sea).abs() < 0.1,
        "rivers end at {lowest}, not {sea}"
    );

    // Rivers are removed when they are no longer requested.
    let shown = |app: &mut App| {
        let world = app.world_mut();
        let mut lands = world.query::<&TerrainSurface>();
        lands.single(world).unwrap().waters().is_some()
    };
    assert!(shown(&mut app));
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = island(None);
    update_until(&mut app, |app| !shown(app));
}

/// An app that renders an island whose rivers are blue, however shallow they are. Foam is white.
fn app_with_blue_rivers() -> (App, Entity) {
    let mut app = app_that_draws(UVec2::splat(48), |_| {});
    let light = DirectionalLight::default();
    let above = Transform::default().looking_to(Vec3::new(0.3, -1.0, 0.2), Vec3::X);
    app.world_mut().spawn((light, above));
    let opaque = Water {
        shallow: Color::srgb(0.0, 0.0, 1.0),
        deep: Color::srgb(0.0, 0.0, 1.0),
        attenuation_distance: 0.01,
        reflection: 0.0,
        ..calm()
    };
    let terrain = spawn_ready(&mut app, (island(Some(InlandWater::default())), opaque));
    (app, terrain)
}

#[test]
fn rapids_have_streaks_of_foam() {
    let (mut app, terrain) = app_with_blue_rivers();
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap();
    let rivers = ground.waters().unwrap().rivers().iter();
    let points = rivers.flat_map(|river| &river.points);
    let roughest = points
        .filter(|point| point.position[1] > 0.1 * SCALE.relief + 5.0)
        .max_by(|a, b| a.turbulence.total_cmp(&b.turbulence))
        .unwrap();
    assert!(roughest.turbulence > 0.5, "{roughest:?}");
    let middle = Vec3::from(roughest.position);
    // Only the river is in view.
    let eye = Transform::from_translation(middle + Vec3::Y * 1.2 * roughest.half_width);
    spawn_camera(&mut app, eye.looking_at(middle, Vec3::X));
    update_until(&mut app, |app| {
        let picture = next_picture(app);
        let pixels = f32::from(48_u16 * 48);
        let share = |is_meant: fn([u8; 3]) -> bool| {
            let meant = picture.pixels().filter(|pixel| is_meant(pixel.0));
            meant.count() as f32 / pixels
        };
        let foam = share(|[r, _, b]| r > 100 && b > 100);
        let water = share(|[r, _, b]| b > 60 && r < b / 2);
        foam > 0.03 && water > 0.1
    });
}

/// The fraction of foam in an image of the terrain directly below a camera.
fn foam_below(app: &mut App, eye: Entity, place: Vec3, above: f32) -> f32 {
    let at = Transform::from_translation(place + Vec3::Y * above);
    *app.world_mut().get_mut::<Transform>(eye).unwrap() = at.looking_at(place, Vec3::X);
    next_picture(app);
    let picture = next_picture(app);
    let foam = picture.pixels().filter(|pixel| {
        let [r, _, b] = pixel.0;
        r > 100 && b > 150
    });
    foam.count() as f32 / f32::from(48_u16 * 48)
}

/// There is foam along the shore, but not across the mouths of rivers.
#[test]
fn river_mouths_have_no_sea_foam() {
    let (mut app, terrain) = app_with_blue_rivers();
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap().clone();
    let sea = ground.water_level();
    let rivers = ground.waters().unwrap().rivers().iter();
    let mouths = rivers.filter(|river| river.end == RiverEnd::Sea);
    let ends: Vec<RiverWaterPoint> = mouths.map(|river| *river.points.last().unwrap()).collect();
    let eye = spawn_eye(&mut app, Vec3::Y * 100.0);
    assert!(ends.len() > 2, "{ends:?}");
    // Without the foam that does not depend on the depth.
    let of_the_sea = |app: &mut App, place: Vec3, above: f32| {
        let mut foam = |depth: f32| {
            app.world_mut()
                .get_mut::<Water>(terrain)
                .unwrap()
                .foam_depth = depth;
            foam_below(app, eye, place, above)
        };
        foam(0.9) - foam(0.0)
    };
    for end in &ends {
        let foam = of_the_sea(&mut app, end.position.into(), 2.0 * end.half_width);
        assert!(foam < 0.08, "{foam} at {end:?}");
    }

    let surface = ground.surface();
    let places =
        (-90..90).flat_map(|z| (-90..90).map(move |x| Vec2::new(x as f32, z as f32) * 6.0));
    let shore = places.filter_map(|at| {
        let depth = sea - surface.height(at)?;
        let place = Vec3::new(at.x, sea, at.y);
        let is_shore = (0.02..0.2).contains(&depth);
        let is_apart = ends
            .iter()
            .all(|end| place.distance(end.position.into()) > 60.0);
        (is_shore && is_apart).then_some(place)
    });
    let foams: Vec<f32> = shore
        .take(5)
        .map(|place| of_the_sea(&mut app, place, 8.0))
        .collect();
    assert!(
        foams.len() == 5 && foams.iter().all(|foam| *foam > 0.05),
        "{foams:?}"
    );
}

#[test]
fn rivers_are_rendered_and_removed_with_the_terrain() {
    let (mut app, terrain) = app_with_blue_rivers();
    let ground = app.world().get::<TerrainSurface>(terrain).unwrap();
    let waters = ground.waters().unwrap().clone();
    let rivers = waters.rivers().iter().map(|river| &river.mesh().indices);
    let lakes = waters.lakes().iter().map(|lake| &lake.mesh().indices);
    let expected: usize = rivers.chain(lakes).map(Vec::len).sum();
    update_until(&mut app, |app| drawn(app).1 == expected);
    let bodies = waters.rivers().len() + waters.lakes().len();
    assert!(
        (1..=bodies.min(64)).contains(&drawn(&mut app).0),
        "{bodies}"
    );
    // The calmest place well above the sea.
    let sea = 0.1 * SCALE.relief;
    let points = waters.rivers().iter().flat_map(|river| &river.points);
    let calmest = points
        .filter(|point| point.position[1] > sea + 5.0 && point.depth > 0.1)
        .min_by(|a, b| a.turbulence.total_cmp(&b.turbulence))
        .unwrap();
    let (middle, half) = (Vec3::from(calmest.position), calmest.half_width);
    let layers = app.world().get::<TerrainLayers>(terrain).unwrap();
    let cover = app.world().get::<TerrainCover>(terrain).unwrap();
    let [(most, _), _] = cover.layers_at(middle.xz());
    assert_eq!(layers.index("pebbles"), Some(most), "{:?}", layers.layers);
    let eye = Transform::from_translation(middle + Vec3::Y * 3.0 * half.max(1.0));
    spawn_camera(&mut app, eye.looking_at(middle, Vec3::X));
    // Foam may drift by.
    let is_blue = |app: &mut App| {
        let picture = next_picture(app);
        let middle = (20..28).flat_map(|y| (20..28).map(move |x| (x, y)));
        let is_blue = |&(x, y): &(u32, u32)| {
            let [r, g, b] = picture.get_pixel(x, y).0;
            b > 100 && b / 2 > r.max(g)
        };
        middle.filter(is_blue).count() > 16
    };
    update_until(&mut app, |app| is_blue(app));
    // Rivers do not depend on the sea.
    let blue: Water = app.world_mut().entity_mut(terrain).take().unwrap();
    for _ in 0..3 {
        next_picture(&mut app);
    }
    assert_eq!(drawn(&mut app).1, expected);
    app.world_mut().entity_mut(terrain).insert(blue);
    update_until(&mut app, |app| is_blue(app));
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = island(None);
    update_until(&mut app, |app| drawn(app) == (0, 0));
    update_until(&mut app, |app| !is_blue(app));
    app.world_mut()
        .entity_mut(terrain)
        .insert(island(Some(InlandWater::default())));
    update_until(&mut app, |app| drawn(app).1 == expected);
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    update_until(&mut app, |app| drawn(app) == (0, 0));
}

/// The number of river and lake meshes, and of the indices of their triangles. The sea's mesh has no flow attribute.
fn drawn(app: &mut App) -> (usize, usize) {
    let world = app.world_mut();
    let mut surfaces = world.query_filtered::<&Mesh3d, With<MeshMaterial3d<WaterMaterial>>>();
    let meshes = world.resource::<Assets<Mesh>>();
    let surfaces = surfaces.iter(world);
    let meshes = surfaces.filter_map(|mesh| meshes.get(&mesh.0));
    let own = meshes.filter(|mesh| mesh.contains_attribute(Mesh::ATTRIBUTE_UV_1));
    own.filter_map(Mesh::indices)
        .fold((0, 0), |(count, corners), indices| {
            (count + 1, corners + indices.len())
        })
}

#[test]
fn invalid_parameter_keeps_the_terrain() {
    #[derive(Resource, Default)]
    struct Errors(Vec<String>);
    let mut app = app();
    app.init_resource::<Errors>().add_observer(
        |failed: On<TerrainFailed>, mut errors: ResMut<Errors>| {
            errors.0.push(failed.error.to_string());
        },
    );
    let terrain = spawn_ready(&mut app, (island(None), calm()));
    let wrong = InlandWater {
        roughness: f64::NAN,
        ..default()
    };
    assert!(island(Some(wrong)).validate().is_err());
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = island(Some(wrong));
    update_until(&mut app, |app| {
        !app.world().resource::<Errors>().0.is_empty()
    });
    let errors = &app.world().resource::<Errors>().0;
    assert!(
        errors.len() == 1 && errors[0].contains("roughness"),
        "{errors:?}"
    );
    assert!(app.world().get::<TerrainSurface>(terrain).is_some());
}
