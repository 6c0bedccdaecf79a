//! Reads maps and recipes from standard input and other open pipes.

use std::{
    ffi::OsStr,
    fs::File,
    io::{Error, ErrorKind, Read},
    path::Path,
};

use lanternfell_io::{self as io, Format};

use super::input::import;
use crate::{args::MapArgs, failure::Failure, job::waiting};

/// Returns whether a name is that of standard input or of another open pipe, for instance from a shell's `<(...)`.
pub(crate) fn is_pipe(name: impl AsRef<OsStr>) -> bool {
    let Some(name) = name.as_ref().to_str() else {
        return false;
    };
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let numbered = ["/dev/fd/", "/proc/self/fd/"]
        .iter()
        .any(|folder| name.strip_prefix(folder).is_some_and(is_number));
    name == "-" || name == "/dev/stdin" || numbered
}

/// Opens a pipe for reading. On systems without such names, only `-` exists.
fn open_pipe(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") || path == Path::new("/dev/stdin") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })?;
    Ok(Box::new(file))
}

/// Reads up to `most` bytes from a pipe.
fn from_pipe(
    path: &Path,
    bytes: &mut Vec<u8>,
    most: u64,
    pipe: &mut dyn Read,
) -> Result<(), Failure> {
    let more = most.saturating_sub(bytes.len() as u64);
    let read = waiting(|| pipe.take(more).read_to_end(bytes));
    read.map(|_| ()).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// The maximum length of a recipe in bytes. A recipe of 256 steps takes a tenth of it.
pub(crate) const LONGEST_RECIPE: u64 = 1 << 20;

/// Reads the text of a recipe from a pipe.
pub(crate) fn recipe_in_pipe(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from_pipe(path, &mut bytes, LONGEST_RECIPE + 1, &mut *open_pipe(path)?)?;
    if bytes.len() as u64 > LONGEST_RECIPE {
        return Err(Failure::Usage(format!(
            "{}: the text is too long for a recipe",
            path.display()
        )));
    }
    Ok(bytes)
}

/// Reads a pipe and detects its format. `None` means text, for a recipe.
///
/// The header determines how long the data can be, so that no more of it is kept.
pub(crate) fn pipe(arguments: &MapArgs) -> Result<(Vec<u8>, Option<Format>), Failure> {
    let path = Path::new(&arguments.source);
    let mut pipe = open_pipe(path)?;
    let failed = |error| Failure::Read {
        path: path.to_owned(),
        error,
    };
    let mut bytes = Vec::new();
    let mut read_to = |bytes: &mut Vec<u8>, most: u64| from_pipe(path, bytes, most, &mut *pipe);
    read_to(&mut bytes, io::HEADER as u64)?;
    let is_raw = arguments.raw.given() || arguments.change.size.is_some();
    let format = Format::sniff(&bytes).or(is_raw.then_some(Format::Raw));
    let most = match (format, arguments.change.size) {
        (None, _) => LONGEST_RECIPE,
        (Some(Format::Raw), Some(size)) => arguments.raw.format().bytes(size),
        // The error about the missing size comes later.
        (Some(Format::Raw), None) => 0,
        (Some(format), _) => {
            let size = io::max_size(&bytes, format).map_err(|error| import(path, error))?;
            io::max_file_size(size)
        }
    };
    read_to(&mut bytes, most + 1)?;
    // For RAW, the error with the expected length comes later. Any other data that is too long is invalid.
    if bytes.len() as u64 > most && format != Some(Format::Raw) {
        return Err(failed(Error::from(ErrorKind::FileTooLarge)));
    }
    Ok((bytes, format))
}
