//! Mirroring or rotating a scene mirrors or rotates its light.

use crate::common::{SceneRng, apart, brightest, lights, places, scenes::any_grid};
use glam::Vec2Swizzles;
use lanternfell_lightgrid::{IVec2, LightGrid, Neighborhood, Vec2, Vec3};

/// Steps set light below this to zero.
const DARK: f32 = crate::common::oracle::DARK as f32;

/// A mirrored or rotated position in a grid.
#[derive(Debug, Clone, Copy)]
struct Image {
    transposed: bool,
    flipped: [bool; 2],
    size: IVec2,
}

impl Image {
    fn all(grid: &LightGrid) -> impl Iterator<Item = Self> {
        let size = grid.size().as_ivec2();
        let is_hexagonal = grid.settings().neighborhood == Neighborhood::Hexagonal;
        let all = (0..8).map(move |n| Self {
            transposed: n & 1 != 0,
            flipped: [n & 2 != 0, n & 4 != 0],
            size,
        });
        all.filter(move |image| !is_hexagonal || image.is_one_of_hexagons())
    }

    /// Whether the transformation maps hexagons to hexagons: even rows stay even, or the grid is
    /// rotated and they become odd.
    fn is_one_of_hexagons(&self) -> bool {
        let is_odd = self.size.y % 2 == 1;
        let kept: [[bool; 2]; 2] = [[false, false], [!is_odd, true]];
        !self.transposed && kept.contains(&self.flipped)
    }

    fn of(self, at: Vec2) -> Vec2 {
        let most = (self.size - 1).as_vec2();
        let at = Vec2::select(self.flipped.into(), most - at, at);
        if self.transposed {
            Vec2::new(at.y, at.x)
        } else {
            at
        }
    }

    fn of_cell(self, cell: IVec2) -> IVec2 {
        self.of(cell.as_vec2()).as_ivec2()
    }

    fn of_grid(self, grid: &LightGrid) -> LightGrid {
        let size = if self.transposed {
            self.size.yx()
        } else {
            self.size
        }
        .as_uvec2();
        let settings = *grid.settings();
        let mut image = if grid.is_gray() {
            LightGrid::gray(size.x, size.y, settings).unwrap()
        } else {
            LightGrid::new(size.x, size.y, settings).unwrap()
        };
        for cell in places(grid) {
            image.set_cell(self.of_cell(cell), grid.cell(cell)).unwrap();
            image
                .set_region(self.of_cell(cell), grid.region(cell))
                .unwrap();
        }
        for region in 0..=255 {
            image.set_ambient(region, grid.ambient(region)).unwrap();
        }
        let mut sources = grid.sources().to_vec();
        sources
            .iter_mut()
            .for_each(|source| source.at = self.of(source.at));
        image.set_sources(&sources).unwrap();
        image
    }
}

#[test]
fn mirroring_or_rotating_a_scene_transforms_its_light() {
    let mut rng = SceneRng::new(4);
    for n in 0..40 {
        let mut grid = any_grid(&mut rng);
        let mut sources = grid.sources().to_vec();
        for source in &mut sources {
            // Eighths are mirrored exactly. A source exactly between two cells is in the one with
            // the higher index, so it has no mirror image.
            let eighths = (source.at * 8.0).round();
            let middle = (eighths.rem_euclid(Vec2::splat(8.0))).cmpeq(Vec2::splat(4.0));
            source.at = Vec2::select(middle, eighths + 1.0, eighths) / 8.0;
        }
        grid.set_sources(&sources).unwrap();
        for image in Image::all(&grid) {
            let mut mirrored = image.of_grid(&grid);
            let mut grid = grid.clone();
            for settles in [false, false, true] {
                if settles && grid.decay() < 0.002 {
                    continue;
                }
                for grid in [&mut grid, &mut mirrored] {
                    if settles {
                        grid.settle(1e-3);
                    } else {
                        grid.step(9);
                    }
                }
                let most = brightest(&lights(&grid)).max_element();
                let tolerance = if settles { 2.1e-3 } else { 2.0 * DARK } + 1e-6 * most;
                let images: Vec<Vec3> = places(&grid)
                    .map(|cell| mirrored.light(image.of_cell(cell)))
                    .collect();
                let apart = apart(&lights(&grid), &images);
                let case = format!("grid {n}, {image:?}, {settles}");
                assert!(apart <= tolerance, "{case}: {apart}");
            }
        }
    }
}
