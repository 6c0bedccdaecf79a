//! The dark path of the proof, for a careful walker.
//!
//! It is the cheapest path with a toll for lit cells. The toll is raised until few enough cells of
//! the path are lit, or the path is too long.
//!
//! Cost: the light is settled once from darkness, and each toll needs one A* search.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use super::{Flaw, Ways};
use crate::{Rules, floor::Floor, light, path::way};

/// The extra cost of a lit cell in tenths of a cell. The values are tried in order.
const TOLLS: [u32; 4] = [0, 15, 50, 200];

/// Finds a path of which few cells are lit. Returns its number of steps, and how many of them are
/// lit.
pub(super) fn find_way(
    rules: &Rules,
    floor: &Floor,
    ways: &Ways,
    goal: IVec2,
    shortest: u32,
) -> Result<(u32, u32), Flaw> {
    let mut grid = light::build(rules, floor);
    let set = grid.set_sources(&light::sources(rules, floor, None));
    debug_assert!(set.is_ok(), "{set:?}");
    grid.settle(rules.light.tolerance);
    let is_lit = |at: IVec2| grid.band(at, &rules.light.bands, None) >= LightBand::Lit;
    let mut darkest = 100;
    for extra in TOLLS {
        let toll = |at: IVec2| {
            ways.toll(at)
                .map(|toll| toll + if is_lit(at) { extra } else { 0 })
        };
        let cells = way(floor, floor.up, goal, toll).unwrap_or_default();
        let steps = cells.len() as u32;
        let lit = cells.iter().filter(|&&at| is_lit(at)).count() as u32;
        let share = (lit * 100).div_ceil(steps.max(1));
        let short = steps * 100 <= shortest * rules.proof.detour;
        if short && share <= rules.proof.lit_share {
            return Ok((steps, lit));
        }
        darkest = darkest.min(share);
    }
    Err(Flaw::NoDarkWay { share: darkest })
}
