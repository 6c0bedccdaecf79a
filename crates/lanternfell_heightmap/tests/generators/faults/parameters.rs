//! Parameters: their ranges, and setting and reading them.

use super::*;

#[test]
fn errors_name_parameters_out_of_range() {
    let default = Faults::default;
    let erosion = |every, strength| Some(FaultErosion { every, strength });
    let cases = [
        (
            Faults {
                lines: 0,
                ..default()
            },
            "lines is 0, but must be from 1 to 1000000",
        ),
        (
            Faults {
                lines: u32::MAX,
                ..default()
            },
            "lines is 4294967295, but must be from 1",
        ),
        (
            Faults {
                width: -1.0,
                ..default()
            },
            "width is -1, but must be from 0 to 32768",
        ),
        (
            Faults {
                width: f64::NAN,
                ..default()
            },
            "width is NaN, but must be from 0 to 32768",
        ),
        (
            Faults {
                displacement_first: f64::INFINITY,
                ..default()
            },
            "displacement_first is inf, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                displacement_last: -0.5,
                ..default()
            },
            "displacement_last is -0.5, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                displacement_first: 1e-11,
                ..Faults::default()
            },
            "displacement_first is 1e-11, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                erosion: erosion(0, 0.5),
                ..default()
            },
            "erosion_every is 0, but must be from 1 to 4294967295",
        ),
        (
            Faults {
                erosion: erosion(1, 1.0),
                ..default()
            },
            "erosion_strength is 1, but must be from 0 to 0.99",
        ),
    ];
    for (faults, expected) in cases {
        let error = faults
            .generate(size(20, 20), 1, &Progress::default())
            .unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("faults: {expected}")), "{text}");
        // `evaluate` also checks the parameters.
        let lines = default().draw(size(20, 20), 1);
        assert!(
            faults.lines != 1000
                || faults
                    .evaluate(size(9, 9), &lines, &Progress::default())
                    .is_err(),
            "{expected}"
        );
    }
}

#[test]
fn rejects_too_many_lines() {
    let line = FaultLine::new([0, 0], [1, 1]).unwrap();
    let lines = vec![line; Faults::MAX_LINES as usize + 1];
    let mut faults = Faults::default();
    for erosion in [None, Some(FaultErosion::default())] {
        faults.erosion = erosion;
        let error = faults
            .evaluate(size(2, 2), &lines, &Progress::default())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "faults: lines is 1000001, but must be at most 1000000",
            "{faults:?}"
        );
    }
}

/// The smallest allowed displacement is sufficient for a map.
#[test]
fn smallest_displacement_raises() {
    let faults = Faults {
        displacement_first: 1e-6,
        displacement_last: 1e-6,
        ..Faults::default()
    };
    let map = faults.generate(size(20, 20), 1, &Progress::default());
    assert_eq!(map.unwrap().range(), (0.0, 1.0));
}

#[test]
fn parameters_can_be_set_by_name_and_read_from_ron() {
    let mut generator = Generator::from_name("faults").unwrap();
    for (name, value) in [
        ("lines", "7"),
        ("profile", "cosine"),
        ("width", "3.5"),
        ("displacement_first", "2"),
        ("displacement_last", "0.5"),
        ("distribution", "angle-distance"),
        ("erosion_every", "3"),
        ("erosion_strength", "0.1"),
    ] {
        generator.set(name, value).unwrap();
    }
    let text = "(lines: 7, profile: Cosine, width: 3.5, displacement_first: 2, \
                displacement_last: 0.5, distribution: AngleDistance, \
                erosion: Some((every: 3, strength: 0.1)))";
    assert_eq!(generator, Generator::Faults(ron::from_str(text).unwrap()));
    assert_eq!(ron::from_str::<Faults>("()").unwrap(), Faults::default());
    assert!(ron::from_str::<Faults>("(line: 3)").is_err());
    let error = generator.set("profile", "sine").unwrap_err().to_string();
    assert_eq!(
        error,
        "faults: profile is `sine`, but must be step, linear or cosine"
    );
    // An invalid value does not enable the erosion.
    let mut plain = Generator::from_name("faults").unwrap();
    plain.set("erosion_every", "often").unwrap_err();
    assert_eq!(plain, Generator::Faults(Faults::default()));
}
