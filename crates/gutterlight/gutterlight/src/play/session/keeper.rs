//! What is kept: settings, the suspended game, scores and the pages of ended games.
//!
//! Games and settings are written by a [`Writer`], which nobody waits for. It is waited for at
//! the end, whatever ends the program.

use std::path::PathBuf;

use bevy::prelude::*;
use gutterlight_rules::{Action, Difficulty, View, World};

use crate::{
    home::{Home, LogLine, Lore, Replays, Score, Scores, Trouble, Writer, morgue},
    play::{game::Game, options::Options, words},
};

/// The files, and what is known of them.
#[derive(Resource)]
pub struct Keeper {
    home: Option<Home>,
    scores: Scores,
    replays: Replays,
    lore: Lore,
    writer: Option<Writer>,
    /// Whether there is a suspended game.
    suspended: bool,
    /// What went wrong, as the player is told it.
    pub notes: Vec<String>,
}

impl Keeper {
    /// Opens the files, and returns the settings that lie there. `missed` says whether the player
    /// is told that there is no place for them.
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
        let told = trouble.map(|trouble| trouble.to_string());
        if let Some(told) = told.filter(|told| !self.notes.contains(told)) {
            self.notes.push(told);
        }
    }

    /// Waits until all that was asked for is written.
    fn settle(&self) {
        if let Some(writer) = &self.writer {
            writer.settle();
        }
    }

    /// Whether there is a suspended game to go on with.
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }

    /// The best games, the best first.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The last games, which can be watched.
    pub fn replays(&self) -> &Replays {
        &self.replays
    }

    /// One of them, before its first action, and what was done in it. Why it can not be watched is noted.
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

    /// What was met in all games.
    pub fn lore(&self) -> &Lore {
        &self.lore
    }

    /// Adds what is met now. Whether anything of it is new.
    pub fn meet(&mut self, view: View<'_>) -> bool {
        let new = self.lore.meet(view);
        if let Some(writer) = self.writer.as_ref().filter(|_| new) {
            writer.keep_lore(self.lore.clone());
        }
        new
    }

    /// Where everything lies.
    pub fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// Keeps a game as it is, and what was said in it.
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

    /// Takes the suspended game from where it lies, and what was said in it. What is wrong with it is
    /// noted.
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

    /// The keep of the suspended game. What is wrong with it is noted.
    pub fn suspended_keep(&mut self) -> Option<(u64, Difficulty)> {
        let world = World::load(&self.export()?).ok()?;
        Some((world.view().seed(), world.view().difficulty()))
    }

    /// The suspended game, to be taken elsewhere. What is wrong with it is noted.
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

    /// Suspends a game that was suspended elsewhere. What becomes of it, and of the one before, is noted.
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

    /// Writes an ended game down: its place among the best, and where its page lies.
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
            // Its beginning is not known.
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

/// What the writer has to tell.
fn listen(mut keeper: ResMut<Keeper>) {
    let writer = keeper.bypass_change_detection().writer.as_mut();
    let trouble = writer.and_then(Writer::trouble);
    if trouble.is_some() {
        keeper.note(trouble);
    }
}

/// Writes the settings whenever one is changed.
fn keep_settings(options: Res<Options>, keeper: Res<Keeper>) {
    if !options.is_changed() || options.is_added() {
        return;
    }
    if let Some(writer) = &keeper.writer {
        writer.keep_settings(options.0.clone());
    }
}

/// Nothing is left to be written when the program ends.
fn finish(keeper: Res<Keeper>) {
    keeper.settle();
}
