//! The scripted opening: *you walk down a corridor, when suddenly your torch goes out, and
//! everything becomes totally dark... and then you hear a noise...*
//!
//! ```text
//!    steps ->  gutters  ->  out, dark  ->  silence  ->  a noise  ->  over
//!    (walked)  (beats)      (beats)        (beats)
//! ```
//!
//! The torch can not be lit until it is over. Nothing else is scripted: guards are as they
//! always are, only the corridor is empty. A thief who leaves the corridor, or puts the torch
//! away, has had the opening.

pub(crate) mod stage;

use glam::IVec2;

use crate::{
    Blackout, GameEvent, LightBand, Sound, World,
    direction::steps_between,
    opening::stage::{Opening, Stage},
    rules::BEAT,
    twist,
};

/// Goes on with the opening.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    let Some(mut opening) = world.state.opening else {
        return;
    };
    opening.ticks = opening.ticks.saturating_add(ticks);
    let rules = &world.rules.opening;
    let (length, next, tells) = match opening.stage {
        Stage::Walking => {
            wait_for_corridor(world, opening);
            return;
        }
        Stage::Guttering => (rules.gutters, Some(Stage::Dark), Blackout::Out),
        Stage::Dark => (rules.dark, Some(Stage::Silent), Blackout::Silence),
        Stage::Silent => (rules.silence, None, Blackout::Noise),
    };
    if opening.ticks < length * BEAT {
        world.state.opening = Some(opening);
        return;
    }
    world.state.opening = next.map(|stage| Opening { stage, ticks: 0 });
    world.tell(GameEvent::Blackout(tells));
    match tells {
        Blackout::Out => put_out_torch(world),
        Blackout::Noise => make_the_noise(world),
        Blackout::Gutters | Blackout::Silence | Blackout::Over => {}
    }
}

fn wait_for_corridor(world: &mut World, opening: Opening) {
    let thief = &world.state.thief;
    if world.state.depth > 0 || !thief.torch_burns() {
        world.state.opening = None;
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
    world.tell(GameEvent::Blackout(Blackout::Gutters));
}

fn put_out_torch(world: &mut World) {
    if let Some(torch) = &mut world.state.thief.torch
        && torch.lit
    {
        torch.lit = false;
        world.tell(GameEvent::Torch { lit: false });
    }
}

/// And then you hear a noise: from the dark ahead, where nobody is.
fn make_the_noise(world: &mut World) {
    let from = place_of_the_noise(world);
    world.tell(GameEvent::Heard {
        sound: Sound::Something,
        towards: crate::Direction::towards(world.state.thief.at, from),
        steps: steps_between(world.state.thief.at, from) as u16,
        at: from,
    });
    world.tell(GameEvent::Blackout(Blackout::Over));
    twist::announce(world);
}

/// A dark cell some way off, further into the keep.
fn place_of_the_noise(world: &World) -> IVec2 {
    let (thief, up) = (world.state.thief.at, world.floor().up);
    let rules = &world.rules.opening_noise;
    let off = rules.nearest..=rules.farthest;
    let dark_ahead = |&at: &IVec2| {
        let cost = world.hearing.cost(at);
        world.floor().is_passable(at)
            && cost.is_some_and(|cost| off.contains(&cost))
            && world.band(at) == LightBand::Hidden
    };
    let cells = world.floor().tiles.cells().filter(dark_ahead);
    let further = |&at: &IVec2| (steps_between(at, up), at.y, at.x);
    cells.max_by_key(further).unwrap_or(thief)
}
