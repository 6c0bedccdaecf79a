//! Waiting. In the dark and away from guards, it restores a little nerve.
//!
//! Problem: in the dark, nerve only falls. A thief whose nerve is gone and who has no fuel to light
//! a torch would stay loud until a lamp is found.
//!
//! Idea: a thief who waits where no enemy is near calms down, but only up to `nerve_rested`. More
//! takes light.

use lanternfell_lightgrid::LightBand;

use crate::{BEAT, GameEvent, World};

/// Waits for a beat.
pub(super) fn wait(world: &mut World) -> u16 {
    if world.state.thief.band == LightBand::Hidden && !enemy_near(world) {
        calm_down(world);
    }
    BEAT
}

fn calm_down(world: &mut World) {
    let (gain, most) = (
        world.rules.thief.nerve_rests,
        world.rules.thief.nerve_rested,
    );
    let thief = &mut world.state.thief;
    let before = thief.nerve;
    if before >= most {
        return;
    }
    thief.nerve = before.saturating_add(gain).min(most);
    if before == 0 && thief.nerve > 0 {
        world.emit(GameEvent::Nerve { gone: false });
    }
}

/// Whether a guard that fights is within `nerve_reach` cells, along the way of sound.
pub(crate) fn enemy_near(world: &World) -> bool {
    let reach = world.rules.thief.nerve_reach * 10;
    let near = |at| {
        world
            .hearing
            .cost(at)
            .is_some_and(|cost| u32::from(cost) <= reach)
    };
    let guards = world.floor().guards.iter();
    guards
        .filter(|guard| guard.is_standing() && world.rules.guard(guard.kind).fights)
        .any(|guard| near(guard.at))
}
