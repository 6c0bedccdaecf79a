//! Loops: torch, drone, heart and room tone.
//!
//! Each loop is generated block by block from random numbers and the scene, and never repeats. A
//! [`Scene`] has the parameters, which change smoothly.

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

/// The parameters of the loops. All but the theme are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scene {
    /// The theme, which determines the room tone and the reverb.
    pub theme: Theme,
    /// How near a torch is. 1 is in hand.
    pub torch: f32,
    /// How strongly the torch gutters.
    pub guttering: f32,
    /// How dark it is around the thief.
    pub darkness: f32,
    /// How alarmed the keep is.
    pub alarm: f32,
    /// The remaining nerve. Below 0.5 the heart is audible.
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

/// All loops.
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
    /// Creates the loops in the state of a scene.
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

    /// Changes smoothly to another scene.
    pub fn aim(&mut self, scene: Scene) {
        self.level.aim(within(scene.torch, 0.0, 1.0));
        self.guttering.aim(within(scene.guttering, 0.0, 1.0));
        self.darkness.aim(within(scene.darkness, 0.0, 1.0));
        self.alarm.aim(within(scene.alarm, 0.0, 1.0));
        self.nerve.aim(within(scene.nerve, 0.0, 1.0));
        self.room.aim(scene.theme);
    }

    /// Adds the next block of all loops.
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
