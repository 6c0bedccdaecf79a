//! Blows of guards.

use crate::{
    Direction, Ending, GameEvent, GuardId, Sound, Who, World, direction::steps_between, sound,
    sound_source::SoundSource,
};

/// Whether a guard can strike the thief from its cell.
pub(crate) fn in_reach(world: &World, id: GuardId) -> bool {
    let (at, thief) = (world.guard(id).at, world.state.thief.at);
    steps_between(at, thief) == 1 && world.floor().corners_free(at, thief)
}

/// Strikes at the thief.
pub(crate) fn strike(world: &mut World, id: GuardId) {
    let (at, kind) = (world.guard(id).at, world.guard(id).kind);
    let thief = world.state.thief.at;
    if let Some(way) = Direction::towards(at, thief) {
        world.guard_mut(id).facing = way;
    }
    let full = world.rules.strike_damage(world.state.difficulty, kind);
    let hits = world.rules.guard(kind).hit;
    let damage = if world.state.dice.percent(hits) {
        full
    } else {
        0
    };
    world.state.thief.health -= damage;
    world.emit(GameEvent::Struck {
        by: Who::Guard(id),
        whom: Who::Thief,
        damage,
    });
    let reach = world.rules.noise.fight;
    sound::make(world, Sound::Fight, thief, reach, SoundSource::Guard(id));
    if world.state.thief.health <= 0 {
        world.end(Ending::Slain(kind));
    }
}
