//! Compares control maps with the rules evaluated for each cell.

use core::{
    future::{Future, poll_fn},
    pin::pin,
    task::{Context, Poll, Waker},
};

use lanternfell_heightmap::{
    Band, Hills,
    analysis::{CoastDistance, Curvature, SkyView, Slope},
    climate::Climate,
    hydrology::{Hydrology, Rivers},
};
use lanternfell_random::Fnv1a;
use lanternfell_surface::layers::{
    ControlMap, Fray, LayerError, LayerNoise, LayerRule, LayerRules, biomes_of,
};

use lanternfell_test_support::assert_golden;

use super::*;

const SEA: f32 = 0.02;

/// Cells are 2 meters wide, and a height of 1 is 30 meters.
const SCALE: Scale = Scale {
    spacing: 2.0,
    relief: 30.0,
};

fn map_of(size: MapSize, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let cells = 0..size.cells();
    let place = |i: usize| ((i % size.width()) as f64, (i / size.width()) as f64);
    let heights = cells.map(|i| height(place(i).0, place(i).1) as f32);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

fn island(width: u64, height: u64) -> Heightmap {
    let hills = Hills {
        island: true,
        radius_max: width.min(height) as f64 / 6.0,
        ..Hills::default()
    };
    hills.generate(size(width, height), 11, &go()).unwrap()
}

fn noise(rng: &mut SeededRng, size: MapSize) -> Heightmap {
    let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
    Heightmap::from_heights(size, heights).unwrap()
}

/// Returns the cells that are not within `margin` of the border.
fn inner(map: &Heightmap, margin: usize) -> impl Iterator<Item = (usize, usize)> {
    let (width, height) = (map.width(), map.height());
    (margin..height - margin).flat_map(move |y| (margin..width - margin).map(move |x| (x, y)))
}

fn above(from: f64, fade: f64) -> Band {
    Band {
        from: Some(from),
        to: None,
        fade,
    }
}

fn below(to: f64, fade: f64) -> Band {
    Band {
        from: None,
        to: Some(to),
        fade,
    }
}

fn rule(weight: f64) -> LayerRule {
    LayerRule {
        weight,
        ..LayerRule::default()
    }
}

/// Returns rules without fraying.
fn plain(rules: Vec<LayerRule>) -> LayerRules {
    let fray = Fray {
        height: 0.0,
        slope: 0.0,
        ..Fray::default()
    };
    LayerRules { rules, fray }
}

/// Returns one rule for each condition.
fn of_everything() -> Vec<LayerRule> {
    let biomes = ["temperate forest", "temperate grassland", "desert"];
    vec![
        rule(0.2),
        LayerRule {
            height: below(1.0, 0.5),
            ..rule(3.0)
        },
        LayerRule {
            altitude: above(0.6, 0.2),
            slope: below(35.0, 10.0),
            ..rule(2.0)
        },
        LayerRule {
            slope: above(25.0, 10.0),
            ..rule(1.5)
        },
        LayerRule {
            curvature: below(-0.005, 0.01),
            ..rule(1.1)
        },
        LayerRule {
            moisture: above(700.0, 400.0),
            ..rule(0.9)
        },
        LayerRule {
            coast: below(12.0, 6.0),
            ..rule(1.3)
        },
        LayerRule {
            river: below(3.0, 3.0),
            ..rule(1.7)
        },
        LayerRule {
            biomes: biomes.map(str::to_owned).to_vec(),
            ..rule(1.0)
        },
        LayerRule {
            mask: Some("paths".to_owned()),
            ..rule(2.5)
        },
    ]
}

/// Returns the two layers with the largest weights. If they are equal, the first one wins.
fn best_two(wanted: &[f64]) -> [u8; 2] {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| (wanted[b] as f32).total_cmp(&(wanted[a] as f32)));
    let [first, second] = [order[0], order[1]];
    let (most, next) = (wanted[first] as f32, wanted[second] as f32);
    match (most > 0.0, next > 0.0) {
        (false, _) => [0, 0],
        (true, false) => [(first | first << 4) as u8, 0],
        (true, true) => {
            let share = next / (most + next) * 255.0;
            [(first | second << 4) as u8, (share + 0.5) as u8]
        }
    }
}

#[test]
fn control_map_matches_rules() {
    let map = island(90, 70);
    let mask = map_of(size(90, 70), |x, y| {
        u8::from(((x + y) as u32).is_multiple_of(13)).into()
    });
    let rules = plain(of_everything());
    let masks = [("paths", &mask)];
    let control = ControlMap::builder(&rules).masks(&masks);
    let control = control.of(&map, SCALE, SEA, &go()).unwrap();

    let climate = Climate {
        sea_level: SEA,
        ..Climate::default()
    };
    let rain = climate.rain.of(&map, SEA, &go()).unwrap();
    let moisture = climate.moisture.of(&map, SEA, &rain, &go()).unwrap();
    let biomes = climate.biomes(&map, &go()).unwrap();
    let slope = Slope::default().of(&map, SCALE, &go()).unwrap();
    let bend = Curvature::default().of(&map, SCALE, &go()).unwrap();
    let coast = CoastDistance { sea_level: SEA };
    let coast = coast.of(&map, SCALE, &go()).unwrap();
    let water = Hydrology {
        sea_level: Some(SEA),
        border: true,
    };
    let rivers = Rivers::default()
        .mask(&water.drain(&map, &go()).unwrap(), &go())
        .unwrap();
    let dry = Heightmap::from_fn(map.size(), |x, y| 1.0 - rivers.get(x, y)).unwrap();
    let river = CoastDistance { sea_level: 0.5 };
    let river = river.of(&dry, SCALE, &go()).unwrap();

    let mut layers = [0; 16];
    for (x, y) in inner(&map, 0) {
        let height = f64::from(map.get(x, y) - SEA) * 30.0;
        let wanted: Vec<f64> = rules
            .rules
            .iter()
            .map(|rule| {
                let named = rule.biomes.iter().any(|name| name == biomes.name(x, y));
                rule.weight
                    * rule.height.share(height)
                    * rule.altitude.share(height / 30.0 / (1.0 - f64::from(SEA)))
                    * rule.slope.share(slope.get(x, y).into())
                    * rule.curvature.share(bend.get(x, y).into())
                    * rule.moisture.share(moisture.get(x, y).into())
                    * rule.coast.share(coast.get(x, y).into())
                    * rule.river.share(river.get(x, y).into())
                    * if rule.biomes.is_empty() || named {
                        1.0
                    } else {
                        0.0
                    }
                    * rule.mask.as_ref().map_or(1.0, |_| mask.get(x, y).into())
            })
            .collect();
        let found = control.texels()[y * 90 + x];
        let expected = best_two(&wanted);
        let near = found[0] == expected[0] && found[1].abs_diff(expected[1]) <= 1;
        // If two weights are nearly equal, rounding may decide.
        let mut sorted = wanted.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let alike = sorted.windows(2).take(2).any(|two| two[0] - two[1] < 1e-4);
        assert!(near || alike, "{x}, {y}: {found:?}, not {expected:?}");
        layers[usize::from(found[0] & 15)] += 1;
    }
    assert!(layers[1..10].iter().all(|&cells| cells > 0), "{layers:?}");
}

#[test]
fn relief_has_normals_and_sky() {
    let map = island(90, 70);
    let rules = plain(vec![rule(1.0)]);
    let control = ControlMap::of(&rules, &map, SCALE, SEA, &go()).unwrap();
    let surface = Surface::new(&map, SCALE);
    let sky = SkyView { directions: 8 }.of(&map, SCALE, &go()).unwrap();
    for (x, y) in inner(&map, 0) {
        let [east, south, seen, _] = control.relief()[y * 90 + x].map(f32::from);
        let normal = surface.vertex_normal(x, y);
        assert!((east - 128.0 - 127.0 * normal.x).abs() <= 0.5001);
        assert!((south - 128.0 - 127.0 * normal.z).abs() <= 0.5001);
        assert!((seen - 255.0 * sky.get(x, y)).abs() <= 0.5001);
    }
}

#[test]
fn large_map_is_reduced_and_keeps_ends() {
    let map = island(300, 200);
    let rules = plain(of_everything()[..4].to_vec());
    let whole = ControlMap::of(&rules, &map, SCALE, SEA, &go()).unwrap();
    let few = ControlMap::builder(&rules).at_most(64);
    let few = few.of(&map, SCALE, SEA, &go()).unwrap();
    assert_eq!((few.size().width(), few.size().height()), (64, 43));
    let mut same = 0;
    for step in 0..400 {
        let (x, y) = ((step % 20) as f32 / 19.0, (step / 20) as f32 / 19.0);
        same += usize::from(few.layers_at(x, y)[0].0 == whole.layers_at(x, y)[0].0);
    }
    assert!(same > 340, "{same} of 400");
    // Normals come from the whole map, even with few texels.
    let corner = |control: &ControlMap| (control.relief()[0], *control.relief().last().unwrap());
    let normals = |(a, b): ([u8; 4], [u8; 4])| [a[0], a[1], b[0], b[1]];
    assert_eq!(normals(corner(&few)), normals(corner(&whole)));
}

#[test]
fn noise_patches_have_coverage_and_continue() {
    let map = Heightmap::flat(size(256, 256));
    for coverage in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let noise = LayerNoise {
            wavelength: 9.0,
            coverage,
            softness: 0.1,
            seed: 5,
        };
        let patchy = LayerRule {
            noise: Some(noise),
            ..rule(1.0)
        };
        let rules = plain(vec![rule(0.5), patchy]);
        let at = |x: f64| {
            let builder = ControlMap::builder(&rules).at([x, 40.0].into());
            builder.of(&map, SCALE, SEA, &go()).unwrap()
        };
        let here = at(0.0);
        let covered = here.texels().iter().filter(|texel| texel[0] & 15 == 1);
        let share = covered.count() as f64 / 65536.0;
        assert!((share - coverage).abs() < 0.08, "{share}, not {coverage}");
        // A map 20 m to the east is the same, shifted by 10 columns.
        let there = at(20.0);
        for y in 0..256 {
            let (here, there) = (&here.texels()[y * 256..], &there.texels()[y * 256..]);
            assert_eq!(here[10..256], there[..246]);
        }
    }
}

/// Yields once.
async fn pause() {
    let mut is_due = true;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        match core::mem::take(&mut is_due) {
            true => Poll::Pending,
            false => Poll::Ready(()),
        }
    })
    .await;
}

#[test]
fn of_in_parts_gives_same_bits_and_can_be_canceled() {
    let map = island(300, 200);
    let rules = plain(of_everything()[..8].to_vec());
    let builder = ControlMap::builder(&rules).at_most(128);
    let progress = Progress::default();
    let whole = builder.of(&map, SCALE, SEA, &progress).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    for canceled_after in [usize::MAX, 2, 4] {
        let progress = Progress::default();
        let mut work = pin!(builder.of_in_parts(&map, SCALE, SEA, &progress, pause));
        let mut pauses = 0;
        let made = loop {
            match work.as_mut().poll(&mut context) {
                Poll::Ready(made) => break made,
                Poll::Pending => pauses += 1,
            }
            if pauses == canceled_after {
                progress.cancel();
            }
        };
        if canceled_after == usize::MAX {
            assert!(pauses > 5, "{pauses}");
            assert_eq!(made.unwrap(), whole);
            assert_eq!(progress.fraction(), 1.0);
        } else {
            assert!(pauses <= canceled_after + 1 && made.is_err(), "{pauses}");
        }
    }
}

#[test]
fn first_layer_is_used_where_no_rule_applies() {
    let map = island(40, 40);
    let nowhere = LayerRule {
        height: above(1e5, 0.0),
        ..rule(9.0)
    };
    let rules = plain(vec![nowhere.clone(), nowhere]);
    let control = ControlMap::of(&rules, &map, SCALE, SEA, &go()).unwrap();
    assert!(control.texels().iter().all(|texel| *texel == [0, 0]));
}

#[test]
fn errors_name_the_layer() {
    let map = island(40, 40);
    let error = |rules: LayerRules| {
        let error = ControlMap::of(&rules, &map, SCALE, SEA, &go()).unwrap_err();
        error.to_string()
    };
    let count = |count| error(plain(vec![rule(1.0); count]));
    assert_eq!(count(0), "0 layers: 1 to 16 are allowed");
    assert_eq!(count(17), "17 layers: 1 to 16 are allowed");
    let weight = error(plain(vec![rule(1.0), rule(f64::NAN)]));
    assert!(
        weight.starts_with("layer 1: layer rule: weight is NaN"),
        "{weight}"
    );
    let biome = LayerRule {
        biomes: vec!["jungle".to_owned()],
        ..rule(1.0)
    };
    let biome = error(plain(vec![biome]));
    assert_eq!(biome, "layer 0: unknown biome 'jungle'");
    let mask = LayerRule {
        mask: Some("roads".to_owned()),
        ..rule(1.0)
    };
    let mask = error(plain(vec![mask]));
    assert_eq!(mask, "layer 0: unknown mask 'roads'");
    let mut frayed = plain(vec![rule(1.0)]);
    frayed.fray.wavelength = 0.0;
    assert!(error(frayed).contains("wavelength"));
    let canceled = Progress::default();
    canceled.cancel();
    let rules = plain(vec![rule(1.0)]);
    let stopped = ControlMap::of(&rules, &map, SCALE, SEA, &canceled);
    assert!(matches!(
        stopped,
        Err(LayerError::Generate(_) | LayerError::Climate(_))
    ));
}

/// Tests maps down to the smallest size, with seas above and below them.
#[test]
fn accepts_any_map_and_sea_level() {
    let mut rng = SeededRng::new(3, b"layers  ");
    let rules = plain(of_everything()[..9].to_vec());
    for case in 0..60 {
        let size = match case {
            0 => size(2, 2),
            1 => size(2, 300),
            _ => any_size(&mut rng),
        };
        let map = noise(&mut rng, size);
        let sea = [-1.0, 0.0, 0.5, 1.0, 2.0][case % 5];
        let control = ControlMap::of(&rules, &map, SCALE, sea, &go()).unwrap();
        assert_eq!(control.texels().len(), size.cells());
        let shares = control.texels().iter().map(|texel| texel[1]);
        assert!(shares.max() <= Some(128));
    }
}

#[test]
fn pins_control_map_bits() {
    let map = island(300, 200);
    let mut rules = LayerRules {
        rules: of_everything()[..9].to_vec(),
        fray: Fray::default(),
    };
    rules.rules[4].noise = Some(LayerNoise::default());
    let control = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| ControlMap::of(&rules, &map, SCALE, SEA, &go()).unwrap())
    };
    let one = control(1);
    assert_eq!(one, control(3));
    let hash = |bytes: &[u8]| {
        let floats: Vec<f32> = bytes.iter().map(|&byte| byte.into()).collect();
        Fnv1a::of_floats(&floats)
    };
    let found = [
        ("layers", hash(one.texels().as_flattened())),
        ("relief", hash(one.relief().as_flattened())),
    ];
    assert_golden(
        found,
        &[
            ("layers", 0xd30b_b7b2_70f4_5b31),
            ("relief", 0x521d_f8ed_8480_5ca0),
        ],
    );
}

/// Compares `biomes_of` with the biomes that rules use, on small and on large maps.
#[test]
fn biomes_match_those_of_rules() {
    for (size, most) in [(120, 256), (600, 256)] {
        let map = island(size, size);
        let biomes = biomes_of(&map, SEA, &go()).unwrap();
        assert_eq!(biomes.size().width(), size.min(most) as usize);
        if size <= most {
            let climate = Climate {
                sea_level: SEA,
                ..Climate::default()
            };
            assert_eq!(biomes, climate.biomes(&map, &go()).unwrap());
        }
        let name = "temperate forest";
        let forest = LayerRule {
            biomes: vec![name.to_owned()],
            ..rule(1.0)
        };
        let rules = plain(vec![rule(0.5), forest]);
        let scale = SCALE;
        let control = ControlMap::of(&rules, &map, scale, SEA, &go()).unwrap();
        let number = biomes
            .table()
            .biomes
            .iter()
            .position(|biome| biome.name == name);
        let mut seen = [0; 2];
        for y in 0..map.height() {
            for x in 0..map.width() {
                let last = DVec2::new((map.width() - 1) as f64, (map.height() - 1) as f64);
                let share = DVec2::new(x as f64, y as f64) / last;
                let is_forest = Some(usize::from(biomes.at(share))) == number;
                let [layers, _] = control.texels()[y * map.width() + x];
                assert_eq!(usize::from(layers & 15), usize::from(is_forest), "{x} {y}");
                seen[usize::from(is_forest)] += 1;
            }
        }
        assert!(seen.iter().all(|&cells| cells > 100), "{seen:?}");
    }
}
