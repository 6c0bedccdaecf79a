//! The files next to a map: sidecars, headers, world files, coordinate systems and GDAL's metadata.

use std::path::Path;

use lanternfell_heightmap::{MapFrame, MapSize};
use lanternfell_io::{AuxiliaryFile, BilHeader, ElevationSource, Format, Meaning, Sidecar};

use super::input::{Input, import};
use crate::{
    failure::Failure,
    meaning::Reason,
    path::{extension_as_is, sidecar_path},
};

/// Returns the frame of a map with the metadata of files next to it, and how the meaning of its heights was determined.
///
/// A sidecar contains the whole frame. Otherwise the name of the map or a world file contains the georeference, and a
/// `.prj` file the coordinate system. GDAL's `.aux.xml` adds what the other files lack. The `.prj` file is ignored if the
/// format itself can store a coordinate system.
pub(crate) fn frame_with_auxiliary_files(
    (mut frame, mut reason): (MapFrame, Reason),
    size: MapSize,
    format: Format,
    path: &Path,
) -> Result<(MapFrame, Reason), Failure> {
    let sidecar = sidecar_next_to(path, format);
    if let Some(sidecar) = &sidecar
        && sidecar.format.is_none()
        && sidecar.size == size
    {
        return Ok(apply_sidecar(
            sidecar.frame,
            &sidecar_path(path),
            frame,
            reason,
        ));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = format.georeference_from_file_name(&name, size);
    if let Some(place) = place.map_err(|error| import(path, error))? {
        (frame.place, frame.place_is_explicit) = (place, true);
    }
    // The name may not be UTF-8, so the names of the other files are made for a name with the same extension.
    const SHORT: &str = "map";
    let file = extension_as_is(path).map(|ending| format!("{SHORT}.{ending}"));
    let beside = |name: &str| {
        let mut own = path.file_stem().unwrap_or_default().to_owned();
        own.push(name.trim_start_matches(SHORT));
        path.with_file_name(own)
    };
    let mut lacks_system = format.lacks_system();
    for kind in [
        AuxiliaryFile::WorldFile,
        AuxiliaryFile::Projection,
        AuxiliaryFile::Gdal,
    ] {
        // It was written with a sidecar, which belongs to another map.
        if kind == AuxiliaryFile::Gdal && sidecar.is_some() {
            continue;
        }
        // For TIFF too, GDAL stores what the file lacks in an `.aux.xml` file.
        if kind == AuxiliaryFile::Projection && !lacks_system {
            continue;
        }
        let names = file.as_ref().map(|file| kind.names(file, format, &frame));
        let mut paths = names.iter().flatten().map(|name| beside(name));
        if let Some(auxiliary_file) = paths.find(|path| path.is_file()) {
            if kind == AuxiliaryFile::Gdal && !is_small(&auxiliary_file) {
                // It contains statistics and colors, which can be long.
                continue;
            }
            let bytes = small(&auxiliary_file, "a georeference")?;
            let Some(before) = reason.meaning else {
                continue;
            };
            let updated = kind.apply_to_frame((frame, before), size, &bytes);
            let meaning;
            (frame, meaning) = updated.map_err(|error| import(&auxiliary_file, error))?;
            if meaning != before {
                reason = Reason::of_file(meaning).with_words(words_of(&auxiliary_file, meaning));
            }
            lacks_system = true;
        }
    }
    Ok((frame, reason))
}

/// Describes what a file next to a map contains.
fn words_of(path: &Path, meaning: Meaning) -> String {
    let what = match meaning.source {
        ElevationSource::Scale => "a scale or an offset",
        ElevationSource::Unit => "a unit",
        _ => "a georeference",
    };
    format!("{} has {what}", file_name(path))
}

pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Returns the frame of a map with the frame in its sidecar. Only --read-heights overrides its elevation.
pub(super) fn apply_sidecar(
    found: MapFrame,
    sidecar: &Path,
    frame: MapFrame,
    reason: Reason,
) -> (MapFrame, Reason) {
    let is_option = |meaning: Meaning| meaning.source == ElevationSource::Option;
    if reason.meaning.is_some_and(is_option) {
        let frame = MapFrame {
            elevation: frame.elevation,
            unit: frame.unit,
            elevation_is_explicit: frame.elevation_is_explicit,
            ..found
        };
        return (frame, reason);
    }
    let words = format!("described in {}", file_name(sidecar));
    let one = reason.meaning.map_or(1.0, |meaning| meaning.one);
    let meaning = Meaning {
        source: ElevationSource::Sidecar,
        one: one * found.elevation.relief.signum() as f32,
    };
    (found, Reason::of_file(meaning).with_words(words))
}

/// Returns the sidecar of a map. One for another size or for a RAW file belongs to another map.
fn sidecar_next_to(path: &Path, format: Format) -> Option<Sidecar> {
    let sidecar_file = sidecar_path(path);
    if !has_sidecar(format) || !sidecar_file.is_file() {
        return None;
    }
    sidecar(&sidecar_file).ok()
}

/// Returns whether files of this format may have a sidecar. A TIFF stores all metadata itself.
pub(crate) fn has_sidecar(format: Format) -> bool {
    format.is_read() && format != Format::Tiff
}

/// Returns whether there is a valid sidecar with this name.
pub(crate) fn is_sidecar(path: &Path) -> bool {
    path.is_file() && sidecar(path).is_ok()
}

pub(super) fn sidecar(path: &Path) -> Result<Sidecar, Failure> {
    Sidecar::parse(&small(path, "a sidecar")?).map_err(|error| import(path, error))
}

/// Reads the header file of a map. Returns `None` if the format has none.
pub(super) fn header(path: &Path, format: Format) -> Result<Option<BilHeader>, Failure> {
    // The name may not be UTF-8, so only the extensions are used.
    let names = BilHeader::names("", format);
    let mut paths = names.iter().map(|name| path.with_extension(&name[1..]));
    let Some(usual) = paths.next() else {
        return Ok(None);
    };
    let Some(header) = [usual.clone()]
        .into_iter()
        .chain(paths)
        .find(|path| path.is_file())
    else {
        return Err(Failure::Usage(format!(
            "{}: its header file {} does not exist",
            path.display(),
            usual.display()
        )));
    };
    let parsed = BilHeader::parse(&small(&header, "a header")?, format);
    parsed.map(Some).map_err(|error| import(&header, error))
}

/// The maximum length in bytes of a file next to a map. A sidecar has about twenty fields, and a coordinate system is
/// not much longer.
const LONGEST_AUXILIARY_FILE: u64 = 1 << 16;

/// Reads a small file next to a map.
fn small(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let mut file = Input::open(path)?;
    if file.length > LONGEST_AUXILIARY_FILE {
        return Err(file.wrong(format_args!("the file is too long for {what}")));
    }
    file.read()
}

/// Returns whether a file is short enough for [`small`].
fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= LONGEST_AUXILIARY_FILE)
}
