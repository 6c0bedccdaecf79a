//! The night, which ends at dawn.
//!
//! Problem: a thief who is patient enough could hide, or flee over the same stairs, forever.
//!
//! Idea: the night is long enough for a careful thief, but it ends. From dawn on, all bells ring on
//! every floor and never fall silent, and another hunter comes at regular intervals. Even so, a
//! thief can stay out of reach, for example by going back and forth over stairs. In full daylight,
//! the thief is therefore caught. The time from dawn is enough to climb from the lowest floor to
//! the gate.
//!
//! ```text
//!    0                           dawn - late      dawn    + hunters            + daylight
//!    |------------------------------|--------------|---------|--------------------| time
//!                                a warning      all bells  a hunter, and so on  the end
//! ```

use crate::{Ending, GameEvent, World, ai::alarm, event::Hour};

/// Lets time pass.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    let (dawn, late, hunters) = {
        let night = &world.rules.night;
        (night.dawn, night.late, night.hunters)
    };
    if to_daylight(world) == 0 {
        world.end(Ending::Caught);
        return;
    }
    let now = world.state.tick;
    let before = now.saturating_sub(u32::from(ticks));
    let strikes = |time: u32| (before + 1..=now).contains(&time);
    if strikes(dawn - late) {
        world.emit(GameEvent::Night(Hour::Late));
    }
    if strikes(dawn) {
        world.emit(GameEvent::Night(Hour::Dawn));
    }
    let Some(day) = now.checked_sub(dawn) else {
        return;
    };
    alarm::ring_all(world);
    if strikes(dawn + hunters * (day / hunters)) && day >= hunters {
        alarm::send_hunter(world);
    }
}

/// The ticks until dawn; 0 from dawn on.
pub(crate) fn left(world: &World) -> u32 {
    world.rules.night.dawn.saturating_sub(world.state.tick)
}

/// The ticks until full daylight.
pub(crate) fn to_daylight(world: &World) -> u32 {
    let night = &world.rules.night;
    (night.dawn + night.daylight).saturating_sub(world.state.tick)
}

/// Whether dawn is near or over.
pub(crate) fn is_late(world: &World) -> bool {
    left(world) <= world.rules.night.late
}
