//! Light directions against ray casting.

use lanternfell_lightgrid::{
    Cell, Disc, HighResLight, IVec2, LUMINANCE, LightGrid, LightSettings, Source, UVec2, Vec2, Vec3,
};

use super::{
    fine_of, lamp_of,
    scene::{Scene, middle},
};
use crate::common::{SceneRng, report::Case};

/// The light directions of all fine cells, row by row.
fn directions(fine: &mut HighResLight) -> Vec<Vec2> {
    while fine.work() {}
    let mut all = Vec::new();
    fine.paint_directions(UVec2::ZERO, fine.size(), |toward| all.push(toward));
    all
}

fn luminance(light: Vec3) -> f32 {
    light.dot(LUMINANCE)
}

impl Scene {
    /// The direction of straight light in a fine cell weighted by luminance, and the luminance, by
    /// ray casting.
    fn straight_from(&self, fine: IVec2, subdivisions: u32) -> Vec3 {
        let there = middle(fine, subdivisions);
        let mut sum = Vec3::ZERO;
        for lamp in &self.lamps {
            let light = lamp.source.light.max(Vec3::ZERO);
            let strength = match self.grid.is_gray() {
                true => luminance(light),
                false => light.max_element(),
            };
            let share =
                self.seen(lamp, fine, subdivisions) * self.falloff(lamp.source.at.distance(there));
            if share * strength < 1.0 / 1024.0 {
                continue;
            }
            let passed = self.passed(lamp.source.at, there);
            let more = match self.grid.is_gray() {
                true => luminance(light) * share * passed.x,
                false => luminance(light * share * passed),
            };
            let (away, up) = (lamp.source.at - there, lamp.source.height.max(0.0));
            let toward = away / f32::hypot(away.length(), up);
            sum += toward.extend(1.0) * more;
        }
        let ambient = self
            .grid
            .ambient(self.grid.region(there.round().as_ivec2()));
        sum.z = sum.z.max(luminance(ambient));
        sum
    }

    /// The luminance of flowing light at a position, interpolated between nine cells with quadratic
    /// B-splines. Walls are replaced by the cell itself.
    fn flow(&self, home: IVec2, at: Vec2) -> f32 {
        let light = |cell: IVec2| luminance(self.grid.light(cell));
        let like_home = |cell: IVec2| {
            let alike =
                self.grid.contains(cell) && self.grid.is_opaque(cell) == self.grid.is_opaque(home);
            if alike { cell } else { home }
        };
        let spline = |away: f32| match away.abs() {
            near if near < 0.5 => 0.75 - near * near,
            far => 0.5 * (1.5 - far).max(0.0).powi(2),
        };
        (-1..=1)
            .flat_map(|y| (-1..=1).map(move |x| home + IVec2::new(x, y)))
            .map(|cell| {
                let away = at - cell.as_vec2();
                light(like_home(cell)) * spline(away.x) * spline(away.y)
            })
            .sum()
    }
}

#[test]
fn directions_match_ray_casting() {
    for seed in 0..60 {
        let mut rng = SceneRng::on_squares(seed);
        let scene = Scene::any(&mut rng);
        let subdivisions = 2 + rng.below(3);
        let share = match scene.grid.settings().direct {
            0.0 => rng.one_of(&[0.0, 0.6]),
            _ => 1.0,
        };
        let mut fine = fine_of(&scene.grid, subdivisions, share);
        fine.set_lamps(&scene.lamps).unwrap();
        fine.set_discs(&scene.discs).unwrap();
        let mut open = Vec::new();
        let all = directions(&mut fine);
        fine.paint(UVec2::ZERO, fine.size(), |_, passes| open.push(passes));
        let size = fine.size();
        for _ in 0..40 {
            let at = UVec2::new(rng.below(size.x), rng.below(size.y));
            let place = (at.y * size.x + at.x) as usize;
            if !open[place] {
                continue;
            }
            let there = middle(at.as_ivec2(), subdivisions);
            let home = there.round().as_ivec2();
            let flow = |x: f32, y: f32| scene.flow(home, there + Vec2::new(x, y));
            let step = 0.01;
            let rise = Vec2::new(
                flow(step, 0.0) - flow(-step, 0.0),
                flow(0.0, step) - flow(0.0, -step),
            ) / (2.0 * step);
            let here = flow(0.0, 0.0);
            let flowing = rise * here / f32::max(here + rise.length(), f32::MIN_POSITIVE);
            let straight = scene.straight_from(at.as_ivec2(), subdivisions);
            let sum = straight * share + flowing.extend(here) * (1.0 - share);
            let expected = sum.truncate() / f32::max(sum.z, f32::MIN_POSITIVE);
            let off = (all[place] - expected).length();
            let _case = Case::new(format!(
                "seed {seed}, {subdivisions} times subdivisions, at {at}"
            ));
            // Where there is almost no light it does not matter.
            assert!(
                off < 0.01 || sum.z < 0.002,
                "{} and by rays {expected}, of {sum}",
                all[place]
            );
            assert!(all[place].length() <= 1.0 + 1e-6);
        }
    }
}

#[test]
fn directions_are_updated_with_light() {
    for seed in 0..30 {
        let _case = Case::new(format!("seed {seed}"));
        let mut rng = SceneRng::on_squares(seed);
        let mut scene = Scene::any(&mut rng);
        let subdivisions = 2 + rng.below(3);
        let mut fine = fine_of(&scene.grid, subdivisions, 0.6);
        let size = fine.size();
        let mut known = vec![Vec2::NAN; size.element_product() as usize];
        for step in 0..12 {
            fine.set_lamps(&scene.lamps).unwrap();
            fine.set_discs(&scene.discs).unwrap();
            while fine.work() {}
            while let Some((first, part)) = fine.pop_changed_area() {
                let mut at = 0;
                fine.paint_directions(first, part, |toward| {
                    let (x, y) = (first.x + at % part.x, first.y + at / part.x);
                    known[(y * size.x + x) as usize] = toward;
                    at += 1;
                });
            }
            let mut fresh = fine_of(&scene.grid, subdivisions, 0.6);
            fresh.set_discs(&scene.discs).unwrap();
            fresh.set_lamps(&scene.lamps).unwrap();
            let expected = directions(&mut fresh);
            let other = known.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(
                other.map(|n| (n, known[n], expected[n])),
                None,
                "step {step}"
            );
            scene.change(&mut rng);
            let take = |grid: &LightGrid, first, size| fine.copy_light_from(grid, first, size);
            scene.grid.drain_changes(take);
        }
    }
}

fn gray(width: u32, height: u32) -> LightGrid {
    LightGrid::gray(width, height, LightSettings::default()).unwrap()
}

#[test]
fn direction_depends_on_distance_and_cancels_between_lamps() {
    let lamp_at = |x: f32| {
        lamp_of(
            Source::at(Vec2::new(x, 4.25), Vec3::ONE).with_height(1.0),
            0.0,
        )
    };
    let mut fine = fine_of(&gray(17, 9), 2, 1.0);
    let at = |x: usize, fine: &mut HighResLight| directions(fine)[9 * 34 + x];
    fine.set_lamps(&[lamp_at(3.25)]).unwrap();
    // The lamp is one cell to the west and one cell high.
    let near = at(9, &mut fine);
    assert!((near.x + 0.5_f32.sqrt()).abs() < 0.01, "{near}");
    let far = at(24, &mut fine);
    assert!(far.x < -0.95 && far.x > -1.0 && far.y.abs() < 0.05, "{far}");
    fine.set_lamps(&[lamp_at(3.25), lamp_at(12.75)]).unwrap();
    let [east, west] = [17, 16].map(|x| at(x, &mut fine));
    assert!(
        (east + west).length() < 0.02 && east.length() < 0.2,
        "{east} {west}"
    );
    fine.set_lamps(&[]).unwrap();
    assert_eq!(at(9, &mut fine), Vec2::ZERO, "in darkness");
}

#[test]
fn disc_is_lit_from_side_of_lamp() {
    let mut grid = gray(21, 9);
    grid.set_cell(IVec2::new(16, 4), Cell::WALL).unwrap();
    let mut fine = fine_of(&grid, 4, 1.0);
    let figure = Disc {
        at: Vec2::new(10.0, 4.0),
        radius: 0.4,
    };
    fine.set_discs(&[figure]).unwrap();
    for (lamp, side) in [(5.0, -1.0), (14.0, 1.0)] {
        let source = Source::at(Vec2::new(lamp, 4.0), Vec3::ONE);
        fine.set_lamps(&[lamp_of(source, 0.25)]).unwrap();
        let all = directions(&mut fine);
        // The whole disc, including its far side, and the lit face of the pillar.
        for x in [40, 41, 43] {
            let toward = all[18 * 84 + x];
            assert!(
                toward.x * side > 0.8,
                "{toward} at {x}, by the lamp at {lamp}"
            );
        }
    }
}
