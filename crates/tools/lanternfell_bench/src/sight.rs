//! Fields of view, compared with other libraries.
//!
//! All libraries compute views from the same places of the same maps. Some peers use the same algorithm (symmetric
//! shadowcasting) and should see the same cells. `tcod` computes with floats and rounds negative halves away from zero,
//! so it sees a few more cells next to walls. Other peers use other algorithms.
//!
//! A radius means different shapes to different libraries, from a square to a disc without its rim. So cells are
//! counted in the disc that all have in common, `dx² + dy² < radius²`. The time is that of the library's own shape.

mod viewers;

use std::{hint::black_box, io};

use lanternfell_lightgrid::IVec2;

use crate::{
    bench::Bench,
    cell_digest::CellDigest,
    map::{Kind, Map},
    peers::Peer,
    race::Race,
    stopwatch::Stopwatch,
};

use viewers::Viewer;

/// The radii of the views, in cells.
const RADII: [u32; 3] = [8, 20, 64];

/// The number of places.
const PLACES: usize = 8;

/// The variants of `tcod`: the function, and the algorithm.
const TCOD: [(&str, &str); 6] = [
    ("map", "symmetric"),
    ("function", "symmetric"),
    ("map", "basic"),
    ("map", "shadow"),
    ("map", "permissive"),
    ("map", "restrictive"),
];

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Sight")?;
    let sides: &[usize] = if bench.plan.quick {
        &[256]
    } else {
        &[256, 1024]
    };
    for &side in sides {
        for kind in Kind::ALL {
            one_map(bench, &Map::new(kind, side))?;
        }
    }
    Ok(())
}

fn one_map(bench: &mut Bench<'_>, map: &Map) -> io::Result<()> {
    let places = map.places(PLACES, 3);
    let grid = viewers::grid_of(map);
    let title = format!("Sight, {}, one view; cells of {PLACES} places", map.name());
    let mut race = Race::new(title, map);
    for radius in RADII {
        race.contest(format!("radius {radius}"));
        for (who, mut viewer) in viewers::ours(map, &grid, radius) {
            let seen = seen_from_all(map, &places, radius, &mut *viewer);
            race.ours(who, Some(seen), looks(&places, viewer));
        }
        for (who, mut viewer) in viewers::others(map, radius) {
            let seen = seen_from_all(map, &places, radius, &mut *viewer);
            race.other(who, Some(seen), looks(&places, viewer));
        }
        for (way, algorithm) in TCOD {
            let who = match way {
                "map" => format!("tcod: {algorithm}"),
                _ => format!("tcod: {algorithm}, map copied"),
            };
            let places = places
                .iter()
                .map(|place| format!(" {},{}", place.x, place.y));
            let job = format!("{way} {algorithm} {radius}{}", places.collect::<String>());
            race.peer(who, Peer::Tcod, job);
        }
    }
    bench.run(&mut race)
}

/// Computes a view from one place after the other.
fn looks<'a>(
    places: &'a [IVec2],
    mut viewer: Box<dyn Viewer + 'a>,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        while watch.goes_on() {
            watch.time_many(places.len() as u32, || {
                for &place in places {
                    black_box(&mut viewer).look(place);
                }
            });
        }
    }
}

/// The digest of the cells that are visible from all places.
fn seen_from_all(map: &Map, places: &[IVec2], radius: u32, viewer: &mut dyn Viewer) -> CellDigest {
    let mut seen = CellDigest::default();
    for &place in places {
        viewer.look(place);
        let near = |cell: &IVec2| (*cell - place).length_squared() < (radius * radius) as i32;
        seen.add(map, viewer.seen(place).into_iter().filter(near));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_by(map: &Map, radius: u32, name: &str) -> CellDigest {
        let places = map.places(20, 8);
        let grid = viewers::grid_of(map);
        let mut all = viewers::ours(map, &grid, radius);
        all.extend(viewers::others(map, radius));
        let viewer = all.iter_mut().find(|(who, _)| *who == name);
        let (_, viewer) = viewer.unwrap_or_else(|| panic!("unknown viewer {name}"));
        seen_from_all(map, &places, radius, &mut **viewer)
    }

    #[test]
    fn symmetric_algorithms_agree() {
        for map in [Map::new(Kind::Open, 64), Map::new(Kind::Rooms, 64)] {
            for radius in [1, 2, 8, 20, 64] {
                let case = format!("{}, radius {radius}", map.name());
                let ours = seen_by(&map, radius, "ours");
                assert!(ours.count >= 20, "{case}: {ours:?}");
                for name in ["ours, on a LightGrid", "symmetric-shadowcasting"] {
                    assert_eq!(seen_by(&map, radius, name), ours, "{case}: {name}");
                }
            }
        }
    }

    #[test]
    fn all_algorithms_agree_in_an_open_room() {
        let map = Map::new(Kind::Open, 64);
        for radius in [5, 64] {
            let ours = seen_by(&map, radius, "ours");
            for name in [
                "bracket-pathfinding: symmetric",
                "bracket-pathfinding: recursive",
                "doryen-fov: recursive",
                "doryen-fov: restrictive",
            ] {
                let theirs = seen_by(&map, radius, name);
                assert_eq!(theirs, ours, "{name}, radius {radius}");
            }
        }
    }
}
