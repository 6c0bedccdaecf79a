//! Tools that are used instead of thrown.

use core::cmp::Reverse;

use glam::IVec2;

use crate::{BEAT, GameEvent, Perk, Refusal, Tool, World, act::torch, direction::steps_between};

/// The tool to use.
pub(super) fn may_use(world: &World, slot: u8) -> Result<Tool, Refusal> {
    let tool = world.state.thief.stack(slot)?.tool;
    let thief = &world.state.thief;
    match tool {
        Tool::OilFlask if torch::in_hand(world).is_err() => Err(Refusal::NoTorch),
        Tool::OilFlask if world.state.thief.fuel_room(world.rules.thief.fuel) == 0 => {
            Err(Refusal::TorchFull)
        }
        Tool::Salve
            if thief.health >= most_health(world) && thief.nerve >= world.rules.thief.nerve =>
        {
            Err(Refusal::NotHurt)
        }
        Tool::BlinkScroll if darkest_place(world).is_none() => Err(Refusal::NoDarkness),
        Tool::Picklock => Err(Refusal::OnlyForLocks(tool)),
        Tool::WaterVial if thief.cloth == 0 => Err(Refusal::NoCloth),
        Tool::SmokeBomb | Tool::Pebbles | Tool::SleepingDart => Err(Refusal::OnlyThrown(tool)),
        Tool::OilFlask
        | Tool::WaterVial
        | Tool::Salve
        | Tool::BlinkScroll
        | Tool::DarkCloak
        | Tool::EarTrumpet => Ok(tool),
    }
}

/// Uses a tool. All tools but the cloak are used up.
pub(super) fn use_tool(world: &mut World, slot: u8) -> u16 {
    let Ok(tool) = may_use(world, slot) else {
        return BEAT;
    };
    world.emit(GameEvent::Used { tool });
    world.state.tally.use_tool(tool);
    if tool == Tool::DarkCloak {
        world.state.thief.cloaked ^= true;
        return 0;
    }
    world.state.thief.take_one(slot);
    match tool {
        Tool::OilFlask => world
            .state
            .thief
            .refuel(world.rules.tools.oil_fuel, world.rules.thief.fuel),
        Tool::WaterVial => {
            let wet = world.rules.tools.water_cloth;
            let cloth = &mut world.state.thief.cloth;
            *cloth = cloth.saturating_add(wet);
        }
        Tool::EarTrumpet => world.state.thief.trumpet = world.rules.tools.trumpet_ticks,
        Tool::Salve => heal(world),
        Tool::BlinkScroll => blink(world),
        _ => {}
    }
    BEAT
}

fn most_health(world: &World) -> i16 {
    let more = match world.state.thief.has(Perk::ThickSkin) {
        true => world.rules.perks.thick_skin,
        false => 0,
    };
    world.rules.thief.health + more
}

fn heal(world: &mut World) {
    let (most_health, most_nerve) = (most_health(world), world.rules.thief.nerve);
    let rules = &world.rules.tools;
    let thief = &mut world.state.thief;
    let (health, nerve) = (thief.health, thief.nerve);
    thief.health = health
        .saturating_add(rules.salve_heals)
        .min(most_health.max(health));
    thief.nerve = nerve.saturating_add(rules.salve_nerve).min(most_nerve);
    let health = thief.health - health;
    let returned = nerve == 0 && thief.nerve > 0;
    world.emit(GameEvent::Healed { health });
    if returned {
        world.emit(GameEvent::Nerve { gone: false });
    }
}

fn blink(world: &mut World) {
    if let Some(to) = darkest_place(world) {
        let from = core::mem::replace(&mut world.state.thief.at, to);
        world.emit(GameEvent::Blinked { from, to });
    }
}

/// The darkest free cell in reach that is in sight or remembered, other than the thief's own. Among
/// equally dark cells the farthest.
fn darkest_place(world: &World) -> Option<IVec2> {
    let here = world.state.thief.at;
    let reach = world.rules.tools.blink_reach;
    let side = reach as i32;
    let square = (-side..=side).flat_map(|y| (-side..=side).map(move |x| IVec2::new(x, y)));
    let free = |&at: &IVec2| {
        let floor = world.floor();
        let known = world.sight.contains(at) || floor.memory.get(at).is_some_and(Option::is_some);
        at != here
            && known
            && floor.is_passable(at)
            && floor.tile(at).is_walkable()
            && floor.guard_at(at).is_none()
            && !floor.fire_at(at)
    };
    let darkness = |&at: &IVec2| {
        // Light is never negative, and the bits of such floats have the same order as the floats.
        let light = world.light.luminance(at).to_bits();
        (light, Reverse(steps_between(here, at)), at.y, at.x)
    };
    square
        .map(|step| here + step)
        .filter(free)
        .min_by_key(darkness)
}
