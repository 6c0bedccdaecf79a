//! Filters, which change a map after it was generated.
//!
//! A [`Filter`] keeps the size of the map. To change the size, use [`resampled`](Heightmap::resampled),
//! [`cropped`](Heightmap::cropped) or [`repeated`](Heightmap::repeated). To combine two maps, use
//! [`Blend`](crate::Blend).
//!
//! To add a filter, write its module with its [parameters](crate::parameter) and its `impl Apply`. Then add it to the
//! enum and to `Filter::with` in this file.
//!
//! # Equivalents of THREE.Terrain and libtcod
//!
//! | THREE.Terrain or libtcod | this crate |
//! |---|---|
//! | THREE.Terrain `Clamp`, libtcod `clamp`, `normalize` | [`Clamp`](Filter::Clamp), [`Normalize`](Filter::Normalize), then [`Linear`](Filter::Linear) for other bounds |
//! | `Turbulence` | [`Turbulence`](Filter::Turbulence) of 0.5 |
//! | `Smooth`, `Gaussian`, its box blurs | [`Smooth`](Filter::Smooth): [`Box`](Smooth::Box), [`Gaussian`](Smooth::Gaussian); with a weight for the cell itself: [`Kernel`](Filter::Kernel) |
//! | `SmoothMedian`, `SmoothConservative` | [`Median`](Smooth::Median), [`Conservative`](Smooth::Conservative) |
//! | `Step` | [`Terrace`](Filter::Terrace) by equal areas at sharpness 1 |
//! | `EaseIn`, `EaseInWeak`, `EaseInStrong` | [`Gamma`](Filter::Gamma) of 2, 1.55, 7 |
//! | `EaseOut` | [`Invert`](Filter::Invert), `Gamma(2)`, `Invert` |
//! | `EaseInOut`, `InEaseOut` and custom functions | [`Curve`](Filter::Curve) |
//! | `Edges` | [`Edges`](Filter::Edges) |
//! | `RadialEdges` | [`Island`](Filter::Island) of [`Mask::Radial`]; to raise the edges, between two `Invert`s |
//! | libtcod `add`, `scale` | [`Linear`](Filter::Linear) |
//! | `add_hill`, `dig_hill`, `dig_bezier` | [`Mound`](Filter::Mound), [`Dig`](Filter::Dig) |
//! | `kernel_transform` | [`Kernel`](Filter::Kernel) |
//! | `lerp_hm`, `add_hm`, `multiply_hm` | [`Blend`](crate::Blend) `Mix`, `Add`, `Multiply` |
//! | `islandify` | [`Island`](Filter::Island), [`Shape`](Filter::Shape) |
//! | `rain_erosion` | [`HydraulicErosion`](Filter::HydraulicErosion) |
//! | `add_voronoi`, fractal noise | generators, not filters |

mod apply;
mod curve;
mod drawn;
mod edges;
mod erosions;
mod island;
mod kernel;
mod levels;
mod order;
mod part;
mod path;
mod resample;
mod sample;
mod shape;
mod sharpen;
mod smooth;
mod stretch;
mod terrace;
mod tile;
mod warp;

use self::apply::Apply;
use crate::{
    Canceled, FilterContext, FilterError, GenerateError, Heightmap, MapSize, Mask, ParamError,
    Progress, Scale,
    erosion::{
        GlacialErosion, HydraulicErosion, StreamPowerErosion, ThermalErosion, WindErosion,
        guide::Guide,
    },
    parameter::{self, variants},
    rows, text,
};

pub(crate) use self::part::{Known, Locality, ratio};
pub use self::{
    curve::Curve,
    edges::Edges,
    kernel::Kernel,
    levels::{Clamp, Linear},
    path::{Dig, Mound},
    resample::Resampling,
    shape::Shape,
    sharpen::Sharpen,
    smooth::Smooth,
    stretch::Stretch,
    terrace::Terrace,
    warp::Warp,
};

/// The largest absolute value of parameters that are heights.
const MAX_HEIGHT: f64 = 1e6;

variants! {
    /// A step that changes a map but not its size.
    ///
    /// In a recipe file, a filter is written as its name, followed by one number or its parameters in parentheses.
    /// Parameters may be omitted. Examples: `Normalize`, `Gamma(1.5)`, `Terrace((levels: 12))`,
    /// `Smooth(Gaussian(2.5))`.
    ///
    /// Heights from 0 to 1 stay in that range, unless the documentation of a filter states otherwise or its parameters
    /// are outside that range. Filters accept any finite heights and produce only finite heights.
    pub enum Filter: "filter" {
        /// Stretches the heights to fill 0 to 1; a flat map becomes 0 everywhere.
        Normalize = "normalize" | "normalise";
        /// Stretches the heights between two percentiles to fill 0 to 1.
        Stretch(Stretch) = "stretch";
        /// Raises each height to this power: broader valleys, steeper peaks, and a smaller island if the sea is
        /// slightly above 0 (Nystrom 2001). Heights below 0 count as 0. The power function is that of `libm`, which
        /// gives the same bits on every machine.
        Gamma[gamma: f64 = 2.0, in 1.0..=16.0, slider 1.0..=5.0] = "gamma" | "flatten";
        /// Clamps the heights to a range.
        Clamp(Clamp) = "clamp";
        /// Multiplies each height and adds an offset: `scale z + offset`.
        Linear(Linear) = "linear";
        /// Turns hills into hollows: `1 - z`.
        Invert = "invert";
        /// Folds the heights below this middle upwards: `|z - middle| / max(middle, 1 - middle)`. The fold becomes a
        /// sharp valley.
        Turbulence[turbulence: f64 = 0.5, in 0.0..=1.0] = "turbulence";
        /// A smooth curve through points, which maps old heights to new ones.
        Curve[points: Curve = Curve::default(),
            limit "from 2 to 64 points, each number from -1000000 to 1000000, \
                   with increasing old heights"] = "curve";
        /// Steps of level terrain.
        Terrace(Terrace) = "terrace";
        /// Smooths by a blur, mean or median.
        Smooth(Smooth) = "smooth";
        /// Deepens valleys and sharpens ridges. Heights may leave their range.
        Sharpen(Sharpen) = "sharpen";
        /// A weighted sum of the neighboring cells. Heights may leave their range.
        Kernel(Kernel) = "kernel";
        /// Distorts the terrain by noise.
        Warp(Warp) = "warp";
        /// Lowers the map towards its border, whose cells become 0, so that any map becomes an island. [`Mask::None`]
        /// changes nothing.
        Island[mask: Mask = Mask::Radial] = "island";
        /// Lowers the map to 0 around a drawn shape.
        Shape(Shape) = "shape";
        /// Blends chosen sides of the map to a height.
        Edges(Edges) = "edges";
        /// Raises a round hill. Heights may leave their range.
        Mound(Mound) = "mound";
        /// Digs a channel along a curve. Heights may leave their range.
        Dig(Dig) = "dig";
        /// Makes the map tileable: blends it with itself, shifted by half its size, over this fraction of each side.
        /// Use [`Heightmap::repeated`] to tile it.
        Seamless[seamless: f64 = 0.2, above 0.0..=0.5] = "seamless";
        /// Erosion by raindrops.
        HydraulicErosion(HydraulicErosion) = "hydraulic-erosion" | "droplets";
        /// Erosion by gravity.
        ThermalErosion(ThermalErosion) = "thermal-erosion" | "talus";
        /// Erosion by rivers.
        StreamPowerErosion(StreamPowerErosion)
            = "stream-power-erosion" | "fluvial";
        /// Erosion by glaciers. Heights may leave their range.
        GlacialErosion(GlacialErosion) = "glacial-erosion";
        /// Sand that the wind piles up into dunes.
        WindErosion(WindErosion) = "wind-erosion";
    }
}

impl Filter {
    /// The largest power of [`Gamma`](Self::Gamma). Larger powers would flatten everything but the peak.
    pub const MAX_GAMMA: f64 =
        parameter::most(parameter::parameters_of(Self::DESCRIBED, "gamma"), "gamma");

    /// Calls the implementation of the variant.
    fn with<R>(&self, call: impl FnOnce(&dyn Apply) -> R) -> R {
        match self {
            Self::Normalize => call(&levels::Normalize),
            Self::Stretch(filter) => call(filter),
            Self::Gamma(power) => call(&levels::Gamma(*power)),
            Self::Clamp(filter) => call(filter),
            Self::Linear(filter) => call(filter),
            Self::Invert => call(&levels::Invert),
            Self::Turbulence(middle) => call(&levels::Turbulence(*middle)),
            Self::Curve(filter) => call(filter),
            Self::Terrace(filter) => call(filter),
            Self::Smooth(filter) => call(filter),
            Self::Sharpen(filter) => call(filter),
            Self::Kernel(filter) => call(filter),
            Self::Warp(filter) => call(filter),
            Self::Island(mask) => call(&island::Island(*mask)),
            Self::Shape(filter) => call(filter),
            Self::Edges(filter) => call(filter),
            Self::Mound(filter) => call(filter),
            Self::Dig(filter) => call(filter),
            Self::Seamless(share) => call(&tile::Seamless(*share)),
            Self::HydraulicErosion(filter) => call(filter),
            Self::ThermalErosion(filter) => call(filter),
            Self::StreamPowerErosion(filter) => call(filter),
            Self::GlacialErosion(filter) => call(filter),
            Self::WindErosion(filter) => call(filter),
        }
    }

    /// Checks the filter's parameters.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.with(|filter| filter.validate())
    }

    /// Applies the filter to a map, row by row on every core.
    ///
    /// In addition to the map, a filter uses at most 2.5 times the memory of the map, and most filters at most once.
    /// [`StreamPowerErosion`](Self::StreamPowerErosion) uses about 7 times as much.
    ///
    /// # Errors
    /// If a parameter is out of range, or the size of the context's region is not the size of the map; the map is
    /// unchanged then. If the work is canceled, some rows have already changed.
    pub fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        let (region, size) = (context.region.size(), map.size());
        let check = |name, value: usize, is: usize| {
            let allowed = format_args!("{is}, as in the map");
            ParamError::check(value == is, "context", name, value as f64, allowed)
        };
        check("region width", region.width(), size.width())?;
        check("region height", region.height(), size.height())?;
        self.with(|filter| filter.apply(map, context, progress))
    }

    /// Applies filters in order, each with its own random numbers.
    ///
    /// # Errors
    /// As for [`apply`](Self::apply).
    pub fn apply_all(
        filters: &[Self],
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let total: f32 = filters.iter().map(Self::work).sum();
        let mut done = 0.0;
        for (place, filter) in filters.iter().enumerate() {
            let start = done;
            done += filter.work();
            let progress = progress.span(start / total, done / total);
            filter.apply(map, &context.nth(place), &progress)?;
        }
        Ok(progress.step(1, 1)?)
    }

    /// See [`Apply::stretches`].
    pub(crate) fn stretches(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Option<(f32, f32)>, GenerateError> {
        self.validate()?;
        Ok(self.with(|filter| filter.stretches(map, progress))?)
    }

    /// See [`Apply::depends_on_scale`].
    pub(crate) fn depends_on_scale(&self) -> bool {
        self.with(|filter| filter.depends_on_scale())
    }

    /// See [`Apply::locality`].
    pub(crate) fn locality(&self, world: MapSize, scale: Scale) -> Locality {
        self.with(|filter| filter.locality(world, scale))
    }

    /// See [`Apply::apply_part`].
    pub(crate) fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.with(|filter| filter.apply_part(map, context, known, progress))
    }

    /// See [`Apply::apply_coarsely`].
    pub(crate) fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        self.with(|filter| filter.apply_coarsely(map, ratio, context, range, progress))
    }

    /// See [`Apply::bounds`].
    pub(crate) fn bounds(
        &self,
        range: (f32, f32),
        before: Option<(f32, f32)>,
    ) -> Option<(f32, f32)> {
        self.with(|filter| filter.bounds(range, before))
    }

    /// See [`Apply::work`].
    pub(crate) fn work(&self) -> f32 {
        self.with(|filter| filter.work())
    }

    /// Parses a filter as it is written in a recipe, for example `Terrace((levels: 12))`.
    ///
    /// # Errors
    /// If the text is not a filter, with the column of the problem, or if a parameter is out of range.
    pub fn from_ron(text: &str) -> Result<Self, FilterError> {
        let filter: Self = text::read_ron(text)?;
        filter.validate()?;
        Ok(filter)
    }
}

/// Replaces the map by one that is computed from the old map, in bands of `band` rows.
///
/// `work(scratch, map, y, rows)` fills the rows from `y` on. It may return early if the work is canceled; the map is
/// unchanged then.
fn remake<S>(
    map: &mut Heightmap,
    band: usize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &Heightmap, usize, &mut [f32]) + Sync + Send,
) -> Result<(), Canceled> {
    let mut made = Heightmap::flat(map.size());
    let (old, length) = (&*map, map.width() * band);
    rows::for_each_row_with(
        made.heights_mut(),
        length,
        progress,
        scratch,
        |scratch, index, rows| work(scratch, old, index * band, rows),
    )?;
    *map = made;
    Ok(())
}

/// Converts to `f32`, clamped to finite values.
#[inline(always)]
fn finite(z: f64) -> f32 {
    z.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

/// Smoothstep: from 0 at 0 to 1 at 1, level at both ends, and constant beyond.
fn smooth_step(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Canceled, MapSize};

    fn flattened(heights: [f32; 4], power: f64) -> Result<Vec<f32>, GenerateError> {
        let size = MapSize::new(2, 2).unwrap();
        let mut map = Heightmap::from_heights(size, heights.to_vec()).unwrap();
        Filter::Gamma(power).apply(&mut map, &FilterContext::new(size, 0), &Progress::default())?;
        Ok(map.into_heights())
    }

    #[test]
    fn gamma_keeps_zero_and_one() {
        let heights = [0.0, 0.5, 0.25, 1.0];
        assert_eq!(flattened(heights, 1.0).unwrap(), heights);
        let squares = [0.0, 0.25, 0.0625, 1.0];
        assert_eq!(flattened(heights, 2.0).unwrap(), squares);
    }

    #[test]
    fn gamma_keeps_heights_finite() {
        let far = flattened([-2.0, f32::MIN, f32::MAX, 3.0], 1.5).unwrap();
        assert_eq!(far[..3], [0.0, 0.0, f32::MAX]);
        assert!(flattened([0.0; 4], -1.0).is_err());
        assert!(flattened([0.0; 4], f64::NAN).is_err());
    }

    #[test]
    fn canceled_filters_stop() {
        let progress = Progress::default();
        progress.cancel();
        let filters = [
            Filter::Normalize,
            Filter::Gamma(1.0),
            Filter::Gamma(2.0),
            Filter::Island(Mask::Radial),
        ];
        for filter in filters {
            let size = MapSize::default();
            let mut map = Heightmap::flat(size);
            let result = filter.apply(&mut map, &FilterContext::new(size, 0), &progress);
            assert_eq!(result, Err(Canceled.into()), "{filter:?}");
        }
    }

    #[test]
    fn gamma_rejects_powers_out_of_range() {
        for power in [0.5, 17.0, f64::NAN, f64::INFINITY] {
            let error = Filter::Gamma(power).validate().unwrap_err().to_string();
            assert!(
                error.contains("gamma") && error.contains("from 1 to 16"),
                "{error}"
            );
        }
        assert!(Filter::Gamma(1.0).validate().is_ok());
    }

    #[test]
    fn apply_rejects_context_of_another_size() {
        let mut map = Heightmap::flat(MapSize::new(4, 3).unwrap());
        for (other, name) in [((5, 3), "width"), ((4, 2), "height")] {
            let context = FilterContext::new(MapSize::new(other.0, other.1).unwrap(), 0);
            for filter in [Filter::Island(Mask::Radial), Filter::Invert] {
                let error = filter.apply(&mut map, &context, &Progress::default());
                let words = error.unwrap_err().to_string();
                assert!(words.contains(&format!("region {name}")), "{words}");
            }
        }
        assert_eq!(map.range(), (0.0, 0.0));
    }

    #[test]
    fn island_lowers_the_border_to_zero() {
        let size = MapSize::new(31, 20).unwrap();
        for mask in [Mask::Radial, Mask::Square] {
            let mut map = Heightmap::from_heights(size, vec![1.0; size.cells()]).unwrap();
            let progress = Progress::default();
            Filter::Island(mask)
                .apply(&mut map, &FilterContext::new(size, 0), &progress)
                .unwrap();
            assert_eq!(progress.fraction(), 1.0, "{mask:?}");
            assert!(
                map.row(0).iter().chain(map.row(19)).all(|&z| z == 0.0),
                "{mask:?}"
            );
            assert!(
                (0..20).all(|y| map.get(0, y) == 0.0 && map.get(30, y) == 0.0),
                "{mask:?}"
            );
            assert!(map.get(15, 10) > 0.9, "{mask:?}");
        }
    }
}
