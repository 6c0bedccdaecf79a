//! Tests of all plant textures.

use lanternfell_random::Fnv1a;
use lanternfell_textures::{PlantSkin, PlantTexture, TextureError, synthesize_plant};

fn made(kind: PlantSkin, size: u32) -> PlantTexture {
    synthesize_plant(kind, size, 7).unwrap()
}

fn cards() -> impl Iterator<Item = PlantSkin> {
    PlantSkin::ALL.into_iter().filter(|kind| !kind.is_bark())
}

fn barks() -> impl Iterator<Item = PlantSkin> {
    PlantSkin::ALL.into_iter().filter(|kind| kind.is_bark())
}

/// Hashes the bytes of both textures.
fn hash(texture: &PlantTexture) -> u64 {
    let both = [texture.color_alpha(), texture.normal_material()];
    Fnv1a::of_bytes(both.concat())
}

/// Pins the bytes, as for ground textures. Update them only for an intended change.
#[test]
fn golden_hashes() {
    let hashes = PlantSkin::ALL.map(|kind| (kind.name(), hash(&made(kind, 128))));
    assert_eq!(hashes, PINNED, "{hashes:#X?}");
}

const PINNED: [(&str, u64); 11] = [
    ("pine branch", 0x53AC_0883_6039_F6C8),
    ("broad leaves", 0x7345_94BD_2C49_D7F8),
    ("birch leaves", 0x9B49_52F8_ADC6_19B9),
    ("palm frond", 0x3D08_6297_3687_161B),
    ("fern", 0x3DE1_2171_C750_AAB6),
    ("grass tuft", 0xC677_00AC_A7EF_B7F7),
    ("flowers", 0x07F6_F861_8500_A3A9),
    ("bush", 0x9007_CA92_E7DC_427F),
    ("bark", 0x02A5_C7FA_248E_D75E),
    ("birch bark", 0xBA4D_780E_5758_7E24),
    ("dead bark", 0x8694_A15A_C954_8D75),
];

#[test]
fn other_seed_changes_texture() {
    for kind in PlantSkin::ALL {
        assert_ne!(
            made(kind, 64),
            synthesize_plant(kind, 64, 8).unwrap(),
            "{kind:?}"
        );
    }
}

/// A card is neither empty nor full. It only touches the lower border, where it grows, with any
/// seed.
#[test]
fn cards_are_whole_and_cut_out() {
    let size = 128;
    for kind in cards() {
        for seed in 0..12 {
            let texture = synthesize_plant(kind, size as u32, seed).unwrap();
            let coverage = texture.coverage();
            assert!(
                (0.1..0.75).contains(&coverage),
                "{kind:?} {seed}: {coverage}"
            );
            let alpha = |x: usize, y: usize| texture.color_alpha()[(y * size + x) * 4 + 3];
            let passes = |x, y| alpha(x, y) >= PlantTexture::CUTOFF;
            let cut = (0..size).filter(|&n| passes(n, 0) || passes(0, n) || passes(size - 1, n));
            assert_eq!(cut.count(), 0, "{kind:?} {seed}");
            // It grows from the middle of the lowest row.
            let middle = size / 2 - 6..size / 2 + 6;
            assert!(
                middle.into_iter().any(|x| passes(x, size - 1)),
                "{kind:?} {seed}"
            );
        }
    }
}

/// Uncovered pixels have the colors of their surroundings, so that linear filtering causes no dark
/// fringe.
#[test]
fn colors_bleed_into_uncovered_pixels() {
    for kind in cards() {
        let texture = made(kind, 128);
        let average = texture.average_color();
        let green = average[1];
        let clear = texture
            .color_alpha()
            .chunks_exact(4)
            .filter(|pixel| pixel[3] == 0);
        let mut count = 0;
        for pixel in clear {
            count += 1;
            let brightest = pixel[..3].iter().copied().max().unwrap_or_default();
            assert!(brightest > 20, "{kind:?}: {pixel:?}, average green {green}");
        }
        assert!(count > 1000, "{kind:?}: {count}");
    }
}

#[test]
fn coverage_is_equal_at_all_mip_levels() {
    for kind in cards() {
        let texture = made(kind, 256);
        let chain = texture.mip_chain();
        assert_eq!(chain.levels, 9);
        let first = texture.coverage();
        let mut start = 0;
        for level in 0..9 {
            let side = 256 >> level;
            let pixels = &chain.color_alpha[start..start + side * side * 4];
            let passing = pixels
                .chunks_exact(4)
                .filter(|pixel| pixel[3] >= PlantTexture::CUTOFF);
            let share = passing.count() as f32 / (side * side) as f32;
            // The tolerance allows for whole pixels, and for pixels with equal alpha.
            let most = 0.01 + 1.0 / (side * side) as f32;
            assert!(
                (share - first).abs() <= most,
                "{kind:?} {side}: {share} of {first}"
            );
            start += side * side * 4;
        }
        assert_eq!(chain.color_alpha.len(), start);
        assert_eq!(chain.normal_material.len(), start);
    }
}

/// The color of the smallest level is the mean of the covered part.
#[test]
fn mip_chain_ends_in_average() {
    for kind in PlantSkin::ALL {
        let texture = made(kind, 128);
        let chain = texture.mip_chain();
        let last = &chain.color_alpha[chain.color_alpha.len() - 4..];
        for (&code, average) in last.iter().zip(texture.average_color()) {
            let linear = (f32::from(code) / 255.0).powf(2.2);
            assert!(
                (linear - average).abs() < 0.02,
                "{kind:?}: {linear} {average}"
            );
        }
    }
}

#[test]
fn barks_are_opaque_and_seamless() {
    let size = 128;
    for kind in barks() {
        let texture = made(kind, size as u32);
        assert_eq!(texture.coverage(), 1.0);
        let bytes = texture.color_alpha();
        assert!(bytes.iter().skip(3).step_by(4).all(|&alpha| alpha == 255));
        let step = |from: usize, to: usize, along_rows: bool| {
            let place = |line: usize, n: usize| {
                let (x, y) = if along_rows { (line, n) } else { (n, line) };
                (y * size + x) * 4
            };
            let differences = (0..size * 3).map(|n| {
                let (a, b) = (place(from, n / 3) + n % 3, place(to, n / 3) + n % 3);
                f64::from(bytes[a].abs_diff(bytes[b]))
            });
            differences.sum::<f64>() / size as f64
        };
        for along_rows in [true, false] {
            let inside = (0..size - 1).map(|n| step(n, n + 1, along_rows));
            let most = inside.fold(0.0, f64::max) * 1.02;
            let border = step(size - 1, 0, along_rows);
            assert!(border <= most, "{kind:?}: {border} over {most}");
        }
    }
}

#[test]
fn albedos_are_realistic() {
    for kind in PlantSkin::ALL {
        for size in [64, 256] {
            let [red, green, blue] = made(kind, size).average_color();
            let mean = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            let (least, most) = match kind {
                PlantSkin::BirchBark => (0.3, 0.55),
                PlantSkin::DeadBark => (0.15, 0.3),
                PlantSkin::Bark => (0.06, 0.15),
                PlantSkin::Flowers => (0.08, 0.25),
                _ => (0.04, 0.13),
            };
            assert!((least..=most).contains(&mean), "{kind:?} {size}: {mean}");
            if !kind.is_bark() && kind != PlantSkin::Flowers {
                assert!(green > red && red > blue, "{kind:?}: {red} {green} {blue}");
            }
        }
    }
}

#[test]
fn rejects_invalid_sizes() {
    for size in [0, 8, 100, 4096] {
        let error = synthesize_plant(PlantSkin::Fern, size, 1).unwrap_err();
        assert_eq!(error, TextureError::Size { size });
    }
    for kind in PlantSkin::ALL {
        assert_eq!(made(kind, 16).color_alpha().len(), 1024, "{kind:?}");
    }
}

#[test]
fn names_are_unique() {
    let names: std::collections::BTreeSet<_> = PlantSkin::ALL.map(PlantSkin::name).into();
    assert_eq!(names.len(), 11);
    assert_eq!(PlantSkin::PalmFrond.name(), "palm frond");
    assert_eq!(barks().count(), 3);
    assert!(
        PlantSkin::ALL
            .iter()
            .all(|kind| (0.2..=4.0).contains(&kind.meters()))
    );
    assert!(PlantSkin::ALL.is_sorted());
}
