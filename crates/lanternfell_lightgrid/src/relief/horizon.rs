//! How much of a lamp's light the land lets through to each cell around it.
//!
//! **How.** Around the lamp lie squares of cells, one in the other; four sides of them are looked at one by one, as
//! here that to the right. Rays go from the lamp to the cells of the outermost square. From square to square each
//! keeps its horizon: the steepest way up to the land below it so far, which between two cells lies on the line
//! between them. A cell has the horizon of the two rays that it is between, in proportion.
//!
//! ```text
//!             . ' 3        . of a cell that is not on a ray is between those of the two rays
//!         . '   . 2          beside it
//!     @ - - - - - 1        1, 2, 3  ends of rays, on the outermost square
//!         ' .   ' 0
//! ```
//!
//! **Cost.** For a radius of `r` cells there are `8 r` rays of `r` squares and `4 r²` cells, so `12 r²` looks at
//! the land instead of the `4 r³ / 3` for a line to each cell. Along an axis both are the same. That they are nearly
//! the same elsewhere is what `tests` hold against the slow way.
//!
//! Source: W. R. Franklin, C. K. Ray and S. Mehta, "Geometric Algorithms for Siting of Air Defense Missile
//! Batteries", 1994: its R2 takes the nearest ray instead of two.

use glam::{IVec2, Vec2, Vec3};

use super::Relief;
use crate::area::Area;

/// Below everything.
const LOWEST: f32 = -1e30;

/// One of the four sides: which way is away from the lamp, and which is along the side.
#[derive(Clone, Copy)]
struct Side {
    away: IVec2,
    along: IVec2,
}

const SIDES: [Side; 4] = [
    Side {
        away: IVec2::X,
        along: IVec2::Y,
    },
    Side {
        away: IVec2::NEG_X,
        along: IVec2::Y,
    },
    Side {
        away: IVec2::Y,
        along: IVec2::X,
    },
    Side {
        away: IVec2::NEG_Y,
        along: IVec2::X,
    },
];

impl Relief {
    /// Multiplies the shares of an area's cells, row by row, that a lamp reaches by what comes through. The lamp is
    /// at a place in cells, and so high.
    pub(crate) fn shade(&self, lamp: Vec3, radius: u32, area: Area, shares: &mut [Vec3]) {
        for side in SIDES {
            self.shade_side(side, lamp, radius as i32 + 1, area, shares);
        }
    }

    fn shade_side(&self, side: Side, lamp: Vec3, radius: i32, area: Area, shares: &mut [Vec3]) {
        let at = lamp.truncate();
        let home = at.round().as_ivec2();
        let off = at - home.as_vec2();
        let [ahead, aside] = [side.away, side.along].map(|way| off.dot(way.as_vec2()));
        // From the first to the last ray, which end at `-last` to `last` on the outermost square.
        let last = radius + 1;
        let outermost = radius as f32 - ahead;
        let mut horizons = vec![LOWEST; 2 * last as usize + 1];
        let mut tops = vec![0.0; horizons.len() + 1];
        for forward in 1..=radius {
            let away = forward as f32 - ahead;
            let middle = home + side.away * forward;
            // The side is a triangle that widens by a cell on each side with each square.
            let reach = away.ceil() as i32 + 1;
            for sideways in -reach..=reach {
                let cell = middle + side.along * sideways;
                if !area.contains(cell) || !side.has(cell.as_vec2() - at) {
                    continue;
                }
                let share = &mut shares[area.place(cell)];
                if *share == Vec3::ZERO {
                    continue;
                }
                // Where a ray through this cell ends. Its horizon is of the squares before this one: a cell
                // does not hide itself.
                let ray = aside + (sideways as f32 - aside) * outermost / away + last as f32;
                let lit = self.lit(cell, lamp.z + between(ray, &horizons) * away);
                *share = match lit > 0.0 {
                    true => (*share * lit * self.caught(cell, lamp)).min(Vec3::ONE),
                    false => Vec3::ZERO,
                };
            }
            for (top, sideways) in tops.iter_mut().zip(-last..) {
                *top = self.top(middle + side.along * sideways);
            }
            // Slopes are by distance along `away`, on which a ray's true distance depends by a constant
            // factor: the steepest is the same, and so is the shadow's height at each square.
            let step = away / outermost;
            for (horizon, end) in horizons.iter_mut().zip(-last..) {
                let sideways = aside + (end as f32 - aside) * step + last as f32;
                *horizon = horizon.max((between(sideways, &tops) - lamp.z) / away);
            }
        }
    }

    /// How much of a figure looks out of a shadow of this height.
    fn lit(&self, cell: IVec2, shadow: f32) -> f32 {
        ((self.ground(cell) + self.figure - shadow) / self.figure).clamp(0.0, 1.0)
    }
}

impl Side {
    /// Whether what is so far from the lamp is on this side. What is on the border of two is on one.
    fn has(self, off: Vec2) -> bool {
        let [ahead, aside] = [self.away, self.along].map(|way| off.dot(way.as_vec2()));
        if self.away.x != 0 {
            ahead > 0.0 && ahead >= aside.abs()
        } else {
            ahead > 0.0 && ahead > aside.abs()
        }
    }
}

/// What is known at whole numbers from 0 on, between two of them.
fn between(at: f32, values: &[f32]) -> f32 {
    let at = at.clamp(0.0, (values.len() - 1) as f32);
    let before = at as usize;
    let part = at - before as f32;
    let first = values[before];
    if part == 0.0 {
        return first;
    }
    first + (values[before + 1] - first) * part
}
