//! The sky above the map: its colors, the sun, light clouds, and haze.
//!
//! The sky is painted, not simulated. It has a gradient from the horizon to the zenith, a warm glow
//! around the sun that spreads when the sun is low, and one layer of clouds on a high plane. The
//! same colors light the terrain where the sun does not reach, are reflected by the water, and are
//! the color of the haze, so that sea and sky blend at the horizon.

use glam::{DVec2, DVec3, Vec3};

use crate::{exp::exp_each, noise};

/// The direction of the sun and all values that depend on it.
#[derive(Clone, Copy)]
pub(super) struct Sky {
    /// The unit vector toward the sun.
    pub(super) sun: DVec3,
    /// The light of the sun on a surface that faces it.
    pub(super) sunlight: Vec3,
    /// The light of the whole sky on a level surface.
    pub(super) ambient: Vec3,
    zenith: Vec3,
    horizon: Vec3,
    glow: Vec3,
    /// The exposure: a factor for all light before tone mapping.
    pub(super) exposure: f32,
    /// 1 when the sun is at the horizon, 0 when it is high.
    low: f32,
}

/// The share of light that is lost per unit of distance (the longer side of the map).
const HAZE: f64 = 0.030;

/// Height of the clouds above the sea, and the size of a cloud, in world units.
const CLOUD_HEIGHT: f64 = 0.9;
const CLOUD_SIZE: f64 = 1.1;

/// Light from below, reflected by other terrain.
const BOUNCE: Vec3 = Vec3::new(0.035, 0.030, 0.022);

/// The horizon under a low sun.
const EVENING: Vec3 = Vec3::new(1.05, 0.70, 0.44);

impl Sky {
    /// A sky with the sun in the direction `sun`, a unit vector that points up.
    pub(super) fn new(sun: DVec3) -> Self {
        let low = 1.0 - smoothstep(0.05, 0.62, sun.y as f32);
        // A lower sun shines through more air, which removes blue.
        let air = (1.0 / (sun.y + 0.06)) as f32;
        let reddening = Vec3::new(0.045, 0.12, 0.27) * (air - 0.94);
        let sunlight = 4.3 * exp_each(-reddening);
        let zenith = Vec3::new(0.085, 0.215, 0.52).lerp(Vec3::new(0.095, 0.19, 0.42), low);
        let horizon = Vec3::new(0.46, 0.66, 0.92).lerp(Vec3::new(0.56, 0.62, 0.74), low);
        let glow = Vec3::new(1.0, 0.86, 0.62).lerp(Vec3::new(1.5, 0.80, 0.36), low);
        let ambient = (zenith * 0.65 + horizon * 0.35) * 1.25 + sunlight * 0.02;
        let key = (sunlight * sun.y as f32 + ambient).element_sum() / 3.0;
        // Half way to constant brightness: noon should still be brighter than evening.
        let exposure = (2.2 / key).sqrt();
        Self {
            sun,
            sunlight,
            ambient,
            zenith,
            horizon,
            glow,
            exposure,
            low,
        }
    }

    /// The same sky with `times` as much ambient light, half desaturated. Level terrain in the sun
    /// keeps about the same brightness.
    pub(super) fn filled(mut self, times: f32) -> Self {
        let brightness = |sky: &Self| {
            let level = sky.sunlight * sky.sun.y as f32 + sky.ambient;
            level.element_sum()
        };
        let before = brightness(&self);
        let gray = Vec3::splat(self.ambient.element_sum() / 3.0);
        self.ambient = self.ambient.midpoint(gray) * times;
        self.exposure *= before / brightness(&self);
        self
    }

    /// The light on a surface. `sun` is the share of the sunlight, `open` the share of the sky that
    /// a level surface would see, and `up` the vertical component of the unit normal.
    #[inline(always)]
    pub(super) fn on(&self, up: f32, sun: f32, open: f32) -> Vec3 {
        let up = 0.5 + 0.5 * up;
        let sky = self.ambient * (open * open * up);
        let bounce = BOUNCE * self.sunlight * (1.0 - 0.5 * up);
        self.sunlight * sun + sky + bounce
    }

    /// The light that enters level water, with the share `lit` of the sunlight.
    #[inline(always)]
    pub(super) fn downwelling(&self, lit: f32) -> Vec3 {
        self.sunlight * (self.sun.y as f32 * lit) + self.ambient
    }

    /// The light from `direction`, with clouds and the sun's disc.
    pub(super) fn light(&self, direction: DVec3) -> Vec3 {
        let clear = self.clear(direction);
        let towards = direction.dot(self.sun) as f32;
        // The disc has twice its real size and a soft edge, which looks better.
        let disc = smoothstep(0.99985, 0.99994, towards);
        let light = clear + self.sunlight * (disc * 12.0);
        self.clouds(direction, light)
    }

    /// The light from `direction` without clouds and sun disc, as used for haze and rough water.
    pub(super) fn clear(&self, direction: DVec3) -> Vec3 {
        let up = direction.y.max(0.0) as f32;
        let towards = (direction.dot(self.sun) as f32).max(0.0);
        let rise = 1.0 - libm::expf(-up * 10.0);
        // A low sun colors the horizon on its own side, not the opposite one.
        let facing = 0.5 + 0.5 * direction.dot(self.sun) as f32;
        let warm = self.horizon.lerp(EVENING, self.low * facing * facing);
        let base = warm.lerp(self.zenith, rise);
        let wide = towards * towards * towards * towards;
        let near = libm::powf(towards, 48.0);
        let halo = libm::powf(towards, 600.0);
        // The glow stays near the horizon, where light has passed through most air.
        let spread = wide * (0.10 + 0.28 * self.low) * libm::expf(-up * 3.0);
        base + self.glow * (spread + 0.22 * near + 0.5 * halo)
    }

    /// `light` after `distance` world units of haze.
    pub(super) fn haze(&self, light: Vec3, direction: DVec3, distance: f64) -> Vec3 {
        let clear = libm::exp(-HAZE * distance) as f32;
        // The haze has the color of the sky just above the horizon in the same direction.
        let level = DVec3::new(direction.x, direction.y.max(0.0), direction.z);
        (self.clear(level.normalize_or(DVec3::Y))).lerp(light, clear)
    }

    /// One layer of small fair-weather clouds that thins out toward the horizon.
    fn clouds(&self, direction: DVec3, behind: Vec3) -> Vec3 {
        let up = direction.y;
        if up <= 0.012 {
            return behind;
        }
        // A curved plane. On a flat one the clouds would crowd at the horizon.
        let at = DVec2::new(direction.x, direction.z) * (CLOUD_HEIGHT / (up + 0.06) / CLOUD_SIZE);
        let density = cloud_density(at);
        if density <= 0.0 {
            return behind;
        }
        let sunward = DVec2::new(self.sun.x, self.sun.z) * 0.22;
        let shade = libm::expf(-1.6 * cloud_density(at + sunward).max(0.0));
        let towards = (direction.dot(self.sun) as f32).max(0.0);
        let silver = libm::powf(towards, 12.0) * 0.6;
        let lit = self.sunlight * (0.17 * shade + 0.12 * silver) + self.ambient * 0.62;
        let cover = 1.0 - libm::expf(-2.6 * density);
        let fade = smoothstep(0.012, 0.10, up as f32) * 0.92;
        behind.lerp(lit, cover * fade)
    }
}

/// The density of the clouds at a point of their plane. Below 0 there are none.
fn cloud_density(at: DVec2) -> f32 {
    let warp = DVec2::splat(f64::from(noise::value(at * 0.7, 71)) * 0.35);
    let large = noise::value(at * 0.55, 70);
    noise::fractal(at + warp, 6, 72) * 1.3 + large * 0.45 + 0.02
}

/// 0 below `low`, 1 above `high`, and smooth in between.
#[inline(always)]
pub(super) fn smoothstep(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(elevation: f64) -> Sky {
        Sky::new(DVec3::new(libm::cos(elevation), libm::sin(elevation), 0.0))
    }

    #[test]
    fn low_sun_is_red_and_weak() {
        let (noon, evening) = (at(1.2).sunlight, at(0.1).sunlight);
        assert!(evening.x / evening.z > 2.0 * noon.x / noon.z);
        assert!(evening.element_sum() < noon.element_sum());
    }

    #[test]
    fn sky_is_brightest_near_the_sun() {
        let sky = at(0.5);
        let zenith = sky.clear(DVec3::Y);
        assert!(zenith.z > 2.0 * zenith.x);
        let opposite = DVec3::new(-sky.sun.x, sky.sun.y, 0.0);
        assert!(sky.clear(sky.sun).element_sum() > 1.5 * sky.clear(opposite).element_sum());
        assert!(sky.light(sky.sun).x > 10.0, "the sun's disc");
    }

    #[test]
    fn fill_brightens_shadows_only() {
        let (plain, filled) = (at(0.6), at(0.6).filled(2.0));
        let light = |sky: &Sky, sun: f32| {
            let light = sky.sunlight * (sun * sky.sun.y as f32) + sky.ambient;
            light.element_sum() * sky.exposure
        };
        assert!((light(&filled, 1.0) / light(&plain, 1.0) - 1.0).abs() < 1e-3);
        assert!(light(&filled, 0.0) > 1.4 * light(&plain, 0.0));
    }

    #[test]
    fn haze_blends_into_the_sky() {
        let sky = at(0.5);
        let ahead = DVec3::new(0.0, -0.1, 1.0).normalize();
        let red = Vec3::new(9.0, 0.0, 0.0);
        assert_eq!(sky.haze(red, ahead, 0.0), red);
        let far = sky.haze(red, ahead, 1e4);
        let horizon = sky.clear(DVec3::new(ahead.x, 0.0, ahead.z).normalize());
        assert!((far - horizon).abs().max_element() < 1e-4);
    }

    #[test]
    fn light_is_finite_and_positive() {
        for elevation in [0.02, 0.4, 1.57] {
            let sky = at(elevation);
            for step in 0..2000 {
                let turn = f64::from(step);
                let direction =
                    DVec3::new(libm::sin(turn), libm::sin(turn * 0.37), libm::cos(turn));
                let light = sky.light(direction.normalize());
                assert!(light.is_finite() && light.min_element() > 0.0, "{light}");
            }
        }
    }
}
