//! Erosion: what water and gravity do to a map once it is made.
//!
//! | erosion | idea | look |
//! |---|---|---|
//! | [`Fluvial`] | rivers cut down as the land rises, for millions of years | valleys that branch, ridges between them |
//! | [`Droplets`] | drops of rain run downhill, take ground up and lay it down | gullies, spurs, fans, flat valley floors |
//! | [`Talus`] | ground steeper than its angle of repose slides down | scree slopes, softened cliffs |
//!
//! Droplets and talus know metres through the [`Site`](crate::Site)'s scale: the same land on
//! a map of other heights erodes alike. Together they are best in this order, from the large
//! to the small.

mod droplets;
mod fluvial;
mod talus;

pub use droplets::{Droplets, Traces};
pub use fluvial::Fluvial;
pub use talus::Talus;
