//! Glacial erosion: ice reshapes river valleys into troughs.
//!
//! Problem: rivers cut V-shaped valleys, but glaciers leave U-shaped ones. These have wide floors between steep walls,
//! and are deeper than rivers could cut them; where the sea floods them they are fjords. They start in round hollows
//! below the peaks (cirques). Side valleys hang high above the main valley, where the ice was thicker.
//!
//! Idea: the cross section of a trough is close to a parabola. All troughs can use the same parabola, because thicker
//! ice is also wider. Each glacier has a bed along its path, and each cell of the bed has a parabola above it. The
//! terrain is cut down to the lower envelope of all parabolas:
//!
//! ```text
//!   \     .          /        \     .          /      \                /
//!    \  .' '.      /           \__ / \        /        \  hanging     /
//!     \'     '.  /      ->      |     \      /    ->    '-._    .   .'
//!      '       '/               |      '.__.'               '._/ '-'
//! ```
//!
//! This produces all of these shapes: walls where the parabola meets the old slope, cirques where a bed starts, and
//! hanging valleys where a small bed meets a large one.
//!
//! Steps:
//!
//! 1. Snow: each cell above the equilibrium line gains ice in proportion to its height above the line.
//! 2. Ice flows like water, and is summed downstream. Below the line it melts, 1.75 times as fast as it grows above,
//!    over a width that is the square root of the amount of ice. A glacier ends where all its ice has melted.
//! 3. Where enough ice passes, the bed is below the terrain by a depth that grows with the amount of ice to the power
//!    of 0.375.
//! 4. Take the lower envelope of the parabolas over all beds (see `envelope`), and the minimum of it and the terrain.
//!
//! Cost: that of the drainage, plus O(n) with rows in parallel. There is no sum over pairs of beds and cells. Memory:
//! 12 bytes per cell in addition to the drainage.
//!
//! Sources: Svensson, *Is the cross-section of a glacial valley a parabola?*, 1959; Graf, *The geomorphology of the
//! glacial valley cross section*, 1970, for the ratio of depth to width, 0.24 to 0.45; Bahr, Meier and Peckham, *The
//! physical basis of glacier volume-area scaling*, 1997, for the power; Rea, *Defining modern day Area-Altitude Balance
//! Ratios*, 2009, for the 1.75.

mod part;

pub(crate) use self::part::IceGuide;
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress, Scale,
    envelope,
    hydrology::{Drainage, Hydrology},
    parameter::parameters,
    rows,
};

parameters! {
    /// Glacial erosion: reshapes valleys into troughs with cirques at their heads.
    ///
    /// The terrain only becomes lower: valley floors by `depth`, and walls where they are inside a trough. Heights may
    /// leave their range.
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
    ///
    /// # Algorithm
    /// It runs once, without iteration. `z` are heights, `z_max` the highest one, `e` the equilibrium line, `R` the
    /// relief in meters and `c` the spacing:
    ///
    /// 1. Mass balance of a cell: `b = (z - e) / (z_max - e)`.
    /// 2. Ice flows from the ridges down along the drainage of the map. The ice of a cell is the inflow from its donors
    ///    plus `max(0, b)`. Its outflow is this less what melts, `1.75 max(0, -b) max(1, sqrt(ice))`, but at least 0.
    /// 3. Where the outflow `q` is at least `share` times the number of cells, the bed is at
    ///    `z - depth / R (q / q_max)^0.375`.
    /// 4. The new height of a cell is the minimum of its old height and the parabolas of all beds,
    ///    `bed + 4 depth c^2 / (width^2 R) r^2`, where `r` is the distance to the bed in cells.
    ///
    /// Cells count as squares.
    ///
    /// Sources: Svensson, 1959, and Graf, 1970, for the parabola; Bahr, Meier and Peckham, *The physical basis of
    /// glacier volume-area scaling*, 1997, for 0.375; Rea, *Defining modern day Area-Altitude Balance Ratios*, 2009,
    /// for 1.75.
    #[derive(Copy)]
    pub struct GlacialErosion: "glacial erosion" {
        /// The height above which more snow falls than melts, on the map's scale of heights.
        pub equilibrium_line: f64 = 0.5, in -1e6..=1e6, slider 0.0..=1.0;
        /// How deep the largest glacier cuts into its valley floor.
        pub depth: f64 = 250.0, in 0.0..=100_000.0, unit "meters", slider 0.0..=1000.0;
        /// The width at the top of a trough that is `depth` deep.
        pub width: f64 = 1000.0, in 1.0..=100_000.0, unit "meters", slider 100.0..=5000.0;
        /// The smallest amount of ice that forms a glacier, as a fraction of the ice if the whole map were as snowy as
        /// its highest cell; smaller values give more cirques.
        pub share: f64 = 0.0005, in 0.0..=1.0, slider 0.0..=0.01;
    }
}

/// The ratio of melting below the equilibrium line to growth above it.
const MELT: f64 = 1.75;

/// The exponent of glacier depth as a function of the amount of ice.
const THICKENING: f64 = 0.375;

/// The fractions of the work after which the drainage and the ice are known.
const DRAINED: f32 = 0.6;
const FROZEN: f32 = 0.7;

impl GlacialErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, and its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Deepens and widens the valleys of the map. The seed of the context is not used.
    ///
    /// # Errors
    /// If a parameter or the scale is out of range, or the work is canceled. The map is then unchanged.
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
        let drainage = Hydrology::default().drain_like_flood(map, &progress.span(0.0, DRAINED))?;
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

    /// The depths of beds on a map of this many cells, where `most` is the largest amount of ice.
    fn depths(&self, most: f64, cells: f64, scale: Scale) -> Depths {
        Depths {
            most,
            least: (self.share * cells).max(f64::MIN_POSITIVE),
            depth: self.depth,
            relief: scale.relief.into(),
        }
    }

    /// The curvature of a trough's parabola, in heights per square cell.
    fn bend(&self, scale: Scale) -> f64 {
        let (cell, relief) = (f64::from(scale.spacing), f64::from(scale.relief));
        4.0 * self.depth / (self.width * self.width) * cell * cell / relief
    }
}

/// The parameters of snowfall and melting.
struct Snow {
    line: f64,
    /// The maximum height of the whole map.
    highest: f32,
    /// The smallest width of a glacier in cells: one cell of the map or, on a coarse map, of the world.
    narrowest: f64,
}

impl Snow {
    /// The ice that leaves each cell, including `inflows` at some cells. The unit is the snow of a cell at the maximum
    /// height.
    fn gather(
        &self,
        map: &Heightmap,
        drainage: &Drainage,
        inflows: &[(usize, f64)],
        progress: &Progress,
    ) -> Result<Vec<f64>, Canceled> {
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
            // A glacier is wider than the cell in its middle.
            let width = libm::sqrt(ice[cell]).max(self.narrowest);
            let melted = (-MELT * above(map.heights()[cell])).max(0.0) * width;
            ice[cell] = (ice[cell] - melted).max(0.0);
            ice[receiver] += ice[cell];
        })?;
        Ok(ice)
    }
}

/// The depth of glaciers as a function of the amount of ice.
struct Depths {
    most: f64,
    /// There is no glacier with less ice than this.
    least: f64,
    /// In meters, where the most ice passes.
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
    // The map is complete, so a late cancellation is ignored.
    .ok();
}
