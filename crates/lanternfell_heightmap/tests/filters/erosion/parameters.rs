//! The parameters of hydraulic and thermal erosion.

use super::*;

#[test]
fn errors_name_parameters_out_of_range() {
    let rain = HydraulicErosion::default();
    let wrong = [
        (
            HydraulicErosion {
                density: 65.0,
                ..rain
            },
            "hydraulic erosion: density is 65, but must be from 0 to 64",
        ),
        (
            HydraulicErosion {
                lifetime: 0,
                ..rain
            },
            "hydraulic erosion: lifetime is 0, but must be from 1 to 247",
        ),
        (
            HydraulicErosion {
                lifetime: 248,
                ..rain
            },
            "lifetime is 248",
        ),
        (
            HydraulicErosion {
                inertia: 1.0,
                ..rain
            },
            "inertia is 1, but must be from 0 to 0.99",
        ),
        (
            HydraulicErosion {
                capacity: -1.0,
                ..rain
            },
            "capacity is -1, but must be from 0 to 100",
        ),
        (
            HydraulicErosion {
                min_slope: 1.1,
                ..rain
            },
            "min_slope is 1.1, but must be from 0 to 1",
        ),
        (
            HydraulicErosion {
                erosion: f64::NAN,
                ..rain
            },
            "erosion is NaN, but must be from 0 to 1",
        ),
        (
            HydraulicErosion {
                deposition: 1.5,
                ..rain
            },
            "deposition is 1.5, but must be from 0 to 1",
        ),
        (
            HydraulicErosion {
                evaporation: 2.0,
                ..rain
            },
            "evaporation is 2, but must be from 0 to 1",
        ),
        (
            HydraulicErosion {
                gravity: f64::INFINITY,
                ..rain
            },
            "gravity is inf, but must be from 0 to 100",
        ),
        (
            HydraulicErosion {
                radius: 0.5,
                ..rain
            },
            "radius is 0.5, but must be from 1 to 8",
        ),
        (
            HydraulicErosion {
                coarsest: 63,
                ..rain
            },
            "coarsest is 63, but must be from 64 to 16384",
        ),
    ];
    let size = size(20, 20);
    let context = FilterContext::new(size, 1);
    let mut map = mountains(size, 1);
    let before = map.clone();
    for (rain, words) in wrong {
        let error = rain
            .erode(&mut map, &context, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let talus = ThermalErosion::default();
    let wrong = [
        (
            ThermalErosion {
                angle: 90.0,
                ..talus
            },
            "thermal erosion: angle is 90, but must be from 0 to 89",
        ),
        (
            ThermalErosion {
                passes: 100_001,
                ..talus
            },
            "passes is 100001, but must be from 0 to 100000",
        ),
        (
            ThermalErosion {
                rate: 1.01,
                ..talus
            },
            "rate is 1.01, but must be from 0 to 1",
        ),
    ];
    for (talus, words) in wrong {
        let error = talus
            .erode(&mut map, &context, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let mut bad = context;
    bad.scale.spacing = 0.0;
    assert!(rain.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(talus.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(map == before);
}

#[test]
fn parameters_are_read_from_ron() {
    let rain: HydraulicErosion = ron::from_str("(density: 2, lifetime: 30, radius: 3.5)").unwrap();
    assert_eq!((rain.density, rain.lifetime, rain.radius), (2.0, 30, 3.5));
    assert_eq!(
        ron::from_str::<HydraulicErosion>("()").unwrap(),
        HydraulicErosion::default()
    );
    assert_eq!(
        ron::from_str::<ThermalErosion>("()").unwrap(),
        ThermalErosion::default()
    );
    assert!(ron::from_str::<ThermalErosion>("(slope: 3)").is_err());
    assert!(
        HydraulicErosion::default().validate().is_ok()
            && ThermalErosion::default().validate().is_ok()
    );
}
