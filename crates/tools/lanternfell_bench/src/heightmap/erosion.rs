//! Erosion by droplets, slides and rivers, and the flow of water.
//!
//! All start from the same map. Droplets and slides have the same parameters as those of `symbios-ground` by default,
//! where both have them: number, lifetime, radius and rates.

use std::io;

use lanternfell_heightmap::{
    FilterContext, FractalNoise, Generator, Heightmap, MapSize, Progress, Scale,
    erosion::{HydraulicErosion, StreamPowerErosion, ThermalErosion},
    hydrology::Hydrology,
};

use super::{
    entries::{add_changes, second_thread},
    size::{SEED, budget_side, fine, generate, sides, square},
    workers::Workers,
};
use crate::{
    bench::Bench,
    heights::Heights,
    peers::Peer,
    race::{EntryId, Race},
    report::Budget,
};

/// The number of droplets: the default of `symbios-ground`.
const DROPLETS: u32 = 50_000;

/// The average number of steps of libtcod's drops on the map of 1024 cells, from where they fall to the first hollow.
/// Ours take the same number when compared with them.
const TCOD_STEPS: u32 = 12;

/// The number of passes of slides: the default of `symbios-ground`.
const PASSES: u32 = 50;

/// The height difference between two cells from which terrain slides. On a map of 1024 cells with the default scale
/// (see `Scale::of_size`), this is 31 degrees.
const TALUS: f64 = 0.0037;

/// The budget relative to `symbios-ground`, which has only one thread. Ours uses all threads.
const BY_SYMBIOS: f64 = 1.0 / 5.0;

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Erosion")?;
    let pools = Workers::all();
    for &side in sides(&bench.plan) {
        one_size(bench, &pools, side)?;
    }
    Ok(())
}

fn one_size(bench: &mut Bench<'_>, pools: &[Workers], side: usize) -> io::Result<()> {
    let mut map = generate(&Generator::from(FractalNoise::default()), side);
    map.normalize();
    let ground = Heights::of(map.heights().to_vec());
    let mut race = Race::new(format!("Erosion, {}", square(side)), &ground);
    let [droplets, slides] = add_contests(&mut race, pools, &map);
    let rivers = add_waters(&mut race, pools, &map);
    bench.run(&mut race)?;

    let [(droplets, their_droplets), (slides, their_slides)] = [droplets, slides];
    let all = [
        ("droplets", &droplets),
        ("slides", &slides),
        ("rivers", &rivers),
    ];
    for (name, ours) in all {
        second_thread(bench, &format!("{name}, {}", square(side)), &race, ours);
    }
    if side == budget_side(&bench.plan) {
        let all = [
            ("droplets", &droplets, their_droplets),
            ("slides", &slides, their_slides),
        ];
        for (name, ours, theirs) in all {
            let what = format!(
                "{name}, {}: all threads relative to symbios-ground",
                square(side)
            );
            let ours = ours.last().and_then(|&all| race.times(all));
            let theirs = race.times(theirs);
            let budget = Budget::share(what, BY_SYMBIOS, ours, theirs);
            bench.report.budget(budget);
        }
    }
    Ok(())
}

/// Adds the contests that others have too. Returns our entries for each thread pool and that of `symbios-ground`, per
/// contest.
fn add_contests<'a>(
    race: &mut Race<'a>,
    pools: &'a [Workers],
    map: &'a Heightmap,
) -> [(Vec<EntryId>, EntryId); 2] {
    let context = bare_context(map.size());
    race.contest(format!("{DROPLETS} droplets"));
    let droplets = droplets(map.size());
    let rain = move |map: &mut Heightmap| {
        fine(droplets.erode(map, &context, &Progress::default()));
    };
    let ours = add_changes(race, pools, map, rain);
    let job = format!("droplets {DROPLETS}");
    let theirs = race.peer("symbios-ground", Peer::RustCrates, job);
    let contest = (ours, theirs);

    race.contest(format!("{DROPLETS} droplets of {TCOD_STEPS} steps"));
    let short = HydraulicErosion {
        lifetime: TCOD_STEPS,
        ..droplets
    };
    let rain = move |map: &mut Heightmap| {
        fine(short.erode(map, &context, &Progress::default()));
    };
    add_changes(race, pools, map, rain);
    let job = format!("rain {DROPLETS}");
    race.peer("tcod: rain erosion", Peer::TcodHeights, job);
    let droplets = contest;

    race.contest(format!("slides, {PASSES} passes"));
    let talus = ThermalErosion {
        angle: TALUS.atan().to_degrees(),
        passes: PASSES,
        ..ThermalErosion::default()
    };
    let slide = move |map: &mut Heightmap| fine(talus.erode(map, &context, &Progress::default()));
    let ours = add_changes(race, pools, map, slide);
    let job = format!("slides {PASSES} {TALUS}");
    let theirs = race.peer("symbios-ground: thermal", Peer::RustCrates, job);
    [droplets, (ours, theirs)]
}

/// Adds the contests that only we have: rivers and drainage. Returns the entries of the rivers.
fn add_waters<'a>(race: &mut Race<'a>, pools: &'a [Workers], map: &'a Heightmap) -> Vec<EntryId> {
    let context = FilterContext::new(map.size(), SEED);
    race.contest("rivers carve valleys");
    let fluvial = StreamPowerErosion {
        sea_level: Some(0.5),
        ..StreamPowerErosion::default()
    };
    let carve = move |map: &mut Heightmap| fine(fluvial.erode(map, &context, &Progress::default()));
    let rivers = add_changes(race, pools, map, carve);
    race.contest("fill hollows");
    let hydrology = Hydrology {
        sea_level: Some(0.5),
        ..Hydrology::default()
    };
    let fill = move |map: &mut Heightmap| fine(hydrology.fill(map, &Progress::default()));
    add_changes(race, pools, map, fill);
    race.contest("flow directions and catchments");
    let flow = move |map: &mut Heightmap| {
        let drainage = fine(hydrology.drain(map, &Progress::default()));
        let areas = drainage.areas(&Progress::default());
        std::hint::black_box(areas.expect("the work is not canceled"));
    };
    add_changes(race, pools, map, flow);
    rivers
}

/// A context in which slopes are height differences between cells, as in other libraries.
fn bare_context(size: MapSize) -> FilterContext {
    let scale = Scale {
        spacing: 1.0,
        relief: 1.0,
    };
    FilterContext {
        scale,
        ..FilterContext::new(size, SEED)
    }
}

/// Droplets with the default parameters and number of `symbios-ground`, on a single map resolution.
fn droplets(size: MapSize) -> HydraulicErosion {
    HydraulicErosion {
        density: f64::from(DROPLETS) / size.cells() as f64,
        lifetime: 64,
        inertia: 0.05,
        capacity: 8.0,
        min_slope: 0.01,
        erosion: 0.3,
        deposition: 0.3,
        evaporation: 0.02,
        gravity: 9.8,
        radius: 1.0,
        coarsest: size.width().max(size.height()) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heightmap::size::size;

    #[test]
    fn compared_droplets_change_the_map() {
        let size = size(128);
        let mut map = generate(&Generator::from(FractalNoise::default()), 128);
        map.normalize();
        let mut rained = map.clone();
        let many = HydraulicErosion {
            density: 0.5,
            ..droplets(size)
        };
        fine(many.erode(&mut rained, &bare_context(size), &Progress::default()));
        let moved = map.heights().iter().zip(rained.heights());
        let moved: f32 = moved.map(|(a, b)| (a - b).abs()).sum();
        let per_droplet = moved / (0.5 * 128.0 * 128.0);
        assert!((0.0005..0.5).contains(&per_droplet), "{per_droplet}");
    }
}
