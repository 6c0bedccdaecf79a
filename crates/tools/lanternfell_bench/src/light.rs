//! Light: the automaton, its settled solver, and others.
//!
//! Everything is measured on the same maps with the same lamps; see [`scene`]. There are
//! few peers: no other Rust crate has light that flows. `rot-js` has colored light by
//! repeated fields of view, which is another algorithm with other pictures, but its users
//! want the same from it.

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

/// Measures all of it.
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
