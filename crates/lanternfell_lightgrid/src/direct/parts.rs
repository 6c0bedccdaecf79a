//! The part of each source in the straight light of a cell.

use glam::{IVec2, Vec3};

use super::Direct;
use crate::{
    area::{Area, Spans},
    scene::Scene,
    source::Source,
};

/// The part of each source in the straight light of a cell.
#[derive(Debug, Default)]
pub(crate) struct StraightParts {
    /// Indices of sources and their parts. The part of a darkness is negative.
    pub(crate) sources: Vec<(usize, Vec3)>,
    /// The part of the ambient light of the cell's region.
    pub(crate) ambient: Vec3,
}

impl Direct {
    /// The part of each source in the straight light of a cell, in proportion to its light alone.
    /// If ambient light is brighter, it has the whole part.
    pub(crate) fn parts(&self, scene: &Scene, cell: IVec2) -> StraightParts {
        let mut parts = StraightParts::default();
        // The light of all sources together, summed as in `add_up`.
        let (mut sum, mut light) = (Vec3::ZERO, Vec3::ZERO);
        for (n, stamp) in self.stamps.iter().enumerate() {
            // Skip sources that have changed since the last update.
            if scene.sources.get(n) == Some(&stamp.source) && stamp.area.contains(cell) {
                let alone = stamp.light(cell, scene.tinted(stamp.source.light).max(Vec3::ZERO));
                sum += alone;
                light += alone - light * alone / self.brightest.max(f32::MIN_POSITIVE);
                parts.sources.push((n, alone));
            }
        }
        let light = light.min(Vec3::splat(self.brightest));
        let ambient = scene.tinted(scene.ambient(scene.region(cell)));
        let outshone = ambient.cmpgt(light);
        let share = Vec3::select(outshone, Vec3::ZERO, light / sum.max(MIN_LIGHT));
        for (_, part) in &mut parts.sources {
            *part *= share;
        }
        parts.ambient = Vec3::select(outshone, ambient, Vec3::ZERO);
        self.darken_parts(scene, (cell, light.max(ambient)), &mut parts);
        parts
    }

    /// Subtracts what a darkness takes.
    fn darken_parts(&self, scene: &Scene, (cell, light): (IVec2, Vec3), parts: &mut StraightParts) {
        let here = Area::around(cell, 0, scene.size);
        for (_, dark) in self.darknesses(&Spans::over(&[here], scene.size), scene) {
            let black = dark.cmpge(light) & dark.cmpgt(Vec3::ZERO);
            for (_, part) in &mut parts.sources {
                *part = Vec3::select(black, Vec3::ZERO, *part);
            }
            parts.ambient = Vec3::select(black, Vec3::ZERO, parts.ambient);
            for color in (0..3).filter(|&color| !black.test(color) && dark[color] > 0.0) {
                if let Some(source) = self.darkest(scene, cell, color, dark[color]) {
                    let mut part = Vec3::ZERO;
                    part[color] = -dark[color];
                    parts.sources.push((source, part));
                }
            }
        }
    }

    /// The first source that takes this much light from a cell.
    fn darkest(&self, scene: &Scene, cell: IVec2, color: usize, dark: f32) -> Option<usize> {
        let takes = |source: &Source| {
            let light = -scene.in_color(source.light, color);
            let mut shares = source.shares(scene.settings.neighborhood);
            shares.any(|(at, share)| at == cell && light * share == dark)
        };
        scene.sources.iter().position(takes)
    }
}

const MIN_LIGHT: Vec3 = Vec3::splat(f32::MIN_POSITIVE);
