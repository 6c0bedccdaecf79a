//! What each alert state makes a guard do.
//!
//! A guard saves ticks and spends them on one action after another. Actions cost fewer ticks in a
//! hurry. `walk` implements steps.

use glam::IVec2;

use crate::{
    AlertState, Bark, Direction, Duty, Guard, GuardId, Item, Placed, Sound, World,
    ai::{alarm, fight, pace::knows_thief_is_near, perceive, smell, think, walk},
    direction::steps_between,
    light, sound,
    sound_source::SoundSource,
};

/// The distance at which a pair counts as together, in steps.
const PAIR: u32 = 2;

pub(super) fn do_one_thing(world: &mut World, id: GuardId) {
    match world.guard(id).alert_state {
        AlertState::Calm => do_duty(world, id),
        AlertState::Suspicious => face_point_of_interest(world, id),
        AlertState::Investigating => investigate(world, id),
        AlertState::Searching => search(world, id),
        AlertState::Chasing => chase(world, id),
        AlertState::Fleeing => flee(world, id),
        AlertState::Unconscious | AlertState::Dead => {}
    }
}

/// Performs the duty of a calm guard.
fn do_duty(world: &mut World, id: GuardId) {
    if world.guard(id).lamp.is_some() {
        light_lamp(world, id);
        return;
    }
    match world.guard(id).duty {
        Duty::Patrol => patrol(world, id),
        Duty::Post => stand_post(world, id),
        Duty::Hunt => hunt(world, id),
        Duty::Sleep => {}
    }
}

/// Walks to the last known position of the thief, and looks around there.
fn hunt(world: &mut World, id: GuardId) {
    let quarry = alarm::quarry(world, id);
    if !walk::go(world, id, quarry) {
        look_elsewhere(world, id);
    }
}

/// Turns in a random other direction.
fn look_elsewhere(world: &mut World, id: GuardId) {
    let turn = [2, -2, 4][world.state.dice.below(3)];
    let guard = world.guard_mut(id);
    guard.path.clear();
    guard.facing = guard.facing.turned(turn);
}

/// Follows the leader of a pair, and watches the opposite direction when close.
fn go_along(world: &mut World, id: GuardId, leader: GuardId) -> bool {
    let (at, facing) = (world.guard(leader).at, world.guard(leader).facing);
    if steps_between(world.guard(id).at, at) <= PAIR {
        world.guard_mut(id).facing = facing.turned(4);
        return true;
    }
    walk::go(world, id, at)
}

fn patrol(world: &mut World, id: GuardId) {
    if let Some(leader) = alarm::partner(world, id)
        && go_along(world, id, leader)
    {
        return;
    }
    let guard = world.guard(id);
    let goal = guard.route[usize::from(guard.leg)];
    if guard.at == goal || !walk::go(world, id, goal) {
        let guard = world.guard_mut(id);
        guard.leg = ((usize::from(guard.leg) + 1) % guard.route.len()) as u8;
    }
}

fn stand_post(world: &mut World, id: GuardId) {
    let guard = world.guard(id);
    let home = guard.home;
    if guard.at != home {
        walk::go(world, id, home);
        return;
    }
    // Straight ahead, to one side, straight ahead, to the other side.
    let every = u32::from(world.rules.awareness.glance_ticks.max(1));
    let turn = [0, 1, 0, -1][(world.state.tick / every + u32::from(id)) as usize % 4];
    let guard = world.guard_mut(id);
    guard.facing = guard.watch.turned(turn);
}

fn face_point_of_interest(world: &mut World, id: GuardId) {
    let guard = world.guard_mut(id);
    let way = guard
        .point_of_interest
        .and_then(|at| Direction::towards(guard.at, at));
    if let Some(way) = way {
        guard.facing = way;
    }
}

/// Walks to the point of interest. For a hound, this moves on along the trail.
fn investigate(world: &mut World, id: GuardId) {
    let guard = world.guard(id);
    let arrived = guard
        .point_of_interest
        .is_none_or(|point_of_interest| point_of_interest == guard.at);
    let goal = guard.point_of_interest.unwrap_or(guard.at);
    if arrived || !walk::go(world, id, goal) {
        take_torch(world, id);
        let trail = world.guard_rules(id).nose && smell::trail(world, id).is_some();
        if !trail {
            think::change_mind(world, id, AlertState::Searching, Bark::ComeOut);
        }
    }
}

/// Searches around the point of interest, from cell to cell and away from other searchers. Lights
/// lamps on the way.
fn search(world: &mut World, id: GuardId) {
    if world.guard(id).lamp.is_some() {
        light_lamp(world, id);
        return;
    }
    let goal = match world.guard(id).path.first() {
        Some(&goal) => Some(goal),
        None => place_to_search(world, id),
    };
    let walked = goal.is_some_and(|goal| walk::go(world, id, goal));
    if !walked {
        look_elsewhere(world, id);
    }
    wake_comrade(world, id);
}

/// A cell near the point of interest: of a few random cells, the one farthest from the goals of
/// other searchers.
fn place_to_search(world: &mut World, id: GuardId) -> Option<IVec2> {
    let radius = world.rules.awareness.search_radius as i32;
    let around = world
        .guard(id)
        .point_of_interest
        .unwrap_or(world.guard(id).at);
    let mut best: Option<(u32, IVec2)> = None;
    for _ in 0..world.rules.behavior.search_tries {
        let rng = world.state.dice.rng();
        let step = IVec2::new(rng.within(-radius, radius), rng.within(-radius, radius));
        let at = around + step;
        if at == world.guard(id).at || !world.floor().is_passable(at) {
            continue;
        }
        let others = world.floor().guards.iter().enumerate();
        let apart = others
            .filter(|(other, guard)| {
                *other != usize::from(id) && guard.alert_state == AlertState::Searching
            })
            .map(|(_, guard)| steps_between(guard.path.first().copied().unwrap_or(guard.at), at))
            .min()
            .unwrap_or(u32::MAX);
        if best.is_none_or(|(most, _)| apart > most) {
            best = Some((apart, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Wakes an unconscious comrade next to a searcher.
fn wake_comrade(world: &mut World, id: GuardId) {
    let at = world.guard(id).at;
    let comrade = world.guard_ids().find(|&other| {
        let guard = world.guard(other);
        guard.alert_state == AlertState::Unconscious
            && !guard.stowed
            && steps_between(guard.at, at) <= 1
    });
    if let Some(comrade) = comrade.filter(|_| world.guard_rules(id).hands) {
        world.guard_mut(comrade).sleep = 0;
    }
}

/// Removes lit torches from the cell where a guard has gone to look.
fn take_torch(world: &mut World, id: GuardId) {
    let at = world.guard(id).at;
    if !world.guard_rules(id).hands {
        return;
    }
    let lies =
        |placed: &Placed| placed.at == at && matches!(placed.item, Item::Torch(torch) if torch.lit);
    world.floor_mut().items.retain(|placed| !lies(placed));
}

/// Walks to the lamp that the guard is going to light, and lights it.
fn light_lamp(world: &mut World, id: GuardId) {
    let Some(lamp) = world.guard(id).lamp else {
        return;
    };
    let fixture = world.floor().fixtures[usize::from(lamp)];
    if fixture.burning || !world.can_light(id) {
        world.guard_mut(id).lamp = None;
    } else if steps_between(world.guard(id).at, fixture.at) <= 1 {
        world.guard_mut(id).lamp = None;
        light::set_lamp(world, usize::from(lamp), true);
        let reach = world.rules.noise.flame;
        sound::make(
            world,
            Sound::Flame,
            fixture.at,
            reach,
            SoundSource::Guard(id),
        );
    } else if !walk::go(world, id, fixture.at) {
        world.guard_mut(id).lamp = None;
    }
}

fn chase(world: &mut World, id: GuardId) {
    if knows_thief_is_near(world, id) {
        fight::strike(world, id);
        return;
    }
    if perceive::guard_sees(world, id) {
        let thief = world.state.thief.at;
        let guard = world.guard_mut(id);
        guard.point_of_interest = Some(thief);
        guard.ticks = 0;
    }
    let guard = world.guard(id);
    let goal = guard.point_of_interest.unwrap_or(guard.at);
    if guard.at == goal || !walk::go(world, id, goal) {
        let turn = [1, -1, 3][world.state.dice.below(3)];
        let guard = world.guard_mut(id);
        guard.facing = guard.facing.turned(turn);
    }
}

/// Runs to the nearest comrade who fights, is unaware, and is farther from the thief, and calls
/// him. If there is none, runs away from the thief.
fn flee(world: &mut World, id: GuardId) {
    let at = world.guard(id).at;
    let thief = world.guard(id).point_of_interest.unwrap_or(at);
    let away = steps_between(at, thief);
    let guards = world.floor().guards.iter();
    let unaware = |guard: &&Guard| {
        world.rules.guard(guard.kind).fights
            && guard.is_standing()
            && guard.alert_state.is_unaware()
    };
    let help = guards
        .filter(unaware)
        .filter(|guard| steps_between(guard.at, thief) > away)
        .map(|guard| (steps_between(guard.at, at), guard.at))
        .min_by_key(|&(steps, at)| (steps, at.y, at.x));
    if help.is_some_and(|(steps, _)| steps <= 1) {
        let reach = world.rules.noise.call;
        sound::make(world, Sound::Call, at, reach, SoundSource::Guard(id));
        return;
    }
    if help.is_some_and(|(_, goal)| walk::go(world, id, goal)) {
        return;
    }
    if let Some(next) = step_away(world, id, thief) {
        walk::enter(world, id, next);
    } else {
        face_point_of_interest(world, id);
    }
}

/// The free neighboring cell that is farthest from `from`, if it is farther than the guard's own
/// cell.
fn step_away(world: &World, id: GuardId, from: IVec2) -> Option<IVec2> {
    let guard = world.guard(id);
    let here = guard.at;
    let distance = |at: IVec2| (at - from).length_squared();
    let free = |&next: &IVec2| {
        walk::toll(world, guard.kind, next).is_some()
            && world.floor().corners_free(here, next)
            && world.floor().guard_at(next).is_none()
            && world.state.thief.at != next
    };
    let around = Direction::ALL.into_iter().map(|way| here + way.step());
    around
        .filter(free)
        .filter(|&next| distance(next) > distance(here))
        .max_by_key(|&next| (distance(next), next.y, next.x))
}
