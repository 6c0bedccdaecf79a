//! The generators whose growth is measured, with names for the command line.

use lanternfell_heightmap::{Faults, Fluid, FractalNoise, Generator, Hills};

/// The generators, with the parameters of their own sections.
pub(super) fn generators() -> Vec<(&'static str, Generator)> {
    let fluid = |passes| {
        Generator::from(Fluid {
            passes,
            ..Fluid::default()
        })
    };
    let hills = Hills {
        count: 1000,
        radius_min: 20.0,
        radius_max: 300.0,
        island: false,
        bays: 0.0,
    };
    vec![
        ("faults", Faults::default().into()),
        ("fluid-10", fluid(10)),
        ("fluid-1000", fluid(1000)),
        ("hills", hills.into()),
        ("islands", FractalNoise::default().into()),
    ]
}
