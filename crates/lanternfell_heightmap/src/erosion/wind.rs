//! Wind erosion: loose sand hops along with the wind and heaps up to dunes.
//!
//! Problem: dunes are not noise. They have one wind, a gentle back towards it and a slip face
//! in its lee, at the angle at which sand lies; where there is much sand they are long walls
//! across the wind, where there is little they are crescents, whose horns point away from it.
//!
//! Idea: nothing of that is put in. Sand lies on the ground in slabs. The wind takes a slab up, carries it
//! some cells along and lets it fall: more often where sand lies than on bare ground, off which it
//! bounces, and always in the lee of what stands upwind, where there is no wind. What is too
//! steep then slides. Dunes grow out of that by themselves, and wander.
//!
//! ```text
//!   wind ->       __..--#.  lee: no wind below this line,
//!           __..--########|'-.   which falls by 15 degrees
//!   __..--################|   '-.
//!   windward side          ^ slip face, at the angle of repose
//! ```
//!
//! Steps, so many times:
//! 1. Along each line of cells in the wind's direction: what lies in a lee; then from cell to
//!    cell, a toss decides whether the wind takes a slab there, and after each hop of it another
//!    whether it stays.
//! 2. Twice: every cell of sand that stands too high above its lowest neighbor, of eight, gives it a
//!    slab.
//!
//! Then, until nothing moves, step 2. A hop gets longer with the height above the mean of the line, since
//! the wind is faster there: that keeps dunes lower.
//!
//! Sand leaves over the border in the lee and comes in again at the other end of its line, so none
//! is lost: it is counted in whole slabs. The lines are digital ones, and each cell lies on one
//! (see `lines`): so any wind is as good as one along the axes, and lines are blown over in parallel,
//! each with its own random numbers, which follow from the seed, the step and the line.
//!
//! Cost: about 65 ns for each cell and step on one core. 17 bytes for each cell beside the map.
//!
//! Source: Werner, *Eolian dunes: Computer simulations and attractor interpretation*, Geology 23,
//! 1995, for all but the longer hops, which are from Momiji, Carretero-Gonzalez, Bishop and Warren,
//! *Simulation of the effect of wind speedup in the formation of transverse dune fields*, 2000, with a
//! number of our own.

mod blow;
mod field;
mod lines;
mod slip;

use self::{
    blow::{Column, Wind},
    field::Field,
    lines::Lines,
    slip::Slip,
};
use crate::{
    Cancelled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress,
    parameter::parameters, rows,
};

parameters! {
    /// Wind erosion: sand on the ground is blown together to dunes.
    ///
    /// The map is the hard ground, on which the sand is strewn first; it stays as it is.
    ///
    /// # The rules
    /// Sand is slabs, each 0.3 of a cell's spacing high; at first `sand` metres of them lie everywhere, parts
    /// of a slab by chance as one or none. In one step:
    ///
    /// 1. Along each line of cells in the wind's direction a cell is in the lee if it lies below a line
    ///    that falls by 15 degrees from any cell upwind.
    /// 2. From the first cell of the line to the last: with sand, outside the lee, and by a chance of 1/2, a
    ///    slab leaves it. It hops by `hop` cells, and 0.15 cells more for each slab that the cell stands above
    ///    the line's mean, up to 20 times as far. There it stays in the lee always, on sand by a chance of
    ///    `settling`, on bare ground of 2/3 of that; or else it hops on. Beyond the line's end it goes on
    ///    at its beginning.
    /// 3. Twice: every cell with sand that rises above the neighbor, of eight, to which it falls most
    ///    steeply, by more than `tan(angle)` times the distance, gives that one a slab; all at once.
    ///
    /// In the end 3 is repeated until nothing moves, at most 10,000 times. Cells are taken as squares.
    ///
    /// Sources: Werner, *Eolian dunes*, Geology 23, 1995; Momiji, Carretero-Gonzalez, Bishop and Warren,
    /// *Simulation of the effect of wind speedup in the formation of transverse dune fields*, 2000, for
    /// the longer hops.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, Heightmap, MapSize, Progress, Scale, erosion::WindErosion};
    ///
    /// let size = MapSize::new(128, 128)?;
    /// let mut map = Heightmap::flat(size);
    /// let scale = Scale { spacing: 2.0, relief: 100.0 };
    /// let context = FilterContext { scale, ..FilterContext::new(size, 7) };
    /// WindErosion::default().erode(&mut map, &context, &Progress::default())?;
    /// let (low, high) = map.range();
    /// assert!((high - low) * scale.relief > 3.0); // dunes of some metres
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct WindErosion: "wind erosion" {
        /// Where the wind comes from, clockwise from north.
        pub wind_from: f64 = 270.0, in -360.0..=360.0, unit "degrees";
        /// How deep the sand lies at first, everywhere. A little makes crescents on bare ground, much
        /// makes walls across the wind.
        pub sand: f64 = 3.0, in 0.0..=10_000.0, unit "metres", slider 0.0..=20.0;
        /// How long it blows: so many times every cell's sand has had the chance to be taken up. Dunes
        /// grow and become fewer.
        pub steps: u32 = 400, in 0..=100_000, slider 0..=2000;
        /// How far a slab of sand hops at a time.
        pub hop: u32 = 5, in 1..=100, unit "cells", slider 1..=20;
        /// How often a slab that falls on sand stays there; a slab that falls on bare ground stays two
        /// thirds as often, and one in a lee always.
        pub settling: f64 = 0.6, in 0.01..=1.0;
        /// The steepest slope of sand that holds: the slip face's.
        pub angle: f64 = 33.0, in 20.0..=45.0, unit "degrees";
    }
}

/// The height of a slab of sand, as a part of a cell's width: so that one slab less than upwind already
/// lies in the lee, from which dunes begin, and two are about as steep as sand lies.
const SLAB: f64 = 0.3;

/// The most slabs that lie on a cell at first, so that their numbers are exact in `f32`.
const MOST: f64 = 1e6;

/// How often too steep sand slides after each time the wind blew.
const SLIDES: u32 = 2;

/// How often it may slide in the end; it is at rest after far fewer (see `slip`).
const LAST_SLIDES: u32 = 10_000;

impl WindErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Strews sand over the map and lets the wind blow. No height becomes lower; the sand on it all
    /// together is what was strewn, to rounding.
    ///
    /// # Errors
    /// When a parameter is out of its range or the work was cancelled; the map is as it was.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        context.scale.validate()?;
        let slab = SLAB * f64::from(context.scale.spacing);
        let strewn = (self.sand / slab).min(MOST);
        if strewn == 0.0 {
            return Ok(progress.step(1, 1)?);
        }
        let lines = Lines::new(map.size(), self.wind_from);
        let per_height = f64::from(context.scale.relief) / slab;
        let field = self.blown(
            Field::bare(map, per_height),
            &lines,
            strewn,
            context.seed,
            progress,
        )?;
        for (height, &sand) in map.heights_mut().iter_mut().zip(&field.sand) {
            let top = f64::from(*height) + f64::from(sand) / per_height;
            *height = top.min(f32::MAX.into()) as f32;
        }
        // What is done is done, even if it was cancelled just now.
        progress.step(1, 1).ok();
        Ok(())
    }

    /// The ground with so many slabs on each cell, after the wind has blown over them.
    fn blown(
        &self,
        mut field: Field,
        lines: &Lines,
        strewn: f64,
        seed: u64,
        progress: &Progress,
    ) -> Result<Field, Cancelled> {
        let wind = Wind::new(self, lines.step, seed);
        let mut columns = vec![Column::default(); field.sand.len()];
        let limit = libm::tan(self.angle.to_radians()) / SLAB;
        let mut slip = Slip::new(limit as f32, field.sand.len());
        rows::in_pool(|| {
            progress.check()?;
            wind.strew(strewn, &mut field, lines, &mut columns)?;
            for step in 0..self.steps {
                progress.step(step as usize, self.steps as usize + 1)?;
                wind.blow(step, &mut field, lines, &mut columns)?;
                for _ in 0..SLIDES {
                    slip.slide(&mut field)?;
                }
            }
            for _ in 0..LAST_SLIDES {
                progress.check()?;
                if !slip.slide(&mut field)? {
                    break;
                }
            }
            Ok(field)
        })
    }
}
