//! Light of a worker against a grid that does everything at once, bit for bit.

use crate::common::{
    SceneRng, apart, bits, lamp, lights,
    report::{Case, assert_same_light},
    rest::assert_settles,
    scenes::{any_change, any_grid},
    unlit_copy,
};
use glam::UVec2;
use lanternfell_lightgrid::{
    Cell, IVec2, LightGrid, LightSettings, LightWorker, Neighborhood, Source, Vec3,
};

/// Makes the same random changes to several equal grids, like a game between two turns.
fn change_all(rng: &mut SceneRng, grids: &mut [&mut LightGrid]) {
    let seed = rng.bits();
    let kind = rng.below(11);
    for grid in grids {
        let mut rng = rng.with_seed(seed);
        match kind {
            0 => grid.darken(),
            1 => grid.set_tile_size(4 + rng.below(40)),
            2 => {
                let cells = grid.cells().iter().rev().copied().collect();
                grid.set_cells(cells).unwrap();
            }
            3 => {
                let direct = rng.one_of(&[0.0, 0.4, 1.0]);
                let settings = LightSettings {
                    direct,
                    ..*grid.settings()
                };
                grid.set_settings(settings).unwrap();
            }
            _ => any_change(&mut rng, grid),
        }
    }
}

/// A grid that does everything at once, a shown grid, and its worker.
struct Both {
    exact: LightGrid,
    shown: LightGrid,
    worker: LightWorker,
    /// The tolerance for differences in light. It is 0 for steps. Settled light may differ, because
    /// other cells may be examined after a change was reverted.
    off: f32,
}

impl Both {
    fn any(rng: &mut SceneRng) -> Self {
        let mut exact = any_grid(rng);
        exact.step(rng.below(5));
        let mut shown = exact.clone();
        let worker = LightWorker::new(&mut shown);
        let off = 0.0;
        Self {
            exact,
            shown,
            worker,
            off,
        }
    }

    fn change(&mut self, rng: &mut SceneRng) {
        change_all(rng, &mut [&mut self.exact, &mut self.shown]);
    }

    /// Performs steps or settles, on both the exact grid and the worker.
    fn work(&mut self, rng: &mut SceneRng, settles: bool) {
        self.worker.follow(&mut self.shown);
        if settles && rng.chance(0.5) {
            let settled = [self.exact.settle(1e-4), self.worker.settle(1e-4)];
            self.off = self.off.max(settled[0].error + settled[1].error);
        } else {
            let steps = rng.below(12);
            self.exact.step(steps);
            self.worker.step(steps);
        }
        self.worker.finish();
    }

    /// Publishes, sometimes with changes in the meantime, and compares.
    fn show(&mut self, rng: &mut SceneRng) {
        let at_work = self.exact.clone();
        let meanwhile = rng.chance(0.4);
        if meanwhile {
            self.change(rng);
        }
        let before = bits(&self.shown);
        let given = self.worker.publish(&mut self.shown);
        let lit = bits(&self.shown);
        assert!(given || before == lit, "reported no new light");
        if lit.iter().flatten().any(|&light| light != 0) || !meanwhile {
            self.assert_near(&at_work);
        }
        assert_eq!(self.shown.cells(), self.exact.cells());
        assert_eq!(self.shown.sources(), self.exact.sources());
        if given && !meanwhile {
            let tiles: Vec<_> = self.worker.grid().tiles().collect();
            assert_eq!(self.shown.tiles().collect::<Vec<_>>(), tiles);
        }
    }

    fn assert_near(&self, grid: &LightGrid) {
        if self.off == 0.0 {
            assert_same_light(&self.shown, grid, "only steps");
        }
        let apart = apart(&lights(&self.shown), &lights(grid));
        assert!(apart <= self.off, "{apart} of {}", self.off);
    }

    /// Checks that the shown grid works like any other grid.
    fn go_on_alone(&mut self, rng: &mut SceneRng) {
        for _ in 0..3 {
            self.change(rng);
            let steps = rng.below(12);
            self.exact.step(steps);
            self.shown.step(steps);
            let exact = self.exact.clone();
            self.assert_near(&exact);
        }
        let settled = [self.exact.settle(1e-4), self.shown.settle(1e-4)];
        let apart = apart(&lights(&self.shown), &lights(&self.exact));
        assert!(apart <= settled[0].error + settled[1].error, "{apart}");
    }
}

fn drained(grid: &mut LightGrid) -> Vec<(UVec2, UVec2)> {
    let mut all = Vec::new();
    grid.drain_changes(|_, first, size| all.push((first, size)));
    all
}

/// Repeats random changes, work, and changes in the meantime.
fn work_on_any_grid(rng: &mut SceneRng) {
    for n in 0..200 {
        let mut both = Both::any(rng);
        let _case = Case::new(format_args!("grid {n}, {:?}", both.exact.settings()));
        let settles = rng.chance(0.5);
        let mut picture = lights(&both.shown);
        for round in 0..12 {
            let _case = Case::new(format_args!("round {round}"));
            for _ in 0..rng.below(3) {
                both.change(rng);
            }
            both.work(rng, settles);
            both.show(rng);
            if rng.chance(0.5) {
                draw(&mut picture, &mut both.shown);
                assert!(picture == lights(&both.shown), "some changes are not drawn");
            }
        }
        both.go_on_alone(rng);
    }
}

/// Draws only what has changed.
fn draw(picture: &mut [Vec3], shown: &mut LightGrid) {
    let width = shown.width();
    shown.drain_changes(|grid, first, size| {
        for y in first.y..first.y + size.y {
            for x in first.x..first.x + size.x {
                picture[(y * width + x) as usize] = grid.light(UVec2::new(x, y).as_ivec2());
            }
        }
    });
}

#[test]
fn worker_light_equals_direct_light() {
    work_on_any_grid(&mut SceneRng::on_squares(1));
}

#[test]
fn worker_light_equals_direct_light_on_hexagons() {
    work_on_any_grid(&mut SceneRng::on_hexagons(2));
}

fn lit() -> LightGrid {
    let mut grid = LightGrid::new(90, 70, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(20, 20)]).unwrap();
    grid.settle(1e-4);
    grid
}

#[test]
fn light_appears_only_on_publish() {
    let mut shown = lit();
    let before = bits(&shown);
    let mut worker = LightWorker::new(&mut shown);
    shown.set_sources(&[lamp(60, 50)]).unwrap();
    worker.follow(&mut shown);
    worker.settle(1e-4);
    assert_eq!(bits(&shown), before);
    assert!(!worker.publish(&mut shown), "not finished");
    worker.finish();
    assert_eq!(bits(&shown), before);
    assert!(worker.publish(&mut shown));
    assert_ne!(bits(&shown), before);
    assert_eq!(bits(&shown), bits(worker.grid()));
    assert!(!worker.publish(&mut shown), "already published");
}

#[test]
fn publish_returns_false_at_rest() {
    let mut shown = lit();
    let mut worker = LightWorker::new(&mut shown);
    for _ in 0..3 {
        worker.follow(&mut shown);
        assert_eq!(worker.settle(1e-4).sweeps, 0);
        worker.finish();
        assert!(!worker.publish(&mut shown));
    }
    assert!(!drained(&mut shown).is_empty(), "not drawn yet");
    assert!(drained(&mut shown).is_empty());
}

#[test]
fn follow_copies_unknown_grid() {
    let mut first = lit();
    let mut worker = LightWorker::new(&mut first);
    first.set_cell(IVec2::new(25, 20), Cell::WALL).unwrap();
    let hexagons = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..LightSettings::default()
    };
    let others = [
        LightGrid::new(90, 70, LightSettings::default()).unwrap(),
        LightGrid::gray(90, 70, LightSettings::default()).unwrap(),
        LightGrid::new(30, 20, hexagons).unwrap(),
        first.clone(),
    ];
    for (n, mut other) in others.into_iter().enumerate() {
        let _case = Case::new(n);
        other.set_sources(&[lamp(3, 4)]).unwrap();
        let before = bits(&other);
        worker.settle(1e-4);
        worker.finish();
        if n < 3 {
            assert!(!worker.publish(&mut other), "light of another grid");
            assert_eq!(bits(&other), before);
        }
        worker.follow(&mut other);
        worker.settle(1e-4);
        worker.finish();
        worker.publish(&mut other);
        let mut exact = other.clone();
        exact.settle(1e-4);
        assert_same_light(&other, &exact, "the other grid");
        assert_ne!(bits(&other), before);
    }
}

#[test]
fn two_workers_can_alternate() {
    let mut shown = lit();
    let mut workers = [LightWorker::new(&mut shown), LightWorker::new(&mut shown)];
    let mut rng = SceneRng::on_squares(5);
    for turn in 0..20 {
        let _case = Case::new(turn);
        let at = rng.place(&shown);
        shown.set_cell(at, Cell::WALL).unwrap();
        shown.set_sources(&[lamp(turn, turn)]).unwrap();
        shown
            .set_ambient(0, Vec3::splat(0.001 * turn as f32))
            .unwrap();
        let worker = &mut workers[turn as usize % 2];
        worker.follow(&mut shown);
        worker.settle(1e-4);
        worker.finish();
        worker.publish(&mut shown);
        let mut exact = unlit_copy(&shown);
        let settled = exact.settle(1e-4);
        let apart = apart(&lights(&shown), &lights(&exact));
        assert!(apart <= 2.0 * settled.error, "{apart}");
    }
}

#[test]
fn settling_after_publish_knows_lamps() {
    let [before, after] = [lamp(12, 10), lamp(30, 20)];
    let mut shown = LightGrid::new(60, 40, LightSettings::default()).unwrap();
    shown.set_sources(&[before]).unwrap();
    shown.settle(1e-4);
    let mut worker = LightWorker::new(&mut shown);
    shown.set_sources(&[after]).unwrap();
    worker.follow(&mut shown);
    worker.settle(1e-4);
    worker.finish();
    assert!(worker.publish(&mut shown));
    for near in [before, after] {
        // Close to the lamp, but not so close that its cell is examined again.
        let at = near.cell() + IVec2::new(2, 0);
        shown.set_cell(at, Cell::WALL).unwrap();
    }
    shown.settle(1e-4);
    let mut exact = unlit_copy(&shown);
    let settled = exact.settle(1e-4);
    let apart = apart(&lights(&shown), &lights(&exact));
    assert!(apart <= 2.0 * settled.error, "{apart}");
}

/// A lamp of this color, and a grid with a worker that has finished its light.
fn finished(light: Vec3) -> (LightGrid, LightWorker) {
    let mut shown = LightGrid::new(90, 70, LightSettings::default()).unwrap();
    shown
        .set_sources(&[Source::new(IVec2::new(9, 15), light)])
        .unwrap();
    let mut worker = LightWorker::new(&mut shown);
    worker.settle(1e-3);
    worker.finish();
    (shown, worker)
}

/// Lamps and ambient light that were set and settled while a worker was busy remain.
#[test]
fn publish_keeps_sources_settled_meanwhile() {
    for (lamp, ambient, region) in [(60, 0.0, 0), (9, 0.3, 0), (9, 0.3, 1), (60, 0.3, 0)] {
        let (mut shown, mut worker) = finished(Vec3::ONE);
        shown
            .set_sources(&[Source::new(IVec2::new(lamp, 15), Vec3::ONE)])
            .unwrap();
        shown.set_region(IVec2::new(70, 50), region).unwrap();
        shown.set_ambient(region, Vec3::splat(ambient)).unwrap();
        shown.settle(1e-3);
        assert!(worker.publish(&mut shown));
        let what = format!("lamp at {lamp}, ambient light {ambient} in {region}");
        assert_settles(&mut shown, 1e-3, &what);
    }
}

/// The worker publishes what was finished, regardless of what it has begun since.
#[test]
fn publish_ignores_unfinished_work() {
    for darkens in [true, false] {
        for settles in [true, false] {
            let (mut shown, mut worker) = finished(Vec3::new(1.0, 0.8, 0.6));
            let other = Source::new(IVec2::new(60, 40), Vec3::new(1.0, 0.3, 0.9));
            shown.set_sources(&[other]).unwrap();
            if darkens {
                shown.darken();
            }
            worker.follow(&mut shown);
            if settles {
                worker.settle(1e-3);
            }
            assert!(worker.publish(&mut shown));
            assert_settles(&mut shown, 1e-3, &format!("{darkens}, {settles}"));
        }
    }
}

/// Light that the shown grid has computed by itself does not return when planes are swapped.
#[test]
fn own_light_of_shown_grid_does_not_return() {
    let (mut shown, mut worker) = finished(Vec3::ONE);
    worker.publish(&mut shown);
    let lamps = shown.sources().to_vec();
    let far = Source::new(IVec2::new(80, 60), Vec3::Z);
    shown.set_sources(&[lamps[0], far]).unwrap();
    shown.settle(1e-3);
    shown.set_sources(&lamps).unwrap();
    let mut picture = lights(&shown);
    drained(&mut shown);
    for y in [15, 16, 17] {
        shown.set_cell(IVec2::new(11, y), Cell::WALL).unwrap();
        worker.follow(&mut shown);
        worker.settle(1e-3);
        worker.finish();
        assert!(worker.publish(&mut shown));
        draw(&mut picture, &mut shown);
        assert_eq!(picture, lights(&shown), "drawn and current");
        let far = shown.light(far.at.as_ivec2());
        assert!(
            far.max_element() < 1e-3,
            "wall at {y}: {far} without a lamp"
        );
    }
}
