//! Heightmaps: the generators, what is done to maps, and how both grow with the map.
//!
//! Whoever has the same generator is given the same draws where that is possible, and makes
//! a map from 0 to 1; so the map beside ours is either the same or, where a library draws
//! for itself, alike in mean, deviation and grain. Ours is measured on one thread and on
//! more; all others know one only.

mod direct;
mod entries;
mod erosion;
mod faults;
mod filters;
mod fluid;
mod generators;
mod growth;
mod hills;
mod islands;
mod memory;
mod noises;
mod queries;
mod size;
mod workers;
mod worley;

pub(crate) use self::{
    erosion::run as erosion, faults::run as faults, filters::run as filters, fluid::run as fluid,
    growth::run as growth, hills::run as hills, islands::run as islands, memory::Peak,
    queries::run as queries, worley::run as worley,
};
