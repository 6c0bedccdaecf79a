//! Masks of where material was eroded and deposited, for texturing.

use super::super::sediment::SedimentBudget;
use crate::{Canceled, Heightmap, Progress, rows};

/// Where erosion lowered the terrain (bare rock) and where it raised it (fresh soil).
///
/// The masks have the size of the map and values from 0 to 1. They are 0 where the terrain did not sink (or rise), 1/2
/// where it did so by the mean of all cells that did, and approach 1 for larger changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Traces {
    /// The cells that are lower than before.
    pub eroded: Heightmap,
    /// The cells that are higher than before.
    pub deposited: Heightmap,
    /// The total amounts of material.
    pub budget: SedimentBudget,
}

/// The masks of erosion and deposition between two maps of the same size.
pub(super) fn between(
    before: Heightmap,
    after: &Heightmap,
    progress: &Progress,
) -> Result<(Heightmap, Heightmap), Canceled> {
    let mut eroded = before;
    let mut deposited = Heightmap::flat(after.size());
    let width = after.width();
    for (y, old) in eroded.heights_mut().chunks_exact_mut(width).enumerate() {
        let new = deposited.heights_mut()[y * width..][..width].iter_mut();
        for ((old, new), &now) in old.iter_mut().zip(new).zip(after.row(y)) {
            // Halved, so that extreme `f32` values do not overflow.
            let sunk = 0.5 * *old - 0.5 * now;
            (*old, *new) = (sunk.max(0.0), (-sunk).max(0.0));
        }
        progress.step(y, 2 * after.height())?;
    }
    soften(&mut eroded, &progress.span(0.5, 0.75))?;
    soften(&mut deposited, &progress.span(0.75, 1.0))?;
    Ok((eroded, deposited))
}

/// Replaces each amount `a` by `a / (a + mean)`, where `mean` is that of all amounts above 0.
fn soften(amounts: &mut Heightmap, progress: &Progress) -> Result<(), Canceled> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for &amount in amounts.heights().iter().filter(|&&amount| amount > 0.0) {
        sum += f64::from(amount);
        count += 1;
    }
    let mean = sum / f64::from(count.max(1));
    let width = amounts.width();
    rows::for_each_row(amounts.heights_mut(), width, progress, |_, row| {
        for amount in row.iter_mut().filter(|amount| **amount > 0.0) {
            let exact = f64::from(*amount);
            *amount = (exact / (exact + mean)) as f32;
        }
    })
}
