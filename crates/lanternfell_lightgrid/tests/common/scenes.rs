//! Random scenes, with everything in them that a grid can hold.

use lanternfell_lightgrid::{
    Cell, Falloff, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3,
};

use super::Draws;

/// A grid of any size up to 70 x 50, over the borders of tiles.
pub fn any_grid(draws: &mut Draws) -> LightGrid {
    let most = draws.one_of(&[1, 2, 6, 20, 50]);
    let width = 1 + draws.below(most + 20 * u32::from(most == 50));
    let height = 1 + draws.below(most);
    let settings = any_settings(draws);
    any_grid_of(draws, width, height, settings)
}

/// A grid of this size, of random cells with random lights.
pub fn any_grid_of(
    draws: &mut Draws,
    width: u32,
    height: u32,
    settings: LightSettings,
) -> LightGrid {
    let mut grid = if draws.chance(0.2) {
        LightGrid::gray(width, height, settings).unwrap()
    } else {
        LightGrid::new(width, height, settings).unwrap()
    };
    let open = draws.one_of(&[0.3, 0.7, 0.9, 1.0]);
    let colored = draws.chance(0.6);
    grid.fill(|_| any_cell(draws, open, colored)).unwrap();
    let sources: Vec<Source> = (0..draws.below(6))
        .map(|_| any_source(draws, &grid))
        .collect();
    grid.set_sources(&sources).unwrap();
    if draws.chance(0.3) {
        any_ambient(draws, &mut grid);
    }
    grid
}

pub fn any_settings(draws: &mut Draws) -> LightSettings {
    LightSettings {
        neighborhood: draws.one_of(&Neighborhood::ALL),
        falloff: match draws.below(3) {
            0 => Falloff::Radius(1.0 + 20.0 * draws.unit()),
            1 => Falloff::Decay(0.002 + 0.5 * draws.unit()),
            _ => Falloff::Decay(draws.one_of(&[0.0, 0.002, 0.02, 1.0])),
        },
        direct: 0.0,
    }
}

/// Changes something about the grid, or a few things: what a game does between two turns.
pub fn any_change(draws: &mut Draws, grid: &mut LightGrid) {
    for _ in 0..=draws.below(3) {
        match draws.below(8) {
            0 | 1 => {
                let (at, cell) = (draws.place(grid), any_cell(draws, 0.5, true));
                grid.set_cell(at, cell).unwrap();
            }
            2..=4 => {
                let mut sources = grid.sources().to_vec();
                let which = draws.below(4) as usize;
                match sources.get_mut(which) {
                    Some(source) if draws.chance(0.6) => {
                        source.at += Vec2::new(draws.unit(), draws.unit()) * 2.0 - 1.0;
                    }
                    Some(source) => source.light = any_light(draws),
                    None => sources.push(any_source(draws, grid)),
                }
                grid.set_sources(&sources).unwrap();
            }
            5 => {
                let gone = draws.below(grid.sources().len() as u32 + 1) as usize;
                let kept = grid.sources()[gone..].to_vec();
                grid.set_sources(&kept).unwrap();
            }
            6 => any_ambient(draws, grid),
            _ => grid.set_settings(any_settings(draws)).unwrap(),
        }
    }
}

fn any_ambient(draws: &mut Draws, grid: &mut LightGrid) {
    let region = draws.one_of(&[0, 1, 7, 255]);
    let light = draws.one_of(&[Vec3::ZERO, Vec3::splat(0.1), Vec3::new(0.3, 0.2, 0.0)]);
    grid.set_ambient(region, light).unwrap();
    for _ in 0..draws.below(9) {
        let (at, region) = (draws.place(grid), draws.one_of(&[0, 1, 7, 255]));
        grid.set_region(at, region).unwrap();
    }
}

/// A cell that is open ground with the chance `open`, else anything.
fn any_cell(draws: &mut Draws, open: f32, colored: bool) -> Cell {
    if draws.chance(open) {
        return Cell::OPEN;
    }
    let kinds = if colored { 9 } else { 5 };
    match draws.below(kinds) {
        0 | 1 => Cell::WALL,
        2 => Cell::BLACK_WALL,
        3 => Cell::smoke(draws.unit()),
        4 if draws.chance(0.3) => Cell::new(1e-3 * draws.unit(), 1.0),
        4 => Cell::new(draws.unit(), draws.unit()),
        5 => Cell::wall(draws.color()),
        6 => Cell::glass(draws.color()),
        7 => Cell::glass(draws.one_of(&[Vec3::X, Vec3::Y, Vec3::new(0.0, 0.7, 1.0)])),
        _ => Cell {
            transparency: draws.color(),
            albedo: draws.color(),
        },
    }
}

/// A lamp or a darkness, in a cell or between cells, here and there outside of the grid.
fn any_source(draws: &mut Draws, grid: &LightGrid) -> Source {
    let size = grid.size().as_vec2();
    let at = Vec2::new(draws.unit(), draws.unit()) * (size + 4.0) - 2.5;
    let at = match draws.below(4) {
        0 | 1 => at.round(),
        2 => (at * 8.0).round() / 8.0,
        _ => at,
    };
    Source::at(at, any_light(draws))
}

fn any_light(draws: &mut Draws) -> Vec3 {
    match draws.below(6) {
        0 | 1 => Vec3::ONE,
        2 => draws.color(),
        3 => draws.color() * 8.0,
        4 => -0.3 * draws.color(),
        _ => draws.one_of(&[Vec3::splat(-64.0), Vec3::X, Vec3::new(1.0, 0.2, -0.1)]),
    }
}
