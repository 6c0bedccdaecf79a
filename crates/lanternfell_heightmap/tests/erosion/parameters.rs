//! What both can be asked for.

use super::*;

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let rain = Droplets::default();
    let wrong = [
        (
            Droplets {
                density: 65.0,
                ..rain
            },
            "droplets: density is 65, but must be from 0 to 64",
        ),
        (
            Droplets {
                lifetime: 0,
                ..rain
            },
            "droplets: lifetime is 0, but must be from 1 to 247",
        ),
        (
            Droplets {
                lifetime: 248,
                ..rain
            },
            "lifetime is 248",
        ),
        (
            Droplets {
                inertia: 1.0,
                ..rain
            },
            "inertia is 1, but must be from 0 to 0.99",
        ),
        (
            Droplets {
                capacity: -1.0,
                ..rain
            },
            "capacity is -1, but must be from 0 to 100",
        ),
        (
            Droplets {
                min_slope: 1.1,
                ..rain
            },
            "min_slope is 1.1, but must be from 0 to 1",
        ),
        (
            Droplets {
                erosion: f64::NAN,
                ..rain
            },
            "erosion is NaN, but must be from 0 to 1",
        ),
        (
            Droplets {
                deposition: 1.5,
                ..rain
            },
            "deposition is 1.5, but must be from 0 to 1",
        ),
        (
            Droplets {
                evaporation: 2.0,
                ..rain
            },
            "evaporation is 2, but must be from 0 to 1",
        ),
        (
            Droplets {
                gravity: f64::INFINITY,
                ..rain
            },
            "gravity is inf, but must be from 0 to 100",
        ),
        (
            Droplets {
                radius: 0.5,
                ..rain
            },
            "radius is 0.5, but must be from 1 to 8",
        ),
        (
            Droplets {
                coarsest: 63,
                ..rain
            },
            "coarsest is 63, but must be from 64 to 16384",
        ),
    ];
    let size = size(20, 20);
    let site = Site::new(size, 1);
    let mut map = mountains(size, 1);
    let before = map.clone();
    for (rain, words) in wrong {
        let error = rain
            .erode(&mut map, &site, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let talus = Talus::default();
    let wrong = [
        (
            Talus {
                angle: 90.0,
                ..talus
            },
            "talus: angle is 90, but must be from 0 to 89",
        ),
        (
            Talus {
                passes: 100_001,
                ..talus
            },
            "passes is 100001, but must be from 0 to 100000",
        ),
        (
            Talus {
                rate: 1.01,
                ..talus
            },
            "rate is 1.01, but must be from 0 to 1",
        ),
    ];
    for (talus, words) in wrong {
        let error = talus
            .erode(&mut map, &site, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let mut bad = site;
    bad.scale.spacing = 0.0;
    assert!(rain.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(talus.erode(&mut map, &bad, &Progress::default()).is_err());
    assert!(map == before);
}

#[test]
fn parameters_are_read_from_a_recipe() {
    let rain: Droplets = ron::from_str("(density: 2, lifetime: 30, radius: 3.5)").unwrap();
    assert_eq!((rain.density, rain.lifetime, rain.radius), (2.0, 30, 3.5));
    assert_eq!(
        ron::from_str::<Droplets>("()").unwrap(),
        Droplets::default()
    );
    assert_eq!(ron::from_str::<Talus>("()").unwrap(), Talus::default());
    assert!(ron::from_str::<Talus>("(slope: 3)").is_err());
    assert!(Droplets::default().validate().is_ok() && Talus::default().validate().is_ok());
}
