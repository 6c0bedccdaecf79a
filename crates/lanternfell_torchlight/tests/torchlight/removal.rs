//! Maps, lamps and readers that are removed at any time.

use bevy::{app::FixedPostUpdate, prelude::*};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

#[test]
fn removed_lamp_gives_no_light() {
    let ways: [fn(&mut App, Entity); 3] = [
        |app, lamp| app.world_mut().entity_mut(lamp).despawn(),
        |app, lamp| {
            app.world_mut().entity_mut(lamp).remove::<LightSource>();
        },
        |app, lamp| {
            app.world_mut()
                .get_mut::<LightSource>(lamp)
                .unwrap()
                .strength = 0.0;
        },
    ];
    for (way, go) in ways.into_iter().enumerate() {
        let mut app = app();
        let map = app.world_mut().spawn(settled(9, 9)).id();
        let lamp = app.world_mut().spawn((lamp(), LightCell::new(4, 4))).id();
        app.update();
        let lit = sum(&app, map);
        go(&mut app, lamp);
        updates(&mut app, 3);
        assert!(lit > 1.0 && sum(&app, map) < 0.01 * lit, "way {way}");
        assert!(
            crate::common::map(&app, map).grid().sources().is_empty(),
            "way {way}"
        );
    }
}

#[test]
fn removed_map_drops_its_image() {
    for whole in [true, false] {
        let mut app = drawing_app();
        let images = |app: &App| app.world().resource::<Assets<Image>>().len();
        let before = images(&app);
        let map = app.world_mut().spawn(settled(9, 9)).id();
        let reader = app
            .world_mut()
            .spawn((LightLevel::default(), LightCell::new(4, 4)))
            .id();
        app.world_mut().spawn((lamp(), LightCell::new(4, 4)));
        updates(&mut app, 2);
        assert!(has::<LightTexture>(&app, map), "whole: {whole}");
        assert_eq!(images(&app), before + 1, "whole: {whole}");
        if whole {
            app.world_mut().entity_mut(map).despawn();
        } else {
            app.world_mut().entity_mut(map).remove::<TorchlightMap>();
        }
        updates(&mut app, 3);
        assert_eq!(images(&app), before, "whole: {whole}");
        assert_eq!(count::<With<LightTexture>>(&mut app), 0, "whole: {whole}");
        assert_eq!(level(&app, reader), LightLevel::default(), "whole: {whole}");
        if !whole {
            app.world_mut()
                .entity_mut(map)
                .insert(TorchlightMap::new(grid(3, 3)));
            updates(&mut app, 2);
            assert!(has::<LightTexture>(&app, map), "whole: {whole}");
        }
    }
}

/// Commands of other systems may be applied between any two systems of the plugin. Here they
/// despawn everything in the same run in which the plugin sees it first.
#[test]
fn entities_can_be_despawned_in_the_same_frame() {
    #[derive(Resource, Default)]
    struct Doomed(Vec<Entity>);
    fn doom(mut doomed: ResMut<Doomed>, mut commands: Commands) {
        for entity in doomed.0.drain(..) {
            commands.entity(entity).despawn();
        }
    }
    type Where = fn(&mut App);
    let places: [Where; 5] = [
        |app| {
            app.add_systems(FixedPostUpdate, doom.before(TorchlightSystems::Collect));
        },
        |app| {
            let between = doom
                .after(TorchlightSystems::Collect)
                .before(TorchlightSystems::Flow);
            app.add_systems(FixedPostUpdate, between);
        },
        |app| {
            app.add_systems(FixedPostUpdate, doom.after(TorchlightSystems::Publish));
        },
        |app| {
            app.add_systems(PostUpdate, doom.before(TorchlightSystems::Present));
        },
        |app| {
            app.add_systems(PostUpdate, doom.in_set(TorchlightSystems::Present));
        },
    ];
    for (number, place) in places.into_iter().enumerate() {
        let mut app = drawing_app();
        app.init_resource::<Doomed>();
        place(&mut app);
        for _ in 0..3 {
            let here = LightCell::new(4, 4);
            let world = app.world_mut();
            let parts = vec![
                world.spawn(settled(9, 9)).id(),
                world.spawn((lamp(), here)).id(),
                world.spawn((LightBlocker::default(), here)).id(),
                world.spawn((LightLevel::default(), here)).id(),
            ];
            app.world_mut().resource_mut::<Doomed>().0 = parts;
            updates(&mut app, 2);
            assert_eq!(count::<With<TorchlightMap>>(&mut app), 0, "place {number}");
            assert_eq!(count::<With<LightTexture>>(&mut app), 0, "place {number}");
        }
    }
}
