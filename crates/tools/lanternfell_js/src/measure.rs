//! Statistics of a map.

use js_sys::Function;
use lanternfell_heightmap::analysis::{Slope, Statistics, percentiles};
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::{
    error::Failure,
    map::{self, Land, has_room},
    progress::watched,
};

/// The statistics as JSON.
#[wasm_bindgen]
pub fn measure(
    facts: &str,
    heights: Vec<f32>,
    on_progress: Option<Function>,
) -> Result<String, JsValue> {
    /// Temporary copies in units of the map: the slopes, and the sorted slopes.
    const TEMPORARY_MAPS: usize = 2;
    let Land { model, sea_level } = map::land(facts, heights)?;
    if !has_room([4 * model.size().cells(); TEMPORARY_MAPS]) {
        return Err(Failure::new("the map's slopes do not fit into memory").into());
    }
    watched(on_progress, |progress| {
        let map = &model.heights;
        let elevation = model.frame.elevation;
        let meters = |height: f64| elevation.offset + elevation.relief * height;
        let found = Statistics::of(map, &progress.span(0.0, 0.3))?;
        let ground = model.ground_scale();
        let slopes = Slope::default().of(map, ground, &progress.span(0.3, 0.6))?;
        let steep = percentiles(&slopes, &[50.0, 90.0], &progress.span(0.6, 1.0))?;
        Ok(json!({
            "lowest": elevation.meters(found.min),
            "highest": elevation.meters(found.max),
            "mean": meters(found.mean),
            "median": meters(found.median),
            "deviation": (elevation.relief * found.deviation).abs(),
            "land": map.share_above(sea_level),
            "medianSlope": steep[0],
            "steepSlope": steep[1],
        })
        .to_string())
    })
}
