//! Which screen is shown. Behind every one of them is the keep: on the title a bot plays in it.

use bevy::prelude::*;

/// The screens of the game.
#[derive(States, Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    /// What to do?
    #[default]
    Title,
    /// Which keep, and how hard.
    NewGame,
    /// Which burdens to take on.
    Burdens,
    /// The best games.
    Scores,
    /// How it looks, sounds and is steered.
    Settings,
    /// What keys do, to be changed.
    Keys,
    /// How to play.
    Help,
    /// Guards, tools and floors, as far as they were met.
    Lore,
    /// Which of three things to learn.
    Learn,
    /// The game itself.
    Play,
    /// The game waits.
    Pause,
    /// Everything that was said.
    Log,
    /// The game has ended.
    Over,
    /// The way through the keep, once the game has ended.
    Story,
}

/// Whether the game goes on: whoever draws or sounds it asks this.
pub fn is_play(screen: Res<State<Screen>>) -> bool {
    *screen.get() == Screen::Play
}

pub fn plugin(app: &mut App) {
    app.init_state::<Screen>();
}
