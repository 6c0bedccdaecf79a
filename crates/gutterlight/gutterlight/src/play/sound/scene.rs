//! Computes the parameters of the mixer's loops from the game: near flames, darkness, alarm, nerve,
//! and silence.

use bevy::prelude::*;
use gutterlight_assets::sound::Scene;
use gutterlight_rules::{AlertState, Blackout, FixtureKind, GameEvent, Item, Sight, View};

use crate::play::{
    game::{Game, GameSystems, Happened},
    player::pilot::{Pilot, is_player},
    screen::{Screen, is_play},
    sound::ambience::Ambience,
};

/// The distance at which a flame is audible, in cells, and the volume of flames other than the
/// torch in hand.
const FLAME_REACH: i32 = 6;
const FLAME: f32 = 0.6;

/// How much the torch gutters when it starts to burn low and just before it goes out, and in the
/// opening.
const GUTTERS: (f32, f32) = (0.35, 0.85);
const OPENING_GUTTERS: f32 = 0.9;

/// The value of the light gem above which the drone of the dark is silent.
const BRIGHT: f32 = 75.0;

/// The minimum alarm level while the keep is awake.
const AWAKE: f32 = 0.35;

/// The last stage of the opening, and the game's seed and turn, to detect a new game.
#[derive(Default)]
pub struct LastState {
    stage: Option<Blackout>,
    game: (u64, u32),
}

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>
        .or_else(resource_changed::<Pilot>)
        .or_else(state_changed::<Screen>);
    app.init_resource::<Ambience>()
        .add_systems(Update, follow.run_if(fresh).in_set(GameSystems::Show));
}

/// Updates [`Ambience`].
pub fn follow(
    game: Res<Game>,
    screen: Res<State<Screen>>,
    pilot: Res<Pilot>,
    mut happened: MessageReader<Happened>,
    mut last: Local<LastState>,
    mut ambience: ResMut<Ambience>,
) {
    let view = game.view();
    for event in happened.read() {
        if let GameEvent::Blackout(stage) = event.0 {
            last.stage = Some(stage);
        }
    }
    let (seed, turn) = std::mem::replace(&mut last.game, (view.seed(), view.turn()));
    if seed != view.seed() || turn > view.turn() {
        last.stage = None;
    }
    ambience.set_if_neq(Ambience {
        scene: scene(view, last.stage),
        hushed: last.stage == Some(Blackout::Silence) && view.wick_is_wet(),
        demo: !is_play(screen) && !is_player(pilot),
    });
}

/// The parameters of the loops.
fn scene(view: View<'_>, stage: Option<Blackout>) -> Scene {
    let (thief, rules) = (view.thief(), &view.rules().thief);
    let part = |value: f32, of: f32| (value / of.max(1.0)).clamp(0.0, 1.0);
    let over = view.ending().is_some();
    Scene {
        theme: view.theme(),
        torch: match thief.torch_burns() {
            true => 1.0,
            false => flame_near(view),
        },
        guttering: guttering(view, stage),
        darkness: 1.0 - part(view.light_gem().into(), BRIGHT),
        alarm: if over { 0.0 } else { alarm(view) },
        // After the end of the game the heart is silent.
        nerve: match over {
            true => 1.0,
            false => part(thief.nerve.into(), rules.nerve.into()),
        },
    }
}

/// The volume of the nearest visible flame.
fn flame_near(view: View<'_>) -> f32 {
    let (thief, side) = (view.thief().at, -FLAME_REACH..=FLAME_REACH);
    let around = side
        .clone()
        .flat_map(|y| side.clone().map(move |x| IVec2::new(x, y)));
    let burning = around.filter(|&step| burns(view, thief + step));
    let nearest = burning.map(IVec2::length_squared).min();
    nearest.map_or(0.0, |square| {
        let away = (square as f32).sqrt() / FLAME_REACH as f32;
        FLAME * (1.0 - away).max(0.0)
    })
}

/// Whether there is a visible flame in a cell.
fn burns(view: View<'_>, at: IVec2) -> bool {
    let Some(memory) = view.memory(at).filter(|_| view.sight(at) == Sight::Seen) else {
        return false;
    };
    let lamp = |(kind, burning): (FixtureKind, bool)| burning && kind.is_flame();
    let torch = |item| matches!(item, Item::Torch(torch) if torch.lit);
    memory.fixture.is_some_and(lamp) || memory.item.is_some_and(torch) || view.fire(at)
}

fn guttering(view: View<'_>, stage: Option<Blackout>) -> f32 {
    let low = view.rules().thief.fuel_low;
    match view.thief().torch {
        Some(torch) if torch.lit && stage == Some(Blackout::Gutters) => OPENING_GUTTERS,
        Some(torch) if torch.lit && torch.fuel <= low => {
            let left = f32::from(torch.fuel) / f32::from(low.max(1));
            GUTTERS.1 + (GUTTERS.0 - GUTTERS.1) * left
        }
        _ => 0.0,
    }
}

/// The alarm level, as far as the thief knows.
fn alarm(view: View<'_>) -> f32 {
    let awake = if view.alarm() { AWAKE } else { 0.0 };
    let worst = view.guards().map(|guard| match guard.alert_state {
        AlertState::Calm | AlertState::Unconscious | AlertState::Dead => 0.0,
        AlertState::Suspicious => 0.25,
        AlertState::Investigating => 0.4,
        AlertState::Searching => 0.55,
        AlertState::Fleeing => 0.8,
        AlertState::Chasing => 1.0,
    });
    worst.fold(awake, f32::max)
}

#[cfg(test)]
mod tests {
    use gutterlight_rules::{Action, Bot, Difficulty, Direction, World, steps_between};

    use super::*;

    #[test]
    fn parameters_stay_in_range() {
        let mut world = World::new(3, Difficulty::Thief);
        let mut mind = Bot::Careful.mind(3);
        let mut events = Vec::new();
        let mut most = [0.0_f32; 4];
        for _ in 0..2500 {
            if world.view().ending().is_some() {
                break;
            }
            let action = mind.choose(world.view(), &events);
            events = world.act(action).unwrap_or_default();
            let now = scene(world.view(), None);
            let values = [now.torch, now.darkness, now.alarm, 1.0 - now.nerve];
            for (most, value) in most.iter_mut().zip(values) {
                assert!((0.0..=1.0).contains(&value), "{now:?}");
                *most = most.max(value);
            }
            assert!((0.0..=1.0).contains(&now.guttering), "{now:?}");
        }
        assert!(most.iter().all(|&most| most > 0.2), "{most:?}");
    }

    /// An app that computes the ambience of a game.
    fn hearing(world: &World) -> App {
        let mut app = App::new();
        app.add_plugins(bevy::state::app::StatesPlugin)
            .init_state::<Screen>()
            .add_message::<Happened>()
            .insert_resource(Pilot::Player)
            .add_plugins(plugin);
        after_turn(&mut app, world, &[]);
        app
    }

    /// The ambience after a turn with these events.
    fn after_turn(app: &mut App, world: &World, events: &[GameEvent]) -> Ambience {
        app.insert_resource(Game::new(world.clone()));
        for event in events {
            app.world_mut().write_message(Happened(*event));
        }
        app.update();
        *app.world().resource::<Ambience>()
    }

    /// A step down the corridor, away from the start. Waits at its end.
    fn onwards(view: View<'_>, start: IVec2) -> Action {
        let away = |way: &Direction| steps_between(view.thief().at + way.step(), start);
        let free = |way: &Direction| view.check(Action::Walk(*way)).is_ok();
        let way = Direction::ALL.into_iter().filter(free).max_by_key(away);
        way.map_or(Action::Wait, Action::Walk)
    }

    #[test]
    fn opening_has_silence_before_the_noise() {
        let mut world = World::with_opening(7, Difficulty::Thief);
        let (mut app, start) = (hearing(&world), world.view().thief().at);
        let mut seen = Vec::new();
        for _ in 0..20 {
            let action = onwards(world.view(), start);
            let events = world.act(action).expect("it was checked");
            let now = after_turn(&mut app, &world, &events);
            let state = (now.scene.guttering > 0.8, now.scene.torch > 0.9, now.hushed);
            if seen.last() != Some(&state) {
                seen.push(state);
            }
        }
        // The torch burns, gutters and goes out. Then there is silence, and finally the noise.
        let burns = (false, true, false);
        let (gutters, dark) = ((true, true, false), (false, false, false));
        let silent = (false, false, true);
        assert_eq!(seen, [burns, gutters, dark, silent, dark]);
    }

    #[test]
    fn new_game_resets_the_opening() {
        let mut world = World::with_opening(7, Difficulty::Thief);
        let mut app = hearing(&world);
        world.act(Action::Wait).expect("waiting is always allowed");
        let gutters = GameEvent::Blackout(Blackout::Gutters);
        let now = after_turn(&mut app, &world, &[gutters]);
        assert!(now.scene.guttering > 0.8);
        let again = World::with_opening(7, Difficulty::Thief);
        assert_eq!(after_turn(&mut app, &again, &[]).scene.guttering, 0.0);
    }

    #[test]
    fn game_behind_menu_is_a_demo() {
        let mut app = hearing(&World::new(7, Difficulty::Thief));
        assert!(!app.world().resource::<Ambience>().demo);
        app.insert_resource(Pilot::bot(7));
        app.update();
        assert!(app.world().resource::<Ambience>().demo);
        let mut next = app.world_mut().resource_mut::<NextState<Screen>>();
        next.set(Screen::Play);
        app.update();
        assert!(!app.world().resource::<Ambience>().demo);
    }
}
