//! Compares control maps that are updated after edits with control maps of the whole edited map.

use core::{
    future::{Future, ready},
    pin::pin,
    task::{Context, Poll, Waker},
};
use std::ops::Range;

use lanternfell_heightmap::{Band, Hills};
use lanternfell_surface::layers::{
    ControlMap, ControlMapBuilder, LayerError, LayerNoise, LayerRule, LayerRules,
};

use super::*;

const SEA: f32 = 0.2;

fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("nothing is waited for"),
    }
}

fn band(from: f64, to: f64, fade: f64) -> Band {
    Band {
        from: Some(from),
        to: Some(to),
        fade,
    }
}

/// Rules that use every kind of input.
fn rules() -> LayerRules {
    let rule = LayerRule::default;
    LayerRules {
        rules: vec![
            rule(),
            LayerRule {
                weight: 2.0,
                height: band(-5.0, 2.0, 1.0),
                coast: band(-20.0, 30.0, 10.0),
                ..rule()
            },
            LayerRule {
                weight: 3.0,
                slope: band(25.0, 90.0, 5.0),
                noise: Some(LayerNoise::default()),
                ..rule()
            },
            LayerRule {
                weight: 1.5,
                curvature: band(-1.0, -0.001, 0.001),
                ..rule()
            },
            LayerRule {
                weight: 1.2,
                river: band(0.0, 8.0, 4.0),
                moisture: band(500.0, 3000.0, 300.0),
                mask: Some("mask".to_owned()),
                ..rule()
            },
        ],
        ..LayerRules::default()
    }
}

fn any_range(rng: &mut SeededRng, cells: usize) -> Range<usize> {
    let most = if rng.percent(20) { cells } else { 6.min(cells) } as u64;
    let count = 1 + rng.below(most) as usize;
    let start = rng.below((cells - count + 1) as u64) as usize;
    start..start + count
}

/// Raises or lowers some cells. Some of them leave the range from 0 to 1.
fn edit(map: &mut Heightmap, rng: &mut SeededRng) -> Range<usize> {
    let (columns, rows) = (any_range(rng, map.width()), any_range(rng, map.height()));
    let by = rng.between(-0.6, 0.6) as f32;
    for y in rows.clone() {
        for x in columns.clone() {
            map.set(x, y, map.get(x, y) + by).unwrap();
        }
    }
    rows
}

#[test]
fn update_equals_control_map_of_the_edited_map() {
    let (rules, scale) = (rules(), scale((2.0, 60.0)));
    for (seed, (width, height, texels)) in
        [(6, 5, 2048), (90, 70, 2048), (63, 200, 50), (600, 40, 2048)]
            .into_iter()
            .enumerate()
    {
        let mut rng = random(seed as u64);
        let hills = Hills {
            island: true,
            radius_min: 1.0,
            radius_max: (width.min(height) as f64 / 6.0).max(1.5),
            ..Hills::default()
        };
        let base = hills.generate(size(width, height), 3, &go()).unwrap();
        let mask = ground(size(9, 7), false, &mut rng);
        let masks = [("mask", &mask)];
        let builder = ControlMap::builder(&rules)
            .at(DVec2::new(30.0, -700.0))
            .at_most(texels)
            .masks(&masks)
            .unedited(&base);
        let whole = |map: &Heightmap| {
            finish(builder.with_inputs_in_parts(map, scale, SEA, &go(), || ready(()))).unwrap()
        };
        let mut map = base.clone();
        let (mut control, mut inputs) = whole(&map);
        let go = go();
        for _ in 0..25 {
            let mut rows = vec![edit(&mut map, &mut rng)];
            if rng.percent(30) {
                rows.push(edit(&mut map, &mut rng));
            }
            let before = control.clone();
            let maps = (&mut control, &mut inputs);
            let updating = builder.update_in_parts(maps, &map, rows, &go, || ready(()));
            let changed = finish(updating).unwrap();
            let (expected, _) = whole(&map);
            assert!(control == expected, "{width} x {height}");
            let width = control.size().width();
            // What is outside of these rows has not changed.
            let differing = |is_same: &dyn Fn(usize) -> bool| -> Vec<usize> {
                let cells = 0..control.texels().len();
                cells
                    .filter(|&cell| !is_same(cell))
                    .map(|cell| cell / width)
                    .collect()
            };
            let is_in = |rows: &[Range<usize>], row| rows.iter().any(|rows| rows.contains(row));
            let other = differing(&|cell| before.texels()[cell] == control.texels()[cell]);
            assert!(other.iter().all(|row| is_in(&changed.texels, row)));
            let other = differing(&|cell| before.relief()[cell] == control.relief()[cell]);
            assert!(other.iter().all(|row| is_in(&changed.relief, row)));
        }
    }
}

/// A pond that is dug far from the sea does not move the beach, and a hill does not change the climate.
#[test]
fn climate_and_coasts_are_those_before_edits() {
    let rules = LayerRules {
        rules: vec![
            LayerRule::default(),
            LayerRule {
                weight: 2.0,
                coast: band(-5.0, 5.0, 0.0),
                ..LayerRule::default()
            },
        ],
        ..LayerRules::default()
    };
    let base = Heightmap::from_fn(size(40, 40), |x, _| x as f32 / 40.0).unwrap();
    let mut edited = base.clone();
    edited.set(35, 20, 0.0).unwrap();
    let of = |builder: ControlMapBuilder<'_>| {
        let scale = scale((1.0, 10.0));
        builder.of(&edited, scale, SEA, &go()).unwrap()
    };
    let kept = of(ControlMap::builder(&rules).unedited(&base));
    let of_base = ControlMap::of(&rules, &base, scale((1.0, 10.0)), SEA, &go()).unwrap();
    assert_eq!(kept.texels(), of_base.texels());
    assert_ne!(kept.relief(), of_base.relief());
    assert_ne!(of(ControlMap::builder(&rules)).texels(), of_base.texels());
}

#[test]
fn maps_of_other_sizes_are_rejected() {
    let go = go();
    let rules = rules();
    let mask = Heightmap::flat(size(2, 2));
    let masks = [("mask", &mask)];
    let (map, other) = (Heightmap::flat(size(20, 20)), Heightmap::flat(size(20, 21)));
    let builder = ControlMap::builder(&rules).masks(&masks);
    let scale = scale((1.0, 10.0));
    let error = builder
        .unedited(&other)
        .of(&map, scale, SEA, &go)
        .unwrap_err();
    assert!(matches!(error, LayerError::Size(_)), "{error}");
    assert!(error.to_string().contains("20x21"), "{error}");
    let made = builder.with_inputs_in_parts(&map, scale, SEA, &go, || ready(()));
    let (mut control, mut inputs) = finish(made).unwrap();
    let maps = (&mut control, &mut inputs);
    let updating = builder.update_in_parts(maps, &other, Some(0..1), &go, || ready(()));
    assert!(matches!(finish(updating), Err(LayerError::Size(_))));
}

#[test]
fn covered_texels_keep_the_two_largest_shares() {
    let size = size(2, 2);
    let rules = |weights: [f64; 2]| LayerRules {
        rules: weights
            .map(|weight| LayerRule {
                weight,
                ..LayerRule::default()
            })
            .into(),
        ..LayerRules::default()
    };
    // Layer 1 has 0.7 and layer 0 has 0.3.
    let of = |layers, shares| {
        let map = Heightmap::flat(size);
        let mut control =
            ControlMap::of(&rules([0.3, 0.7]), &map, scale((1.0, 1.0)), 0.0, &go()).unwrap();
        control.cover(1, 0, layers, shares);
        assert_eq!(control.texels()[0], control.texels()[3]);
        control.layers_at(1.0, 0.0)
    };
    let close = |found: [(u8, f32); 2], expected: [(u8, f32); 2]| {
        let pairs = found.iter().zip(expected);
        pairs.fold(true, |all, (found, expected)| {
            all && found.0 == expected.0 && (found.1 - expected.1).abs() < 0.005
        })
    };
    for (layers, shares, expected) in [
        ([7, 0], [1.0, 0.0], [(7, 1.0), (7, 0.0)]),
        ([7, 9], [0.6, 0.4], [(7, 0.6), (9, 0.4)]),
        // 0.5 of layer 7, 0.35 of layer 1, and 0.15 of layer 0, which is left out.
        ([7, 0], [0.5, 0.0], [(7, 0.588), (1, 0.412)]),
        // Layer 1 covers 0.2 by its rule, and 0.7 of the other 0.8 by the stroke.
        ([1, 7], [0.2, 0.0], [(1, 0.76), (0, 0.24)]),
        ([7, 9], [0.0, 0.0], [(1, 0.7), (0, 0.3)]),
        // Invalid.
        ([7, 16], [0.5, 0.2], [(1, 0.7), (0, 0.3)]),
        ([7, 9], [0.8, 0.3], [(1, 0.7), (0, 0.3)]),
        ([7, 9], [f32::NAN, 0.0], [(1, 0.7), (0, 0.3)]),
        ([7, 9], [-0.1, 0.0], [(1, 0.7), (0, 0.3)]),
    ] {
        let found = of(layers, shares);
        assert!(close(found, expected), "{layers:?} {shares:?}: {found:?}");
    }
}
