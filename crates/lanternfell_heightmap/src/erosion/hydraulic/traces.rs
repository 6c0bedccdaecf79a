//! Where ground was taken and where it was laid: masks for texturing.

use super::super::sediment::SedimentBudget;
use crate::{Cancelled, Heightmap, Progress, rows};

/// Where erosion wore the ground down and where it laid it: bare rock and fresh soil.
///
/// The maps are masks from 0 to 1, of the map's size: 0 where the ground did not sink (or rise),
/// one half where it did so by as much as it does on average where it does so at all, and
/// towards 1 where it did by much more.
#[derive(Debug, Clone, PartialEq)]
pub struct Traces {
    /// Where there is less ground than before.
    pub worn: Heightmap,
    /// Where there is more.
    pub laid: Heightmap,
    /// How much ground that was, all in all.
    pub budget: SedimentBudget,
}

/// Where ground is worn, and where laid, from one map to another of the same size.
pub(super) fn between(
    before: Heightmap,
    after: &Heightmap,
    progress: &Progress,
) -> Result<(Heightmap, Heightmap), Cancelled> {
    let mut worn = before;
    let mut laid = Heightmap::flat(after.size());
    let width = after.width();
    for (y, old) in worn.heights_mut().chunks_exact_mut(width).enumerate() {
        let new = laid.heights_mut()[y * width..][..width].iter_mut();
        for ((old, new), &now) in old.iter_mut().zip(new).zip(after.row(y)) {
            // Halves, so that the extremes of f32 do not overflow.
            let sunk = 0.5 * *old - 0.5 * now;
            (*old, *new) = (sunk.max(0.0), (-sunk).max(0.0));
        }
        progress.step(y, 2 * after.height())?;
    }
    soften(&mut worn, &progress.span(0.5, 0.75))?;
    soften(&mut laid, &progress.span(0.75, 1.0))?;
    Ok((worn, laid))
}

/// Each amount `a` becomes `a / (a + mean)`, the mean being that of those above 0.
fn soften(amounts: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
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
