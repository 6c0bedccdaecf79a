//! Tiles, which of them are awake, and which have changed.

use crate::common::{
    SceneRng, lamp, lights,
    report::Case,
    scenes::{any_change, any_grid, any_grid_of},
};
use glam::UVec2;
use lanternfell_lightgrid::{Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood};

fn reaching(radius: f32) -> LightSettings {
    LightSettings {
        falloff: Falloff::Radius(radius),
        ..LightSettings::default()
    }
}

#[test]
fn tiles_cover_the_grid() {
    let mut rng = SceneRng::new(3);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        let side = rng.below(80);
        let _case = Case::new(format_args!("grid {n}, tiles of {side}"));
        grid.set_tile_size(side);
        let mut covered = vec![0; grid.cells().len()];
        for tile in grid.tiles() {
            assert!(tile.size.cmple(UVec2::splat(side.max(4))).all());
            for y in tile.first.y..tile.first.y + tile.size.y {
                for x in tile.first.x..tile.first.x + tile.size.x {
                    covered[(y * grid.width() + x) as usize] += 1;
                }
            }
        }
        assert!(covered.iter().all(|&times| times == 1));
    }
    let mut grid = LightGrid::new(70, 33, LightSettings::default()).unwrap();
    assert_eq!(grid.tiles().count(), 6);
    grid.set_tile_size(0);
    assert_eq!(grid.tiles().count(), 18 * 9);
    grid.set_tile_size(u32::MAX);
    assert_eq!(grid.tiles().count(), 1);
}

#[test]
fn resting_tiles_wake_only_near_changes() {
    let mut rng = SceneRng::new(4);
    for neighborhood in Neighborhood::ALL {
        let settings = LightSettings {
            neighborhood,
            ..reaching(5.0)
        };
        let mut grid = any_grid_of(&mut rng, 130, 70, settings);
        grid.set_sources(&[lamp(5, 5)]).unwrap();
        grid.set_cell(IVec2::new(120, 60), Cell::OPEN).unwrap();
        for tile_size in [5, 32] {
            let _case = Case::new(format_args!("{neighborhood:?}, tiles of {tile_size}"));
            grid.set_tile_size(tile_size);
            grid.settle(1e-3);
            grid.step(2000);
            assert!(!grid.tiles().any(|tile| tile.awake));
            assert_eq!(grid.residual(), 0.0);
            grid.set_cell(IVec2::new(120, 60), Cell::WALL).unwrap();
            assert!(grid.tiles().any(|tile| tile.awake));
            assert!(grid.tiles().all(|tile| !tile.awake || tile.first.x > 50));
            grid.step(1);
            grid.set_cell(IVec2::new(120, 60), Cell::OPEN).unwrap();
        }
    }
}

#[test]
fn residual_is_largest_change_of_last_step() {
    let mut rng = SceneRng::new(5);
    for n in 0..30 {
        let mut grid = any_grid(&mut rng);
        for step in 0..10 {
            let _case = Case::new(format_args!("grid {n}, step {step}"));
            let before = lights(&grid);
            grid.step(1);
            let apart = crate::common::apart(&before, &lights(&grid));
            assert_eq!(grid.residual(), apart);
            let tiles = grid.tiles().map(|tile| tile.change);
            assert_eq!(tiles.fold(0.0, f32::max), apart);
        }
    }
}

/// The tiles that have changed, as a mask of cells.
fn drained(grid: &mut LightGrid) -> Vec<bool> {
    let mut changed = vec![false; grid.cells().len()];
    grid.drain_changes(|grid, first, size| {
        for y in first.y..first.y + size.y {
            for x in first.x..first.x + size.x {
                changed[(y * grid.width() + x) as usize] = true;
            }
        }
    });
    changed
}

#[test]
fn drain_changes_reports_all_changes() {
    let mut rng = SceneRng::new(6);
    for n in 0..60 {
        let _case = Case::new(format_args!("grid {n}"));
        let mut grid = any_grid(&mut rng);
        grid.set_tile_size(rng.one_of(&[4, 8, 32]));
        assert!(drained(&mut grid).iter().all(|&changed| changed));
        assert!(!drained(&mut grid).contains(&true));
        for round in 0..8 {
            let before = lights(&grid);
            any_change(&mut rng, &mut grid);
            match rng.below(6) {
                0 => grid.darken(),
                1 | 2 => {
                    grid.settle(1e-3);
                }
                _ => grid.step(rng.below(20)),
            }
            let changed = drained(&mut grid);
            let pairs = before.iter().zip(lights(&grid));
            for ((before, after), changed) in pairs.zip(changed) {
                let reported = *before == after || changed;
                assert!(reported, "round {round}: {after} was {before}");
            }
        }
    }
}

#[test]
fn resting_grid_reports_no_changes() {
    let mut grid = LightGrid::new(40, 40, reaching(6.0)).unwrap();
    grid.set_sources(&[lamp(2, 2)]).unwrap();
    grid.step(1000);
    drained(&mut grid);
    grid.step(100);
    // Not so accurate that light below the cutoff of the automaton matters.
    grid.settle(1e-3);
    assert!(!drained(&mut grid).contains(&true));
}

#[test]
fn partial_draining_reaches_every_tile() {
    let mut grid = LightGrid::new(96, 64, reaching(40.0)).unwrap();
    grid.set_tile_size(16);
    grid.set_sources(&[lamp(40, 30)]).unwrap();
    let tiles = grid.tiles().count();
    let mut drawn = std::collections::HashMap::new();
    for turn in 0..tiles {
        // All tiles change every time.
        grid.darken();
        let mut enough = 0;
        grid.drain_changes_while(|_, first, _| {
            *drawn.entry(first).or_insert(0) += 1;
            enough += 1;
            enough < 3
        });
        assert_eq!(enough, 3, "turn {turn}");
    }
    assert_eq!(drawn.len(), tiles);
    assert!(drawn.values().all(|&times| times == 3), "{drawn:?}");

    // When nothing changes any more, each remaining tile is reported once.
    let mut left = vec![0; 2];
    for left in &mut left {
        grid.drain_changes(|_, _, _| *left += 1);
    }
    assert_eq!(left, [tiles - 3, 0]);
}
