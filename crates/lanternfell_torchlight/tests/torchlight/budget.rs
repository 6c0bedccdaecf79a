//! Light within the budget of a frame, and in the background.

use std::{
    collections::HashMap,
    thread,
    time::{Duration, Instant},
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// Longer than any light here takes.
const AMPLE: LightBudget = LightBudget(Duration::from_secs(3600));
/// Everything is computed in the background.
const NONE: LightBudget = LightBudget(Duration::ZERO);
const PATIENCE: Duration = Duration::from_secs(100);

fn app_with_budget(budget: LightBudget) -> App {
    let mut app = app();
    app.insert_resource(budget);
    app
}

fn spawn(app: &mut App, map: impl Bundle) -> Entity {
    let map = app.world_mut().spawn(map).id();
    app.world_mut().flush();
    app.world_mut()
        .entity_mut(map)
        .insert(LightTiming::WithinBudget);
    map
}

fn hang_lamp(app: &mut App, x: f32, y: f32) -> Entity {
    let at = LightCell(Vec2::new(x, y));
    app.world_mut().spawn((lamp(), at)).id()
}

/// Updates the app until `is_so` returns true.
fn wait(app: &mut App, what: &str, mut is_so: impl FnMut(&mut App) -> bool) {
    let start = Instant::now();
    while !is_so(app) {
        assert!(start.elapsed() < PATIENCE, "timed out waiting for: {what}");
        thread::sleep(Duration::from_millis(1));
        app.update();
    }
}

/// A grid with scattered walls and light that reaches far.
fn hall(side: u32) -> LightGrid {
    let settings = LightSettings {
        falloff: Falloff::Radius(40.0),
        ..default()
    };
    let mut grid = LightGrid::new(side, side, settings).unwrap();
    let wall = |cell: IVec2| cell.x % 11 == 5 && cell.y % 7 != 3;
    grid.fill(|cell| if wall(cell) { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    grid
}

/// The largest difference between the light of two grids.
fn off(shown: &LightGrid, other: &LightGrid) -> f32 {
    let apart = cells(shown).map(|cell| (shown.light(cell) - other.light(cell)).abs());
    apart.fold(0.0, |most, apart| apart.max_element().max(most))
}

#[test]
fn ample_budget_gives_the_same_light_as_in_step() {
    let mut app = app_with_budget(AMPLE);
    for flow in [LightFlow::default(), LightFlow::SETTLED] {
        let within = spawn(&mut app, (TorchlightMap::new(hall(50)), flow));
        let in_step = app
            .world_mut()
            .spawn((TorchlightMap::new(hall(50)), flow))
            .id();
        let moving = hang_lamp(&mut app, 20.0, 20.0);
        for turn in 0..40 {
            let at = Vec2::new(20.0 + 0.3 * turn as f32, 20.0);
            app.world_mut().entity_mut(moving).insert(LightCell(at));
            if turn % 7 == 3 {
                for map in [within, in_step] {
                    let at = IVec2::new(30, turn);
                    map_mut(&mut app, map).set_cell(at, Cell::WALL).unwrap();
                }
            }
            app.update();
            let same = match flow {
                LightFlow::Automaton { .. } => bits(&app, within) == bits(&app, in_step),
                // Settled light is computed in pieces.
                LightFlow::Settled { .. } => {
                    off(map(&app, within).grid(), map(&app, in_step).grid()) < 2e-3
                }
            };
            assert!(same, "turn {turn} of {flow:?}");
            assert_eq!(status(&app, within).age(), Duration::ZERO);
        }
        let [within, in_step] = [within, in_step].map(|map| app.world_mut().despawn(map));
        assert!(within && in_step);
    }
}

#[test]
fn background_light_corresponds_to_whole_steps() {
    let mut stepped = hall(60);
    let lamp = lanternfell_torchlight::lightgrid::Source::new(IVec2::splat(20), Vec3::ONE);
    stepped.set_sources(&[lamp]).unwrap();
    let light = |grid: &LightGrid| -> Vec<[u32; 3]> {
        let lights = cells(grid).map(|cell| grid.light(cell).to_array().map(f32::to_bits));
        lights.collect()
    };
    let mut after = HashMap::new();
    for steps in 0..=240 {
        after.insert(light(&stepped), steps);
        stepped.step(1);
    }
    assert_eq!(after.len(), 241, "light came to rest too soon");

    let mut app = app_with_budget(NONE);
    let map = spawn(&mut app, TorchlightMap::new(hall(60)));
    hang_lamp(&mut app, 20.0, 20.0);
    let mut most = 0;
    for tick in 1..=64 {
        app.update();
        let steps = after.get(&bits(&app, map));
        let steps = *steps.unwrap_or_else(|| panic!("tick {tick}: incomplete light is shown"));
        assert!(most <= steps, "tick {tick}: from {most} back to {steps}");
        assert!(
            f64::from(steps) <= 3.75 * f64::from(tick),
            "{steps} at {tick}"
        );
        most = steps;
        // As long as a frame.
        thread::sleep(Duration::from_millis(4));
    }
    assert!(most > 30, "{most} of 240 steps");
    let age = status(&app, map).age();
    assert!(
        age >= TICK,
        "the light must come from the background: {age:?}"
    );
}

#[test]
fn background_settled_light_is_complete() {
    let mut app = app_with_budget(NONE);
    let map = spawn(
        &mut app,
        (TorchlightMap::new(hall(120)), LightFlow::SETTLED),
    );
    let moving = hang_lamp(&mut app, 20.0, 20.0);
    let mut settled = vec![hall(120)];
    for turn in 0..60 {
        // A turn may last several ticks.
        if turn % 5 == 0 {
            let at = Vec2::new(20.0 + turn as f32, 20.0);
            app.world_mut().entity_mut(moving).insert(LightCell(at));
            let mut grid = hall(120);
            let lamp = lanternfell_torchlight::lightgrid::Source::at(at, Vec3::ONE);
            grid.set_sources(&[lamp]).unwrap();
            grid.settle(1e-4);
            settled.push(grid);
        }
        app.update();
        let shown = crate::common::map(&app, map).grid();
        let nearest = settled.iter().map(|grid| off(shown, grid));
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(
            nearest < 4e-3,
            "turn {turn}: {nearest} from any settled light"
        );
        thread::sleep(Duration::from_millis(2));
    }
    wait(&mut app, "the last light", |app| {
        off(crate::common::map(app, map).grid(), settled.last().unwrap()) < 4e-3
    });
}

#[test]
fn keeps_changes_during_background_work() {
    let mut app = app_with_budget(NONE);
    let entity = spawn(
        &mut app,
        (TorchlightMap::new(hall(150)), LightFlow::SETTLED),
    );
    let first = hang_lamp(&mut app, 20.0, 20.0);
    app.update();
    // While the light is computed, a door is closed, a lamp is moved and a wall is built.
    let door = LightBlocker::default();
    app.world_mut().spawn((door, LightCell::new(21, 25)));
    app.world_mut()
        .entity_mut(first)
        .insert(LightCell::new(22, 24));
    let built = IVec2::new(24, 24);
    map_mut(&mut app, entity)
        .set_cell(built, Cell::BLACK_WALL)
        .unwrap();
    map_mut(&mut app, entity)
        .set_ambient(0, Vec3::splat(0.02))
        .unwrap();
    assert_eq!(map(&app, entity).cell(built), Cell::BLACK_WALL);
    app.update();
    assert!(map(&app, entity).grid().is_opaque(IVec2::new(21, 25)));
    wait(&mut app, "the light with all changes", |app| {
        let shown = map(app, entity).grid();
        let mut reference = hall(150);
        reference.set_cells(shown.cells().to_vec()).unwrap();
        reference.set_sources(shown.sources()).unwrap();
        reference.set_ambient(0, Vec3::splat(0.02)).unwrap();
        reference.settle(1e-4);
        assert!(reference.is_opaque(built));
        off(shown, &reference) < 4e-3
    });
}

#[test]
fn levels_match_the_shown_light() {
    let mut app = app_with_budget(NONE);
    let map = spawn(&mut app, (TorchlightMap::new(hall(40)), LightFlow::SETTLED));
    let reader = (LightLevel::default(), LightCell::new(12, 12));
    let reader = app.world_mut().spawn(reader).id();
    hang_lamp(&mut app, 10.0, 10.0);
    for _ in 0..200 {
        app.update();
        let shown = crate::common::map(&app, map).grid().light(IVec2::splat(12));
        assert_eq!(level(&app, reader).light, shown);
    }
    wait(&mut app, "the reader is lit", |app| {
        level(app, reader).band >= LightBand::Dim
    });
}

#[test]
fn timing_can_change_at_any_time() {
    let mut app = app_with_budget(NONE);
    let entity = spawn(&mut app, TorchlightMap::new(hall(60)));
    hang_lamp(&mut app, 20.0, 20.0);
    for turn in 0..12 {
        let timing = match turn % 3 {
            0 => LightTiming::InStep,
            _ => LightTiming::WithinBudget,
        };
        app.world_mut().entity_mut(entity).insert(timing);
        let before = sum(&app, entity);
        updates(&mut app, 3);
        assert!(sum(&app, entity) >= before, "turn {turn}: light was lost");
    }
    app.world_mut()
        .entity_mut(entity)
        .insert((LightTiming::InStep, LightFlow::SETTLED));
    updates(&mut app, 4);
    let mut reference = hall(60);
    let shown = map(&app, entity).grid();
    reference.set_sources(shown.sources()).unwrap();
    reference.settle(1e-4);
    assert!(off(shown, &reference) < 4e-3);
    assert_eq!(status(&app, entity).age(), Duration::ZERO);
}

#[test]
fn maps_can_be_removed_during_background_work() {
    let mut app = app_with_budget(NONE);
    hang_lamp(&mut app, 4.0, 4.0);
    for turn in 0..20 {
        let map = spawn(&mut app, (TorchlightMap::new(hall(80)), LightFlow::SETTLED));
        app.update();
        match turn % 3 {
            0 => assert!(app.world_mut().despawn(map)),
            1 => {
                app.world_mut()
                    .entity_mut(map)
                    .insert(TorchlightMap::new(hall(7)));
                updates(&mut app, 2);
                assert_eq!(crate::common::map(&app, map).grid().size(), UVec2::splat(7));
            }
            _ => {
                let copy = crate::common::map(&app, map).clone();
                let copy = spawn(&mut app, (copy, LightFlow::SETTLED));
                wait(&mut app, "the copy is lit", |app| sum(app, copy) > 1.0);
            }
        }
    }
}

#[test]
fn one_row_maps_with_a_moving_door_are_lit() {
    for size in [UVec2::new(300, 1), UVec2::new(1, 300), UVec2::ONE] {
        let mut app = app_with_budget(NONE);
        let grid = grid(size.x, size.y);
        let map = spawn(&mut app, (TorchlightMap::new(grid), LightFlow::SETTLED));
        hang_lamp(&mut app, 0.0, 0.0);
        let last = size.as_ivec2() - 1;
        let door = (
            LightBlocker::default(),
            LightCell::from(last.min(IVec2::splat(5))),
        );
        for turn in 0..60 {
            let door = app.world_mut().spawn(door).id();
            app.update();
            let lit = crate::common::map(&app, map).grid().light(IVec2::ZERO);
            assert!(lit.cmple(Vec3::ONE).all(), "{size}, turn {turn}: {lit}");
            app.world_mut().despawn(door);
            app.update();
        }
        wait(&mut app, "the lamp's own cell", |app| {
            crate::common::map(app, map).grid().light(IVec2::ZERO) == Vec3::ONE
        });
        let near = IVec2::splat(3).min(last);
        wait(&mut app, "a cell near the lamp", |app| {
            crate::common::map(app, map).grid().luminance(near) > 0.1
        });
    }
}

#[test]
fn lights_ten_thousand_lamps() {
    let mut app = app_with_budget(LightBudget::default());
    let map = spawn(
        &mut app,
        (TorchlightMap::new(grid(256, 256)), LightFlow::SETTLED),
    );
    for n in 0..10_000_u32 {
        let at = LightCell(Vec2::new((n % 300) as f32 - 20.0, (n / 30) as f32 - 30.0));
        let color = Color::linear_rgb(if n % 1000 == 0 { f32::NAN } else { 0.8 }, 0.5, 0.2);
        app.world_mut().spawn((LightSource::new(color), at));
    }
    app.update();
    let there = crate::common::map(&app, map).grid().sources().len();
    assert!(
        (6000..9000).contains(&there),
        "{there}: some are outside of the map"
    );
    wait(&mut app, "their light", |app| {
        let shown = crate::common::map(app, map).grid();
        let mut reference = grid(256, 256);
        reference.set_sources(shown.sources()).unwrap();
        reference.settle(1e-4);
        off(shown, &reference) < 4e-3
    });
}

#[test]
fn frame_with_many_ticks_spends_the_budget_once() {
    let quarter = Duration::from_millis(250);
    let time_of = |timing: LightTiming| {
        let mut app = app_with_budget(LightBudget(Duration::from_millis(2)));
        app.world_mut()
            .resource_mut::<Time<Virtual>>()
            .set_max_delta(quarter);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(quarter));
        let grid = LightGrid::new(384, 384, LightSettings::default()).unwrap();
        let map = spawn(&mut app, TorchlightMap::new(grid));
        app.world_mut().entity_mut(map).insert(timing);
        for n in 0..64 {
            hang_lamp(&mut app, (n % 8 * 48 + 20) as f32, (n / 8 * 48 + 20) as f32);
        }
        // The first update creates the worker's grid, and estimates the time of a step.
        updates(&mut app, 2);
        let frames = (0..8).map(|turn| {
            // The light must not come to rest.
            hang_lamp(&mut app, 190.5, turn as f32 * 40.0 + 3.3);
            let start = Instant::now();
            app.update();
            start.elapsed()
        });
        frames.min().unwrap()
    };
    // Other tests run at the same time and use the CPU too.
    let rounds: Vec<_> = (0..6)
        .map(|_| [LightTiming::InStep, LightTiming::WithinBudget].map(time_of))
        .collect();
    assert!(
        rounds
            .iter()
            .any(|[in_step, within]| 2 * *within < *in_step),
        "[in step, within the budget]: {rounds:?}"
    );
}
