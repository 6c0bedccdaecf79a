//! Damaged files next to a map must give an error in one line or a georeference, never a panic.

use lanternfell_heightmap::{CoordinateSystem, MapSize, SeededRng};
use lanternfell_io::{
    self as io, AuxiliaryFile, Format, ReadOptions, gdal_projection, read_projection,
    read_world_file,
};

/// Valid files, to be damaged.
fn texts() -> Vec<Vec<u8>> {
    let utm = gdal_projection(CoordinateSystem::Projected(32_633)).unwrap();
    let nested = r#"COMPD_CS["both",PROJCS["a",GEOGCS["b",UNIT["Degree",0.01745]],UNIT["Foot",0.3048],
        AUTHORITY["EPSG","2277"]],VERT_CS["h",UNIT["m",1]]]"#;
    let world = "25.0\n0.0\n0.0\n-25.0\n500012.5\n5200487.5\n";
    let gdal = "<PAMDataset><SRS>EPSG:4326</SRS><Histograms>1</Histograms></PAMDataset>";
    let heights = "<PAMDataset><GeoTransform>8, 1, 0, 47, 0, -1</GeoTransform>\
        <PAMRasterBand band=\"1\"><UnitType>ft</UnitType><Offset>-4</Offset><Scale>2</Scale></PAMRasterBand></PAMDataset>";
    [utm.as_str(), nested, world, gdal, heights]
        .map(|text| text.as_bytes().to_vec())
        .into()
}

/// Changes, removes or repeats a few bytes.
fn damaged(text: &[u8], rng: &mut SeededRng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len().max(1) as u64) as usize;
        match rng.below(4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let letters = b"[](),\".-09eE\xff\x00A";
                let letter = letters[rng.below(letters.len() as u64) as usize];
                bytes.insert(at, letter);
            }
        }
    }
    bytes
}

#[test]
fn damaged_metadata_never_panics() {
    let mut rng = SeededRng::new(3, b"damaged ");
    let size = MapSize::new(30, 20).unwrap();
    let options = ReadOptions {
        size: Some(size),
        ..ReadOptions::default()
    };
    let whole = io::import(&[1; 2 * 30 * 20], Format::Raw, &options).unwrap();
    let (mut read, mut refused) = (0, 0);
    for text in texts() {
        for _ in 0..4_000 {
            let bytes = damaged(&text, &mut rng);
            let errors = [
                read_world_file(&bytes, size).err(),
                read_projection(&bytes).err(),
            ];
            for error in errors.into_iter().flatten() {
                let line = error.to_string();
                assert!(!line.is_empty() && !line.contains('\n'), "{line}");
            }
            for kind in AuxiliaryFile::ALL {
                let mut map = whole.clone();
                match kind.apply(&mut map, &bytes) {
                    Ok(()) => read += 1,
                    Err(_) => {
                        assert_eq!(map, whole);
                        refused += 1;
                    }
                }
                assert!(map.model.frame.validate_on(size).is_ok());
            }
        }
    }
    assert!(
        read > 200 && refused > 200,
        "{read} read, {refused} refused"
    );
}
