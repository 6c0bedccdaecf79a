//! Erosion: what water and gravity do to a map once it is made.
//!
//! | erosion | idea | look |
//! |---|---|---|
//! | [`Droplets`] | drops of rain run downhill, take ground up and lay it down | gullies, spurs, fans, flat valley floors |
//! | [`Talus`] | ground steeper than its angle of repose slides down | scree slopes, softened cliffs |
//!
//! Both know metres through the [`Site`](crate::Site)'s scale: the same land on a map of
//! other heights erodes alike.

mod droplets;
mod talus;

pub use droplets::{Droplets, Traces};
pub use talus::Talus;
