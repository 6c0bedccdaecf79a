//! Masks of measured values, combined with other masks.
//!
//! ```text
//!    value --(--range or --between)--> 0 to 1 --(--invert, --and, --without, --times, --or)--> mask
//! ```
//!
//! Masks are numbers from 0 to 1, and are combined as in fuzzy logic: *and* is the minimum of two, *or* the maximum,
//! *not* one minus the value (Zadeh 1965). Sharp masks therefore stay sharp, and combining a mask with itself does not
//! change it. `--times` is for masks that are weights.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use clap::Args;
use lanternfell_heightmap::{Band, Heightmap, MapSize};
use lanternfell_io::Format;

use crate::{args::MapArgs, failure::Failure, path::extension, read};

/// Mask options.
#[derive(Debug, Args)]
pub(super) struct MaskArgs {
    /// Values that become 0 and 1; others are interpolated and clamped
    #[arg(long, value_name = "FROM:TO", value_parser = range, allow_hyphen_values = true)]
    pub(super) range: Option<(f32, f32)>,

    /// Mask that is 1 from FROM to TO and 0 elsewhere; one bound may be omitted, for example 30: or :45
    #[arg(
        long, value_name = "FROM:TO", value_parser = band, allow_hyphen_values = true,
        conflicts_with = "range"
    )]
    between: Option<(Option<f64>, Option<f64>)>,

    /// Width of the transition beyond the bounds of --between, in the unit of the values [default: 0]
    #[arg(
        long,
        value_name = "WIDTH",
        requires = "between",
        allow_negative_numbers = true
    )]
    fade: Option<f64>,

    /// Invert the mask: 1 becomes 0, and 0 becomes 1
    #[arg(long)]
    invert: bool,

    /// Intersect with MASK: the minimum of both. MASK is a map file of the same size, from 0 to 1. This and the
    /// following options may be repeated
    #[arg(long, value_name = "MASK")]
    and: Vec<OsString>,

    /// Subtract MASK: the minimum of the mask and 1 minus MASK
    #[arg(long, value_name = "MASK")]
    without: Vec<OsString>,

    /// Multiply by MASK
    #[arg(long, value_name = "MASK")]
    times: Vec<OsString>,

    /// Unite with MASK: the maximum of both
    #[arg(long, value_name = "MASK")]
    or: Vec<OsString>,
}

/// An operation on two masks.
#[derive(Debug, Clone, Copy)]
enum Join {
    And,
    Without,
    Times,
    Or,
}

/// The other masks, in the order in which they are combined.
pub(super) struct Others(Vec<(Join, Heightmap)>);

impl MaskArgs {
    /// Returns the band, after checking it.
    pub(super) fn band(&self) -> Result<Option<Band>, Failure> {
        let Some((from, to)) = self.between else {
            return Ok(None);
        };
        let fade = self.fade.unwrap_or(0.0);
        let band = Band { from, to, fade };
        band.validate()?;
        Ok(Some(band))
    }

    /// Returns whether any option is given that needs a mask.
    pub(super) fn joins(&self) -> bool {
        self.invert
            || [&self.and, &self.without, &self.times, &self.or]
                .iter()
                .any(|names| !names.is_empty())
    }

    /// Reads the other masks, for a map of this size.
    pub(super) fn others(&self, size: MapSize) -> Result<Others, Failure> {
        let lists = [
            (Join::And, &self.and),
            (Join::Without, &self.without),
            (Join::Times, &self.times),
            (Join::Or, &self.or),
        ];
        let names = lists
            .into_iter()
            .flat_map(|(join, names)| names.iter().map(move |name| (join, name)));
        let read = names.map(|(join, name)| Ok((join, read_mask(name, size)?)));
        read.collect::<Result<_, Failure>>().map(Others)
    }

    /// Returns the combined mask. All values are from 0 to 1.
    pub(super) fn of(&self, values: Heightmap, others: &Others) -> Heightmap {
        let size = values.size();
        let mut mask = values.into_heights();
        if self.invert {
            mask.iter_mut().for_each(|share| *share = 1.0 - *share);
        }
        for (join, other) in &others.0 {
            for (share, &other) in mask.iter_mut().zip(other.heights()) {
                *share = join.of(*share, other);
            }
        }
        Heightmap::from_heights(size, mask).expect("finite values")
    }
}

impl Join {
    fn of(self, a: f32, b: f32) -> f32 {
        match self {
            Self::And => a.min(b),
            Self::Without => a.min(1.0 - b),
            Self::Times => a * b,
            Self::Or => a.max(b),
        }
    }
}

fn read_mask(name: &OsStr, size: MapSize) -> Result<Heightmap, Failure> {
    let mut arguments = MapArgs::of_file(name);
    let is_raw =
        extension(name).is_some_and(|ending| Format::from_extension(&ending) == Some(Format::Raw));
    if is_raw {
        arguments.change.size = Some(size);
    }
    let mask = if read::is_pipe(name) {
        let (bytes, format) = read::pipe(&arguments)?;
        let format =
            format.ok_or_else(|| Failure::Usage(format!("{}: not a heightmap", name.display())))?;
        read::bytes(&bytes, format, &arguments)?.model.heights
    } else {
        read::file(Path::new(name), &arguments)?.model.heights
    };
    let wrong = |what: String| Err(Failure::Usage(format!("{}: {what}", name.display())));
    if mask.size() != size {
        let sides = |size: MapSize| format!("{}x{}", size.width(), size.height());
        return wrong(format!(
            "it has {} cells, but the map has {}",
            sides(mask.size()),
            sides(size)
        ));
    }
    let (low, high) = mask.range();
    if low < 0.0 || high > 1.0 {
        return wrong(format!(
            "its numbers range from {low} to {high}, but a mask must be from 0 to 1"
        ));
    }
    Ok(mask)
}

fn finite(text: &str) -> Option<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

fn range(text: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let pair = text.split_once(':');
    match pair.map(|(from, to)| (number(from), number(to))) {
        Some((Some(from), Some(to))) if from != to => Ok((from, to)),
        _ => Err("must be two different numbers, for example 30:45".to_owned()),
    }
}

fn band(text: &str) -> Result<(Option<f64>, Option<f64>), String> {
    let wrong =
        || "must be two numbers, for example 30:45, or one, for example 30: or :45".to_owned();
    let (from, to) = text.split_once(':').ok_or_else(wrong)?;
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        text => finite(text).map(Some).ok_or_else(wrong),
    };
    match (bound(from)?, bound(to)?) {
        (None, None) => Err(wrong()),
        both => Ok(both),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_ranges() {
        assert_eq!(range("30:45"), Ok((30.0, 45.0)));
        assert_eq!(range("-1.5 : -3"), Ok((-1.5, -3.0)));
        for wrong in ["", "3", "3:", ":3", "3:3", "a:b", "1:2:3", "nan:1", "0:inf"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parses_open_bands() {
        assert_eq!(band("30:45"), Ok((Some(30.0), Some(45.0))));
        assert_eq!(band("-2:"), Ok((Some(-2.0), None)));
        assert_eq!(band(": 7"), Ok((None, Some(7.0))));
        for wrong in ["", ":", "3", "a:", "1:2:3", "nan:", ":inf"] {
            assert!(band(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sharp_masks_combine_like_sets() {
        for (a, b) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
            let (in_a, in_b) = (a == 1.0, b == 1.0);
            let is = |join: Join| join.of(a, b) == 1.0;
            assert_eq!(is(Join::And), in_a && in_b);
            assert_eq!(is(Join::Times), in_a && in_b);
            assert_eq!(is(Join::Without), in_a && !in_b);
            assert_eq!(is(Join::Or), in_a || in_b);
        }
        assert_eq!(Join::And.of(0.25, 0.25), 0.25);
        assert_eq!(Join::Times.of(0.5, 0.25), 0.125);
        assert_eq!(Join::Without.of(0.75, 0.5), 0.5);
    }
}
