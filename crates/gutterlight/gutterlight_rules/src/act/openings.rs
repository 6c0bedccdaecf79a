//! Doors, curtains, shutters and locks.
//!
//! Doors and curtains only change their tile, and the light follows. Shafts of moonlight are lamps,
//! however, and must be switched when a shutter next to them opens or closes.

use glam::IVec2;

use crate::{
    BEAT, Direction, Door, FixtureKind, GameEvent, Refusal, Sound, Tile, Tool, World,
    act::{self, walk},
    action::Gait,
    light, path, sound,
    sound_source::SoundSource,
};

/// What is opened, or the tool it is opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    Door,
    Curtain,
    Shutter,
    /// A lock, with the key of this floor or from the inside.
    Key,
    /// A lock, with the picklock in this slot.
    Picklock(u8),
}

/// The cell to open, and how.
pub(super) fn may_open(world: &World, way: Direction) -> Result<(IVec2, Means), Refusal> {
    let next = act::reach(world, way)?;
    let means = match world.floor().tile(next) {
        Tile::Door(Door::Closed) => Means::Door,
        Tile::Curtain { open: false } => Means::Curtain,
        Tile::Shutter { open: false } => Means::Shutter,
        Tile::Door(Door::Locked) => unlocking(world)?,
        _ => return Err(Refusal::NothingToOpen),
    };
    Ok((next, means))
}

fn unlocking(world: &World) -> Result<Means, Refusal> {
    let thief = &world.state.thief;
    if thief.has_key(world.state.depth) || is_shut_in(world) {
        return Ok(Means::Key);
    }
    let picklock = thief.slot_of(Tool::Picklock);
    picklock.map(Means::Picklock).ok_or(Refusal::Locked)
}

/// Whether the thief is in a locked room, for example after reading a blink scroll: no way on foot
/// leads to the stairs up. Without a way out, the thief could never leave it.
pub(crate) fn is_shut_in(world: &World) -> bool {
    let (floor, here) = (world.floor(), world.state.thief.at);
    let passable = |at| floor.is_passable(at).then_some(0);
    here != floor.up && path::way(floor, here, floor.up, passable).is_none()
}

/// Opens it. A locked door is only unlocked; opening it takes another action.
pub(super) fn open(world: &mut World, way: Direction) -> u16 {
    let Ok((at, means)) = may_open(world, way) else {
        return BEAT;
    };
    match means {
        Means::Door => walk::open_door(world, at, Gait::Walk),
        Means::Curtain => draw_curtain(world, at, true),
        Means::Shutter => turn_shutter(world, at, true),
        Means::Key => unlock(world, at, false),
        Means::Picklock(slot) => {
            world.state.thief.take_one(slot);
            world.state.tally.use_tool(Tool::Picklock);
            unlock(world, at, true);
            return world.rules.tools.picklock_beats * BEAT;
        }
    }
    BEAT
}

fn unlock(world: &mut World, at: IVec2, picked: bool) {
    if let Some(tile) = world.floor_mut().tiles.get_mut(at) {
        *tile = Tile::Door(Door::Closed);
    }
    light::update_cell(world, at);
    world.emit(GameEvent::Unlocked { at, picked });
    let noise = &world.rules.noise;
    let reach = if picked { noise.picklock } else { noise.lock };
    sound::make(world, Sound::Lock, at, reach, SoundSource::Thief);
}

/// The cell to close, and what is there.
pub(super) fn may_close(world: &World, way: Direction) -> Result<(IVec2, Means), Refusal> {
    let next = act::reach(world, way)?;
    match world.floor().tile(next) {
        Tile::Door(Door::Open) if !world.is_clear(next) => Err(Refusal::DoorObstructed),
        Tile::Door(Door::Open) => Ok((next, Means::Door)),
        Tile::Curtain { open: true } => Ok((next, Means::Curtain)),
        Tile::Shutter { open: true } => Ok((next, Means::Shutter)),
        _ => Err(Refusal::NothingToClose),
    }
}

/// Closes it.
pub(super) fn close(world: &mut World, way: Direction) -> u16 {
    match may_close(world, way) {
        Ok((at, Means::Door)) => {
            act::turn_tile(world, at, Tile::Door(Door::Closed), false);
            let reach = world.rules.noise.door;
            sound::make(world, Sound::Door, at, reach, SoundSource::Thief);
        }
        Ok((at, Means::Curtain)) => draw_curtain(world, at, false),
        Ok((at, Means::Shutter)) => turn_shutter(world, at, false),
        _ => {}
    }
    BEAT
}

fn draw_curtain(world: &mut World, at: IVec2, open: bool) {
    act::turn_tile(world, at, Tile::Curtain { open }, open);
    let reach = world.rules.noise.curtain;
    sound::make(world, Sound::Curtain, at, reach, SoundSource::Thief);
}

fn turn_shutter(world: &mut World, at: IVec2, open: bool) {
    act::turn_tile(world, at, Tile::Shutter { open }, open);
    let neighbors = Direction::STRAIGHT.map(|way| at + way.step());
    for lamp in 0..world.floor().fixtures.len() {
        let fixture = world.floor().fixtures[lamp];
        if fixture.kind == FixtureKind::Moonlight && neighbors.contains(&fixture.at) {
            let shines = is_next_to_open_shutter(world, fixture.at);
            light::set_lamp(world, lamp, shines);
        }
    }
    let reach = world.rules.noise.shutter;
    sound::make(world, Sound::Shutter, at, reach, SoundSource::Thief);
}

fn is_next_to_open_shutter(world: &World, at: IVec2) -> bool {
    let mut ways = Direction::STRAIGHT.into_iter();
    ways.any(|way| world.floor().tile(at + way.step()) == Tile::Shutter { open: true })
}
