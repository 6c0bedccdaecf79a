use super::*;
use crate::{AlertState, Perk, Who, act::fight, guard::SURE, sight};

const EAST: Direction = Direction::East;

/// A guard in the cell to the east of the thief, with this facing and alert state.
fn with_adjacent_guard(
    kind: GuardKind,
    facing: Direction,
    alert_state: AlertState,
) -> (World, GuardId) {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 0);
    let id = put_guard(&mut world, at, kind, facing);
    world.guard_mut(id).alert_state = alert_state;
    (world, id)
}

/// A room with rules in which the thief hits with this percentage.
fn hitting(hit: u32) -> World {
    let mut rules = Rules::clone(&Rules::standard());
    rules.thief.hit = hit;
    scene_by(Arc::new(rules), ROOM)
}

#[test]
fn fighting_actions_need_a_standing_guard() {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 0);
    for _ in 0..2 {
        for action in [Action::Takedown, Action::Shove, Action::Fight] {
            refuses(&mut world, action(EAST), Refusal::Nobody);
        }
        // A guard on the ground does not count.
        let id = put_guard(&mut world, at, GuardKind::Sentry, EAST);
        fight::put_to_sleep(&mut world, id, 400);
        world.events.clear();
    }
    put_tile(&mut world, at, Tile::Pillar);
    refuses(
        &mut world,
        Action::Fight(Direction::NorthEast),
        Refusal::Corner,
    );
}

#[test]
fn takedown_of_unaware_guards_works_from_any_side() {
    for kind in GuardKind::ALL {
        for facing in Direction::ALL {
            for alert_state in [AlertState::Calm, AlertState::Suspicious] {
                let (mut world, id) = with_adjacent_guard(kind, facing, alert_state);
                let events = act(&mut world, Action::Takedown(EAST));
                assert_eq!(
                    world.guard(id).alert_state,
                    AlertState::Unconscious,
                    "{kind:?} facing {facing:?}, {alert_state:?}"
                );
                assert!(
                    events.contains(&GameEvent::Downed {
                        guard: id,
                        dead: false
                    }),
                    "{kind:?} facing {facing:?}, {alert_state:?}"
                );
                let full = world.rules.thief.takedown_sleep;
                let sleep = if kind == GuardKind::Warden {
                    full / 4
                } else {
                    full
                };
                assert_eq!(
                    world.guard(id).sleep,
                    sleep - 4,
                    "{kind:?} facing {facing:?}, {alert_state:?}"
                );
                assert_eq!(
                    world.state.tally.takedowns, 1,
                    "{kind:?} facing {facing:?}, {alert_state:?}"
                );
            }
        }
    }
}

#[test]
fn takedown_of_alert_guards_works_only_from_behind() {
    for facing in Direction::ALL {
        // The thief is to the west of the guard.
        let behind = facing.apart(Direction::West) >= 3;
        for alert_state in [
            AlertState::Investigating,
            AlertState::Searching,
            AlertState::Fleeing,
            AlertState::Chasing,
        ] {
            let (mut world, id) = with_adjacent_guard(GuardKind::Sentry, facing, alert_state);
            let action = Action::Takedown(EAST);
            if behind && alert_state != AlertState::Chasing {
                act(&mut world, action);
                assert_eq!(
                    world.guard(id).alert_state,
                    AlertState::Unconscious,
                    "facing {facing:?}, {alert_state:?}"
                );
            } else {
                let refusal = Refusal::OnGuard(GuardKind::Sentry);
                assert_eq!(
                    world.check(action),
                    Err(refusal),
                    "facing {facing:?}, {alert_state:?}"
                );
                refuses(&mut world, action, refusal);
            }
        }
    }
}

#[test]
fn takedown_works_on_sleepers() {
    let (mut world, id) =
        with_adjacent_guard(GuardKind::Watchman, Direction::West, AlertState::Calm);
    world.guard_mut(id).duty = Duty::Sleep;
    act(&mut world, Action::Takedown(EAST));
    assert_eq!(world.guard(id).alert_state, AlertState::Unconscious);
}

#[test]
fn takedown_is_silent_with_no_traces() {
    for quiet in [false, true] {
        let (mut world, _) = with_adjacent_guard(GuardKind::Sentry, EAST, AlertState::Calm);
        if quiet {
            world.state.thief.perks.push(Perk::NoTraces);
        }
        let events = act(&mut world, Action::Takedown(EAST));
        assert_eq!(reach_of(&events).is_none(), quiet, "no traces: {quiet}");
    }
}

#[test]
fn shove_moves_and_alerts_the_guard() {
    let (mut world, id) = with_adjacent_guard(GuardKind::Sentry, Direction::West, AlertState::Calm);
    let to = off(&world, 2, 0);
    world.guard_mut(id).saved = 12;
    let events = act(&mut world, Action::Shove(EAST));
    assert!(events.contains(&GameEvent::Shoved { guard: id, to }));
    let guard = world.guard(id);
    assert_eq!(
        (guard.at, guard.alert_state, guard.awareness),
        (to, AlertState::Chasing, SURE)
    );
    assert_eq!(guard.point_of_interest, Some(world.state.thief.at));
    assert_eq!(
        world.state.thief.health, world.rules.thief.health,
        "the guard lost its step"
    );
}

#[test]
fn shove_needs_room_if_the_cell_is_seen() {
    let (mut world, id) = with_adjacent_guard(GuardKind::Sentry, Direction::West, AlertState::Calm);
    let behind = off(&world, 2, 0);
    let other = put_guard(&mut world, behind, GuardKind::Hound, EAST);
    refuses(&mut world, Action::Shove(EAST), Refusal::NoRoom);
    fight::put_to_sleep(&mut world, other, 400);
    assert_eq!(world.check(Action::Shove(EAST)), Ok(()), "over a body");
    for tile in [Tile::Wall, Tile::Door(crate::Door::Closed), Tile::Bars] {
        put_tile(&mut world, behind, tile);
        refuses(&mut world, Action::Shove(EAST), Refusal::NoRoom);
    }
    // In the dark the thief cannot know.
    world.state.thief.torch = None;
    settle(&mut world);
    assert!(!sight::sees(&world, behind));
    act(&mut world, Action::Shove(EAST));
    assert_eq!(world.guard(id).at, behind - IVec2::X);
    assert_eq!(world.guard(id).alert_state, AlertState::Chasing);
}

#[test]
fn warden_cannot_be_shoved() {
    let (mut world, _) = with_adjacent_guard(GuardKind::Warden, Direction::West, AlertState::Calm);
    let heavy = Refusal::TooHeavy(GuardKind::Warden);
    refuses(&mut world, Action::Shove(EAST), heavy);
}

#[test]
fn blows_damage_and_kill() {
    let mut world = hitting(100);
    let at = off(&world, 1, 0);
    let id = put_guard(&mut world, at, GuardKind::Lamplighter, EAST);
    let damage = world.rules.thief.damage;
    world.guard_mut(id).health = 2 * damage;
    let struck = GameEvent::Struck {
        by: Who::Thief,
        whom: Who::Guard(id),
        damage,
    };
    assert!(act(&mut world, Action::Fight(EAST)).contains(&struck));
    assert_eq!(world.guard(id).health, damage);
    assert_eq!(world.guard(id).alert_state, AlertState::Fleeing);
    world.guard_mut(id).at = at;
    settle(&mut world);
    let events = act(&mut world, Action::Fight(EAST));
    assert!(events.contains(&GameEvent::Downed {
        guard: id,
        dead: true
    }));
    assert_eq!(
        (world.guard(id).alert_state, world.guard(id).health),
        (AlertState::Dead, 0)
    );
    assert_eq!(
        (world.state.tally.kills, world.state.tally.takedowns),
        (1, 0)
    );
    refuses(&mut world, Action::Fight(EAST), Refusal::Nobody);
}

#[test]
fn missed_blow_alerts_the_guard() {
    let mut world = hitting(0);
    let at = off(&world, 1, 0);
    let id = put_guard(&mut world, at, GuardKind::Sentry, EAST);
    let events = act(&mut world, Action::Fight(EAST));
    let missed = |event: &GameEvent| {
        matches!(
            event,
            GameEvent::Struck {
                by: Who::Thief,
                damage: 0,
                ..
            }
        )
    };
    assert!(events.iter().any(missed));
    assert_eq!(
        world.guard(id).health,
        world.rules.guard(GuardKind::Sentry).health
    );
    assert_eq!(world.guard(id).alert_state, AlertState::Chasing);
    assert_eq!(reach_of(&events), Some(world.rules.noise.fight / 10));
}
