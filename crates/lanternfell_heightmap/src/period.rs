//! Maps that repeat themselves after a number of cells, and so fit beside themselves.
//!
//! Problem: a tile whose eastern edge goes on into its western one to the last bit. A noise that
//! is periodic by its formula is so only up to rounding, since the numbers of a cell's place are
//! others one period further on.
//!
//! Idea: there are only as many different cells as the period has. A cell's place is taken
//! modulo the period as a whole number, before anything is computed from it.
//!
//! ```text
//!   cell     0 1 2 3 4 5 | 6 7 8 9 ...      period 6
//!   made as  0 1 2 3 4 5 | 0 1 2 3 ...      a copy, not another computation
//! ```
//!
//! The formula has to be periodic as well, or there would be a seam in the middle of the map:
//! its first wave fits the period a whole number of times ([`check`]), and finer ones are made
//! to fit ([`fitted`]).

use crate::ParamError;

/// Fills a row of cells, the first of which is in column `x`: calls `fill(x, part)` for each part
/// that has to be made, where `x` is below the period.
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
        // What is made already is a whole number of periods.
        let copied = made.min(row.len() - made);
        row.copy_within(..copied, made);
        made += copied;
    }
}

/// A cell's column or row within the period.
pub(crate) fn wrapped(at: i64, period: u32) -> i64 {
    at.rem_euclid(period.into())
}

/// Checks that waves of this length fit the period.
///
/// # Errors
/// When they do not; it names a length that would.
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
    let allowed = format_args!(
        "a whole number of times the scale, which is {length}; with a scale of {near} it is"
    );
    ParamError::check(fits, owner, "period", period, allowed)
}

/// The length nearest to this one that fits the period a whole number of times.
pub(crate) fn fitted(period: f64, length: f64) -> f64 {
    period / waves(period, length)
}

/// How many waves of about that length the period has: at least one.
pub(crate) fn waves(period: f64, length: f64) -> f64 {
    (period / length).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_repeats_itself_and_each_cell_is_made_once() {
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
    fn what_does_not_fit_is_refused_with_what_would() {
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
                error.contains(&format!("a scale of {fitting} it is")),
                "{error}"
            );
            assert!(
                check("a", Some(period), fitting).is_ok(),
                "period {period}, scale {fitting}"
            );
        }
    }
}
