//! The menu pages: title, pause, settings and others.
//!
//! ```text
//!   facts --(pages)--> Page: rows of text and choices --(draw)--> nodes
//!     ^                                |
//!     +------------ actions <--(steer)---+   keys, mouse, gamepad
//! ```
//!
//! A page is rebuilt from the current state whenever something has changed. Each choice is a
//! [`MenuAction`](action::MenuAction). A page therefore has no state except the selected row.

pub mod action;
mod actions;
pub mod chart;
mod compose;
mod draw;
mod facts;
mod page;
mod pages;
pub mod setting;
pub mod state;
mod steer;
pub mod test_card;
#[cfg(test)]
mod tests;

use bevy::prelude::*;

use state::Menu;

/// A menu in which this seed has been typed.
pub fn with_seed(seed: u64) -> Menu {
    Menu {
        typed: seed.to_string(),
        ..default()
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Menu>().add_plugins((
        compose::plugin,
        actions::plugin,
        draw::plugin,
        steer::plugin,
    ));
}
