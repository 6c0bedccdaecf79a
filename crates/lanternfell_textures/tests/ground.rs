//! Tests of all kinds of ground.

use lanternfell_random::Fnv1a;
use lanternfell_textures::{GroundKind, GroundTexture, TextureError, synthesize};

fn made(kind: GroundKind, size: u32) -> GroundTexture {
    synthesize(kind, size, 7).unwrap()
}

fn linear(code: u8) -> f64 {
    let curved = f64::from(code) / 255.0;
    if curved <= 0.040_45 {
        curved / 12.92
    } else {
        ((curved + 0.055) / 1.055).powf(2.4)
    }
}

fn luminance(pixel: &[u8]) -> f64 {
    0.2126 * linear(pixel[0]) + 0.7152 * linear(pixel[1]) + 0.0722 * linear(pixel[2])
}

/// Hashes the bytes of both textures.
fn hash(texture: &GroundTexture) -> u64 {
    let both = [texture.color_height(), texture.normal_material()];
    Fnv1a::of_bytes(both.concat())
}

/// Pins the bytes, which are the same on every platform, with and without threads. Update them only
/// for an intended change.
#[test]
fn golden_hashes() {
    let hashes = GroundKind::ALL.map(|kind| (kind.name(), hash(&made(kind, 128))));
    assert_eq!(hashes, PINNED, "{hashes:#X?}");
}

const PINNED: [(&str, u64); 14] = [
    ("grass", 0x2C8D_CB4E_3F1E_135A),
    ("meadow", 0x9EDF_8BA2_0D1B_6AE6),
    ("dry grass", 0x8947_DCB5_C071_5A5F),
    ("forest floor", 0xEF68_8E6D_D518_DFE8),
    ("sand", 0x40CD_75D4_6EE1_9E33),
    ("wet sand", 0x909C_FBC5_8DCA_8A7E),
    ("pebbles", 0xE6BD_319A_E376_C60A),
    ("granite", 0x14EA_BFDD_6363_358F),
    ("basalt", 0xFCE3_ED50_0699_B4C6),
    ("sandstone", 0x638E_A6D8_C0E0_8023),
    ("scree", 0x5A68_983D_A205_901F),
    ("snow", 0x3319_678B_78C1_B47F),
    ("mud", 0x20BF_F83B_92DC_896B),
    ("moss", 0x9D8C_5B37_2142_14FD),
];

#[test]
fn other_seed_changes_texture_but_not_average() {
    for kind in GroundKind::ALL {
        let (one, two) = (made(kind, 64), synthesize(kind, 64, 8).unwrap());
        assert_ne!(one, two, "{kind:?}");
        let averages = one.average_color().into_iter().zip(two.average_color());
        for (one, two) in averages {
            assert!((one / two - 1.0).abs() < 0.2, "{kind:?}: {one} {two}");
        }
    }
}

/// Returns the mean difference between two columns or two rows.
fn step(bytes: &[u8], size: usize, from: usize, to: usize, along_rows: bool) -> f64 {
    let index = |line: usize, n: usize| {
        let (x, y) = if along_rows { (line, n) } else { (n, line) };
        (y * size + x) * 4
    };
    let differences = (0..size * 4).map(|n| {
        let (place, channel) = (n / 4, n % 4);
        let a = bytes[index(from, place) + channel];
        let b = bytes[index(to, place) + channel];
        f64::from(a.abs_diff(b))
    });
    differences.sum::<f64>() / (size * 4) as f64
}

/// The difference between the last column and the first is not larger than between other neighbors.
/// The same holds for rows.
#[test]
fn textures_are_seamless() {
    let size = 128;
    for kind in GroundKind::ALL {
        let texture = made(kind, size as u32);
        for bytes in [texture.color_height(), texture.normal_material()] {
            for along_rows in [true, false] {
                let inside = (0..size - 1).map(|n| step(bytes, size, n, n + 1, along_rows));
                let mut inside: Vec<f64> = inside.collect();
                inside.sort_by(f64::total_cmp);
                let border = step(bytes, size, size - 1, 0, along_rows);
                // The border may be as large as the largest step inside.
                let most = inside[size - 2] * 1.02;
                assert!(
                    border <= most,
                    "{kind:?}: {border} over {most}, {along_rows}"
                );
            }
        }
    }
}

/// If 8 x 8 pixels are left of a tile, all of them are similar, so no spot repeats visibly.
#[test]
fn textures_have_no_large_scale_differences() {
    for kind in GroundKind::ALL {
        let size = 256;
        let texture = made(kind, size as u32);
        let mut sums = [[0.0; 2]; 64];
        for (index, pixel) in texture.color_height().chunks_exact(4).enumerate() {
            let cell = index / size / 32 * 8 + index % size / 32;
            sums[cell][0] += luminance(pixel) / 1024.0;
            sums[cell][1] += f64::from(pixel[3]) / 255.0 / 1024.0;
        }
        let spread = |which: usize| {
            let mean = sums.iter().map(|sum| sum[which]).sum::<f64>() / 64.0;
            let squares = sums.iter().map(|sum| (sum[which] - mean).powi(2));
            (mean, (squares.sum::<f64>() / 64.0).sqrt())
        };
        let (light, light_spread) = spread(0);
        let (_, height_spread) = spread(1);
        assert!(
            light_spread / light < 0.02,
            "{kind:?}: {}",
            light_spread / light
        );
        assert!(height_spread < 0.05, "{kind:?}: {height_spread}");
    }
}

#[test]
fn heights_fill_their_range() {
    for kind in GroundKind::ALL {
        let texture = made(kind, 128);
        let mut count = [0_u32; 256];
        for pixel in texture.color_height().chunks_exact(4) {
            count[usize::from(pixel[3])] += 1;
        }
        assert!(count[0] > 0 && count[255] > 0, "{kind:?}");
        let used = count.iter().filter(|&&count| count > 0).count();
        assert!(used > 200, "{kind:?}: {used} heights");
        // The ends are not clipped plateaus.
        assert!(count[0] + count[255] < 128 * 128 / 20, "{kind:?}");
    }
}

/// Returns the smallest and largest mean luminance (see the sources in the crate docs), and the
/// strongest and the weakest of red, green and blue.
fn albedo(kind: GroundKind) -> (f64, f64, [usize; 2]) {
    const GREEN: [usize; 2] = [1, 2];
    const WARM: [usize; 2] = [0, 2];
    match kind {
        GroundKind::Grass => (0.06, 0.12, GREEN),
        GroundKind::Meadow => (0.08, 0.14, GREEN),
        GroundKind::DryGrass => (0.15, 0.28, WARM),
        GroundKind::ForestFloor => (0.04, 0.11, WARM),
        GroundKind::Sand => (0.33, 0.5, WARM),
        GroundKind::WetSand => (0.1, 0.22, WARM),
        GroundKind::Pebbles | GroundKind::Scree => (0.12, 0.28, WARM),
        GroundKind::Granite => (0.15, 0.35, WARM),
        GroundKind::Basalt => (0.035, 0.09, WARM),
        GroundKind::Sandstone => (0.2, 0.4, WARM),
        GroundKind::Snow => (0.8, 0.95, [2, 0]),
        GroundKind::Mud => (0.06, 0.15, WARM),
        GroundKind::Moss => (0.04, 0.11, GREEN),
    }
}

#[test]
fn albedos_are_realistic() {
    for kind in GroundKind::ALL {
        for size in [32, 128, 256] {
            let color = made(kind, size).average_color().map(f64::from);
            let mean = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
            let (least, most, [strongest, weakest]) = albedo(kind);
            assert!((least..=most).contains(&mean), "{kind:?} {size}: {mean}");
            let max = color.iter().copied().fold(f64::MIN, f64::max);
            let min = color.iter().copied().fold(f64::MAX, f64::min);
            assert_eq!(
                [color[strongest], color[weakest]],
                [max, min],
                "{kind:?} {color:?}"
            );
        }
    }
}

#[test]
fn roughness_and_normals_are_plausible() {
    for kind in GroundKind::ALL {
        let texture = made(kind, 256);
        let bytes = texture.normal_material();
        let mean = |channel: usize| {
            let all = bytes.iter().skip(channel).step_by(4);
            all.map(|&byte| f64::from(byte)).sum::<f64>() / (bytes.len() / 4) as f64
        };
        // No slope on average: the ground is level.
        assert!((mean(0) - 128.0).abs() < 2.5, "{kind:?}: {}", mean(0));
        assert!((mean(1) - 128.0).abs() < 2.5, "{kind:?}: {}", mean(1));
        let rough = mean(2) / 255.0;
        let expected = if kind == GroundKind::WetSand {
            0.2..0.45
        } else {
            0.5..0.98
        };
        assert!(expected.contains(&rough), "{kind:?}: {rough}");
        let values: std::collections::BTreeSet<u8> =
            bytes.iter().skip(2).step_by(4).copied().collect();
        assert!(
            values.len() > 8,
            "{kind:?} has {} roughnesses",
            values.len()
        );
        assert!(
            (0.5..1.0).contains(&(mean(3) / 255.0)),
            "{kind:?}: {}",
            mean(3)
        );
    }
}

/// Normals lean away from rising heights: where the height rises to the right, x is below 128.
#[test]
fn normals_lean_away_from_rising_heights() {
    let size = 256;
    for kind in [GroundKind::Pebbles, GroundKind::Basalt, GroundKind::Mud] {
        let texture = made(kind, size as u32);
        let mut agreed = [0_i32; 2];
        for y in 1..size - 1 {
            for x in 1..size - 1 {
                let at =
                    |x: usize, y: usize| i32::from(texture.color_height()[(y * size + x) * 4 + 3]);
                let slopes = [at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1)];
                for (axis, slope) in slopes.into_iter().enumerate() {
                    let normal = i32::from(texture.normal_material()[(y * size + x) * 4 + axis]);
                    if slope.abs() > 8 {
                        agreed[axis] += if (normal < 128) == (slope > 0) {
                            1
                        } else {
                            -100
                        };
                    }
                }
            }
        }
        assert!(
            agreed.iter().all(|&agreed| agreed > 1000),
            "{kind:?} {agreed:?}"
        );
    }
}

#[test]
fn rejects_invalid_sizes() {
    for size in [0, 1, 8, 15, 48, 513, 4096, u32::MAX] {
        let error = synthesize(GroundKind::Sand, size, 1).unwrap_err();
        assert_eq!(error, TextureError::Size { size });
        let text = error.to_string();
        assert!(text.contains(&format!("`size` is {size} pixels")), "{text}");
        assert!(text.contains("16") && text.contains("2048"), "{text}");
    }
    for kind in GroundKind::ALL {
        assert_eq!(made(kind, 16).color_height().len(), 1024);
    }
}

#[test]
fn mip_chain_is_complete_and_ends_in_average() {
    for kind in GroundKind::ALL {
        let texture = made(kind, 128);
        let chain = texture.mip_chain();
        assert_eq!(chain.levels, 8);
        let pixels: usize = (0..8).map(|level| (128 >> level) * (128 >> level)).sum();
        assert_eq!(chain.color_height.len(), pixels * 4);
        assert_eq!(chain.normal_material.len(), pixels * 4);
        assert!(chain.color_height.starts_with(texture.color_height()));
        assert!(chain.normal_material.starts_with(texture.normal_material()));
        let last = &chain.color_height[pixels * 4 - 4..];
        for (code, average) in last.iter().zip(texture.average_color()) {
            // Half a code's width, in linear light.
            let half = (linear(code.saturating_add(1)) - linear(code.saturating_sub(1))) / 2.0;
            assert!(
                (linear(*code) - f64::from(average)).abs() <= half,
                "{kind:?}"
            );
        }
        // The bumps have become roughness.
        let far = chain.normal_material[pixels * 4 - 2];
        let all = texture.normal_material().iter().skip(2).step_by(4);
        let near = all.map(|&byte| f64::from(byte)).sum::<f64>() / (128.0 * 128.0);
        assert!(f64::from(far) > near, "{kind:?}: {far} {near}");
    }
}

/// The GPU memory of the default layers: 16 of them with two textures each.
#[test]
fn sixteen_layers_fit_their_budget() {
    let pixels: usize = (0..=9).map(|level| (512 >> level) * (512 >> level)).sum();
    let bytes = 16 * 2 * 4 * pixels;
    assert_eq!(bytes, 44_739_200);
    assert!(bytes <= 64 << 20);
    let chain = made(GroundKind::Snow, 512).mip_chain();
    assert_eq!(
        chain.color_height.len() + chain.normal_material.len(),
        bytes / 16
    );
}

#[test]
fn names_are_unique() {
    let names: std::collections::BTreeSet<_> = GroundKind::ALL.map(GroundKind::name).into();
    assert_eq!(names.len(), 14);
    assert_eq!(GroundKind::DryGrass.name(), "dry grass");
    assert!(
        GroundKind::ALL
            .iter()
            .all(|kind| (2.0..=6.0).contains(&kind.meters()))
    );
    assert!(GroundKind::ALL.is_sorted());
}
