//! Oil, and fire.
//!
//! Oil lies where a flask broke. It catches fire from a flame in its cell (a torch on the
//! ground, a sconce, a brazier) and from burning oil beside it, burns for a while, and is
//! gone. Whoever stands in fire is burnt each beat; guards leap out of it, if they can.

use glam::IVec2;

use crate::{
    Direction, Ending, GameEvent, GuardId, Item, Torch, Who, World,
    act::{fight, flood},
    floor::Oil,
    sight,
};

/// A flask breaks: oil covers the floor around, and catches fire if there is any.
pub(super) fn pour_oil(world: &mut World, at: IVec2) {
    for cell in flood::flood(world, at, world.rules.tools.oil_radius) {
        let oil = &mut world.floor_mut().oil;
        if oil.iter().all(|oil| oil.at != cell) {
            oil.push(Oil { at: cell, burns: 0 });
        }
    }
    kindle(world);
}

/// Oil with a flame in its cell catches fire.
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
        // Fire in a straight line of sight is seen by its own light.
        if world.sight.contains(at) {
            world.tell(GameEvent::Fire { at });
        }
    }
}

/// Time passes: fire burns down, spreads to the oil beside it, and burns who is in it.
pub(crate) fn burn_floor(world: &mut World, ticks: u16) {
    if world.floor().oil.is_empty() {
        return;
    }
    let beside = oil_beside_fire(world);
    world.floor_mut().oil.retain_mut(|oil| {
        let burns = oil.burns > 0;
        oil.burns = oil.burns.saturating_sub(ticks);
        !burns || oil.burns > 0
    });
    set_alight(world, &beside);
    kindle(world);
    for _ in 0..world.beats_over(ticks) {
        burn_all(world);
    }
}

/// Oil that does not burn, next to oil that does. A door closed over it keeps it from air.
fn oil_beside_fire(world: &World) -> Vec<IVec2> {
    let floor = world.floor();
    let catches = |oil: &&Oil| {
        let around = Direction::ALL.map(|way| oil.at + way.step());
        let reached = |&at: &IVec2| floor.fire_at(at) && floor.corners_free(oil.at, at);
        oil.burns == 0 && !floor.tile(oil.at).is_solid() && around.iter().any(reached)
    };
    floor.oil.iter().filter(catches).map(|oil| oil.at).collect()
}

/// A beat in the fire.
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
        world.tell(GameEvent::Burnt {
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
        world.tell(GameEvent::Burnt { whom, damage });
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
        sight::tell(world, to, moved);
    }
}
