//! Changes while files are still loading.

use bevy::prelude::*;
use lanternfell_terrain::{io::Format, prelude::*};

use crate::common::*;

fn grid(seed: u64) -> Vec<u8> {
    written(&placed(seed), Format::Ascii)
}

/// An app in which a terrain waits for a file.
fn waiting() -> (Studio, Entity) {
    let mut studio = Studio::new();
    studio.write("slow/land.asc", grid(1));
    studio.write("land.asc", grid(2));
    let file = studio.load("slow/land.asc");
    let entity = studio.spawn_waiting(Terrain::new(file));
    let generating = studio.app.world().get::<TerrainProgress>(entity).unwrap();
    assert_eq!(generating.fraction(), 0.0);
    (studio, entity)
}

#[test]
fn terrain_waits_for_its_file() {
    let (mut studio, entity) = waiting();
    studio.open_the_gate();
    studio.until_ready(1);
    assert!(studio.has_ground(entity) && !studio.is_busy());
}

#[test]
fn new_source_replaces_a_loading_one() {
    for by_file in [true, false] {
        let (mut studio, entity) = waiting();
        let source = match by_file {
            true => studio.load("land.asc").into(),
            false => hills(1).into(),
        };
        studio.terrain(entity).source = source;
        studio.until_ready(1);
        let ground = studio.ground(entity).map().clone();
        // The first file finishes loading too late.
        studio.open_the_gate();
        studio.linger();
        assert_eq!(studio.answers().ready.len(), 1, "by a file: {by_file}");
        assert_eq!(studio.ground(entity).map(), &ground, "by a file: {by_file}");
        assert_eq!(studio.ground(entity).recipe().is_none(), by_file);
    }
}

#[test]
fn old_terrain_stays_while_a_file_loads() {
    let mut studio = Studio::new();
    studio.write("slow/land.asc", grid(1));
    let entity = studio.spawn(Terrain::new(hills(1)));
    let file = studio.load("slow/land.asc");
    studio.terrain(entity).source = file.into();
    studio.linger();
    assert_eq!(studio.ground(entity).recipe(), Some(&hills(1)));
    studio.open_the_gate();
    studio.until_ready(2);
    assert_eq!(studio.ground(entity).recipe(), None);
}

#[test]
fn recipe_waits_for_its_images() {
    for in_file in [true, false] {
        let mut studio = Studio::new();
        let recipe = hills_with_image(1, "slow/coast.asc");
        studio.write("slow/coast.asc", grid(1));
        studio.write("hills.terrain.ron", recipe.to_ron());
        let terrain = match in_file {
            true => Terrain::new(studio.load("hills.terrain.ron")),
            false => Terrain::new(recipe),
        };
        let entity = studio.spawn_waiting(terrain);
        studio.open_the_gate();
        studio.until_ready(1);
        assert!(studio.has_ground(entity));
    }
}

#[test]
fn removed_terrain_does_not_finish_loading() {
    for despawned in [true, false] {
        let (mut studio, entity) = waiting();
        let mut entity = studio.app.world_mut().entity_mut(entity);
        match despawned {
            true => entity.despawn(),
            false => {
                entity.remove::<Terrain>();
            }
        }
        studio.open_the_gate();
        studio.linger();
        assert!(!studio.is_busy());
        let answers = studio.answers();
        assert!(answers.ready.is_empty() && answers.failed.is_empty());
        // No handle to the file is left.
        let files = studio.app.world().resource::<Assets<TerrainFile>>();
        assert_eq!(files.len(), 0, "despawned: {despawned}");
    }
}

#[test]
fn replaced_file_reports_no_failure() {
    let mut studio = Studio::new();
    studio.write("slow/land.asc", "no grid");
    let file = studio.load("slow/land.asc");
    let entity = studio.spawn_waiting(Terrain::new(file));
    studio.terrain(entity).source = hills(1).into();
    studio.until_ready(1);
    studio.open_the_gate();
    studio.linger();
    assert!(studio.answers().failed.is_empty());
}
