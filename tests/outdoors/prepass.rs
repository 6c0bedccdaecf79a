//! Terrain, plants and sky in a normal prepass, as for screen-space ambient occlusion.

use bevy::{
    core_pipeline::prepass::NormalPrepass,
    ecs::schedule::SingleThreadedExecutor,
    prelude::*,
    render::{Render, RenderApp},
};
use lanternfell::{prelude::*, vegetation::DrawnVegetation};
use lanternfell_terrain_test_support::{canvas::*, log::warnings, terrain::*};

/// Reported: Bevy logged that meshes have no vertex normals, for plants and for the sky.
#[test]
fn nothing_is_logged_with_a_normal_prepass() {
    let mut app = app_that_draws(UVec2::splat(32), |app| {
        app.add_plugins((VegetationPlugin, SkyPlugin));
        // Only messages of this thread are recorded.
        app.sub_app_mut(RenderApp)
            .edit_schedule(Render, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            });
    });
    let camera = spawn_eye(&mut app, Vec3::new(0.0, 40.0, 30.0));
    app.world_mut().entity_mut(camera).insert(NormalPrepass);
    let said = warnings(&mut app, |app, _| {
        let plants = Vegetation {
            distance: 60.0,
            ..default()
        };
        let terrain = (Terrain::new(hills(60, 60, 1)), plants);
        let terrain = spawn_ready(app, terrain);
        update_until(app, |app| {
            let drawn = app.world().get::<DrawnVegetation>(terrain);
            drawn.is_some_and(|drawn| drawn.is_complete && drawn.meshes > 0)
        });
        next_picture(app);
    });
    let about_normals: Vec<_> = said.iter().filter(|it| it.contains("normal")).collect();
    assert!(about_normals.is_empty(), "{about_normals:?}");
}
