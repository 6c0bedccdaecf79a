//! The rules of Gutterlight, a turn-based torch-stealth roguelike.
//!
//! The player is a thief who descends five floors of a drowned keep, takes the Ember, and climbs
//! out again with every guard awake. Guards see what is lit and hear what is loud.
//!
//! The crate has no window, no clock and no files. A game is a pure function of a seed and a list
//! of actions, and gives the same result on every machine.
//!
//! ```
//! use gutterlight_rules::{Action, Difficulty, Direction, World};
//!
//! let mut world = World::new(7, Difficulty::Thief);
//! for way in Direction::ALL {
//!     match world.act(Action::Sneak(way)) {
//!         Ok(events) => println!("{} things happened", events.len()),
//!         Err(refusal) => println!("{refusal}"),
//!     }
//! }
//! let view = world.view();
//! println!("lit {} of 100, in {}", view.light_gem(), view.theme().name());
//! ```
//!
//! # Turns
//!
//! ```text
//!   Action -> the thief acts -> [ guards act on what they knew -> light settles -> all guards
//!                                 perceive, and update their alert states ]   for each beat
//!          -> Vec<GameEvent>: what the thief saw, heard and felt
//! ```
//!
//! Time is counted in ticks. Four ticks are one beat ([`BEAT`]). A step takes one beat at a walk,
//! two beats when sneaking and half a beat when running.
//!
//! - **Light.** Each floor has one [`LightGrid`]. A guard sees the thief if the thief is in line of
//!   sight, inside the guard's cone, *and* lit: for each [`LightBand`] there is a distance up to
//!   which the guard sees it. The same holds for the thief, who sees what is lit, feels the
//!   neighboring cells, and remembers the rest.
//! - **Noise.** Every action has a reach. Sound travels around walls, and doors and curtains muffle
//!   it.
//! - **Guards** have an [`AlertState`]. Their awareness grows with every beat in which they see the
//!   thief, and with every sound. A guard that becomes sure raises the [`Alarm`] of the floor,
//!   which is measured in bells.
//! - **The night** ends. From dawn on, all bells ring on every floor, and hunters come one after
//!   another. In full daylight, the thief is caught.
//! - **Floors** are generated from the seed, and each one is proven to be playable: a careful
//!   walker can stay mostly in the dark. A floor can have a [`Twist`].
//!
//! # Overview
//!
//! - [`World::act`] is the only way to change a game.
//! - [`World::view`] returns a [`View`] of what the player is allowed to know. A front end that
//!   draws only this cannot give anything away.
//! - [`World::save`] and [`World::load`] store a game; a [`Replay`] stores its actions.
//! - A [`Bot`] plays a game with nothing but a [`View`].
//! - [`drawing`] converts floors to and from text.
//! - [`rules`] has every number of the game. The standard rules are in `assets/rules.ron`.
//!
//! # Structure
//!
//! Modules import only from rows above them:
//!
//! ```text
//!    data        tile fixture item guard action event floor thief rules story -> world (the state)
//!    physics     path fog light sight; awareness (hearing too) -> sound
//!    behavior    ai (guards), opening, night, twist, act (the thief's actions); generate (new floors)
//!    a game      turn -> game (begins, acts) -> view, save, replay, bots, score, invariants
//! ```
//!
//! Behavior is implemented as functions on a [`World`], in modules that are named after the
//! subject: `fire::kindle(world)` is in `act/fire.rs`.
//!
//! The `gutterlight` crate draws the game. Its command line plays replays, runs bots and draws
//! floors.

mod act;
mod action;
mod ai;
mod awareness;
mod bots;
mod dice;
mod direction;
pub mod drawing;
mod event;
mod fixture;
pub mod floor;
mod fog;
mod game;
mod generate;
mod guard;
mod heat;
mod invariants;
mod item;
mod light;
mod limits;
mod night;
mod odds;
mod opening;
mod path;
mod plane;
mod replay;
pub mod rules;
pub mod save;
#[cfg(test)]
mod scenes;
mod score;
mod sight;
mod sound;
mod sound_field;
mod sound_source;
mod story;
mod survey;
mod thief;
mod tile;
mod travel;
mod turn;
mod twist;
mod view;
mod world;

pub use action::{Action, Refusal};
pub use bots::{Bot, MOST_TURNS, Mind};
pub use direction::{Direction, steps_between};
pub use event::{Bark, Blackout, Ending, GameEvent, Hour, Sound, Who};
pub use fixture::{Fixture, FixtureKind};
pub use floor::{Alarm, FLOORS, MOST_BELLS, Memory, Theme, Twist};
pub use generate::{Flaw, Proof};
pub use glam::IVec2;
pub use guard::{AlertState, Duty, Guard, GuardId, GuardKind, Lantern};
pub use heat::{Burden, Heat};
pub use invariants::InvariantViolation;
pub use item::{Item, Placed, Stack, Tool, Torch};
pub use lanternfell_lightgrid::{LightBand, LightGrid};
pub use plane::Plane;
pub use replay::{Replay, ReplayError, Steps};
pub use rules::{BEAT, Difficulty, Rules, RulesError};
pub use save::SaveError;
pub use story::{Doused, Sighting, Story};
pub use survey::Survey;
pub use thief::{Ember, Perk, Tally, Thief};
pub use tile::{Door, Ground, Tile};
pub use view::{Explanation, SeenGuard, Sight, View};
pub use world::World;

/// Compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
