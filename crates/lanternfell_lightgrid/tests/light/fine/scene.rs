//! Scenes, and their straight light by ray casting.

use lanternfell_lightgrid::{
    Cell, Disc, Falloff, HighResLamp, IVec2, LightGrid, LightSettings, Source, Vec2, Vec3,
    line_of_sight,
};

use super::lamp_of;
use crate::common::SceneRng;

/// The center of a fine cell, in cells.
pub fn middle(fine: IVec2, subdivisions: u32) -> Vec2 {
    (fine.as_vec2() + 0.5) / subdivisions as f32 - 0.5
}

/// A grid with all kinds of cells, lamps and discs.
pub struct Scene {
    pub grid: LightGrid,
    pub lamps: Vec<HighResLamp>,
    pub discs: Vec<Disc>,
}

impl Scene {
    pub fn any(rng: &mut SceneRng) -> Self {
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

    /// Updates the light of the grid.
    fn light(&mut self, rng: &mut SceneRng) {
        let sources: Vec<_> = self.lamps.iter().map(|lamp| lamp.source).collect();
        self.grid.set_sources(&sources).unwrap();
        self.grid.step(rng.below(4));
    }

    /// Makes a random change, like a game between two frames.
    pub fn change(&mut self, rng: &mut SceneRng) {
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

    /// The straight light of a fine cell where light passes, by ray casting.
    pub fn straight(&self, fine: IVec2, subdivisions: u32) -> Vec3 {
        let tinted = |light: Vec3| match self.grid.is_gray() {
            true => {
                let luminance = light.dot(lanternfell_lightgrid::LUMINANCE);
                Vec3::splat(luminance)
            }
            false => light,
        };
        let there = middle(fine, subdivisions);
        let strengths = self
            .lamps
            .iter()
            .map(|lamp| lamp.source.light.max_element());
        let brightest = strengths.fold(1.0, f32::max);
        let most = brightest.log2().ceil().exp2();
        let mut sum = Vec3::ZERO;
        for lamp in &self.lamps {
            let light = tinted(lamp.source.light).max(Vec3::ZERO);
            let share =
                self.seen(lamp, fine, subdivisions) * self.falloff(lamp.source.at.distance(there));
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

    /// The visible fraction of the disc of a lamp.
    pub fn seen(&self, lamp: &HighResLamp, to: IVec2, subdivisions: u32) -> f32 {
        let own = self
            .discs
            .iter()
            .find(|disc| disc.at.distance(lamp.source.at) <= disc.radius);
        let opaque = |fine: IVec2| {
            let at = middle(fine, subdivisions);
            let is_in = |disc: &Disc| disc.at.distance(at) <= disc.radius;
            let wall = self.grid.is_opaque(at.round().as_ivec2());
            wall || self.ends_a_crack(fine, subdivisions)
                || self.discs.iter().any(is_in) && !own.is_some_and(is_in)
        };
        let at = (lamp.source.at + 0.5) * subdivisions as f32 - 0.5;
        let radius = (lamp.radius * subdivisions as f32).max(0.75);
        let (mut seen, mut all) = (0.0, 0.0);
        for y in -10..=10 {
            for x in -10..=10 {
                let from = at.round().as_ivec2() + IVec2::new(x, y);
                let covered = (radius + 0.5 - at.distance(from.as_vec2())).clamp(0.0, 1.0);
                let inside = self
                    .grid
                    .contains(middle(from, subdivisions).round().as_ivec2());
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

    /// Whether an open fine cell is at a corner where two walls touch.
    fn ends_a_crack(&self, fine: IVec2, subdivisions: u32) -> bool {
        let cell = middle(fine, subdivisions).round().as_ivec2();
        let inside = fine - cell * subdivisions as i32;
        let last = subdivisions as i32 - 1;
        let wall =
            |step: IVec2| self.grid.contains(cell + step) && self.grid.is_opaque(cell + step);
        [(0, 0), (last, 0), (0, last), (last, last)]
            .into_iter()
            .any(|(x, y)| {
                let step = IVec2::new(if x == 0 { -1 } else { 1 }, if y == 0 { -1 } else { 1 });
                let adjacent = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
                let touching = adjacent.into_iter().all(wall);
                inside == IVec2::new(x, y)
                    && touching
                    && !wall(IVec2::ZERO)
                    && !wall(step)
                    && self.grid.contains(cell + step)
            })
    }

    /// The brightness of a lamp at a distance: that of straight light in a grid without walls.
    pub fn falloff(&self, distance: f32) -> f32 {
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

    /// The fraction of light that remains on a ray, computed in a thousand small steps.
    pub fn passed(&self, from: Vec2, to: Vec2) -> Vec3 {
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
