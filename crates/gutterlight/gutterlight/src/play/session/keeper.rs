//! Access to settings, the suspended game, scores, replays and the text files of finished games.
//!
//! Games and settings are written in the background by a [`Writer`]. The program waits for it on exit.

use std::path::PathBuf;

use bevy::prelude::*;
use gutterlight_rules::{Action, Difficulty, View, World};

use crate::{
    home::{Claim, Home, Log, Lore, Replays, Score, Scores, Trouble, Writer, morgue},
    play::{game::Game, options::Options, words},
};

/// The files and their cached content.
#[derive(Resource)]
pub struct Keeper {
    home: Option<Home>,
    scores: Scores,
    replays: Replays,
    lore: Lore,
    writer: Option<Writer>,
    /// The exclusive use of the files. `None` if the game is open elsewhere.
    claim: Option<Claim>,
    /// Whether there is a suspended game.
    suspended: bool,
    /// Whether the current game is not saved, because its file could not be deleted when it was continued.
    unsaved: bool,
    /// Messages about files, for the player.
    pub notes: Vec<String>,
}

impl Keeper {
    /// Opens the files and loads the settings. `missed` is whether to report to the player that there is no storage.
    pub fn open(home: Option<Home>, missed: bool) -> (Self, Options) {
        let mut keeper = Self {
            home: home.clone(),
            scores: Scores::default(),
            replays: Replays::default(),
            lore: Lore::default(),
            writer: None,
            claim: None,
            suspended: false,
            unsaved: false,
            notes: Vec::new(),
        };
        let Some(home) = home else {
            keeper.notes.extend(missed.then(|| words::HOMELESS.into()));
            return (keeper, Options::default());
        };
        let (settings, trouble) = home.settings();
        keeper.note(trouble);
        let (scores, trouble) = home.scores();
        keeper.note(trouble);
        keeper.scores = scores;
        let (replays, trouble) = home.replays();
        keeper.note(trouble);
        keeper.replays = replays;
        let (lore, trouble) = home.lore();
        keeper.note(trouble);
        keeper.lore = lore;
        keeper.writer = Some(Writer::new(&home));
        keeper.claim();
        (keeper, Options(settings))
    }

    /// Claims the files unless another game that is running has them, which is noted.
    pub fn claim(&mut self) {
        let Some(home) = self.home.as_ref().filter(|_| self.claim.is_none()) else {
            return;
        };
        self.claim = home.claim();
        self.notes.retain(|note| note != words::ELSEWHERE);
        match self.claim {
            Some(_) => self.suspended = home.is_suspended(),
            None => self.notes.push(words::ELSEWHERE.into()),
        }
    }

    /// Waits until everything is written, and looks for a suspended game.
    pub fn look(&mut self) {
        self.settle();
        let home = self.home.as_ref().filter(|_| self.claim.is_some());
        self.suspended = home.is_some_and(Home::is_suspended);
    }

    /// Whether the current game is saved after each turn.
    pub fn saves(&self) -> bool {
        self.claim.is_some() && !self.unsaved
    }

    fn note(&mut self, trouble: Option<Trouble>) {
        let message = trouble.map(|trouble| trouble.to_string());
        if let Some(message) = message.filter(|message| !self.notes.contains(message)) {
            self.notes.push(message);
        }
    }

    /// Waits until everything is written.
    fn settle(&self) {
        if let Some(writer) = &self.writer {
            writer.settle();
        }
    }

    /// Whether there is a suspended game.
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }

    /// The best games, best first.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The replays of the last games.
    pub fn replays(&self) -> &Replays {
        &self.replays
    }

    /// Loads a replay: the world before its first action, and the actions. Notes an error.
    pub fn watch(&mut self, number: u8) -> Option<(World, Vec<Action>)> {
        match self.home.as_ref()?.watch(number) {
            Ok((world, replay)) => Some((world, replay.actions)),
            Err(trouble) => {
                self.notes.clear();
                self.note(Some(trouble));
                None
            }
        }
    }

    /// What the player has met in all games.
    pub fn lore(&self) -> &Lore {
        &self.lore
    }

    /// Adds what is visible now to the lore. Returns whether anything was new.
    pub fn meet(&mut self, view: View<'_>) -> bool {
        let new = self.lore.meet(view);
        if let Some(writer) = self.writer.as_ref().filter(|_| new) {
            writer.keep_lore(self.lore.clone());
        }
        new
    }

    /// The game's files.
    pub fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// Begins a game of the player, which is saved from now on if it can be.
    pub fn begin(&mut self) {
        self.unsaved = false;
    }

    /// Saves the game and its message log.
    pub fn suspend(&mut self, save: Vec<u8>, log: Log) {
        if !self.saves() {
            return;
        }
        self.suspended = true;
        if let Some(writer) = &self.writer {
            writer.suspend(save, log);
        }
    }

    /// Deletes the suspended game, if the current game was saved there.
    pub fn forget(&mut self) {
        if !self.saves() {
            return;
        }
        self.suspended = false;
        if let Some(writer) = &self.writer {
            writer.forget();
        }
    }

    /// Loads the suspended game and its message log, and deletes its file. A game whose file cannot be deleted, as in a
    /// read-only folder, is not saved any more. Notes that, and any other error.
    pub fn resume(&mut self) -> Option<(World, Option<Log>)> {
        self.settle();
        self.suspended = false;
        self.unsaved = false;
        self.claim.as_ref()?;
        let home = self.home.clone()?;
        let world = match home.resume() {
            Ok(world) => world?,
            Err(trouble @ Trouble::Delete { .. }) => {
                self.unsaved = true;
                self.suspended = true;
                self.notes.push(words::not_saved(&trouble));
                let save = home.export().ok().flatten()?;
                World::load(&save).ok()?
            }
            Err(trouble) => {
                self.note(Some(trouble));
                return None;
            }
        };
        let log = home.log_of(&world);
        Some((world, log))
    }

    /// The seed and difficulty of the suspended game. Notes an error.
    pub fn suspended_keep(&mut self) -> Option<(u64, Difficulty)> {
        let world = World::load(&self.export()?).ok()?;
        Some((world.view().seed(), world.view().difficulty()))
    }

    /// The save of the suspended game, for export. Notes an error.
    pub fn export(&mut self) -> Option<Vec<u8>> {
        self.settle();
        let home = self.home.as_ref()?;
        let save = home.export();
        self.suspended = home.is_suspended();
        save.unwrap_or_else(|trouble| {
            self.note(Some(trouble));
            None
        })
    }

    /// Imports a save as the suspended game. Notes the result.
    pub fn import(&mut self, save: &[u8]) {
        self.settle();
        let Some(home) = &self.home else {
            return;
        };
        let note = match home.import(save) {
            Ok(replaced) => words::brought(replaced.as_deref()),
            Err(Trouble::Refused { flaw }) => words::not_brought(&flaw),
            Err(trouble) => trouble.to_string(),
        };
        self.suspended = home.is_suspended();
        self.notes = vec![note];
    }

    /// Records a finished game. Returns its index in the best games and the path of its text file.
    pub fn remember(
        &mut self,
        game: &Game,
        score: Score,
        log: &[String],
    ) -> (Option<usize>, Option<PathBuf>) {
        let Some(home) = self.home.clone() else {
            return (None, None);
        };
        let page = home.bury(&morgue(game.view(), &score, log), &score);
        match home.add_score(score) {
            Ok(scores) => self.scores = scores,
            Err(trouble) => self.note(Some(trouble)),
        }
        let replay = game.replay();
        match replay.map(|replay| home.keep_replay(score, &replay)) {
            Some(Ok(replays)) => self.replays = replays,
            Some(Err(trouble)) => self.note(Some(trouble)),
            // The start of the game is not known.
            None => {}
        }
        let page = page.map_err(|trouble| self.note(Some(trouble))).ok();
        (self.scores.place_of(&score), page)
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (listen, keep_settings))
        .add_systems(Last, finish.run_if(on_message::<AppExit>));
}

/// Notes errors of the writer.
fn listen(mut keeper: ResMut<Keeper>) {
    let writer = keeper.bypass_change_detection().writer.as_mut();
    let trouble = writer.and_then(Writer::trouble);
    if trouble.is_some() {
        keeper.note(trouble);
    }
}

/// Saves the settings when they change.
fn keep_settings(options: Res<Options>, keeper: Res<Keeper>) {
    if !options.is_changed() || options.is_added() {
        return;
    }
    if let Some(writer) = &keeper.writer {
        writer.keep_settings(options.0.clone());
    }
}

/// Waits for the writer on exit.
fn finish(keeper: Res<Keeper>) {
    keeper.settle();
}

#[cfg(test)]
mod tests;
