//! The droplets' way over the ground: several at a time, each in a lane of its own.
//!
//! Problem: a droplet's next step waits for its last, through two roots and a few memory
//! accesses, so a processor that follows a single droplet mostly waits.
//!
//! Idea: [`LANES`] droplets take their steps together. All look at the ground ahead, the
//! numbers are reckoned for all lanes at once in wide vectors, then one after the other
//! changes the ground that it leaves. Where a droplet has ended, the next one starts.
//! Which droplets go together follows from their order alone: it is part of the
//! definition, and the same with vectors of any width.
//!
//! One step:
//!
//! ```text
//!   turn      downhill, and by inertia where it went before; one cell ahead
//!   look      the height and the slope there
//!   reckon    the fall -> what it can carry -> what to take or to lay; speed and water
//!   change    the brush takes or lays around the place that the droplet leaves
//! ```
//!
//! Every operation is one that IEEE 754 fixes, in a fixed order.

use super::{
    brush::{Brush, Change},
    region_heights::{Bounds, CellPoint, RegionHeights},
};

/// The droplets under way at a time.
pub(super) const LANES: usize = 16;

type Lane = [f32; LANES];

/// The rules of a droplet's step, ready for the loop. Heights are in units of the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The steps of a droplet.
    pub(super) lifetime: u32,
    /// The share of the old direction in the new one.
    pub(super) inertia: f32,
    /// The share of the slope, in tangents for each height per cell.
    pub(super) turn: f32,
    /// What a droplet can carry for each height that it falls.
    pub(super) capacity: f32,
    /// The least fall in a step that counts for what it can carry.
    pub(super) least_fall: f32,
    /// The share of its free room that it fills in a step.
    pub(super) erosion: f32,
    /// The share of what is too much that it lays down in a step.
    pub(super) deposition: f32,
    /// The share of its water that is left after a step.
    pub(super) kept: f32,
    /// The gain in squared speed for each height that it falls.
    pub(super) gravity: f32,
}

/// The ground at a place.
#[derive(Debug, Clone, Copy)]
struct CellSlope {
    height: f32,
    slope_x: f32,
    slope_y: f32,
}

/// Directions whose squared length is less are none: the ground is flat.
const FLAT: f32 = 1e-30;

/// Bilinear between four corners.
#[inline(always)]
fn between([nw, ne, sw, se]: [f32; 4], u: f32, v: f32) -> CellSlope {
    let (north, south) = (ne - nw, se - sw);
    let (west, east) = (sw - nw, se - ne);
    let (upper, lower) = (nw + north * u, sw + south * u);
    CellSlope {
        height: upper + (lower - upper) * v,
        slope_x: north + (south - north) * v,
        slope_y: west + (east - west) * u,
    }
}

/// Droplets, one per lane: each of their numbers in a row of its own, as wide vectors want.
#[derive(Debug, Clone, Copy)]
struct CellPoints {
    x: Lane,
    y: Lane,
    cell: [u32; LANES],
    u: Lane,
    v: Lane,
}

/// The ground at a place, per lane.
#[derive(Debug, Clone, Copy)]
struct CellSlopes {
    height: Lane,
    slope_x: Lane,
    slope_y: Lane,
}

/// What is to be changed, per lane.
struct Changes {
    amount: Lane,
    floor: Lane,
    ceiling: Lane,
}

/// The droplets under way.
struct DropLanes {
    places: CellPoints,
    /// The ground where they are, as they saw it when they came.
    looks: CellSlopes,
    /// The direction of the last step.
    way_x: Lane,
    way_y: Lane,
    /// Squared.
    speed: Lane,
    water: Lane,
    /// The ground that they carry.
    load: Lane,
    /// The steps left; 0 in a lane without a droplet.
    left: [u32; LANES],
}

/// Lets droplets run from these points until all have ended. Each must have its four cells
/// on the map.
#[inline(always)]
pub(super) fn run<const WIDTH: usize>(
    ground: &mut RegionHeights<'_>,
    rules: &Rules,
    brush: &Brush<WIDTH>,
    mut starts: impl Iterator<Item = (f32, f32)>,
) {
    let bounds = ground.bounds();
    let mut lanes = DropLanes::new(ground);
    while lanes.fill(ground, rules, &mut starts) {
        let (x, y, goes) = lanes.turn(&bounds, rules);
        let places = CellPoints::of(ground, x, y);
        let looks = places.look(ground);
        let changes = lanes.reckon(&looks, &goes, rules);
        for k in 0..LANES {
            let load = lanes.load[k] + brush.apply(ground, lanes.places.get(k), changes.get(k));
            // Rounding may leave it a hair below nothing.
            lanes.load[k] = if load > 0.0 { load } else { 0.0 };
        }
        (lanes.places, lanes.looks) = (places, looks);
        for (left, goes) in lanes.left.iter_mut().zip(goes) {
            *left = if goes { *left - 1 } else { 0 };
        }
    }
}

impl CellPoints {
    #[inline(always)]
    fn of(ground: &RegionHeights<'_>, x: Lane, y: Lane) -> Self {
        let (mut cell, mut u, mut v) = ([0; LANES], x, y);
        for k in 0..LANES {
            let place = ground.place(x[k], y[k]);
            (cell[k], u[k], v[k]) = (place.cell, place.u, place.v);
        }
        Self { x, y, cell, u, v }
    }

    #[inline(always)]
    fn get(&self, k: usize) -> CellPoint {
        CellPoint {
            cell: self.cell[k],
            u: self.u[k],
            v: self.v[k],
        }
    }

    #[inline(always)]
    fn look(&self, ground: &RegionHeights<'_>) -> CellSlopes {
        let mut corners = [[0.0; LANES]; 4];
        for (k, &cell) in self.cell.iter().enumerate() {
            for (corner, height) in corners.iter_mut().zip(ground.corners(cell)) {
                corner[k] = height;
            }
        }
        let none = [0.0; LANES];
        let (mut height, mut slope_x, mut slope_y) = (none, none, none);
        for k in 0..LANES {
            let four = [corners[0][k], corners[1][k], corners[2][k], corners[3][k]];
            let look = between(four, self.u[k], self.v[k]);
            (height[k], slope_x[k], slope_y[k]) = (look.height, look.slope_x, look.slope_y);
        }
        CellSlopes {
            height,
            slope_x,
            slope_y,
        }
    }
}

impl Changes {
    #[inline(always)]
    fn get(&self, k: usize) -> Change {
        Change {
            amount: self.amount[k],
            floor: self.floor[k],
            ceiling: self.ceiling[k],
        }
    }
}

impl DropLanes {
    /// No droplets, in the middle, which is a place even where the map is not.
    #[inline(always)]
    fn new(ground: &RegionHeights<'_>) -> Self {
        let middle = [(ground.side() / 2) as f32; LANES];
        let places = CellPoints::of(ground, middle, middle);
        let none = [0.0; LANES];
        Self {
            places,
            looks: places.look(ground),
            way_x: none,
            way_y: none,
            speed: none,
            water: none,
            load: none,
            left: [0; LANES],
        }
    }

    /// Starts a droplet in every free lane, as long as there are any; says whether any
    /// droplet is under way.
    #[inline(always)]
    fn fill(
        &mut self,
        ground: &RegionHeights<'_>,
        rules: &Rules,
        starts: &mut impl Iterator<Item = (f32, f32)>,
    ) -> bool {
        for k in 0..LANES {
            if self.left[k] == 0 {
                let Some((x, y)) = starts.next() else {
                    break;
                };
                let place = ground.place(x, y);
                let look = between(ground.corners(place.cell), place.u, place.v);
                (self.places.x[k], self.places.y[k]) = (x, y);
                self.places.cell[k] = place.cell;
                (self.places.u[k], self.places.v[k]) = (place.u, place.v);
                self.looks.height[k] = look.height;
                (self.looks.slope_x[k], self.looks.slope_y[k]) = (look.slope_x, look.slope_y);
                (self.way_x[k], self.way_y[k]) = (0.0, 0.0);
                (self.speed[k], self.water[k], self.load[k]) = (1.0, 1.0, 0.0);
                self.left[k] = rules.lifetime;
            }
        }
        self.left.iter().any(|&left| left > 0)
    }

    /// Where each droplet goes next, and whether it goes: not beyond the map, nor on flat
    /// ground.
    #[inline(always)]
    fn turn(&mut self, bounds: &Bounds, rules: &Rules) -> (Lane, Lane, [bool; LANES]) {
        let (mut new_x, mut new_y) = (self.places.x, self.places.y);
        let mut goes = [false; LANES];
        for k in 0..LANES {
            let way_x = self.way_x[k] * rules.inertia - self.looks.slope_x[k] * rules.turn;
            let way_y = self.way_y[k] * rules.inertia - self.looks.slope_y[k] * rules.turn;
            let square = way_x * way_x + way_y * way_y;
            let scale = 1.0 / square.sqrt();
            (self.way_x[k], self.way_y[k]) = (way_x * scale, way_y * scale);
            let x = self.places.x[k] + self.way_x[k];
            let y = self.places.y[k] + self.way_y[k];
            goes[k] = bounds.hold(x, y) & (square > FLAT) & (self.left[k] > 0);
            new_x[k] = if goes[k] { x } else { self.places.x[k] };
            new_y[k] = if goes[k] { y } else { self.places.y[k] };
        }
        (new_x, new_y, goes)
    }

    /// What each droplet is to take or to lay; its speed and its water after the step.
    #[inline(always)]
    fn reckon(&mut self, looks: &CellSlopes, goes: &[bool; LANES], rules: &Rules) -> Changes {
        let mut changes = Changes {
            amount: [0.0; LANES],
            floor: looks.height,
            ceiling: looks.height,
        };
        for (k, &goes) in goes.iter().enumerate() {
            let (here, ahead) = (self.looks.height[k], looks.height[k]);
            let fall = here - ahead;
            let least = rules.least_fall;
            let counted = if fall > least { fall } else { least };
            let capacity = counted * self.speed[k].sqrt() * self.water[k] * rules.capacity;
            let room = capacity - self.load[k];
            let take = room * rules.erosion;
            let take = if take < fall { take } else { fall };
            let lay = room * rules.deposition;
            let amount = if room > 0.0 { take } else { lay };
            // Uphill it fills the hollow that it is in.
            let load = -self.load[k];
            let fill = if fall > load { fall } else { load };
            let amount = if fall < 0.0 { fill } else { amount };
            changes.amount[k] = if goes { amount } else { 0.0 };
            changes.ceiling[k] = if here > ahead { here } else { ahead };
            let speed = self.speed[k] + fall * rules.gravity;
            self.speed[k] = if speed > 0.0 { speed } else { 0.0 };
            self.water[k] *= rules.kept;
        }
        changes
    }
}
