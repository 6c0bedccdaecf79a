//! Access to settings, the suspended game, scores, replays and the text files of finished games.
//!
//! Games and settings are written in the background by a [`Writer`]. The program waits for it on exit.

use std::path::PathBuf;

use bevy::prelude::*;
use gutterlight_rules::{Action, Difficulty, View, World};

use crate::{
    home::{Home, LogLine, Lore, Replays, Score, Scores, Trouble, Writer, morgue},
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
    /// Whether there is a suspended game.
    suspended: bool,
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
            suspended: false,
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
        keeper.suspended = home.is_suspended();
        keeper.writer = Some(Writer::new(&home));
        (keeper, Options(settings))
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

    /// Saves the game and its message log.
    pub fn suspend(&mut self, save: Vec<u8>, log: Vec<LogLine>) {
        self.suspended = self.home.is_some();
        if let Some(writer) = &self.writer {
            writer.suspend(save, log);
        }
    }

    /// Deletes the suspended game.
    pub fn forget(&mut self) {
        self.suspended = false;
        if let Some(writer) = &self.writer {
            writer.forget();
        }
    }

    /// Loads the suspended game and its message log, and deletes its file. Notes an error.
    pub fn resume(&mut self) -> Option<(World, Vec<LogLine>)> {
        self.settle();
        self.suspended = false;
        let home = self.home.as_ref()?;
        match home.resume() {
            Ok(world) => world.map(|world| {
                let log = home.log_of(&world);
                (world, log)
            }),
            Err(trouble) => {
                self.note(Some(trouble));
                None
            }
        }
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
