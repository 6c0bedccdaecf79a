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
//! This module opens no files either. [`Beside::names`] returns the file names to look for, and [`Beside::tell`] reads
//! their content. The sidecar comes first, and `names` is empty for metadata that is already known. This avoids useless
//! requests over a network.

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use crate::Sidecar;
use crate::{Format, ImportError, read_gdal_sidecar, read_projection, read_world_file};
use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize};

/// A kind of file that can accompany a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Beside {
    /// The JSON of a [`Sidecar`](super::Sidecar). Needs the feature `sidecar`, `png` or `exr`.
    Sidecar,
    /// A georeference in six numbers: [`read_world_file`].
    WorldFile,
    /// A coordinate system as text: [`read_projection`].
    Projection,
    /// GDAL's auxiliary metadata. Only the coordinate system is read: [`read_gdal_sidecar`].
    Gdal,
}

impl Beside {
    /// All kinds, in the order in which to look for them.
    pub const ALL: [Self; 4] = [Self::Sidecar, Self::WorldFile, Self::Projection, Self::Gdal];

    /// Returns the names to look for next to the map `file`, the most likely first.
    ///
    /// `frame` is what is already known about the map. The list is empty if the file could not add anything to it.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapFrame, MapSize};
    /// use lanternfell_io::{Beside, Format};
    ///
    /// let frame = MapFrame::of_size(MapSize::new(2, 2)?);
    /// assert_eq!(Beside::WorldFile.names("alps.tif", Format::Tiff, &frame), ["alps.tfw", "alps.wld"]);
    /// assert!(Beside::Projection.names("alps.tif", Format::Tiff, &frame).is_empty());
    /// # Ok::<(), lanternfell_heightmap::SizeError>(())
    /// ```
    pub fn names(self, file: &str, format: Format, frame: &MapFrame) -> Vec<String> {
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let place_is_said = frame.place_is_said;
        match self {
            // A TIFF stores all metadata itself.
            Self::Sidecar if Self::reads_sidecars() && format != Format::Tiff => {
                vec![sidecar_name(file)]
            }
            Self::WorldFile if !place_is_said => {
                let mut letters = ending.chars();
                let first = letters.next();
                let own = first.map(|first| {
                    let last = letters.next_back().unwrap_or(first);
                    format!("{stem}.{first}{last}w")
                });
                own.into_iter().chain([format!("{stem}.wld")]).collect()
            }
            Self::Projection if place_is_said && frame.place.system.is_none() => {
                vec![format!("{stem}.prj")]
            }
            Self::Gdal if place_is_said && frame.place.system.is_none() => {
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
    pub fn tell(self, map: &mut ElevationModel, bytes: &[u8]) -> Result<(), ImportError> {
        match self {
            Self::Sidecar => tell_sidecar(map, bytes)?,
            Self::WorldFile | Self::Projection | Self::Gdal => {
                map.frame = self.tell_place(map.frame, map.size(), bytes)?;
            }
        }
        Ok(())
    }

    /// Returns the frame of a map with the georeference of such a file, for programs that have not read the heights.
    ///
    /// Unlike [`tell`](Self::tell), it ignores sidecars, because a sidecar can require the heights to be inverted.
    ///
    /// # Errors
    /// When the content is invalid.
    pub fn tell_place(
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
        frame.place_is_said = true;
        // The default relief depends on the cell size, which has changed.
        if !frame.elevation_is_said {
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
fn tell_sidecar(map: &mut ElevationModel, bytes: &[u8]) -> Result<(), ImportError> {
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
fn tell_sidecar(_: &mut ElevationModel, _: &[u8]) -> Result<(), ImportError> {
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
        let names = |beside: Beside, file, format, map: &ElevationModel| {
            beside.names(file, format, &map.frame).join(" ")
        };
        let mut map = map();
        assert_eq!(
            names(Beside::WorldFile, "a.b.PNG", Format::Png, &map),
            "a.b.PGw a.b.wld"
        );
        assert_eq!(
            names(Beside::WorldFile, "bare", Format::Png, &map),
            "bare.wld"
        );
        assert_eq!(names(Beside::Sidecar, "a.tif", Format::Tiff, &map), "");
        map.frame.place_is_said = true;
        assert_eq!(names(Beside::WorldFile, "a.asc", Format::Ascii, &map), "");
        assert_eq!(
            names(Beside::Projection, "a.asc", Format::Ascii, &map),
            "a.prj"
        );
        assert_eq!(
            names(Beside::Gdal, "a.asc", Format::Ascii, &map),
            "a.asc.aux.xml"
        );
        map.frame.place.system = Some(CoordinateSystem::Projected(2056));
        assert_eq!(names(Beside::Projection, "a.asc", Format::Ascii, &map), "");
        assert_eq!(names(Beside::Gdal, "a.asc", Format::Ascii, &map), "");
    }

    #[test]
    fn georeference_scales_default_relief() {
        let mut map = map();
        let relief = map.frame.elevation.relief;
        let world = b"20\n0\n0\n-20\n10\n30\n";
        Beside::WorldFile.tell(&mut map, world).unwrap();
        assert_eq!(map.frame.place, GeoReference::at([0.0, 0.0], 20.0));
        assert!((map.frame.elevation.relief / relief - 20.0).abs() < 1e-5);
        assert!(map.frame.place_is_said && !map.frame.elevation_is_said);
        let feet = br#"PROJCS["x",UNIT["Foot",0.3048],AUTHORITY["EPSG","2277"]]"#;
        Beside::Projection.tell(&mut map, feet).unwrap();
        assert_eq!(map.frame.place.unit, LengthUnit::Foot);
        assert_eq!(
            map.frame.place.system,
            Some(CoordinateSystem::Projected(2277))
        );
        assert!((map.frame.elevation.relief / relief - 20.0 * 0.3048).abs() < 1e-5);
    }

    #[test]
    fn damaged_files_change_nothing() {
        for beside in Beside::ALL {
            let mut map = map();
            let told = beside.tell(&mut map, b"{ nothing");
            assert!(told.is_err() || beside == Beside::Sidecar && !Beside::reads_sidecars());
            assert_eq!(map, self::map(), "{beside:?}");
        }
    }

    #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
    #[test]
    fn sidecar_sets_whole_frame_and_inverts_depths() {
        use lanternfell_heightmap::Elevation;

        let mut told = map();
        told.frame.elevation = Elevation {
            offset: 100.0,
            relief: 900.0,
        };
        told.frame.place = GeoReference::at([7.0, 8.0], 30.0);
        for relief in [900.0, -900.0] {
            let elevation = Elevation {
                relief,
                ..told.frame.elevation
            };
            let mut json = Vec::new();
            Sidecar::of(&told, None, elevation)
                .write(&mut json)
                .unwrap();
            let mut found = map();
            Beside::Sidecar.tell(&mut found, &json).unwrap();
            assert_eq!(found.frame.place, told.frame.place);
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
        Beside::Sidecar.tell(&mut found, &json).unwrap();
        assert_eq!(found, map());
    }
}
