//! Operations on a whole map: normalization, smoothing and normals.

use std::{hint::black_box, io};

use glam::Vec3;
use lanternfell_heightmap::{
    Filter, FilterContext, FractalNoise, Generator, Heightmap, Progress, Scale, analysis::normals,
    filter::Smooth,
};
use lanternfell_surface::Surface;

use super::{
    direct,
    entries::{add_changes, changed, second_thread},
    size::{BUDGET_SIDE, fine, generate, sides, size, square},
    workers::Workers,
};
use crate::{bench::Bench, heights::Heights, peers::Peer, race::Race, stopwatch::Stopwatch};

/// The maximum difference between another normalization and ours. Most libraries divide in `f32`.
const TOLERANCE: f64 = 1e-6;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Filters")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    // The heights do not span 0 to 1, so normalization changes them.
    let map = generate(&Generator::from(FractalNoise::default()), side);
    let ground = Heights::of(map.heights().to_vec());
    let plain = ground.heights().to_vec();
    let mut race = Race::new(format!("Filters, {}", square(side)), &ground);

    race.contest("normalize");
    let by = |map: &mut Heightmap| map.normalize();
    let normalize = add_changes(&mut race, pools, &map, by);
    let stretch = changed(&plain, |map| direct::stretch(map), |map| map);
    let written_down = race.other_map("plain", stretch);
    race.same_to(written_down, TOLERANCE);
    race.peer("symbios-ground", Peer::RustCrates, "normalize".into());
    race.peer("tcod", Peer::TcodHeights, "normalize".into());
    race.peer(
        "three.terrain.js: Clamp",
        Peer::ThreeTerrain,
        "normalize".into(),
    );

    race.contest("mean of 3 x 3 cells");
    let smooth = add_changes(&mut race, pools, &map, smooth);
    let plain_smooth = changed(&plain, |map| direct::smooth(map), |map| map);
    race.other_map("plain", plain_smooth);
    race.peer("tcod: kernel transform", Peer::TcodHeights, "smooth".into());
    // It iterates over columns, which takes a minute on the largest map.
    if side <= BUDGET_SIDE {
        race.peer(
            "three.terrain.js: Smooth",
            Peer::ThreeTerrain,
            "smooth".into(),
        );
    }

    race.contest("normals of all cells");
    let add = |workers| {
        let who = format!("ours, {}", Workers::name(workers));
        race.ours(who, None, all_normals(workers, &map))
    };
    let all: Vec<_> = pools.iter().map(add).collect();
    race.ours("ours, cell by cell", None, normals_one_by_one(&map));
    race.peer("symbios-ground", Peer::RustCrates, "normals".into());

    bench.run(&mut race)?;
    for (name, ours) in [("normalize", normalize), ("mean", smooth), ("normals", all)] {
        second_thread(bench, &format!("{name}, {}", square(side)), &race, &ours);
    }
    Ok(())
}

/// The mean of 3 x 3 cells.
fn smooth(map: &mut Heightmap) {
    let context = FilterContext::new(map.size(), 0);
    fine(Filter::Smooth(Smooth::Box(1)).apply(map, &context, &Progress::default()));
}

fn all_normals(workers: &Workers, map: &Heightmap) -> impl FnMut(&mut Stopwatch) {
    let scale = Scale::of_size(map.size());
    move |watch| {
        while watch.goes_on() {
            let normals = || fine(normals(map, scale, &Progress::default()));
            watch.time(|| black_box(workers.run(normals)));
        }
    }
}

fn normals_one_by_one(map: &Heightmap) -> impl FnMut(&mut Stopwatch) {
    let size = size(map.width());
    let surface = Surface::new(map, Scale::of_size(size));
    move |watch| {
        while watch.goes_on() {
            watch.time(|| {
                let rows = 0..size.height();
                let cells = rows.flat_map(|y| (0..size.width()).map(move |x| (x, y)));
                let normals = cells.map(|(x, y)| surface.vertex_normal(x, y));
                black_box(normals.collect::<Vec<Vec3>>());
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heights::Shape;

    /// At the border our filter uses copies of the outermost cells, the others only the existing
    /// cells.
    #[test]
    fn plain_mean_matches_inside_the_border() {
        let side = 40;
        let mut ours = generate(&Generator::from(FractalNoise::default()), side);
        let mut theirs = ours.heights().to_vec();
        smooth(&mut ours);
        direct::smooth(&mut theirs);
        for y in 1..side - 1 {
            let (ours, theirs) = (ours.row(y), &theirs[y * side..][..side]);
            for x in 1..side - 1 {
                let (ours, theirs) = (ours[x], theirs[x]);
                assert!(
                    (ours - theirs).abs() < 1e-6,
                    "{x}, {y}: {ours}, not {theirs}"
                );
            }
        }
    }

    #[test]
    fn plain_normalization_matches() {
        let mut ours = generate(&Generator::from(FractalNoise::default()), 97);
        let mut theirs = ours.heights().to_vec();
        ours.normalize();
        direct::stretch(&mut theirs);
        let shape = Shape::compared_with(&theirs, ours.heights(), TOLERANCE);
        assert!(shape.off.is_some_and(|(off, most)| off <= most), "{shape}");
    }

    #[test]
    fn plain_mean_uses_existing_cells_at_the_border() {
        let mut heights = vec![9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.6];
        direct::smooth(&mut heights);
        let expected = [2.25, 1.5, 0.0, 1.5, 1.4, 0.6, 0.0, 0.6, 0.9];
        for (found, expected) in heights.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{heights:?}");
        }
    }
}
