//! Guards: their kinds and their alert states.
//!
//! ```text
//!            sees or hears something             awareness grows
//!    Calm ---------------------------> Suspicious ---------------> Investigating
//!     ^   patrol, post, rounds, sleep   stops, turns                walks there
//!     |                                     |                            |
//!     |         nothing more                v            nothing there   v
//!     +-------------------------------- calms down <--------------- Searching
//!     |                                                   spreads out, lights lamps
//!     |                 sure
//!     +--- any state ------> Chasing -- lost sight, at the last known place --> Searching
//! ```

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::Direction;

/// The index of a guard in [`Floor::guards`](crate::floor::Floor::guards). It never changes.
pub type GuardId = u8;

/// A kind of guard. [`Rules::guard`](crate::Rules::guard) returns the rules of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GuardKind {
    /// Walks a route with a lantern.
    Watchman,
    /// Stands still and sees far.
    Sentry,
    /// Follows the scent of the thief. Ignores light.
    Hound,
    /// Blind, and hears everything.
    Listener,
    /// Does not fight. Walks from lamp to lamp and relights dark ones.
    Lamplighter,
    /// Guards the Ember. Strong, carries a bright light, and does not stay unconscious for long.
    Warden,
}

impl GuardKind {
    /// All kinds, in declaration order.
    pub const ALL: [Self; 6] = [
        Self::Watchman,
        Self::Sentry,
        Self::Hound,
        Self::Listener,
        Self::Lamplighter,
        Self::Warden,
    ];

    /// The name in English, as a noun without an article.
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

    /// The letter in a [drawing](crate::drawing).
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

/// What a guard does while it is calm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Duty {
    /// Walks its route in a loop.
    Patrol,
    /// Stands at its home and looks around.
    Post,
    /// Sleeps at its home until something wakes it. Then it patrols, or stands at its post if it
    /// has no route.
    Sleep,
    /// Follows the thief to the last known position.
    Hunt,
}

/// What a guard currently thinks about the thief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AlertState {
    /// Does its duty. Asleep, if that is its duty.
    Calm,
    /// Has stopped, and looks toward its point of interest.
    Suspicious,
    /// Walks to its point of interest.
    Investigating,
    /// Searches around its point of interest.
    Searching,
    /// Is sure of the thief and chases.
    Chasing,
    /// Runs away from the thief and calls for help. Replaces `Chasing` for guards that do not
    /// fight.
    Fleeing,
    /// Lies on the ground, for a while.
    Unconscious,
    /// Lies on the ground for good.
    Dead,
}

impl AlertState {
    /// Whether the guard lies on the ground. It then neither sees nor hears, and does not block its
    /// cell.
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Unconscious | Self::Dead)
    }

    /// Whether the guard does not know of a thief. A takedown is then possible from any side.
    pub const fn is_unaware(self) -> bool {
        matches!(self, Self::Calm | Self::Suspicious)
    }

    /// The symbol shown above the guard.
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

    /// The name in English, as an adjective.
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
    /// The guard has no lantern.
    None,
    /// The lantern burns.
    Lit,
    /// The lantern was put out. It is relit after this many ticks of calm.
    Out(u16),
}

/// The awareness at which a guard is sure of the thief.
pub(crate) const SURE: u16 = 1000;

/// A guard, standing or on the ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The kind of guard.
    pub kind: GuardKind,
    /// The cell of the guard. Outside of the floor if the guard [has left](Self::has_left) it.
    pub at: IVec2,
    /// The direction in which it looks.
    pub facing: Direction,
    /// Its remaining health; 0 when it is dead.
    pub health: i16,
    /// What it does while it is calm.
    pub duty: Duty,
    /// Its lantern.
    pub lantern: Lantern,
    /// The cell that it returns to.
    pub home: IVec2,
    /// The direction in which it looks at its post.
    pub watch: Direction,
    /// The waypoints of its patrol, or the lamps that it visits. Never empty.
    pub route: Vec<IVec2>,
    /// The index in `route` of the waypoint that it walks to.
    pub leg: u8,
    /// Its alert state.
    pub alert_state: AlertState,
    /// The ticks that it has been in this alert state.
    pub ticks: u16,
    /// How sure it is that there is a thief, from 0 to 1000.
    pub awareness: u16,
    /// The cell that it investigates, or where it believes the thief to be.
    pub point_of_interest: Option<IVec2>,
    /// The index in the floor's fixtures of a dark lamp that it is going to light.
    pub lamp: Option<u8>,
    /// The cells of its path, the next one last.
    pub path: Vec<IVec2>,
    /// The ticks that it has saved for its next step.
    pub saved: u16,
    /// How often it had a reason to be careful. Never decreases.
    pub vigilance: u8,
    /// The comrades whose loss it knows of, one bit for each id.
    pub mourns: u64,
    /// The remaining ticks that it is unconscious.
    pub sleep: u16,
    /// Whether it lies hidden, so that no one finds or misses it.
    pub stowed: bool,
}

impl Guard {
    /// A calm guard at its home, with 1 health and without a lantern.
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

    /// Whether it stands and is not asleep on duty.
    pub fn is_awake(&self) -> bool {
        !self.alert_state.is_down() && !self.is_asleep()
    }

    /// Whether it is asleep on duty.
    pub fn is_asleep(&self) -> bool {
        self.alert_state == AlertState::Calm && self.duty == Duty::Sleep
    }

    /// Whether it stands, and so blocks its cell.
    pub fn is_standing(&self) -> bool {
        !self.alert_state.is_down()
    }

    /// Changes the duty of a sleeper to patrol or post, for good.
    pub(crate) fn get_up(&mut self) {
        if self.duty == Duty::Sleep {
            self.duty = match self.route.len() {
                0 | 1 => Duty::Post,
                _ => Duty::Patrol,
            };
        }
    }

    /// Wakes the guard if it is asleep. It does not go back to sleep.
    pub(crate) fn wake(&mut self) {
        if self.is_asleep() {
            self.get_up();
        }
    }

    /// Changes the alert state, and resets its timer and path.
    pub(crate) fn set_alert_state(&mut self, alert_state: AlertState) {
        if self.alert_state != alert_state {
            self.alert_state = alert_state;
            self.ticks = 0;
            self.path.clear();
        }
    }
}
