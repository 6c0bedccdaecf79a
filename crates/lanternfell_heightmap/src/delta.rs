//! A river's delta: channels that branch to the sea, and the land that they have built there.
//!
//! Problem: where a river meets the sea it drops its mud, blocks its own way, and breaks out to
//! the side, again and again. What is left is a tree of channels upside down, with fingers of land
//! along each, bays between the fingers, and shallows before them. No noise and no erosion of
//! given ground makes that: the river makes its own ground.
//!
//! Idea: first the tree, then the land around it.
//!
//! ```text
//!        |  the river           land reaches far from
//!   _____|______ old coast      old, large channels    .--.___|___.--.
//!        +--.                                        .'   +---.       '.
//!       / \  \                                        '. / \  |\  .---'
//!      /\  \  |\                                   bay  |\  | | \ |
//!     mouths in a fan                                   '-' '-' '-'
//! ```
//!
//! Steps:
//! 1. Channels (see `channels`): mouths are set one after the other, each where there is the
//!    most room, and joined to the channel from which its way to the sea is short, and its way
//!    from the apex too. What flows through a channel is what leaves by its mouths.
//! 2. Land: over each cell of a channel stands a parabola, the higher the further it is to the
//!    sea and the more water flows. Where their upper envelope is above 0 there is land, so it
//!    reaches far from old channels and ends in a tip at each mouth. Below, the bed falls off to the
//!    sea's floor.
//! 3. Beds: within half a channel's width of its middle the ground lies below the sea. Widths go
//!    with the square root of the flow.
//!
//! Cost: O(n) for the land, two sweeps of lines in parallel; mouths times nodes for the channels.
//! Memory: 3 times the map.
//!
//! Sources: the price of a joint is Gastner and Newman's, *The spatial structure of networks*,
//! 2006; widths, Leopold and Maddock, *The hydraulic geometry of stream channels*, 1953; what deltas
//! look like, Coleman and Wright, *Modern river deltas*, 1975. The envelope is that of `envelope`.

mod arm;
mod channels;
mod stamp;

pub use self::channels::{ChannelNode, RiverDeltaDraws};

use self::stamp::Banks;
use crate::{
    Cancelled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, envelope,
    evaluate::{Parts, evaluate},
    parameter::parameters,
    rows,
};

parameters! {
    /// A river's delta: channels that branch to the sea, and the land that they have built there.
    ///
    /// The river comes from the north, in the middle. Heights are from 0, the floor of the sea, to 1;
    /// the sea lies at [`SEA_LEVEL`](RiverDelta::SEA_LEVEL), the plain little above it.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapSize, Progress, RiverDelta};
    ///
    /// let delta = RiverDelta { length: 90.0, mouths: 12, ..RiverDelta::default() };
    /// let size = MapSize::new(128, 128)?;
    /// let map = delta.generate(size, 7, &Progress::default())?;
    /// for node in delta.draw(size, 7).channels {
    ///     let cell = map.get(node.x.round() as usize, node.y.round() as usize);
    ///     assert!(cell < RiverDelta::SEA_LEVEL, "water flows here");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct RiverDelta: "delta" {
        /// How many channels reach the sea.
        pub mouths: u32 = 60, in 1..=1000, slider 1..=200;
        /// How far it is from the apex, where the river first parts, to the furthest mouths.
        pub length: f64 = 360.0, in 4.0..=16_384.0, unit "cells", slider 32.0..=2000.0 log;
        /// The angle of the fan in which the mouths lie.
        pub spread: f64 = 150.0, in 0.0..=240.0, unit "degrees";
        /// How wide the river is before it parts.
        pub width: f64 = 14.0, in 1.0..=1000.0, unit "cells", slider 2.0..=60.0;
        /// How far the land reaches to both sides of the river: less leaves a bird's foot, more a
        /// plain without bays.
        pub reach: f64 = 50.0, in 1.0..=4096.0, unit "cells", slider 4.0..=300.0;
        /// How much the way from the apex to a mouth counts beside the length of what is new: at 0
        /// each new channel leaves the nearest old one, at 1 all go straight to the sea.
        pub directness: f64 = 0.3, in 0.0..=1.0;
        /// How much channels bend.
        pub winding: f64 = 1.0, in 0.0..=3.0;
    }
}

/// How high the land lies above the sea at most.
const PLAIN: f64 = 0.05;

/// By which power of the envelope the land rises: it is flat, and ends in low banks.
const FLATNESS: f64 = 0.35;

/// How soon the shallows end: the floor's depth is a bell of so many times the reach.
const SHALLOWS: f64 = 2.0;

impl RiverDelta {
    /// The height of the sea.
    pub const SEA_LEVEL: f32 = 0.5;

    /// Checks every parameter against its range. Any size will do.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// The evaluation: the land around these channels.
    ///
    /// # Errors
    /// When a parameter is out of its range, the draws are not those of a map of this size or hang
    /// together in no order, or the work was cancelled.
    pub fn evaluate(
        &self,
        size: MapSize,
        draws: &RiverDeltaDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        draws.validate(size)?;
        let tops = draws.tops(self, size);
        let bend = 1.0 / (self.reach * self.reach);
        let land = envelope::lower(tops, size.width(), bend, &progress.span(0.0, 0.7))?;
        let mut map = Heightmap::flat(size);
        rows::for_each_row(
            map.heights_mut(),
            size.width(),
            &progress.span(0.7, 0.9),
            |y, row| {
                for (x, height) in row.iter_mut().enumerate() {
                    *height = ground(-f64::from(land.at(x, y)));
                }
            },
        )?;
        self.dig(&mut map, draws, &progress.span(0.9, 1.0))?;
        Ok(map)
    }

    /// Makes the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    /// Digs the beds of all channels.
    fn dig(
        &self,
        map: &mut Heightmap,
        draws: &RiverDeltaDraws,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let channels = &draws.channels;
        for (done, node) in channels.iter().enumerate() {
            let upstream = node
                .upstream
                .map_or(node, |upstream| &channels[upstream as usize]);
            let banks = Banks::new([upstream, node], |node| self.half_width(node));
            banks.dig(map);
            progress.step(done + 1, channels.len())?;
        }
        Ok(())
    }

    /// Half the width of the channel there, in cells: never less than what a map can show.
    fn half_width(&self, node: &ChannelNode) -> f64 {
        (0.5 * self.width * node.flow.sqrt()).max(0.8)
    }
}

/// The height of land, or of the sea's floor, where the envelope is `value`.
fn ground(value: f64) -> f32 {
    let sea = f64::from(RiverDelta::SEA_LEVEL);
    if value > 0.0 {
        (sea + PLAIN * libm::pow(value, FLATNESS)) as f32
    } else {
        (sea * libm::exp(value / (SHALLOWS * SHALLOWS))) as f32
    }
}

evaluate!(RiverDelta, Self::SEA_LEVEL, self => Parts::Whole("a delta's channels branch as a whole"));
