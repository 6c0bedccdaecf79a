//! Worley noise: the distance to the nearest point, compared with other libraries.
//!
//! All have one point in each square of 64 cells. Ours searches 25 squares, which is sufficient for
//! any position of the points. Others scatter their points less widely and search nine squares or
//! fewer.

use std::io;

use fastnoise_lite::{CellularDistanceFunction, CellularReturnType, FastNoiseLite, NoiseType};
use lanternfell_heightmap::{Generator, Worley};
use noise::{NoiseFn, core::worley::ReturnType};

use super::{
    entries::{add_ours, made, second_thread},
    size::{sides, square},
    workers::Workers,
};
use crate::{bench::Bench, heights::Heights, race::Race};

/// The seed of the other libraries.
const SEED: u32 = 7;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Worley noise")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let worley = Worley::default();
    let ground = Heights::bare(side);
    let mut race = Race::new(format!("Worley noise, {}", square(side)), &ground);
    race.contest(format!("squares of {} cells", worley.scale));
    let ours = add_ours(&mut race, pools, &Generator::from(worley.clone()), side);
    let scale = worley.scale;
    let (by_noise, by_fastnoise) = (
        move || from_noise(scale, side),
        move || from_fastnoise(scale, side),
    );
    race.other_map("noise: Worley", made(by_noise));
    race.other_map("fastnoise-lite: Cellular", made(by_fastnoise));
    bench.run(&mut race)?;
    second_thread(
        bench,
        &format!("Worley noise, {}", square(side)),
        &race,
        &ours,
    );
    Ok(())
}

/// Fills a map row by row. Distances are in sides of a square.
fn fill(side: usize, distance: impl Fn(u32, u32) -> f32) -> Vec<f32> {
    let rows = 0..side as u32;
    let cells = rows.flat_map(|y| (0..side as u32).map(move |x| (x, y)));
    let nearest = cells.map(|(x, y)| distance(x, y) / core::f32::consts::SQRT_2);
    nearest.collect()
}

fn from_noise(scale: f64, side: usize) -> Vec<f32> {
    let noise = noise::Worley::new(SEED)
        .set_return_type(ReturnType::Distance)
        .set_frequency(1.0 / scale);
    // The crate returns -1 to 1.
    fill(side, |x, y| {
        (0.5 + 0.5 * noise.get([f64::from(x), f64::from(y)])) as f32
    })
}

fn from_fastnoise(scale: f64, side: usize) -> Vec<f32> {
    let mut noise = FastNoiseLite::with_seed(SEED as i32);
    noise.set_noise_type(Some(NoiseType::Cellular));
    noise.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    noise.set_cellular_return_type(Some(CellularReturnType::Distance));
    noise.set_frequency(Some((1.0 / scale) as f32));
    // The crate returns the distance minus 1.
    fill(side, |x, y| noise.get_noise_2d(x as f32, y as f32) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heightmap::size::generate, heights::Shape};

    /// The maps look similar, but the libraries scatter points differently.
    #[test]
    fn maps_are_similar() {
        let ours = Shape::of(generate(&Worley::default().into(), 512).heights());
        for theirs in [from_noise(64.0, 512), from_fastnoise(64.0, 512)] {
            let theirs = Shape::of(&theirs);
            assert!(
                (0.5..2.0).contains(&(theirs.mean / ours.mean)),
                "{theirs}, ours {ours}"
            );
            assert!(
                (0.6..1.7).contains(&(theirs.grain / ours.grain)),
                "{theirs}, ours {ours}"
            );
        }
    }
}
