//! The speed at which light flows.

use std::time::Duration;

use bevy::{ecs::schedule::ScheduleLabel, prelude::*, time::TimeUpdateStrategy};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// An app whose light flows in `Update`, at this number of frames per second.
fn app_at(frames: u32) -> (App, Entity) {
    let mut app = app_with(TorchlightPlugin::in_schedule(Update));
    let frame = Duration::from_secs(1) / frames;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let map = app.world_mut().spawn(TorchlightMap::new(grid(40, 40))).id();
    app.world_mut().spawn((lamp(), LightCell::new(20, 20)));
    (app, map)
}

/// The light after this number of steps of the automaton.
fn stepped(steps: u32) -> Vec<[u32; 3]> {
    let mut grid = grid(40, 40);
    let lamp = lanternfell_torchlight::lightgrid::Source::new(IVec2::splat(20), Vec3::ONE);
    grid.set_sources(&[lamp]).unwrap();
    grid.step(steps);
    cells(&grid)
        .map(|cell| grid.light(cell).to_array().map(f32::to_bits))
        .collect()
}

#[test]
fn light_is_independent_of_frame_rate() {
    let expected = stepped(240);
    for frames in [64, 128, 32, 8] {
        let (mut app, map) = app_at(frames);
        updates(&mut app, frames as usize);
        assert!(bits(&app, map) == expected, "{frames} frames per second");
    }
    // 1/60 and 1/144 of a second are not whole nanoseconds.
    let around = [stepped(239), expected];
    for frames in [60, 144] {
        let (mut app, map) = app_at(frames);
        updates(&mut app, frames as usize);
        assert!(
            around.contains(&bits(&app, map)),
            "{frames} frames per second"
        );
    }
}

#[test]
fn runs_the_requested_steps_per_second() {
    for steps in [1.0, 30.0, 64.0, 1000.0] {
        let (mut app, map) = app_at(64);
        app.world_mut()
            .entity_mut(map)
            .insert(LightFlow::Automaton {
                steps_per_second: steps,
            });
        updates(&mut app, 64);
        assert!(bits(&app, map) == stepped(steps as u32), "{steps}");
    }
}

#[test]
fn long_frame_makes_up_for_a_quarter_second() {
    let (mut app, map) = app_at(64);
    app.world_mut()
        .resource_mut::<Time<Virtual>>()
        .set_max_delta(Duration::from_secs(60));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(20)));
    app.update();
    assert!(bits(&app, map) == stepped(60), "not the light of 60 steps");
}

#[test]
fn light_pauses_with_the_game() {
    let (mut app, map) = app_at(64);
    updates(&mut app, 20);
    let before = bits(&app, map);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    updates(&mut app, 20);
    assert!(bits(&app, map) == before, "light flowed");
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    updates(&mut app, 20);
    assert!(bits(&app, map) != before, "light stayed paused");
}

#[test]
fn light_can_continue_in_a_pause() {
    for schedule in [FixedPostUpdate.intern(), Update.intern()] {
        let mut plugin = TorchlightPlugin::in_schedule(schedule);
        plugin.runs_while_paused = true;
        let mut app = app_with(plugin);
        let map = app.world_mut().spawn(TorchlightMap::new(grid(40, 40))).id();
        let flame = (lamp(), Flicker::torch(3), LightCell::new(20, 20));
        let flame = app.world_mut().spawn(flame).id();
        let reader = (LightLevel::default(), LightCell::new(23, 20));
        let reader = app.world_mut().spawn(reader).id();
        updates(&mut app, 3);
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let now = app.world().resource::<Time>().elapsed();
        let before = sum(&app, map);
        // The light of one second, as without a pause.
        updates(&mut app, 64);
        assert!(sum(&app, map) > before, "{schedule:?}: light does not flow");
        assert_eq!(app.world().resource::<Time>().elapsed(), now);
        let held = crate::common::map(&app, map)
            .grid()
            .light(IVec2::splat(20))
            .x;
        updates(&mut app, 9);
        let later = crate::common::map(&app, map)
            .grid()
            .light(IVec2::splat(20))
            .x;
        assert_eq!(held, later, "{schedule:?}: the flame moves");
        let lit = level(&app, reader).luminance;
        let moved = LightCell::new(24, 20);
        app.world_mut().entity_mut(flame).insert(moved);
        updates(&mut app, 30);
        assert!(level(&app, reader).luminance > lit, "{schedule:?}: {lit}");
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        updates(&mut app, 9);
        let flickering = crate::common::map(&app, map)
            .grid()
            .light(IVec2::new(24, 20))
            .x;
        assert_ne!(held, flickering, "{schedule:?}: the flame stays paused");
    }
}

#[test]
fn settled_light_matches_the_end_of_the_automaton() {
    let (mut app, map) = app_at(64);
    app.world_mut().entity_mut(map).insert(LightFlow::SETTLED);
    app.update();
    let at_once = bits(&app, map);
    updates(&mut app, 5);
    let end = stepped(20_000);
    let distance = |light: &[[u32; 3]]| {
        let each = light.iter().flatten().zip(end.iter().flatten());
        each.map(|(&a, &b)| (f32::from_bits(a) - f32::from_bits(b)).abs())
            .fold(0.0, f32::max)
    };
    assert!(distance(&at_once) < 2e-3, "{}", distance(&at_once));
    assert!(
        distance(&stepped(60)) > 2e-3,
        "the test needs light that is not at rest after 60 steps"
    );
}

#[test]
fn flicker_uses_the_game_clock() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(3, 3)).id();
    let flicker = Flicker::torch(5);
    app.world_mut()
        .spawn((lamp(), flicker, LightCell::new(1, 1)));
    for tick in 1..50 {
        app.update();
        let now = f64::from(tick) * TICK.as_secs_f64();
        let light = crate::common::map(&app, map).grid().light(IVec2::ONE).x;
        assert_eq!(light, flicker.at(now), "tick {tick}");
    }
}
