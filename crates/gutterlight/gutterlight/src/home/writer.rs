//! Writing that nobody waits for.
//!
//! Writing waits for the disk, so a thread of its own does it, which takes the newest of
//! several games and leaves out what came between. It is waited for at the end, whatever ends
//! the program. Where no thread can be had, as in a browser, everything is written when
//! it is asked for: a browser's storage is in memory, and its page may be closed at any time.

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread::{self, JoinHandle},
};

use super::{Home, LogLine, Lore, Trouble};
use crate::settings::Settings;

/// What is to be written.
#[derive(Debug)]
enum Order {
    Suspend(Vec<u8>, Vec<LogLine>),
    Forget,
    Settings(Box<Settings>),
    Lore(Lore),
    /// All that was asked for before is done when this is answered.
    Answer(Sender<()>),
}

/// Writes the suspended game and the settings of a [`Home`], one after the other as they are
/// asked for.
#[derive(Debug)]
pub struct Writer {
    orders: Orders,
    troubles: Mutex<Receiver<Trouble>>,
}

/// Who takes the orders.
#[derive(Debug)]
enum Orders {
    /// None at the end.
    Thread(Option<(Sender<Order>, JoinHandle<()>)>),
    AtOnce(Box<Mutex<Clerk>>),
}

impl Writer {
    /// Begins to write there.
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
                    // The thread ends only after this.
                    let _ = orders.send(order);
                }
            }
            Orders::AtOnce(clerk) => {
                // Whoever panicked has left a word that is no worse than before.
                let mut clerk = clerk.lock().unwrap_or_else(PoisonError::into_inner);
                clerk.obey(order);
            }
        }
    }

    /// Suspends a game, of which `save` is all, as [`Home::suspend`] does, and keeps what was said in it.
    pub fn suspend(&self, save: Vec<u8>, log: Vec<LogLine>) {
        self.order(Order::Suspend(save, log));
    }

    /// Deletes the suspended game.
    pub fn forget(&self) {
        self.order(Order::Forget);
    }

    /// Writes what is set.
    pub fn keep_settings(&self, settings: Settings) {
        self.order(Order::Settings(Box::new(settings)));
    }

    /// Writes what was met.
    pub fn keep_lore(&self, lore: Lore) {
        self.order(Order::Lore(lore));
    }

    /// Waits until all that was asked for is written. What is suspended after this may be
    /// another game.
    pub fn settle(&self) {
        let (answer, answered) = channel();
        self.order(Order::Answer(answer));
        let _ = answered.recv();
    }

    /// The next thing that went wrong and was not told yet.
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
            // The thread writes what it was told before, and ends.
            drop(orders);
            let _ = thread.join();
        }
    }
}

/// Who writes.
#[derive(Debug)]
struct Clerk {
    home: Home,
    troubled: Sender<Trouble>,
    /// Whether the file of the suspended game was written here.
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

    /// Until nobody is left to give orders.
    fn obey_all(&mut self, orders: &Receiver<Order>) {
        while let Ok(mut order) = orders.recv() {
            // Only the newest of several games is worth the writing.
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
                suspended.and_then(|()| home.keep_log(&save, &log))
            }
            Order::Forget => {
                self.own = false;
                home.forget()
            }
            Order::Lore(lore) => home.keep_lore(&lore),
            Order::Settings(settings) => home.keep_settings(&settings),
            Order::Answer(answer) => {
                // What comes after may be another game's.
                self.own = false;
                // Nobody waits any more.
                let _ = answer.send(());
                Ok(())
            }
        };
        if let Err(trouble) = done {
            // Nobody is left to be told.
            let _ = self.troubled.send(trouble);
        }
    }
}
