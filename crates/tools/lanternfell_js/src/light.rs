//! Light grids that are held by JavaScript.

use std::sync::OnceLock;

use js_sys::Float32Array;
use lanternfell_lightgrid::{
    Cell, Falloff, FieldOfView, IVec2, LightBand, LightBands, LightGrid, LightSettings,
    Neighborhood, Source, Vec2, Vec3,
};
use lanternfell_random::Fnv1a;
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::{error::Failure, sight};

/// A [`LightGrid`].
#[wasm_bindgen]
pub struct Grid(LightGrid);

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Neighbors {
    Four,
    Eight,
    #[default]
    Isotropic,
}

/// The light settings from JavaScript.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    neighborhood: Neighbors,
    radius: Option<f32>,
    decay: Option<f32>,
    direct: f32,
    gray: bool,
}

impl Settings {
    fn read(json: &str) -> Result<Self, Failure> {
        serde_json::from_str(json).map_err(|error| Failure::of_json("settings", &error))
    }

    fn of_grid(&self) -> Result<LightSettings, Failure> {
        let falloff = match (self.radius, self.decay) {
            (None, None) => Falloff::default(),
            (Some(radius), None) => Falloff::Radius(radius),
            (None, Some(decay)) => Falloff::Decay(decay),
            (Some(_), Some(_)) => {
                let words = "settings: radius and decay exclude each other; set only one of them";
                return Err(Failure::of_parameter(words, "decay"));
            }
        };
        Ok(LightSettings {
            neighborhood: match self.neighborhood {
                Neighbors::Four => Neighborhood::Four,
                Neighbors::Eight => Neighborhood::Eight,
                Neighbors::Isotropic => Neighborhood::Isotropic,
            },
            falloff,
            direct: self.direct,
        })
    }
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Bands {
    from: Option<[f32; 3]>,
    hysteresis: Option<f32>,
}

impl Bands {
    fn read(json: &str) -> Result<LightBands, Failure> {
        let bands: Self =
            serde_json::from_str(json).map_err(|error| Failure::of_json("bands", &error))?;
        let usual = LightBands::default();
        let bands = LightBands {
            from: bands.from.unwrap_or(usual.from),
            hysteresis: bands.hysteresis.unwrap_or(usual.hysteresis),
        };
        bands.validate()?;
        Ok(bands)
    }
}

/// A cell from six numbers: the transparency and the albedo, per color.
fn cell_of(&[tr, tg, tb, ar, ag, ab]: &[f32; 6]) -> Cell {
    Cell {
        transparency: Vec3::new(tr, tg, tb),
        albedo: Vec3::new(ar, ag, ab),
    }
}

/// Exactly one cell from six numbers.
fn one_cell(numbers: &[f32]) -> Result<Cell, Failure> {
    match cells_of(numbers)?[..] {
        [cell] => Ok(cell),
        _ => Err(Failure::new("a cell must have six numbers")),
    }
}

/// Cells from six numbers each.
fn cells_of(numbers: &[f32]) -> Result<Vec<Cell>, Failure> {
    let (cells, rest) = numbers.as_chunks();
    if !rest.is_empty() {
        return Err(Failure::new("a cell must have six numbers"));
    }
    Ok(cells.iter().map(cell_of).collect())
}

/// Cell coordinates from pairs of column and row.
fn places(numbers: &[i32]) -> Result<impl Iterator<Item = IVec2>, Failure> {
    let (places, rest) = numbers.as_chunks();
    if !rest.is_empty() {
        return Err(Failure::of_parameter(
            "places must be pairs of x and y",
            "places",
        ));
    }
    Ok(places.iter().map(|&[x, y]| IVec2::new(x, y)))
}

#[wasm_bindgen]
impl Grid {
    /// Creates a dark grid.
    #[wasm_bindgen(constructor)]
    pub fn new(width: u32, height: u32, settings: &str) -> Result<Self, JsValue> {
        let settings = Settings::read(settings)?;
        let new = if settings.gray {
            LightGrid::gray
        } else {
            LightGrid::new
        };
        let grid = new(width, height, settings.of_grid()?);
        Ok(Self(grid.map_err(Failure::from)?))
    }

    /// The share of the light that is lost per step.
    pub fn decay(&self) -> f32 {
        self.0.decay()
    }

    /// Changes the light settings, except `gray`.
    pub fn set_settings(&mut self, settings: &str) -> Result<(), JsValue> {
        let settings = Settings::read(settings)?.of_grid()?;
        Ok(self.0.set_settings(settings).map_err(Failure::from)?)
    }

    /// The properties of a cell, as six numbers.
    pub fn cell(&self, x: i32, y: i32) -> Vec<f32> {
        let Cell {
            transparency,
            albedo,
        } = self.0.cell(IVec2::new(x, y));
        [transparency.to_array(), albedo.to_array()].concat()
    }

    /// Changes cells to one kind. If any cell is outside, no cell is changed.
    pub fn paint(&mut self, at: &[i32], cell: &[f32]) -> Result<(), JsValue> {
        let cell = one_cell(cell)?;
        self.check_inside(at)?;
        for place in places(at)? {
            self.0.set_cell(place, cell).map_err(Failure::from)?;
        }
        Ok(())
    }

    /// Changes all cells. Each is an index into the palette, which has six numbers per entry.
    pub fn set_cells(&mut self, kinds: &[u8], palette: &[f32]) -> Result<(), JsValue> {
        let palette = cells_of(palette)?;
        let cells = kinds.iter().map(|&kind| {
            let cell = palette.get(usize::from(kind)).copied();
            cell.ok_or_else(|| {
                let known = palette.len();
                Failure::of_parameter(
                    format_args!("kind is {kind}, but the palette has only {known} entries"),
                    "kinds",
                )
            })
        });
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        Ok(self.0.set_cells(cells).map_err(Failure::from)?)
    }

    /// Returns 1 for each opaque cell.
    pub fn walls(&self) -> Vec<u8> {
        let cells = self.0.cells().iter();
        cells.map(|cell| cell.is_opaque().into()).collect()
    }

    /// Replaces all sources: x, y, red, green and blue of each.
    pub fn set_sources(&mut self, numbers: &[f32]) -> Result<(), JsValue> {
        let (sources, rest) = numbers.as_chunks();
        if !rest.is_empty() {
            let words = "sources must have five numbers each: x, y, red, green, blue";
            return Err(Failure::of_parameter(words, "sources").into());
        }
        let sources: Vec<Source> = sources
            .iter()
            .map(|&[x, y, red, green, blue]| {
                Source::at(Vec2::new(x, y), Vec3::new(red, green, blue))
            })
            .collect();
        Ok(self.0.set_sources(&sources).map_err(Failure::from)?)
    }

    /// Assigns cells to a region. If any cell is outside, no cell is changed.
    pub fn set_region(&mut self, at: &[i32], region: u8) -> Result<(), JsValue> {
        self.check_inside(at)?;
        for place in places(at)? {
            self.0.set_region(place, region).map_err(Failure::from)?;
        }
        Ok(())
    }

    fn check_inside(&self, at: &[i32]) -> Result<(), Failure> {
        match places(at)?.find(|&place| !self.0.contains(place)) {
            None => Ok(()),
            Some(cell) => {
                let (x, y) = (cell.x, cell.y);
                let (width, height) = (self.0.width(), self.0.height());
                Err(Failure::of_parameter(
                    format_args!(
                        "cell ({x}, {y}) is outside of the grid of {width} x {height} cells"
                    ),
                    "places",
                ))
            }
        }
    }

    /// Sets the ambient light of a region.
    pub fn set_ambient(
        &mut self,
        region: u8,
        red: f32,
        green: f32,
        blue: f32,
    ) -> Result<(), JsValue> {
        let light = Vec3::new(red, green, blue);
        Ok(self.0.set_ambient(region, light).map_err(Failure::from)?)
    }

    /// Advances the light by this number of steps.
    pub fn step(&mut self, steps: u32) {
        self.0.step(steps);
    }

    /// Settles the light. Returns the outcome as JSON.
    pub fn settle(&mut self, tolerance: f32, sweeps: Option<u32>) -> String {
        let most = sweeps.unwrap_or(LightGrid::MAX_SWEEPS);
        let settled = self.0.settle_within(tolerance, most);
        // JSON has no infinity. It becomes `null`, which JavaScript converts back.
        json!({
            "sweeps": settled.sweeps,
            "atRest": settled.at_rest,
            "error": settled.error,
            "reached": settled.reached,
        })
        .to_string()
    }

    /// Removes all light until the next step or settle.
    pub fn darken(&mut self) {
        self.0.darken();
    }

    /// The light at a cell.
    pub fn light(&self, x: i32, y: i32) -> Vec<f32> {
        self.0.light(IVec2::new(x, y)).to_array().into()
    }

    /// The luminance of a cell.
    pub fn luminance(&self, x: i32, y: i32) -> f32 {
        self.0.luminance(IVec2::new(x, y))
    }

    /// The light of all cells, three numbers each.
    pub fn lights(&self, into: &Float32Array) -> Result<(), JsValue> {
        let lights: Vec<f32> = self.0.lights().flat_map(|light| light.to_array()).collect();
        copy(&lights, into)
    }

    /// The luminance of all cells.
    pub fn luminances(&self, into: &Float32Array) -> Result<(), JsValue> {
        let all: Vec<f32> = self.cells().map(|cell| self.0.luminance(cell)).collect();
        copy(&all, into)
    }

    /// All cells, row by row.
    fn cells(&self) -> impl Iterator<Item = IVec2> + use<> {
        let (width, height) = (self.0.width() as i32, self.0.height() as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| IVec2::new(x, y)))
    }

    /// The light as pixels of a canvas.
    pub fn rgba(&self, exposure: f32) -> Vec<u8> {
        let table = srgb_table();
        let bytes = self.0.lights().flat_map(|light| {
            let light = (light * exposure).to_array();
            let [red, green, blue] = light.map(|light| srgb(table, light));
            [red, green, blue, 255]
        });
        bytes.collect()
    }

    /// The bands of all cells. `before` is the previous result, for hysteresis.
    pub fn bands(&self, bands: &str, before: Option<Vec<u8>>) -> Result<Vec<u8>, JsValue> {
        let bands = Bands::read(bands)?;
        let expected = self.0.width() as usize * self.0.height() as usize;
        if let Some(found) = before
            .as_ref()
            .map(Vec::len)
            .filter(|&found| found != expected)
        {
            let words =
                format_args!("before has {found} bands, but must have {expected}, one per cell");
            return Err(Failure::of_parameter(words, "before").into());
        }
        let of_cell = |(place, cell)| {
            let before = before.as_ref().map(|all| band_of(all[place])).transpose()?;
            Ok(self.0.band(cell, &bands, before) as u8)
        };
        let all: Result<Vec<u8>, Failure> = self.cells().enumerate().map(of_cell).collect();
        Ok(all?)
    }

    /// The band of one cell.
    pub fn band(&self, x: i32, y: i32, bands: &str, before: Option<u8>) -> Result<u8, JsValue> {
        let bands = Bands::read(bands)?;
        let before = before.map(band_of).transpose()?;
        Ok(self.0.band(IVec2::new(x, y), &bands, before) as u8)
    }

    /// The gradient of the luminance.
    pub fn gradient(&self, x: i32, y: i32) -> Vec<f32> {
        self.0.gradient(IVec2::new(x, y)).to_array().into()
    }

    /// The darkest open neighbor: its column and row. `None` if no neighbor is open.
    pub fn darkest_neighbor(&self, x: i32, y: i32) -> Option<Vec<i32>> {
        let darkest = self.0.darkest_neighbor(IVec2::new(x, y));
        darkest.map(|cell| cell.to_array().into())
    }

    /// Where the light comes from, as JSON.
    pub fn glow(&self, x: i32, y: i32) -> Option<String> {
        let glow = self.0.glow(IVec2::new(x, y))?;
        let mut json = json!({
            "direction": glow.direction.to_array(),
            "brightest": glow.brightest.to_array(),
        });
        if let Some(source) = glow.source {
            json["source"] = source.into();
        }
        Some(json.to_string())
    }

    /// Returns 1 for each visible cell.
    pub fn field_of_view(&self, x: i32, y: i32, radius: u32) -> Vec<u8> {
        let mut view = FieldOfView::new();
        self.0.field_of_view(&mut view, IVec2::new(x, y), radius);
        sight::bytes(&view, self.0.width(), self.0.height())
    }

    /// Whether no wall is on the line between two cells.
    pub fn line_of_sight(&self, x: i32, y: i32, to_x: i32, to_y: i32) -> bool {
        self.0
            .line_of_sight(IVec2::new(x, y), IVec2::new(to_x, to_y))
    }

    /// The hash of the light's bits, as pinned by tests.
    pub fn hash(&self) -> String {
        let lights: Vec<f32> = self.0.lights().flat_map(|light| light.to_array()).collect();
        format!("{:016x}", Fnv1a::of_floats(&lights))
    }
}

fn band_of(number: u8) -> Result<LightBand, Failure> {
    let band = LightBand::ALL.get(usize::from(number)).copied();
    band.ok_or_else(|| {
        let words = format_args!("before is {number}, but must be from 0 to 3").to_string();
        Failure::of_parameter(words, "before")
    })
}

/// Copies `numbers` into an array of the same length.
fn copy(numbers: &[f32], into: &Float32Array) -> Result<(), JsValue> {
    let (expected, found) = (numbers.len(), into.length());
    if found as usize != expected {
        let words = format_args!("into has {found} numbers, but must have {expected}");
        return Err(Failure::of_parameter(words, "into").into());
    }
    into.copy_from(numbers);
    Ok(())
}

/// The sRGB byte of linear light.
fn srgb(table: &[u8], light: f32) -> u8 {
    // The cast clamps to 0 and above, and converts NaN to 0.
    let place = (light * STEPS + 0.5) as usize;
    table[place.min(table.len() - 1)]
}

/// Table entries from darkness to full light. Where the curve is steepest, the value changes by a fifth of a byte per
/// entry.
const STEPS: f32 = 16_384.0;

/// The bytes of all entries. Computing a power for each color of each cell would take longer than computing its light.
fn srgb_table() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let steps = 0..=STEPS as u16;
        steps
            .map(|step| srgb_byte(f32::from(step) / STEPS))
            .collect()
    })
}

/// The definition of sRGB (IEC 61966-2-1).
fn srgb_byte(light: f32) -> u8 {
    let encoded = if light <= 0.003_130_8 {
        12.92 * light
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    (255.0 * encoded + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_srgb() {
        let lights = [-1.0, 0.0, 0.001, 0.2140, 0.5, 1.0, 9.0, f32::NAN];
        let bytes = lights.map(|light| srgb(srgb_table(), light));
        assert_eq!(bytes, [0, 0, 3, 127, 188, 255, 255, 0]);
    }

    #[test]
    fn rejects_incomplete_cells() {
        assert_eq!(cells_of(&[0.5; 12]).unwrap().len(), 2);
        assert!(cells_of(&[0.5; 11]).is_err());
        assert!(one_cell(&[0.5; 6]).is_ok() && one_cell(&[0.5; 12]).is_err());
    }

    #[test]
    fn walls_stop_light() {
        let mut grid = Grid::new(20, 10, r#"{"radius": 6}"#).unwrap();
        let wall: Vec<i32> = (0..10).flat_map(|y| [10, y]).collect();
        grid.paint(&wall, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]).unwrap();
        grid.set_sources(&[4.0, 4.5, 1.0, 0.5, 0.25]).unwrap();
        grid.settle(1e-3, None);
        assert!(grid.luminance(6, 4) > 0.05);
        assert_eq!(grid.luminance(14, 4), 0.0);
        let seen = grid.field_of_view(4, 4, 30);
        assert_eq!((seen[4 * 20 + 10], seen[4 * 20 + 11]), (1, 0));
        assert_eq!(grid.walls().iter().filter(|&&wall| wall == 1).count(), 10);
        let bands = grid.bands("{}", None).unwrap();
        assert_eq!(bands[4 * 20 + 14], 0);
        assert!(bands[4 * 20 + 4] >= 2);
    }
}
