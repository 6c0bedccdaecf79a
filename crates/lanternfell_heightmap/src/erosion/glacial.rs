//! Glacial erosion: ice turns the valleys of rivers into troughs.
//!
//! Problem: rivers cut valleys like a V. Where there were glaciers, valleys are like a U: wide
//! floors between steep walls, deeper than any river could make them, which the sea drowns to fjords;
//! they begin in round hollows below the peaks, the cirques, and side valleys hang high above the
//! main one, whose ice was thicker.
//!
//! Idea: a trough's cross section is close to a parabola, and all of them to the same one, since ice
//! that is twice as thick is also wider. So along each glacier's way lies its bed, and over each cell
//! of a bed stands a parabola; the land is cut down to the lowest of them, the lower envelope:
//!
//! ```text
//!   \     .          /        \     .          /      \                /
//!    \  .' '.      /           \__ / \        /        \  hanging     /
//!     \'     '.  /      ->      |     \      /    ->    '-._    .   .'
//!      '       '/               |      '.__.'               '._/ '-'
//! ```
//!
//! That gives all of the above at once: walls where the parabola meets the old slope, cirques
//! where a bed begins, hanging valleys where a small bed meets a large one.
//!
//! Steps:
//! 1. Snow: each cell above the equilibrium line wins ice, in proportion to its height over it.
//! 2. Ice runs as water would, summed downstream. Below the line it melts, 1.75 times as fast as it
//!    grows above, over a width that is the square root of the ice; a glacier ends where all has.
//! 3. Where enough ice passes, the bed lies below the ground by a depth that grows with the
//!    ice to the power of 0.375.
//! 4. The lower envelope of the parabolas over all beds (see `envelope`), and the lower of it
//!    and the ground.
//!
//! Cost: that of the drainage, and O(n) besides, rows in parallel: no sum over beds and cells. Memory:
//! 12 bytes per cell beside the drainage.
//!
//! Sources: Svensson, *Is the cross-section of a glacial valley a parabola?*, 1959; Graf, *The
//! geomorphology of the glacial valley cross section*, 1970, for depth by width, 0.24 to 0.45; Bahr,
//! Meier and Peckham, *The physical basis of glacier volume-area scaling*, 1997, for the power; Rea,
//! *Defining modern day Area-Altitude Balance Ratios*, 2009, for the 1.75.

mod part;

pub(crate) use self::part::IceGuide;
use crate::{
    Cancelled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress, Scale,
    envelope,
    hydrology::{Drainage, Hydrology},
    parameter::parameters,
    rows,
};

parameters! {
    /// Glacial erosion: valleys become troughs, with cirques at their heads.
    ///
    /// Ground only gets lower: floors by the depth, walls by what they stand in the way. Heights may
    /// leave their range.
    ///
    /// # The rules
    /// It is done once. `z` are heights, `z_max` the greatest, `e` the equilibrium line, `R` the relief
    /// in metres and `c` the spacing:
    ///
    /// 1. Balance of a cell: `b = (z - e) / (z_max - e)`.
    /// 2. Ice, from the crests down along the map's drainage: a cell has what its donors hand on and
    ///    `max(0, b)`; it hands on what it has less what melts, `1.75 max(0, -b) max(1, sqrt(ice))`, at least 0.
    /// 3. Where the ice `q` that is handed on is at least `share` times the number of cells, the bed
    ///    lies at `z - depth / R (q / q_max)^0.375`.
    /// 4. Each cell becomes the lowest of its height and of all beds' parabolas,
    ///    `bed + 4 depth c^2 / (width^2 R) r^2`, where `r` is how many cells the bed is away.
    ///
    /// Cells are taken as squares.
    ///
    /// Sources: Svensson, 1959, and Graf, 1970, for the parabola; Bahr, Meier and Peckham, *The physical
    /// basis of glacier volume-area scaling*, 1997, for 0.375; Rea, *Defining modern day
    /// Area-Altitude Balance Ratios*, 2009, for 1.75.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, FractalNoise, MapSize, Progress, Scale, erosion::GlacialErosion};
    ///
    /// let (size, progress) = (MapSize::new(128, 128)?, Progress::default());
    /// let mountains = FractalNoise::default().generate(size, 7, &progress)?;
    /// let scale = Scale { spacing: 30.0, relief: 1500.0 };
    /// let context = FilterContext { scale, ..FilterContext::new(size, 7) };
    /// let mut map = mountains.clone();
    /// GlacialErosion::default().erode(&mut map, &context, &progress)?;
    /// let cut = map.heights().iter().zip(mountains.heights()).filter(|(after, before)| after < before);
    /// assert!(cut.count() > 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct GlacialErosion: "glacial erosion" {
        /// The height on the map above which more snow falls than melts.
        pub equilibrium_line: f64 = 0.5, in -1e6..=1e6, slider 0.0..=1.0;
        /// How deep the largest glacier cuts into its valley's floor.
        pub depth: f64 = 250.0, in 0.0..=100_000.0, unit "metres", slider 0.0..=1000.0;
        /// How wide a trough of that depth is at its top.
        pub width: f64 = 1000.0, in 1.0..=100_000.0, unit "metres", slider 100.0..=5000.0;
        /// How much ice makes a glacier, as a share of what would gather if the whole map was as snowy
        /// as its highest cell: with less there are more cirques.
        pub share: f64 = 0.0005, in 0.0..=1.0, slider 0.0..=0.01;
    }
}

/// How much faster ice melts below the line than it grows above.
const MELT: f64 = 1.75;

/// By which power of the ice a glacier gets thicker.
const THICKENING: f64 = 0.375;

/// The parts of the work at which the water's ways are known, and the ice.
const DRAINED: f32 = 0.6;
const FROZEN: f32 = 0.7;

impl GlacialErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Lets glaciers deepen and widen the map's valleys. The context's seed plays no part.
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
        if self.depth == 0.0 {
            return Ok(progress.step(1, 1)?);
        }
        let drainage = Hydrology::default().drain(map, &progress.span(0.0, DRAINED))?;
        let snow = Snow {
            line: self.equilibrium_line,
            highest: map.range().1,
            narrowest: 1.0,
        };
        let ice = snow.gather(map, &drainage, &[], &progress.span(DRAINED, FROZEN))?;
        let depths = self.depths(most(&ice), ice.len() as f64, context.scale);
        let beds = depths.beds(map, &ice);
        drop(ice);
        let bend = self.bend(context.scale);
        let troughs = envelope::lower(beds, map.width(), bend, &progress.span(FROZEN, 0.95))?;
        cut(map, |x, y| troughs.at(x, y), &progress.span(0.95, 1.0));
        Ok(())
    }

    /// How deep beds lie on a map of so many cells where no more ice passes any.
    fn depths(&self, most: f64, cells: f64, scale: Scale) -> Depths {
        Depths {
            most,
            least: (self.share * cells).max(f64::MIN_POSITIVE),
            depth: self.depth,
            relief: scale.relief.into(),
        }
    }

    /// How a trough's parabola rises, in heights by square cells.
    fn bend(&self, scale: Scale) -> f64 {
        let (cell, relief) = (f64::from(scale.spacing), f64::from(scale.relief));
        4.0 * self.depth / (self.width * self.width) * cell * cell / relief
    }
}

/// Where ice comes from and where it goes.
struct Snow {
    line: f64,
    /// The greatest height of the whole map.
    highest: f32,
    /// How wide a tongue of ice is at least, in cells: one of the map or, on a coarse map, of the world.
    narrowest: f64,
}

impl Snow {
    /// The ice that passes each cell, with what comes in at some: 1 is what a cell wins at the greatest
    /// height.
    fn gather(
        &self,
        map: &Heightmap,
        drainage: &Drainage,
        inflows: &[(usize, f64)],
        progress: &Progress,
    ) -> Result<Vec<f64>, Cancelled> {
        let highest = f64::from(self.highest) - self.line;
        if highest <= 0.0 {
            return Ok(vec![0.0; map.size().cells()]);
        }
        let above = |height: f32| (f64::from(height) - self.line) / highest;
        let snow = |&height: &f32| above(height).max(0.0);
        let mut ice: Vec<f64> = map.heights().iter().map(snow).collect();
        for &(cell, more) in inflows {
            ice[cell] += more;
        }
        drainage.flow.downstream(progress, |cell, receiver| {
            // A tongue of ice is wider than the cell in its middle.
            let width = libm::sqrt(ice[cell]).max(self.narrowest);
            let melted = (-MELT * above(map.heights()[cell])).max(0.0) * width;
            ice[cell] = (ice[cell] - melted).max(0.0);
            ice[receiver] += ice[cell];
        })?;
        Ok(ice)
    }
}

/// How deep glaciers cut by how much ice passes.
struct Depths {
    most: f64,
    /// With less there is no glacier.
    least: f64,
    /// In metres, where the most ice passes.
    depth: f64,
    relief: f64,
}

impl Depths {
    /// The heights of the beds; infinite where there is no glacier.
    fn beds(&self, map: &Heightmap, ice: &[f64]) -> Vec<f32> {
        let bed = |(&ice, &height): (&f64, &f32)| {
            if ice < self.least {
                return f32::INFINITY;
            }
            let depth = self.depth * libm::pow(ice / self.most, THICKENING);
            (f64::from(height) - depth / self.relief) as f32
        };
        ice.iter().zip(map.heights()).map(bed).collect()
    }
}

fn most(ice: &[f64]) -> f64 {
    ice.iter().copied().fold(0.0, f64::max)
}

/// Lowers the map to the troughs.
fn cut(map: &mut Heightmap, trough: impl Fn(usize, usize) -> f32 + Sync, progress: &Progress) {
    let width = map.width();
    rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
        for (x, height) in row.iter_mut().enumerate() {
            *height = height.min(trough(x, y));
        }
    })
    // What is done is done, even if it was cancelled just now.
    .ok();
}
