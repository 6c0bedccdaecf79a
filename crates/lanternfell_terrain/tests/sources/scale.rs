//! The scale of a terrain, for all kinds of sources.

use lanternfell_terrain::{heightmap::erosion::ThermalErosion, io::Format, prelude::*};

use crate::common::*;

const WIDE: Scale = Scale {
    spacing: 3.0,
    relief: 77.5,
};
const STEEP: Scale = Scale {
    spacing: 1.0,
    relief: 300.0,
};

fn slid(seed: u64) -> Recipe {
    hills(seed).with_filter(Filter::ThermalErosion(ThermalErosion::default()))
}

fn scaled(recipe: &Recipe, scale: Scale) -> Recipe {
    Recipe {
        scale: Some(scale),
        ..recipe.clone()
    }
}

fn made(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

#[test]
fn recipe_is_eroded_at_the_terrains_scale() {
    let mut studio = Studio::new();
    assert_ne!(
        made(&scaled(&slid(1), WIDE)),
        made(&scaled(&slid(1), STEEP))
    );
    studio.write("slid.terrain.ron", scaled(&slid(1), STEEP).to_ron());
    let file = studio.load("slid.terrain.ron");
    for source in [TerrainSource::from(slid(1)), file.into()] {
        let entity = studio.spawn(Terrain::new(source.clone()).with_scale(WIDE));
        let ground = studio.ground(entity);
        let expected = scaled(&slid(1), WIDE);
        assert_eq!(ground.map(), &made(&expected), "{source:?}");
        assert_eq!(ground.surface().scale(), WIDE, "{source:?}");
        // The recipe contains the scale.
        let text = ground.recipe().unwrap().to_ron();
        assert_eq!(Recipe::from_ron(&text), Ok(expected), "{source:?}");
    }
}

#[test]
fn default_scale_is_that_of_the_source() {
    let mut studio = Studio::new();
    for recipe in [hills(1), scaled(&hills(1), WIDE)] {
        let entity = studio.spawn(Terrain::new(recipe.clone()));
        assert_eq!(studio.ground(entity).surface().scale(), recipe.scale());
        assert_eq!(studio.ground(entity).recipe(), Some(&recipe));
    }
    let entity = studio.spawn(Terrain::new(placed(1)));
    let scale = studio.ground(entity).surface().scale();
    assert_eq!((scale.spacing, scale.relief), (25.0, 642.0));
}

#[test]
fn new_scale_regenerates_only_maps_that_depend_on_it() {
    let mut studio = Studio::new();
    studio.write("land.asc", written(&placed(1), Format::Ascii));
    studio.write("hills.terrain.ron", hills(1).to_ron());
    let (land, recipe) = (studio.load("land.asc"), studio.load("hills.terrain.ron"));
    for (source, regenerates) in [
        (TerrainSource::from(hills(1)), false),
        (slid(1).into(), true),
        (land.into(), false),
        (recipe.into(), false),
        (placed(2).into(), false),
    ] {
        let entity = studio.spawn(Terrain::new(source.clone()));
        for scale in [Some(WIDE), Some(STEEP), None] {
            let before = studio.ground(entity).clone();
            studio.terrain(entity).scale = scale;
            studio.settle();
            let after = studio.ground(entity);
            let same = std::ptr::eq(before.map(), after.map());
            assert_eq!(same, !regenerates, "{source:?}, {scale:?}");
            if let Some(scale) = scale {
                assert_eq!(after.surface().scale(), scale, "{source:?}");
            }
        }
    }
}

#[test]
fn scale_keeps_the_elevations_of_a_map() {
    let mut studio = Studio::new();
    let entity = studio.spawn(Terrain::new(placed(1)).with_scale(WIDE));
    let ground = studio.ground(entity);
    assert_eq!(ground.surface().scale(), WIDE);
    let frame = *ground.frame();
    assert_eq!(
        (frame.elevation.offset, frame.elevation.relief),
        (-42.0, 642.0)
    );
}

#[test]
fn sea_of_a_map_is_at_0_m_or_below_all_valleys() {
    let mut studio = Studio::new();
    let entity = studio.spawn(Terrain::new(placed(1)));
    assert!((studio.ground(entity).water_level() - 42.0).abs() < 1e-3);
    let mut dry = placed(1);
    dry.frame.elevation.offset = 400.0;
    let entity = studio.spawn(Terrain::new(dry));
    let level = studio.ground(entity).water_level();
    assert!(level > 0.0 && level < 0.01 * 642.0, "{level}");
}
