//! Light: the automaton and its settling solver, compared with other libraries.
//!
//! Everything is measured on the same maps with the same lamps; see [`scene`]. There are few peers,
//! since no other Rust crate has flowing light.
//!
//! `rot-js` computes colored light with another algorithm: a field of view from every lamp, and in
//! each further pass another one from every cell that reflects enough light. With one pass there is
//! no light around corners. Its cost depends on the number of lamps and passes, and not on the size
//! of the map. Ours depends on the area in which light changes. The images differ, so the numbers
//! of lit cells are only for orientation.
//!
//! It runs with its fastest field of view, and keeps its caches when a lamp moves. When a wall
//! changes it must clear them, so that is the same as starting from darkness. Floors reflect 0.3 of
//! the light, as in its manual. With 256 lamps only one pass is measured, since more passes take
//! some ten seconds and gigabytes each.

mod budgets;
mod plain;
mod scene;
mod tables;
mod ways;

use std::io;

use crate::{
    bench::Bench,
    map::{Kind, Map},
};

use scene::Colors;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Light")?;
    budgets::run(bench)?;
    let sides: &[usize] = if bench.plan.quick {
        &[256]
    } else {
        &[256, 1024]
    };
    for &side in sides {
        for kind in Kind::ALL {
            let map = Map::new(kind, side);
            for colors in Colors::ALL {
                tables::run(bench, &map, colors)?;
            }
        }
    }
    Ok(())
}
