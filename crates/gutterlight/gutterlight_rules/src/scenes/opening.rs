//! Tests of the scripted opening.

use super::*;
use crate::{Blackout, Difficulty, Refusal, Sound, Tile, Twist, sight, sound};

fn begin() -> World {
    World::with_opening(3, Difficulty::Thief)
}

/// Walks away from the stairs, or waits at the end, until the opening reaches its next stage.
fn go_on(world: &mut World) -> Vec<GameEvent> {
    for _ in 0..40 {
        let way = Direction::ALL.into_iter().max_by_key(|way| {
            let next = world.state.thief.at + way.step();
            let free = world.check(Action::Walk(*way)).is_ok() && world.floor().is_passable(next);
            (free, crate::steps_between(next, world.floor().up))
        });
        let action = way.map_or(Action::Wait, Action::Walk);
        let events = world.act(action).or_else(|_| world.act(Action::Wait));
        let events = events.unwrap_or_default();
        if events
            .iter()
            .any(|event| matches!(event, GameEvent::Blackout(_)))
        {
            return events;
        }
    }
    panic!("the opening does not advance");
}

#[test]
fn stages_occur_in_order() {
    let mut world = begin();
    assert_eq!(band(&world), LightBand::Blazing);
    let mut stages = Vec::new();
    let mut heard = Vec::new();
    while !stages.contains(&Blackout::Over) {
        for event in go_on(&mut world) {
            match event {
                GameEvent::Blackout(stage) => stages.push(stage),
                GameEvent::Heard {
                    sound: Sound::Something,
                    at,
                    ..
                } => heard.push((at, crate::steps_between(at, world.state.thief.at))),
                _ => {}
            }
        }
        if stages.last() == Some(&Blackout::Gutters) {
            assert!(band(&world) < LightBand::Blazing, "the torch is guttering");
        }
        if stages.last() == Some(&Blackout::Out) {
            assert_eq!(band(&world), LightBand::Hidden, "{stages:?}");
            assert_eq!(
                world.check(Action::LightTorch),
                Err(Refusal::WetWick),
                "{stages:?}"
            );
            assert!(world.view().wick_is_wet(), "{stages:?}");
        }
    }
    assert_eq!(
        stages,
        [
            Blackout::Gutters,
            Blackout::Out,
            Blackout::Silence,
            Blackout::Noise,
            Blackout::Nearer,
            Blackout::Glow,
            Blackout::Over
        ]
    );
    let [(far, steps), (near, fewer)] = heard[..] else {
        panic!("two noises: {heard:?}");
    };
    for from in [far, near] {
        assert!(
            world.floor().guard_at(from).is_none(),
            "no guard makes the noise"
        );
    }
    assert!(fewer < steps, "the noise comes nearer: {heard:?}");
    assert_eq!(world.check(Action::LightTorch), Ok(()));
}

#[test]
fn opening_fits_into_the_first_corridor() {
    for seed in 0..40 {
        let mut world = World::with_opening(seed, Difficulty::Thief);
        let mut lit = false;
        for _ in 0..60 {
            let events = go_on(&mut world);
            let view = world.view();
            if events.contains(&GameEvent::Blackout(Blackout::Glow)) {
                let cells = world.floor().tiles.cells();
                let seen = cells.filter(|&at| view.band(at) > Some(LightBand::Hidden));
                let far = seen.map(|at| crate::steps_between(at, world.state.thief.at));
                lit = far.max() > Some(1);
            }
            if events.contains(&GameEvent::Blackout(Blackout::Over)) {
                break;
            }
            let door =
                Direction::STRAIGHT.map(|way| world.floor().tile(view.thief().at + way.step()));
            let through = door.iter().any(|tile| matches!(tile, Tile::Door(_)));
            assert!(!through, "seed {seed}: the corridor is too short");
        }
        assert!(lit, "seed {seed}");
        assert_eq!(world.state.opening, None, "seed {seed}");
    }
}

#[test]
fn snuffing_the_torch_skips_the_opening() {
    let mut world = begin();
    act(&mut world, Action::SnuffTorch);
    wait(&mut world, 2);
    assert_eq!(world.state.opening, None);
}

#[test]
fn snuffing_a_guttering_torch_ends_the_opening() {
    let mut world = begin();
    while !go_on(&mut world).contains(&GameEvent::Blackout(Blackout::Gutters)) {}
    let mut events = act(&mut world, Action::SnuffTorch);
    events.extend(wait(&mut world, 30));
    let blackout = |event: &GameEvent| matches!(event, GameEvent::Blackout(_));
    assert!(!events.iter().any(blackout), "{events:?}");
    assert_eq!(world.check(Action::LightTorch), Ok(()));
}

#[test]
fn twist_is_reported_once_after_any_opening() {
    let seed = (0..50)
        .find(|&seed| World::new(seed, Difficulty::Thief).view().twist().is_some())
        .expect("some floor has a twist");
    let is_report = |event: &GameEvent| matches!(event, GameEvent::Twist { stirs: false, .. });
    for cut_short in [false, true] {
        let mut world = World::with_opening(seed, Difficulty::Thief);
        let mut times = 0;
        for turn in 0..60 {
            let events = match cut_short && turn == 1 {
                true => act(&mut world, Action::SnuffTorch),
                false => {
                    let ahead = Direction::STRAIGHT.map(Action::Walk);
                    let may = ahead
                        .into_iter()
                        .find(|walk| turn < 9 && world.check(*walk).is_ok());
                    act(&mut world, may.unwrap_or(Action::Wait))
                }
            };
            times += events.iter().filter(|event| is_report(event)).count();
        }
        assert_eq!(times, 1, "cut short: {cut_short}");
    }
}

#[test]
fn light_ahead_is_within_sight_in_fog() {
    let foggy =
        |seed: &u64| World::new(*seed, Difficulty::Thief).view().twist() == Some(Twist::Fog);
    let mut world = World::with_opening((0..200).find(foggy).expect("fog"), Difficulty::Thief);
    while !go_on(&mut world).contains(&GameEvent::Blackout(Blackout::Out)) {}
    // The thief stops where it is dark.
    let glow = GameEvent::Blackout(Blackout::Glow);
    assert!((0..30).any(|_| wait(&mut world, 1).contains(&glow)));
    let view = world.view();
    let mut cells = world.floor().tiles.cells();
    let is_lit = |at: IVec2| view.band(at) > Some(LightBand::Hidden) && sight::sees(&world, at);
    assert!(cells.any(|at| at != view.thief().at && is_lit(at)));
}

#[test]
fn games_without_opening_have_no_blackout() {
    let mut world = World::new(3, Difficulty::Thief);
    for turn in 0..30 {
        let events = world.act(Action::Wait).unwrap_or_default();
        assert!(
            !events
                .iter()
                .any(|event| matches!(event, GameEvent::Blackout(_))),
            "turn {turn}"
        );
    }
    assert_eq!(band(&world), LightBand::Blazing);
}

#[test]
fn silence_also_hides_voices() {
    let mut world = begin();
    let silence = GameEvent::Blackout(Blackout::Silence);
    while !go_on(&mut world).contains(&silence) {}
    let near = |at: &IVec2| {
        let steps = crate::steps_between(*at, world.state.thief.at);
        let heard = world.hearing.cost(*at).is_some_and(|cost| cost < 80);
        (2..6).contains(&steps)
            && heard
            && world.floor().is_passable(*at)
            && !sight::sees(&world, *at)
    };
    let dark = world
        .floor()
        .tiles
        .cells()
        .find(near)
        .expect("the corridor");
    world.guard_mut(0).at = dark;
    world.events.clear();
    sound::bark(&mut world, 0, Bark::WhoIsThere);
    assert_eq!(world.events, []);
    // After the silence the voice is heard, without its speaker.
    world.state.opening = None;
    sound::bark(&mut world, 0, Bark::WhoIsThere);
    let said = GameEvent::Said {
        guard: None,
        bark: Bark::WhoIsThere,
    };
    assert!(world.events.contains(&said));
}
