//! Pinned hashes of the light of fixed scenes, which must be the same on every machine and with any
//! number of threads.

#[path = "light/common/mod.rs"]
#[expect(dead_code, reason = "these tests use only a part")]
mod common;

use std::fmt::Write;

use common::{
    SceneRng, bits, lamp,
    scenes::{any_change, any_grid_of},
};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, PathOptions, Source, Vec2, Vec3,
};
use lanternfell_random::Fnv1a;

/// Fails unless each hash `(name, pinned, now)` matches. The message lists all of them.
fn assert_pinned(hashes: impl IntoIterator<Item = (String, u64, u64)>) {
    let hashes: Vec<_> = hashes.into_iter().collect();
    let mut table = String::new();
    for (name, pinned, now) in &hashes {
        let mark = if pinned == now { "" } else { "  <- differs" };
        writeln!(table, "{name}: was {pinned:#018x}, is {now:#018x}{mark}").unwrap();
    }
    assert!(
        hashes.iter().all(|(_, pinned, now)| pinned == now),
        "\n{table}"
    );
}

/// The hash of the bits of the light.
fn hash(grid: &LightGrid) -> u64 {
    let words = bits(grid).into_iter().flatten();
    Fnv1a::of_bytes(words.flat_map(u32::to_le_bytes))
}

/// Compares the light of a grid for each neighborhood with its pinned hash.
fn assert_pinned_for_all(pinned: [u64; 4], lit: impl Fn(Neighborhood) -> LightGrid) {
    let all = Neighborhood::ALL.into_iter().zip(pinned);
    assert_pinned(all.map(|(neighborhood, pinned)| {
        let now = hash(&lit(neighborhood));
        (format!("{neighborhood:?}"), pinned, now)
    }));
}

/// A cellar with pillars, colored glass, lamps between cells, a darkness and a courtyard. It is
/// large enough for the colors to be computed on several threads.
fn cellar(neighborhood: Neighborhood, direct: f32) -> LightGrid {
    let falloff = Falloff::Radius(9.0);
    let settings = LightSettings {
        neighborhood,
        falloff,
        direct,
    };
    let mut grid = LightGrid::new(150, 120, settings).unwrap();
    let cell = |at: IVec2| match (at.x % 10, at.y % 8) {
        (0, y) if y != 4 => Cell::wall(Vec3::new(0.9, 0.7, 0.5)),
        (5, 3) => Cell::BLACK_WALL,
        (0, _) if at.x % 20 == 0 => Cell::glass(Vec3::new(0.2, 0.8, 0.3)),
        (7, 0) => Cell::smoke(0.4),
        _ => Cell::OPEN,
    };
    grid.fill(cell).unwrap();
    let mut sources = vec![Source::new(IVec2::new(33, 29), Vec3::new(-0.1, -0.2, -0.3))];
    for n in 0..12 {
        let at = Vec2::new(7.0 + 11.25 * n as f32, 9.0 + 8.375 * n as f32);
        sources.push(Source::at(
            at,
            Vec3::new(1.0, 0.8, 0.25) * (1 + n % 3) as f32,
        ));
    }
    grid.set_sources(&sources).unwrap();
    for x in 0..20 {
        grid.set_region(IVec2::new(x, 119), 1).unwrap();
    }
    grid.set_ambient(1, Vec3::new(0.3, 0.4, 0.6)).unwrap();
    grid
}

#[test]
fn steps() {
    let pinned = [
        0x4387_1ff0_6983_97d1,
        0x4fef_4235_834d_c037,
        0x631c_e2b5_22cb_1b7b,
        0x2c77_fca6_ffbc_ebca,
    ];
    assert_pinned_for_all(pinned, |neighborhood| {
        let mut grid = cellar(neighborhood, 0.0);
        grid.step(40);
        let kept = grid.sources()[2..].to_vec();
        grid.set_sources(&kept).unwrap();
        grid.step(20);
        grid
    });
}

#[test]
fn settled_light() {
    let pinned = [
        0xbd98_749c_320e_8a48,
        0x401e_5678_aa56_b3fa,
        0x6743_b5ef_a71e_6b3b,
        0x4fa4_e20c_7049_8fd9,
    ];
    assert_pinned_for_all(pinned, |neighborhood| {
        let mut grid = cellar(neighborhood, 0.0);
        grid.settle(1e-3);
        let kept = grid.sources()[2..].to_vec();
        grid.set_sources(&kept).unwrap();
        grid.settle(1e-3);
        grid
    });
}

/// Lights enough cells for several threads to share the sweeps of a color.
#[test]
fn settled_light_on_large_grid() {
    let settle = |gray: bool, tints: [Vec3; 2]| {
        let settings = LightSettings {
            falloff: Falloff::Radius(30.0),
            ..LightSettings::default()
        };
        let grid = if gray {
            LightGrid::gray
        } else {
            LightGrid::new
        };
        let mut grid = grid(270, 262, settings).unwrap();
        grid.fill(|at| {
            let is_pillar = at.x % 9 == 4 && at.y % 7 == 2;
            if is_pillar { Cell::WALL } else { Cell::OPEN }
        })
        .unwrap();
        let lamp = |n: i32, off: i32| {
            let at = IVec2::new(n % 8 * 33 + 17 + off, n / 8 * 33 + 16);
            Source::new(at, tints[n as usize % 2])
        };
        for off in 0..2 {
            let lamps: Vec<_> = (0..64).map(|n| lamp(n, off)).collect();
            grid.set_sources(&lamps).unwrap();
            grid.settle(1e-3);
        }
        hash(&grid)
    };
    let torch = Vec3::new(1.0, 0.8, 0.6);
    let lantern = Vec3::new(0.5, 0.9, 0.7);
    assert_pinned([
        (
            "two colors".into(),
            0x9c25_1f2f_d4c0_8d2c,
            settle(false, [torch, lantern]),
        ),
        (
            "one color".into(),
            0x91d0_683b_0655_bdc8,
            settle(false, [torch; 2]),
        ),
        (
            "gray".into(),
            0xaa75_6a78_ceea_1002,
            settle(true, [torch; 2]),
        ),
    ]);
}

#[test]
fn straight_light() {
    let pinned = [
        0x3cb8_a767_4b9c_1194,
        0x5b3b_8872_c01a_730a,
        0xc1ce_0801_6666_b35f,
        0x8ee6_4e7d_f2d0_21b1,
    ];
    assert_pinned_for_all(pinned, |neighborhood| {
        let mut grid = cellar(neighborhood, 1.0);
        grid.step(1);
        grid
    });
}

#[test]
fn random_scenes() {
    let mut rng = SceneRng::on_squares(1);
    let mut all = 0_u64;
    for n in 0..30 {
        let neighborhood = Neighborhood::SQUARE[n % 3];
        let falloff = Falloff::Decay([0.02, 0.1, 0.3][n / 3 % 3]);
        let settings = LightSettings {
            neighborhood,
            falloff,
            direct: 0.0,
        };
        let mut grid = any_grid_of(&mut rng, 45, 37, settings);
        for _ in 0..3 {
            grid.step(9);
            all = all.rotate_left(1) ^ hash(&grid);
            any_change(&mut rng, &mut grid);
        }
    }
    assert_pinned([("thirty scenes".into(), 0x8bd9_165e_f139_610a, all)]);
}

/// The hashes of some darkest paths through the cellar, and of the contributions to some of its
/// cells.
fn ways_and_who_lights_cells(neighborhoods: &[Neighborhood]) -> [u64; 2] {
    let mut all = [Vec::new(), Vec::new()];
    for &neighborhood in neighborhoods {
        let mut grid = cellar(neighborhood, 0.25);
        grid.settle(1e-3);
        for n in 0..6 {
            let (from, to) = (IVec2::new(4, 4 + 18 * n), IVec2::new(147 - 2 * n, 60));
            let floor = |cell| !grid.is_opaque(cell);
            let way = grid.darkest_path(from, to, &PathOptions::default(), floor);
            let cells = way.unwrap().cells.into_iter();
            all[0].extend(cells.flat_map(|cell| [cell.x as u32, cell.y as u32]));
            let who = grid
                .contributions(from + IVec2::new(9 * n, 0), 1e-4)
                .unwrap();
            let ambient = who.ambient.into_iter().map(|(_, part)| part);
            let parts = who.sources.into_iter().chain(ambient).chain([who.rest]);
            all[1].extend(parts.flat_map(|part| part.to_array().map(f32::to_bits)));
        }
    }
    all.map(|words| Fnv1a::of_bytes(words.iter().flat_map(|word| word.to_le_bytes())))
}

#[test]
fn paths_and_contributions() {
    let [ways, who] = ways_and_who_lights_cells(&Neighborhood::SQUARE);
    let [ways_on_hexagons, who_on_hexagons] = ways_and_who_lights_cells(&[Neighborhood::Hexagonal]);
    assert_pinned([
        ("paths".into(), 0x7245_c01e_5403_a6cb, ways),
        ("contributions".into(), 0xd127_a3a2_d914_ba9e, who),
        (
            "paths on hexagons".into(),
            0x8d6a_12bc_353f_836e,
            ways_on_hexagons,
        ),
        (
            "contributions on hexagons".into(),
            0x4da6_6623_5056_ae0f,
            who_on_hexagons,
        ),
    ]);
}

#[test]
fn random_hexagonal_scenes() {
    let mut rng = SceneRng::new(2);
    let mut all = 0_u64;
    for n in 0..12 {
        let settings = LightSettings {
            neighborhood: Neighborhood::Hexagonal,
            falloff: Falloff::Decay([0.02, 0.1, 0.3][n % 3]),
            direct: [0.0, 0.5][n % 2],
        };
        let mut grid = any_grid_of(&mut rng, 45, 37, settings);
        for _ in 0..3 {
            grid.step(9);
            all = all.rotate_left(1) ^ hash(&grid);
            grid.settle(1e-3);
            all = all.rotate_left(1) ^ hash(&grid);
            any_change(&mut rng, &mut grid);
            grid.set_settings(settings).unwrap();
        }
    }
    assert_pinned([("twelve scenes".into(), 0x4fc2_ce30_8dc5_37d8, all)]);
}

#[test]
fn single_lamp() {
    let mut grid = LightGrid::gray(33, 33, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(16, 16)]).unwrap();
    grid.step(30);
    let stepped = hash(&grid);
    grid.settle(1e-4);
    assert_pinned([
        ("stepped".into(), 0x33e7_07c3_855f_d1e0, stepped),
        ("settled".into(), 0xe4b4_823c_a9ab_648c, hash(&grid)),
    ]);
}
