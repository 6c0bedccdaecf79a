//! The map from above, one pixel per cell, north up.

use crate::{Look, RenderError, above::Above, camera};
use lanternfell_heightmap::{Heightmap, ParamError, Picture, Progress, rows};

/// The colors of a [`TopView`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Palette {
    /// Sand, grass, rock and snow in the sun, and water that is darker where it is deeper.
    #[default]
    Natural,
    /// The colors of Leib's article on simplex islands: with `E = 255 z`, land is
    /// `(0, E, E/4)` and water `(0, E/4, E)`.
    Article,
    /// `round(255 z)`, black lowest.
    Gray,
}

/// A view of a map from above, one pixel per cell, north up.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress};
/// use lanternfell_render::{Palette, TopView};
///
/// let view = TopView { palette: Palette::Article, sea_level: 0.5, ..TopView::default() };
/// let flat = Heightmap::flat(MapSize::new(4, 3)?);
/// let picture = view.draw(&flat, &Progress::default())?;
/// assert_eq!((picture.width(), picture.height()), (4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TopView {
    /// The colors. [`Palette::Natural`] by default.
    pub palette: Palette,
    /// The height of the sea on the map, from 0 to 1; 127/255 by default, as in the
    /// article. Land is what is higher. Of no effect on [`Palette::Gray`].
    pub sea_level: f32,
    /// How far a height of 1 rises, in lengths of the map's longer side, from 0.01 to 2;
    /// 0.2 by default. For [`Palette::Natural`] only, as the next two.
    pub vertical_scale: f64,
    /// Where the sun stands, in degrees: 0 north, 90 east. 315 by default, from -360 to
    /// 360: light from the upper left is how maps are shaded.
    pub sun_azimuth: f64,
    /// How high the sun stands over the horizon, in degrees, from 1 to 90; 35 by default.
    pub sun_elevation: f64,
    /// What covers the land, and from which height; for [`Palette::Natural`].
    pub look: Look,
}

impl TopView {
    /// The sea level of Leib's article: land iff `255 z > 127`.
    pub const ARTICLE_SEA_LEVEL: f32 = 127.0 / 255.0;

    /// Checks every setting against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let range =
            |name, value, min, max| ParamError::check_range("top view", name, value, min, max);
        range("sea_level", ParamError::shortest(self.sea_level), 0.0, 1.0)?;
        range("vertical_scale", self.vertical_scale, 0.01, 2.0)?;
        range("sun_azimuth", self.sun_azimuth, -360.0, 360.0)?;
        range("sun_elevation", self.sun_elevation, 1.0, 90.0)?;
        self.look.validate()
    }

    /// Draws the map. Heights outside 0 to 1 get the color of the nearer end.
    ///
    /// # Errors
    /// [`RenderError::Param`] when a setting is outside its range, and
    /// [`RenderError::Cancelled`] when the work was cancelled.
    pub fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<Picture, RenderError> {
        self.validate()?;
        match self.palette {
            Palette::Natural => self.natural(map, progress),
            Palette::Article => per_cell(map, progress, |z| article(z, self.sea_level)),
            Palette::Gray => per_cell(map, progress, |z| [byte(255.0 * z); 3]),
        }
    }

    fn natural(&self, map: &Heightmap, progress: &Progress) -> Result<Picture, RenderError> {
        let sun = camera::towards(
            self.sun_azimuth.to_radians(),
            self.sun_elevation.to_radians(),
        );
        let made = progress.span(0.0, 0.3);
        let (rise, sea) = (self.vertical_scale, self.sea_level);
        let above = Above::new(map, rise, sea, &self.look, sun, &made)?;
        let mut picture = blank(map);
        above.draw(&mut picture, &progress.span(0.3, 1.0))?;
        Ok(picture)
    }
}

impl Default for TopView {
    fn default() -> Self {
        Self {
            palette: Palette::default(),
            sea_level: Self::ARTICLE_SEA_LEVEL,
            vertical_scale: 0.2,
            sun_azimuth: 315.0,
            sun_elevation: 35.0,
            look: Look::default(),
        }
    }
}

pub(super) fn blank(map: &Heightmap) -> Picture {
    Picture::black(map.width() as u32, map.height() as u32)
}

/// A picture in which each cell's color follows from its height alone.
fn per_cell(
    map: &Heightmap,
    progress: &Progress,
    color: impl Fn(f32) -> [u8; 3] + Sync + Send,
) -> Result<Picture, RenderError> {
    let mut picture = blank(map);
    rows::for_each_row(picture.bytes_mut(), 3 * map.width(), progress, |y, row| {
        for (pixel, &height) in row.as_chunks_mut().0.iter_mut().zip(map.row(y)) {
            *pixel = color(height);
        }
    })?;
    Ok(picture)
}

fn article(height: f32, sea_level: f32) -> [u8; 3] {
    let (full, quarter) = (byte(255.0 * height), byte(63.75 * height));
    if height > sea_level {
        [0, full, quarter]
    } else {
        [0, quarter, full]
    }
}

/// Rounded, and held to 0 to 255.
fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_articles_colors_are_its_own() {
        let sea = TopView::ARTICLE_SEA_LEVEL;
        assert_eq!(article(0.0, sea), [0, 0, 0]);
        assert_eq!(article(127.0 / 255.0, sea), [0, 32, 127]);
        assert_eq!(article(128.0 / 255.0, sea), [0, 128, 32]);
        assert_eq!(article(1.0, sea), [0, 255, 64]);
        assert_eq!(article(0.3, 0.2), [0, 77, 19]);
    }
}
