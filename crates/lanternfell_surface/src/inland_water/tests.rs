//! Tests of rivers and lakes on several islands.

mod banks;
mod carving;
mod edits;
mod layers;
mod lookup;
mod odd;
mod rivers;
mod save;

use glam::{DVec2, Vec2};

use super::{InlandWater, WaterBody, Waters, waters::weights};
use crate::surface::Surface;
use lanternfell_heightmap::{
    FractalNoise, Heightmap, MapSize, Progress, Recipe, Scale, hydrology::Hydrology,
};

/// A map with its rivers and lakes.
struct Case {
    name: String,
    before: Heightmap,
    map: Heightmap,
    scale: Scale,
    hydrology: Hydrology,
    waters: Waters,
}

impl Case {
    fn new(name: String, before: Heightmap, scale: Scale, sea_level: Option<f32>) -> Self {
        let hydrology = Hydrology {
            sea_level,
            border: true,
        };
        let mut map = before.clone();
        let waters = InlandWater::default()
            .carve(&mut map, scale, &hydrology, &Progress::default())
            .unwrap();
        Self {
            name,
            before,
            map,
            scale,
            hydrology,
            waters,
        }
    }

    fn preset(name: &str, side: u64, seed: u64, meters: Option<(f32, f32)>) -> Self {
        let mut recipe = Recipe::preset(name).unwrap();
        recipe.size = MapSize::new(side, side).unwrap();
        recipe.seed = seed;
        let scale = meters.map_or(recipe.scale(), |(extent, relief)| Scale {
            spacing: extent / side as f32,
            relief,
        });
        let map = recipe.generate(&Progress::default()).unwrap();
        let sea = Some(recipe.water_level());
        Self::new(format!("{name}, seed {seed}"), map, scale, sea)
    }

    fn ground(&self) -> Surface<'_> {
        Surface::new(&self.map, self.scale)
    }

    /// The sea level in meters.
    fn sea(&self) -> f32 {
        self.hydrology
            .sea_level
            .map_or(f32::NEG_INFINITY, |sea| sea * self.scale.relief)
    }

    /// The height of the ground at a position in meters.
    fn height(&self, x: f32, z: f32) -> f32 {
        let edge = self.ground().half_extent();
        self.ground()
            .height(Vec2::new(x, z).clamp(-edge, edge))
            .unwrap()
    }
}

/// Islands and mountains, with cells of 1.5 to 60 meters.
fn cases() -> Vec<Case> {
    let noise = |seed| {
        let size = MapSize::new(200, 150).unwrap();
        let islands = FractalNoise {
            scale: 90.0,
            ..FractalNoise::default()
        };
        let map = islands.generate(size, seed, &Progress::default()).unwrap();
        let scale = Scale {
            spacing: 1.5,
            relief: 60.0,
        };
        Case::new(format!("noise, seed {seed}"), map, scale, Some(0.4))
    };
    vec![
        Case::preset("article-hills", 257, 7, Some((1500.0, 180.0))),
        Case::preset("article-hills", 193, 2, Some((1200.0, 250.0))),
        Case::preset("rolling-hills", 257, 12, Some((1500.0, 150.0))),
        Case::preset("rolling-hills", 193, 3, None),
        Case::preset("alpine", 193, 9, None),
        Case::preset("alpine", 257, 4, None),
        Case::preset("fjords", 193, 5, None),
        noise(3),
        noise(8),
    ]
}

/// Finds the highest water of some bodies at a position by testing every triangle.
fn highest(waters: &Waters, at: DVec2, of: impl Fn(WaterBody) -> bool) -> Option<(f64, WaterBody)> {
    let rivers = waters.rivers().iter().enumerate().map(|(index, river)| {
        let mesh = river.mesh();
        (WaterBody::River(index), &mesh.positions, &mesh.indices)
    });
    let lakes = waters.lakes().iter().enumerate().map(|(index, lake)| {
        let mesh = lake.mesh();
        (WaterBody::Lake(index), &mesh.positions, &mesh.indices)
    });
    let mut found: Option<(f64, WaterBody)> = None;
    for (body, positions, indices) in lakes.chain(rivers).filter(|&(body, ..)| of(body)) {
        for corners in indices.as_chunks::<3>().0 {
            let corners = corners.map(|at| positions[at as usize]);
            let Some(weights) = weights(corners, at) else {
                continue;
            };
            let parts = corners.iter().zip(weights);
            let height: f64 = parts
                .map(|(corner, weight)| f64::from(corner[1]) * weight)
                .sum();
            if found.is_none_or(|(highest, _)| height > highest) {
                found = Some((height, body));
            }
        }
    }
    found
}
