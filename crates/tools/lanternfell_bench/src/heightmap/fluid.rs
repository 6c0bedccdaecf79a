//! The viscous fluid: our generator and the stencil, for ten to a million passes.

use std::io;

use lanternfell_heightmap::{Fluid, Generator};

use super::{
    direct,
    entries::{add_ours, made, second_thread},
    size::{SEED, budget_side, sides, size, square},
    workers::Workers,
};
use crate::{
    bench::Bench,
    heights::Heights,
    race::{EntryId, Race},
    report::Budget,
};

/// The numbers of passes.
const PASSES: [u32; 5] = [10, 100, 1000, 10_000, 1_000_000];

/// The budgets relative to the stencil, one thread each: a number of passes, and the maximum ratio.
const BY_STENCIL: [(u32, f64); 2] = [(1000, 1.0 / 4.0), (10_000, 1.0 / 30.0)];

/// The budget of a million passes, relative to a thousand.
const BY_FEWER: f64 = 1.3;

/// The maximum number of cell updates of the stencil: up to half a minute.
const MOST_UPDATES: u64 = 20_000_000_000;
/// The same for quick runs.
const FEW_UPDATES: u64 = 500_000_000;

/// The maximum difference between the stencil's map and ours. The stencil rounds to `f32` in every
/// pass.
const TOLERANCE: f64 = 1e-5;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Viscous fluid")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

/// The entries for one number of passes.
struct Contestants {
    passes: u32,
    ours: Vec<EntryId>,
    stencil: Option<EntryId>,
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let ground = Heights::bare(side);
    let mut race = Race::new(format!("Viscous fluid, {}", square(side)), &ground);
    let most = if bench.plan.quick {
        FEW_UPDATES
    } else {
        MOST_UPDATES
    };
    let all = PASSES.map(|passes| {
        let updates = u64::from(passes) * (side * side) as u64;
        contest(&mut race, pools, side, passes, updates <= most)
    });
    bench.run(&mut race)?;
    for Contestants { passes, ours, .. } in &all {
        let what = format!("fluid, {passes} passes, {}", square(side));
        second_thread(bench, &what, &race, ours);
    }
    if side == budget_side(&bench.plan) {
        judge(bench, &race, &all, side);
    }
    Ok(())
}

fn contest<'a>(
    race: &mut Race<'a>,
    pools: &'a [Workers],
    side: usize,
    passes: u32,
    with_stencil: bool,
) -> Contestants {
    race.contest(format!("{passes} passes"));
    let fluid = Fluid {
        passes,
        ..Fluid::default()
    };
    let ours = add_ours(race, pools, &Generator::from(fluid.clone()), side);
    let stencil = with_stencil.then(|| {
        let make = move || direct::fluid(&fluid, &fluid.draw(size(side), SEED));
        let id = race.other_map("the stencil", made(make));
        race.same_to(id, TOLERANCE);
        id
    });
    Contestants {
        passes,
        ours,
        stencil,
    }
}

fn judge(bench: &mut Bench<'_>, race: &Race<'_>, all: &[Contestants], side: usize) {
    let find = |passes| all.iter().find(|one| one.passes == passes);
    let time = |passes| race.times(find(passes)?.ours[0]);
    let square = square(side);
    for (passes, limit) in BY_STENCIL {
        let stencil = find(passes).and_then(|one| race.times(one.stencil?));
        let what = format!("fluid, {passes} passes, {square}: relative to the stencil");
        let budget = Budget::share(what, limit, time(passes), stencil);
        bench.report.budget(budget);
    }
    let what = format!("fluid, {square}: 1000000 passes relative to 1000");
    let budget = Budget::times(what, BY_FEWER, time(1_000_000), time(1000));
    bench.report.budget(budget);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heightmap::size::generate, heights::Shape};

    #[test]
    fn stencil_matches_our_map() {
        for passes in [1, 10, 400] {
            let fluid = Fluid {
                passes,
                ..Fluid::default()
            };
            let ours = generate(&fluid.clone().into(), 97).into_heights();
            let theirs = direct::fluid(&fluid, &fluid.draw(size(97), SEED));
            let shape = Shape::compared_with(&theirs, &ours, TOLERANCE);
            assert!(
                shape.off.is_some_and(|(off, most)| off <= most),
                "{passes} passes: {shape}"
            );
        }
    }
}
