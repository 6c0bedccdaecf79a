//! The view from above, one pixel per cell, north up.

use crate::{Look, RenderError, above::Above, camera, sea_bed};
use lanternfell_heightmap::{Heightmap, ParamError, Progress, RgbImage, is_land, rows};

/// The color palette of a [`TopView`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Palette {
    /// Sand, grass, rock and snow in sunlight, and water that gets darker with depth.
    #[default]
    Natural,
    /// The colors of Leib's article on simplex islands: with `E = 255 z`, land is `(0, E, E/4)` and
    /// water `(0, E/4, E)`.
    Article,
    /// Gray values `round(255 z)`: the lowest height is black.
    Gray,
}

/// A view of a heightmap from above, one pixel per cell, north up.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress};
/// use lanternfell_render::{Palette, TopView};
///
/// let view = TopView { palette: Palette::Article, sea_level: 0.5, ..TopView::default() };
/// let flat = Heightmap::flat(MapSize::new(4, 3)?);
/// let image = view.draw(&flat, &Progress::default())?;
/// assert_eq!((image.width(), image.height()), (4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TopView {
    /// The colors. Default: [`Palette::Natural`].
    pub palette: Palette,
    /// The height of the sea, at most 1, or below 0 for no sea. Default: 127/255, as in the
    /// article. Heights above it are land: see [`is_land`]. Has no effect on [`Palette::Gray`]. For
    /// a recipe, use its [`water_level`](lanternfell_heightmap::Recipe::water_level).
    pub sea_level: f32,
    /// The world height of a height of 1, in lengths of the map's longer side, from 0.01 to 2. For
    /// true proportions, use the relief divided by that length, both in meters. Default: 0.2. Used
    /// by [`Palette::Natural`] only.
    pub vertical_scale: f64,
    /// The azimuth of the sun in degrees, from -360 to 360: 0 is north, 90 east. Default: 315,
    /// since shaded maps conventionally have light from the upper left. Used by
    /// [`Palette::Natural`] only.
    pub sun_azimuth: f64,
    /// The elevation of the sun above the horizon in degrees, from 1 to 90. Default: 35. Used by
    /// [`Palette::Natural`] only.
    pub sun_elevation: f64,
    /// The surface cover and the snow line. Used by [`Palette::Natural`] only.
    pub look: Look,
}

impl TopView {
    /// The sea level of Leib's article: a cell is land if `255 z > 127`.
    pub const ARTICLE_SEA_LEVEL: f32 = 127.0 / 255.0;

    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let range =
            |name, value, min, max| ParamError::check_range("top view", name, value, min, max);
        check_sea("top view", self.sea_level)?;
        range("vertical_scale", self.vertical_scale, 0.01, 2.0)?;
        range("sun_azimuth", self.sun_azimuth, -360.0, 360.0)?;
        range("sun_elevation", self.sun_elevation, 1.0, 90.0)?;
        self.look.validate()
    }

    /// Draws the map. Heights outside 0 to 1 get the color of the nearer end.
    ///
    /// # Errors
    /// [`RenderError::Param`] if a setting is outside its range, and [`RenderError::Canceled`] if
    /// the work was canceled.
    pub fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<RgbImage, RenderError> {
        self.validate()?;
        match self.palette {
            Palette::Natural => self.natural(map, progress),
            Palette::Article => per_cell(map, progress, |z| article(z, self.sea_level)),
            Palette::Gray => per_cell(map, progress, |z| [byte(255.0 * z); 3]),
        }
    }

    fn natural(&self, map: &Heightmap, progress: &Progress) -> Result<RgbImage, RenderError> {
        let sun = camera::towards(
            self.sun_azimuth.to_radians(),
            self.sun_elevation.to_radians(),
        );
        let made = progress.span(0.0, 0.3);
        let (rise, sea) = (self.vertical_scale, self.sea_level);
        let map = &*sea_bed::with_bed(map, sea, rise, &made.span(0.0, 0.3))?;
        let made = made.span(0.3, 1.0);
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

/// Checks the sea level of a view.
pub(super) fn check_sea(owner: &'static str, sea_level: f32) -> Result<(), ParamError> {
    let fine = sea_level.is_finite() && sea_level <= 1.0;
    let value = ParamError::shortest(sea_level);
    ParamError::check(
        fine,
        owner,
        "sea_level",
        value,
        "at most 1; below 0 for no sea",
    )
}

pub(super) fn blank(map: &Heightmap) -> RgbImage {
    RgbImage::black(map.width() as u32, map.height() as u32)
}

/// An image in which the color of each cell depends on its height only.
fn per_cell(
    map: &Heightmap,
    progress: &Progress,
    color: impl Fn(f32) -> [u8; 3] + Sync + Send,
) -> Result<RgbImage, RenderError> {
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
    if is_land(height, sea_level) {
        [0, full, quarter]
    } else {
        [0, quarter, full]
    }
}

/// Rounds to the nearest integer, clamped to 0 to 255.
fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn article_palette_matches_article() {
        let sea = TopView::ARTICLE_SEA_LEVEL;
        assert_eq!(article(0.0, sea), [0, 0, 0]);
        assert_eq!(article(127.0 / 255.0, sea), [0, 32, 127]);
        assert_eq!(article(128.0 / 255.0, sea), [0, 128, 32]);
        assert_eq!(article(1.0, sea), [0, 255, 64]);
        assert_eq!(article(0.3, 0.2), [0, 77, 19]);
    }
}
