//! The measured ways to update light, as closures for a race.
//!
//! Each closure works on its own copy of the grid, so that entries do not affect each other. Copying is never measured.

use std::hint::black_box;

use lanternfell_lightgrid::LightGrid;

use super::{
    plain::PlainLight,
    scene::{Event, Scene},
};
use crate::stopwatch::Stopwatch;

/// The tolerance of settled light. Screens cannot show smaller differences.
pub const TOLERANCE: f32 = 1e-3;

/// The maximum number of steps, for light that does not converge.
const MOST_STEPS: u32 = 20_000;

/// The number of changes before the light starts again from its initial state.
const CHANGES: usize = 8;

/// The number of steps of a moving lamp before the measurement. After them, the light behind it fades at the rate at
/// which new light arrives.
const RUN_UP: usize = 300;

/// The settled light.
pub fn settled(mut grid: LightGrid) -> LightGrid {
    grid.settle(TOLERANCE);
    grid
}

/// Light that no step changes anymore, to the last bit, or nearly if it does not converge completely.
pub fn resting(mut grid: LightGrid) -> LightGrid {
    grid.settle(TOLERANCE);
    for _ in 0..MOST_STEPS / 32 {
        grid.step(32);
        if !grid.tiles().any(|tile| tile.awake) {
            break;
        }
    }
    grid
}

/// Takes steps until the light is as close to its limit as that of [`settled`]. Returns the number of steps.
fn step_to_the_end(grid: &mut LightGrid) -> u32 {
    let enough = TOLERANCE * grid.decay();
    let mut steps = 0;
    while steps < MOST_STEPS {
        grid.step(1);
        steps += 1;
        if grid.residual() <= enough {
            break;
        }
    }
    steps
}

/// The number of steps that this takes from darkness.
pub fn steps_from_darkness(grid: &LightGrid) -> u32 {
    let mut grid = grid.clone();
    grid.darken();
    step_to_the_end(&mut grid)
}

/// The number of steps that this takes after each of several changes.
pub fn steps_after(scene: &Scene<'_>, resting: &LightGrid, event: Event) -> Vec<u32> {
    let mut grid = resting.clone();
    let after = |n| {
        scene.change(event, n).apply(&mut grid);
        step_to_the_end(&mut grid)
    };
    (1..=CHANGES).map(after).collect()
}

/// A step that visits all tiles, `at_once` steps per call. The lamps have just been removed, so light fades everywhere.
pub fn full_pass(settled: &LightGrid, at_once: u32) -> impl FnMut(&mut Stopwatch) + use<> {
    let fading = fading(settled);
    move |watch| {
        let mut grid = fading.clone();
        while watch.goes_on() {
            if !all_awake(&grid) {
                grid.clone_from(&fading);
            }
            watch.time_many(at_once, || grid.step(at_once));
        }
    }
}

fn fading(settled: &LightGrid) -> LightGrid {
    let mut fading = settled.clone();
    fading
        .set_sources(&[])
        .expect("an empty list of lights is valid");
    fading.step(1);
    fading
}

fn all_awake(grid: &LightGrid) -> bool {
    grid.tiles().all(|tile| tile.awake)
}

/// The same with the plain automaton.
pub fn plain_pass<const COLORS: usize>(
    grid: &LightGrid,
) -> impl FnMut(&mut Stopwatch) + use<COLORS> {
    let mut plain = PlainLight::<COLORS>::new(grid);
    for _ in 0..8 {
        plain.step();
    }
    move |watch| {
        while watch.goes_on() {
            watch.time(|| plain.step());
        }
    }
}

/// A call that changes nothing.
pub fn unchanged<'a>(
    grid: &'a LightGrid,
    work: impl Fn(&mut LightGrid) + 'a,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        let mut grid = grid.clone();
        while watch.goes_on() {
            watch.time_many(100, || {
                for _ in 0..100 {
                    work(black_box(&mut grid));
                }
            });
        }
    }
}

/// From darkness, with the function `bring`.
pub fn from_darkness<'a>(
    grid: &'a LightGrid,
    bring: impl Fn(&mut LightGrid) + 'a,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        let mut grid = grid.clone();
        while watch.goes_on() {
            grid.darken();
            watch.time(|| bring(&mut grid));
        }
    }
}

/// From darkness, step by step, with the plain automaton.
pub fn plain_from_darkness<'a, const COLORS: usize>(
    grid: &'a LightGrid,
    steps: u32,
) -> impl FnMut(&mut Stopwatch) + use<'a, COLORS> {
    move |watch| {
        while watch.goes_on() {
            let mut plain = PlainLight::<COLORS>::new(grid);
            watch.time(|| (0..steps).for_each(|_| plain.step()));
        }
    }
}

/// A change, and settling the light after it.
pub fn settle_after<'a>(
    scene: &'a Scene<'_>,
    settled: &'a LightGrid,
    event: Event,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        let mut grid = settled.clone();
        let mut n = 0;
        while watch.goes_on() {
            n += 1;
            let change = scene.change(event, n);
            watch.time(|| {
                change.apply(&mut grid);
                grid.settle(TOLERANCE)
            });
        }
    }
}

/// A change, and as many steps as the light needs after it.
pub fn step_after<'a>(
    scene: &'a Scene<'_>,
    resting: &'a LightGrid,
    event: Event,
    steps: Vec<u32>,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        let mut grid = resting.clone();
        let mut done = 0;
        while watch.goes_on() {
            if done == steps.len() {
                grid.clone_from(resting);
                done = 0;
            }
            let change = scene.change(event, done + 1);
            watch.time(|| {
                change.apply(&mut grid);
                grid.step(steps[done]);
            });
            done += 1;
        }
    }
}

/// Moves the first lamp by one cell and takes one step, like a frame of a game.
pub fn carry<'a>(scene: &'a Scene<'_>, resting: &'a LightGrid) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        let mut grid = resting.clone();
        for n in 1..=RUN_UP {
            scene.change(Event::LampMoved, n).apply(&mut grid);
            grid.step(1);
        }
        let mut n = RUN_UP;
        while watch.goes_on() {
            n += 1;
            let change = scene.change(Event::LampMoved, n);
            watch.time(|| {
                change.apply(&mut grid);
                grid.step(1);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_lightgrid::IVec2;

    use super::*;
    use crate::{
        light::scene::Colors,
        map::{Kind, Map},
    };

    fn greatest_difference(a: &LightGrid, b: &LightGrid) -> f32 {
        let (width, height) = (a.width() as i32, a.height() as i32);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| IVec2::new(x, y)));
        let differences = cells.map(|cell| (a.light(cell) - b.light(cell)).abs().max_element());
        differences.fold(0.0, f32::max)
    }

    /// Otherwise the times would be for different results.
    #[test]
    fn settling_and_stepping_agree() {
        for kind in Kind::ALL {
            let map = Map::new(kind, 64);
            let scene = Scene::new(&map, 4);
            let settled = settled(scene.grid(Colors::Rgb));
            let mut stepped = settled.clone();
            stepped.darken();
            stepped.step(steps_from_darkness(&settled));
            let off = greatest_difference(&settled, &stepped);
            assert!(off <= 2.0 * TOLERANCE, "{}: {off}", map.name());
            let resting = resting(scene.grid(Colors::Rgb));
            for event in [Event::LampMoved, Event::WallChanged] {
                let (mut settled, mut stepped) = (settled.clone(), resting.clone());
                for (n, steps) in steps_after(&scene, &resting, event).into_iter().enumerate() {
                    let case = format!("{event:?} {n}, {}", map.name());
                    assert!(steps < MOST_STEPS, "{case}: {steps} steps");
                    let change = scene.change(event, n + 1);
                    change.apply(&mut settled);
                    assert!(settled.settle(TOLERANCE).at_rest, "{case}");
                    change.apply(&mut stepped);
                    stepped.step(steps);
                    let off = greatest_difference(&settled, &stepped);
                    assert!(off <= 2.0 * TOLERANCE, "{case}: {off}");
                }
            }
        }
    }

    #[test]
    fn resting_light_has_no_awake_tiles() {
        let map = Map::new(Kind::Rooms, 64);
        let resting = resting(Scene::new(&map, 4).grid(Colors::Gray));
        assert!(!resting.tiles().any(|tile| tile.awake));
    }

    /// Otherwise a full pass would not be full.
    #[test]
    fn fading_light_keeps_all_tiles_awake() {
        for kind in Kind::ALL {
            for colors in Colors::ALL {
                let map = Map::new(kind, 256);
                let mut grid = fading(&settled(Scene::bright(&map).grid(colors)));
                for step in 0..60 {
                    let (map, colors) = (map.name(), colors.name());
                    assert!(all_awake(&grid), "{map}, {colors}, step {step}");
                    grid.step(1);
                }
            }
        }
    }

    #[test]
    fn every_way_measures_time() {
        let map = Map::new(Kind::Rooms, 32);
        let scene = Scene::new(&map, 2);
        let resting = resting(scene.grid(Colors::Rgb));
        let steps = steps_after(&scene, &resting, Event::WallChanged);
        let mut ways: Vec<Box<dyn FnMut(&mut Stopwatch) + '_>> = vec![
            Box::new(full_pass(&resting, 1)),
            Box::new(plain_pass::<3>(&resting)),
            Box::new(unchanged(&resting, |grid| grid.step(1))),
            Box::new(from_darkness(&resting, |grid| grid.step(9))),
            Box::new(plain_from_darkness::<3>(&resting, 9)),
            Box::new(settle_after(&scene, &resting, Event::LampMoved)),
            Box::new(step_after(&scene, &resting, Event::WallChanged, steps)),
            Box::new(carry(&scene, &resting)),
        ];
        for (number, way) in ways.iter_mut().enumerate() {
            let mut watch = Stopwatch::new(std::time::Duration::from_millis(1));
            way(&mut watch);
            let mean = watch.mean();
            assert!(
                mean.is_some_and(|mean| mean > 0.0),
                "way {number}: {mean:?}"
            );
        }
    }
}
