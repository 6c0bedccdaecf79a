//! Files next to a map that hold the metadata its format cannot store.
//!
//! ```text
//! alps.png         the heights
//! alps.png.json    a sidecar with all metadata
//! alps.pgw         otherwise a world file with the georeference
//! alps.prj         and its coordinate system
//! alps.png.aux.xml or the coordinate system in GDAL's XML
//! ```
//!
//! This module opens no files either. [`AuxiliaryFile::names`] returns the file names to look for, and [`AuxiliaryFile::apply`] reads
//! their content. The sidecar comes first, and `names` is empty for metadata that is already known. This avoids useless
//! requests over a network.

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use crate::Sidecar;
use crate::{Format, ImportError, read_gdal_sidecar, read_projection, read_world_file};
use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize};

/// A kind of file that can accompany a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuxiliaryFile {
    /// The JSON of a [`Sidecar`](super::Sidecar). Needs the feature `sidecar`, `png` or `exr`.
    Sidecar,
    /// A georeference in six numbers: [`read_world_file`].
    WorldFile,
    /// A coordinate system as text: [`read_projection`].
    Projection,
    /// GDAL's auxiliary metadata. Only the coordinate system is read: [`read_gdal_sidecar`].
    Gdal,
}

impl AuxiliaryFile {
    /// All kinds, in the order in which to look for them.
    pub const ALL: [Self; 4] = [Self::Sidecar, Self::WorldFile, Self::Projection, Self::Gdal];

    /// Returns the names to look for next to the map `file`, the most likely first.
    ///
    /// `frame` is what is already known about the map. The list is empty if the file could not add anything to it.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapFrame, MapSize};
    /// use lanternfell_io::{AuxiliaryFile, Format};
    ///
    /// let frame = MapFrame::of_size(MapSize::new(2, 2)?);
    /// assert_eq!(AuxiliaryFile::WorldFile.names("alps.tif", Format::Tiff, &frame), ["alps.tfw", "alps.wld"]);
    /// assert!(AuxiliaryFile::Projection.names("alps.tif", Format::Tiff, &frame).is_empty());
    /// # Ok::<(), lanternfell_heightmap::SizeError>(())
    /// ```
    pub fn names(self, file: &str, format: Format, frame: &MapFrame) -> Vec<String> {
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let place_is_explicit = frame.place_is_explicit;
        match self {
            // A TIFF stores all metadata itself.
            Self::Sidecar if Self::reads_sidecars() && format != Format::Tiff => {
                vec![sidecar_name(file)]
            }
            Self::WorldFile if !place_is_explicit => {
                let mut letters = ending.chars();
                let first = letters.next();
                let own = first.map(|first| {
                    let last = letters.next_back().unwrap_or(first);
                    format!("{stem}.{first}{last}w")
                });
                own.into_iter().chain([format!("{stem}.wld")]).collect()
            }
            Self::Projection if place_is_explicit && frame.place.system.is_none() => {
                vec![format!("{stem}.prj")]
            }
            Self::Gdal if place_is_explicit && frame.place.system.is_none() => {
                vec![format!("{file}.aux.xml")]
            }
            Self::Sidecar | Self::WorldFile | Self::Projection | Self::Gdal => Vec::new(),
        }
    }

    fn reads_sidecars() -> bool {
        cfg!(any(feature = "exr", feature = "png", feature = "sidecar"))
    }

    /// Reads such a file and adds its metadata to the map.
    ///
    /// A sidecar is ignored if it describes a RAW file or a map of another size, because it then belongs to another
    /// map.
    ///
    /// # Errors
    /// When the content is invalid, or the map cannot have this georeference. The map is then unchanged.
    pub fn apply(self, map: &mut ElevationModel, bytes: &[u8]) -> Result<(), ImportError> {
        match self {
            Self::Sidecar => apply_sidecar(map, bytes)?,
            Self::WorldFile | Self::Projection | Self::Gdal => {
                map.frame = self.apply_to_frame(map.frame, map.size(), bytes)?;
            }
        }
        Ok(())
    }

    /// Returns the frame of a map with the georeference of such a file, for programs that have not read the heights.
    ///
    /// Unlike [`apply`](Self::apply), it ignores sidecars, because a sidecar can require the heights to be inverted.
    ///
    /// # Errors
    /// When the content is invalid.
    pub fn apply_to_frame(
        self,
        mut frame: MapFrame,
        size: MapSize,
        bytes: &[u8],
    ) -> Result<MapFrame, ImportError> {
        match self {
            Self::Sidecar => return Ok(frame),
            Self::WorldFile => frame.place = read_world_file(bytes, size)?,
            Self::Projection => {
                let (system, unit) = read_projection(bytes)?;
                frame.place.system = Some(system);
                frame.place.unit = unit;
            }
            Self::Gdal => {
                let Some((system, unit)) = read_gdal_sidecar(bytes)? else {
                    return Ok(frame);
                };
                frame.place.system = Some(system);
                frame.place.unit = unit;
            }
        }
        frame.place.validate_on(size.height())?;
        frame.place_is_explicit = true;
        // The default relief depends on the cell size, which has changed.
        if !frame.elevation_is_explicit {
            frame = frame.with_default_relief(size);
        }
        Ok(frame)
    }
}

/// Returns the name of the sidecar of a file.
pub fn sidecar_name(file: &str) -> String {
    format!("{file}.json")
}

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
fn apply_sidecar(map: &mut ElevationModel, bytes: &[u8]) -> Result<(), ImportError> {
    let sidecar = Sidecar::parse(bytes)?;
    if sidecar.format.is_none() && sidecar.size == map.size() {
        let heights = core::mem::replace(
            &mut map.heights,
            lanternfell_heightmap::Heightmap::flat(MapSize::new(2, 2)?),
        );
        *map = sidecar.frame.of(heights);
    }
    Ok(())
}

#[cfg(not(any(feature = "exr", feature = "png", feature = "sidecar")))]
fn apply_sidecar(_: &mut ElevationModel, _: &[u8]) -> Result<(), ImportError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{CoordinateSystem, GeoReference, Heightmap, LengthUnit};

    fn map() -> ElevationModel {
        let size = MapSize::new(3, 2).unwrap();
        let heights = vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        ElevationModel::of_heights(Heightmap::from_heights(size, heights).unwrap())
    }

    #[test]
    fn names_skips_known_metadata() {
        let names = |kind: AuxiliaryFile, file, format, map: &ElevationModel| {
            kind.names(file, format, &map.frame).join(" ")
        };
        let mut map = map();
        assert_eq!(
            names(AuxiliaryFile::WorldFile, "a.b.PNG", Format::Png, &map),
            "a.b.PGw a.b.wld"
        );
        assert_eq!(
            names(AuxiliaryFile::WorldFile, "bare", Format::Png, &map),
            "bare.wld"
        );
        assert_eq!(
            names(AuxiliaryFile::Sidecar, "a.tif", Format::Tiff, &map),
            ""
        );
        map.frame.place_is_explicit = true;
        assert_eq!(
            names(AuxiliaryFile::WorldFile, "a.asc", Format::Ascii, &map),
            ""
        );
        assert_eq!(
            names(AuxiliaryFile::Projection, "a.asc", Format::Ascii, &map),
            "a.prj"
        );
        assert_eq!(
            names(AuxiliaryFile::Gdal, "a.asc", Format::Ascii, &map),
            "a.asc.aux.xml"
        );
        map.frame.place.system = Some(CoordinateSystem::Projected(2056));
        assert_eq!(
            names(AuxiliaryFile::Projection, "a.asc", Format::Ascii, &map),
            ""
        );
        assert_eq!(names(AuxiliaryFile::Gdal, "a.asc", Format::Ascii, &map), "");
    }

    #[test]
    fn georeference_scales_default_relief() {
        let mut map = map();
        let relief = map.frame.elevation.relief;
        let world = b"20\n0\n0\n-20\n10\n30\n";
        AuxiliaryFile::WorldFile.apply(&mut map, world).unwrap();
        assert_eq!(map.frame.place, GeoReference::at([0.0, 0.0], 20.0));
        assert!((map.frame.elevation.relief / relief - 20.0).abs() < 1e-5);
        assert!(map.frame.place_is_explicit && !map.frame.elevation_is_explicit);
        let feet = br#"PROJCS["x",UNIT["Foot",0.3048],AUTHORITY["EPSG","2277"]]"#;
        AuxiliaryFile::Projection.apply(&mut map, feet).unwrap();
        assert_eq!(map.frame.place.unit, LengthUnit::Foot);
        assert_eq!(
            map.frame.place.system,
            Some(CoordinateSystem::Projected(2277))
        );
        assert!((map.frame.elevation.relief / relief - 20.0 * 0.3048).abs() < 1e-5);
    }

    #[test]
    fn damaged_files_change_nothing() {
        for kind in AuxiliaryFile::ALL {
            let mut map = map();
            let result = kind.apply(&mut map, b"{ nothing");
            assert!(
                result.is_err()
                    || kind == AuxiliaryFile::Sidecar && !AuxiliaryFile::reads_sidecars()
            );
            assert_eq!(map, self::map(), "{kind:?}");
        }
    }

    #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
    #[test]
    fn sidecar_sets_whole_frame_and_inverts_depths() {
        use lanternfell_heightmap::Elevation;

        let mut described = map();
        described.frame.elevation = Elevation {
            offset: 100.0,
            relief: 900.0,
        };
        described.frame.place = GeoReference::at([7.0, 8.0], 30.0);
        for relief in [900.0, -900.0] {
            let elevation = Elevation {
                relief,
                ..described.frame.elevation
            };
            let mut json = Vec::new();
            Sidecar::of(&described, None, elevation)
                .write(&mut json)
                .unwrap();
            let mut found = map();
            AuxiliaryFile::Sidecar.apply(&mut found, &json).unwrap();
            assert_eq!(found.frame.place, described.frame.place);
            let meters = found.frame.elevation.meters(found.heights.get(2, 1));
            assert_eq!(meters, 100.0 + relief);
        }
        // A sidecar of another size belongs to another map.
        let size = MapSize::new(9, 9).unwrap();
        let other = ElevationModel::of_heights(Heightmap::flat(size));
        let mut json = Vec::new();
        let sidecar = Sidecar::of(&other, None, other.frame.elevation);
        sidecar.write(&mut json).unwrap();
        let mut found = map();
        AuxiliaryFile::Sidecar.apply(&mut found, &json).unwrap();
        assert_eq!(found, map());
    }
}
