//! What hands do, whatever they hold: keys and buttons become controls of the game.
//!
//! ```text
//!    keyboard --+
//!               +--> buttons --(bindings)--> controls --> Hands: fresh, held
//!    gamepad ---+
//! ```
//!
//! `control` lists what can be asked for, `button` names what can be pressed, `bindings` says
//! which asks for which, and `script` presses keys by itself.

pub mod bindings;
pub mod button;
pub mod control;
pub mod hands;
pub mod script;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((bindings::plugin, hands::plugin, script::plugin));
}
