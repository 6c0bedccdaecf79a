//! What is done to a whole map: stretched, smoothed, asked for its normals.

use std::{hint::black_box, io};

use glam::Vec3;
use lanternfell_heightmap::{Generator, Heightmap, Islands, Scale, surface::Surface};

use super::{
    BUDGET_SIDE, changed, crew::Crew, direct, generate, second_thread, sides, size, square,
};
use crate::{Bench, heights::Ground, peers::Peer, race::Race, stopwatch::Stopwatch};

/// How far another stretch may be from ours: most divide in `f32`.
const TOLERANCE: f64 = 1e-6;

/// Measures all of it.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Filters")?;
    let crews = Crew::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &crews, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, crews: &[Crew], side: usize) -> io::Result<()> {
    // Its heights do not fill 0 to 1, so there is something to stretch.
    let map = generate(&Generator::from(Islands::default()), side);
    let ground = Ground::of(map.heights().to_vec());
    let plain = ground.heights().to_vec();
    let mut race = Race::new(format!("Filters, {}", square(side)), &ground);

    race.contest("normalise");
    let add = |crew| {
        let normalise = normalised_by(crew, &map);
        race.our_map(format!("ours, {}", Crew::name(crew)), normalise)
    };
    let ours: Vec<_> = crews.iter().map(add).collect();
    let stretch = changed(&plain, |map| direct::stretch(map), |map| map);
    let written_down = race.other_map("plain", stretch);
    race.same_to(written_down, TOLERANCE);
    race.peer("symbios-ground", Peer::RustCrates, "normalise".into());
    race.peer("tcod", Peer::TcodHeights, "normalise".into());
    race.peer(
        "three.terrain.js: Clamp",
        Peer::ThreeTerrain,
        "normalise".into(),
    );

    race.contest("mean of 3 x 3 cells");
    let smooth = changed(&plain, |map| direct::smooth(map), |map| map);
    race.other_map("plain", smooth);
    race.peer("tcod: kernel transform", Peer::TcodHeights, "smooth".into());
    // It goes down the columns: on the largest map that takes a minute.
    if side <= BUDGET_SIDE {
        race.peer(
            "three.terrain.js: Smooth",
            Peer::ThreeTerrain,
            "smooth".into(),
        );
    }

    race.contest("normals of all cells");
    race.ours("ours, cell by cell", None, normals(&map));
    race.peer("symbios-ground", Peer::RustCrates, "normals".into());

    bench.run(&mut race)?;
    let what = format!("normalise, {}", square(side));
    second_thread(bench, &what, &race, &ours);
    Ok(())
}

fn normalised_by<'a>(
    crew: &'a Crew,
    map: &'a Heightmap,
) -> impl FnMut(&mut Stopwatch) -> Vec<f32> + 'a {
    let change = |map: &mut Heightmap| crew.run(|| map.normalise());
    changed(map, change, Heightmap::into_heights)
}

fn normals(map: &Heightmap) -> impl FnMut(&mut Stopwatch) {
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

    #[test]
    fn the_plain_stretch_makes_our_map() {
        let mut ours = generate(&Generator::from(Islands::default()), 97);
        let mut theirs = ours.heights().to_vec();
        ours.normalise();
        direct::stretch(&mut theirs);
        let shape = Shape::beside(&theirs, ours.heights(), TOLERANCE);
        assert!(shape.off.is_some_and(|(off, most)| off <= most), "{shape}");
    }

    #[test]
    fn a_mean_at_the_edge_is_of_what_is_there() {
        let mut heights = vec![9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.6];
        direct::smooth(&mut heights);
        let expected = [2.25, 1.5, 0.0, 1.5, 1.4, 0.6, 0.0, 0.6, 0.9];
        for (found, expected) in heights.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{heights:?}");
        }
    }
}
