//! Things that are not as they should be: a comrade on the ground, a missing comrade, a dark lamp,
//! a burning torch on the floor.
//!
//! Guards notice them as they notice the thief: in line of sight, inside their cone, and near
//! enough. A body must be lit to be noticed. A lamp is noticed because it is dark.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{
    AlertState, Bark, Direction, Duty, GuardId, Item, Sound, World,
    ai::{
        alarm::{self, is_taken, should_burn},
        walk,
    },
    awareness,
    direction::steps_between,
    fog,
    rules::Posting,
    sight, sound,
    sound_source::SoundSource,
};

/// Looks around once. `sign` is whether the guard has a sign of the thief in this beat.
pub(crate) fn glance_about(world: &mut World, id: GuardId, sign: bool) {
    let guard = world.guard(id);
    if !world.guard_rules(id).eyes
        || matches!(guard.alert_state, AlertState::Chasing | AlertState::Fleeing)
    {
        return;
    }
    if let Some((comrade, at, bark)) = finds_loss(world, id) {
        mourn(world, id, comrade, at, bark);
    }
    if let Some(at) = finds_torch(world, id).filter(|_| !sign) {
        let investigating = world.rules.awareness.investigating;
        let guard = world.guard_mut(id);
        guard.awareness = guard.awareness.max(investigating);
        guard.point_of_interest = Some(at);
        awareness::go_and_look(world, id);
    }
    if world.guard(id).lamp.is_none()
        && world.can_light(id)
        && let Some(lamp) = finds_dark_lamp(world, id)
    {
        world.guard_mut(id).lamp = Some(lamp);
        if world.guard(id).alert_state == AlertState::Calm {
            sound::bark(world, id, Bark::LampOut);
        }
    }
}

/// Whether a guard looks at a cell that is at most `reach` steps away.
fn eyes_fall_on(world: &World, id: GuardId, at: IVec2, reach: u32) -> bool {
    let guard = world.guard(id);
    let steps = steps_between(guard.at, at);
    let cone = world.rules.guard(guard.kind).cone;
    let way = Direction::towards(guard.at, at);
    steps <= fog::sight(world, reach)
        && (steps <= 1 || way.is_none_or(|way| way.apart(guard.facing) <= cone))
        && sight::in_line(world, guard.at, at)
}

/// A comrade on the ground in sight, or missing from its post. Returns the comrade, where to look,
/// and the line to say.
fn finds_loss(world: &World, id: GuardId) -> Option<(GuardId, IVec2, Bark)> {
    let rules = &world.rules.awareness;
    let lost = |&other: &GuardId| {
        other != id
            && world.guard(other).alert_state.is_down()
            && !world.guard(other).stowed
            && world.guard(id).mourns & (1 << other) == 0
    };
    world.guard_ids().filter(lost).find_map(|other| {
        let comrade = world.guard(other);
        let near = steps_between(world.guard(id).at, comrade.at) <= 1;
        let lit = near || world.band(comrade.at) > LightBand::Hidden;
        if lit && eyes_fall_on(world, id, comrade.at, rules.glance) {
            return Some((other, comrade.at, Bark::ManDown));
        }
        let posted = matches!(comrade.duty, Duty::Post | Duty::Sleep);
        let lit = world.band(comrade.home) > LightBand::Hidden;
        let missed = posted && lit && eyes_fall_on(world, id, comrade.home, rules.miss_reach);
        missed.then_some((other, comrade.home, Bark::WhereIsHe))
    })
}

/// Makes a guard aware of a loss, which it never forgets.
fn mourn(world: &mut World, id: GuardId, comrade: GuardId, at: IVec2, bark: Bark) {
    let investigating = world.rules.awareness.investigating;
    let guard = world.guard_mut(id);
    guard.mourns |= 1 << comrade;
    guard.vigilance = guard.vigilance.saturating_add(1);
    guard.awareness = guard.awareness.max(investigating);
    guard.point_of_interest = Some(at);
    guard.lamp = None;
    awareness::go_and_look(world, id);
    sound::bark(world, id, bark);
    if bark == Bark::ManDown {
        let reach = world.rules.noise.call;
        let here = world.guard(id).at;
        sound::make(world, Sound::Call, here, reach, SoundSource::Guard(id));
        alarm::found(world);
    }
}

/// The nearest torch that burns on the floor in sight.
fn finds_torch(world: &World, id: GuardId) -> Option<IVec2> {
    let reach = world.rules.awareness.glance;
    let burning = world
        .floor()
        .items
        .iter()
        .filter_map(|placed| match placed.item {
            Item::Torch(torch) if torch.lit => Some(placed.at),
            _ => None,
        });
    burning
        .filter(|&at| eyes_fall_on(world, id, at, reach))
        .min_by_key(|&at| (steps_between(world.guard(id).at, at), at.y, at.x))
}

/// The nearest dark flame that no other guard is going to light. Guards must see it, except
/// lamplighters, who know of all flames nearby.
fn finds_dark_lamp(world: &World, id: GuardId) -> Option<u8> {
    let reach = world.rules.awareness.glance;
    let floor = world.floor();
    let (at, counts) = (world.guard(id).at, world.rules.awareness.lamplighter);
    let knows = |lamp: IVec2| match world.guard_rules(id).posting {
        Posting::Lamps => steps_between(at, lamp) <= counts,
        Posting::Ember | Posting::Watch | Posting::Barracks | Posting::Round => {
            eyes_fall_on(world, id, lamp, reach)
        }
    };
    let lamps = floor.fixtures.iter().enumerate();
    let dark = lamps.filter(|&(place, lamp)| should_burn(world, place) && knows(lamp.at));
    let free = dark.filter(|&(place, _)| !is_taken(world, place));
    let mut near: Vec<_> = free
        .map(|(place, lamp)| (steps_between(at, lamp.at), place, lamp.at))
        .collect();
    near.sort_unstable_by_key(|&(steps, place, _)| (steps, place));
    // Skip lamps that cannot be reached, for example behind a lock.
    let mut near = near.into_iter();
    near.find(|&(_, _, lamp)| walk::gets_there(world, id, lamp))
        .map(|(_, place, _)| place as u8)
}
