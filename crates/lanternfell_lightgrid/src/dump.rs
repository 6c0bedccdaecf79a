//! The light as text, for tests, logs and terminals.

use core::fmt::{self, Write};

use glam::IVec2;

use crate::grid::LightGrid;

/// From dark to bright, each twice as bright as the one before.
const SHADES: [char; 8] = [' ', '.', ':', '-', '=', '+', '*', '@'];

impl LightGrid {
    /// The light as text, a line for each row: opaque cells as `#`, or `%` when they are
    /// dark, others from a space for dark over `. : - = + *` to `@` for full light, each
    /// twice as bright as the one before. Between hexagons there is a space, and before those of odd
    /// rows another, so that they lie as in the plane.
    ///
    /// ```
    /// use lanternfell_lightgrid::{Cell, IVec2, LightGrid, LightSettings, Source, Vec3};
    ///
    /// let mut grid = LightGrid::new(9, 3, LightSettings::default())?;
    /// grid.fill(|cell| if cell.y == 1 { Cell::OPEN } else { Cell::BLACK_WALL })?;
    /// grid.set_sources(&[Source::new(IVec2::new(1, 1), Vec3::ONE)])?;
    /// grid.settle(1e-3);
    /// println!("{}", grid.dump());
    /// # Ok::<(), lanternfell_lightgrid::LightError>(())
    /// ```
    pub fn dump(&self) -> Dump<'_> {
        Dump(self)
    }
}

/// A grid's light as text; see [`LightGrid::dump`].
#[derive(Debug, Clone, Copy)]
pub struct Dump<'a>(&'a LightGrid);

impl fmt::Display for Dump<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.size().as_ivec2();
        let hexagonal = self.0.settings().neighborhood.is_hexagonal();
        for y in 0..size.y {
            for x in 0..size.x {
                if hexagonal && (x > 0 || y % 2 == 1) {
                    text.write_char(' ')?;
                }
                text.write_char(self.character(IVec2::new(x, y)))?;
            }
            text.write_char('\n')?;
        }
        Ok(())
    }
}

impl Dump<'_> {
    fn character(&self, cell: IVec2) -> char {
        let luminance = self.0.luminance(cell);
        // Shade 7 from 1 on, 6 from a half on, down to 1 from 1/64 on.
        let brighter = |shade: &usize| luminance >= 1.0 / (1 << (7 - shade)) as f32;
        let shade = (1..SHADES.len()).rev().find(brighter).unwrap_or(0);
        match (self.0.is_opaque(cell), shade) {
            (true, 0) => '%',
            (true, _) => '#',
            (false, shade) => SHADES[shade],
        }
    }
}
