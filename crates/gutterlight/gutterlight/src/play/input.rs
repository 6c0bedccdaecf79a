//! Input: keys and gamepad buttons become controls of the game.
//!
//! ```text
//!    keyboard --+
//!               +--> buttons --(bindings)--> controls --> Hands: fresh, held
//!    gamepad ---+
//! ```
//!
//! `control` lists the controls, `button` names keys and buttons, and `bindings` maps buttons to
//! controls. `caps` names keys as the player's keyboard does. `script` presses keys automatically.

pub mod bindings;
pub mod button;
pub mod caps;
pub mod control;
pub mod hands;
pub mod script;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        bindings::plugin,
        caps::plugin,
        hands::plugin,
        script::plugin,
    ));
}
