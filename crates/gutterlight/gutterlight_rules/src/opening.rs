//! The scripted opening: *you walk down a corridor, when suddenly your torch goes out, and
//! everything becomes totally dark... and then you hear a noise...*
//!
//! ```text
//!    steps -> gutters -> out, dark -> silence -> a noise, far -> nearer -> light ahead -> over
//!   (walked)  (beats)    (beats)      (beats)    (beats)         (beats)   (beats)
//! ```
//!
//! The torch cannot be lit again until the opening is over. No guard makes the noise or carries the
//! light; both are pure effects. Everything else is normal play, in a corridor that is always
//! empty. The opening ends early if the thief goes to another floor, or puts out or drops the torch
//! while it still burns.

use glam::{IVec2, Vec3};
use lanternfell_lightgrid::Source;

use crate::{
    Blackout, Direction, GameEvent, LightBand, Sound, Tile, World,
    direction::steps_between,
    fog,
    rules::BEAT,
    world::opening::{Opening, Stage},
};

/// Advances the opening.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    let Some(mut opening) = world.state.opening else {
        return;
    };
    opening.ticks = opening.ticks.saturating_add(ticks);
    if opening.stage == Stage::Guttering && !world.state.thief.torch_burns() {
        end(world);
        return;
    }
    let rules = &world.rules.opening;
    let (length, next, blackout) = match opening.stage {
        Stage::Walking => {
            wait_for_corridor(world, opening);
            return;
        }
        Stage::Guttering => (rules.gutters, Some(Stage::Dark), Blackout::Out),
        Stage::Dark => (rules.dark, Some(Stage::Silent), Blackout::Silence),
        Stage::Silent => (rules.silence, Some(Stage::Far), Blackout::Noise),
        Stage::Far => (rules.far, Some(Stage::Near), Blackout::Nearer),
        Stage::Near => (rules.near, Some(Stage::Glow), Blackout::Glow),
        Stage::Glow => (rules.glow, None, Blackout::Over),
    };
    if opening.ticks < length * BEAT {
        world.state.opening = Some(opening);
        return;
    }
    world.state.opening = next.map(|stage| Opening { stage, ticks: 0 });
    world.emit(GameEvent::Blackout(blackout));
    match blackout {
        Blackout::Out => put_out_torch(world),
        Blackout::Noise => make_the_noise(world, world.rules.opening_noise.farthest),
        Blackout::Nearer => make_the_noise(world, world.rules.opening_noise.nearest),
        Blackout::Over => end(world),
        Blackout::Gutters | Blackout::Silence | Blackout::Glow => {}
    }
}

fn wait_for_corridor(world: &mut World, opening: Opening) {
    let thief = &world.state.thief;
    if world.state.depth > 0 || !thief.torch_burns() {
        end(world);
        return;
    }
    if steps_between(thief.at, world.floor().up) < u32::from(world.rules.opening.steps) {
        world.state.opening = Some(opening);
        return;
    }
    world.state.opening = Some(Opening {
        stage: Stage::Guttering,
        ticks: 0,
    });
    world.emit(GameEvent::Blackout(Blackout::Gutters));
}

/// Ends the opening, and reports the twist of the first floor, which waited for it.
fn end(world: &mut World) {
    world.state.opening = None;
    if world.state.depth == 0 {
        world.announce_twist();
    }
}

fn put_out_torch(world: &mut World) {
    if let Some(torch) = &mut world.state.thief.torch
        && torch.lit
    {
        torch.lit = false;
        world.emit(GameEvent::Torch { lit: false });
    }
}

/// Makes the noise at a dark cell ahead, at about this distance in tenths of a cell.
fn make_the_noise(world: &mut World, away: u16) {
    let from = place_of_the_noise(world, away);
    world.emit(GameEvent::Heard {
        sound: Sound::Something,
        towards: Direction::towards(world.state.thief.at, from),
        steps: steps_between(world.state.thief.at, from) as u16,
        at: from,
    });
}

/// The dark cell whose distance along the path of sound is closest to `away`, in tenths of a cell,
/// and that is farther from the stairs than the thief.
fn place_of_the_noise(world: &World, away: u16) -> IVec2 {
    let (thief, up) = (world.state.thief.at, world.floor().up);
    let here = steps_between(thief, up);
    let dark_ahead = |&at: &IVec2| {
        world.floor().is_passable(at)
            && steps_between(at, up) > here
            && world.band(at) == LightBand::Hidden
    };
    let cells = world.floor().tiles.cells().filter(dark_ahead);
    let off = |at: IVec2| world.hearing.cost(at).map(|cost| cost.abs_diff(away));
    let heard = cells.filter_map(|at| off(at).map(|off| (off, at.y, at.x)));
    heard.min().map_or(thief, |(_, y, x)| IVec2::new(x, y))
}

/// Applies the opening to the light: a guttering torch is dim, and a light passes the end of the
/// corridor.
pub(crate) fn change_light(world: &World, sources: &mut Vec<Source>) {
    let Some(opening) = world.state.opening else {
        return;
    };
    let rules = &world.rules.opening;
    let torch = Vec3::from(world.rules.light.torch);
    match opening.stage {
        Stage::Guttering => {
            let here = world.state.thief.at;
            let part = rules.guttering as f32 / 100.0;
            let held = sources
                .iter_mut()
                .rfind(|source| source.cell() == here && source.light == torch);
            if let Some(source) = held {
                *source = Source::new(here, torch * part);
            }
        }
        Stage::Glow => {
            let light = Vec3::from_array(rules.light_ahead);
            sources.extend(end_of_the_corridor(world).map(|at| Source::new(at, light)));
        }
        _ => {}
    }
}

/// The last cell in sight of the corridor that starts at the stairs. `None` if there is no
/// corridor.
fn end_of_the_corridor(world: &World) -> Option<IVec2> {
    let floor = world.floor();
    let mut ways = Direction::STRAIGHT.into_iter();
    let way = ways.find(|way| floor.is_passable(floor.up + way.step()))?;
    let side = way.step().perp();
    let is_corridor = |&at: &IVec2| {
        let ground = matches!(floor.tile(at), Tile::Ground(_));
        ground
            && [at + side, at - side]
                .iter()
                .all(|&at| floor.tile(at).blocks_sight())
    };
    let cells = (1..).map(|steps| floor.up + way.step() * steps);
    let reach = fog::sight(world, world.rules.sight.thief);
    let seen = |at: &IVec2| steps_between(*at, world.state.thief.at) <= reach;
    cells.take_while(is_corridor).filter(seen).last()
}
