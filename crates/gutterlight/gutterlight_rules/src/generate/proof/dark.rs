//! A way for a careful walker, mostly in the dark.
//!
//! The cheapest way with a toll on lit cells, which is raised until few enough of them are on
//! it, or it becomes too long.
//!
//! Cost: light is settled once from darkness, then a way of A* for each toll.

use glam::IVec2;
use lanternfell_lightgrid::LightBand;

use super::{Flaw, Ways};
use crate::{Rules, floor::Floor, light, path::way};

/// What a lit cell costs more than a dark one, in tenths of a cell, each tried in turn.
const TOLLS: [u32; 4] = [0, 15, 50, 200];

/// A way of which few cells are lit: its steps, and how many of them are.
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
