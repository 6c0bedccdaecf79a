//! What may stand beside a map's file, and tells what its format has no room for.
//!
//! ```text
//! alps.png         the heights
//! alps.png.json    a sidecar: all that there is to know
//! alps.pgw         else a world file: where it lies
//! alps.prj         and its coordinate system
//! alps.png.aux.xml or as GDAL notes it
//! ```
//!
//! No files here either: [`Beside::names`] says what to look for, and whoever finds it hands the bytes
//! to [`Beside::tell`]. A sidecar is asked for first, and what is known is not asked for again, so that
//! over a network little is asked for in vain.

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use crate::Sidecar;
use crate::{Format, ImportError, read_gdal_sidecar, read_projection, read_world_file};
use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize};

/// A kind of file that may stand beside a map's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Beside {
    /// The JSON of a [`Sidecar`](super::Sidecar), with the feature `sidecar`, `png` or `exr`.
    Sidecar,
    /// Six numbers: [`read_world_file`].
    WorldFile,
    /// A coordinate system: [`read_projection`].
    Projection,
    /// What GDAL notes, of which the coordinate system is read: [`read_gdal_sidecar`].
    Gdal,
}

impl Beside {
    /// All of them, in the order in which they are to be looked for.
    pub const ALL: [Self; 4] = [Self::Sidecar, Self::WorldFile, Self::Projection, Self::Gdal];

    /// The names to look for beside a map that was read from the file of this name, and of which the
    /// frame is known, the likeliest first; none when it would tell nothing that is not known.
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
            // A TIFF says everything itself.
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

    /// Takes into the map what the bytes of such a file tell about it. A sidecar of RAW, or of a map of
    /// another size, is another map's, and tells nothing.
    ///
    /// # Errors
    /// When they are no such file, or the map can not lie there; the map is as it was.
    pub fn tell(self, map: &mut ElevationModel, bytes: &[u8]) -> Result<(), ImportError> {
        match self {
            Self::Sidecar => tell_sidecar(map, bytes)?,
            Self::WorldFile | Self::Projection | Self::Gdal => {
                map.frame = self.tell_place(map.frame, map.size(), bytes)?;
            }
        }
        Ok(())
    }

    /// As [`tell`](Self::tell), for those who hold no heights yet: the frame of a map of this size, with the place
    /// that a world file or a coordinate system tells. A sidecar, which may turn heights round, tells none.
    ///
    /// # Errors
    /// When they are no such file.
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
        // A relief that nobody said goes by how wide the cells are.
        if !frame.elevation_is_said {
            frame = frame.with_default_relief(size);
        }
        Ok(frame)
    }
}

/// The name of the sidecar beside the file of this name.
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
    fn only_what_is_not_known_is_looked_for() {
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
    fn a_place_is_told_in_two_files_and_the_relief_goes_by_the_cells() {
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
    fn what_is_damaged_changes_nothing() {
        for beside in Beside::ALL {
            let mut map = map();
            let told = beside.tell(&mut map, b"{ nothing");
            assert!(told.is_err() || beside == Beside::Sidecar && !Beside::reads_sidecars());
            assert_eq!(map, self::map(), "{beside:?}");
        }
    }

    #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
    #[test]
    fn a_sidecar_tells_all_also_that_numbers_are_depths() {
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
            let metres = found.frame.elevation.metres(found.heights.get(2, 1));
            assert_eq!(metres, 100.0 + relief);
        }
        // Of another size: it is another map's.
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
