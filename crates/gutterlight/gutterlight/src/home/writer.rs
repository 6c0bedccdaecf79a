//! Writing in the background.
//!
//! Writing waits for the disk, so a thread does it. If several games are queued, the thread writes only the newest.
//! Dropping the [`Writer`] waits for the thread, also when the program panics. If no thread can be started, as in a
//! browser, everything is written immediately: a browser's storage is in memory, and the page may be closed at any
//! time.

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread::{self, JoinHandle},
};

use super::{Home, Log, Lore, Trouble};
use crate::settings::Settings;

/// A request to the writer.
#[derive(Debug)]
enum Order {
    Suspend(Vec<u8>, Log),
    Forget,
    Settings(Box<Settings>),
    Lore(Lore),
    /// Replies when all earlier requests are done.
    Answer(Sender<()>),
}

/// Writes the suspended game, the settings and the lore of a [`Home`] in the order of the calls.
#[derive(Debug)]
pub struct Writer {
    orders: Orders,
    troubles: Mutex<Receiver<Trouble>>,
}

/// Where requests go.
#[derive(Debug)]
enum Orders {
    /// `None` after the drop.
    Thread(Option<(Sender<Order>, JoinHandle<()>)>),
    AtOnce(Box<Mutex<Clerk>>),
}

impl Writer {
    /// Starts the writer.
    pub fn new(home: &Home) -> Self {
        let (orders, asked) = channel();
        let (mut clerk, troubles) = Clerk::new(home);
        let thread = thread::Builder::new().spawn(move || clerk.obey_all(&asked));
        match thread {
            Ok(thread) => Self {
                orders: Orders::Thread(Some((orders, thread))),
                troubles: Mutex::new(troubles),
            },
            Err(_) => Self::without_thread(home),
        }
    }

    pub(super) fn without_thread(home: &Home) -> Self {
        let (clerk, troubles) = Clerk::new(home);
        Self {
            orders: Orders::AtOnce(Box::new(Mutex::new(clerk))),
            troubles: Mutex::new(troubles),
        }
    }

    fn order(&self, order: Order) {
        match &self.orders {
            Orders::Thread(thread) => {
                if let Some((orders, _)) = thread {
                    // The receiver lives until this sender is dropped.
                    let _ = orders.send(order);
                }
            }
            Orders::AtOnce(clerk) => {
                // A clerk that panicked holds no broken state.
                let mut clerk = clerk.lock().unwrap_or_else(PoisonError::into_inner);
                clerk.obey(order);
            }
        }
    }

    /// Suspends a game like [`Home::suspend`], and writes its message log.
    pub fn suspend(&self, save: Vec<u8>, log: Log) {
        self.order(Order::Suspend(save, log));
    }

    /// Deletes the suspended game.
    pub fn forget(&self) {
        self.order(Order::Forget);
    }

    /// Writes the settings.
    pub fn keep_settings(&self, settings: Settings) {
        self.order(Order::Settings(Box::new(settings)));
    }

    /// Writes the lore.
    pub fn keep_lore(&self, lore: Lore) {
        self.order(Order::Lore(lore));
    }

    /// Waits until all earlier requests are done. The next game to be suspended may be a different one, so the file
    /// there is checked again.
    pub fn settle(&self) {
        let (answer, answered) = channel();
        self.order(Order::Answer(answer));
        let _ = answered.recv();
    }

    /// Returns the next error, if any.
    pub fn trouble(&mut self) -> Option<Trouble> {
        let troubles = self.troubles.get_mut();
        let troubles = troubles.unwrap_or_else(PoisonError::into_inner);
        troubles.try_recv().ok()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Orders::Thread(thread) = &mut self.orders
            && let Some((orders, thread)) = thread.take()
        {
            // Closing the channel makes the thread finish its queue and end.
            drop(orders);
            let _ = thread.join();
        }
    }
}

/// The code that writes, on either thread.
#[derive(Debug)]
struct Clerk {
    home: Home,
    troubled: Sender<Trouble>,
    /// Whether the current suspended game was written by this clerk.
    own: bool,
}

impl Clerk {
    fn new(home: &Home) -> (Self, Receiver<Trouble>) {
        let (troubled, troubles) = channel();
        let clerk = Self {
            home: home.clone(),
            troubled,
            own: false,
        };
        (clerk, troubles)
    }

    /// Handles requests until the channel is closed.
    fn obey_all(&mut self, orders: &Receiver<Order>) {
        while let Ok(mut order) = orders.recv() {
            // Skip all but the newest of consecutive games.
            let mut next = None;
            while matches!(order, Order::Suspend(..)) {
                match orders.try_recv() {
                    Ok(newer @ Order::Suspend(..)) => order = newer,
                    Ok(Order::Forget) => order = Order::Forget,
                    Ok(other) => {
                        next = Some(other);
                        break;
                    }
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
                }
            }
            for order in [Some(order), next].into_iter().flatten() {
                self.obey(order);
            }
        }
    }

    fn obey(&mut self, order: Order) {
        let home = &self.home;
        let done = match order {
            Order::Suspend(save, log) => {
                let suspended = match self.own {
                    true => home.suspend_again(&save),
                    false => home.suspend(&save).inspect(|()| self.own = true),
                };
                suspended.and_then(|()| home.keep_log(&save, log))
            }
            Order::Forget => {
                self.own = false;
                home.forget()
            }
            Order::Lore(lore) => home.keep_lore(&lore),
            Order::Settings(settings) => home.keep_settings(&settings),
            Order::Answer(answer) => {
                // The next game may be a different one.
                self.own = false;
                // The caller may be gone.
                let _ = answer.send(());
                Ok(())
            }
        };
        if let Err(trouble) = done {
            // The receiver may be gone.
            let _ = self.troubled.send(trouble);
        }
    }
}
