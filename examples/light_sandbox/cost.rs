//! Measures the time that the light takes, for the panel.

use bevy::{platform::time::Instant, prelude::*};
use lanternfell::prelude::*;

/// Times, smoothed over about half a second.
#[derive(Resource, Debug, Default, Clone, Copy)]
pub struct Cost {
    /// Frame time in milliseconds.
    pub frame: f32,
    /// Time of the light on the main thread, in milliseconds per frame.
    pub flow: f32,
    /// Microseconds per step of the automaton. `None` if the light is at rest or settled.
    pub step: Option<f32>,
    /// Number of active tiles, which the next step visits.
    pub awake: usize,
    /// Number of all tiles.
    pub tiles: usize,
    /// Largest change of a cell in the last step.
    pub residual: f32,
}

/// When the current run of `TorchlightSystems::Flow` started.
#[derive(Resource)]
struct Began(Instant);

/// Seconds spent in `TorchlightSystems::Flow` since the last frame.
#[derive(Resource, Default)]
struct Spent(f32);

pub fn plugin(app: &mut App) {
    app.init_resource::<Cost>()
        .init_resource::<Spent>()
        .insert_resource(Began(Instant::now()))
        .add_systems(
            FixedPostUpdate,
            (
                begin
                    .after(TorchlightSystems::Collect)
                    .before(TorchlightSystems::Flow),
                end.after(TorchlightSystems::Flow)
                    .before(TorchlightSystems::Publish),
            ),
        )
        .add_systems(Update, take_stock);
}

fn begin(mut began: ResMut<Began>) {
    began.0 = Instant::now();
}

fn end(began: Res<Began>, mut spent: ResMut<Spent>) {
    spent.0 += began.0.elapsed().as_secs_f32();
}

fn take_stock(
    time: Res<Time<Real>>,
    mut spent: ResMut<Spent>,
    mut cost: ResMut<Cost>,
    maps: Query<(&TorchlightMap, &TorchlightStatus, &LightFlow)>,
) {
    let part = (time.delta_secs() / 0.5).clamp(0.02, 1.0);
    let smooth = |old: f32, new: f32| old + (new - old) * part;
    let passed = std::mem::take(&mut *spent);
    cost.frame = smooth(cost.frame, 1000.0 * time.delta_secs());
    cost.flow = smooth(cost.flow, 1000.0 * passed.0);
    let Some((map, status, flow)) = maps.iter().next() else {
        return;
    };
    cost.awake = map.grid().tiles().filter(|tile| tile.awake).count();
    cost.tiles = map.grid().tiles().count();
    cost.residual = map.grid().residual();
    let step = status.step_time().filter(|_| match flow {
        LightFlow::Automaton { .. } => cost.awake > 0,
        LightFlow::Settled { .. } => false,
    });
    cost.step = step.map(|step| {
        let step = 1e6 * step.as_secs_f32();
        smooth(cost.step.unwrap_or(step), step)
    });
}
