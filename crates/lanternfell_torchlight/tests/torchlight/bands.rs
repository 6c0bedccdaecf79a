//! Messages when something comes into another band of light.

use bevy::{ecs::message::MessageCursor, prelude::*};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// A single cell with a lamp, and something to read its light.
struct Scene {
    app: App,
    map: Entity,
    lamp: Entity,
    reader: Entity,
    cursor: MessageCursor<LightBandChanged>,
}

impl Scene {
    fn new() -> Self {
        let mut app = app();
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
            cursor: MessageCursor::default(),
        }
    }

    /// The band at this strength of the lamp, and what was said.
    fn at(&mut self, strength: f32) -> (LightBand, Vec<(LightBand, LightBand)>) {
        let mut lamp = self
            .app
            .world_mut()
            .get_mut::<LightSource>(self.lamp)
            .unwrap();
        lamp.strength = strength;
        // Darkness comes by and by.
        map_mut(&mut self.app, self.map).darken();
        self.app.update();
        (level(&self.app, self.reader).band, self.said())
    }

    fn said(&mut self) -> Vec<(LightBand, LightBand)> {
        let changes = changes(&self.app, &mut self.cursor);
        assert!(changes.iter().all(|change| change.entity == self.reader));
        changes
            .iter()
            .map(|change| (change.before, change.now))
            .collect()
    }
}

#[test]
fn one_is_written_for_each_change_and_none_else() {
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
fn in_the_twilight_a_band_is_kept() {
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
    // Something new has no band to keep.
    assert_eq!(scene.at(0.51), (Lit, vec![(Hidden, Lit)]));
    assert_eq!(scene.at(0.41), (Lit, vec![]));
    assert_eq!(scene.at(0.39), (Dim, vec![(Lit, Dim)]));
    assert_eq!(scene.at(0.59), (Dim, vec![]));
    assert_eq!(scene.at(0.61), (Lit, vec![(Dim, Lit)]));
}

#[test]
fn leaving_all_maps_is_going_into_the_dark() {
    use LightBand::*;
    let mut scene = Scene::new();
    assert_eq!(scene.at(1.0), (Blazing, vec![(Hidden, Blazing)]));
    scene.app.world_mut().entity_mut(scene.map).despawn();
    scene.app.update();
    assert_eq!(scene.said(), vec![(Blazing, Hidden)]);
    assert_eq!(level(&scene.app, scene.reader), LightLevel::default());
}

#[test]
fn bands_that_make_no_sense_do_no_harm() {
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
