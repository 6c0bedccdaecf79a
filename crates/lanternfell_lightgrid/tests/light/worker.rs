//! Light that is worked out elsewhere: bit by bit that of a grid on which all is done at once.

use crate::common::{
    SceneRng, anew, apart, bits, lamp, lights,
    report::{Case, assert_same_light},
    rest::assert_settles,
    scenes::{any_change, any_grid},
};
use glam::UVec2;
use lanternfell_lightgrid::{
    Cell, IVec2, LightGrid, LightSettings, LightWorker, Neighborhood, Source, Vec3,
};

/// What a game does between two turns, to grids that are the same.
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

/// A grid on which all is done at once, another that is shown, and its worker.
struct Both {
    exact: LightGrid,
    shown: LightGrid,
    worker: LightWorker,
    /// How far their light may be apart. Steps have the same bits; settled light may be looked at in
    /// other places, after a change that was taken back.
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

    /// The light goes on.
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

    /// Hands over, maybe with changes meanwhile, and compares.
    fn show(&mut self, rng: &mut SceneRng) {
        let at_work = self.exact.clone();
        let meanwhile = rng.chance(0.4);
        if meanwhile {
            self.change(rng);
        }
        let before = bits(&self.shown);
        let given = self.worker.hand_over(&mut self.shown);
        let lit = bits(&self.shown);
        assert!(given || before == lit, "it says that nothing was new");
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
            assert_same_light(&self.shown, grid, "of steps alone");
        }
        let apart = apart(&lights(&self.shown), &lights(grid));
        assert!(apart <= self.off, "{apart} of {}", self.off);
    }

    /// The shown grid is one like any other.
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

/// Changes, work and changes meanwhile, over and over.
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
                assert!(
                    picture == lights(&both.shown),
                    "not all that is new is drawn"
                );
            }
        }
        both.go_on_alone(rng);
    }
}

/// Draws what is new, and nothing else.
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
fn the_light_is_that_of_a_grid_on_which_all_is_done_at_once() {
    work_on_any_grid(&mut SceneRng::on_squares(1));
}

#[test]
fn the_light_of_hexagons_is_too() {
    work_on_any_grid(&mut SceneRng::on_hexagons(2));
}

fn lit() -> LightGrid {
    let mut grid = LightGrid::new(90, 70, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(20, 20)]).unwrap();
    grid.settle(1e-4);
    grid
}

#[test]
fn nothing_is_shown_before_it_is_handed_over_and_then_all_of_it() {
    let mut shown = lit();
    let before = bits(&shown);
    let mut worker = LightWorker::new(&mut shown);
    shown.set_sources(&[lamp(60, 50)]).unwrap();
    worker.follow(&mut shown);
    worker.settle(1e-4);
    assert_eq!(bits(&shown), before);
    assert!(!worker.hand_over(&mut shown), "it is not finished");
    worker.finish();
    assert_eq!(bits(&shown), before);
    assert!(worker.hand_over(&mut shown));
    assert_ne!(bits(&shown), before);
    assert_eq!(bits(&shown), bits(worker.grid()));
    assert!(!worker.hand_over(&mut shown), "it was handed over");
}

#[test]
fn at_rest_there_is_nothing_to_hand_over() {
    let mut shown = lit();
    let mut worker = LightWorker::new(&mut shown);
    for _ in 0..3 {
        worker.follow(&mut shown);
        assert_eq!(worker.settle(1e-4).sweeps, 0);
        worker.finish();
        assert!(!worker.hand_over(&mut shown));
    }
    assert!(!drained(&mut shown).is_empty(), "nobody has drawn it");
    assert!(drained(&mut shown).is_empty());
}

#[test]
fn of_a_grid_that_it_has_not_followed_it_takes_over_everything() {
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
            assert!(
                !worker.hand_over(&mut other),
                "that is another grid's light"
            );
            assert_eq!(bits(&other), before);
        }
        worker.follow(&mut other);
        worker.settle(1e-4);
        worker.finish();
        worker.hand_over(&mut other);
        let mut exact = other.clone();
        exact.settle(1e-4);
        assert_same_light(&other, &exact, "of the other grid");
        assert_ne!(bits(&other), before);
    }
}

#[test]
fn two_workers_of_one_grid_are_right_by_turns() {
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
        worker.hand_over(&mut shown);
        let mut exact = anew(&shown);
        let settled = exact.settle(1e-4);
        let apart = apart(&lights(&shown), &lights(&exact));
        assert!(apart <= 2.0 * settled.error, "{apart}");
    }
}

#[test]
fn a_grid_that_is_settled_after_it_was_given_light_knows_its_lamps() {
    let [before, after] = [lamp(12, 10), lamp(30, 20)];
    let mut shown = LightGrid::new(60, 40, LightSettings::default()).unwrap();
    shown.set_sources(&[before]).unwrap();
    shown.settle(1e-4);
    let mut worker = LightWorker::new(&mut shown);
    shown.set_sources(&[after]).unwrap();
    worker.follow(&mut shown);
    worker.settle(1e-4);
    worker.finish();
    assert!(worker.hand_over(&mut shown));
    for near in [before, after] {
        // Near, but not so near that the lamp's cell is looked at anew.
        let at = near.cell() + IVec2::new(2, 0);
        shown.set_cell(at, Cell::WALL).unwrap();
    }
    shown.settle(1e-4);
    let mut exact = anew(&shown);
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

/// Lamps and ambient light that were set, and settled, while a worker was at it stay as they were set.
#[test]
fn what_was_settled_meanwhile_is_not_lost() {
    for (lamp, ambient, region) in [(60, 0.0, 0), (9, 0.3, 0), (9, 0.3, 1), (60, 0.3, 0)] {
        let (mut shown, mut worker) = finished(Vec3::ONE);
        shown
            .set_sources(&[Source::new(IVec2::new(lamp, 15), Vec3::ONE)])
            .unwrap();
        shown.set_region(IVec2::new(70, 50), region).unwrap();
        shown.set_ambient(region, Vec3::splat(ambient)).unwrap();
        shown.settle(1e-3);
        assert!(worker.hand_over(&mut shown));
        let what = format!("lamp at {lamp}, ambient light {ambient} in {region}");
        assert_settles(&mut shown, 1e-3, &what);
    }
}

/// What is handed over is what was finished, whatever the worker has begun since.
#[test]
fn light_that_was_finished_is_handed_over_as_what_it_is() {
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
            assert!(worker.hand_over(&mut shown));
            assert_settles(&mut shown, 1e-3, &format!("{darkens}, {settles}"));
        }
    }
}

/// What a grid has worked out by itself does not come back when planes are exchanged.
#[test]
fn no_light_comes_back_of_what_the_grid_did_by_itself() {
    let (mut shown, mut worker) = finished(Vec3::ONE);
    worker.hand_over(&mut shown);
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
        assert!(worker.hand_over(&mut shown));
        draw(&mut picture, &mut shown);
        assert_eq!(picture, lights(&shown), "drawn, and now");
        let far = shown.light(far.at.as_ivec2());
        assert!(far.max_element() < 1e-3, "wall at {y}: {far} of no lamp");
    }
}
