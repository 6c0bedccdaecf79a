//! A prisoner, behind a lock. Whoever lets him out learns the ways of the floor; and because he waits at
//! the gate, a thief can leave the keep with him, if not with the Ember.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use crate::{Direction, Memory, Twist, World, twist::stir};

/// The prisoner is free, and tells what he knows.
pub(crate) fn free(world: &mut World) {
    world.state.thief.rescued = true;
    tell_the_ways(world);
    stir(world, Twist::Prisoner);
}

/// What can be walked on and the walls around it is remembered as if it had been seen; no lamps, no
/// things, nobody.
fn tell_the_ways(world: &mut World) {
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
