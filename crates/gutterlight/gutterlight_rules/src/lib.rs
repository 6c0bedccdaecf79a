//! Gutterlight: the rules of a torch-stealth roguelike in which light is the rule. No screen,
//! no clock, no files: a seed and a list of actions are the whole game, on every machine.
//!
//! Down five floors of a drowned keep, past guards who see what is lit and hear what is loud, to
//! the Ember, which lights whoever carries it; and up again, with everyone awake.
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
//! # A turn
//!
//! ```text
//!   Action -> the thief does it -> [ guards act on what they knew -> light settles -> all
//!                                    perceive, and make up their minds ]   once for each beat
//!          -> Vec<GameEvent>: what the thief saw, heard and felt of it
//! ```
//!
//! Time is counted in ticks, four to a beat: a walked cell takes a beat, a sneaked one two, a
//! run one half.
//!
//! - **Light.** One [`LightGrid`] for a floor. To be seen is to be in line of sight, within
//!   a guard's cone, *and* lit: for each [`LightBand`] there is a distance from which it is seen.
//!   It is the same for the thief, who sees what is lit, feels the cells around, and
//!   remembers the rest.
//! - **Noise.** Whatever is done has a reach, which walls bend and doors shorten.
//! - **Guards** have an [`AlertState`]; how sure they are grows with every beat of seeing and
//!   every sound. Whoever is sure rings a bell; the more ring on a floor, the more it is awake.
//! - **Floors** are made from the seed and proven: a careful walker can stay mostly in the dark. Each
//!   has a [`Twist`].
//!
//! # What there is
//!
//! [`World::act`] alone changes a game. [`World::view`] tells what a player may know: draw
//! that, and nothing is given away. [`World::save`] and [`World::load`], [`Replay`]; [`Bot`]s,
//! who play with no more than a [`View`]; [`drawing`] for floors as text; [`rules`] for every
//! number, which stand in `assets/rules.ron`.
//!
//! # Structure
//!
//! Modules import only what is above them here:
//!
//! ```text
//!    data        tile fixture item guard action event floor thief rules story -> world (the state)
//!    physics     path fog light sight; awareness (hearing too) -> sound
//!    behavior    ai (guards), opening, twist, act (the thief's actions); generate (new floors)
//!    a game      turn -> game (begins, acts) -> view, save, replay, bots, score, invariants
//! ```
//!
//! Behavior is in functions on a [`World`], in the module that is named after it:
//! `fire::kindle(world)` is in `act/fire.rs`.
//!
//! Replays, games by bots and drawn floors on the command line are what the program `gutterlight`
//! has beside the game itself.

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
pub use event::{Bark, Blackout, Ending, GameEvent, Sound, Who};
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

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
