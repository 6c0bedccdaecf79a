//! Images of maps, drawn by `lanternfell_render`.
//!
//! Meters are used only if the scale of the map is known. Otherwise there is no snow line in
//! meters, and the terrain gets a height that looks good. The command-line tool draws maps in the
//! same way.

use js_sys::Function;
use lanternfell_heightmap::{
    LandCover, Progress, RgbImage, analysis::Hillshade, stretched_sea_level,
};
use lanternfell_render::{Look, Palette, PerspectiveView, ShadedReliefView, TopView};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::{
    bytes::Bytes,
    error::Failure,
    map::{self, Land, has_room},
    progress::watched,
};

/// A view of a map.
#[derive(Deserialize)]
#[serde(tag = "view", rename_all = "camelCase")]
pub(crate) enum View {
    Top(Top),
    Shaded(Shaded),
    Perspective(Perspective),
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Covered {
    #[default]
    Temperate,
    Desert,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Colors {
    #[default]
    Natural,
    Article,
    Gray,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Top {
    #[serde(default)]
    cover: Covered,
    snow_line: Option<f32>,
    vertical_scale: Option<f64>,
    sun_azimuth: Option<f64>,
    sun_elevation: Option<f64>,
    #[serde(default)]
    palette: Colors,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Shaded {
    tints: Option<bool>,
    contours: Option<f64>,
    labels: Option<bool>,
    sun_azimuth: Option<f64>,
    sun_elevation: Option<f64>,
    exaggeration: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Perspective {
    #[serde(default)]
    cover: Covered,
    snow_line: Option<f32>,
    vertical_scale: Option<f64>,
    sun_azimuth: Option<f64>,
    sun_elevation: Option<f64>,
    width: Option<u32>,
    height: Option<u32>,
    azimuth: Option<f64>,
    elevation: Option<f64>,
    field_of_view: Option<f64>,
    zoom: Option<f64>,
    samples: Option<u32>,
}

/// A drawn image that JavaScript can read.
#[wasm_bindgen]
pub struct DrawnPicture(RgbImage);

#[wasm_bindgen]
impl DrawnPicture {
    /// Width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.width()
    }

    /// Height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.height()
    }

    /// The pixels as red, green, blue and 255.
    pub fn rgba(&self) -> Vec<u8> {
        let (pixels, _) = self.0.bytes().as_chunks::<3>();
        pixels
            .iter()
            .flat_map(|&[red, green, blue]| [red, green, blue, 255])
            .collect()
    }

    /// The image as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, JsValue> {
        let mut file = Bytes::default();
        lanternfell_io::write_image(&self.0, &mut file, &Progress::default())
            .map_err(Failure::from)?;
        Ok(file.0)
    }
}

/// Draws a map.
#[wasm_bindgen]
pub fn render(
    facts: &str,
    heights: Vec<f32>,
    view: &str,
    on_progress: Option<Function>,
) -> Result<DrawnPicture, JsValue> {
    let land = map::land(facts, heights)?;
    let view = read(view)?;
    watched(on_progress, |progress| {
        Ok(DrawnPicture(draw(land, &view, progress)?))
    })
}

pub(crate) fn read(view: &str) -> Result<View, Failure> {
    serde_json::from_str(view).map_err(|error| Failure::of_json("view", &error))
}

/// Draws a map. Heights outside 0 to 1 are normalized first.
pub(crate) fn draw(mut land: Land, view: &View, progress: &Progress) -> Result<RgbImage, Failure> {
    view.check_memory(&land)?;
    stretch(&mut land)?;
    let Land { model, sea_level } = &land;
    Ok(match view {
        View::Top(top) => top.view(&land).draw(&model.heights, progress)?,
        View::Shaded(shaded) => shaded.view(&land)?.draw(&model.heights, progress)?,
        View::Perspective(perspective) => {
            let mut view = perspective.view(&land);
            view.sea_level = *sea_level;
            view.draw(&model.heights, progress)?
        }
    })
}

impl View {
    /// Returns an error if the image and the temporary data do not fit into memory.
    fn check_memory(&self, land: &Land) -> Result<(), Failure> {
        /// Bytes per pixel: as drawn, and as returned to JavaScript.
        const PIXEL: usize = 3 + 4;
        /// Temporary floats per cell of the map, such as light and slopes.
        const TEMPORARY_FLOATS: usize = 3;
        let cells = land.model.size().cells();
        let pixels = match self {
            Self::Top(_) | Self::Shaded(_) => cells,
            Self::Perspective(view) => {
                let usual = PerspectiveView::default();
                let width = view.width.unwrap_or(usual.width) as usize;
                let height = view.height.unwrap_or(usual.height) as usize;
                width.saturating_mul(height)
            }
        };
        let picture = pixels.saturating_mul(PIXEL);
        if has_room([picture].into_iter().chain([4 * cells; TEMPORARY_FLOATS])) {
            return Ok(());
        }
        Err(Failure::of_parameter(
            format_args!("an image of {pixels} pixels does not fit into memory"),
            "view",
        ))
    }
}

/// Normalizes a map with heights outside 0 to 1, and adjusts its sea level.
fn stretch(land: &mut Land) -> Result<(), Failure> {
    let (low, high) = land.model.heights.range();
    if low >= 0.0 && high <= 1.0 {
        return Ok(());
    }
    land.model.normalize(&Progress::default())?;
    land.sea_level = stretched_sea_level(land.sea_level, (low, high));
    Ok(())
}

impl Land {
    /// The world height of a height of 1, in lengths of the map's longer side. `None` if the scale
    /// is not known.
    fn rise(&self) -> Option<f64> {
        let size = self.model.size();
        let cells = size.width().max(size.height());
        let rise = f64::from(self.model.scale().steepness()) / cells as f64;
        let known = self.model.frame.place_is_explicit;
        known.then_some(rise.clamp(0.01, 2.0))
    }

    fn look(&self, cover: &Covered, snow_line: Option<f32>) -> Look {
        let known = self.model.frame.place_is_explicit;
        Look {
            cover: match cover {
                Covered::Temperate => LandCover::Temperate,
                Covered::Desert => LandCover::Desert,
            },
            relief: known.then(|| self.model.scale().relief),
            snow_line,
        }
    }
}

impl Top {
    fn view(&self, land: &Land) -> TopView {
        let usual = TopView::default();
        let rise = self.vertical_scale.or_else(|| land.rise());
        TopView {
            palette: match self.palette {
                Colors::Natural => Palette::Natural,
                Colors::Article => Palette::Article,
                Colors::Gray => Palette::Gray,
            },
            sea_level: land.sea_level,
            vertical_scale: rise.unwrap_or(usual.vertical_scale),
            sun_azimuth: self.sun_azimuth.unwrap_or(usual.sun_azimuth),
            sun_elevation: self.sun_elevation.unwrap_or(usual.sun_elevation),
            look: land.look(&self.cover, self.snow_line),
        }
    }
}

impl Shaded {
    /// The smallest contour interval, as a share of the relief.
    const FINEST: f32 = 0.001;

    fn view(&self, land: &Land) -> Result<ShadedReliefView, Failure> {
        let usual = Hillshade::default();
        let elevation = land.model.frame.elevation;
        Ok(ShadedReliefView {
            scale: land.model.ground_scale(),
            hillshade: Hillshade {
                azimuth: self.sun_azimuth.unwrap_or(usual.azimuth),
                altitude: self.sun_elevation.unwrap_or(usual.altitude),
                z_factor: self.exaggeration.unwrap_or(usual.z_factor),
                ..usual
            },
            tints: self.tints.unwrap_or(true),
            sea_level: land.sea_level,
            contours: self.contours(elevation.relief.abs())?,
            labels: self.labels.unwrap_or(false).then_some(elevation),
        })
    }

    /// The contour interval in heights of the map. 0 for no contours.
    fn contours(&self, relief: f64) -> Result<f32, Failure> {
        let meters = self.contours.unwrap_or(0.0);
        let share = (meters / relief) as f32;
        if meters == 0.0 || share > 1.0 {
            return Ok(0.0);
        }
        if share >= Self::FINEST {
            return Ok(share);
        }
        let least = relief / f64::from(Self::FINEST).recip().round();
        Err(Failure::of_parameter(
            format_args!("contours is {meters}, but must be 0 or at least {least} m on this map"),
            "contours",
        ))
    }
}

impl Perspective {
    fn view(&self, land: &Land) -> PerspectiveView {
        let usual = PerspectiveView::default();
        let rise = self.vertical_scale.or_else(|| land.rise());
        PerspectiveView {
            width: self.width.unwrap_or(usual.width),
            height: self.height.unwrap_or(usual.height),
            azimuth: self.azimuth.unwrap_or(usual.azimuth),
            elevation: self.elevation,
            field_of_view: self.field_of_view.unwrap_or(usual.field_of_view),
            zoom: self.zoom.unwrap_or(usual.zoom),
            sun_azimuth: self.sun_azimuth.unwrap_or(usual.sun_azimuth),
            sun_elevation: self.sun_elevation.unwrap_or(usual.sun_elevation),
            sea_level: land.sea_level,
            vertical_scale: rise.unwrap_or(usual.vertical_scale),
            samples: self.samples.unwrap_or(usual.samples),
            look: land.look(&self.cover, self.snow_line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaded(contours: f64) -> Result<RgbImage, Failure> {
        let facts = r#"{"width": 3, "height": 2, "spacing": 10, "relief": 400}"#;
        let land = map::land(facts, vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0])?;
        let view = read(&format!(r#"{{"view": "shaded", "contours": {contours}}}"#))?;
        draw(land, &view, &Progress::default())
    }

    #[test]
    fn contour_interval_is_in_meters() {
        let none = shaded(0.0).unwrap();
        assert_ne!(shaded(100.0).unwrap().bytes(), none.bytes());
        assert!(shaded(0.4).is_ok());
        assert_eq!(shaded(401.0).unwrap().bytes(), none.bytes());
        let failure = shaded(0.3).unwrap_err();
        assert_eq!(failure.parameter.as_deref(), Some("contours"));
        assert_eq!(
            failure.message,
            "contours is 0.3, but must be 0 or at least 0.4 m on this map"
        );
        assert!(shaded(-1.0).is_err());
    }
}
