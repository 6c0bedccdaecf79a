//! Executes the actions of menu choices.

use bevy::prelude::*;
use gutterlight_rules::Action;

use crate::play::{
    browser,
    game::{Game, GameSystems, Wish},
    menu::{action::MenuAction, state::Menu},
    options::Options,
    player::pilot::is_player,
    screen::{Screen, is_play},
    session::{Begin, Session, keeper::Keeper},
    words,
};

pub fn plugin(app: &mut App) {
    app.add_message::<MenuAction>()
        .add_systems(
            Update,
            do_it
                .run_if(on_message::<MenuAction>)
                .in_set(GameSystems::Ask)
                .after(super::steer::Steered),
        )
        .add_systems(Update, learn.run_if(is_play.and_then(is_player)))
        .add_systems(OnEnter(Screen::Play), forget_trail)
        .add_systems(OnEnter(Screen::Title), forget_trail)
        .add_systems(OnEnter(Screen::Story), |mut menu: ResMut<Menu>| {
            menu.floor = None;
        });
}

fn do_it(
    mut actions: MessageReader<MenuAction>,
    screen: Res<State<Screen>>,
    session: Res<Session>,
    game: Res<Game>,
    mut menu: ResMut<Menu>,
    mut options: ResMut<Options>,
    mut keeper: ResMut<Keeper>,
    mut next: ResMut<NextState<Screen>>,
    mut begins: MessageWriter<Begin>,
    mut wishes: MessageWriter<Wish>,
    mut exit: MessageWriter<AppExit>,
) {
    for action in actions.read() {
        match *action {
            MenuAction::Go(page) => {
                menu.trail.push(*screen.get());
                next.set(page);
            }
            MenuAction::Back => {
                let outside = match session.behind_title {
                    true => Screen::Title,
                    false => Screen::Play,
                };
                next.set(menu.trail.pop().unwrap_or(outside));
            }
            MenuAction::Begin(begin) => {
                let goes_on = matches!(begin, Begin::Continue | Begin::Watch(_));
                let loses = keeper.is_suspended() && !goes_on;
                if !loses || menu.is_sure(words::SUSPENDED_LOST) {
                    begins.write(begin);
                }
            }
            MenuAction::Change(setting, up) => {
                let mut changed = options.0.clone();
                setting.change(&mut changed, up);
                // At the end of a range nothing changes, so nothing is saved.
                if options.0 != changed {
                    options.0 = changed;
                }
            }
            MenuAction::Bind(control) => {
                menu.binding = Some(control);
                menu.moved = None;
            }
            MenuAction::UsualKeys if options.keys.is_empty() => {}
            MenuAction::UsualKeys => options.keys.clear(),
            MenuAction::Act(action) => {
                wishes.write(Wish(action));
                next.set(Screen::Play);
            }
            MenuAction::Suspend => {
                begins.write(Begin::Title);
            }
            MenuAction::GiveUp | MenuAction::Leave => {
                let warning = match action {
                    MenuAction::Leave => words::SURE_TO_LEAVE,
                    _ => words::SURE,
                };
                if menu.is_sure(warning) {
                    wishes.write(Wish(Action::GiveUp));
                    next.set(Screen::Play);
                }
            }
            MenuAction::Bear(burden) => {
                options.heat = match options.heat.has(burden) {
                    true => options.heat.without(burden),
                    false => options.heat.with(burden),
                };
            }
            MenuAction::Turn(up) => {
                let floors = game.view().floors_reached().max(1);
                let floor = menu.floor.unwrap_or(game.view().depth());
                let step = if up { 1 } else { floors - 1 };
                menu.floor = Some((floor + step) % floors);
            }
            MenuAction::TakeAlong => browser::take_along(&mut keeper),
            MenuAction::Bring => browser::ask_for_game(),
            MenuAction::Quit => {
                exit.write(AppExit::Success);
            }
        }
    }
}

/// Opens the choice of a perk, which must be answered before the game continues.
fn learn(game: Res<Game>, mut screen: ResMut<NextState<Screen>>) {
    if game.view().offer().is_some() {
        screen.set(Screen::Learn);
    }
}

fn forget_trail(mut menu: ResMut<Menu>) {
    menu.trail.clear();
    menu.typed.clear();
    menu.leaves = false;
}
