//! A guard takes up an alert state without a word: whoever speaks is heard, and whoever hears
//! may take up another.

use crate::{AlertState, GameEvent, GuardId, World, sight};

/// Takes up an alert state, and shows it if the guard is seen; whether it is another.
pub(crate) fn take_up(world: &mut World, id: GuardId, alert_state: AlertState) -> bool {
    if world.guard(id).alert_state == alert_state {
        return false;
    }
    world.guard_mut(id).set_alert_state(alert_state);
    let at = world.guard(id).at;
    let guard = id;
    sight::tell(world, at, GameEvent::AlertState { guard, alert_state });
    true
}
