//! The Catacombs: caves with pools, fungus and crystals, and among them the crypts of those
//! who built the keep.

use glam::IVec2;

use super::{
    plan::{FAR, Plan, RoomKind},
    shape::{self, Shape},
    tunnel::Loops,
};
use crate::{Ground, Tile};

/// One crypt to so many cells of the map.
const CRYPT: i32 = 420;

/// One pool to so many cells of the map.
const POOL: i32 = 600;

pub(super) const LOOPS: Loops = Loops {
    detour: 16,
    tunnel: 6,
    most: 20,
};

/// Digs the floor: crypts at random, and caves around them.
pub(super) fn lay(plan: &mut Plan<'_>) {
    let crypts = plan.area() / CRYPT;
    for n in 0..crypts {
        let (crypt, kind) = match n {
            0 => (
                shape::block(shape::size(&mut plan.rng, (6, 4), (8, 5))),
                RoomKind::Barracks,
            ),
            _ => (crypt(plan), RoomKind::Plain),
        };
        plan.stamp_anywhere(&crypt, kind);
    }
    plan.hollow_out();
    plan.divide_caves();
    plan.join();
    plan.add_vaults();
}

fn crypt(plan: &mut Plan<'_>) -> Shape {
    let rng = &mut plan.rng;
    let shape = match rng.below(5) {
        0 => shape::block(shape::size(rng, (4, 3), (7, 5))),
        1 => shape::stalls(shape::size(rng, (8, 5), (11, 5))),
        2 => {
            let size = shape::size(rng, (7, 7), (9, 9));
            shape::cross(rng, size)
        }
        3 => shape::colonnade(shape::size(rng, (7, 5), (9, 7)), 2),
        _ => shape::round(shape::size(rng, (5, 5), (7, 7))),
    };
    shape::turned(rng, &shape)
}

/// Pools of water, and rubble.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    for n in 0..plan.area() / POOL * 2 {
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
        let reach = plan.rng.within(2, 5) as u32;
        let steps = plan.steps(&[middle], reach);
        for at in caves.into_iter().filter(|&at| steps[at] != FAR) {
            plan.tiles[at] = Tile::Ground(ground);
        }
    }
}
