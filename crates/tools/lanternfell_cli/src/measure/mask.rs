//! Masks from what is measured: where a value is as asked for, and where other masks are, too.
//!
//! ```text
//!    value --(--range or --band)--> 0 to 1 --(--invert, --and, --without, --times, --or)--> mask
//! ```
//!
//! Masks are numbers from 0 to 1, and are put together as in fuzzy logic: *and* is the lower of
//! two, *or* the higher, *not* one minus it (Zadeh 1965). So sharp masks stay sharp, and a mask
//! and itself is the mask; `--times` is for those that weigh each other.

use std::path::Path;

use clap::Args;
use lanternfell_heightmap::{Band, Heightmap, MapSize};
use lanternfell_io::Format;

use crate::{args::MapArgs, failure::Failure, path::extension, read};

/// What becomes of the values.
#[derive(Debug, Args)]
pub(super) struct MaskArgs {
    /// The values that become 0 and 1; all others follow, and none goes beyond
    #[arg(long, value_name = "FROM:TO", value_parser = range, allow_hyphen_values = true)]
    pub(super) range: Option<(f32, f32)>,

    /// A mask: 1 from FROM to TO, 0 elsewhere; one of the two may be left out, as 30: or :45
    #[arg(
        long, value_name = "FROM:TO", value_parser = band, allow_hyphen_values = true,
        conflicts_with = "range"
    )]
    band: Option<(Option<f64>, Option<f64>)>,

    /// How far beyond its ends a --band fades out, in the unit of the values [default: 0]
    #[arg(
        long,
        value_name = "WIDTH",
        requires = "band",
        allow_negative_numbers = true
    )]
    fade: Option<f64>,

    /// Turn the mask over: 1 becomes 0, and 0 becomes 1
    #[arg(long)]
    invert: bool,

    /// Where this mask is, too: the lower of the two. A map in a file, of the same size, from 0
    /// to 1; may be repeated, as the following
    #[arg(long, value_name = "MASK")]
    and: Vec<String>,

    /// Where this mask is not: the lower of the mask and 1 minus this one
    #[arg(long, value_name = "MASK")]
    without: Vec<String>,

    /// So much of the mask as this one says: the product
    #[arg(long, value_name = "MASK")]
    times: Vec<String>,

    /// Where this mask is, or this one: the higher of the two
    #[arg(long, value_name = "MASK")]
    or: Vec<String>,
}

/// How two masks become one.
#[derive(Debug, Clone, Copy)]
enum Join {
    And,
    Without,
    Times,
    Or,
}

/// Other masks, read, in the order in which they are joined.
pub(super) struct Others(Vec<(Join, Heightmap)>);

impl MaskArgs {
    /// The band, checked.
    pub(super) fn band(&self) -> Result<Option<Band>, Failure> {
        let Some((from, to)) = self.band else {
            return Ok(None);
        };
        let fade = self.fade.unwrap_or(0.0);
        let band = Band { from, to, fade };
        band.validate()?;
        Ok(Some(band))
    }

    /// Whether anything is asked for that only a mask can be.
    pub(super) fn joins(&self) -> bool {
        self.invert
            || [&self.and, &self.without, &self.times, &self.or]
                .iter()
                .any(|names| !names.is_empty())
    }

    /// Reads the other masks, for a map of that size.
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

    /// The mask that these values come to, all from 0 to 1.
    pub(super) fn of(&self, values: &Heightmap, others: &Others) -> Heightmap {
        let mut mask = values.heights().to_vec();
        if self.invert {
            mask.iter_mut().for_each(|share| *share = 1.0 - *share);
        }
        for (join, other) in &others.0 {
            for (share, &other) in mask.iter_mut().zip(other.heights()) {
                *share = join.of(*share, other);
            }
        }
        Heightmap::from_heights(values.size(), mask).expect("parts of 1")
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

fn read_mask(name: &str, size: MapSize) -> Result<Heightmap, Failure> {
    let mut arguments = MapArgs::of_file(name);
    let is_raw =
        extension(name).is_some_and(|ending| Format::from_extension(&ending) == Some(Format::Raw));
    if is_raw {
        arguments.change.size = Some(size);
    }
    let mask = if read::is_pipe(name) {
        let (bytes, format) = read::pipe(&arguments)?;
        let format = format.ok_or_else(|| Failure::Usage(format!("{name}: it is no heightmap")))?;
        read::bytes(&bytes, format, &arguments)?.heights
    } else {
        read::file(Path::new(name), &arguments)?.heights
    };
    let wrong = |what: String| Err(Failure::Usage(format!("{name}: {what}")));
    if mask.size() != size {
        let sides = |size: MapSize| format!("{}x{}", size.width(), size.height());
        return wrong(format!(
            "it is {}, and the map is {}",
            sides(mask.size()),
            sides(size)
        ));
    }
    let (low, high) = mask.range();
    if low < 0.0 || high > 1.0 {
        return wrong(format!(
            "its numbers go from {low} to {high}, and a mask's from 0 to 1"
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
        _ => Err("must be two different numbers, as 30:45".to_owned()),
    }
}

fn band(text: &str) -> Result<(Option<f64>, Option<f64>), String> {
    let wrong = || "must be two numbers, as 30:45, or one, as 30: or :45".to_owned();
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
    fn ranges_are_two_different_numbers() {
        assert_eq!(range("30:45"), Ok((30.0, 45.0)));
        assert_eq!(range("-1.5 : -3"), Ok((-1.5, -3.0)));
        for wrong in ["", "3", "3:", ":3", "3:3", "a:b", "1:2:3", "nan:1", "0:inf"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bands_may_be_open() {
        assert_eq!(band("30:45"), Ok((Some(30.0), Some(45.0))));
        assert_eq!(band("-2:"), Ok((Some(-2.0), None)));
        assert_eq!(band(": 7"), Ok((None, Some(7.0))));
        for wrong in ["", ":", "3", "a:", "1:2:3", "nan:", ":inf"] {
            assert!(band(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn masks_are_joined_as_sets_are() {
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
