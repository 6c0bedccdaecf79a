//! The simulation loop of droplets: several at a time, one per SIMD lane.
//!
//! Problem: each step of a droplet depends on the previous one through two square roots and several memory accesses. A
//! CPU that follows a single droplet mostly waits.
//!
//! Idea: [`LANES`] droplets advance together. All of them sample the heights ahead, and wide vectors compute the
//! numbers of all lanes at once. Then the droplets change the heights that they leave, one after the other. When a
//! droplet ends, the next one starts in its lane. Which droplets run together depends only on their order. This
//! grouping is part of the algorithm and does not depend on the vector width.
//!
//! One step:
//!
//! ```text
//!   turn      downhill, with inertia; one cell ahead
//!   look      the height and the slope there
//!   reckon    descent -> capacity -> amount to erode or deposit; speed and water
//!   change    the brush erodes or deposits around the point that the droplet leaves
//! ```
//!
//! Heights and loads are whole numbers of grains, which are exact in `f32`. Intermediate results are not, but they are
//! rounded to whole grains before the heights change. All operations are defined by IEEE 754 and run in a fixed order.

use super::{
    super::grains::whole,
    brush::{Brush, Change},
    region_heights::{Bounds, CellPoint, RegionHeights},
};
use crate::range::{higher, lower};

/// The number of droplets that run together.
pub(super) const LANES: usize = 16;

type Lane = [f32; LANES];

/// The maximum load of a droplet in grains: an eighth of the largest height. A larger load could not be deposited at
/// once.
const FULL: f32 = (1 << 21) as f32;

/// The fraction of its load, and the grains in addition to it, that a droplet always keeps. Otherwise, rounding on four
/// cells could deposit more than the droplet carries.
const KEPT: (f32, f32) = (1.0 / (1 << 20) as f32, 2.0);

/// The rules of a droplet's step, precomputed for the loop. Heights are in grains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The maximum number of steps of a droplet.
    pub(super) lifetime: u32,
    /// The weight of the old direction in the new one.
    pub(super) inertia: f32,
    /// The weight of the slope, in tangents per grain per cell.
    pub(super) turn: f32,
    /// The capacity per grain of descent.
    pub(super) capacity: f32,
    /// The smallest descent per step that counts for the capacity.
    pub(super) least_fall: f32,
    /// The fraction of the free capacity that is eroded per step.
    pub(super) erosion: f32,
    /// The fraction of the excess load that is deposited per step.
    pub(super) deposition: f32,
    /// The fraction of the water that is left after a step.
    pub(super) kept: f32,
    /// The gain in squared speed per grain of descent.
    pub(super) gravity: f32,
}

/// The height and slope at a point.
#[derive(Debug, Clone, Copy)]
struct CellSlope {
    height: f32,
    slope_x: f32,
    slope_y: f32,
}

/// If the squared length of a direction is less than this, the terrain is flat and has no direction.
const FLAT: f32 = 1e-30;

/// The effect of the droplets on a region, in grains.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) eroded: f64,
    pub(super) deposited: f64,
    /// The loads that droplets carried over the border of the map.
    pub(super) exported: f64,
    /// The loads of droplets that ended on the map, and the cells where they ended.
    pub(super) ends: Vec<(u32, f32)>,
}

/// Interpolates bilinearly between four corners. The height never leaves the range of the corners.
#[inline(always)]
fn between([nw, ne, sw, se]: [f32; 4], u: f32, v: f32) -> CellSlope {
    let (north, south) = (ne - nw, se - sw);
    let (west, east) = (sw - nw, se - ne);
    let slope_y = west + (east - west) * u;
    let lowest = lower(lower(nw, ne), lower(sw, se));
    let highest = higher(higher(nw, ne), higher(sw, se));
    let above = north * u + slope_y * v;
    let height = nw + whole(above.abs()).copysign(above);
    CellSlope {
        height: lower(higher(height, lowest), highest),
        slope_x: north + (south - north) * v,
        slope_y,
    }
}

/// The positions of the droplets, one per lane, as a structure of arrays for wide vectors.
#[derive(Debug, Clone, Copy)]
struct CellPoints {
    x: Lane,
    y: Lane,
    cell: [u32; LANES],
    u: Lane,
    v: Lane,
}

/// The height and slope at the positions of the droplets, per lane.
#[derive(Debug, Clone, Copy)]
struct CellSlopes {
    height: Lane,
    slope_x: Lane,
    slope_y: Lane,
}

/// The change to make, per lane.
struct Changes {
    amount: Lane,
    floor: Lane,
    ceiling: Lane,
}

/// The running droplets.
struct DropLanes {
    places: CellPoints,
    /// The heights at their positions, as sampled when they arrived.
    looks: CellSlopes,
    /// The direction of the last step.
    way_x: Lane,
    way_y: Lane,
    /// Squared.
    speed: Lane,
    water: Lane,
    /// The sediment load.
    load: Lane,
    /// The number of remaining steps; 0 in a lane without a droplet.
    left: [u32; LANES],
    /// Whether the last droplet of the lane crossed the border of the map.
    is_out: [bool; LANES],
    /// The total that all droplets of the lane have eroded and deposited.
    eroded: [f64; LANES],
    deposited: [f64; LANES],
}

/// Runs droplets from these points until all have ended. The four cells around each point must be on the map.
#[inline(always)]
pub(super) fn run<const WIDTH: usize>(
    ground: &mut RegionHeights<'_>,
    rules: &Rules,
    brush: &Brush<WIDTH>,
    mut starts: impl Iterator<Item = (f32, f32)>,
    ledger: &mut Ledger,
) {
    let bounds = ground.bounds();
    let mut lanes = DropLanes::new(ground);
    while lanes.fill(ground, rules, &mut starts, ledger) {
        let (x, y, goes) = lanes.turn(&bounds, rules);
        let places = CellPoints::of(ground, x, y);
        let looks = places.look(ground);
        let changes = lanes.reckon(&looks, &goes, rules);
        let mut taken = [0.0; LANES];
        for (k, taken) in taken.iter_mut().enumerate() {
            *taken = brush.apply(ground, lanes.places.get(k), changes.get(k));
        }
        for (k, taken) in taken.into_iter().enumerate() {
            lanes.load[k] += taken;
            lanes.eroded[k] += f64::from(higher(taken, 0.0));
            lanes.deposited[k] -= f64::from(lower(taken, 0.0));
        }
        (lanes.places, lanes.looks) = (places, looks);
        for (left, goes) in lanes.left.iter_mut().zip(goes) {
            *left = if goes { *left - 1 } else { 0 };
        }
    }
    ledger.eroded += lanes.eroded.iter().sum::<f64>();
    ledger.deposited += lanes.deposited.iter().sum::<f64>();
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
    /// Creates empty lanes. Their position is the middle of the region, which is valid even if it is not on the map.
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
            is_out: [false; LANES],
            eroded: [0.0; LANES],
            deposited: [0.0; LANES],
        }
    }

    /// Records the loads of droplets that have ended, and starts new ones in their lanes while there are any. Returns
    /// whether any droplet is running.
    #[inline(always)]
    fn fill(
        &mut self,
        ground: &RegionHeights<'_>,
        rules: &Rules,
        starts: &mut impl Iterator<Item = (f32, f32)>,
        ledger: &mut Ledger,
    ) -> bool {
        for k in 0..LANES {
            if self.left[k] == 0 {
                let load = core::mem::take(&mut self.load[k]);
                if self.is_out[k] {
                    ledger.exported += f64::from(load);
                } else if load > 0.0 {
                    ledger.ends.push((self.places.cell[k], load));
                }
                let Some((x, y)) = starts.next() else {
                    continue;
                };
                let place = ground.place(x, y);
                let look = between(ground.corners(place.cell), place.u, place.v);
                (self.places.x[k], self.places.y[k]) = (x, y);
                self.places.cell[k] = place.cell;
                (self.places.u[k], self.places.v[k]) = (place.u, place.v);
                self.looks.height[k] = look.height;
                (self.looks.slope_x[k], self.looks.slope_y[k]) = (look.slope_x, look.slope_y);
                (self.way_x[k], self.way_y[k]) = (0.0, 0.0);
                (self.speed[k], self.water[k]) = (1.0, 1.0);
                self.left[k] = rules.lifetime;
            }
        }
        self.left.iter().any(|&left| left > 0)
    }

    /// The next position of each droplet, and whether it moves. It does not move beyond the map or on flat terrain.
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
            let turns = (square > FLAT) & (self.left[k] > 0);
            goes[k] = bounds.hold(x, y) & turns;
            // Droplets that ended earlier are already recorded.
            self.is_out[k] = !bounds.hold(x, y) & turns;
            new_x[k] = if goes[k] { x } else { self.places.x[k] };
            new_y[k] = if goes[k] { y } else { self.places.y[k] };
        }
        (new_x, new_y, goes)
    }

    /// Computes the amounts to erode or deposit, and updates the speed and the water.
    #[inline(always)]
    fn reckon(&mut self, looks: &CellSlopes, goes: &[bool; LANES], rules: &Rules) -> Changes {
        let mut changes = Changes {
            amount: [0.0; LANES],
            floor: looks.height,
            ceiling: looks.height,
        };
        for (k, &goes) in goes.iter().enumerate() {
            let (here, ahead) = (self.looks.height[k], looks.height[k]);
            let (fall, load) = (here - ahead, self.load[k]);
            let least = rules.least_fall;
            let counted = if fall > least { fall } else { least };
            let capacity = counted * self.speed[k].sqrt() * self.water[k] * rules.capacity;
            let capacity = if capacity < FULL { capacity } else { FULL };
            let room = capacity - load;
            let take = room * rules.erosion;
            let take = if take < fall { take } else { fall };
            let deposit = room * rules.deposition;
            // Moving uphill: fill the hollow behind.
            let deposit = if fall < 0.0 { fall } else { deposit };
            let most = higher(load - load * KEPT.0 - KEPT.1, 0.0);
            let deposit = higher(deposit, -most);
            let takes = (room > 0.0) & (fall >= 0.0);
            let amount = if takes { take } else { deposit };
            changes.amount[k] = if goes { amount } else { 0.0 };
            changes.ceiling[k] = higher(here, ahead);
            let speed = self.speed[k] + fall * rules.gravity;
            self.speed[k] = if speed > 0.0 { speed } else { 0.0 };
            self.water[k] *= rules.kept;
        }
        changes
    }
}
