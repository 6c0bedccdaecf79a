//! File names.

use std::path::{Path, PathBuf};

use lanternfell_io::Format;

/// Returns the file extension in lower case, without the dot.
pub(crate) fn extension(path: impl AsRef<Path>) -> Option<String> {
    Some(extension_as_is(path.as_ref())?.to_ascii_lowercase())
}

/// Returns the file extension without the dot.
pub(crate) fn extension_as_is(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Returns the path of the sidecar: the path with `.json` appended.
pub(crate) fn sidecar_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Returns the path of GDAL's auxiliary metadata: the path with `.aux.xml` appended.
pub(crate) fn gdal_sidecar_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".aux.xml");
    name.into()
}

/// Returns the usual extensions of some formats, for errors: `.png, .pgm and .tif`.
pub(crate) fn usual_endings(which: impl Fn(Format) -> bool) -> String {
    let some = Format::ALL.into_iter().filter(|&format| which(format));
    let endings: Vec<String> = some
        .map(|format| format!(".{}", format.extensions()[0]))
        .collect();
    match endings.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => endings.concat(),
    }
}

/// Returns all extensions of some formats, for errors: `.tif, .tiff, .exr`.
pub(crate) fn endings(which: impl Fn(Format) -> bool) -> String {
    let some = Format::ALL.into_iter().filter(|&format| which(format));
    let all: Vec<String> = some
        .flat_map(Format::extensions)
        .map(|ending| format!(".{ending}"))
        .collect();
    all.join(", ")
}
