//! Those who must not see you: what they are, and in what state of mind.
//!
//! ```text
//!            something seen or heard                    surer
//!    Calm ---------------------------> Suspicious ---------------> Investigating
//!     ^   patrol, post, rounds, sleep   stops, turns                walks there
//!     |                                     |                            |
//!     |         nothing more               v            nothing there   v
//!     +----------------------------------- calms down <---------- Searching
//!     |                                                   spreads out, lights lamps
//!     |                 sure
//!     +--- any of them ------> Chasing -- lost sight, at the last known place --> Searching
//! ```

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::Direction;

/// A guard's place in [`Floor::guards`](crate::floor::Floor::guards); it keeps it for ever.
pub type GuardId = u8;

/// What kind of guard. What a kind is like is in the table of rules: see [`Rules::guard`](crate::Rules::guard).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GuardKind {
    /// Walks a route with a lantern.
    Watchman,
    /// Stands still and sees far.
    Sentry,
    /// Follows the trail of where you walked; light means nothing to it.
    Hound,
    /// Blind, and hears everything.
    Listener,
    /// No fighter: goes from lamp to lamp and lights what has gone out.
    Lamplighter,
    /// Guards the Ember; strong, bright, never surprised for long.
    Warden,
}

impl GuardKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Watchman,
        Self::Sentry,
        Self::Hound,
        Self::Listener,
        Self::Lamplighter,
        Self::Warden,
    ];

    /// As a noun without its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Watchman => "watchman",
            Self::Sentry => "sentry",
            Self::Hound => "hound",
            Self::Listener => "listener",
            Self::Lamplighter => "lamplighter",
            Self::Warden => "warden",
        }
    }

    /// Its letter in a [drawing](crate::drawing).
    pub const fn letter(self) -> char {
        match self {
            Self::Watchman => 'w',
            Self::Sentry => 's',
            Self::Hound => 'h',
            Self::Listener => 'l',
            Self::Lamplighter => 'p',
            Self::Warden => 'W',
        }
    }
}

/// What a guard does when nothing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Duty {
    /// Walks its route, round and round.
    Patrol,
    /// Stands at its home and looks about.
    Post,
    /// Sleeps at its home until something wakes it; then it patrols, or stands there if it
    /// has no route.
    Sleep,
    /// Goes after the thief, wherever he was last known to be.
    Hunt,
}

/// In what state of mind a guard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AlertState {
    /// Does its duty; asleep, if that is its duty.
    Calm,
    /// Has stopped, and looks towards its point of interest.
    Suspicious,
    /// Walks to its point of interest.
    Investigating,
    /// Looks about around its point of interest.
    Searching,
    /// Sure, and after you.
    Chasing,
    /// Runs away from you and calls: a lamplighter's chase.
    Fleeing,
    /// Lies there, for a while.
    Unconscious,
    /// Lies there.
    Dead,
}

impl AlertState {
    /// Whether it lies on the ground, neither sees nor hears, and is not in the way.
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Unconscious | Self::Dead)
    }

    /// Whether it knows of no thief: the moment for a takedown.
    pub const fn is_unaware(self) -> bool {
        matches!(self, Self::Calm | Self::Suspicious)
    }

    /// The sign over its head.
    pub const fn glyph(self) -> char {
        match self {
            Self::Calm => ' ',
            Self::Suspicious => '?',
            Self::Investigating => '¿',
            Self::Searching => '~',
            Self::Chasing => '!',
            Self::Fleeing => '"',
            Self::Unconscious => 'z',
            Self::Dead => '+',
        }
    }

    /// As an adjective.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Suspicious => "suspicious",
            Self::Investigating => "investigating",
            Self::Searching => "searching",
            Self::Chasing => "chasing you",
            Self::Fleeing => "fleeing",
            Self::Unconscious => "unconscious",
            Self::Dead => "dead",
        }
    }
}

/// The light that a guard carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lantern {
    /// It has none.
    None,
    /// It burns.
    Lit,
    /// It has been put out, and is lit again after so many ticks of calm.
    Out(u16),
}

/// How sure a guard is when it is quite sure.
pub(crate) const SURE: u16 = 1000;

/// A guard, standing or lying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// What kind.
    pub kind: GuardKind,
    /// Where; outside of the floor if it [has left](Self::has_left) it.
    pub at: IVec2,
    /// Which way it looks.
    pub facing: Direction,
    /// What it can still take; 0 when it is dead.
    pub health: i16,
    /// What it does when nothing is wrong.
    pub duty: Duty,
    /// The light that it carries.
    pub lantern: Lantern,
    /// Where it belongs.
    pub home: IVec2,
    /// Which way it looks when it stands at its post.
    pub watch: Direction,
    /// The corners of its patrol, or the places of its lamps; never empty.
    pub route: Vec<IVec2>,
    /// To which of them it is on its way.
    pub leg: u8,
    /// Its state of mind.
    pub alert_state: AlertState,
    /// For how many ticks it has been in that alert state.
    pub ticks: u16,
    /// How sure it is that there is a thief, from 0 to 1000.
    pub awareness: u16,
    /// What it goes to look at, or where it knows the thief to be.
    pub point_of_interest: Option<IVec2>,
    /// A dark lamp that it means to light: its place in the floor's fixtures.
    pub lamp: Option<u8>,
    /// The cells that it means to walk, the next one last.
    pub path: Vec<IVec2>,
    /// Ticks that it has saved up for its next step.
    pub saved: u16,
    /// How often it had reason to be careful; it never forgets.
    pub vigilance: u8,
    /// The comrades whose loss it knows of, a bit for each id.
    pub mourns: u64,
    /// For how many more ticks it is unconscious.
    pub sleep: u16,
    /// Whether it lies where nobody finds it, and is not missed.
    pub stowed: bool,
}

impl Guard {
    /// A calm guard at its home.
    pub fn new(kind: GuardKind, duty: Duty, home: IVec2, facing: Direction) -> Self {
        Self {
            kind,
            at: home,
            facing,
            health: 1,
            duty,
            lantern: Lantern::None,
            home,
            watch: facing,
            route: vec![home],
            leg: 0,
            alert_state: AlertState::Calm,
            ticks: 0,
            awareness: 0,
            point_of_interest: None,
            lamp: None,
            path: Vec::new(),
            saved: 0,
            vigilance: 0,
            mourns: 0,
            sleep: 0,
            stowed: false,
        }
    }

    /// Whether it is up, and not asleep on duty.
    pub fn is_awake(&self) -> bool {
        !self.alert_state.is_down() && !self.is_asleep()
    }

    /// Whether it sleeps because it may.
    pub fn is_asleep(&self) -> bool {
        self.alert_state == AlertState::Calm && self.duty == Duty::Sleep
    }

    /// Whether its cell is taken by it.
    pub fn is_standing(&self) -> bool {
        !self.alert_state.is_down()
    }

    /// A sleeper gets up, and does not lie down again.
    pub(crate) fn get_up(&mut self) {
        if self.duty == Duty::Sleep {
            self.duty = match self.route.len() {
                0 | 1 => Duty::Post,
                _ => Duty::Patrol,
            };
        }
    }

    /// Whatever woke it: it does not lie down again.
    pub(crate) fn wake(&mut self) {
        if self.is_asleep() {
            self.get_up();
        }
    }

    /// Takes up another alert state.
    pub(crate) fn set_alert_state(&mut self, alert_state: AlertState) {
        if self.alert_state != alert_state {
            self.alert_state = alert_state;
            self.ticks = 0;
            self.path.clear();
        }
    }
}
