//! Light in finer cells, for a screen: against what it is made of, worked out ray by ray.

#[expect(dead_code, reason = "every test uses a part of it")]
mod common;

use common::{SceneRng, draw, lamp, lights, places, report::Case};
use lanternfell_lightgrid::{
    Cell, Disc, Falloff, FineLamp, FineLight, IVec2, LightGrid, LightSettings, Neighborhood,
    Source, UVec2, Vec2, Vec3, line_of_sight,
};

/// Brings all of it up to date, and gives it row by row, with whether light passes.
fn painted(fine: &mut FineLight) -> Vec<(Vec3, bool)> {
    while fine.work() {}
    let mut all = Vec::new();
    fine.paint(UVec2::ZERO, fine.size(), |light, open| {
        all.push((light, open));
    });
    all
}

/// Of a grid, with all of its light.
fn fine_of(grid: &LightGrid, finer: u32, share: f32) -> FineLight {
    let mut fine = FineLight::new(grid, finer, share).unwrap();
    fine.take_light(grid, UVec2::ZERO, grid.size());
    fine
}

fn lamp_of(source: Source, radius: f32) -> FineLamp {
    FineLamp { source, radius }
}

/// The middle of a fine cell, in cells.
fn middle(fine: IVec2, finer: u32) -> Vec2 {
    (fine.as_vec2() + 0.5) / finer as f32 - 0.5
}

/// Cells of all kinds that a screen may show, with lamps and things in the light's way.
struct Scene {
    grid: LightGrid,
    lamps: Vec<FineLamp>,
    discs: Vec<Disc>,
}

impl Scene {
    fn any(rng: &mut SceneRng) -> Self {
        let settings = LightSettings {
            neighborhood: rng.neighborhood(),
            falloff: Falloff::Radius(2.0 + 6.0 * rng.unit()),
            direct: rng.one_of(&[0.0, 0.5]),
        };
        let (width, height) = (1 + rng.below(24), 1 + rng.below(20));
        let grid = match rng.chance(0.2) {
            true => LightGrid::gray(width, height, settings),
            false => LightGrid::new(width, height, settings),
        };
        let mut scene = Self {
            grid: grid.unwrap(),
            lamps: Vec::new(),
            discs: Vec::new(),
        };
        for _ in 0..1 + width * height / 4 {
            scene.change_cell(rng);
        }
        for _ in 0..rng.below(5) {
            scene.add_lamp(rng);
            scene.add_disc(rng);
        }
        scene.light(rng);
        scene
    }

    fn change_cell(&mut self, rng: &mut SceneRng) {
        let cell = match rng.below(6) {
            0 => Cell::OPEN,
            1 => Cell::glass(rng.color()),
            2 => Cell::smoke(rng.unit()),
            _ => Cell::WALL,
        };
        let at = rng.place(&self.grid);
        self.grid.set_cell(at, cell).unwrap();
    }

    fn somewhere(&self, rng: &mut SceneRng) -> Vec2 {
        let size = self.grid.size().as_vec2() + 3.0;
        Vec2::new(rng.unit(), rng.unit()) * size - 2.0
    }

    fn add_lamp(&mut self, rng: &mut SceneRng) {
        let at = self.somewhere(rng);
        let strength = rng.one_of(&[1.0, 1.0, 3.0, -0.5]);
        let source = Source::at(at, rng.color() * strength);
        self.lamps
            .push(lamp_of(source, rng.one_of(&[0.0, 0.25, 0.7])));
    }

    fn add_disc(&mut self, rng: &mut SceneRng) {
        let at = self.somewhere(rng);
        self.discs.push(Disc {
            at,
            radius: 1.2 * rng.unit(),
        });
    }

    /// The grid's light, as it would be on the map.
    fn light(&mut self, rng: &mut SceneRng) {
        let sources: Vec<_> = self.lamps.iter().map(|lamp| lamp.source).collect();
        self.grid.set_sources(&sources).unwrap();
        self.grid.step(rng.below(4));
    }

    /// What a game does between two frames.
    fn change(&mut self, rng: &mut SceneRng) {
        match rng.below(9) {
            0 => self.change_cell(rng),
            1 => self.add_lamp(rng),
            2 => self.add_disc(rng),
            3 => {
                let gone = rng.below(self.lamps.len() as u32 + 1) as usize;
                self.lamps
                    .drain(gone.min(self.lamps.len().saturating_sub(1))..)
                    .next();
            }
            4 if !self.lamps.is_empty() => {
                let gone = rng.below(self.lamps.len() as u32) as usize;
                self.lamps.remove(gone);
            }
            5 if !self.discs.is_empty() => {
                let gone = rng.below(self.discs.len() as u32) as usize;
                self.discs.remove(gone);
            }
            6 if !self.discs.is_empty() => self.discs[0].at += 0.2,
            7 => {
                let region = rng.below(2) as u8;
                let at = rng.place(&self.grid);
                self.grid.set_region(at, region).unwrap();
                self.grid.set_ambient(region, rng.color() * 0.3).unwrap();
            }
            _ => {
                for lamp in &mut self.lamps {
                    if rng.chance(0.5) {
                        lamp.source.at += Vec2::new(rng.unit(), rng.unit()) - 0.5;
                    } else {
                        lamp.source.light *= 0.5 + rng.unit();
                    }
                }
            }
        }
        self.light(rng);
    }

    /// The straight light at a fine cell where light passes, ray by ray.
    fn straight(&self, fine: IVec2, finer: u32) -> Vec3 {
        let tinted = |light: Vec3| match self.grid.is_gray() {
            true => {
                let luminance = light.dot(lanternfell_lightgrid::LUMINANCE);
                Vec3::splat(luminance)
            }
            false => light,
        };
        let there = middle(fine, finer);
        let strengths = self
            .lamps
            .iter()
            .map(|lamp| lamp.source.light.max_element());
        let brightest = strengths.fold(1.0, f32::max);
        let most = brightest.log2().ceil().exp2();
        let mut sum = Vec3::ZERO;
        for lamp in &self.lamps {
            let light = tinted(lamp.source.light).max(Vec3::ZERO);
            let share = self.seen(lamp, fine, finer) * self.falloff(lamp.source.at.distance(there));
            if share * light.max_element() >= 1.0 / 1024.0 {
                let more = light * share * self.passed(lamp.source.at, there);
                sum = (sum + more - sum * more / most).min(Vec3::splat(most));
            }
        }
        let cell = there.round().as_ivec2();
        sum = sum.max(tinted(self.grid.ambient(self.grid.region(cell))));
        for lamp in self
            .lamps
            .iter()
            .filter(|lamp| lamp.source.light.min_element() < 0.0)
        {
            let near = (1.0 - lamp.source.at.distance(there)).max(0.0);
            sum = (sum - (-tinted(lamp.source.light)).max(Vec3::ZERO) * near).max(Vec3::ZERO);
        }
        sum
    }

    /// How much of a lamp's disc is seen.
    fn seen(&self, lamp: &FineLamp, to: IVec2, finer: u32) -> f32 {
        let own = self
            .discs
            .iter()
            .find(|disc| disc.at.distance(lamp.source.at) <= disc.radius);
        let opaque = |fine: IVec2| {
            let at = middle(fine, finer);
            let is_in = |disc: &Disc| disc.at.distance(at) <= disc.radius;
            let wall = self.grid.is_opaque(at.round().as_ivec2());
            wall || self.ends_a_crack(fine, finer)
                || self.discs.iter().any(is_in) && !own.is_some_and(is_in)
        };
        let at = (lamp.source.at + 0.5) * finer as f32 - 0.5;
        let radius = (lamp.radius * finer as f32).max(0.75);
        let (mut seen, mut all) = (0.0, 0.0);
        for y in -10..=10 {
            for x in -10..=10 {
                let from = at.round().as_ivec2() + IVec2::new(x, y);
                let covered = (radius + 0.5 - at.distance(from.as_vec2())).clamp(0.0, 1.0);
                let inside = self.grid.contains(middle(from, finer).round().as_ivec2());
                if covered > 0.0 && inside && !opaque(from) {
                    all += covered;
                    if line_of_sight(from, to, opaque) {
                        seen += covered;
                    }
                }
            }
        }
        seen / f32::max(all, f32::MIN_POSITIVE)
    }

    /// Whether an open fine cell lies at a corner at which two walls touch.
    fn ends_a_crack(&self, fine: IVec2, finer: u32) -> bool {
        let cell = middle(fine, finer).round().as_ivec2();
        let inside = fine - cell * finer as i32;
        let last = finer as i32 - 1;
        let wall =
            |step: IVec2| self.grid.contains(cell + step) && self.grid.is_opaque(cell + step);
        [(0, 0), (last, 0), (0, last), (last, last)]
            .into_iter()
            .any(|(x, y)| {
                let step = IVec2::new(if x == 0 { -1 } else { 1 }, if y == 0 { -1 } else { 1 });
                let beside = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
                let touching = beside.into_iter().all(wall);
                inside == IVec2::new(x, y)
                    && touching
                    && !wall(IVec2::ZERO)
                    && !wall(step)
                    && self.grid.contains(cell + step)
            })
    }

    /// How bright a lamp is at a distance: as the light in straight lines of a grid without walls is.
    fn falloff(&self, distance: f32) -> f32 {
        let at = |cells: i32| -> f32 {
            let settings = LightSettings {
                direct: 1.0,
                ..*self.grid.settings()
            };
            let mut open = LightGrid::gray(64, 1, settings).unwrap();
            open.set_sources(&[Source::new(IVec2::ZERO, Vec3::splat(Source::MAX_LIGHT))])
                .unwrap();
            open.step(1);
            open.luminance(IVec2::new(cells, 0)) / Source::MAX_LIGHT
        };
        let near = distance.floor();
        let part = distance - near;
        at(near as i32) * (1.0 - part) + at(near as i32 + 1) * part
    }

    /// What is left on a way, by a thousand little steps along it.
    fn passed(&self, from: Vec2, to: Vec2) -> Vec3 {
        let steps = 1000;
        let length = (to - from).abs().max_element() / steps as f32;
        let home = from.round().as_ivec2();
        let mut left = Vec3::ONE;
        for step in 0..steps {
            let cell = from
                .lerp(to, (step as f32 + 0.5) / steps as f32)
                .round()
                .as_ivec2();
            let passes = self.grid.cell(cell).transparency;
            if cell != home && passes != Vec3::ZERO {
                let passes = match self.grid.is_gray() {
                    true => Vec3::splat(passes.dot(lanternfell_lightgrid::LUMINANCE)),
                    false => passes,
                };
                left *= passes.powf(length);
            }
        }
        left
    }
}

#[test]
fn straight_light_is_what_rays_from_all_over_the_lamp_bring() {
    for seed in 0..60 {
        let mut rng = SceneRng::on_squares(seed);
        let scene = Scene::any(&mut rng);
        let finer = 2 + rng.below(3);
        let mut fine = fine_of(&scene.grid, finer, 1.0);
        fine.set_lamps(&scene.lamps).unwrap();
        fine.set_discs(&scene.discs).unwrap();
        let all = painted(&mut fine);
        let size = fine.size();
        for _ in 0..40 {
            let at = UVec2::new(rng.below(size.x), rng.below(size.y));
            let (light, open) = all[(at.y * size.x + at.x) as usize];
            if open {
                let rays = scene.straight(at.as_ivec2(), finer);
                let off = (light - rays).abs().max_element();
                let _case = Case::new(format!("seed {seed}, {finer} times finer, at {at}"));
                assert!(off < 0.004, "{light} and by rays {rays}");
            }
        }
    }
}

#[test]
fn what_changes_is_painted_as_if_all_were_done_anew() {
    for seed in 0..80 {
        let _case = Case::new(format!("seed {seed}"));
        let mut rng = SceneRng::on_squares(seed);
        let mut scene = Scene::any(&mut rng);
        let finer = 2 + rng.below(3);
        let mut share = 0.6;
        let mut fine = fine_of(&scene.grid, finer, share);
        let size = fine.size();
        let mut screen = vec![(Vec3::NAN, false); size.element_product() as usize];
        for step in 0..12 {
            fine.set_lamps(&scene.lamps).unwrap();
            fine.set_discs(&scene.discs).unwrap();
            fine.set_share(share).unwrap();
            while fine.work() {}
            while let Some((first, part)) = fine.next_changed() {
                let mut at = 0;
                fine.paint(first, part, |light, open| {
                    let (x, y) = (first.x + at % part.x, first.y + at / part.x);
                    screen[(y * size.x + x) as usize] = (light, open);
                    at += 1;
                });
            }
            assert!(fine.is_done());
            let mut anew = fine_of(&scene.grid, finer, share);
            anew.set_discs(&scene.discs).unwrap();
            anew.set_lamps(&scene.lamps).unwrap();
            let anew = painted(&mut anew);
            let other = screen.iter().zip(&anew).position(|(a, b)| a != b);
            assert_eq!(other.map(|n| (n, screen[n], anew[n])), None, "step {step}");
            if rng.chance(0.1) {
                share = rng.unit();
            }
            scene.change(&mut rng);
            // As tiles of the grid say.
            let take = |grid: &LightGrid, first, size| fine.take_light(grid, first, size);
            scene.grid.drain_changes(take);
        }
    }
}

/// How many fine cells of a row lie in the half shadow of a pillar six cells below a lamp of this size.
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
fn larger_lamps_have_softer_shadows_and_the_further_away_the_softer() {
    let near = 60;
    let far = 110;
    let wide = [half_lit(0.0, near), half_lit(1.0, near), half_lit(1.0, far)];
    let [point, large, large_and_far] = wide;
    assert!(point <= 8, "{wide:?}");
    assert!(large > point + 4 && large_and_far > large + 6, "{wide:?}");
}

#[test]
fn light_that_flows_is_laid_through_the_cells_and_not_through_walls() {
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
    // Between the least and the most of the cells around.
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
    fine.take_light(&grid, UVec2::ZERO, grid.size());
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
fn no_straight_light_passes_between_walls_that_touch_at_a_corner() {
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
fn walls_show_what_falls_on_their_faces_and_nothing_of_what_does_not() {
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
fn a_lamp_shines_out_of_the_disc_it_is_in_and_others_do_not_shine_through() {
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
fn a_lamp_that_moves_changes_its_light_by_little() {
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
            // A fine cell is lit or not by one of some seven fine cells.
            assert!(change.fold(0.0, f32::max) < 0.12, "step {step}");
        }
    }
}

#[test]
fn what_can_not_be_is_an_error_that_names_it_and_changes_nothing() {
    let grid = LightGrid::gray(8, 8, LightSettings::default()).unwrap();
    let error = |finer, share| FineLight::new(&grid, finer, share).unwrap_err().to_string();
    assert_eq!(error(1, 0.5), "finer is 1, but must be from 2 to 8");
    assert_eq!(error(9, 0.5), "finer is 9, but must be from 2 to 8");
    assert_eq!(error(4, f32::NAN), "share is NaN, but must be from 0 to 1");
    let hexagons = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..LightSettings::default()
    };
    let hexagons = LightGrid::gray(8, 8, hexagons).unwrap();
    let error = FineLight::new(&hexagons, 4, 0.5).unwrap_err().to_string();
    assert_eq!(error, "a grid of hexagons has no finer light");
    let large = LightGrid::gray(1500, 1500, LightSettings::default()).unwrap();
    assert!(FineLight::new(&large, 4, 0.5).is_err());

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
    fine.take_light(&larger, UVec2::ZERO, UVec2::splat(9));
    assert_eq!(painted(&mut fine), before);
    // Outside of the grid: nothing is lit, and nothing breaks.
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
    fine.take_light(&grid, UVec2::splat(100), UVec2::splat(u32::MAX));
    fine.take_light(&grid, UVec2::MAX, UVec2::ONE);
    fine.paint(UVec2::MAX, UVec2::ONE, |_, _| panic!("there is none"));
    assert!(
        painted(&mut fine)
            .iter()
            .all(|(light, open)| *open && *light == Vec3::ZERO)
    );
    assert_eq!(fine.light(IVec2::new(-1, 5)), Vec3::ZERO);
    assert_eq!(fine.light(IVec2::new(5, 32)), Vec3::ZERO);
}
