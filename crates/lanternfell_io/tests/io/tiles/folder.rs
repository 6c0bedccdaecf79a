//! Folders of tiles in memory, like those of `lanternfell tile`, and regions of their worlds.

use std::collections::BTreeMap;

use lanternfell_heightmap::{
    ElevationModel, Filter, FractalNoise, Heightmap, MapRegion, MapSize, MemoryBlocks, Progress,
    Recipe, Scale, SeededRng, erosion::StreamPowerErosion,
};
use lanternfell_io::{
    self as io, ByteOrder, Format, HeightRange, RawFormat, Sample, WriteOptions,
    tiles::{GridTile, MosaicError, TileFileError, TileLayout, TileManifest, TileMosaic},
};
use proptest::prelude::*;

use super::size;

/// Files by name.
pub struct Folder {
    pub manifest: TileManifest,
    pub files: BTreeMap<String, Vec<u8>>,
}

pub fn layout(
    recipe: &Recipe,
    tile: MapSize,
    overlap: u32,
    (extension, raw): (&str, Option<RawFormat>),
) -> TileLayout {
    TileLayout::new(recipe.clone(), tile, overlap, extension, raw).unwrap()
}

/// Writes a folder like the program, with a manifest that was read back from its text.
pub fn folder(layout: TileLayout) -> Folder {
    let manifest = TileManifest::new(layout, &Progress::default()).unwrap();
    let again = TileManifest::from_ron(&manifest.to_ron()).unwrap();
    assert_eq!(again, manifest);
    let files = tiles_of(&manifest);
    let manifest = again;
    Folder { manifest, files }
}

fn tiles_of(manifest: &TileManifest) -> BTreeMap<String, Vec<u8>> {
    let layout = manifest.layout();
    let options = WriteOptions {
        raw: layout.raw_format().unwrap_or_default(),
        range: layout.range().map(|[low, high]| HeightRange {
            low,
            high,
            clamp: false,
        }),
        ..WriteOptions::default()
    };
    let progress = Progress::default();
    let tiles = layout.recipe().tiles(manifest.prepass(), &progress);
    let (tiles, blocks) = (tiles.unwrap(), MemoryBlocks::default());
    let mut files = BTreeMap::new();
    for tile in layout.grid().tiles() {
        let heights = tiles.tile(tile.region, &blocks, &progress).unwrap();
        let frame = layout.frame_of(tile.region).unwrap();
        let map = ElevationModel { heights, frame };
        let mut bytes = Vec::new();
        io::write(&map, layout.format(), &options, &mut bytes, &progress).unwrap();
        assert!(bytes.len() as u64 <= layout.max_file_size(tile));
        files.insert(layout.file_name(tile.position), bytes);
    }
    files
}

impl Folder {
    pub fn layout(&self) -> &TileLayout {
        self.manifest.layout()
    }

    /// Reads a region, with tiles in another order than row by row.
    pub fn part(&self, region: MapRegion) -> Result<Heightmap, TileFileError> {
        let layout = self.layout();
        let mut mosaic = TileMosaic::new(region).unwrap();
        let mut tiles: Vec<_> = layout.grid().touching(region).collect();
        tiles.reverse();
        for tile in tiles {
            let bytes = &self.files[&layout.file_name(tile.position)];
            mosaic.add(tile.region, &layout.read(tile, bytes)?).unwrap();
        }
        Ok(mosaic.finish().unwrap())
    }

    /// Returns the largest difference between the region and that part of the whole map.
    #[track_caller]
    fn difference(&self, whole: &Heightmap, region: MapRegion) -> f32 {
        let found = self.part(region).unwrap();
        let expected = whole.cropped((region.x(), region.y()), region.size());
        let expected = expected.unwrap();
        assert_eq!(found.size(), expected.size());
        let pairs = found.heights().iter().zip(expected.heights());
        pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }
}

const WORLD: (u64, u64) = (101, 83);

/// Heights from 0 to 1, with a scale other than the default.
pub fn recipe() -> Recipe {
    let scale = Scale {
        spacing: 20.0,
        relief: 900.0,
    };
    Recipe {
        scale: Some(scale),
        ..Recipe::new(size(WORLD.0, WORLD.1), 4, FractalNoise::default())
            .with_filter(Filter::Normalize)
    }
}

fn whole(recipe: &Recipe) -> Heightmap {
    recipe.generate(&Progress::default()).unwrap()
}

fn random_regions(world: MapSize, number: usize) -> Vec<MapRegion> {
    let mut rng = SeededRng::new(7, b"regions!");
    let mut along = |side: usize| {
        let length = 2 + rng.below(side as u64 - 1) as usize;
        (rng.below((side - length + 1) as u64) as usize, length)
    };
    let region = |_| {
        let ((x, width), (y, height)) = (along(world.width()), along(world.height()));
        MapRegion::new(x, y, size(width as u64, height as u64), world).unwrap()
    };
    (0..number).map(region).collect()
}

const R32: (&str, Option<RawFormat>) = ("r32", Some(RawFormat::R32));

#[test]
fn regions_match_whole_map() {
    let recipe = recipe();
    let whole = whole(&recipe);
    let big = RawFormat {
        order: ByteOrder::Big,
        ..RawFormat::R32
    };
    for (tile, overlap) in [((32, 32), 0), ((25, 41), 1), ((16, 20), 5), ((200, 9), 8)] {
        let tile = size(tile.0, tile.1);
        for format in [R32, ("raw", Some(big))] {
            let folder = folder(layout(&recipe, tile, overlap, format));
            for region in random_regions(recipe.size, 40) {
                super::assert_tile(&whole, &folder.part(region).unwrap(), region);
            }
            let region = MapRegion::whole(recipe.size);
            super::assert_tile(&whole, &folder.part(region).unwrap(), region);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any division of any small world, and any region of it.
    #[test]
    fn any_region_of_any_grid(
        (world, tile, overlap) in (2..60_u64, 2..60_u64, 2..30_u64, 2..30_u64)
            .prop_flat_map(|(width, height, across, down)| {
                let most = across.min(down) as u32;
                (Just((width, height)), Just((across, down)), 0..most)
            }),
        from in (0.0..1.0_f64, 0.0..1.0_f64),
        part in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let world = size(world.0, world.1);
        let recipe = Recipe::new(world, 3, FractalNoise::default());
        let layout = TileLayout::new(recipe, size(tile.0, tile.1), overlap, "r32", R32.1);
        // A last tile of one cell is rejected.
        prop_assume!(layout.is_ok());
        let folder = folder(layout.unwrap());
        let along = |from: f64, part: f64, side: usize| {
            let at = (from * (side - 1) as f64) as usize;
            (at, 2 + (part * (side - at - 1) as f64) as usize)
        };
        let (x, width) = along(from.0, part.0, world.width());
        let (y, height) = along(from.1, part.1, world.height());
        let region = MapRegion::new(x, y, size(width as u64, height as u64), world).unwrap();
        let whole = whole(folder.layout().recipe());
        super::assert_tile(&whole, &folder.part(region).unwrap(), region);
    }
}

/// Also integers and meters: nearly the recipe's heights.
#[test]
fn reads_recipe_heights_from_all_formats() {
    let recipe = recipe();
    let whole = whole(&recipe);
    let raw = |sample, order| Some(RawFormat { sample, order });
    let sixteen = 0.6 / 65_535.0;
    for (extension, raw, most) in [
        ("r16", Some(RawFormat::R16), sixteen),
        ("raw", raw(Sample::U16, ByteOrder::Big), sixteen),
        ("raw", raw(Sample::U8, ByteOrder::Little), 0.6 / 255.0),
        ("png", None, sixteen),
        ("pgm", None, sixteen),
        ("tif", None, 1e-6),
        ("TIFF", None, 1e-6),
        ("exr", None, 1e-6),
        ("asc", None, 1e-6),
    ] {
        if !Format::from_extension(extension).unwrap().is_built_in() {
            continue;
        }
        for overlap in [0, 3] {
            let folder = folder(layout(&recipe, size(40, 31), overlap, (extension, raw)));
            for region in random_regions(recipe.size, 5) {
                let found = folder.difference(&whole, region);
                assert!(found <= most, "{extension} {overlap}: {found}");
            }
        }
    }
}

/// Terrain below one meter looks like heights from 0 to 1 in formats that do not define the unit.
#[test]
fn low_terrain_in_meters_stays_meters() {
    let low = Recipe::new(size(64, 48), 4, FractalNoise::default())
        .with_filter(Filter::from_ron("Linear((scale: 0.001, offset: 0.002))").unwrap());
    for scale in [None, recipe().scale] {
        let low = Recipe {
            scale,
            ..low.clone()
        };
        let whole = whole(&low);
        let (least, most) = whole.range();
        let meters = |z| low.frame().elevation.meters(z);
        assert!(meters(least) > 0.0 && meters(most) < if scale.is_none() { 1.0 } else { 3.0 });
        for extension in ["tif", "exr", "asc"] {
            if Format::from_extension(extension).unwrap().is_built_in() {
                let folder = folder(layout(&low, size(32, 48), 0, (extension, None)));
                let found = folder.difference(&whole, MapRegion::whole(low.size));
                assert!(found <= 1e-8, "{extension}: {found}");
            }
        }
    }
}

/// A world that is generated in blocks also gives regions with the bits of the tiles.
#[test]
fn reads_eroded_world() {
    let recipe = Recipe::new(size(1100, 60), 4, FractalNoise::default())
        .with_filter(Filter::Normalize)
        .with_filter(Filter::StreamPowerErosion(StreamPowerErosion::default()));
    let folder = folder(layout(&recipe, size(300, 60), 1, R32));
    assert!(folder.manifest.to_ron().contains("heights: \""));
    let prepass = folder.manifest.prepass();
    let region = MapRegion::new(950, 7, size(120, 40), recipe.size).unwrap();
    let part = recipe.tile(prepass, region, &Progress::default()).unwrap();
    assert_eq!(folder.part(region).unwrap(), part);
}

#[test]
fn region_has_its_georeference() {
    let layout = layout(&recipe(), size(32, 32), 1, R32);
    let region = MapRegion::new(10, 20, size(30, 13), layout.size()).unwrap();
    let frame = layout.frame_of(region).unwrap();
    // 50 rows of 20 m are south of it.
    assert_eq!(frame.place.corner, [200.0, 1000.0]);
    assert_eq!(frame.elevation.meters(0.5), 450.0);
    assert!(frame.place_is_explicit && frame.elevation_is_explicit);
    let map = ElevationModel {
        heights: Heightmap::flat(layout.size()),
        frame: layout.frame(),
    };
    assert_eq!(map.cropped(region).unwrap().frame, frame);
    let beyond = MapRegion::new(90, 0, size(30, 13), size(500, 500)).unwrap();
    assert_eq!(layout.frame_of(beyond), None);
}

/// Tiles of a world that does not fit into memory. Only those of one region exist.
#[test]
fn region_of_world_of_65536_cells() {
    let world = MapSize::of_world(65_536, 65_536).unwrap();
    let recipe = Recipe::new(world, 4, FractalNoise::default());
    let layout = layout(&recipe, size(16, 16), 1, R32);
    let region = MapRegion::new(65_500, 39_991, size(20, 12), world).unwrap();
    let map_of = |part: MapRegion| {
        let height = |x, y| ((part.x() + x) % 1000 + part.y() + y) as f32;
        Heightmap::from_fn(part.size(), height).unwrap()
    };
    let mut mosaic = TileMosaic::new(region).unwrap();
    let tiles: Vec<GridTile> = layout.grid().touching(region).collect();
    assert_eq!(tiles.len(), 4);
    for tile in tiles {
        let mut bytes = Vec::new();
        io::write_raw(&map_of(tile.region), RawFormat::R32, &mut bytes).unwrap();
        let heights = layout.read(tile, &bytes).unwrap();
        mosaic.add(tile.region, &heights).unwrap();
    }
    assert_eq!(mosaic.finish(), Ok(map_of(region)));
}

#[test]
fn mosaic_reports_missing_cells() {
    let recipe = recipe();
    let folder = folder(layout(&recipe, size(32, 32), 1, R32));
    let layout = folder.layout();
    let region = MapRegion::new(10, 10, size(60, 50), recipe.size).unwrap();
    let tiles: Vec<_> = layout.grid().touching(region).collect();
    let mut mosaic = TileMosaic::new(region).unwrap();
    let lacks = |mosaic: &TileMosaic| mosaic.clone().finish().unwrap_err();
    let missing = |column, row| MosaicError::Missing { column, row };
    assert_eq!(lacks(&mosaic), missing(10, 10));
    let heights = |tile: GridTile| {
        let bytes = &folder.files[&layout.file_name(tile.position)];
        layout.read(tile, bytes).unwrap()
    };
    mosaic.add(tiles[0].region, &heights(tiles[0])).unwrap();
    assert_eq!(lacks(&mosaic), missing(33, 10));
    // The heights of another tile, of another size.
    let (expected, found) = (tiles[1].region.size(), size(9, 9));
    let error = mosaic.add(tiles[1].region, &Heightmap::flat(found));
    assert_eq!(error, Err(MosaicError::Size { expected, found }));
    // A tile outside of the region changes nothing.
    let west = MapRegion::new(0, 0, size(10, 60), recipe.size).unwrap();
    mosaic.add(west, &Heightmap::flat(west.size())).unwrap();
    let below = MapRegion::new(10, 60, size(60, 9), recipe.size).unwrap();
    mosaic.add(below, &Heightmap::flat(below.size())).unwrap();
    assert_eq!(lacks(&mosaic), missing(33, 10));
    for &tile in &tiles[1..] {
        mosaic.add(tile.region, &heights(tile)).unwrap();
    }
    super::assert_tile(&whole(&recipe), &mosaic.finish().unwrap(), region);
}
