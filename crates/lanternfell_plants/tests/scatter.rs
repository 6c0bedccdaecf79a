//! Tests of scattering against slow reference implementations.

use glam::Vec3;
use lanternfell_plants::scatter::{
    Clumping, Exclusion, Exclusions, Instance, Scatter, ScatterError, ScatterRule, Site, SoftRange,
    scatter,
};
use lanternfell_random::Fnv1a;

/// Hills made of sine waves. Returns `None` in a lake.
fn ground([x, z]: [f64; 2]) -> Option<Site> {
    let (x, z) = (x as f32 * 0.05, z as f32 * 0.07);
    let height = 10.0 * (libm::sinf(x) + libm::cosf(z));
    let normal = Vec3::new(-0.5 * libm::cosf(x), 1.0, 0.7 * libm::sinf(z)).normalize();
    let rock = (height / 20.0).clamp(0.0, 1.0);
    let site = Site {
        height,
        normal,
        layers: [(1, 1.0 - rock), (4, rock)],
        biome: Some(if x < 0.0 { 3 } else { 7 }),
        moisture: 0.5 - height / 40.0,
        density: 1.0,
    };
    (height > -15.0).then_some(site)
}

fn rules() -> Vec<ScatterRule> {
    let tree = ScatterRule {
        name: "tree".into(),
        spacing: 5.0,
        density: 0.8,
        slope: SoftRange::new(0.0, 25.0, 15.0),
        size: [0.7, 1.4],
        clearance: 0.6,
        crown: 2.0,
        margin: 1.0,
        tilt: 4.0,
        height: SoftRange::ANY,
        ..ScatterRule::default()
    };
    let bush = ScatterRule {
        name: "bush".into(),
        spacing: 2.0,
        layers: vec![(1, 1.0), (4, 0.2)],
        crown: 0.8,
        clearance: 0.5,
        upright: 0.5,
        variants: vec![1.0, 0.0, 3.0],
        height: SoftRange::ANY,
        ..ScatterRule::default()
    };
    let fern = ScatterRule {
        name: "fern".into(),
        spacing: 0.7,
        moisture: SoftRange::new(0.4, 1.0, 0.2),
        clumping: Some(Clumping {
            wavelength: 9.0,
            strength: 0.9,
            salt: None,
        }),
        height: SoftRange::ANY,
        ..ScatterRule::default()
    };
    vec![tree, bush, fern]
}

fn exclusions() -> Exclusions {
    let path = Exclusion::Path {
        points: vec![[-60.0, -5.0], [0.0, 3.0], [60.0, 40.0]],
        width: 3.0,
    };
    let house = Exclusion::Box {
        min: [-20.0, 10.0],
        max: [-12.0, 18.0],
    };
    let well = Exclusion::Circle {
        center: [15.0, -15.0],
        radius: 4.0,
    };
    Exclusions::new([&path, &house, &well]).unwrap()
}

fn cell(scatter: &Scatter, cell: [i64; 2]) -> Vec<Vec<Instance>> {
    scatter
        .cell(cell, |_, place| ground(place), &exclusions())
        .unwrap()
}

/// The cells from -2 to 1 on both axes, in forward or reverse order.
fn sixteen(backward: bool) -> Vec<[i64; 2]> {
    let mut cells: Vec<[i64; 2]> = (0..16).map(|n| [n % 4 - 2, n / 4 - 2]).collect();
    if backward {
        cells.reverse();
    }
    cells
}

/// The instances of each rule in the given cells, sorted by position.
fn together(scatter: &Scatter, cells: &[[i64; 2]]) -> Vec<Vec<Instance>> {
    let mut all = vec![Vec::new(); scatter.rules().len()];
    for &index in cells {
        for (all, stand) in all.iter_mut().zip(cell(scatter, index)) {
            all.extend(stand);
        }
    }
    all.into_iter().map(sorted).collect()
}

fn sorted(mut instances: Vec<Instance>) -> Vec<Instance> {
    let place = |instance: &Instance| instance.position.map(f64::to_bits);
    instances.sort_by_key(place);
    instances
}

fn distance(a: &Instance, b: &Instance) -> f64 {
    (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1])
}

/// The minimum distance between instances of an earlier and a later rule.
fn keeps(
    rule: &ScatterRule,
    earlier: &Instance,
    later_rule: &ScatterRule,
    later: &Instance,
) -> f64 {
    let crowns = if rule.crown > 0.0 && later_rule.crown > 0.0 {
        f64::from(rule.crown) * f64::from(earlier.scale)
            + f64::from(later_rule.crown) * f64::from(later.scale)
    } else {
        0.0
    };
    crowns.max(f64::from(rule.clearance) * f64::from(earlier.scale))
}

/// Scatters each rule alone on the whole plane, then compares all pairs.
fn slow(seed: u64) -> Vec<Vec<Instance>> {
    let rules = rules();
    let mut all: Vec<Vec<Instance>> = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        let mut alone = Vec::new();
        // Twelve meters around the sixteen cells: more than the distance that bushes keep from trees and ferns from
        // bushes.
        let near = |instance: &Instance| {
            instance
                .position
                .iter()
                .all(|side| (-76.0..76.0).contains(side))
        };
        for quarter in [[-1, -1], [0, -1], [-1, 0], [0, 0]] {
            alone.extend(scatter(rule, seed, quarter, 128.0, ground, &Exclusions::NONE).unwrap());
        }
        alone.retain(|instance: &Instance| {
            near(instance) && !exclusions().cover(instance.position, f64::from(rule.margin))
        });
        for (earlier_rule, earlier) in rules[..index].iter().zip(&all) {
            alone.retain(|instance| {
                let near = |other: &&Instance| {
                    distance(other, instance) < keeps(earlier_rule, other, rule, instance)
                };
                earlier.iter().find(near).is_none()
            });
        }
        all.push(alone);
    }
    let inside = |instance: &Instance| {
        instance
            .position
            .iter()
            .all(|side| (-64.0..64.0).contains(side))
    };
    all.into_iter()
        .map(|rule| sorted(rule.into_iter().filter(inside).collect()))
        .collect()
}

#[test]
fn cells_match_the_whole_plane() {
    for seed in [1, 77] {
        let scatter = Scatter::new(rules(), seed, 32.0).unwrap();
        let fast = together(&scatter, &sixteen(false));
        for (fast, slow) in fast.iter().zip(slow(seed)) {
            assert!(fast.len() > 100, "{}", fast.len());
            assert_eq!(*fast, slow);
        }
    }
}

#[test]
fn result_does_not_depend_on_order_threads_or_cell_size() {
    let scatter = Scatter::new(rules(), 5, 32.0).unwrap();
    let forward = together(&scatter, &sixteen(false));
    assert_eq!(forward, together(&scatter, &sixteen(true)));
    let threads: Vec<Vec<Vec<Instance>>> = std::thread::scope(|scope| {
        let cells = sixteen(true);
        let halves: Vec<_> = cells
            .chunks(8)
            .map(|half| {
                let (scatter, half) = (&scatter, half.to_vec());
                scope.spawn(move || together(scatter, &half))
            })
            .collect();
        halves
            .into_iter()
            .map(|half| half.join().unwrap())
            .collect()
    });
    for rule in 0..3 {
        let both = [threads[0][rule].clone(), threads[1][rule].clone()].concat();
        assert_eq!(forward[rule], sorted(both));
    }
    let large = Scatter::new(rules(), 5, 64.0).unwrap();
    assert_eq!(
        forward,
        together(&large, &[[-1, -1], [0, -1], [-1, 0], [0, 0]])
    );
}

#[test]
fn distances_hold_across_borders() {
    let scatter = Scatter::new(rules(), 11, 16.0).unwrap();
    let all = together(&scatter, &sixteen(false));
    let rules = rules();
    let mut touching = 0;
    for (index, later) in all.iter().enumerate() {
        for (number, instance) in later.iter().enumerate() {
            for other in &later[..number] {
                let spacing = f64::from(rules[index].spacing);
                assert!(distance(instance, other) >= spacing);
                touching += u32::from(distance(instance, other) < spacing * 1.1);
            }
            for (earlier_rule, earlier) in rules[..index].iter().zip(&all) {
                for other in earlier {
                    assert!(
                        distance(instance, other)
                            >= keeps(earlier_rule, other, &rules[index], instance)
                    );
                }
            }
        }
    }
    assert!(touching > 100, "{touching} are as near as they may");
}

#[test]
fn exclusions_are_kept_free() {
    let scatter = Scatter::new(rules(), 3, 64.0).unwrap();
    let cells = [[-1, -1], [0, -1], [-1, 0], [0, 0]];
    let kept = together(&scatter, &cells);
    let mut free = 0;
    for (rule, kept) in scatter.rules().iter().zip(&kept) {
        let margin = f64::from(rule.margin);
        assert!(
            kept.iter()
                .all(|instance| !exclusions().cover(instance.position, margin))
        );
    }
    for index in cells {
        let all = scatter
            .cell(index, |_, place| ground(place), &Exclusions::NONE)
            .unwrap();
        let covered = |instance: &&Instance| exclusions().cover(instance.position, 0.0);
        free += all.iter().flatten().filter(covered).count();
    }
    assert!(free > 100, "{free} would stand there");
}

#[test]
fn instances_follow_their_rules() {
    let scatter = Scatter::new(rules(), 8, 128.0).unwrap();
    let [trees, bushes, ferns] = &cell(&scatter, [0, 0])[..] else {
        panic!("three rules")
    };
    for tree in trees {
        let site = ground(tree.position).unwrap();
        assert!(site.slope() < 40.0 && tree.height == site.height);
        assert!((0.7..=1.4).contains(&tree.scale));
        assert!(tree.up.dot(Vec3::Y) >= libm::cosf(4.001_f32.to_radians()));
    }
    for bush in bushes {
        let site = ground(bush.position).unwrap();
        let halfway = (site.normal + Vec3::Y).normalize();
        assert!(bush.up.distance(halfway) < 1e-5 && bush.variant != 1 && bush.scale == 1.0);
    }
    let third = bushes.iter().filter(|bush| bush.variant == 2).count() as f64 / bushes.len() as f64;
    assert!((0.70..0.80).contains(&third), "{third}");
    assert!(
        ferns
            .iter()
            .all(|fern| ground(fern.position).unwrap().moisture > 0.2)
    );
    let rocky = |bush: &&Instance| ground(bush.position).unwrap().layers[1].1 > 0.5;
    let share = bushes.iter().filter(rocky).count() as f64 / bushes.len() as f64;
    assert!((0.02..0.15).contains(&share), "{share}");
}

#[test]
fn biome_rules_need_a_known_biome() {
    let stands = |biomes: Vec<(u8, f32)>, known: bool| {
        let rule = ScatterRule {
            biomes,
            height: SoftRange::ANY,
            ..ScatterRule::default()
        };
        let ground = |place| {
            let site = ground(place)?;
            let biome = site.biome.filter(|_| known);
            Some(Site { biome, ..site })
        };
        let cells = [[-1, 0], [0, 0]];
        cells.map(|cell| {
            let stands = scatter(&rule, 4, cell, 64.0, ground, &Exclusions::NONE).unwrap();
            stands.len() as f64
        })
    };
    let [west, east] = stands(Vec::new(), true);
    assert!(west > 100.0 && east > 100.0, "{west}, {east}");
    assert_eq!(stands(vec![(3, 1.0)], true), [west, 0.0]);
    assert_eq!(stands(vec![(3, 1.0), (7, 1.0)], true), [west, east]);
    let [none, half] = stands(vec![(7, 0.5)], true);
    assert!(
        none == 0.0 && (half / east - 0.5).abs() < 0.1,
        "{half} of {east}"
    );
    assert_eq!(stands(Vec::new(), false), [west, east]);
    assert_eq!(stands(vec![(3, 1.0)], false), [0.0, 0.0]);
}

#[test]
fn default_rules_avoid_the_sea_bed() {
    let heights = |height| {
        let rule = ScatterRule {
            height,
            ..ScatterRule::default()
        };
        let stands = scatter(&rule, 4, [0, 0], 128.0, ground, &Exclusions::NONE).unwrap();
        let below = stands.iter().filter(|stands| stands.height < 0.0).count();
        [below, stands.len() - below]
    };
    let [below, above] = heights(SoftRange::ANY);
    assert!(below > 50 && above > 50, "{below}, {above}");
    assert_eq!(heights(ScatterRule::default().height), [0, above]);
}

#[test]
fn density_is_the_fraction_of_places_used() {
    let count = |density: f32, map: f32| {
        let rule = ScatterRule {
            density,
            spacing: 1.0,
            ..ScatterRule::default()
        };
        let site = Site {
            density: map,
            ..Site::default()
        };
        scatter(&rule, 4, [0, 0], 100.0, |_| Some(site), &Exclusions::NONE)
            .unwrap()
            .len() as f64
    };
    let all = count(1.0, 1.0);
    assert!((5300.0..5800.0).contains(&all), "{all}");
    for (half, share) in [
        (count(0.5, 1.0), 0.5),
        (count(1.0, 0.5), 0.5),
        (count(0.5, 0.5), 0.25),
    ] {
        assert!((half / all - share).abs() < 0.02, "{half} of {all}");
    }
    assert_eq!(
        (count(0.0, 1.0), count(1.0, 0.0), count(1.0, f32::NAN)),
        (0.0, 0.0, 0.0)
    );
}

#[test]
fn rules_without_a_match_place_nothing() {
    let none = |rule: ScatterRule| {
        let stands = scatter(&rule, 4, [0, 0], 64.0, ground, &Exclusions::NONE).unwrap();
        assert_eq!(stands, []);
    };
    none(ScatterRule {
        layers: vec![(9, 1.0)],
        ..ScatterRule::default()
    });
    none(ScatterRule {
        biomes: vec![(4, 1.0)],
        ..ScatterRule::default()
    });
    none(ScatterRule {
        height: SoftRange::new(500.0, 600.0, 10.0),
        ..ScatterRule::default()
    });
    none(ScatterRule {
        slope: SoftRange::new(80.0, 90.0, 1.0),
        ..ScatterRule::default()
    });
    let holes = scatter(
        &ScatterRule::default(),
        4,
        [0, 0],
        64.0,
        |_| None,
        &Exclusions::NONE,
    );
    assert_eq!(holes.unwrap(), []);
    let broken = Site {
        normal: Vec3::NAN,
        ..Site::default()
    };
    let broken = scatter(
        &ScatterRule::default(),
        4,
        [0, 0],
        64.0,
        |_| Some(broken),
        &Exclusions::NONE,
    );
    assert_eq!(broken.unwrap(), []);
    assert_eq!(
        Scatter::new(Vec::new(), 1, 64.0)
            .unwrap()
            .cell([0, 0], |_, _| None, &Exclusions::NONE),
        Ok(Vec::new())
    );
}

#[test]
fn rejects_excessive_density_and_bad_cells() {
    let dense = ScatterRule {
        name: "moss".into(),
        spacing: 0.05,
        ..ScatterRule::default()
    };
    let message = Scatter::new(vec![dense.clone()], 1, 128.0)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("\"moss\"") && message.contains("candidates for one cell"),
        "{message}"
    );
    assert!(Scatter::new(vec![dense.clone()], 1, 32.0).is_ok());
    // A wide crown in a later rule increases the reach of this one.
    let wide = ScatterRule {
        crown: 500.0,
        ..ScatterRule::default()
    };
    let dense = ScatterRule {
        crown: 0.1,
        ..dense
    };
    assert!(matches!(
        Scatter::new(vec![dense, wide], 1, 32.0),
        Err(ScatterError::TooDense { .. })
    ));
    for size in [0.0, -1.0, f64::NAN, 1e9] {
        assert!(matches!(
            Scatter::new(Vec::new(), 1, size),
            Err(ScatterError::CellSize { .. })
        ));
    }
    let scatter = Scatter::new(rules(), 1, 32.0).unwrap();
    for index in [[i64::MAX, 0], [0, i64::MIN], [1 << 40, 0]] {
        let far = scatter.cell(index, |_, place| ground(place), &Exclusions::NONE);
        assert!(matches!(far, Err(ScatterError::TooFar { .. })), "{index:?}");
    }
}

#[test]
fn works_far_from_the_origin() {
    let scatter = Scatter::new(rules(), 1, 32.0).unwrap();
    let site = |_: &ScatterRule, _| Some(Site::default());
    let index = [30_000_000_000, -30_000_000_000];
    let far = scatter.cell(index, site, &Exclusions::NONE).unwrap();
    assert!(far[0].len() > 10 && far[2].len() > 100);
    for (rule, stand) in scatter.rules().iter().zip(&far) {
        for (number, instance) in stand.iter().enumerate() {
            let inside = instance
                .in_cell(index, 32.0)
                .iter()
                .all(|side| (0.0..=32.0).contains(side));
            assert!(inside);
            let near = |other: &Instance| distance(instance, other) < f64::from(rule.spacing);
            assert!(!stand[..number].iter().any(near));
        }
    }
}

#[test]
fn salt_replaces_the_name() {
    let stand = |name: &str, salt: Option<u64>| {
        let rule = ScatterRule {
            name: name.into(),
            salt,
            ..ScatterRule::default()
        };
        scatter(&rule, 4, [0, 0], 64.0, ground, &Exclusions::NONE).unwrap()
    };
    assert_ne!(stand("a", None), stand("b", None));
    assert_eq!(stand("a", Some(1)), stand("b", Some(1)));
    assert_ne!(stand("a", Some(1)), stand("a", Some(2)));
}

/// If these hashes change, all existing forests change.
#[test]
fn bits_are_pinned() {
    let hash = |stand: &[Instance]| {
        let bits = stand.iter().flat_map(|instance| {
            let whole = [instance.variant, instance.seed];
            let floats = [
                instance.height,
                instance.yaw,
                instance.scale,
                instance.up.x,
                instance.up.y,
                instance.up.z,
            ];
            let [x, z] = instance.position.map(f64::to_le_bytes);
            let words = floats
                .map(f32::to_bits)
                .into_iter()
                .chain(whole)
                .flat_map(u32::to_le_bytes);
            x.into_iter().chain(z).chain(words)
        });
        Fnv1a::of_bytes(bits)
    };
    let scatter = Scatter::new(rules(), 42, 32.0).unwrap();
    let hashes: Vec<u64> = [[0, 0], [-3, 2]]
        .into_iter()
        .flat_map(|index| cell(&scatter, index))
        .map(|stand| hash(&stand))
        .collect();
    assert_eq!(hashes, PINNED);
}

const PINNED: [u64; 6] = [
    6_884_021_763_343_548_114,
    4_855_844_269_980_892_610,
    7_085_840_420_384_113_543,
    13_145_868_092_056_677_152,
    10_202_006_800_997_953_126,
    16_160_934_217_034_957_955,
];
