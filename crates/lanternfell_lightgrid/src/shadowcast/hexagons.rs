//! Fields of view on hexagons: six sextants, one after the other.

use glam::{I64Vec2, IVec2};

use super::{
    FieldOfView,
    scan::{Bounds, scan},
};
use crate::{
    axial::{AXES, axial_of},
    hexagonal::{rows_within, squared_distance, squared_radius},
};

impl FieldOfView {
    /// Computes the cells that are visible from `origin` on a hexagonal grid (see
    /// [`hexagonal`](crate::hexagonal)).
    ///
    /// It works like the method for squares, is symmetric as well, and its disc is round in the
    /// plane. With a radius of 1 the origin and its six neighbors are visible.
    ///
    /// ```
    /// use lanternfell_lightgrid::{FieldOfView, IVec2};
    ///
    /// let mut view = FieldOfView::new();
    /// view.compute_hexagonal(IVec2::new(4, 3), 3, |cell| cell == IVec2::new(5, 3));
    /// assert!(view.contains(IVec2::new(5, 3)) && !view.contains(IVec2::new(6, 3)));
    /// assert!(view.contains(IVec2::new(6, 4)));
    /// ```
    pub fn compute_hexagonal(
        &mut self,
        origin: IVec2,
        radius: u32,
        is_opaque: impl Fn(IVec2) -> bool,
    ) {
        let radius = radius.min(Self::MAX_RADIUS);
        self.clear_hexagonal(origin, radius);
        let Self {
            radius: middle,
            ref mut seen,
            ref disc,
            ref mut sectors,
            ..
        } = *self;
        let center = axial_of(origin);
        let place = |cell: IVec2| {
            let x = cell.x.wrapping_sub(origin.x) + middle;
            let y = cell.y.wrapping_sub(origin.y) + middle;
            (x as usize, y as usize)
        };
        seen.insert(middle as usize, middle as usize);
        for sextant in 0..6 {
            let (step, side_step) = (AXES[sextant], AXES[(sextant + 2) % 6]);
            let cell = |row: i32, column: i32| {
                cell_at(center + step * i64::from(row) + side_step * i64::from(column))
            };
            scan(
                sectors,
                Bounds::Sextant { disc },
                // Beyond the limits of i32 there are no cells.
                |row, column| cell(row, column).is_none_or(&is_opaque),
                |row, first, last| {
                    let cells = (first..=last).filter_map(|column| cell(row, column));
                    let mut places = cells.map(place);
                    if side_step.y != 0 {
                        places.for_each(|(x, y)| seen.insert(x, y));
                    } else if let Some((x, y)) = places.next() {
                        // The rows of this sextant are rows of the grid.
                        let end = places.next_back().map_or(x, |(x, _)| x);
                        seen.insert_in_row(y, x.min(end), x.max(end));
                    }
                },
            );
        }
    }

    /// Removes all cells and sets the origin and radius.
    fn clear_hexagonal(&mut self, origin: IVec2, radius: u32) {
        let rows = rows_within(radius);
        self.origin = origin;
        self.radius = rows as i32;
        self.seen.reset(2 * rows as usize + 1);
        self.sectors.clear();
        self.disc.clear();
        self.hexagonal = true;
        let within = squared_radius(radius);
        let mut first = 0;
        self.disc.extend((0..=rows).map(|row| {
            while squared_distance(row.into(), first) > within {
                first += 1;
            }
            first as i32
        }));
    }
}

/// The cell with these axial coordinates, or `None` beyond the limits of i32.
fn cell_at(axial: I64Vec2) -> Option<IVec2> {
    let x = i32::try_from(axial.x + (axial.y >> 1)).ok()?;
    Some(IVec2::new(x, i32::try_from(axial.y).ok()?))
}
