//! Erosion of finished maps by rivers, ice, rain, gravity and wind.
//!
//! | erosion | idea | result |
//! |---|---|---|
//! | [`StreamPowerErosion`] | rivers incise while the terrain is uplifted, for millions of years | branching valleys with ridges between them |
//! | [`GlacialErosion`] | ice carves valleys into troughs | cirques, U-shaped and hanging valleys, fjords |
//! | [`HydraulicErosion`] | raindrops run downhill, pick up sediment and deposit it | gullies, spurs, fans, flat valley floors |
//! | [`ThermalErosion`] | material steeper than its angle of repose slides down | scree slopes, softened cliffs |
//! | [`WindErosion`] | wind moves sand in hops and piles it up | dunes: ridges across the wind, crescents |
//!
//! If you combine them, apply them in this order, from large features to small ones. `lanternfell erode` does the same.
//!
//! All of them except [`StreamPowerErosion`] work in meters, through the scale of the
//! [`FilterContext`](crate::FilterContext). The same terrain erodes alike even if its heights are stored in another
//! range. For a recipe, set [`Recipe::scale`](field@crate::Recipe::scale).
//!
//! Each erosion is also a [`Filter`](crate::Filter). Add it to a recipe with
//! [`Recipe::with_filter`](crate::Recipe::with_filter), apply it to an elevation model with
//! [`ElevationModel::apply`](crate::ElevationModel::apply), or call its method `erode`.
//!
//! Thermal and wind erosion conserve the material; sand that leaves the map re-enters on the opposite side. In
//! hydraulic erosion, drops lose what they carry over the border of the map, and [`SedimentBudget`] reports how much.
//! Rivers and glaciers remove material without a budget.

mod glacial;
mod grains;
pub(crate) mod guide;
mod hydraulic;
mod sediment;
mod stream_power;
mod thermal;
mod wind;

pub use glacial::GlacialErosion;
pub use hydraulic::{HydraulicErosion, Traces};
pub use sediment::SedimentBudget;
pub use stream_power::StreamPowerErosion;
pub use thermal::ThermalErosion;
pub use wind::WindErosion;
