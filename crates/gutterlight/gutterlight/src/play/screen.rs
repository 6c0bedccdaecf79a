//! The current screen. The keep is behind all of them: on the title, a bot plays in it.

use bevy::prelude::*;

/// The screens of the game.
#[derive(States, Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    /// The title page.
    #[default]
    Title,
    /// The choice of seed and difficulty.
    NewGame,
    /// The choice of burdens.
    Burdens,
    /// The list of best games and replays.
    Scores,
    /// The settings.
    Settings,
    /// The key bindings.
    Keys,
    /// The help.
    Help,
    /// Guards, tools and twists that the player has met.
    Lore,
    /// The choice of a perk.
    Learn,
    /// The game itself.
    Play,
    /// The pause menu.
    Pause,
    /// The message log.
    Log,
    /// The end of the game.
    Over,
    /// The map of the path, after the end of the game.
    Story,
}

/// A run condition: whether the game itself is shown.
pub fn is_play(screen: Res<State<Screen>>) -> bool {
    *screen.get() == Screen::Play
}

pub fn plugin(app: &mut App) {
    app.init_state::<Screen>();
}
