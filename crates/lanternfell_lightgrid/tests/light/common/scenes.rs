//! Random scenes with everything that a grid can contain.

use lanternfell_lightgrid::{Cell, Falloff, LightGrid, LightSettings, Source, Vec2, Vec3};

use super::SceneRng;

/// A grid of any size up to 70 x 50, across the borders of tiles.
pub fn any_grid(rng: &mut SceneRng) -> LightGrid {
    let most = rng.one_of(&[1, 2, 6, 20, 50]);
    let width = 1 + rng.below(most + 20 * u32::from(most == 50));
    let height = 1 + rng.below(most);
    let settings = any_settings(rng);
    any_grid_of(rng, width, height, settings)
}

/// A grid of this size with random cells and sources.
pub fn any_grid_of(
    rng: &mut SceneRng,
    width: u32,
    height: u32,
    settings: LightSettings,
) -> LightGrid {
    let mut grid = if rng.chance(0.2) {
        LightGrid::gray(width, height, settings).unwrap()
    } else {
        LightGrid::new(width, height, settings).unwrap()
    };
    let open = rng.one_of(&[0.3, 0.7, 0.9, 1.0]);
    let colored = rng.chance(0.6);
    grid.fill(|_| any_cell(rng, open, colored)).unwrap();
    let sources: Vec<Source> = (0..rng.below(6)).map(|_| any_source(rng, &grid)).collect();
    grid.set_sources(&sources).unwrap();
    if rng.chance(0.3) {
        any_ambient(rng, &mut grid);
    }
    grid
}

pub fn any_settings(rng: &mut SceneRng) -> LightSettings {
    LightSettings {
        neighborhood: rng.neighborhood(),
        falloff: match rng.below(3) {
            0 => Falloff::Radius(1.0 + 20.0 * rng.unit()),
            1 => Falloff::Decay(0.002 + 0.5 * rng.unit()),
            _ => Falloff::Decay(rng.one_of(&[0.0, 0.002, 0.02, 1.0])),
        },
        direct: 0.0,
    }
}

/// Makes one or a few random changes, like a game between two turns.
pub fn any_change(rng: &mut SceneRng, grid: &mut LightGrid) {
    for _ in 0..=rng.below(3) {
        match rng.below(8) {
            0 | 1 => {
                let (at, cell) = (rng.place(grid), any_cell(rng, 0.5, true));
                grid.set_cell(at, cell).unwrap();
            }
            2..=4 => {
                let mut sources = grid.sources().to_vec();
                let which = rng.below(4) as usize;
                match sources.get_mut(which) {
                    Some(source) if rng.chance(0.6) => {
                        source.at += Vec2::new(rng.unit(), rng.unit()) * 2.0 - 1.0;
                    }
                    Some(source) => source.light = any_light(rng),
                    None => sources.push(any_source(rng, grid)),
                }
                grid.set_sources(&sources).unwrap();
            }
            5 => {
                let gone = rng.below(grid.sources().len() as u32 + 1) as usize;
                let kept = grid.sources()[gone..].to_vec();
                grid.set_sources(&kept).unwrap();
            }
            6 => any_ambient(rng, grid),
            _ => grid.set_settings(any_settings(rng)).unwrap(),
        }
    }
}

fn any_ambient(rng: &mut SceneRng, grid: &mut LightGrid) {
    let region = rng.one_of(&[0, 1, 7, 255]);
    let light = rng.one_of(&[Vec3::ZERO, Vec3::splat(0.1), Vec3::new(0.3, 0.2, 0.0)]);
    grid.set_ambient(region, light).unwrap();
    for _ in 0..rng.below(9) {
        let (at, region) = (rng.place(grid), rng.one_of(&[0, 1, 7, 255]));
        grid.set_region(at, region).unwrap();
    }
}

/// An open cell with probability `open`, otherwise any cell.
fn any_cell(rng: &mut SceneRng, open: f32, colored: bool) -> Cell {
    if rng.chance(open) {
        return Cell::OPEN;
    }
    let kinds = if colored { 9 } else { 5 };
    match rng.below(kinds) {
        0 | 1 => Cell::WALL,
        2 => Cell::BLACK_WALL,
        3 => Cell::smoke(rng.unit()),
        4 if rng.chance(0.3) => Cell::new(1e-3 * rng.unit(), 1.0),
        4 => Cell::new(rng.unit(), rng.unit()),
        5 => Cell::wall(rng.color()),
        6 => Cell::glass(rng.color()),
        7 => Cell::glass(rng.one_of(&[Vec3::X, Vec3::Y, Vec3::new(0.0, 0.7, 1.0)])),
        _ => Cell {
            transparency: rng.color(),
            albedo: rng.color(),
        },
    }
}

/// A lamp or a darkness, in a cell or between cells, sometimes outside of the grid.
fn any_source(rng: &mut SceneRng, grid: &LightGrid) -> Source {
    let size = grid.size().as_vec2();
    let at = Vec2::new(rng.unit(), rng.unit()) * (size + 4.0) - 2.5;
    let at = match rng.below(4) {
        0 | 1 => at.round(),
        2 => (at * 8.0).round() / 8.0,
        _ => at,
    };
    Source::at(at, any_light(rng))
}

fn any_light(rng: &mut SceneRng) -> Vec3 {
    match rng.below(6) {
        0 | 1 => Vec3::ONE,
        2 => rng.color(),
        3 => rng.color() * 8.0,
        4 => -0.3 * rng.color(),
        _ => rng.one_of(&[Vec3::splat(-64.0), Vec3::X, Vec3::new(1.0, 0.2, -0.1)]),
    }
}
