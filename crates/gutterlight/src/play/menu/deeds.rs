//! What a choice does.

use bevy::prelude::*;
use lanternfell_stealth::Action;

use crate::play::{
    game::{Game, GameSystems, Wish},
    input::control::Control,
    menu::{Menu, setting::Setting},
    options::Options,
    player::pilot::is_player,
    screen::{Screen, is_play},
    session::{Begin, Session, keeper::Keeper},
    words,
};

/// What a choice does.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Turns to another page, from which one comes back.
    Go(Screen),
    /// Back to where one came from.
    Back,
    Begin(Begin),
    /// Sets the next value, or the one before.
    Change(Setting, bool),
    /// Waits for a button for this control.
    Bind(Control),
    /// All controls have their usual buttons again.
    UsualKeys,
    Act(Action),
    /// To the title. The game lies on disk already.
    Suspend,
    /// Ends the game for good; asks once more before.
    GiveUp,
    Quit,
}

pub fn plugin(app: &mut App) {
    app.add_message::<Deed>()
        .add_systems(
            Update,
            do_it
                .run_if(on_message::<Deed>)
                .in_set(GameSystems::Ask)
                .after(super::steer::Steered),
        )
        .add_systems(Update, learn.run_if(is_play.and_then(is_player)))
        .add_systems(OnEnter(Screen::Play), forget_trail)
        .add_systems(OnEnter(Screen::Title), forget_trail);
}

fn do_it(
    mut deeds: MessageReader<Deed>,
    screen: Res<State<Screen>>,
    session: Res<Session>,
    mut menu: ResMut<Menu>,
    mut options: ResMut<Options>,
    mut keeper: ResMut<Keeper>,
    mut next: ResMut<NextState<Screen>>,
    mut begins: MessageWriter<Begin>,
    mut wishes: MessageWriter<Wish>,
    mut exit: MessageWriter<AppExit>,
) {
    for deed in deeds.read() {
        match *deed {
            Deed::Go(page) => {
                menu.trail.push(*screen.get());
                next.set(page);
            }
            Deed::Back => {
                let outside = match session.behind_title {
                    true => Screen::Title,
                    false => Screen::Play,
                };
                next.set(menu.trail.pop().unwrap_or(outside));
            }
            Deed::Begin(begin) => {
                let loses = keeper.is_suspended() && begin != Begin::Continue;
                if !loses || menu.is_sure(words::SUSPENDED_LOST) {
                    begins.write(begin);
                }
            }
            Deed::Change(setting, up) => {
                let mut changed = options.0.clone();
                setting.change(&mut changed, up);
                // What is at its end already is not written again.
                if options.0 != changed {
                    options.0 = changed;
                }
            }
            Deed::Bind(control) => menu.binding = Some(control),
            Deed::UsualKeys if options.keys.is_empty() => {}
            Deed::UsualKeys => options.keys.clear(),
            Deed::Act(action) => {
                wishes.write(Wish(action));
                next.set(Screen::Play);
            }
            Deed::Suspend => {
                begins.write(Begin::Title);
            }
            Deed::GiveUp => {
                if menu.is_sure(words::SURE) {
                    keeper.forget();
                    begins.write(Begin::Title);
                }
            }
            Deed::Quit => {
                exit.write(AppExit::Success);
            }
        }
    }
}

/// What the keep asks must be answered before anything else.
fn learn(game: Res<Game>, mut screen: ResMut<NextState<Screen>>) {
    if game.view().offer().is_some() {
        screen.set(Screen::Learn);
    }
}

fn forget_trail(mut menu: ResMut<Menu>) {
    menu.trail.clear();
    menu.typed.clear();
}
