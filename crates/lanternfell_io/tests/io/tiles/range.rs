//! Tiles whose integers represent a range of meters.

use lanternfell_heightmap::MapRegion;
use lanternfell_io::{
    Format, RawFormat,
    tiles::{TileLayoutError, TileManifest},
};

use super::{
    folder::{folder, layout, recipe},
    size,
};

/// The relief of the recipe is 900 m.
#[test]
fn reads_heights_of_recipe_from_integers_of_a_range() {
    let recipe = recipe();
    let whole = recipe.generate(&Default::default()).unwrap();
    for (extension, raw) in [("r16", Some(RawFormat::R16)), ("png", None), ("pgm", None)] {
        if !Format::from_extension(extension).unwrap().is_built_in() {
            continue;
        }
        let layout = layout(&recipe, size(40, 31), 1, (extension, raw));
        let layout = layout.with_range(Some([-300.0, 1500.0])).unwrap();
        let found = folder(layout).part(MapRegion::whole(recipe.size)).unwrap();
        for (&found, &expected) in found.heights().iter().zip(whole.heights()) {
            // A step of the integers is 1800 m / 65535.
            assert!(
                (found - expected).abs() < 1.1 / 65_535.0 * 1800.0 / 900.0,
                "{extension}"
            );
        }
    }
}

#[test]
fn manifest_keeps_range_and_texture() {
    let layout = layout(&recipe(), size(40, 31), 1, ("r16", Some(RawFormat::R16)));
    let plain = folder(layout.clone()).manifest.to_ron();
    assert!(!plain.contains("range: Some") && !plain.contains("texture: Some"));
    let layout = layout.with_range(Some([-0.25, 1000.5])).unwrap();
    let layout = layout.with_texture(Some("atlas".to_owned()));
    let text = folder(layout).manifest.to_ron();
    let again = TileManifest::from_ron(&text).unwrap().into_layout();
    assert_eq!(again.range(), Some([-0.25, 1000.5]));
    assert_eq!(again.texture(), Some("atlas"));
    let damaged = text.replace("1000.5", "-1000.5");
    assert!(TileManifest::from_ron(&damaged).is_err());
    let damaged = text.replace("1000.5", "inf");
    assert!(TileManifest::from_ron(&damaged).is_err());
}

#[test]
fn rejects_invalid_ranges() {
    let of = |format| layout(&recipe(), size(40, 31), 1, format);
    let whole = of(("r16", Some(RawFormat::R16)));
    for range in [
        [1.0, 1.0],
        [2.0, 1.0],
        [f64::NAN, 1.0],
        [0.0, f64::INFINITY],
    ] {
        let error = whole.clone().with_range(Some(range)).unwrap_err();
        assert!(matches!(error, TileLayoutError::Range { .. }), "{error}");
    }
    let error = of(("r32", Some(RawFormat::R32))).with_range(Some([0.0, 1.0]));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("only integer formats")
    );
}
