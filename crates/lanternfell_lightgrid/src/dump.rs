//! The light as text, for tests, logs and terminals.

use core::fmt::{self, Write};

use glam::IVec2;

use crate::grid::LightGrid;

/// From dark to bright. Each shade is twice as bright as the previous one.
const SHADES: [char; 8] = [' ', '.', ':', '-', '=', '+', '*', '@'];

impl LightGrid {
    /// Formats the light as text, with one line per row.
    ///
    /// Opaque cells are `#`, or `%` if they are dark. Other cells range from a space for dark over
    /// `. : - = + *` to `@` for full light; each is twice as bright as the previous one. On
    /// hexagonal grids the characters are separated by spaces, and odd rows are indented by one
    /// space.
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
    pub fn dump(&self) -> LightDump<'_> {
        LightDump(self)
    }
}

/// Displays the light of a grid as text; see [`LightGrid::dump`].
#[derive(Debug, Clone, Copy)]
pub struct LightDump<'a>(&'a LightGrid);

impl fmt::Display for LightDump<'_> {
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

impl LightDump<'_> {
    fn character(&self, cell: IVec2) -> char {
        let luminance = self.0.luminance(cell);
        // Shade 7 from a luminance of 1, shade 6 from 1/2, down to shade 1 from 1/64.
        let brighter = |shade: &usize| luminance >= 1.0 / (1 << (7 - shade)) as f32;
        let shade = (1..SHADES.len()).rev().find(brighter).unwrap_or(0);
        match (self.0.is_opaque(cell), shade) {
            (true, 0) => '%',
            (true, _) => '#',
            (false, shade) => SHADES[shade],
        }
    }
}
