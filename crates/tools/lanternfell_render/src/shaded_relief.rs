//! Shaded relief with hypsometric tints and contours.
//!
//! ```text
//!   tint by height   x   hillshade   +   contours, every fifth one bold
//! ```
//!
//! Land tints run from green through yellow and brown to white, water tints from light to dark
//! blue, as on most maps since Imhof. Level terrain keeps its tint. Slopes toward the sun are
//! lighter and slopes away from it darker, but never so dark that a contour disappears. Under water
//! the shading is weak, since the map is about the land. Without tints the shading uses the full
//! range from black to white. Bold contours can show their height (see `labels`).
//!
//! Source: Imhof, *Kartographische Geländedarstellung*, 1965.

use crate::{RenderError, labels, lines::Ink, top};
use lanternfell_heightmap::{
    Elevation, GroundScale, Heightmap, ParamError, Progress, RgbImage,
    analysis::{Contour, Hillshade, contours},
    is_land, rows,
};

/// A shaded relief map: the heightmap from above, one pixel per cell, north up.
///
/// ```
/// use lanternfell_heightmap::{Hills, MapSize, Progress, Recipe};
/// use lanternfell_render::ShadedReliefView;
///
/// let recipe = Recipe::new(MapSize::new(64, 48)?, 7, Hills::default());
/// let map = recipe.generate(&Progress::default())?;
/// let view = ShadedReliefView { contours: 0.1, ..ShadedReliefView::new(recipe.scale()) };
/// let image = view.draw(&map, &Progress::default())?;
/// assert_eq!((image.width(), image.height()), (64, 48));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ShadedReliefView {
    /// Meters per cell, and meters per height of 1.
    pub scale: GroundScale,
    /// The direction of the sun, and the vertical exaggeration.
    pub hillshade: Hillshade,
    /// Whether heights have tints. If `false`, only the hillshade is drawn, as on a plaster model.
    /// Default: `true`.
    pub tints: bool,
    /// The height of the sea, at most 1, or below 0 for no sea. Default: 0.5. Heights above it are
    /// land: see [`is_land`]. Without a sea, tints and contours start at 0. Has no effect without
    /// tints.
    pub sea_level: f32,
    /// The contour interval, in heights from 0.001 to 1, counted from the sea. Every fifth contour
    /// is bold. Default: 0 (no contours).
    pub contours: f32,
    /// Converts heights to meters, for labels on bold contours. Default: `None` (no labels). With
    /// labels, contours are counted from 0 m instead of from the sea, so that their heights are
    /// round numbers.
    pub labels: Option<Elevation>,
}

/// A share of the way from the coast, and the color there.
type Tint = (f32, [f32; 3]);

/// From the coast to the highest terrain.
const LAND: [Tint; 6] = [
    (0.0, [172.0, 200.0, 150.0]),
    (0.15, [196.0, 213.0, 160.0]),
    (0.35, [232.0, 222.0, 172.0]),
    (0.6, [205.0, 174.0, 128.0]),
    (0.8, [176.0, 148.0, 122.0]),
    (1.0, [244.0, 241.0, 236.0]),
];

/// From the coast to the deepest water.
const WATER: [Tint; 4] = [
    (0.0, [196.0, 222.0, 236.0]),
    (0.2, [168.0, 204.0, 227.0]),
    (0.6, [124.0, 172.0, 209.0]),
    (1.0, [88.0, 138.0, 186.0]),
];

/// The brightness without sun, as a share of the brightness of level terrain. Without tints only.
const DARKEST_PLASTER: f32 = 0.16;

/// The share of its tint that the darkest slope keeps. Brown contours stay visible on it.
const DARKEST_TINT: f32 = 0.58;

/// How far toward white a slope gets, per unit of light above that of level terrain.
const BRIGHTENING: f32 = 0.75;

/// The share of the shading that remains under water.
const UNDER_WATER: f32 = 0.3;

/// The color of contours: burnt umber, darker than in print, so that it is visible on shaded
/// slopes.
const INK: [u8; 3] = [92, 58, 32];

/// The color around labels: the lightest land tint.
const PAPER: [u8; 3] = [244, 241, 236];

/// Every fifth contour is bold.
const STRONG: i32 = 5;

impl ShadedReliefView {
    /// Creates a view with the default settings at this scale.
    pub fn new(scale: impl Into<GroundScale>) -> Self {
        Self {
            scale: scale.into(),
            hillshade: Hillshade::default(),
            tints: true,
            sea_level: 0.5,
            contours: 0.0,
            labels: None,
        }
    }

    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let range = |name, value, min, max| {
            ParamError::check_range("shaded relief view", name, value, min, max)
        };
        self.scale.validate()?;
        self.hillshade.validate()?;
        top::check_sea("shaded relief view", self.sea_level)?;
        if self.contours == 0.0 {
            return Ok(());
        }
        range("contours", ParamError::shortest(self.contours), 0.001, 1.0)
    }

    /// Draws the map. Heights outside 0 to 1 get the color of the nearer end.
    ///
    /// # Errors
    /// [`RenderError::Param`] if a setting is outside its range, and [`RenderError::Canceled`] if
    /// the work was canceled.
    pub fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<RgbImage, RenderError> {
        self.validate()?;
        let shade = self
            .hillshade
            .of(map, self.scale, &progress.span(0.0, 0.4))?;
        let level = self.level_shade();
        let mut picture = top::blank(map);
        let painted = progress.span(0.4, 0.6);
        rows::for_each_row(picture.bytes_mut(), 3 * map.width(), &painted, |y, row| {
            let cells = map.row(y).iter().zip(shade.row(y));
            for (pixel, (&height, &light)) in row.as_chunks_mut().0.iter_mut().zip(cells) {
                *pixel = self.color(height, light, level);
            }
        })?;
        if self.contours > 0.0 {
            self.draw_contours(map, &mut picture, &progress.span(0.6, 1.0))?;
        }
        progress.step(1, 1)?;
        Ok(picture)
    }

    /// The hillshade of level terrain: the sine of the sun's altitude, for any number of suns.
    fn level_shade(&self) -> f32 {
        (libm::sin(self.hillshade.altitude.to_radians()) as f32).max(0.05)
    }

    /// The color of a cell with the hillshade `light`, where level terrain has `level`.
    fn color(&self, height: f32, light: f32, level: f32) -> [u8; 3] {
        let (sea, light_of_plain) = (self.sea_level.max(0.0), light / level);
        if !self.tints {
            plaster(light, level)
        } else if is_land(height, self.sea_level) {
            let share = (height - sea) / (1.0 - sea).max(f32::MIN_POSITIVE);
            lit(between(&LAND, share), light_of_plain)
        } else {
            let share = (sea - height) / sea.max(f32::MIN_POSITIVE);
            let muted = 1.0 + UNDER_WATER * (light_of_plain - 1.0);
            lit(between(&WATER, share), muted)
        }
    }

    /// The numbers of the contours, of which multiples of five are bold, and their heights in
    /// ascending order.
    fn levels(&self, map: &Heightmap) -> Vec<(i32, f32)> {
        let (low, high) = map.range();
        let (lowest, high) = (
            if self.tints {
                self.sea_level.max(0.0)
            } else {
                low
            },
            high.min(1.0),
        );
        let Some(elevation) = self.labels else {
            let last = ((high - lowest) / self.contours).floor().max(0.0) as i32;
            return (0..=last)
                .map(|k| (k, lowest + k as f32 * self.contours))
                .collect();
        };
        let step = ParamError::shortest(self.contours);
        let base = -elevation.offset / elevation.relief;
        let number = |height: f32| (f64::from(height) - base) / step;
        let (first, last) = (number(lowest).ceil(), number(high).floor());
        let numbers = first as i32..=last as i32;
        numbers
            .map(|k| (k, (base + f64::from(k) * step) as f32))
            .collect()
    }

    /// The height of a contour in meters, with as many decimals as the contour interval needs.
    fn meters(&self, contour: &Contour, elevation: Elevation) -> String {
        let step = ParamError::shortest(self.contours) * elevation.relief.abs();
        let digits = (0..6).find(|&digits| step * f64::from(10_u32.pow(digits)) >= 0.995);
        let digits = digits.unwrap_or(6) as usize;
        let text = format!("{:.digits$}", elevation.meters(contour.level));
        if text
            .trim_start_matches('-')
            .bytes()
            .all(|byte| b"0.".contains(&byte))
        {
            return "0".to_owned();
        }
        text
    }

    fn draw_contours(
        &self,
        map: &Heightmap,
        picture: &mut RgbImage,
        progress: &Progress,
    ) -> Result<(), RenderError> {
        let levels = self.levels(map);
        let heights: Vec<f32> = levels.iter().map(|&(_, height)| height).collect();
        let is_strong = |contour: &Contour| {
            let place = heights.partition_point(|&height| height < contour.level);
            levels
                .get(place)
                .is_some_and(|&(number, _)| number % STRONG == 0)
        };
        let mut ink = Ink::new(map.width(), map.height());
        let lines = contours(map, &heights, &progress.span(0.0, 0.5))?;
        for contour in &lines {
            let (width, strength) = if is_strong(contour) {
                (1.5, 0.92)
            } else {
                (0.9, 0.6)
            };
            let first = contour.points.first().filter(|_| contour.closed);
            let next = contour.points.iter().skip(1).chain(first);
            for (&from, &to) in contour.points.iter().zip(next) {
                ink.line(from, to, width, strength);
            }
            progress.check()?;
        }
        if let Some(elevation) = self.labels {
            let strong = lines.iter().filter(|contour| is_strong(contour));
            let labelled: Vec<_> = strong
                .map(|line| (line, self.meters(line, elevation)))
                .collect();
            let size = letter_size(map);
            let mut rim = Ink::new(map.width(), map.height());
            for label in labels::place(&labelled, &ink, size, &progress.span(0.5, 0.6))? {
                label.write(&mut ink, &mut rim, size);
            }
            rim.print(picture, PAPER, &Progress::default())?;
        }
        Ok(ink.print(picture, INK, &progress.span(0.6, 1.0))?)
    }
}

/// The height of label digits in pixels.
fn letter_size(map: &Heightmap) -> f64 {
    let longer = map.width().max(map.height()) as f64;
    (longer / 110.0).clamp(7.0, 24.0)
}

/// The tint at `share` of the way. Clamped to the ends.
fn between(tints: &[Tint], share: f32) -> [f32; 3] {
    let next = tints.partition_point(|&(at, _)| at < share);
    let upper = tints[next.min(tints.len() - 1)];
    let lower = tints[next.saturating_sub(1)];
    let span = upper.0 - lower.0;
    let part = if span > 0.0 {
        ((share - lower.0) / span).clamp(0.0, 1.0)
    } else {
        0.0
    };
    core::array::from_fn(|k| lower.1[k] + (upper.1[k] - lower.1[k]) * part)
}

/// The gray of untinted relief. Level terrain under a sun at 45 degrees is 181 and a slope that
/// faces the sun is white, as in `gdaldem hillshade` of GDAL. Unlike there, shadows are not black.
fn plaster(light: f32, level: f32) -> [u8; 3] {
    let light = if light < level {
        light + DARKEST_PLASTER * (level - light)
    } else {
        light
    };
    [(1.0 + 254.0 * light + 0.5) as u8; 3]
}

/// A tint in light relative to level terrain: darker below 1, toward white above 1.
fn lit(tint: [f32; 3], light: f32) -> [u8; 3] {
    tint.map(|part| {
        let part = if light <= 1.0 {
            part * (DARKEST_TINT + (1.0 - DARKEST_TINT) * light)
        } else {
            part + (255.0 - part) * (BRIGHTENING * (light - 1.0)).min(1.0)
        };
        (part + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{MapSize, Scale};

    fn view() -> ShadedReliefView {
        ShadedReliefView::new(Scale {
            spacing: 1.0,
            relief: 10.0,
        })
    }

    fn map(height: impl Fn(usize, usize) -> f32) -> Heightmap {
        let size = MapSize::new(40, 30).unwrap();
        let heights = (0..30).flat_map(|y| (0..40).map(move |x| (x, y)));
        let heights = heights.map(|(x, y)| height(x, y)).collect();
        Heightmap::from_heights(size, heights).unwrap()
    }

    #[test]
    fn level_terrain_keeps_its_tint() {
        let draw = |z| {
            view()
                .draw(&map(|_, _| z), &Progress::default())
                .unwrap()
                .pixel(20, 15)
        };
        assert_eq!(draw(1.0), LAND[5].1.map(|part| part as u8));
        assert_eq!(draw(0.0), WATER[3].1.map(|part| part as u8));
        let [r, _, b] = draw(0.5);
        assert!(b > r, "terrain at sea level is water");
        let plaster = ShadedReliefView {
            tints: false,
            ..view()
        };
        let flat = plaster
            .draw(&map(|_, _| 0.7), &Progress::default())
            .unwrap();
        assert_eq!(flat.pixel(3, 3), [181; 3], "as in gdaldem");
    }

    #[test]
    fn slopes_towards_the_sun_are_lighter() {
        let ridge = map(|x, _| 1.0 - (x as f32 - 20.0).abs() / 20.0);
        let picture = ShadedReliefView {
            tints: false,
            ..view()
        }
        .draw(&ridge, &Progress::default())
        .unwrap();
        let (west, east) = (picture.pixel(10, 15)[0], picture.pixel(30, 15)[0]);
        assert!(west > 190 && east < 170, "{west} and {east}");
    }

    #[test]
    fn contours_are_at_their_heights() {
        let slope = map(|x, _| x as f32 / 39.0);
        let plain = ShadedReliefView {
            sea_level: 0.0,
            ..view()
        };
        let lined = ShadedReliefView {
            contours: 0.25,
            ..plain.clone()
        };
        let without = plain.draw(&slope, &Progress::default()).unwrap();
        let with = lined.draw(&slope, &Progress::default()).unwrap();
        let changed: Vec<u32> = (0..40)
            .filter(|&x| with.pixel(x, 15) != without.pixel(x, 15))
            .collect();
        // At 0, 9.75, 19.5, 29.25 and 39 cells from the west.
        for line in [9.75, 19.5, 29.25] {
            assert!(
                changed.iter().any(|&x| (f64::from(x) - line).abs() <= 1.0),
                "{changed:?}"
            );
        }
        let near = |x: f64| {
            [0.0, 9.75, 19.5, 29.25, 39.0]
                .iter()
                .any(|line| (x - line).abs() <= 1.2)
        };
        assert!(changed.iter().all(|&x| near(x.into())), "{changed:?}");
    }

    #[test]
    fn labeled_contours_are_counted_from_zero_meters() {
        let slope = map(|x, _| x as f32 / 39.0);
        let view = ShadedReliefView {
            sea_level: 0.2,
            contours: 0.1,
            labels: Some(Elevation {
                offset: -50.0,
                relief: 200.0,
            }),
            ..view()
        };
        // The sea is at -10 m, and the highest terrain at 150 m.
        let levels = view.levels(&slope);
        assert_eq!(levels.len(), 8);
        for (k, &(number, height)) in (0..).zip(&levels) {
            assert_eq!(number, k);
            let meters = f64::from(height) * 200.0 - 50.0;
            assert!((meters - 20.0 * f64::from(k)).abs() < 1e-4, "{meters}");
            let contour = Contour {
                level: height,
                closed: false,
                points: Vec::new(),
            };
            let elevation = view.labels.unwrap();
            assert_eq!(view.meters(&contour, elevation), (20 * k).to_string());
            let fine = ShadedReliefView {
                contours: 0.0025,
                ..view.clone()
            };
            assert_eq!(
                fine.meters(&contour, elevation),
                if k == 0 {
                    "0".to_owned()
                } else {
                    format!("{}.0", 20 * k)
                }
            );
        }
    }

    #[test]
    fn rejects_settings_out_of_range() {
        let refused = |view: ShadedReliefView| view.validate().unwrap_err().to_string();
        let contours = refused(ShadedReliefView {
            contours: 1e-9,
            ..view()
        });
        assert!(contours.contains("contours is 1e-9") && contours.contains("from 0.001 to 1"));
        assert!(
            refused(ShadedReliefView {
                contours: f32::NAN,
                ..view()
            })
            .contains("contours is NaN")
        );
        assert!(
            refused(ShadedReliefView {
                sea_level: 2.0,
                ..view()
            })
            .contains("sea_level is 2")
        );
        let progress = Progress::default();
        progress.cancel();
        let drawn = view().draw(&map(|_, _| 0.0), &progress);
        assert!(matches!(drawn, Err(RenderError::Canceled(_))));
    }
}
