//! Erosion: what water and gravity do to a map once it is made.
//!
//! | erosion | idea | look |
//! |---|---|---|
//! | [`StreamPowerErosion`] | rivers cut down as the land rises, for millions of years | valleys that branch, ridges between them |
//! | [`HydraulicErosion`] | drops of rain run downhill, take ground up and lay it down | gullies, spurs, fans, flat valley floors |
//! | [`ThermalErosion`] | ground steeper than its angle of repose slides down | scree slopes, softened cliffs |
//! | [`GlacialErosion`] | ice makes troughs of valleys | cirques, U-shaped and hanging valleys, fjords |
//! | [`WindErosion`] | sand hops along with the wind and heaps up | dunes: walls across the wind, crescents |
//!
//! Drops and slides know metres through the scale of the
//! [`FilterContext`](crate::FilterContext): the same land on a map of other heights erodes
//! alike. Together they are best in this order, from the large to the small.
//!
//! Slides move ground and lose none. Drops lose what they carry over the border of the map, and
//! say how much that was: [`SedimentBudget`]. Sand in the wind comes in again on the other side. Rivers
//! and ice cut into land that rises, and keep no account.

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
