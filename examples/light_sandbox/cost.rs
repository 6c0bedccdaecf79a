//! What the light costs, for the panel.

use bevy::{platform::time::Instant, prelude::*};
use lanternfell::prelude::*;

/// Times, smoothed over about half a second.
#[derive(Resource, Debug, Default, Clone, Copy)]
pub struct Cost {
    /// Milliseconds from frame to frame.
    pub frame: f32,
    /// Milliseconds of the main thread for which light flows in a frame.
    pub flow: f32,
    /// Microseconds for a step of the automaton; none when it settles or rests.
    pub step: Option<f32>,
    /// How many tiles the next step visits, and how many there are.
    pub awake: usize,
    pub tiles: usize,
    /// By how much the light of any cell changed in the last pass.
    pub residual: f32,
}

/// When the light began to flow, in this fixed step.
#[derive(Resource)]
struct Began(Instant);

/// How long it has flowed in this frame, in seconds.
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
    maps: Query<(&LightMap, &LightFlow)>,
) {
    let part = (time.delta_secs() / 0.5).clamp(0.02, 1.0);
    let smooth = |old: f32, new: f32| old + (new - old) * part;
    let passed = std::mem::take(&mut *spent);
    cost.frame = smooth(cost.frame, 1000.0 * time.delta_secs());
    cost.flow = smooth(cost.flow, 1000.0 * passed.0);
    let Some((map, flow)) = maps.iter().next() else {
        return;
    };
    cost.awake = map.grid().tiles().filter(|tile| tile.awake).count();
    cost.tiles = map.grid().tiles().count();
    cost.residual = map.grid().residual();
    let step = map.step_time().filter(|_| match flow {
        LightFlow::Automaton { .. } => cost.awake > 0,
        LightFlow::Settled { .. } => false,
    });
    cost.step = step.map(|step| {
        let step = 1e6 * step.as_secs_f32();
        smooth(cost.step.unwrap_or(step), step)
    });
}
