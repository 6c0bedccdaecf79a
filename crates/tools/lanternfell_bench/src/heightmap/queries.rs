//! Queries on a surface: heights, rays, spheres and lines of sight, compared with a bilinear look-up and the
//! heightfield of the physics engine Parry.
//!
//! Our height is that of the rendered triangle. A bilinear look-up blends four cells, which other libraries call a
//! height. There are three kinds of rays, with the same number of each:
//!
//! | kind | start above the terrain | direction |
//! |---|---|---|
//! | picking | 50 to 500 m | 20 to 80 degrees down |
//! | horizon | 2 to 50 m | from 5 degrees down to 2 up |
//! | grazing | 1.8 m | from 1 degree down to 1 up |

use std::{hint::black_box, io};

use glam::{DVec2, DVec3, Vec2, Vec3};
use lanternfell_heightmap::{
    FractalNoise, Generator, Heightmap, HoleMask, Progress, Scale, SeededRng,
    analysis::CurvatureKind,
};
use lanternfell_surface::{HeightPyramid, SquareHalf, Surface};
use parry3d::{
    math::Vector,
    query::{Ray, RayCast},
    shape::HeightField,
    utils::Array2,
};

use super::{
    size::{SEED, generate, size, square},
    workers::Workers,
};
use crate::{
    bench::Bench,
    heights::Heights,
    race::{EntryId, Race},
    report::Budget,
    stopwatch::Stopwatch,
    table::Table,
};

/// Cells per side, normally and for quick runs.
const SIDES: [usize; 2] = [4096, 256];

/// Points per call. Their cells do not fit into a cache.
const POINTS: usize = 1 << 20;

/// Rays of each kind.
const RAYS: usize = 2048;

/// Rays of each kind that are compared with every triangle below them.
const CHECKED: usize = 300;

/// The budget of a height, relative to a look-up.
const BY_LOOK_UP: f64 = 3.0;

/// The budget of a ray, relative to a height.
const BY_HEIGHT: f64 = 50.0;

/// An origin and a direction.
type Way = (Vec3, Vec3);

/// Runs the section.
pub(crate) fn run(bench: &mut Bench<'_>) -> io::Result<()> {
    bench.report.heading("Queries")?;
    let side = SIDES[usize::from(bench.plan.quick)];
    let mut map = generate(&Generator::from(FractalNoise::default()), side);
    map.normalize();
    let progress = Progress::default();
    let pyramid = HeightPyramid::of(&map, &progress).expect("the work is not canceled");
    let bare = Surface::new(&map, Scale::of_size(size(side)));
    let surface = bare
        .with_pyramid(&pyramid)
        .expect("the pyramid belongs to this map");
    let field = heightfield(&surface);
    let (points, kinds) = (points(&surface), kinds(&surface));

    let given = Heights::bare(side);
    let mut race = Race::new(format!("Queries, one thread, {}", square(side)), &given);
    let heights = add_points(&mut race, &surface, &points);
    let rays = add_rays(&mut race, &surface, &field, &kinds);
    bench.run(&mut race)?;
    let times = |id: EntryId| race.times(id);
    for (name, look_up, ours) in &heights {
        let what = format!("height, {name}: relative to a bilinear look-up");
        let budget = Budget::times(what, BY_LOOK_UP, times(*ours), times(*look_up));
        bench.report.budget(budget);
    }
    let (_, _, height) = heights[0];
    for (name, ray) in rays {
        let what = format!("ray, {name}: relative to a height at random points");
        let budget = Budget::times(what, BY_HEIGHT, times(ray), times(height));
        bench.report.budget(budget);
    }
    errors(bench, &surface, &field, &kinds)?;
    memory(bench, &map, &pyramid)
}

/// Random points, and adjacent points like those along a road.
fn points(surface: &Surface<'_>) -> [(&'static str, Vec<Vec2>); 2] {
    let mut rng = SeededRng::new(SEED, b"points  ");
    let edge = surface.half_extent();
    let random = |_| {
        let unit = DVec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
        (unit * edge.as_dvec2()).as_vec2()
    };
    let random = (0..POINTS).map(random).collect();
    let step = surface.scale().spacing * 0.37;
    let across = (1.9 * edge.x / step) as usize;
    let adjacent = |k: usize| {
        let (x, y) = ((k % across) as f32, (k / across) as f32);
        Vec2::new(step * x, step * y) - 0.95 * edge
    };
    let adjacent = (0..POINTS).map(adjacent).collect();
    [("random points", random), ("adjacent points", adjacent)]
}

/// A straightforward look-up: four blended cells.
fn look_up(map: &Heightmap, half: Vec2, per_meter: f32, relief: f32, at: Vec2) -> f32 {
    let cell = at * per_meter + half;
    let column = (cell.x as usize).min(map.width() - 2);
    let row = (cell.y as usize).min(map.height() - 2);
    let (u, v) = (cell.x - column as f32, cell.y - row as f32);
    let heights = &map.heights()[row * map.width() + column..];
    let (nw, ne) = (heights[0], heights[1]);
    let (sw, se) = (heights[map.width()], heights[map.width() + 1]);
    let (north, south) = (nw + (ne - nw) * u, sw + (se - sw) * u);
    (north + (south - north) * v) * relief
}

/// Evaluates `answer` at all points and sums the results, so that nothing is optimized away.
fn asked<'a>(
    points: &'a [Vec2],
    answer: impl Fn(Vec2) -> f32 + 'a,
) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        while watch.goes_on() {
            let all = || points.iter().fold(0.0, |sum, &at| sum + answer(at));
            watch.time_many(points.len() as u32, all);
        }
    }
}

/// Adds the point queries. Returns the name, the look-up and the height entry of each kind of points.
fn add_points<'a>(
    race: &mut Race<'a>,
    surface: &Surface<'a>,
    points: &'a [(&'static str, Vec<Vec2>)],
) -> Vec<(&'static str, EntryId, EntryId)> {
    let (map, scale, surface) = (surface.map(), surface.scale(), *surface);
    let half = surface.half_extent() / scale.spacing;
    let mut ids = Vec::new();
    for (name, points) in points {
        race.contest(*name);
        let per_meter = 1.0 / scale.spacing;
        let plain = move |at| look_up(map, half, per_meter, scale.relief, at);
        let look_up = race.other("bilinear look-up", None, asked(points, plain));
        let height = move |at| surface.height(at).unwrap_or(0.0);
        let ours = race.ours("height", None, asked(points, height));
        race.ours("heights, in a batch", None, move |watch| {
            let mut found = vec![None; points.len()];
            while watch.goes_on() {
                watch.time_many(points.len() as u32, || {
                    surface.heights(points, &mut found);
                    black_box(found.last().copied())
                });
            }
        });
        ids.push((*name, look_up, ours));
        race.contest(format!("other queries at {name}"));
        let y = |normal: Option<Vec3>| normal.map_or(0.0, |normal| normal.y);
        let face = move |at| y(surface.face_normal(at));
        race.ours("face normal", None, asked(points, face));
        race.ours(
            "normal",
            None,
            asked(points, move |at| y(surface.normal(at))),
        );
        let slope = move |at| surface.slope(at).unwrap_or(0.0);
        race.ours("slope", None, asked(points, slope));
        let bend = move |at| surface.curvature(at, CurvatureKind::Mean).unwrap_or(0.0);
        race.ours("mean curvature", None, asked(points, bend));
    }
    ids
}

/// The three kinds of rays, and all of them alternating.
fn kinds(surface: &Surface<'_>) -> Vec<(&'static str, Vec<Way>)> {
    let mut rng = SeededRng::new(SEED, b"rays    ");
    let kinds = [
        ("picking", [50.0, 500.0], [-80.0, -20.0]),
        ("horizon", [2.0, 50.0], [-5.0, 2.0]),
        ("grazing", [1.8, 1.8], [-1.0, 1.0]),
    ];
    let mut kinds: Vec<(&str, Vec<Way>)> = kinds
        .into_iter()
        .map(|(name, above, pitch)| {
            let way = |_| any_way(surface, &mut rng, above, pitch);
            (name, (0..RAYS).map(way).collect())
        })
        .collect();
    let turns = |k: usize| kinds.iter().map(move |(_, ways)| ways[k]);
    let all = (0..RAYS).flat_map(turns).collect();
    kinds.push(("all three", all));
    kinds
}

fn any_way(
    surface: &Surface<'_>,
    rng: &mut SeededRng,
    [low, high]: [f64; 2],
    [down, up]: [f64; 2],
) -> Way {
    let edge = surface.half_extent().as_dvec2();
    let at = DVec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)) * edge;
    let ground = surface.height(at.as_vec2()).unwrap_or(0.0);
    let origin = DVec3::new(at.x, f64::from(ground) + rng.between(low, high), at.y);
    let (turn, pitch) = (
        rng.between(0.0, std::f64::consts::TAU),
        rng.between(down, up),
    );
    let (rise, along) = pitch.to_radians().sin_cos();
    let direction = DVec3::new(along * turn.cos(), rise, along * turn.sin());
    (origin.as_vec3(), direction.as_vec3())
}

/// The heightfield of the physics engine, with the same triangles.
fn heightfield(surface: &Surface<'_>) -> HeightField {
    let map = surface.map();
    let column = |column| (0..map.height()).map(move |row| map.get(column, row));
    let heights = (0..map.width()).flat_map(column).collect();
    let extent = 2.0 * surface.half_extent();
    let scale = Vector::new(extent.x, surface.scale().relief, extent.y);
    HeightField::new(Array2::new(map.height(), map.width(), heights), scale)
}

fn parry_cast(field: &HeightField, (origin, direction): Way) -> Option<f32> {
    let vector = |v: Vec3| Vector::new(v.x, v.y, v.z);
    let ray = Ray::new(vector(origin), vector(direction));
    let hit = field.cast_local_ray_and_get_normal(&ray, f32::MAX, false);
    hit.map(|hit| hit.time_of_impact)
}

/// Casts all rays.
fn cast<'a>(ways: &'a [Way], answer: impl Fn(Way) -> bool + 'a) -> impl FnMut(&mut Stopwatch) + 'a {
    move |watch| {
        while watch.goes_on() {
            let all = || ways.iter().filter(|&&way| answer(way)).count();
            watch.time_many(ways.len() as u32, all);
        }
    }
}

/// Adds the ray queries. Returns our entry for each kind of rays.
fn add_rays<'a>(
    race: &mut Race<'a>,
    surface: &Surface<'a>,
    field: &'a HeightField,
    kinds: &'a [(&'static str, Vec<Way>)],
) -> Vec<(&'static str, EntryId)> {
    let surface = *surface;
    let mut ids = Vec::new();
    for (name, ways) in kinds {
        race.contest(format!("rays, {name}"));
        let ray =
            move |(origin, direction)| surface.cast_ray(origin, direction, f32::INFINITY).is_some();
        ids.push((*name, race.ours("cast_ray", None, cast(ways, ray))));
        let sight =
            move |(from, direction): Way| surface.line_of_sight(from, from + 1e4 * direction);
        race.ours("line_of_sight, 10 km", None, cast(ways, sight));
        let ball = move |(origin, direction)| {
            surface
                .cast_sphere(origin, 0.5, direction, f32::INFINITY)
                .is_some()
        };
        race.ours("cast_sphere, 0.5 m", None, cast(ways, ball));
        let theirs = move |way| parry_cast(field, way).is_some();
        race.other("parry3d, ray", None, cast(ways, theirs));
    }
    ids
}

/// The first hit of a ray with any triangle below it, in `f64` by Möller and Trumbore.
fn slow_cast(surface: &Surface<'_>, (origin, direction): Way) -> Option<f64> {
    let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3().normalize());
    let size = surface.map().size();
    let spacing = f64::from(surface.scale().spacing);
    let west = surface.half_extent().as_dvec2();
    let mut first: Option<f64> = None;
    for row in 0..size.height() - 1 {
        let z = [row as f64 - 0.1, row as f64 + 1.1].map(|row| row * spacing - west.y);
        let times = z.map(|z| (z - origin.z) / direction.z);
        let ends = times.map(|time| origin.x + time.max(0.0) * direction.x);
        let column = |x: f64| ((x + west.x) / spacing).clamp(-9.0, 1e6) as isize;
        let low = column(ends[0].min(ends[1])) - 1;
        let high = (column(ends[0].max(ends[1])) + 1).min(size.width() as isize - 2);
        for column in low.max(0)..=high {
            for half in [SquareHalf::NorthWest, SquareHalf::SouthEast] {
                let corners = surface.triangle((column as usize, row), half);
                let time = through(corners.map(Vec3::as_dvec3), origin, direction);
                first = match (first, time) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
        }
    }
    first
}

fn through([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    /// A tolerance, so that rays do not slip through edges.
    const SLACK: f64 = 1e-9;
    let (ab, ac, away) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let turn = away.cross(ab);
    let whole = ab.dot(across);
    let (u, v) = (away.dot(across) / whole, direction.dot(turn) / whole);
    let time = ac.dot(turn) / whole;
    let inside = u >= -SLACK && v >= -SLACK && u + v <= 1.0 + SLACK;
    (inside && time >= 0.0).then_some(time)
}

/// Compares each implementation with the slow, exact one.
fn errors(
    bench: &mut Bench<'_>,
    surface: &Surface<'_>,
    field: &HeightField,
    kinds: &[(&'static str, Vec<Way>)],
) -> io::Result<()> {
    let header = ["rays", "who", "hits", "elsewhere", "missed", "max error"];
    let mut table = Table::new(header, "llrrrr");
    let ours = |(origin, direction): Way| {
        let hit = surface.cast_ray(origin, direction, f32::INFINITY);
        hit.map(|hit| f64::from(hit.distance))
    };
    let theirs = |way| parry_cast(field, way).map(f64::from);
    for (name, ways) in &kinds[..3] {
        let ways = &ways[..CHECKED];
        let slow: Vec<_> = ways.iter().map(|&way| slow_cast(surface, way)).collect();
        let casts: [(&str, &dyn Fn(Way) -> Option<f64>); 2] =
            [("ours", &ours), ("parry3d", &theirs)];
        for (who, cast) in casts {
            let (mut hits, mut others, mut missed, mut off) = (0, 0, 0, 0.0_f64);
            for (&way, slow) in ways.iter().zip(&slow) {
                match (cast(way), slow) {
                    (Some(found), Some(slow)) if (found - slow).abs() < 0.1 => {
                        hits += 1;
                        off = off.max((found - slow).abs());
                    }
                    (Some(_), _) => others += 1,
                    (None, Some(_)) => missed += 1,
                    (None, None) => {}
                }
            }
            table.add([
                (*name).into(),
                who.into(),
                hits.to_string(),
                others.to_string(),
                missed.to_string(),
                format!("{:.3} mm", 1e3 * off),
            ]);
        }
    }
    let title = format!("Rays compared with every triangle in f64, {CHECKED} of each kind");
    bench.report.table(&title, &table)
}

/// The memory in addition to the map, and the time to create it.
fn memory(bench: &mut Bench<'_>, map: &Heightmap, pyramid: &HeightPyramid) -> io::Result<()> {
    let share = |bytes: usize| 100.0 * bytes as f64 / size_of_val(map.heights()) as f64;
    let holes = HoleMask::none(map.size());
    bench.report.line(&format!(
        "memory relative to the map: pyramid {:.2} %, hole mask {:.2} %",
        share(pyramid.bytes()),
        share(holes.bytes()),
    ))?;
    bench.report.gap()?;
    let given = Heights::bare(map.width());
    let pools = Workers::all();
    let mut race = Race::new("Height pyramid", &given);
    race.contest("create");
    for workers in &pools {
        let make = move || workers.run(|| HeightPyramid::of(map, &Progress::default()));
        race.ours(format!("ours, {}", workers.name()), None, move |watch| {
            while watch.goes_on() {
                let made = watch.time(make);
                black_box(made.is_ok());
            }
        });
    }
    race.contest("update 64 x 64 cells");
    let mut changed = pyramid.clone();
    race.ours("ours", None, move |watch| {
        while watch.goes_on() {
            let done = watch.time(|| changed.update(map, 100..164, 90..154));
            black_box(done.is_ok());
        }
    });
    bench.run(&mut race)
}
