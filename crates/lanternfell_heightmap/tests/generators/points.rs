//! The heights of single cells have the bits of the whole map.

use lanternfell_heightmap::{
    Blend, Faults, Filter, Fluid, FractalNoise, Generator, Hills, MapSize, Mask, Profile, Progress,
    Recipe, RidgedMultifractal, SeededRng, TileError, TilePrepass, Worley,
};

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn prepass(recipe: &Recipe) -> TilePrepass {
    recipe.prepass(&Progress::default()).unwrap()
}

/// Corners, borders, neighboring cells and distant cells, some of them twice, in no particular
/// order.
fn any_cells(rng: &mut SeededRng, size: MapSize) -> Vec<(usize, usize)> {
    let (width, height) = (size.width(), size.height());
    let mut cells = vec![
        (0, 0),
        (width - 1, height - 1),
        (width - 1, 0),
        (0, height - 1),
    ];
    for _ in 0..12 {
        let cell = (
            rng.below(width as u64) as usize,
            rng.below(height as u64) as usize,
        );
        let east = ((cell.0 + 1).min(width - 1), cell.1);
        cells.extend([cell, east, cell]);
    }
    cells
}

#[track_caller]
fn assert_points(recipe: &Recipe, rng: &mut SeededRng) {
    let whole = recipe.generate(&Progress::default()).unwrap();
    let prepass = prepass(recipe);
    let cells = any_cells(rng, recipe.size);
    let progress = Progress::default();
    let heights = recipe.heights_at(&prepass, &cells, &progress).unwrap();
    assert!(progress.fraction() > 0.999);
    assert_eq!(heights.len(), cells.len());
    for (&(x, y), z) in cells.iter().zip(&heights) {
        assert_eq!(z.to_bits(), whole.get(x, y).to_bits(), "({x}, {y}): {z}");
    }
    let (x, y) = cells[5];
    let alone = recipe.height_at(&prepass, (x, y), &Progress::default());
    assert_eq!(alone.unwrap().to_bits(), whole.get(x, y).to_bits());
}

#[test]
fn cells_of_generators_match_the_whole_map() {
    let generators: [Generator; 10] = [
        Faults {
            lines: 60,
            displacement_last: 0.25,
            ..Faults::default()
        }
        .into(),
        Faults {
            lines: 60,
            profile: Profile::Cosine,
            displacement_first: 0.01,
            displacement_last: 0.002,
            ..Faults::default()
        }
        .into(),
        Hills::default().into(),
        FractalNoise::default().into(),
        FractalNoise {
            exact: true,
            ..FractalNoise::default()
        }
        .into(),
        FractalNoise {
            warp: 30.0,
            mask: Mask::Radial,
            ..FractalNoise::default()
        }
        .into(),
        FractalNoise {
            scale: 0.3,
            octaves: 2,
            quantized: true,
            ..FractalNoise::default()
        }
        .into(),
        RidgedMultifractal::default().into(),
        RidgedMultifractal {
            scale: 20.0,
            period: Some(40),
            ..RidgedMultifractal::default()
        }
        .into(),
        Worley::default().into(),
    ];
    let mut rng = SeededRng::new(1, b"test    ");
    for (seed, generator) in (0..).zip(generators) {
        for world in [size(120, 90), size(65, 131), size(2, 2)] {
            assert_points(&Recipe::new(world, seed, generator.clone()), &mut rng);
        }
    }
}

#[test]
fn cells_of_recipes_match_the_whole_map() {
    let recipe = Recipe::new(size(150, 110), 3, Faults::default())
        .with_layer(FractalNoise::default(), Blend::Multiply, 0.7)
        .with_filter(Filter::Normalize)
        .with_layer(Worley::default(), Blend::Add, 0.2)
        .with_filter(Filter::Gamma(1.5))
        .with_filter(Filter::Island(Mask::Square));
    let mut rng = SeededRng::new(2, b"test    ");
    for _ in 0..4 {
        assert_points(&recipe, &mut rng);
    }
}

#[test]
fn rejects_invalid_queries() {
    let whole = Recipe::new(size(64, 64), 1, Fluid::default());
    let asked = |recipe: &Recipe, prepass: &TilePrepass, cell| {
        recipe.height_at(prepass, cell, &Progress::default())
    };
    let error = asked(&whole, &TilePrepass::default(), (1, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "step `land` cannot be generated in tiles: the surface of a fluid is computed for the whole map"
    );
    let hills = Recipe::new(size(64, 40), 1, Hills::default());
    for cell in [(64, 0), (0, 40), (usize::MAX, usize::MAX)] {
        assert_eq!(
            asked(&hills, &prepass(&hills), cell),
            Err(TileError::Outside)
        );
    }
    let foreign = prepass(&Recipe::new(size(64, 40), 2, Hills::default()));
    assert_eq!(asked(&hills, &foreign, (3, 3)), Err(TileError::Foreign));
    let none = hills.heights_at(&prepass(&hills), &[], &Progress::default());
    assert_eq!(none, Ok(Vec::new()));
    let progress = Progress::default();
    progress.cancel();
    assert!(
        hills
            .heights_at(&prepass(&hills), &[(1, 1)], &progress)
            .is_err()
    );
}
