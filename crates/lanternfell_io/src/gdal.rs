//! Writes the files in which GDAL looks for metadata that the format of a map cannot store: `FILE.aux.xml` and
//! `NAME.prj`.
//!
//! Grids and images cannot store a coordinate system or a unit. GDAL, and the programs built on it, read them from a
//! small XML file next to the map, the *persistent auxiliary metadata* (PAM). Only for ASCII grids is the coordinate
//! system in a `.prj` file as Esri defines it, spelled out as text. An EPSG code alone does not contain that text, so
//! this module supports only systems for which it can be computed: longitude and latitude, and the UTM zones, on WGS
//! 84, ETRS89 and NAD83.
//!
//! Source: GDAL, *PAM*, `gdal_pam.h`; Esri, *Projected coordinate systems*.

use std::fmt::Write;

use lanternfell_heightmap::{CoordinateSystem, Elevation, ElevationModel};

/// Returns the content of `FILE.aux.xml` for a map.
///
/// `elevation` is the meaning of the numbers in the file, which [`write`](super::write()) returns. `largest` is the
/// number that represents 1: 255 or 65535 for integers, 1 for floating-point numbers.
pub fn gdal_sidecar(model: &ElevationModel, elevation: Elevation, largest: f64) -> String {
    let (frame, place) = (&model.frame, &model.frame.place);
    let ([west, south], [across, down]) = (place.corner, place.cell);
    let north = south + down * model.size().height() as f64;
    let mut xml = "<PAMDataset>\n".to_owned();
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(xml, "{text}").expect("writing to a String never fails");
    };
    if let Some(number) = place.system.and_then(CoordinateSystem::epsg) {
        line(format_args!("  <SRS>EPSG:{number}</SRS>"));
    }
    line(format_args!(
        "  <GeoTransform>{west}, {across}, 0, {north}, 0, -{down}</GeoTransform>"
    ));
    line(format_args!("  <PAMRasterBand band=\"1\">"));
    if let Some(number) = frame.no_data.filter(|_| largest == 1.0) {
        line(format_args!("    <NoDataValue>{number}</NoDataValue>"));
    }
    if frame.unit.is_some() {
        line(format_args!("    <UnitType>m</UnitType>"));
    }
    if elevation != Elevation::METERS || largest != 1.0 {
        let (offset, scale) = (elevation.offset, elevation.relief / largest);
        line(format_args!("    <Offset>{offset}</Offset>"));
        line(format_args!("    <Scale>{scale}</Scale>"));
    }
    line(format_args!("  </PAMRasterBand>"));
    xml + "</PAMDataset>\n"
}

/// Returns the content of `NAME.prj` for an ASCII grid in this coordinate system, or `None` if the system is not
/// supported.
///
/// Supported are longitude and latitude, and the UTM zones, on WGS 84, ETRS89 and NAD83.
///
/// ```
/// use lanternfell_heightmap::CoordinateSystem;
/// use lanternfell_io::gdal_projection;
///
/// let text = gdal_projection(CoordinateSystem::Projected(32_733)).unwrap();
/// assert!(text.starts_with("PROJCS[\"WGS_1984_UTM_Zone_33S\""));
/// assert_eq!(gdal_projection(CoordinateSystem::Projected(2056)), None);
/// ```
pub fn gdal_projection(system: CoordinateSystem) -> Option<String> {
    let number = match system {
        CoordinateSystem::Geographic(number) => {
            let known = GEOGRAPHIC.iter().find(|known| known.epsg == number)?;
            return Some(known.text());
        }
        CoordinateSystem::Projected(number) => number,
    };
    // EPSG code of zone 0 (which does not exist), datum, hemisphere, valid zones.
    let families = [
        (32_600, &GEOGRAPHIC[0], "N", 1..=60),
        (32_700, &GEOGRAPHIC[0], "S", 1..=60),
        (25_800, &GEOGRAPHIC[1], "N", 28..=38),
        (26_900, &GEOGRAPHIC[2], "N", 1..=23),
    ];
    families
        .into_iter()
        .find_map(|(first, geographic, side, zones)| {
            let zone = number
                .checked_sub(first)
                .filter(|zone| zones.contains(zone))?;
            Some(geographic.utm(zone, side))
        })
}

/// A geographic coordinate system (longitude and latitude on an ellipsoid), with Esri's names.
struct Geographic {
    epsg: u16,
    name: &'static str,
    spheroid: &'static str,
    flattening: &'static str,
}

const GEOGRAPHIC: [Geographic; 3] = [
    Geographic {
        epsg: 4326,
        name: "WGS_1984",
        spheroid: "WGS_1984",
        flattening: "298.257223563",
    },
    Geographic {
        epsg: 4258,
        name: "ETRS_1989",
        spheroid: "GRS_1980",
        flattening: "298.257222101",
    },
    Geographic {
        epsg: 4269,
        name: "North_American_1983",
        spheroid: "GRS_1980",
        flattening: "298.257222101",
    },
];

impl Geographic {
    fn text(&self) -> String {
        let Self {
            name,
            spheroid,
            flattening,
            ..
        } = self;
        format!(
            "GEOGCS[\"GCS_{name}\",DATUM[\"D_{name}\",SPHEROID[\"{spheroid}\",6378137.0,{flattening}]],\
             PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"
        )
    }

    fn utm(&self, zone: u16, side: &str) -> String {
        let name = match self.name {
            "North_American_1983" => "NAD_1983",
            name => name,
        };
        let meridian = 6 * i32::from(zone) - 183;
        let north = if side == "S" { 10_000_000 } else { 0 };
        format!(
            "PROJCS[\"{name}_UTM_Zone_{zone}{side}\",{},PROJECTION[\"Transverse_Mercator\"],\
             PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",{north}.0],\
             PARAMETER[\"Central_Meridian\",{meridian}.0],PARAMETER[\"Scale_Factor\",0.9996],\
             PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]",
            self.text()
        )
    }
}
