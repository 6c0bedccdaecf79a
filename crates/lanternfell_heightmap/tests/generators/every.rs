//! All generators have the same interface: draw, evaluate, and both at once.

use lanternfell_heightmap::{
    FaultErosion, Faults, Fluid, FractalNoise, GenerateError, Heightmap, Hills, MapSize,
    ParamError, Progress, RidgedMultifractal, RiverDelta, Worley,
};

fn size() -> MapSize {
    MapSize::new(70, 50).unwrap()
}

/// Calls the methods that all generators have, with the same names and arguments.
macro_rules! shape {
    ($generator:expr) => {{
        let generator = $generator;
        let progress = Progress::default();
        let valid: Result<(), ParamError> = generator.validate(size());
        assert_eq!(valid, Ok(()));
        let draws = generator.draw(size(), 7);
        assert!(draws == generator.draw(size(), 7));
        let evaluated: Result<Heightmap, GenerateError> =
            generator.evaluate(size(), &draws, &progress);
        let generated: Result<Heightmap, GenerateError> = generator.generate(size(), 7, &progress);
        assert_eq!(evaluated, generated);
        assert!(generated.is_ok());
        assert_ne!(generated, generator.generate(size(), 8, &progress));
        progress.cancel();
        let canceled = generator.evaluate(size(), &draws, &progress);
        assert!(matches!(canceled, Err(GenerateError::Canceled(_))));
    }};
}

#[test]
fn generate_evaluates_the_draws() {
    shape!(Faults::default());
    shape!(Faults {
        erosion: Some(FaultErosion::default()),
        ..Faults::default()
    });
    for passes in [0, 30, 3000] {
        shape!(Fluid {
            passes,
            ..Fluid::default()
        });
    }
    shape!(FractalNoise::default());
    shape!(FractalNoise {
        exact: true,
        ..FractalNoise::default()
    });
    shape!(Hills::default());
    shape!(RidgedMultifractal::default());
    shape!(RidgedMultifractal {
        scale: 16.0,
        period: Some(32),
        ..RidgedMultifractal::default()
    });
    shape!(Worley::default());
    shape!(RiverDelta::default());
}

#[test]
fn rejects_draws_of_another_map() {
    let progress = Progress::default();
    let error = |result: Result<Heightmap, GenerateError>| result.unwrap_err().to_string();
    let start = Fluid::default().draw(MapSize::new(70, 49).unwrap(), 1);
    assert_eq!(
        error(Fluid::default().evaluate(size(), &start, &progress)),
        "fluid surface: height is 49, but must be 50, as in the map"
    );
    let draws = FractalNoise::default().draw(size(), 1);
    assert_eq!(
        error(RidgedMultifractal::default().evaluate(size(), &draws, &progress)),
        "ridged: octaves is 7, but must be 5, the number of drawn octaves"
    );
}
