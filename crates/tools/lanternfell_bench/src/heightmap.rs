//! Heightmaps: generators, filters and erosion, and how their cost grows with the map size.
//!
//! Where possible, other libraries get the same random draws as our generators, and all maps have
//! heights from 0 to 1. So another map is either the same as ours or, if a library uses its own
//! random numbers, has a similar mean, deviation and grain. Our implementations are measured on one
//! thread and on more. All others have only one thread.

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
