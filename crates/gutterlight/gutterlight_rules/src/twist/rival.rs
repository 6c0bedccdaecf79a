//! The rival: another thief, who is never seen. At intervals, he takes the most valuable treasure
//! that is not locked up, and puts out the lamp that shines on it. He is not silent: guards hear
//! him and investigate, and the player hears where the treasure goes.

use glam::IVec2;

use crate::{
    Fixture, Item, Sound, Twist, World,
    direction::steps_between,
    light,
    path::{NO_WAY, costs},
    sight, sound,
    sound_source::SoundSource,
    twist::{is_time, stir},
};

/// The maximum distance of the lamp from the treasure, in steps.
const LAMP: u32 = 4;

/// Lets time pass.
pub(super) fn go_on(world: &mut World, ticks: u16) {
    let every = world.rules.twists.rival_ticks.into();
    if !is_time(world, every, ticks) {
        return;
    }
    let Some(place) = prey(world) else {
        return;
    };
    let at = world.floor_mut().items.remove(place).at;
    put_out_a_lamp(world, at);
    let (ground, reach) = (
        world.floor().tile(at).ground(),
        world.rules.twists.rival_noise,
    );
    sound::make(world, Sound::Steps(ground), at, reach, SoundSource::Thing);
    stir(world, Twist::Rival);
}

/// The index of the most valuable treasure that the rival can reach unseen.
fn prey(world: &World) -> Option<usize> {
    let (floor, thief) = (world.floor(), world.state.thief.at);
    let ways = costs(floor, [floor.up], |at| floor.is_passable(at).then_some(0));
    let free = |at: IVec2| {
        ways.get(at).is_some_and(|&cost| cost != NO_WAY)
            && steps_between(at, thief) > world.rules.twists.rival_shuns
            && !sight::sees(world, at)
    };
    let items = floor.items.iter().enumerate();
    let worth = items.filter_map(|(place, placed)| match placed.item {
        Item::Treasure(worth) if free(placed.at) => Some((worth, place)),
        _ => None,
    });
    worth.max().map(|(_, place)| place)
}

fn put_out_a_lamp(world: &mut World, at: IVec2) {
    let lamps = world.floor().fixtures.iter().enumerate();
    let shines =
        |lamp: &Fixture| lamp.kind.is_flame() && lamp.burning && sight::in_line(world, lamp.at, at);
    let near = lamps
        .filter(|(_, lamp)| shines(lamp))
        .map(|(place, lamp)| (steps_between(lamp.at, at), place))
        .filter(|&(steps, _)| steps <= LAMP)
        .min();
    if let Some((_, lamp)) = near {
        light::set_lamp(world, lamp, false);
    }
}
