//! What becomes of hollows: filled by a [flood](super::flood), or breached.
//!
//! ```text
//!      .-.  ___/\            filled: the hollow is level to its rim
//!     /   \=^^^  \
//!
//!      .-.     .             breached: a channel through the rim, as deep as
//!     /   \    /\            the deepest point behind it
//!    /     \__:__\__
//! ```
//!
//! A breach needs no search. The flood has left each cell a way out; a cell must be no
//! higher than anything upstream on these ways, so it gets the lowest height there is: one
//! pass downstream, as for accumulation. For the channels to follow the valleys in a
//! hollow, the flood visits its lowest ground first.

use super::{
    Hydrology,
    flood::{Flooded, Water, flood},
    flow::Flow,
    grid::Grid,
};
use crate::{Cancelled, Heightmap, Progress, range::Range};

/// Floods a map from its outlets.
pub(super) fn flood_map(
    hydrology: &Hydrology,
    map: &Heightmap,
    water: Water,
    progress: &Progress,
) -> Result<Flooded, Cancelled> {
    let (grid, ground) = (Grid::new(map.size()), map.heights());
    let range = Range::of(map, &progress.span(0.0, 0.02))?;
    let sea = hydrology.sea_level.filter(|&sea| sea >= range.0);
    let closed = sea.is_none() && !hydrology.border;
    // Only a closed map asks for its lowest cell.
    let lowest = ground.iter().position(|&z| closed && z == range.0);
    let outlet = |cell: usize| {
        sea.is_some_and(|sea| ground[cell] <= sea)
            || (hydrology.border && grid.on_border(cell))
            || lowest == Some(cell)
    };
    let progress = progress.span(0.02, 1.0);
    flood(&grid, ground.to_vec(), range, outlet, water, &progress)
}

/// Cuts channels so that no cell lies higher than what drains to it.
pub(super) fn breach(
    hydrology: &Hydrology,
    map: &mut Heightmap,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let flooded = flood_map(hydrology, map, Water::Deep, &progress.span(0.0, 0.7))?;
    let flow = Flow {
        grid: Grid::new(map.size()),
        directions: flooded.origins,
    };
    let mut heights = map.heights().to_vec();
    flow.downstream(&progress.span(0.7, 1.0), |cell, receiver| {
        if heights[cell] < heights[receiver] {
            heights[receiver] = heights[cell];
        }
    })?;
    progress.step(1, 1)?;
    map.heights_mut().copy_from_slice(&heights);
    Ok(())
}
