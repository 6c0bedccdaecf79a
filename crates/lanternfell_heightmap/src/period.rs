//! Periodic maps, which repeat after a number of cells and can be tiled.
//!
//! Problem: the eastern edge of a tile must continue in its western edge to the last bit. A noise whose formula is
//! periodic is so only up to rounding, because the coordinates of a cell are different numbers one period further on.
//!
//! Idea: a period has only as many different cells as its length. The integer coordinates of a cell are taken modulo
//! the period before anything is computed from them.
//!
//! ```text
//!   cell           0 1 2 3 4 5 | 6 7 8 9 ...      period 6
//!   computed as    0 1 2 3 4 5 | 0 1 2 3 ...      a copy, not another computation
//! ```
//!
//! The formula must be periodic as well, or there would be a seam in the middle of the map. The first wave must fit the
//! period a whole number of times ([`check`]), and finer waves are adjusted to fit ([`fitted`]).

use crate::ParamError;

/// Fills a row of cells that starts in column `x`. Calls `fill(x, part)` for each part that must be computed, with `x`
/// below the period, and copies the rest.
pub(crate) fn fill_row(
    x: i64,
    row: &mut [f32],
    period: Option<u32>,
    mut fill: impl FnMut(i64, &mut [f32]),
) {
    let Some(period) = period else {
        return fill(x, row);
    };
    let first = wrapped(x, period);
    let period = period as usize;
    let different = period.min(row.len());
    let (before, after) = row[..different].split_at_mut(different.min(period - first as usize));
    fill(first, before);
    if !after.is_empty() {
        fill(0, after);
    }
    let mut made = different;
    while made < row.len() {
        // The part that is already filled is a whole number of periods.
        let copied = made.min(row.len() - made);
        row.copy_within(..copied, made);
        made += copied;
    }
}

/// The column or row of a cell within the period.
pub(crate) fn wrapped(at: i64, period: u32) -> i64 {
    at.rem_euclid(period.into())
}

/// Checks that waves of this length fit the period a whole number of times.
///
/// # Errors
/// If they do not. The error names a length that does.
pub(crate) fn check(
    owner: &'static str,
    period: Option<u32>,
    length: f64,
) -> Result<(), ParamError> {
    let Some(period) = period.map(f64::from) else {
        return Ok(());
    };
    let near = fitted(period, length);
    let fits = (near - length).abs() <= 1e-9 * length;
    let allowed = format_args!("a multiple of the scale ({length}); a scale of {near} would fit");
    ParamError::check(fits, owner, "period", period, allowed)
}

/// The length nearest to this one that fits the period a whole number of times.
pub(crate) fn fitted(period: f64, length: f64) -> f64 {
    period / waves(period, length)
}

/// The number of waves of about that length in the period, at least one.
pub(crate) fn waves(period: f64, length: f64) -> f64 {
    (period / length).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_row_repeats_and_computes_each_cell_once() {
        for period in [1_u32, 2, 5, 7, 19, 20, 21, 100] {
            let cells = i64::from(period);
            for x in -cells - 1..2 * cells {
                let mut row = [0.0; 20];
                let mut made = 0;
                fill_row(x, &mut row, Some(period), |x, part| {
                    made += part.len();
                    (x..).zip(part).for_each(|(x, z)| *z = x as f32);
                });
                let expected: Vec<f32> = (x..x + 20).map(|x| x.rem_euclid(cells) as f32).collect();
                assert_eq!(row[..], expected, "period {period} from {x}");
                assert_eq!(made, period.min(20) as usize, "period {period} from {x}");
            }
        }
    }

    #[test]
    fn check_suggests_a_fitting_scale() {
        assert!(check("a", None, 0.3).is_ok());
        assert!(check("a", Some(512), 64.0).is_ok());
        assert!(check("a", Some(100), 100.0 / 3.0).is_ok());
        for (period, scale, fitting) in [(500, 64.0, 62.5), (10, 64.0, 10.0), (3, 2.0, 1.5)] {
            let error = check("a", Some(period), scale).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("a: period is {period}")),
                "{error}"
            );
            assert!(
                error.contains(&format!("a scale of {fitting} would fit")),
                "{error}"
            );
            assert!(
                check("a", Some(period), fitting).is_ok(),
                "period {period}, scale {fitting}"
            );
        }
    }
}
