//! How heights become integers: `--normalize`, `--clamp` and `--range`.

use clap::Args;
use lanternfell_heightmap::{Filter, filter::Clamp};
use lanternfell_io as io;

/// How to fit heights into 0 to 1, the range of integer formats.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct FitArgs {
    /// Stretch the heights to 0 to 1. Heights in meters do not change, so formats in meters stay the same
    #[arg(long, alias = "normalise", conflicts_with_all = ["clamp", "range"])]
    normalize: bool,

    #[command(flatten)]
    pub(crate) range: RangeArgs,
}

/// The heights that integers represent.
#[derive(Debug, Args, Default, Clone, Copy)]
pub(crate) struct RangeArgs {
    /// Heights in meters that are written as 0 and as the largest integer, so that the same height has the same number
    /// in several files. Only for integers (.png, .pgm, .r16, .raw, --bits) and --heights unit. Heights outside are an
    /// error unless --clamp is given [default: the map's heights 0 and 1, or its lowest and highest height if it exceeds
    /// them]
    #[arg(long, value_name = "LOW:HIGH", value_parser = height_range, allow_hyphen_values = true)]
    pub(crate) range: Option<[f64; 2]>,

    /// Clamp heights to --range, or to 0 to 1 without it
    #[arg(long)]
    pub(crate) clamp: bool,
}

fn height_range(text: &str) -> Result<[f64; 2], String> {
    let wrong = "must be LOW:HIGH in meters, LOW below HIGH, for example -100:2500";
    let (low, high) = text.split_once(':').ok_or(wrong)?;
    let [Ok(low), Ok(high)] = [low, high].map(|end| end.trim().parse::<f64>()) else {
        return Err(wrong.to_owned());
    };
    let clamp = false;
    let range = io::HeightRange { low, high, clamp };
    range.validate().map_err(|_| wrong)?;
    Ok([low, high])
}

impl RangeArgs {
    /// Returns the range, if it was given.
    pub(crate) fn range(self) -> Option<io::HeightRange> {
        let clamp = self.clamp;
        let range = self.range;
        range.map(|[low, high]| io::HeightRange { low, high, clamp })
    }

    /// Returns the filter to apply last. Heights are clamped to a range when they are written.
    pub(crate) fn filter(self) -> Option<Filter> {
        let is_unit = self.clamp && self.range.is_none();
        is_unit.then(|| Filter::Clamp(Clamp::default()))
    }
}

impl FitArgs {
    /// Returns whether any of the options was given.
    pub(crate) fn given(&self) -> bool {
        self.normalize || self.range.clamp || self.range.range.is_some()
    }

    /// Returns the filters to apply last.
    pub(crate) fn filters(&self) -> Vec<Filter> {
        let clamp = self.range.filter();
        let normalize = self.normalize.then_some(Filter::Normalize);
        clamp.into_iter().chain(normalize).collect()
    }
}
