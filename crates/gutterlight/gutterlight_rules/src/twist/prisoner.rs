//! The prisoner, behind a lock. A thief who frees him learns the layout of the floor. Because he
//! waits at the gate, the thief can then leave the keep with him instead of with the Ember.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{Direction, Memory, Twist, World, twist::stir};

/// Frees the prisoner, who reveals the floor.
pub(crate) fn free(world: &mut World) {
    world.state.thief.rescued = true;
    reveal_floor(world);
    stir(world, Twist::Prisoner);
}

/// Adds passable cells and the walls around them to the thief's memory. Lamps, items and guards are
/// not revealed.
fn reveal_floor(world: &mut World) {
    let floor = world.floor();
    let open = |at: IVec2| floor.tile(at).is_passable();
    let known = |&at: &IVec2| {
        let mut around = Direction::ALL.into_iter().map(|way| at + way.step());
        floor.memory[at].is_none() && (open(at) || around.any(open))
    };
    let cells: Vec<IVec2> = floor.tiles.cells().filter(known).collect();
    let floor = world.floor_mut();
    for at in cells {
        floor.memory[at] = Some(Memory {
            tile: floor.tiles[at],
            fixture: None,
            item: None,
            band: LightBand::Hidden,
        });
    }
}
