//! River deltas: channels that branch towards the sea, and the sediment plain that they have built.
//!
//! Problem: where a river meets the sea it deposits its sediment, blocks its own path, and breaks out to the side,
//! again and again. The result is an inverted tree of channels, with fingers of land along each channel, bays between
//! the fingers, and shallow water in front of them. Neither noise nor the erosion of existing terrain produces that
//! shape, because the river builds the terrain itself.
//!
//! Idea: first the tree, then the terrain around it.
//!
//! ```text
//!        |  the river           the plain is wide
//!   _____|______ old coast      along old, large       .--.___|___.--.
//!        +--.                   channels             .'   +---.       '.
//!       / \  \                                        '. / \  |\  .---'
//!      /\  \  |\                                   bay  |\  | | \ |
//!     mouths in a fan                                   '-' '-' '-'
//! ```
//!
//! Steps:
//! 1. Channels (module `channels`): the mouths are placed one after the other, each where there is the most room. Each
//!    is joined to an existing channel such that both the new channel and the path from the apex are short. The flow
//!    through a channel is the sum of what leaves through its mouths.
//! 2. Plain: each cell of a channel is the top of a parabola, which is higher the further the sea is along the channel
//!    and the larger the flow is. Terrain is above water where the upper envelope of the parabolas is above 0. So the
//!    plain is wide along old channels and ends in a tip at each mouth. Below 0, the sea floor slopes down.
//! 3. Beds: the terrain is below the sea within half a channel's width of its center line. The width is proportional to
//!    the square root of the flow.
//!
//! Cost: O(n) for the terrain, in two parallel sweeps of lines; mouths times nodes for the channels. Memory: twice the
//! map.
//!
//! Sources: the cost of a junction is from Gastner and Newman, *The spatial structure of networks*, 2006; widths from
//! Leopold and Maddock, *The hydraulic geometry of stream channels*, 1953; the shape of deltas from Coleman and Wright,
//! *Modern river deltas*, 1975. The envelope is computed by the module `envelope`.

mod arm;
mod channels;
mod stamp;

pub use self::channels::{ChannelNode, RiverDeltaDraws};

use self::stamp::Banks;
use crate::{
    Canceled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, envelope,
    evaluate::{Parts, evaluate},
    parameter::parameters,
    rows,
};

parameters! {
    /// A river delta: channels that branch towards the sea, and the plain that they have built.
    ///
    /// The river enters in the middle of the northern border. The sea floor goes down to height 0, the sea level is
    /// [`SEA_LEVEL`](RiverDelta::SEA_LEVEL) (0.5), and the plain is at most 0.05 above it.
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
        /// The number of channels that reach the sea.
        pub mouths: u32 = 60, in 1..=1000, slider 1..=200;
        /// The distance from the apex, where the river first branches, to the furthest mouths.
        pub length: f64 = 360.0, in 4.0..=16_384.0, unit "cells", slider 32.0..=2000.0 log;
        /// The angle of the fan of mouths.
        pub spread: f64 = 150.0, in 0.0..=240.0, unit "degrees";
        /// The width of the river before it branches.
        pub width: f64 = 14.0, in 1.0..=1000.0, unit "cells", slider 2.0..=60.0;
        /// How far the plain extends to both sides of the river: less gives a bird's-foot delta, more a plain without
        /// bays.
        pub reach: f64 = 50.0, in 1.0..=4096.0, unit "cells", slider 4.0..=300.0;
        /// The weight of the path from the apex when a channel picks its branching point: 0 branches from the nearest
        /// channel, 1 runs straight to the sea.
        pub directness: f64 = 0.3, in 0.0..=1.0;
        /// How much the channels meander.
        pub winding: f64 = 1.0, in 0.0..=3.0;
    }
}

/// The largest height of the plain above the sea.
const PLAIN: f64 = 0.05;

/// The exponent that converts the envelope into height. It makes the plain flat, with low banks.
const FLATNESS: f64 = 0.35;

/// The width of the shallow water: the depth of the sea floor is a bell curve of this many times the reach.
const SHALLOWS: f64 = 2.0;

impl RiverDelta {
    /// The height of the sea.
    pub const SEA_LEVEL: f32 = 0.5;

    /// Checks every parameter against its range, which does not depend on the size.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// The evaluation: the terrain around these channels.
    ///
    /// # Errors
    /// If a parameter is out of range, the draws do not match the size or do not form a tree, or the work is canceled.
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

    /// Generates the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
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
    ) -> Result<(), Canceled> {
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

    /// Half the width of the channel at a node, in cells. It is at least 0.8, so that every channel is visible on the
    /// map.
    fn half_width(&self, node: &ChannelNode) -> f64 {
        (0.5 * self.width * node.flow.sqrt()).max(0.8)
    }
}

/// The height of the plain or the sea floor where the envelope is `value`.
fn ground(value: f64) -> f32 {
    let sea = f64::from(RiverDelta::SEA_LEVEL);
    if value > 0.0 {
        (sea + PLAIN * libm::pow(value, FLATNESS)) as f32
    } else {
        (sea * libm::exp(value / (SHALLOWS * SHALLOWS))) as f32
    }
}

evaluate!(RiverDelta, Self::SEA_LEVEL, self => Parts::Whole("the channels of a delta are computed for the whole map"));
