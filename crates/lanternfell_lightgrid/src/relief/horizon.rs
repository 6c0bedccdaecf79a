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
            self.shade_side(side, lamp, radius as i32 + 1, |cell, share| {
                if area.contains(cell) {
                    let lit = &mut shares[area.place(cell)];
                    *lit = (*lit * share).min(Vec3::ONE);
                }
            });
        }
    }

    fn shade_side(&self, side: Side, lamp: Vec3, radius: i32, mut shine: impl FnMut(IVec2, f32)) {
        let at = lamp.truncate();
        let home = at.round().as_ivec2();
        let off = at - home.as_vec2();
        let [ahead, aside] = [side.away, side.along].map(|way| off.dot(way.as_vec2()));
        let cell = |forward: i32, sideways: i32| home + side.away * forward + side.along * sideways;
        // From the first to the last ray, which end at `-last` to `last` on the outermost square.
        let last = radius + 1;
        let outermost = radius as f32 - ahead;
        let mut horizons = vec![LOWEST; 2 * last as usize + 1];
        for forward in 1..=radius {
            let away = forward as f32 - ahead;
            let reach = away.ceil() as i32 + 1;
            for sideways in -reach..=reach {
                let here = cell(forward, sideways);
                if !side.has(here.as_vec2() - at) {
                    continue;
                }
                let ray = aside + (sideways as f32 - aside) * outermost / away + last as f32;
                let horizon = between(ray, |ray| horizons[ray.clamp(0, 2 * last) as usize]);
                let share = self.lit(here, lamp.z + horizon * away);
                shine(here, share * self.caught(here, lamp));
            }
            for (horizon, end) in horizons.iter_mut().zip(-last..) {
                let sideways = aside + (end as f32 - aside) * away / outermost;
                let top = between(sideways, |sideways| self.top(cell(forward, sideways)));
                *horizon = horizon.max((top - lamp.z) / away);
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

/// What is known at whole numbers, between two of them.
fn between(at: f32, value: impl Fn(i32) -> f32) -> f32 {
    let before = at.floor();
    let part = at - before;
    let first = value(before as i32);
    if part == 0.0 {
        return first;
    }
    first + (value(before as i32 + 1) - first) * part
}
