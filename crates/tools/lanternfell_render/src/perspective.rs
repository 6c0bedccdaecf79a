//! The perspective view of the terrain in its sea.

use glam::{DVec2, DVec3, Vec3};

use crate::{
    Look, RenderError,
    camera::{self, Camera},
    height_field::HeightField,
    pedestal,
    scene::{self, Footprint, Scene},
    sea_bed,
    tone::{self, Screen},
    top,
};
use lanternfell_heightmap::{Heightmap, ParamError, Progress, RgbImage, rows};

/// A perspective view of a map, with water, sky, sun and shadows.
///
/// The camera is placed such that all land above the sea just fits into the image. This suits an
/// island as well as a map that is land from edge to edge. A map whose border is at least three
/// quarters land is shown on a low plinth, without a sea around it.
///
/// Angles are in degrees. The unit of length is the longer side of the map.
///
/// ```
/// use lanternfell_render::PerspectiveView;
///
/// let evening = PerspectiveView { sun_elevation: 8.0, ..PerspectiveView::default() };
/// assert!(evening.validate().is_ok());
/// let night = PerspectiveView { sun_elevation: -8.0, ..evening };
/// assert!(night.validate().unwrap_err().to_string().contains("sun_elevation"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PerspectiveView {
    /// Width of the image in pixels, from 1 to 16384. Default: 1280.
    pub width: u32,
    /// Height of the image in pixels, from 1 to 16384. Default: 720.
    pub height: u32,
    /// The azimuth of the camera as seen from the terrain, from -360 to 360: 0 is north, 90 east,
    /// 180 south, 270 west. Default: 215.
    pub azimuth: f64,
    /// How far the camera looks down, from 1 to 90. At 90 the map is seen from above, with north up
    /// if the azimuth is 180. Default: `None`, which is 15 for terrain in a sea and 32 for terrain
    /// on a plinth. At 15 hardly more than the cut sides of a plinth would be visible.
    pub elevation: Option<f64>,
    /// The vertical field of view, from 5 to 120. Default: 40.
    pub field_of_view: f64,
    /// The magnification, from 0.1 to 20. At 1, the default, the terrain fits the image.
    pub zoom: f64,
    /// The azimuth of the sun, from -360 to 360: 0 is north, 90 east, 180 south, 270 west. Default:
    /// 255.
    pub sun_azimuth: f64,
    /// The elevation of the sun above the horizon, from 1 to 90. Default: 24.
    pub sun_elevation: f64,
    /// The height of the sea, at most 1, or below 0 for no sea. Default: 0.04. Terrain at or below
    /// it is under water: see [`is_land`](lanternfell_heightmap::is_land). For a recipe, use its
    /// [`water_level`](lanternfell_heightmap::Recipe::water_level).
    pub sea_level: f32,
    /// The world height of a height of 1, from 0.01 to 2. Default: 0.2. For true proportions, use
    /// the relief divided by the length of the map's longer side, both in meters.
    pub vertical_scale: f64,
    /// Rays per pixel along each axis, from 1 to 8. Default: 2, which is four rays per pixel.
    pub samples: u32,
    /// The surface cover and the snow line.
    pub look: Look,
}

/// Default elevation of the camera in degrees: for terrain in a sea, and on a plinth.
const ELEVATION: (f64, f64) = (15.0, 32.0);

/// The largest width and height of an image in pixels.
const LONGEST_SIDE: f64 = 16_384.0;

/// Half the angle over which samples of the sun are spread, in radians, for soft shadow edges. The
/// real sun has 0.0046.
const SUN_RADIUS: f64 = 0.006;

/// More points would move the camera by less than a pixel.
const POINTS_A_SIDE: usize = 256;

impl Default for PerspectiveView {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            azimuth: 215.0,
            elevation: None,
            field_of_view: 40.0,
            zoom: 1.0,
            sun_azimuth: 255.0,
            sun_elevation: 24.0,
            sea_level: 0.04,
            vertical_scale: 0.2,
            samples: 2,
            look: Look::default(),
        }
    }
}

impl PerspectiveView {
    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let range = |name, value, min, max| {
            ParamError::check_range("perspective view", name, value, min, max)
        };
        range("width", f64::from(self.width), 1.0, LONGEST_SIDE)?;
        range("height", f64::from(self.height), 1.0, LONGEST_SIDE)?;
        range("azimuth", self.azimuth, -360.0, 360.0)?;
        range("elevation", self.elevation.unwrap_or(1.0), 1.0, 90.0)?;
        range("field_of_view", self.field_of_view, 5.0, 120.0)?;
        range("zoom", self.zoom, 0.1, 20.0)?;
        range("sun_azimuth", self.sun_azimuth, -360.0, 360.0)?;
        range("sun_elevation", self.sun_elevation, 1.0, 90.0)?;
        top::check_sea("perspective view", self.sea_level)?;
        range("vertical_scale", self.vertical_scale, 0.01, 2.0)?;
        range("samples", f64::from(self.samples), 1.0, 8.0)?;
        self.look.validate()
    }

    /// Draws the map.
    ///
    /// # Errors
    /// [`RenderError::Param`] if a setting is outside its range, and [`RenderError::Canceled`] if
    /// the work was canceled.
    pub fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<RgbImage, RenderError> {
        self.validate()?;
        let map = &*sea_bed::with_bed(
            map,
            self.sea_level,
            self.vertical_scale,
            &progress.span(0.0, 0.05),
        )?;
        let ground = HeightField::new(map, self.vertical_scale);
        let camera = self.camera(map, &ground);
        let sun = camera::towards(
            self.sun_azimuth.to_radians(),
            self.sun_elevation.to_radians(),
        );
        let footprint = Footprint {
            at_eye: 0.0,
            per_distance: camera.pixel,
        };
        let made = progress.span(0.05, 0.1);
        let scene = Scene::new(ground, self.sea_level, &self.look, sun, footprint, &made)?;
        let (samples, screen) = (self.samples(sun), Screen::new());
        let mut picture = RgbImage::black(self.width, self.height);
        let progress = progress.span(0.1, 1.0);
        let size = DVec2::new(f64::from(self.width), f64::from(self.height));
        rows::for_each_row(
            picture.bytes_mut(),
            3 * self.width as usize,
            &progress,
            |y, row| {
                for (x, pixel) in row.as_chunks_mut().0.iter_mut().enumerate() {
                    let corner = DVec2::new(x as f64, y as f64);
                    let mut sum = Vec3::ZERO;
                    for &(offset, sun) in &samples {
                        let light = scene.light(&camera.ray((corner + offset) / size), sun);
                        sum += tone::film(light * scene.sky.exposure);
                    }
                    *pixel = screen.encode((sum / samples.len() as f32).to_array());
                }
            },
        )?;
        Ok(picture)
    }

    fn camera(&self, map: &Heightmap, ground: &HeightField) -> Camera {
        let floor = pedestal::floor(ground, scene::sea(ground, self.sea_level));
        let usual = if floor.is_some() {
            ELEVATION.1
        } else {
            ELEVATION.0
        };
        let look = camera::CameraLook {
            azimuth: self.azimuth.to_radians(),
            elevation: self.elevation.unwrap_or(usual).to_radians(),
            half_view: 0.5 * self.field_of_view.to_radians(),
            zoom: self.zoom,
            pixels: (self.width, self.height),
        };
        Camera::showing(&self.subject(map, ground, floor), &look)
    }

    /// The points in the world that must fit into the image: the land above the sea, and the foot
    /// of its sides at the border of the map. The corners of the map if there is no land.
    fn subject(&self, map: &Heightmap, ground: &HeightField, floor: Option<f64>) -> Vec<DVec3> {
        let point = |x: usize, y: usize, height: f64| {
            let at = DVec2::new(x as f64, y as f64) * ground.cell - ground.half();
            DVec3::new(at.x, height, at.y)
        };
        let sea = scene::sea(ground, self.sea_level);
        let (right, bottom) = (map.width() - 1, map.height() - 1);
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
        let stride = map.width().max(map.height()).div_ceil(POINTS_A_SIDE);
        let mut points = Vec::new();
        for y in every(map.height(), stride) {
            for x in every(map.width(), stride) {
                let height = f64::from(map.get(x, y)) * ground.rise;
                if height > sea {
                    points.push(point(x, y, height));
                    if x == 0 || x == right || y == 0 || y == bottom {
                        points.push(point(x, y, sea));
                    }
                }
            }
        }
        // Fewer than three points have no extent to fit.
        if floor.is_some() || points.len() < 3 {
            let foot = floor.unwrap_or(sea);
            points.extend(corners.map(|(x, y)| point(x, y, foot)));
        }
        points
    }

    /// The position of each ray within its pixel, and its direction to the sun.
    fn samples(&self, sun: DVec3) -> Vec<(DVec2, DVec3)> {
        let right = DVec3::new(-sun.z, 0.0, sun.x).normalize_or(DVec3::X);
        let up = right.cross(sun);
        let side = self.samples;
        let place = |number: u32| {
            let at = DVec2::new(f64::from(number % side), f64::from(number / side));
            let offset = (at + 0.5) / f64::from(side);
            let off = (offset * 2.0 - 1.0) * SUN_RADIUS;
            (offset, (sun + right * off.x + up * off.y).normalize())
        };
        (0..side * side).map(place).collect()
    }
}

/// Every `stride`-th number below `count`, and the last one.
fn every(count: usize, stride: usize) -> impl Iterator<Item = usize> {
    (0..count - 1).step_by(stride).chain([count - 1])
}
