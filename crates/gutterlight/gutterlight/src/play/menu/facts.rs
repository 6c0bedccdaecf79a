//! The system parameter with everything that pages show.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::play::{
    browser::InPage,
    game::Game,
    hud::journal::Journal,
    input::bindings::Bindings,
    options::Options,
    session::{Session, keeper::Keeper},
    sound::Sounding,
};

/// Everything that pages show.
#[derive(SystemParam)]
pub struct Facts<'w> {
    pub options: Res<'w, Options>,
    pub bindings: Res<'w, Bindings>,
    pub keeper: Res<'w, Keeper>,
    pub session: Res<'w, Session>,
    pub game: Res<'w, Game>,
    pub journal: Res<'w, Journal>,
    pub sounding: Res<'w, Sounding>,
    pub in_page: Res<'w, InPage>,
}
