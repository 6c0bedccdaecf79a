//! After each edit only a part of the terrain is updated. Everything then equals that of a terrain which is generated
//! with the same edits.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use bevy::prelude::*;
use bevy_rapier3d::{parry::shape::HeightFieldCellStatus, prelude::Collider};
use lanternfell_terrain::{
    TerrainChunk, TerrainCollider, TerrainColliderRegion, TerrainMap,
    edits::{Brush, Edits, Stroke},
    heightmap::{HoleMask, SeededRng},
    prelude::*,
};

use lanternfell_terrain_test_support::{
    drawn::{positions, vectors},
    terrain::*,
};

const SCALE: Scale = Scale {
    spacing: 2.0,
    relief: 40.0,
};

pub(crate) fn terrain() -> Terrain {
    let map = map_of(&hills(330, 200, 5));
    let mut holes = HoleMask::none(map.size());
    holes.set_disc(Vec2::new(250.0, 40.0), 6.0, true);
    Terrain::new(TerrainMap::from(map).with_holes(holes)).with_scale(SCALE)
}

fn edits(app: &mut App, terrain: Entity) -> Mut<'_, TerrainEdits> {
    app.world_mut().get_mut(terrain).unwrap()
}

/// Changes the edits, and waits until the terrain shows them.
fn edit(app: &mut App, terrain: Entity, change: impl FnOnce(&mut Edits)) {
    change(&mut edits(app, terrain));
    wait_until_ready(app);
    app.update();
    assert_eq!(count::<With<TerrainProgress>>(app), 0);
}

/// A stroke somewhere on the map or partly outside, with a radius of up to 12 cells.
pub(crate) fn any_stroke(rng: &mut SeededRng) -> Stroke {
    let brush = match rng.below(11) {
        0 => Brush::Smooth { reach: 3 },
        1 => Brush::Flatten { mm: None },
        2 => Brush::Flatten { mm: Some(-9000) },
        3 => Brush::Hole,
        4 => Brush::Unhole,
        5 => Brush::Lower { mm: 4000 },
        6 => Brush::Paint { layer: 3 },
        7 => Brush::Paint { layer: 9 },
        8 => Brush::Plants { density: 40 },
        _ => Brush::Raise { mm: 7000 },
    };
    let mut place = |cells: i64| rng.below((cells * 256) as u64) as i64 - 5 * 256;
    let start = [place(340), place(210)];
    let end = [start[0] + place(40) / 2, start[1] + place(40) / 2];
    let radius = 256 * (1 + rng.below(12) as u32);
    Stroke::along(brush, radius, [start, end])
}

/// Does something to the edits. Most of it is small.
fn any_edit(edits: &mut Edits, rng: &mut SeededRng) {
    match rng.below(6) {
        0 => {
            edits.undo(1).unwrap();
        }
        1 => {
            edits.redo(1).unwrap();
        }
        _ => {
            for _ in 0..1 + rng.below(3) {
                edits.stroke(1, any_stroke(rng)).unwrap();
            }
        }
    }
}

/// Everything that is computed from a surface.
#[derive(PartialEq)]
pub(crate) struct Parts {
    heights: Vec<u32>,
    holes: Option<HoleMask>,
    height_range: (f32, f32),
    rays: Vec<Option<[u32; 3]>>,
    cover: (Vec<[u8; 2]>, Vec<[u8; 4]>),
    collider: Option<(Vec<u32>, Vec<u8>)>,
    /// By their positions: those of the vertices, the normals, and the indices.
    meshes: BTreeMap<String, (Vec<Vec3>, Vec<Vec3>, Vec<usize>)>,
}

impl Parts {
    pub(crate) fn of(app: &mut App, terrain: Entity) -> Self {
        let surface = ground(app, terrain).clone();
        let points = points_over(&surface, 4, 300);
        let rays = points.into_iter().map(|point| {
            let ray = Ray3d::new(
                point + Vec3::new(90.0, 80.0, 30.0),
                Dir3::from_xyz(-1.0, -0.7, 0.2).unwrap(),
            );
            let hit = surface
                .surface()
                .cast_ray(ray.origin, *ray.direction, 500.0)?;
            Some(hit.point.to_array().map(f32::to_bits))
        });
        let collider = app.world().get::<Collider>(terrain).map(|collider| {
            let field = collider.raw.as_heightfield().unwrap();
            let heights = field.heights().data().iter().map(|height| height.to_bits());
            let statuses = field
                .cells_statuses()
                .data()
                .iter()
                .map(HeightFieldCellStatus::bits);
            (heights.collect(), statuses.collect())
        });
        let cover: &TerrainCover = app.world().get(terrain).unwrap();
        Self {
            heights: surface
                .map()
                .heights()
                .iter()
                .map(|height| height.to_bits())
                .collect(),
            holes: surface.holes().cloned(),
            height_range: surface.height_range(),
            rays: rays.collect(),
            cover: (cover.map().texels().to_vec(), cover.map().relief().to_vec()),
            collider,
            meshes: chunks(app, terrain)
                .into_iter()
                .map(|chunk| {
                    let world = app.world();
                    let mesh = world.get::<Mesh3d>(chunk).unwrap();
                    let mesh = world.resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
                    let level = world.get::<TerrainChunk>(chunk).unwrap().level;
                    let origin = world.get::<Transform>(chunk).unwrap().translation;
                    let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
                    // Two triangles can share an origin.
                    let last = positions(mesh).last().copied();
                    let name = format!("{level} {origin} {last:?}");
                    let normals = vectors(mesh, Mesh::ATTRIBUTE_NORMAL);
                    (name, (positions(mesh), normals, indices))
                })
                .collect(),
        }
    }

    pub(crate) fn assert_equal(&self, other: &Self) {
        let Self {
            heights,
            holes,
            height_range,
            rays,
            cover,
            collider,
            meshes,
        } = self;
        assert!(*heights == other.heights, "heights");
        assert!(*holes == other.holes, "holes");
        assert_eq!(*height_range, other.height_range);
        assert!(*rays == other.rays, "rays");
        assert!(cover.0 == other.cover.0, "layers");
        assert!(cover.1 == other.cover.1, "relief");
        assert!(*collider == other.collider, "collider");
        assert!(meshes.keys().eq(other.meshes.keys()), "patches");
        for (name, mesh) in meshes {
            assert!(*mesh == other.meshes[name], "mesh {name}");
        }
    }
}

/// The chunks of a terrain that are shown.
fn chunks(app: &mut App, terrain: Entity) -> Vec<Entity> {
    let of = |app: &App, chunk: Entity| app.world().get::<TerrainChunk>(chunk).unwrap().terrain;
    let shown = shown_chunks(app);
    shown
        .into_iter()
        .filter(|&chunk| of(app, chunk) == terrain)
        .collect()
}

/// Compares a terrain that is edited again and again with one that is generated with all edits at once.
fn compare_after_edits(app: &mut App, terrain: &impl Fn() -> Terrain, seeds: Range<u64>) {
    let (mut kept, mut all) = (0, 0);
    for seed in seeds {
        let mut rng = SeededRng::new(seed, b"edits   ");
        let entity = spawn_ready(app, (terrain(), TerrainEdits::default()));
        for _ in 0..6 {
            let before: HashSet<Entity> = chunks(app, entity).into_iter().collect();
            edit(app, entity, |edits| any_edit(edits, &mut rng));
            wait_until_settled(app);
            let after = chunks(app, entity);
            kept += after.iter().filter(|chunk| before.contains(chunk)).count();
            all += after.len();
        }
        let log = edits(app, entity).clone();
        let fresh = spawn_ready(app, (terrain(), log));
        wait_until_settled(app);
        let [updated, expected] = [entity, fresh].map(|entity| Parts::of(app, entity));
        assert!(!expected.meshes.is_empty() && expected.rays.iter().any(Option::is_some));
        updated.assert_equal(&expected);
        for entity in [entity, fresh] {
            app.world_mut().despawn(entity);
        }
    }
    assert!(2 * kept > all, "{kept} of {all} patches were kept");
}

#[test]
fn updated_terrain_equals_a_fresh_one() {
    compare_after_edits(&mut app(), &terrain, 0..6);
}

/// With a camera, the number of patches depends on the errors of all levels of detail.
#[test]
fn updated_patches_are_those_of_a_fresh_terrain() {
    let mut app = app();
    let eye = Transform::from_xyz(-150.0, 60.0, 40.0);
    app.world_mut().spawn((Camera3d::default(), eye));
    app.world_mut().add_observer(
        |add: On<Add, Terrain>, mut details: Query<&mut TerrainDetail>| {
            details.get_mut(add.entity).unwrap().pixel_error = 4.0;
        },
    );
    compare_after_edits(&mut app, &terrain, 10..13);
}

#[test]
fn colliders_around_bodies_follow_edits() {
    let mut app = app();
    let around = TerrainCollider::AroundBodies(20.0);
    let entity = spawn_ready(&mut app, (terrain(), around, TerrainEdits::default()));
    let places = [Vec2::new(-200.0, -100.0), Vec2::new(220.0, 90.0)];
    for place in places {
        let body = Transform::from_xyz(place.x, 50.0, place.y);
        app.world_mut().spawn((
            bevy_rapier3d::prelude::RigidBody::Dynamic,
            body,
            GlobalTransform::from(body),
        ));
    }
    let regions = |app: &mut App| -> Vec<(Entity, Vec3)> {
        let world = app.world_mut();
        let mut regions =
            world.query_filtered::<(Entity, &Transform), With<TerrainColliderRegion>>();
        regions
            .iter(world)
            .map(|(region, place)| (region, place.translation))
            .collect()
    };
    // Until the planned regions have replaced those that are built at once.
    let mut steady = (Vec::new(), 0);
    update_until(&mut app, |app| {
        let now = regions(app);
        steady = match now == steady.0 {
            true => (now, steady.1 + 1),
            false => (now, 0),
        };
        steady.0.len() == 2 && steady.1 > 100
    });
    let before = regions(&mut app);
    let stroke = ground(&app, entity)
        .local_stroke(Brush::Raise { mm: 9000 }, 8.0, [places[0]])
        .unwrap();
    edit(&mut app, entity, |edits| {
        edits.stroke(1, stroke).unwrap();
    });
    update_until(&mut app, |app| regions(app).len() == 2);
    let after = regions(&mut app);
    // The region that was not edited stays.
    let stays = |region: &&(Entity, Vec3)| after.iter().any(|(entity, _)| *entity == region.0);
    let staying: Vec<_> = before.iter().filter(stays).collect();
    assert_eq!(staying.len(), 1);
    assert!(staying[0].1.x > 0.0);
    // The other one has the new heights.
    let surface = ground(&app, entity).clone();
    for (region, place) in after {
        let collider = app.world().get::<Collider>(region).unwrap();
        let at = if place.x > 0.0 { places[1] } else { places[0] };
        let from = Vec3::new(at.x, 300.0, at.y);
        let fall = collider.cast_ray(place, Quat::IDENTITY, from, Vec3::NEG_Y, 600.0, true);
        let expected = surface.surface().height(at).unwrap();
        assert!((300.0 - fall.unwrap() - expected).abs() < 0.01, "{place}");
    }
}

#[test]
fn changes_since_an_older_surface_are_rectangles_in_meters() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let before = ground(&app, entity).clone();
    assert_eq!(before.changes_since(&before), Some(Vec::new()));
    let at = Vec2::new(-150.0, 70.0);
    let stroke = before
        .local_stroke(Brush::Raise { mm: 9000 }, 8.0, [at])
        .unwrap();
    edit(&mut app, entity, |edits| {
        edits.stroke(1, stroke).unwrap();
    });
    let after = ground(&app, entity).clone();
    let areas = after.changes_since(&before).unwrap();
    let whole = areas.iter().copied().reduce(|a, b| a.union(b)).unwrap();
    assert!(whole.contains(at), "{areas:?}");
    assert!(
        whole.half_size().max_element() <= 8.0 + 2.0 * SCALE.spacing,
        "{areas:?}"
    );
    let is_inside = |at: Vec2| areas.iter().any(|area| area.contains(at));
    let mut changed = 0;
    for point in points_over(&after, 8, 60_000) {
        let [new, old] = [&after, &before].map(|ground| ground.surface().height(point.xz()));
        assert!(new == old || is_inside(point.xz()), "{point}");
        changed += usize::from(new != old);
    }
    assert!(changed > 50, "{changed}");
    assert!(same_bits(after.unedited_map(), before.map()));
    // Another source has other heights everywhere.
    set_recipe(&mut app, entity, hills(330, 200, 6));
    wait_until_ready(&mut app);
    assert_eq!(ground(&app, entity).changes_since(&before), None);
}

#[test]
fn painted_layers_lie_on_those_of_rules_and_can_be_undone() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let layers = |app: &App, at: Vec2| {
        let cover: &TerrainCover = app.world().get(entity).unwrap();
        cover.layers_at(at)
    };
    let places = [Vec2::new(-5.0, 25.0), Vec2::new(40.0, -80.0)];
    let before = places.map(|at| layers(&app, at));
    let mud = app
        .world()
        .get::<TerrainCover>(entity)
        .unwrap()
        .index("mud")
        .unwrap();
    let mut stroke = ground(&app, entity)
        .local_stroke(Brush::Paint { layer: mud }, 12.0, places)
        .unwrap();
    edit(&mut app, entity, |edits| {
        edits.stroke(1, stroke.clone()).unwrap();
    });
    for at in places {
        let [(most, share), _] = layers(&app, at);
        assert!(most == mud && share > 0.97, "{at}: {most}, {share}");
    }
    // A part of it, over what is there.
    stroke.strength = 500;
    edit(&mut app, entity, |edits| {
        edits.undo(1).unwrap();
        edits.stroke(1, stroke).unwrap();
    });
    for (at, before) in places.into_iter().zip(before) {
        let now = layers(&app, at);
        assert!(
            now.iter()
                .any(|(layer, share)| *layer == mud && (0.3..0.9).contains(share)),
            "{now:?}"
        );
        assert!(
            now.iter()
                .any(|(layer, share)| *layer == before[0].0 && *share > 0.05),
            "{now:?}"
        );
    }
    edit(&mut app, entity, |edits| {
        edits.undo(1).unwrap();
    });
    for (at, before) in places.into_iter().zip(before) {
        assert_eq!(layers(&app, at), before);
    }
}

#[test]
fn density_of_plants_is_that_of_the_nearest_cell() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let at = Vec2::new(31.0, -16.0);
    let mut stroke = ground(&app, entity)
        .local_stroke(Brush::Plants { density: 51 }, 10.0, [at])
        .unwrap();
    stroke.falloff = lanternfell_terrain::edits::Falloff::Constant;
    let before = ground(&app, entity).clone();
    edit(&mut app, entity, |edits| {
        edits.stroke(1, stroke).unwrap();
    });
    let after = ground(&app, entity);
    assert!((after.plant_density(at) - 0.2).abs() < 1e-6);
    assert!((after.plant_density(at + Vec2::new(6.0, -6.0)) - 0.2).abs() < 1e-6);
    for outside in [at + 15.0, Vec2::splat(1e9), Vec2::NAN] {
        assert_eq!(after.plant_density(outside), 1.0, "{outside}");
    }
    assert!(same_bits(after.map(), before.map()));
    let areas = after.changes_since(&before).unwrap();
    assert!(areas.iter().any(|area| area.contains(at)), "{areas:?}");
}

/// `rapier` stores the collider with the scale of its transform.
#[test]
fn collider_of_a_scaled_terrain_keeps_its_size() {
    use bevy_rapier3d::prelude::{NoUserData, RapierPhysicsPlugin};
    let mut app = app_with((TerrainPlugin, RapierPhysicsPlugin::<NoUserData>::default()));
    let twice = Transform::from_scale(Vec3::splat(2.0));
    let entity = spawn_ready(&mut app, (terrain(), twice, TerrainEdits::default()));
    let size = |app: &App| {
        let collider = app.world().get::<Collider>(entity).unwrap();
        collider.raw.as_heightfield().unwrap().scale()
    };
    app.update();
    let before = size(&app);
    let extent = 2.0 * 329.0 * SCALE.spacing;
    assert!((before.x - extent).abs() < 0.01, "{before}");
    for at in [Vec2::new(-90.0, 20.0), Vec2::new(60.0, -30.0)] {
        let brush = Brush::Raise { mm: 900 };
        let stroke = ground(&app, entity).local_stroke(brush, 8.0, [at]).unwrap();
        edit(&mut app, entity, |edits| {
            edits.stroke(1, stroke).unwrap();
        });
        app.update();
        assert_eq!(size(&app), before);
    }
}

#[test]
fn layers_that_do_not_exist_are_not_painted() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let texels = |app: &App| {
        let cover: &TerrainCover = app.world().get(entity).unwrap();
        cover.map().texels().to_vec()
    };
    let before = texels(&app);
    let brush = Brush::Paint { layer: 15 };
    let stroke = ground(&app, entity)
        .local_stroke(brush, 20.0, [Vec2::ZERO])
        .unwrap();
    edit(&mut app, entity, |edits| {
        edits.stroke(1, stroke).unwrap();
    });
    assert!(texels(&app) == before);
}
