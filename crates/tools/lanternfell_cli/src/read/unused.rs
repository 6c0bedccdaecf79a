//! Rejects options that would have no effect on the file that is read.

use lanternfell_io::Format;

use crate::{
    args::{MapArgs, SelectArgs},
    failure::Failure,
    path::usual_endings,
};

/// Returns an error if options for reading files are given, but no file is read.
pub(crate) fn no_options(arguments: &MapArgs) -> Result<(), Failure> {
    no_raw_options(arguments)?;
    if arguments.project.given() {
        let wrong = "--project is only for heightmap files that are read";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    if changes_numbers(arguments) {
        let wrong =
            "--fill, --nodata and --read-heights are only for heightmap files that are read";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    no_unused(arguments, None)
}

/// Returns whether options change the numbers of a file, so that they cannot be used as they are.
pub(crate) fn changes_numbers(arguments: &MapArgs) -> bool {
    arguments.read.read_heights.is_some()
        || arguments.read.fill.is_some()
        || !arguments.read.nodata.is_empty()
}

/// Returns an error if an option is given that the format does not use.
pub(super) fn no_unused(
    arguments: &MapArgs,
    format: impl Into<Option<Format>>,
) -> Result<(), Failure> {
    let format = format.into();
    if let Some(format) = format {
        no_fill(arguments, format)?;
    }
    let SelectArgs {
        band,
        channel,
        part,
    } = &arguments.read.select;
    let unused = [
        ("--band", band.is_some(), Format::Tiff),
        ("--channel", channel.is_some(), Format::Exr),
        ("--part", part.is_some(), Format::Exr),
        ("--encoding", arguments.read.encoding.is_some(), Format::Png),
    ];
    let is_unused = |(_, is_given, only): &(_, bool, Format)| *is_given && format != Some(*only);
    match unused.into_iter().find(is_unused) {
        Some((option, _, only)) => Err(Failure::Usage(format!(
            "{option} is only for {} files",
            usual_endings(|format| format == only)
        ))),
        None => Ok(()),
    }
}

/// Returns an error if --fill is given for a format without no-data cells, and no value means no data.
fn no_fill(arguments: &MapArgs, format: Format) -> Result<(), Failure> {
    if arguments.read.fill.is_none() || format.has_gaps() || !arguments.read.nodata.is_empty() {
        return Ok(());
    }
    let known = usual_endings(Format::has_gaps);
    Err(Failure::Usage(format!(
        "--fill needs --nodata for {format}, in which every cell has a height (it is optional for {known} files)"
    )))
}

pub(super) fn no_raw_options(arguments: &MapArgs) -> Result<(), Failure> {
    if !arguments.raw.given() {
        return Ok(());
    }
    let wrong = "--raw-format and --big-endian are only for .raw files that are read";
    Err(Failure::Usage(wrong.to_owned()))
}

pub(crate) fn no_size(arguments: &MapArgs, what: &str) -> Result<(), Failure> {
    if arguments.change.size.is_none() {
        return Ok(());
    }
    let dot = if what.contains(char::is_lowercase) && !what.contains(' ') {
        "."
    } else {
        ""
    };
    Err(Failure::Usage(format!(
        "--size is not allowed for {dot}{what}, which contains its size"
    )))
}
