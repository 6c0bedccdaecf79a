//! High-resolution light against ray casting.

mod directions;
mod scene;

use crate::common::{SceneRng, draw, lamp, lights, places, report::Case};
use lanternfell_lightgrid::{
    Cell, Disc, Falloff, HighResLamp, HighResLight, IVec2, LightGrid, LightSettings, Neighborhood,
    Source, UVec2, Vec2, Vec3,
};
use scene::Scene;

/// Completes all work, and returns all fine cells row by row: their light, and whether light passes
/// there.
fn painted(fine: &mut HighResLight) -> Vec<(Vec3, bool)> {
    while fine.work() {}
    let mut all = Vec::new();
    fine.paint(UVec2::ZERO, fine.size(), |light, open| {
        all.push((light, open));
    });
    all
}

/// The high-resolution light of a grid, with all of its light.
fn fine_of(grid: &LightGrid, subdivisions: u32, share: f32) -> HighResLight {
    let mut fine = HighResLight::new(grid, subdivisions, share).unwrap();
    fine.copy_light_from(grid, UVec2::ZERO, grid.size());
    fine
}

fn lamp_of(source: Source, radius: f32) -> HighResLamp {
    HighResLamp { source, radius }
}

#[test]
fn straight_light_matches_ray_casting() {
    for seed in 0..60 {
        let mut rng = SceneRng::on_squares(seed);
        let scene = Scene::any(&mut rng);
        let subdivisions = 2 + rng.below(3);
        let mut fine = fine_of(&scene.grid, subdivisions, 1.0);
        fine.set_lamps(&scene.lamps).unwrap();
        fine.set_discs(&scene.discs).unwrap();
        let all = painted(&mut fine);
        let size = fine.size();
        for _ in 0..40 {
            let at = UVec2::new(rng.below(size.x), rng.below(size.y));
            let (light, open) = all[(at.y * size.x + at.x) as usize];
            if open {
                let rays = scene.straight(at.as_ivec2(), subdivisions);
                let off = (light - rays).abs().max_element();
                let _case = Case::new(format!(
                    "seed {seed}, {subdivisions} times subdivisions, at {at}"
                ));
                assert!(off < 0.004, "{light} and by rays {rays}");
            }
        }
    }
}

#[test]
fn painting_after_changes_equals_new_light() {
    for seed in 0..80 {
        let _case = Case::new(format!("seed {seed}"));
        let mut rng = SceneRng::on_squares(seed);
        let mut scene = Scene::any(&mut rng);
        let subdivisions = 2 + rng.below(3);
        let mut share = 0.6;
        let mut fine = fine_of(&scene.grid, subdivisions, share);
        let size = fine.size();
        let mut screen = vec![(Vec3::NAN, false); size.element_product() as usize];
        for step in 0..12 {
            fine.set_lamps(&scene.lamps).unwrap();
            fine.set_discs(&scene.discs).unwrap();
            fine.set_share(share).unwrap();
            while fine.work() {}
            while let Some((first, part)) = fine.pop_changed_area() {
                let mut at = 0;
                fine.paint(first, part, |light, open| {
                    let (x, y) = (first.x + at % part.x, first.y + at / part.x);
                    screen[(y * size.x + x) as usize] = (light, open);
                    at += 1;
                });
            }
            assert!(fine.is_done());
            let mut fresh = fine_of(&scene.grid, subdivisions, share);
            fresh.set_discs(&scene.discs).unwrap();
            fresh.set_lamps(&scene.lamps).unwrap();
            let expected = painted(&mut fresh);
            let other = screen.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(
                other.map(|n| (n, screen[n], expected[n])),
                None,
                "step {step}"
            );
            if rng.chance(0.1) {
                share = rng.unit();
            }
            scene.change(&mut rng);
            // As reported for tiles of the grid.
            let take = |grid: &LightGrid, first, size| fine.copy_light_from(grid, first, size);
            scene.grid.drain_changes(take);
        }
    }
}

/// The number of fine cells of a row in the half shadow of a pillar, which is six cells below a
/// lamp of this size.
fn half_lit(radius: f32, row: usize) -> usize {
    let settings = LightSettings {
        falloff: Falloff::Radius(40.0),
        ..LightSettings::default()
    };
    let lit = |pillar: Cell| {
        let mut grid = LightGrid::gray(40, 40, settings).unwrap();
        grid.set_cell(IVec2::new(20, 10), pillar).unwrap();
        let mut fine = fine_of(&grid, 4, 1.0);
        fine.set_lamps(&[lamp_of(lamp(20, 4), radius)]).unwrap();
        let all = painted(&mut fine);
        all[row * 160..(row + 1) * 160].to_vec()
    };
    let (shaded, open) = (lit(Cell::WALL), lit(Cell::OPEN));
    let shares = shaded.iter().zip(&open).map(|(a, b)| a.0.x / b.0.x);
    shares.filter(|share| (0.02..0.98).contains(share)).count()
}

#[test]
fn shadows_soften_with_lamp_size_and_distance() {
    let near = 60;
    let far = 110;
    let wide = [half_lit(0.0, near), half_lit(1.0, near), half_lit(1.0, far)];
    let [point, large, large_and_far] = wide;
    assert!(point <= 8, "{wide:?}");
    assert!(large > point + 4 && large_and_far > large + 6, "{wide:?}");
}

#[test]
fn flowing_light_is_interpolated_but_not_through_walls() {
    let mut grid = LightGrid::new(12, 9, LightSettings::default()).unwrap();
    draw(
        &mut grid,
        Cell::WALL,
        &[
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
            "......#.....",
        ],
    );
    grid.set_sources(&[lamp(3, 4)]).unwrap();
    grid.settle(1e-4);
    let mut fine = fine_of(&grid, 3, 0.0);
    let all = painted(&mut fine);
    let at = |x: usize, y: usize| all[y * 36 + x].0;
    for y in 0..27 {
        for x in 21..36 {
            assert_eq!(at(x, y), Vec3::ZERO, "behind the wall, at {x}, {y}");
        }
    }
    // Between the minimum and the maximum of the cells around.
    for cell in places(&grid).filter(|cell| cell.x < 6) {
        let near = |x: i32, y: i32| {
            grid.light((cell + IVec2::new(x, y)).clamp(IVec2::ZERO, IVec2::new(5, 8)))
        };
        let around: Vec<Vec3> = (-1..=1)
            .flat_map(|y| (-1..=1).map(move |x| (x, y)))
            .map(|(x, y)| near(x, y))
            .collect();
        let least = around.iter().copied().fold(Vec3::MAX, Vec3::min);
        let most = around.iter().copied().fold(Vec3::ZERO, Vec3::max);
        for n in 0..9 {
            let light = at((cell.x * 3 + n % 3) as usize, (cell.y * 3 + n / 3) as usize);
            assert!((light - least).min_element() > -1e-6 && (most - light).min_element() > -1e-6);
        }
    }
    // Even light stays even.
    grid.set_sources(&[]).unwrap();
    grid.set_ambient(0, Vec3::splat(0.25)).unwrap();
    grid.settle(1e-4);
    fine.copy_light_from(&grid, UVec2::ZERO, grid.size());
    assert!(
        lights(&grid)
            .iter()
            .all(|light| *light == Vec3::splat(0.25))
    );
    for share in [0.0, 0.5, 1.0] {
        fine.set_share(share).unwrap();
        for (light, _) in painted(&mut fine) {
            assert!((light - 0.25).abs().max_element() < 1e-6, "{light}");
        }
    }
}

#[test]
fn walls_touching_at_corners_block_straight_light() {
    let mut grid = LightGrid::gray(24, 24, LightSettings::default()).unwrap();
    grid.fill(|at| if at.x == at.y { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    let mut fine = fine_of(&grid, 4, 1.0);
    for at in [
        Vec2::new(13.0, 10.0),
        Vec2::new(12.5, 11.4),
        Vec2::new(18.0, 4.0),
    ] {
        fine.set_lamps(&[lamp_of(Source::at(at, Vec3::ONE), 0.25)])
            .unwrap();
        let size = fine.size().x as usize;
        for (n, (light, open)) in painted(&mut fine).into_iter().enumerate() {
            let (x, y) = (n % size / 4, n / size / 4);
            assert!(!open || x > y || light == Vec3::ZERO, "{x} {y} from {at}");
        }
    }
}

#[test]
fn walls_show_light_on_their_faces() {
    let mut grid = LightGrid::gray(9, 7, LightSettings::default()).unwrap();
    draw(
        &mut grid,
        Cell::WALL,
        &[
            "#########",
            "#...#...#",
            "#...#...#",
            "#...#...#",
            "#...#...#",
            "#...#...#",
            "#########",
        ],
    );
    let mut fine = fine_of(&grid, 4, 1.0);
    fine.set_lamps(&[lamp_of(lamp(2, 3), 0.2)]).unwrap();
    let all = painted(&mut fine);
    let at = |cell: IVec2| &all[(cell.y * 4 + 2) as usize * 36 + (cell.x * 4 + 2) as usize];
    assert!(at(IVec2::new(0, 3)).0.x > 0.3 && at(IVec2::new(4, 3)).0.x > 0.3);
    assert!(!at(IVec2::new(4, 3)).1, "a wall");
    assert_eq!(
        at(IVec2::new(8, 3)).0,
        Vec3::ZERO,
        "the wall of the other room"
    );
}

#[test]
fn disc_does_not_block_lamp_inside_it() {
    let grid = LightGrid::gray(21, 9, LightSettings::default()).unwrap();
    let mut fine = fine_of(&grid, 4, 1.0);
    let bearer = Disc {
        at: Vec2::new(10.0, 4.0),
        radius: 0.4,
    };
    let at = IVec2::new(14 * 4 + 2, 4 * 4 + 2);
    fine.set_lamps(&[lamp_of(lamp(10, 4), 0.1)]).unwrap();
    while fine.work() {}
    let without = fine.light(at);
    fine.set_discs(&[bearer]).unwrap();
    while fine.work() {}
    assert_eq!(fine.light(at), without);
    fine.set_lamps(&[lamp_of(lamp(6, 4), 0.1)]).unwrap();
    while fine.work() {}
    assert_eq!(fine.light(at), Vec3::ZERO);
    fine.set_discs(&[]).unwrap();
    while fine.work() {}
    assert!(fine.light(at).x > 0.01);
}

#[test]
fn moving_lamp_changes_light_smoothly() {
    let mut grid = LightGrid::gray(24, 24, LightSettings::default()).unwrap();
    grid.fill(|at| {
        if at.x % 5 == 2 && at.y % 5 == 2 {
            Cell::WALL
        } else {
            Cell::OPEN
        }
    })
    .unwrap();
    let mut fine = fine_of(&grid, 4, 1.0);
    let mut before: Option<Vec<(Vec3, bool)>> = None;
    for step in 0..100 {
        let at = Vec2::new(9.0 + 0.02 * step as f32, 10.3);
        fine.set_lamps(&[lamp_of(Source::at(at, Vec3::ONE), 0.25)])
            .unwrap();
        let now = painted(&mut fine);
        if let Some(before) = before.replace(now.clone()) {
            let change = before.iter().zip(&now).map(|(a, b)| (a.0 - b.0).abs().x);
            // Each of about seven fine cells under the lamp decides whether a fine cell is lit.
            assert!(change.fold(0.0, f32::max) < 0.12, "step {step}");
        }
    }
}

#[test]
fn rejects_invalid_input() {
    let grid = LightGrid::gray(8, 8, LightSettings::default()).unwrap();
    let error = |subdivisions, share| {
        HighResLight::new(&grid, subdivisions, share)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(error(1, 0.5), "subdivisions is 1, but must be from 2 to 8");
    assert_eq!(error(9, 0.5), "subdivisions is 9, but must be from 2 to 8");
    assert_eq!(error(4, f32::NAN), "share is NaN, but must be from 0 to 1");
    let hexagons = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..LightSettings::default()
    };
    let hexagons = LightGrid::gray(8, 8, hexagons).unwrap();
    let error = HighResLight::new(&hexagons, 4, 0.5)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "hexagonal grids do not support high-resolution light"
    );
    let large = LightGrid::gray(1500, 1500, LightSettings::default()).unwrap();
    assert!(HighResLight::new(&large, 4, 0.5).is_err());

    let mut fine = fine_of(&grid, 4, 1.0);
    fine.set_lamps(&[lamp_of(lamp(3, 3), 0.5)]).unwrap();
    let before = painted(&mut fine);
    let far = Source::at(Vec2::splat(f32::MAX), Vec3::ONE);
    for (source, radius) in [
        (lamp(3, 3), f32::NAN),
        (lamp(3, 3), 1.5),
        (Source::at(Vec2::NAN, Vec3::ONE), 0.1),
        (Source::at(Vec2::ZERO, Vec3::splat(65.0)), 0.1),
    ] {
        assert!(fine.set_lamps(&[lamp_of(source, radius)]).is_err());
    }
    for (at, radius) in [(Vec2::NAN, 1.0), (Vec2::ZERO, -1.0), (Vec2::ZERO, 65.0)] {
        assert!(fine.set_discs(&[Disc { at, radius }]).is_err());
    }
    let larger = LightGrid::gray(9, 8, LightSettings::default()).unwrap();
    fine.copy_light_from(&larger, UVec2::ZERO, UVec2::splat(9));
    assert_eq!(painted(&mut fine), before);
    // Outside of the grid nothing is lit.
    fine.set_lamps(&[
        lamp_of(far, 1.0),
        lamp_of(Source::at(-far.at, Vec3::ONE), 1.0),
    ])
    .unwrap();
    fine.set_discs(&[Disc {
        at: far.at,
        radius: 64.0,
    }])
    .unwrap();
    fine.copy_light_from(&grid, UVec2::splat(100), UVec2::splat(u32::MAX));
    fine.copy_light_from(&grid, UVec2::MAX, UVec2::ONE);
    fine.paint(UVec2::MAX, UVec2::ONE, |_, _| panic!("no cell there"));
    assert!(
        painted(&mut fine)
            .iter()
            .all(|(light, open)| *open && *light == Vec3::ZERO)
    );
    assert_eq!(fine.light(IVec2::new(-1, 5)), Vec3::ZERO);
    assert_eq!(fine.light(IVec2::new(5, 32)), Vec3::ZERO);
}
