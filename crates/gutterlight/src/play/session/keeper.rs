//! What lies on disk: settings, the suspended game, scores and the pages of ended games.
//!
//! Writing waits for the disk, so games are written by a thread of their own, which takes the
//! newest and leaves out what came between. It is waited for at the end, whatever ends the
//! program.

use std::{
    path::PathBuf,
    sync::mpsc::{Receiver, Sender, TryRecvError, channel},
    thread::{self, JoinHandle},
};

use bevy::{platform::cell::SyncCell, prelude::*};
use lanternfell_stealth::{View, World};

use crate::{
    home::{Home, Score, Scores, Trouble, morgue},
    play::{options::Options, words},
    settings::Settings,
};

/// What the writing thread is told.
enum Order {
    Suspend(Vec<u8>),
    Forget,
    Settings(Box<Settings>),
    /// All that was asked for before is done when this is answered.
    Answer(Sender<()>),
}

/// The files, and what is known of them.
#[derive(Resource)]
pub struct Keeper {
    home: Option<Home>,
    scores: Scores,
    orders: Option<Sender<Order>>,
    troubles: Option<SyncCell<Receiver<Trouble>>>,
    writer: Option<JoinHandle<()>>,
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
            orders: None,
            troubles: None,
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
        keeper.suspended = home.is_suspended();
        let (orders, asked) = channel();
        let (troubled, troubles) = channel();
        keeper.orders = Some(orders);
        keeper.troubles = Some(SyncCell::new(troubles));
        keeper.writer = Some(thread::spawn(move || write(&home, &asked, &troubled)));
        (keeper, Options(settings))
    }

    fn note(&mut self, trouble: Option<Trouble>) {
        let told = trouble.map(|trouble| trouble.to_string());
        if let Some(told) = told.filter(|told| !self.notes.contains(told)) {
            self.notes.push(told);
        }
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // The thread ends only after this.
            let _ = orders.send(order);
        }
    }

    /// Waits until all that was asked for lies on disk.
    fn settle(&mut self) {
        let (answer, answered) = channel();
        self.order(Order::Answer(answer));
        let _ = answered.recv();
    }

    /// Whether there is a suspended game to go on with.
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }

    /// The best games, the best first.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// Where everything lies.
    pub fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// Keeps a game as it is.
    pub fn suspend(&mut self, save: Vec<u8>) {
        self.suspended = self.home.is_some();
        self.order(Order::Suspend(save));
    }

    /// Deletes the suspended game.
    pub fn forget(&mut self) {
        self.suspended = false;
        self.order(Order::Forget);
    }

    /// Takes the suspended game from the disk. What is wrong with it is noted.
    pub fn resume(&mut self) -> Option<World> {
        self.settle();
        self.suspended = false;
        match self.home.as_ref()?.resume() {
            Ok(world) => world,
            Err(trouble) => {
                self.note(Some(trouble));
                None
            }
        }
    }

    /// Writes an ended game down: its place among the best, and where its page lies.
    pub fn remember(
        &mut self,
        view: View<'_>,
        score: Score,
        log: &[String],
    ) -> (Option<usize>, Option<PathBuf>) {
        let Some(home) = &self.home else {
            return (None, None);
        };
        let page = home.bury(&morgue(view, &score, log), &score);
        match home.add_score(score) {
            Ok(scores) => self.scores = scores,
            Err(trouble) => self.note(Some(trouble)),
        }
        let page = page.map_err(|trouble| self.note(Some(trouble))).ok();
        (self.scores.place_of(&score), page)
    }
}

/// The writing thread.
fn write(home: &Home, orders: &Receiver<Order>, troubled: &Sender<Trouble>) {
    // Whether the file of the suspended game was written here.
    let mut own = false;
    while let Ok(mut order) = orders.recv() {
        // Only the newest of several games is worth the writing.
        let mut next = None;
        while matches!(order, Order::Suspend(_)) {
            match orders.try_recv() {
                Ok(newer @ Order::Suspend(_)) => order = newer,
                Ok(Order::Forget) => order = Order::Forget,
                Ok(other) => {
                    next = Some(other);
                    break;
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        for order in [Some(order), next].into_iter().flatten() {
            let done = match order {
                Order::Suspend(save) if own => home.suspend_again(&save),
                Order::Suspend(save) => home.suspend(&save).inspect(|()| own = true),
                Order::Forget => {
                    own = false;
                    home.forget()
                }
                Order::Settings(settings) => home.keep_settings(&settings),
                Order::Answer(answer) => {
                    // What comes after may be another game's.
                    own = false;
                    // Nobody waits any more.
                    let _ = answer.send(());
                    Ok(())
                }
            };
            if let Err(trouble) = done {
                // Nobody is left to be told.
                let _ = troubled.send(trouble);
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The thread writes what it was told before, and ends.
        self.orders = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (listen, keep_settings))
        .add_systems(Last, finish.run_if(on_message::<AppExit>));
}

/// What the thread has to tell.
fn listen(mut keeper: ResMut<Keeper>) {
    let told = keeper.bypass_change_detection().troubles.as_mut();
    let trouble = told.and_then(|told| told.get().try_recv().ok());
    if trouble.is_some() {
        keeper.note(trouble);
    }
}

/// Writes the settings whenever one is changed.
fn keep_settings(options: Res<Options>, keeper: Res<Keeper>) {
    if !options.is_changed() || options.is_added() {
        return;
    }
    keeper.order(Order::Settings(Box::new(options.0.clone())));
}

/// Nothing is left to be written when the program ends.
fn finish(mut keeper: ResMut<Keeper>) {
    keeper.settle();
}
