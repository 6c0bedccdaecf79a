//! Tests of every kind at every level, over many seeds.

use lanternfell_plants::{
    grow::{
        FarLevel, Frame, Level, Part, PlantKind, PlantMesh, PlantSkin, Skin, Solid, grow, solid,
    },
    raster::{SkinImage, silhouette, top_view},
};
use lanternfell_random::Fnv1a;

/// Calls `check` for all kinds and levels, and for `seeds` seeds.
fn each(seeds: u64, check: impl Fn(PlantKind, u64, Level, &PlantMesh)) {
    for kind in PlantKind::ALL {
        for seed in 0..seeds {
            for level in Level::ALL {
                check(kind, seed, level, &grow(kind, seed, level));
            }
        }
    }
}

#[test]
fn triangle_counts_stay_within_budget() {
    each(50, |kind, seed, level, mesh| {
        let count = mesh.triangle_count();
        assert!(
            (2..=level.budget()).contains(&count),
            "{kind:?} {seed} {level:?}: {count}"
        );
    });
}

#[test]
fn meshes_are_valid() {
    each(50, |kind, seed, level, mesh| {
        let name = format!("{kind:?} {seed} {level:?}");
        let count = mesh.positions.len();
        assert_eq!(
            [mesh.normals.len(), mesh.uvs.len(), mesh.colors.len()],
            [count; 3],
            "{name}"
        );
        assert!(
            mesh.indices.iter().all(|&index| (index as usize) < count),
            "{name}"
        );
        let numbers = [
            mesh.positions.as_flattened(),
            mesh.uvs.as_flattened(),
            mesh.colors.as_flattened(),
        ];
        assert!(
            numbers
                .into_iter()
                .flatten()
                .all(|number| number.is_finite()),
            "{name}"
        );
        for normal in &mesh.normals {
            let length = normal.iter().map(|side| side * side).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-4, "{name}: {normal:?}");
        }
        for [red, green, blue, wind] in &mesh.colors {
            assert!(
                [red, green, blue]
                    .into_iter()
                    .all(|light| (0.02..1.8).contains(light)),
                "{name}"
            );
            assert!((0.0..=1.0).contains(wind), "{name}: {wind}");
        }
    });
}

#[test]
fn parts_cover_all_triangles_in_order() {
    each(8, |kind, seed, level, mesh| {
        let mut end = 0;
        for part in &mesh.parts {
            assert_eq!(part.indices.start, end, "{kind:?} {seed} {level:?}");
            assert!(part.indices.end > end && (part.indices.end - end).is_multiple_of(3));
            end = part.indices.end;
        }
        assert_eq!(end, mesh.indices.len());
        let pictured = mesh.parts.iter().any(|part| part.skin == Skin::Impostor);
        assert_eq!(
            pictured,
            level == Level::Far && kind.far_level() == FarLevel::Impostor
        );
    });
}

#[test]
fn leaf_uvs_stay_within_the_texture() {
    each(8, |kind, seed, level, mesh| {
        for part in mesh.parts.iter().filter(|part| part.skin.is_cut_out()) {
            for &index in &mesh.indices[part.indices.clone()] {
                let uv = mesh.uvs[index as usize];
                assert!(
                    uv.iter().all(|side| (0.0..=1.0).contains(side)),
                    "{kind:?} {seed} {level:?}: {uv:?}"
                );
            }
        }
    });
}

#[test]
fn roots_are_at_ground_level_and_do_not_sway() {
    each(8, |kind, seed, level, mesh| {
        let name = format!("{kind:?} {seed} {level:?}");
        let (min, _) = mesh.bounds();
        assert!((-0.7..=0.05).contains(&min[1]), "{name}: {}", min[1]);
        let wooden = mesh.parts.iter().filter(|part| !part.skin.is_cut_out());
        let corners = wooden.flat_map(|part| &mesh.indices[part.indices.clone()]);
        for &index in corners {
            let (y, wind) = (
                mesh.positions[index as usize][1],
                mesh.colors[index as usize][3],
            );
            assert!(y > 0.0 || wind == 0.0, "{name}: {wind} at {y}");
        }
        if kind.far_level() == FarLevel::Impostor
            || matches!(kind, PlantKind::Fern | PlantKind::Flower | PlantKind::Grass)
        {
            let lowest = mesh.colors.iter().map(|color| color[3]).fold(1.0, f32::min);
            let most = mesh.colors.iter().map(|color| color[3]).fold(0.0, f32::max);
            assert!(lowest == 0.0 && most > 0.15, "{name}: {lowest} to {most}");
        }
    });
}

#[test]
fn bounds_contain_all_vertices() {
    each(8, |kind, seed, level, mesh| {
        let (min, max) = mesh.bounds();
        let sphere = mesh.bounding_sphere();
        for position in &mesh.positions {
            let inside = (0..3).all(|axis| (min[axis]..=max[axis]).contains(&position[axis]));
            let offset = (0..3)
                .map(|axis| (position[axis] - sphere.center[axis]).powi(2))
                .sum::<f32>()
                .sqrt();
            assert!(
                inside && offset <= sphere.radius * 1.0001,
                "{kind:?} {seed} {level:?}"
            );
        }
    });
    assert_eq!(PlantMesh::default().bounding_sphere().radius, 0.0);
}

#[test]
fn sizes_match_across_levels() {
    let about = |kind: PlantKind| match kind {
        PlantKind::Pine => 9.0..15.0,
        PlantKind::Broadleaf => 7.0..11.5,
        PlantKind::Palm => 5.0..10.0,
        PlantKind::Birch => 7.5..12.5,
        PlantKind::Dead => 4.0..8.0,
        PlantKind::Bush => 0.8..2.0,
        PlantKind::Fern => 0.3..1.0,
        PlantKind::Flower | PlantKind::Grass => 0.25..0.75,
        PlantKind::Boulder => 0.4..1.5,
        PlantKind::Slab => 0.15..0.8,
        PlantKind::Spire => 1.0..3.6,
        PlantKind::Driftwood => 0.1..1.6,
    };
    each(8, |kind, seed, level, mesh| {
        let height = mesh.bounds().1[1];
        assert!(
            about(kind).contains(&height),
            "{kind:?} {seed} {level:?}: {height}"
        );
        let near = grow(kind, seed, Level::Near).bounds().1[1];
        // Coarser levels of a log have fewer stubs with fewer pieces.
        let [least, most] = if kind == PlantKind::Driftwood {
            [0.1, 1.6]
        } else {
            [0.7, 1.25]
        };
        let share = height / near;
        assert!(
            (least..most).contains(&share),
            "{kind:?} {seed} {level:?}: {height} of {near}"
        );
    });
}

#[test]
fn individuals_differ_by_seed_and_are_deterministic() {
    for kind in PlantKind::ALL {
        for level in Level::ALL {
            assert_eq!(grow(kind, 9, level), grow(kind, 9, level));
            assert_ne!(
                grow(kind, 9, level),
                grow(kind, 10, level),
                "{kind:?} {level:?}"
            );
        }
    }
}

#[test]
fn tubes_and_stones_wind_outward() {
    // The enclosed volume is negative if triangles wind the wrong way.
    each(8, |kind, seed, level, mesh| {
        for part in mesh.parts.iter().filter(|part| !part.skin.is_cut_out()) {
            let volume = |corners: &[u32; 3]| {
                let [a, b, c] =
                    corners.map(|index| glam::Vec3::from(mesh.positions[index as usize]));
                a.dot(b.cross(c)) / 6.0
            };
            let triangles = mesh.indices[part.indices.clone()].as_chunks::<3>().0;
            assert!(
                triangles.iter().map(volume).sum::<f32>() > 0.0,
                "{kind:?} {seed} {level:?}"
            );
            // A bend sharper than the tube's radius flips a few triangles.
            let turned_over = |corners: &&[u32; 3]| {
                let [a, b, c] =
                    corners.map(|index| glam::Vec3::from(mesh.positions[index as usize]));
                let normals = corners.map(|index| glam::Vec3::from(mesh.normals[index as usize]));
                normals
                    .iter()
                    .map(|normal| normal.dot((b - a).cross(c - a)))
                    .sum::<f32>()
                    < 0.0
            };
            let count = triangles.iter().filter(turned_over).count();
            assert!(
                count * 20 <= triangles.len(),
                "{kind:?} {seed} {level:?}: {count}"
            );
        }
    });
}

#[test]
fn collision_shapes_match_meshes() {
    for kind in PlantKind::ALL {
        for seed in 0..12 {
            let mesh = grow(kind, seed, Level::Near);
            let (min, max) = mesh.bounds();
            match solid(kind, seed) {
                None => assert!(mesh.parts.iter().any(|part| part.skin.is_cut_out())),
                Some(Solid::Cylinder { radius, height }) => {
                    assert!((0.05..0.6).contains(&radius), "{kind:?} {seed}: {radius}");
                    assert!(height > 1.0 && height < max[1], "{kind:?} {seed}: {height}");
                    // About as thick as the wood at its foot, including the flare.
                    let wooden = mesh.parts.iter().filter(|part| !part.skin.is_cut_out());
                    let corners = wooden.flat_map(|part| &mesh.indices[part.indices.clone()]);
                    let places = corners.map(|&index| mesh.positions[index as usize]);
                    let foot = places.filter(|[_, y, _]| (-0.4..0.1).contains(y));
                    let thick = foot.map(|[x, _, z]| x.hypot(z)).fold(0.0, f32::max);
                    assert!(
                        radius > thick * 0.4 && radius < thick * 1.6,
                        "{kind:?} {seed}: {radius} of {thick}"
                    );
                }
                Some(Solid::Capsule { from, to, radius }) => {
                    assert!((0.03..0.3).contains(&radius), "{kind:?} {seed}: {radius}");
                    for end in [from, to] {
                        let inside = (0..3)
                            .all(|axis| (min[axis] - 0.1..max[axis] + 0.1).contains(&end[axis]));
                        assert!(inside, "{kind:?} {seed}: {end:?}");
                    }
                }
                Some(Solid::Hull { points }) => {
                    assert!(points.len() <= 64);
                    let high = points.iter().map(|point| point[1]).fold(0.0, f32::max);
                    assert!(
                        high > max[1] * 0.8 && high < max[1] * 1.2,
                        "{kind:?} {seed}: {high}"
                    );
                }
            }
        }
    }
}

#[test]
fn silhouettes_fill_their_frame() {
    for kind in PlantKind::ALL
        .into_iter()
        .filter(|kind| kind.far_level() == FarLevel::Impostor)
    {
        let near = grow(kind, 4, Level::Near);
        let picture = silhouette(&near, &[], 64, 128);
        assert_eq!(
            (picture.width, picture.height, picture.pixels.len()),
            (64, 128, 64 * 128 * 4)
        );
        let alpha = |x: usize, y: usize| picture.pixels[4 * (y * 64 + x) + 3];
        let covered = picture
            .pixels
            .chunks(4)
            .filter(|pixel| pixel[3] > 127)
            .count() as f32
            / (64.0 * 128.0);
        assert!((0.02..0.9).contains(&covered), "{kind:?}: {covered}");
        // The root is at the center of the lowest row, the top is near the upper edge, and the sides are not cut off.
        assert!(
            (24..40).any(|x| alpha(x, 127) > 100),
            "{kind:?} has no root"
        );
        assert!(
            (0..12).any(|y| (0..64).any(|x| alpha(x, y) > 0)),
            "{kind:?} has no top"
        );
        let sides = (0..128)
            .filter(|&y| alpha(0, y) > 127 || alpha(63, y) > 127)
            .count();
        assert!(sides < 24, "{kind:?}: {sides} rows are cut off");
        // The cards have the size of the frame.
        let (frame, (min, max)) = (Frame::of(&near), grow(kind, 4, Level::Far).bounds());
        assert!((max[1] - frame.height).abs() < 1e-3 && min[1].abs() < 1e-3);
        assert!(max[0] - min[0] >= frame.half_width * 2.0 - 1e-3);
    }
}

/// A horizontal cross at a height of 2 m with four tips: red in the east, green in the south, blue in the west, white in
/// the north.
fn compass() -> PlantMesh {
    let mut mesh = PlantMesh::default();
    let tips = [
        ([1.0, 0.0], [1.0, 0.0, 0.0]),
        ([0.0, 1.0], [0.0, 1.0, 0.0]),
        ([-1.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, -1.0], [1.0, 1.0, 1.0]),
    ];
    for ([x, z], [red, green, blue]) in tips {
        for [along, aside] in [[0.0, 0.0], [0.9, -0.4], [0.9, 0.4]] {
            mesh.indices.push(mesh.positions.len() as u32);
            mesh.positions
                .push([x * along - z * aside, 2.0, z * along + x * aside]);
            mesh.normals.push([0.0, 1.0, 0.0]);
            mesh.uvs.push([0.5, 0.5]);
            mesh.colors.push([red, green, blue, 0.0]);
        }
    }
    mesh.parts.push(Part {
        skin: Skin::Plant(PlantSkin::Bark),
        indices: 0..mesh.indices.len(),
    });
    mesh
}

#[test]
fn top_view_has_east_right_and_south_down() {
    const SIZE: usize = 60;
    let white = [255; 4];
    let skin = SkinImage::new(Skin::Plant(PlantSkin::Bark), 1, 1, &white).unwrap();
    let picture = top_view(&compass(), &[skin], SIZE);
    let pixel = |x: usize, y: usize| -> [u8; 4] {
        let first = 4 * (y * SIZE + x);
        picture.pixels[first..first + 4].try_into().unwrap()
    };
    let (low, middle, high) = (SIZE / 5, SIZE / 2, SIZE - 1 - SIZE / 5);
    assert_eq!(pixel(high, middle), [255, 0, 0, 255]);
    assert_eq!(pixel(middle, high), [0, 255, 0, 255]);
    assert_eq!(pixel(low, middle), [0, 0, 255, 255]);
    assert_eq!(pixel(middle, low), [255, 255, 255, 255]);
}

#[test]
fn top_views_show_the_crown_and_cut_nothing_off() {
    const SIZE: usize = 96;
    let impostors = PlantKind::ALL
        .into_iter()
        .filter(|kind| kind.far_level() == FarLevel::Impostor);
    for kind in impostors {
        let picture = top_view(&grow(kind, 4, Level::Near), &[], SIZE);
        let center = (SIZE as f32 - 1.0) / 2.0;
        let covered: Vec<[f32; 2]> = (0..SIZE * SIZE)
            .filter(|index| picture.pixels[4 * index + 3] > 127)
            .map(|index| [index % SIZE, index / SIZE].map(|place| place as f32 - center))
            .collect();
        let farthest = covered.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f32::max);
        assert!(farthest < SIZE as f32 / 2.0, "{kind:?}: {farthest}");
        let share = covered.len() as f32 / (SIZE * SIZE) as f32;
        assert!((0.05..0.75).contains(&share), "{kind:?}: {share}");
        // The crown is around the center line.
        let mean = [0, 1].map(|axis| {
            covered.iter().map(|place| place[axis]).sum::<f32>() / covered.len() as f32
        });
        assert!(
            mean[0].hypot(mean[1]) < 0.12 * SIZE as f32,
            "{kind:?}: {mean:?}"
        );
    }
}

#[test]
fn skins_color_silhouettes() {
    let near = grow(PlantKind::Broadleaf, 1, Level::Near);
    let red = [200, 0, 0, 255];
    let skins = [
        Skin::Plant(PlantSkin::Bark),
        Skin::Plant(PlantSkin::BroadLeaves),
    ]
    .map(|skin| SkinImage::new(skin, 1, 1, &red).unwrap());
    let picture = silhouette(&near, &skins, 32, 64);
    for pixel in picture.pixels.chunks(4) {
        assert!(
            pixel[0] > 60 && pixel[1] == 0 && pixel[2] == 0,
            "color extends into empty pixels: {pixel:?}"
        );
    }
    assert!(SkinImage::new(Skin::Plant(PlantSkin::Bark), 2, 1, &red).is_none());
    assert!(SkinImage::new(Skin::Plant(PlantSkin::Bark), 0, 0, &[]).is_none());
    assert!(SkinImage::new(Skin::Plant(PlantSkin::Bark), usize::MAX, 2, &red).is_none());
}

/// If these hashes change, all existing plants change.
#[test]
fn bits_are_pinned() {
    let hash = |mesh: &PlantMesh| {
        let positions = mesh.positions.as_flattened().iter();
        let rest = mesh
            .normals
            .as_flattened()
            .iter()
            .chain(mesh.uvs.as_flattened())
            .chain(mesh.colors.as_flattened());
        let numbers = Fnv1a::of_floats(positions.chain(rest));
        mesh.indices
            .iter()
            .fold(Fnv1a::default().with(numbers), |hash, &index| {
                hash.with(index)
            })
            .finish()
    };
    let hashes = PlantKind::ALL.map(|kind| Level::ALL.map(|level| hash(&grow(kind, 7, level))));
    let table = PlantKind::ALL.into_iter().zip(hashes);
    assert_eq!(table.collect::<Vec<_>>(), PINNED);
    let picture = silhouette(&grow(PlantKind::Birch, 7, Level::Near), &[], 128, 256);
    assert_eq!(Fnv1a::of_bytes(picture.pixels), PINNED_PICTURE);
}

const PINNED_PICTURE: u64 = 12_142_907_748_819_070_469;

const PINNED: [(PlantKind, [u64; 3]); 13] = [
    (
        PlantKind::Pine,
        [
            14_255_931_530_291_760_242,
            6_223_356_395_688_839_455,
            2_368_390_860_119_791_177,
        ],
    ),
    (
        PlantKind::Broadleaf,
        [
            5_085_347_276_547_533_016,
            4_858_747_259_892_563_100,
            619_433_391_434_378_520,
        ],
    ),
    (
        PlantKind::Palm,
        [
            4_614_633_226_606_701_180,
            14_828_444_256_451_160_732,
            8_120_681_756_883_741_108,
        ],
    ),
    (
        PlantKind::Birch,
        [
            10_889_246_086_854_949_865,
            10_469_093_484_207_836_725,
            15_127_035_236_910_482_737,
        ],
    ),
    (
        PlantKind::Dead,
        [
            3_822_103_570_485_435_006,
            365_247_488_030_374_803,
            18_096_917_944_284_107_778,
        ],
    ),
    (
        PlantKind::Bush,
        [
            3_464_965_433_444_166_697,
            8_012_162_515_634_519_956,
            4_418_991_992_414_360_352,
        ],
    ),
    (
        PlantKind::Fern,
        [
            13_045_514_883_494_948_399,
            16_660_913_159_437_298_310,
            7_266_048_012_688_720_267,
        ],
    ),
    (
        PlantKind::Flower,
        [
            15_420_355_288_780_447_917,
            6_075_565_610_338_509_475,
            5_787_102_823_604_348_047,
        ],
    ),
    (
        PlantKind::Grass,
        [
            3_583_494_867_445_130_436,
            5_484_725_185_032_872_699,
            9_475_480_157_195_878_017,
        ],
    ),
    (
        PlantKind::Boulder,
        [
            7_796_588_950_347_561_217,
            10_545_475_482_761_296_606,
            8_186_052_009_689_556_311,
        ],
    ),
    (
        PlantKind::Slab,
        [
            7_491_169_816_367_045_466,
            1_796_628_310_282_741_209,
            6_058_545_980_796_545_603,
        ],
    ),
    (
        PlantKind::Spire,
        [
            2_710_372_020_838_011_726,
            8_509_497_261_607_303_120,
            11_222_757_425_890_595_421,
        ],
    ),
    (
        PlantKind::Driftwood,
        [
            17_587_060_236_016_469_546,
            15_442_061_433_555_817_924,
            5_085_251_220_990_304_910,
        ],
    ),
];
