//! Oil and fire.
//!
//! Oil covers the floor where a flask broke. A flame in its cell (a torch on the floor, a sconce, a
//! brazier) or burning oil next to it sets it on fire. It burns for a while and is then gone. Fire
//! damages everyone in it each beat. Guards leap out of it if they can.

use glam::IVec2;

use crate::{
    Direction, Ending, GameEvent, GuardId, Item, Torch, Who, World,
    act::{fight, flood},
    floor::Oil,
    sight,
};

/// Spills the oil of a broken flask. It catches fire if there is a flame.
pub(super) fn pour_oil(world: &mut World, at: IVec2) {
    for cell in flood::flood(world, at, world.rules.tools.oil_radius) {
        let oil = &mut world.floor_mut().oil;
        if oil.iter().all(|oil| oil.at != cell) {
            oil.push(Oil { at: cell, burns: 0 });
        }
    }
    kindle(world);
}

/// Sets oil on fire that has a flame in its cell.
pub(super) fn kindle(world: &mut World) {
    let floor = world.floor();
    let flame = |at: IVec2| {
        let torch = |item| matches!(item, Item::Torch(Torch { lit: true, .. }));
        let mut lamps = floor.fixtures.iter();
        floor
            .items
            .iter()
            .any(|placed| placed.at == at && torch(placed.item))
            || lamps.any(|lamp| lamp.at == at && lamp.burning && lamp.kind.is_flame())
    };
    let oil = floor
        .oil
        .iter()
        .filter(|oil| oil.burns == 0 && flame(oil.at));
    let cells: Vec<IVec2> = oil.map(|oil| oil.at).collect();
    set_alight(world, &cells);
}

fn set_alight(world: &mut World, cells: &[IVec2]) {
    let burns = world.rules.tools.oil_burns;
    for oil in &mut world.floor_mut().oil {
        if oil.burns == 0 && cells.contains(&oil.at) {
            oil.burns = burns;
        }
    }
    for &at in cells {
        // Fire is visible by its own light, so only the line of sight counts.
        if world.sight.contains(at) {
            world.emit(GameEvent::Fire { at });
        }
    }
}

/// Lets time pass: fire burns down, spreads to oil next to it, and damages everyone in it.
pub(crate) fn burn_floor(world: &mut World, ticks: u16) {
    if world.floor().oil.is_empty() {
        return;
    }
    let next_to_fire = oil_next_to_fire(world);
    world.floor_mut().oil.retain_mut(|oil| {
        let burns = oil.burns > 0;
        oil.burns = oil.burns.saturating_sub(ticks);
        !burns || oil.burns > 0
    });
    set_alight(world, &next_to_fire);
    kindle(world);
    for _ in 0..world.beats_over(ticks) {
        burn_all(world);
    }
}

/// Oil that does not burn, next to oil that does. A closed door keeps oil in its cell from catching
/// fire.
fn oil_next_to_fire(world: &World) -> Vec<IVec2> {
    let floor = world.floor();
    let catches = |oil: &&Oil| {
        let around = Direction::ALL.map(|way| oil.at + way.step());
        let reached = |&at: &IVec2| floor.fire_at(at) && floor.corners_free(oil.at, at);
        oil.burns == 0 && !floor.tile(oil.at).is_solid() && around.iter().any(reached)
    };
    floor.oil.iter().filter(catches).map(|oil| oil.at).collect()
}

/// Applies a beat of fire damage.
fn burn_all(world: &mut World) {
    for id in world.guard_ids() {
        let guard = world.guard(id);
        if guard.health > 0 && world.floor().fire_at(guard.at) {
            burn_guard(world, id);
        }
    }
    if world.floor().fire_at(world.state.thief.at) {
        let damage = world.rules.tools.fire_damage;
        world.state.thief.health -= damage;
        world.emit(GameEvent::Burnt {
            whom: Who::Thief,
            damage,
        });
        if world.state.thief.health <= 0 {
            world.end(Ending::Burnt);
        }
    }
}

fn burn_guard(world: &mut World, id: GuardId) {
    let (at, damage) = (world.guard(id).at, world.rules.tools.fire_damage);
    let whom = Who::Guard(id);
    if world.sight.contains(at) {
        world.emit(GameEvent::Burnt { whom, damage });
    }
    if fight::hurt(world, id, damage) || !world.guard(id).is_standing() {
        return;
    }
    world.guard_mut(id).wake();
    let investigating = world.rules.awareness.investigating;
    let guard = world.guard_mut(id);
    guard.awareness = guard.awareness.max(investigating);
    guard.point_of_interest = guard.point_of_interest.or(Some(at));
    guard.path.clear();
    if let Some(to) = flood::free_cell_near(world, at, world.rules.combat.leap) {
        world.guard_mut(id).at = to;
        let moved = GameEvent::Moved {
            who: whom,
            from: at,
            to,
        };
        sight::emit_if_seen(world, to, moved);
    }
}
