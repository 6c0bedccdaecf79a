//! Everything that a terrain has spawned is removed together with it.

use bevy::prelude::*;
use lanternfell_terrain::{TerrainChunk, prelude::*};

use lanternfell_terrain_test_support::terrain::*;

/// The number of images and meshes.
fn assets(app: &mut App) -> (usize, usize) {
    // Dropped assets are freed in the following frames.
    app.update();
    app.update();
    let world = app.world();
    (
        world.resource::<Assets<Image>>().len(),
        world.resource::<Assets<Mesh>>().len(),
    )
}

/// Checks that no spatial entities are left, except `kept`, and no assets.
fn check_gone(app: &mut App, moment: Moment, kept: usize, before: (usize, usize)) {
    assert_eq!(assets(app), before, "images and meshes, {moment:?}");
    // Not all entities: Bevy's resources are entities too, but have no transform.
    assert_eq!(count::<With<Transform>>(app), kept, "{moment:?}");
    assert_eq!(count::<With<TerrainChunk>>(app), 0, "{moment:?}");
    assert_eq!(count::<With<Mesh3d>>(app), 0, "{moment:?}");
    assert_eq!(count::<With<TerrainSurface>>(app), 0, "{moment:?}");
    assert_eq!(count::<With<TerrainProgress>>(app), 0, "{moment:?}");
    assert_eq!(count::<With<ChildOf>>(app), 0, "{moment:?}");
    #[cfg(feature = "rapier")]
    assert_eq!(
        count::<With<bevy_rapier3d::prelude::Collider>>(app),
        0,
        "{moment:?}"
    );
}

/// The moments at which a terrain is removed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    BeforeTheFirstFrame,
    WhileTheMapIsMade,
    WhilePartsArrive,
    WhenReady,
    WhileItsSuccessorIsMade,
    WhileItsSuccessorArrives,
}

const MOMENTS: [Moment; 6] = [
    Moment::BeforeTheFirstFrame,
    Moment::WhileTheMapIsMade,
    Moment::WhilePartsArrive,
    Moment::WhenReady,
    Moment::WhileItsSuccessorIsMade,
    Moment::WhileItsSuccessorArrives,
];

/// Spawns a terrain and updates the app until this moment.
fn bring_to(app: &mut App, moment: Moment) -> Entity {
    let spawn = |app: &mut App, recipe| app.world_mut().spawn(Terrain::new(recipe)).id();
    match moment {
        Moment::BeforeTheFirstFrame => spawn(app, hills(50, 40, 1)),
        Moment::WhileTheMapIsMade => {
            let entity = spawn(app, slow_hills(1));
            app.update();
            assert!(has::<TerrainProgress>(app, entity), "{moment:?}");
            entity
        }
        Moment::WhilePartsArrive => {
            let entity = spawn(app, hills(50, 40, 1));
            change_until_parts_arrive(app, entity);
            entity
        }
        Moment::WhenReady => spawn_ready(app, Terrain::new(hills(150, 80, 1))),
        Moment::WhileItsSuccessorIsMade => {
            let entity = spawn_ready(app, Terrain::new(hills(150, 80, 1)));
            set_recipe(app, entity, slow_hills(2));
            app.update();
            assert!(has::<TerrainProgress>(app, entity), "{moment:?}");
            entity
        }
        Moment::WhileItsSuccessorArrives => {
            let entity = spawn_ready(app, Terrain::new(hills(150, 80, 1)));
            change_until_parts_arrive(app, entity);
            entity
        }
    }
}

#[test]
fn despawning_removes_everything_at_any_moment() {
    for moment in MOMENTS {
        let mut app = app();
        let before = assets(&mut app);
        let entity = bring_to(&mut app, moment);
        app.world_mut().entity_mut(entity).despawn();
        check_gone(&mut app, moment, 0, before);
        let ready = answers(&app).ready.len();
        for _ in 0..50 {
            app.update();
        }
        check_gone(&mut app, moment, 0, before);
        assert_eq!(answers(&app).ready.len(), ready, "it came back, {moment:?}");
    }
}

#[test]
fn removing_component_leaves_bare_entity_at_any_moment() {
    for moment in MOMENTS {
        let mut app = app();
        let before = assets(&mut app);
        let entity = bring_to(&mut app, moment);
        app.world_mut().entity_mut(entity).remove::<Terrain>();
        check_gone(&mut app, moment, 1, before);
        let ready = answers(&app).ready.len();
        for _ in 0..50 {
            app.update();
        }
        check_gone(&mut app, moment, 1, before);
        assert_eq!(answers(&app).ready.len(), ready, "it came back, {moment:?}");
        assert!(has::<Transform>(&app, entity), "{moment:?}");
    }
}

#[test]
fn removed_terrain_can_be_inserted_again() {
    let mut app = app();
    let terrain = Terrain::new(hills(150, 80, 1));
    let entity = spawn_ready(&mut app, terrain.clone());
    let chunks = shown_chunks(&mut app).len();
    app.world_mut().entity_mut(entity).remove::<Terrain>();
    app.update();
    app.world_mut().entity_mut(entity).insert(terrain.clone());
    wait_until_ready(&mut app);
    assert_eq!(shown_chunks(&mut app).len(), chunks);
    // Also within a single frame.
    app.world_mut()
        .entity_mut(entity)
        .remove::<Terrain>()
        .insert(terrain);
    wait_until_ready(&mut app);
    assert_eq!(shown_chunks(&mut app).len(), chunks);
    assert_eq!(count::<With<TerrainChunk>>(&mut app), chunks);
    assert_eq!(answers(&app).ready.len(), 3);
}

/// Children that the user has spawned stay with the entity.
#[test]
fn children_of_the_user_stay() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(50, 40, 1)));
    let tree = app
        .world_mut()
        .spawn((Transform::default(), ChildOf(entity)))
        .id();
    app.world_mut().entity_mut(entity).remove::<Terrain>();
    app.update();
    assert_eq!(
        app.world().get::<ChildOf>(tree).map(ChildOf::parent),
        Some(entity)
    );
    assert_eq!(count::<With<Transform>>(&mut app), 2);
}

#[test]
fn removing_one_keeps_the_other() {
    let mut app = app();
    let first = spawn_ready(&mut app, Terrain::new(hills(50, 40, 1)));
    let second = spawn_ready(&mut app, Terrain::new(hills(150, 80, 2)));
    app.world_mut().entity_mut(first).despawn();
    app.update();
    assert_eq!(shown_chunks(&mut app).len(), 6);
    assert!(has::<TerrainSurface>(&app, second));
}

/// The position in the frame at which the user's command removes the terrain.
type Order = fn(&mut App);

/// The command is applied together with the terrain's own commands, which then find that the terrain is gone.
const ORDERS: [Order; 4] = [
    |app| {
        let first = take_away.before_ignore_deferred(TerrainSystems::Generate);
        app.add_systems(PostUpdate, first);
    },
    |app| {
        let between = take_away
            .after(TerrainSystems::Generate)
            .before_ignore_deferred(TerrainSystems::Build);
        app.add_systems(PostUpdate, between);
    },
    |app| {
        let between = take_away
            .after(TerrainSystems::Build)
            .before_ignore_deferred(TerrainSystems::Present);
        app.add_systems(PostUpdate, between);
    },
    |app| {
        let last = take_away.after_ignore_deferred(TerrainSystems::Present);
        app.add_systems(PostUpdate, last);
    },
];

/// The number of frames before the removal, and whether the whole entity is despawned or only the component removed.
#[derive(Resource, Clone, Copy, Debug)]
struct TakenAway {
    frames: u32,
    whole: bool,
}

fn take_away(
    mut commands: Commands,
    mut taken: ResMut<TakenAway>,
    terrains: Query<Entity, With<Terrain>>,
) {
    taken.frames = taken.frames.wrapping_sub(1);
    if taken.frames > 0 {
        return;
    }
    for terrain in &terrains {
        if taken.whole {
            commands.entity(terrain).despawn();
        } else {
            commands.entity(terrain).remove::<Terrain>();
        }
    }
}

#[test]
fn command_in_the_same_frame_may_remove_it() {
    for (order, add) in ORDERS.into_iter().enumerate() {
        for (frames, whole) in (1..8).flat_map(|frames| [(frames, true), (frames, false)]) {
            let taken = TakenAway { frames, whole };
            let mut app = drawing_app();
            let before = assets(&mut app);
            app.world_mut().spawn(Terrain::new(hills(150, 80, 1)));
            app.insert_resource(taken);
            add(&mut app);
            for _ in 0..12 {
                app.update();
                // Long enough that each step of the generation falls into some frame.
                std::thread::sleep(std::time::Duration::from_millis(8));
            }
            let left = usize::from(!whole);
            let what = format!("order {order}, {taken:?}");
            assert_eq!(count::<With<Transform>>(&mut app), left, "{what}");
            assert_eq!(count::<With<TerrainSurface>>(&mut app), 0, "{what}");
            assert_eq!(count::<With<TerrainProgress>>(&mut app), 0, "{what}");
            assert_eq!(assets(&mut app), before, "{what}");
        }
    }
}
