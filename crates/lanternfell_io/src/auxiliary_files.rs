//! Files next to a map that hold the metadata its format cannot store.
//!
//! ```text
//! alps.png         the heights
//! alps.png.json    a sidecar with all metadata
//! alps.pgw         otherwise a world file with the georeference
//! alps.prj         and its coordinate system
//! alps.png.aux.xml or all of these in GDAL's XML
//! ```
//!
//! A georeference makes the numbers of a map meters that could have been heights from 0 to 1 (see `meaning.rs`), for
//! instance 16-bit integers with a world file. GDAL's XML may define a scale, an offset and a unit instead.
//!
//! This module opens no files either. [`AuxiliaryFile::names`] returns the file names to look for, and
//! [`AuxiliaryFile::apply`] reads their content. The sidecar comes first, and `names` is empty for metadata that is
//! already known. This avoids useless requests over a network.

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use crate::Sidecar;
use crate::{
    ElevationSource, Format, ImportError, ImportedMap, Meaning, gdal_system::GdalMetadata,
    read_projection, read_world_file,
};
use lanternfell_heightmap::{Elevation, MapFrame, MapSize};

/// A kind of file that can accompany a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuxiliaryFile {
    /// The JSON of a [`Sidecar`](super::Sidecar). Needs the feature `sidecar`, `png` or `exr`.
    Sidecar,
    /// A georeference in six numbers: [`read_world_file`].
    WorldFile,
    /// A coordinate system as text: [`read_projection`].
    Projection,
    /// GDAL's auxiliary metadata: the georeference, the coordinate system
    /// ([`read_gdal_sidecar`](super::read_gdal_sidecar)), and the scale, offset and unit of the heights.
    Gdal,
}

impl AuxiliaryFile {
    /// All kinds, in the order in which to look for them.
    pub const ALL: [Self; 4] = [Self::Sidecar, Self::WorldFile, Self::Projection, Self::Gdal];

    /// Returns the names to look for next to the map `file`, the most likely first.
    ///
    /// `frame` contains what is already known about the map. The list is empty if such a file could not add anything.
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
            Self::Gdal if !place_is_explicit || frame.place.system.is_none() => {
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
    pub fn apply(self, map: &mut ImportedMap, bytes: &[u8]) -> Result<(), ImportError> {
        match self {
            Self::Sidecar => apply_sidecar(map, bytes)?,
            Self::WorldFile | Self::Projection | Self::Gdal => {
                let known = (map.model.frame, map.meaning);
                (map.model.frame, map.meaning) =
                    self.apply_to_frame(known, map.model.size(), bytes)?;
                map.restore_numbers();
            }
        }
        Ok(())
    }

    /// Returns the frame of a map with the metadata of such a file, and the meaning of its numbers, for programs that
    /// do not have all heights in memory. If the new meaning [`needs_numbers`](Meaning::needs_numbers), the heights
    /// must be read again with [`ReadHeights::Meters`](super::ReadHeights::Meters).
    ///
    /// Unlike [`apply`](Self::apply), it ignores sidecars, because a sidecar can require the heights to be inverted.
    ///
    /// # Errors
    /// When the content is invalid.
    pub fn apply_to_frame(
        self,
        (mut frame, mut meaning): (MapFrame, Meaning),
        size: MapSize,
        bytes: &[u8],
    ) -> Result<(MapFrame, Meaning), ImportError> {
        let before = frame;
        match self {
            Self::Sidecar => {}
            Self::WorldFile => {
                frame.place = read_world_file(bytes, size)?;
                frame.place_is_explicit = true;
            }
            Self::Projection => {
                let (system, unit) = read_projection(bytes)?;
                frame.place.system = Some(system);
                frame.place.unit = unit;
                frame.place_is_explicit = true;
            }
            Self::Gdal => {
                let metadata = GdalMetadata::parse(bytes, size)?;
                // This crate writes the same metadata to a sidecar, which is more precise.
                if meaning.source == ElevationSource::Sidecar && !frame.place_is_explicit {
                    return Ok((frame, meaning));
                }
                metadata.place(&mut frame);
                metadata.scale(&mut frame, &mut meaning)?;
            }
        }
        if frame.place == before.place && frame.place_is_explicit == before.place_is_explicit {
            return Ok((frame, meaning));
        }
        frame.place.validate_on(size.height())?;
        if meaning.source == ElevationSource::Default {
            meaning.source = ElevationSource::Georeference;
            (frame.elevation, frame.elevation_is_explicit) = (Elevation::METERS, true);
        } else if !frame.elevation_is_explicit {
            // The default relief depends on the cell size, which has changed.
            frame = frame.with_default_relief(size);
        }
        Ok((frame, meaning))
    }
}

/// Returns the name of the sidecar of a file.
pub fn sidecar_name(file: &str) -> String {
    format!("{file}.json")
}

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
fn apply_sidecar(map: &mut ImportedMap, bytes: &[u8]) -> Result<(), ImportError> {
    let sidecar = Sidecar::parse(bytes)?;
    if sidecar.format.is_none() && sidecar.size == map.model.size() {
        map.apply_frame(sidecar.frame);
    }
    Ok(())
}

#[cfg(not(any(feature = "exr", feature = "png", feature = "sidecar")))]
fn apply_sidecar(_: &mut ImportedMap, _: &[u8]) -> Result<(), ImportError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RawFormat, ReadHeights, ReadOptions, Sample};
    use lanternfell_heightmap::{CoordinateSystem, ElevationModel, GeoReference, LengthUnit};

    /// A RAW file with bytes from 0 to 255.
    fn read(heights: Option<ReadHeights>) -> ImportedMap {
        let options = ReadOptions {
            size: Some(MapSize::new(3, 2).unwrap()),
            raw: RawFormat {
                sample: Sample::U8,
                ..RawFormat::default()
            },
            heights,
            ..ReadOptions::default()
        };
        crate::import(&[0, 51, 102, 153, 204, 255], Format::Raw, &options).unwrap()
    }

    fn map() -> ImportedMap {
        read(None)
    }

    #[test]
    fn names_skips_known_metadata() {
        let names = |kind: AuxiliaryFile, file, format, map: &ElevationModel| {
            kind.names(file, format, &map.frame).join(" ")
        };
        let mut map = map().model;
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

    const WORLD: &[u8] = b"20\n0\n0\n-20\n10\n30\n";

    #[test]
    fn georeference_scales_default_relief() {
        let mut map = read(Some(ReadHeights::Unit));
        let relief = map.model.frame.elevation.relief;
        let heights = map.model.heights.clone();
        AuxiliaryFile::WorldFile.apply(&mut map, WORLD).unwrap();
        let frame = map.model.frame;
        assert_eq!(frame.place, GeoReference::at([0.0, 0.0], 20.0));
        assert!((frame.elevation.relief / relief - 20.0).abs() < 1e-5);
        assert!(frame.place_is_explicit && !frame.elevation_is_explicit);
        let feet = br#"PROJCS["x",UNIT["Foot",0.3048],AUTHORITY["EPSG","2277"]]"#;
        AuxiliaryFile::Projection.apply(&mut map, feet).unwrap();
        let frame = map.model.frame;
        assert_eq!(frame.place.unit, LengthUnit::Foot);
        assert_eq!(frame.place.system, Some(CoordinateSystem::Projected(2277)));
        assert!((frame.elevation.relief / relief - 20.0 * 0.3048).abs() < 1e-5);
        assert_eq!(map.model.heights, heights);
    }

    #[test]
    fn georeference_makes_integers_meters() {
        let xml = b"<PAMDataset><GeoTransform>0, 20, 0, 40, 0, -20</GeoTransform></PAMDataset>";
        for (kind, bytes) in [
            (AuxiliaryFile::WorldFile, WORLD),
            (AuxiliaryFile::Gdal, &xml[..]),
        ] {
            let mut map = map();
            assert_eq!(map.meaning.one, 255.0);
            kind.apply(&mut map, bytes).unwrap();
            assert_eq!(map.model.frame.place, GeoReference::at([0.0, 0.0], 20.0));
            assert_eq!(map.model.frame.elevation, Elevation::METERS);
            let numbers = [0.0, 51.0, 102.0, 153.0, 204.0, 255.0];
            assert_eq!(map.model.heights.heights(), numbers);
            assert_eq!(map.meaning.source, ElevationSource::Georeference);
            assert_eq!(map.meaning.one, 1.0);
        }
    }

    #[test]
    fn gdal_scale_and_unit_apply_to_numbers() {
        let xml = |items: &str| {
            format!("<PAMDataset><PAMRasterBand band=\"1\">{items}</PAMRasterBand></PAMDataset>")
        };
        for (items, meters) in [
            ("<Scale>2</Scale>", 510.0),
            ("<Offset>-55</Offset>", 200.0),
            ("<Offset>-55</Offset><Scale>2</Scale>", 455.0),
            ("<UnitType>ft</UnitType>", 255.0 * 0.3048),
            ("<UnitType>ft</UnitType><Scale>2</Scale>", 510.0 * 0.3048),
            ("<UnitType>m</UnitType>", 255.0),
        ] {
            let mut map = map();
            let xml = xml(items);
            AuxiliaryFile::Gdal.apply(&mut map, xml.as_bytes()).unwrap();
            assert!((map.model.range().1 - meters).abs() < 1e-4, "{items}");
            assert!(map.model.frame.elevation_is_explicit, "{items}");
        }
        // What says nothing about heights changes nothing.
        for items in [
            "",
            "<UnitType>degree</UnitType>",
            "<Scale>x</Scale>",
            "<Scale>0</Scale>",
        ] {
            let mut map = map();
            let xml = xml(items);
            let _ = AuxiliaryFile::Gdal.apply(&mut map, xml.as_bytes());
            assert_eq!(map, self::map(), "{items}");
        }
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

        let mut described = map().model;
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
            let found = found.model;
            assert_eq!(found.frame.place, described.frame.place);
            let meters = found.frame.elevation.meters(found.heights.get(2, 1));
            assert_eq!(meters, 100.0 + relief);
        }
        // A sidecar of another size belongs to another map.
        let size = MapSize::new(9, 9).unwrap();
        let other = ElevationModel::of_heights(lanternfell_heightmap::Heightmap::flat(size));
        let mut json = Vec::new();
        let sidecar = Sidecar::of(&other, None, other.frame.elevation);
        sidecar.write(&mut json).unwrap();
        let mut found = map();
        AuxiliaryFile::Sidecar.apply(&mut found, &json).unwrap();
        assert_eq!(found, map());
    }
}
