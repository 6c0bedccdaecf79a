//! What goes on for ever: torch, drone, heart, and the room itself.
//!
//! Each loop is drawn block by block and never repeats; chance and the scene alone make it. A
//! [`Scene`] says how things stand; each number of it is gone to smoothly.

mod drone;
mod heart;
mod room;
mod torch;

use gutterlight_rules::Theme;

use super::{
    cue::within,
    smooth::{Block, Smooth},
};
use drone::Drone;
use heart::Heart;
use room::Room;
use torch::Torch;

/// How things stand around the thief. All but the theme from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scene {
    /// What the floor was built for: its room tone, and its reverb.
    pub theme: Theme,
    /// How near a torch burns: 1 in the hand.
    pub torch: f32,
    /// How badly it gutters.
    pub guttering: f32,
    /// How dark it is around the thief.
    pub darkness: f32,
    /// How much the keep is after the thief.
    pub alarm: f32,
    /// How much nerve is left; below a half the heart is heard.
    pub nerve: f32,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            theme: Theme::Cellars,
            torch: 0.0,
            guttering: 0.0,
            darkness: 0.0,
            alarm: 0.0,
            nerve: 1.0,
        }
    }
}

/// All the loops.
#[derive(Debug)]
pub struct Loops {
    torch: Torch,
    drone: Drone,
    heart: Heart,
    room: Room,
    level: Smooth,
    guttering: Smooth,
    darkness: Smooth,
    alarm: Smooth,
    nerve: Smooth,
}

impl Loops {
    /// As they stand in a scene, before anything has been heard.
    pub fn new(seed: u64, scene: Scene) -> Self {
        Self {
            torch: Torch::new(seed),
            drone: Drone::new(seed ^ 0x6472),
            heart: Heart::default(),
            room: Room::new(seed ^ 0x726F, scene.theme),
            level: Smooth::new(within(scene.torch, 0.0, 1.0), 4.0),
            guttering: Smooth::new(within(scene.guttering, 0.0, 1.0), 2.0),
            darkness: Smooth::new(within(scene.darkness, 0.0, 1.0), 0.5),
            alarm: Smooth::new(within(scene.alarm, 0.0, 1.0), 1.0),
            nerve: Smooth::new(within(scene.nerve, 0.0, 1.0), 1.0),
        }
    }

    /// Goes to another scene.
    pub fn aim(&mut self, scene: Scene) {
        self.level.aim(within(scene.torch, 0.0, 1.0));
        self.guttering.aim(within(scene.guttering, 0.0, 1.0));
        self.darkness.aim(within(scene.darkness, 0.0, 1.0));
        self.alarm.aim(within(scene.alarm, 0.0, 1.0));
        self.nerve.aim(within(scene.nerve, 0.0, 1.0));
        self.room.aim(scene.theme);
    }

    /// Adds the next block of all of them.
    pub fn add_to(&mut self, block: &mut Block) {
        let (level, guttering) = (self.level.block(), self.guttering.block());
        self.torch.add_to(block, level, guttering);
        let (darkness, alarm) = (self.darkness.block(), self.alarm.block());
        self.drone.add_to(block, darkness, alarm);
        self.nerve.block();
        self.heart.add_to(block, self.nerve.value());
        self.room.add_to(block);
    }
}
