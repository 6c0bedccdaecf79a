//! Throwing: a thrown item flies in a straight line, stops before solid tiles, and takes effect
//! where it lands.
//!
//! ```text
//!    @ - - - - # x      aimed at x behind the wall: it lands in front of the wall
//! ```

use glam::IVec2;
use lanternfell_lightgrid::line;

use crate::{
    BEAT, GameEvent, Item, Placed, Refusal, Sound, Stack, Tool, Torch, World,
    act::{
        fight::{self, percent_of},
        fire, flood, lamps, smoke, torch,
    },
    direction::steps_between,
    guard::Lantern,
    sound,
    sound_source::SoundSource,
};

pub(super) fn may_throw(world: &World, slot: u8, at: IVec2) -> Result<(), Refusal> {
    let tool = world.state.thief.stack(slot)?.tool;
    match tool.is_thrown() {
        true => may_aim(world, at),
        false => Err(Refusal::NotThrown(tool)),
    }
}

pub(super) fn may_throw_torch(world: &World, at: IVec2) -> Result<(), Refusal> {
    torch::in_hand(world)?;
    may_aim(world, at)
}

/// Whether the thief can aim at a cell. This uses the thief's memory, which includes everything in
/// sight.
fn may_aim(world: &World, at: IVec2) -> Result<(), Refusal> {
    if steps_between(world.state.thief.at, at) > world.rules.thief.throw {
        return Err(Refusal::TooFar);
    }
    let memory = world.floor().memory.get(at).copied().flatten();
    let tile = memory.ok_or(Refusal::Unseen)?.tile;
    match tile.is_solid() {
        true => Err(Refusal::NoThrow(tile.name())),
        false => Ok(()),
    }
}

/// Where an item thrown at a cell lands. A dart stops at the first guard.
fn falls_at(world: &World, target: IVec2, dart: bool) -> IVec2 {
    let floor = world.floor();
    let mut at = world.state.thief.at;
    for next in line(at, target).skip(1) {
        let sides = [IVec2::new(next.x, at.y), IVec2::new(at.x, next.y)];
        let squeezed = sides.into_iter().all(|side| floor.tile(side).is_solid());
        if floor.tile(next).is_solid() || squeezed {
            break;
        }
        at = next;
        if dart && floor.guard_at(at).is_some() {
            break;
        }
    }
    at
}

/// Throws one item from a slot.
pub(super) fn throw(world: &mut World, slot: u8, target: IVec2) -> u16 {
    let Ok(Stack { tool, .. }) = world.state.thief.stack(slot) else {
        return BEAT;
    };
    world.state.thief.take_one(slot);
    world.state.tally.use_tool(tool);
    let to = falls_at(world, target, tool == Tool::SleepingDart);
    emit_throw(world, Item::Tool(Stack { tool, count: 1 }), to);
    match tool {
        Tool::OilFlask => {
            fire::pour_oil(world, to);
            make_impact_heard(world, Sound::Glass, to, world.rules.noise.glass);
        }
        Tool::WaterVial => {
            splash(world, to);
            make_impact_heard(world, Sound::Glass, to, world.rules.noise.glass);
        }
        Tool::SmokeBomb => smoke::burst(world, to),
        Tool::Pebbles => make_impact_heard(world, Sound::Pebble, to, world.rules.noise.pebble),
        Tool::SleepingDart => prick(world, to),
        // These tools cannot be thrown.
        Tool::Picklock | Tool::DarkCloak | Tool::EarTrumpet | Tool::Salve | Tool::BlinkScroll => {}
    }
    BEAT
}

fn emit_throw(world: &mut World, item: Item, to: IVec2) {
    let from = world.state.thief.at;
    world.state.thief.facing =
        crate::Direction::towards(from, to).unwrap_or(world.state.thief.facing);
    world.emit(GameEvent::Threw { item, from, to });
}

fn make_impact_heard(world: &mut World, sound: Sound, at: IVec2, reach: u16) {
    sound::make(world, sound, at, reach, SoundSource::Thing);
}

/// Throws the thief's torch, lit or not.
pub(super) fn throw_torch(world: &mut World, target: IVec2) -> u16 {
    let Some(torch) = world.state.thief.let_go_of_torch() else {
        return BEAT;
    };
    let (at, item) = (falls_at(world, target, false), Item::Torch(torch));
    world.floor_mut().items.push(Placed { at, item });
    emit_throw(world, item, at);
    make_impact_heard(world, Sound::Fall, at, world.rules.noise.fall);
    fire::kindle(world);
    BEAT
}

/// Breaks a water vial: flames within its radius go out.
fn splash(world: &mut World, at: IVec2) {
    let cells = flood::flood(world, at, world.rules.tools.water_radius);
    let wet = |at: IVec2| cells.contains(&at);
    for lamp in 0..world.floor().fixtures.len() {
        let fixture = world.floor().fixtures[lamp];
        if fixture.kind.is_flame() && fixture.burning && wet(fixture.at) {
            lamps::put_out_lamp(world, lamp);
        }
    }
    let dark = world.rules.tools.lantern_out;
    let floor = world.floor_mut();
    floor.oil.retain(|oil| oil.burns == 0 || !wet(oil.at));
    for placed in floor.items.iter_mut().filter(|placed| wet(placed.at)) {
        if let Item::Torch(torch) = placed.item {
            placed.item = Item::Torch(Torch {
                lit: false,
                ..torch
            });
        }
    }
    for guard in floor.guards.iter_mut().filter(|guard| wet(guard.at)) {
        if guard.lantern == Lantern::Lit {
            guard.lantern = Lantern::Out(dark);
        }
    }
}

/// Puts the guard in a cell to sleep with a dart.
fn prick(world: &mut World, at: IVec2) {
    let Some(id) = world.floor().guard_at(at) else {
        return;
    };
    let full = world.rules.tools.dart_sleep;
    let aware = percent_of(full, world.rules.combat.aware_sleep);
    let guard = world.guard(id);
    let unaware = guard.is_asleep() || guard.alert_state.is_unaware();
    // `put_to_sleep` already shortens the sleep of heavy guards, aware or not.
    let heavy = world.guard_rules(id).heavy;
    fight::put_to_sleep(world, id, if unaware || heavy { full } else { aware });
    let reach = world.rules.noise.fall;
    make_impact_heard(world, Sound::Fall, at, reach);
}
