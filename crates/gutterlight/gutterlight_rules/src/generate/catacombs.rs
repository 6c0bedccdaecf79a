//! The Catacombs: caves with pools, fungus and crystals, and the crypts of the builders of the
//! keep.

use glam::IVec2;

use super::{
    plan::{FAR, Plan, RoomKind},
    shape,
};
use crate::{Ground, Tile};

/// Digs the floor: crypts at random places, and caves around them.
pub(super) fn dig_layout(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.catacombs;
    for n in 0..plan.area() / rules.crypt_each {
        let rng = &mut plan.rng;
        let (crypt, kind) = match n {
            0 => (shape::outlined(rng, &rules.barracks), RoomKind::Barracks),
            _ => (shape::any(rng, &rules.theme.rooms), RoomKind::Plain),
        };
        plan.stamp_anywhere(&crypt, kind);
    }
    plan.hollow_out();
    plan.divide_caves();
    plan.join();
    plan.add_vaults();
    plan.add_landmarks();
}

/// Adds pools of water, and rubble.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.catacombs;
    let (shallow, wide) = rules.pool;
    for n in 0..plan.area() / rules.pool_each * 2 {
        let caves: Vec<IVec2> = plan
            .tiles
            .cells()
            .filter(|&at| plan.tiles[at] == Tile::Ground(Ground::Earth))
            .collect();
        let Some(&middle) = plan.rng.pick(&caves) else {
            return;
        };
        let ground = if n % 2 == 0 {
            Ground::Water
        } else {
            Ground::Gravel
        };
        let reach = plan.rng.within(shallow, wide) as u32;
        let steps = plan.steps(&[middle], reach);
        for at in caves.into_iter().filter(|&at| steps[at] != FAR) {
            plan.tiles[at] = Tile::Ground(ground);
        }
    }
}
