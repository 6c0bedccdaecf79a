//! Another thief, whom nobody ever sees. Every now and then he takes the best of what lies about without
//! a lock before it, and puts out the lamp that shines on it. His hands are not as soft as they were:
//! guards hear him, and go to look where he was; and the thief hears where the loot goes.

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

/// How far from the loot a lamp hangs that he puts out, in steps.
const LAMP: u32 = 4;

/// Time passes.
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

/// The best treasure that he gets at unseen: which of the floor's items.
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
