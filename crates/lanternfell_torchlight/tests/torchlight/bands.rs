//! Events when an entity changes its band of light.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// A single cell with a lamp and a reader.
struct Scene {
    app: App,
    map: Entity,
    lamp: Entity,
    reader: Entity,
}

/// The events since they were last taken.
#[derive(Resource, Default)]
struct Changes(Vec<LightBandChanged>);

impl Scene {
    fn new() -> Self {
        let mut app = app();
        app.init_resource::<Changes>().add_observer(
            |change: On<LightBandChanged>, mut changes: ResMut<Changes>| changes.0.push(*change),
        );
        let map = app.world_mut().spawn(settled(1, 1)).id();
        let here = LightCell::new(0, 0);
        let lamp = app
            .world_mut()
            .spawn((lamp().with_strength(0.0), here))
            .id();
        let reader = app.world_mut().spawn((LightLevel::default(), here)).id();
        Self {
            app,
            map,
            lamp,
            reader,
        }
    }

    /// The band at this strength of the lamp, and the changes.
    fn at(&mut self, strength: f32) -> (LightBand, Vec<(LightBand, LightBand)>) {
        let mut lamp = self
            .app
            .world_mut()
            .get_mut::<LightSource>(self.lamp)
            .unwrap();
        lamp.strength = strength;
        // Without this, light fades slowly.
        map_mut(&mut self.app, self.map).darken();
        self.app.update();
        (level(&self.app, self.reader).band, self.said())
    }

    fn said(&mut self) -> Vec<(LightBand, LightBand)> {
        let changes = std::mem::take(&mut self.app.world_mut().resource_mut::<Changes>().0);
        assert!(changes.iter().all(|change| change.entity == self.reader));
        changes
            .iter()
            .map(|change| (change.before, change.now))
            .collect()
    }
}

#[test]
fn triggers_one_event_per_change() {
    use LightBand::*;
    let mut scene = Scene::new();
    assert_eq!(scene.at(0.0), (Hidden, vec![]));
    assert_eq!(scene.at(0.1), (Dim, vec![(Hidden, Dim)]));
    assert_eq!(scene.at(0.1), (Dim, vec![]));
    assert_eq!(scene.at(1.0), (Blazing, vec![(Dim, Blazing)]));
    assert_eq!(scene.at(0.9), (Blazing, vec![]));
    assert_eq!(scene.at(0.3), (Lit, vec![(Blazing, Lit)]));
    assert_eq!(scene.at(0.0), (Hidden, vec![(Lit, Hidden)]));
}

#[test]
fn hysteresis_keeps_band() {
    use LightBand::*;
    let mut scene = Scene::new();
    let bands = LightBands {
        from: [0.1, 0.5, 2.0],
        hysteresis: 0.2,
    };
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .insert(LightThresholds(bands));
    // A new entity has no previous band.
    assert_eq!(scene.at(0.51), (Lit, vec![(Hidden, Lit)]));
    assert_eq!(scene.at(0.41), (Lit, vec![]));
    assert_eq!(scene.at(0.39), (Dim, vec![(Lit, Dim)]));
    assert_eq!(scene.at(0.59), (Dim, vec![]));
    assert_eq!(scene.at(0.61), (Lit, vec![(Dim, Lit)]));
}

#[test]
fn leaving_all_maps_changes_to_hidden() {
    use LightBand::*;
    let mut scene = Scene::new();
    assert_eq!(scene.at(1.0), (Blazing, vec![(Hidden, Blazing)]));
    scene.app.world_mut().entity_mut(scene.map).despawn();
    scene.app.update();
    assert_eq!(scene.said(), vec![(Blazing, Hidden)]);
    assert_eq!(level(&scene.app, scene.reader), LightLevel::default());
}

#[test]
fn accepts_invalid_bands() {
    let mut scene = Scene::new();
    for value in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
        let bands = LightBands {
            from: [value, 1.0, value],
            hysteresis: value,
        };
        scene
            .app
            .world_mut()
            .entity_mut(scene.map)
            .insert(LightThresholds(bands));
        scene.at(0.5);
    }
}
