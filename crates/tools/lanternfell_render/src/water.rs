//! The water: reflection, refraction, waves, glitter and foam.
//!
//! The surface is a level plane at sea level, roughened by a few sizes of waves. Waves finer than a
//! pixel are not drawn. Instead their slopes are added to a variance, which widens the glitter of
//! the sun and weakens the reflection, so that the distant sea looks like the near one. Light that
//! enters the water fades by Beer's law on its way to the bed and back, red first.
//!
//! Source: Bruneton, Neyret, Holzschuch, *Real-time Realistic Ocean Lighting using Seamless
//! Transitions from Geometry to BRDF*, Computer Graphics Forum 29, 2010.

use glam::{DVec2, DVec3, Vec3};

use crate::{
    exp::{exp, exp_each},
    height_field::HeightField,
    material::visible,
    noise, pedestal,
    sky::smoothstep,
    surf::Surf,
};

/// Wavelength in world units, steepness, and the direction the waves come from.
const WAVES: [(f64, f32, (f64, f64)); 5] = [
    (0.0480, 0.020, (0.92, 0.39)),
    (0.0210, 0.026, (0.60, 0.80)),
    (0.0095, 0.032, (0.97, -0.26)),
    (0.0043, 0.034, (0.31, 0.95)),
    (0.0020, 0.034, (0.78, 0.63)),
];

/// Stretches waves along their crests, which are longer than the wavelength.
const CREST: f64 = 0.45;

/// Variance of the slopes of ripples finer than all of [`WAVES`].
const RIPPLES: f32 = 0.0012;

/// The slope of the steepest waves, in standard deviations.
const STEEPEST: f64 = 4.0;

/// The share of light that water reflects at normal incidence.
pub(super) const MIRRORED: f32 = 0.02;

/// How fast red, green and blue fade under water.
const ABSORPTION: Vec3 = Vec3::new(1.75, 0.46, 0.30);

/// The color that deep water scatters back.
const BODY: Vec3 = Vec3::new(0.006, 0.050, 0.078);

/// Depth of the water at the foot of a map side that rises out of the sea.
const CLIFF: f64 = 0.005;

/// How much flatter the waves are for the reflection than for everything else.
const STEADINESS: f64 = 5.0;

/// Refractive index of water.
const INDEX: f64 = 1.33;

/// The surface at one point, as far as pixels can show it.
pub(super) struct WaterSurface {
    pub(super) normal: DVec3,
    slope: DVec2,
    /// Variance of the slopes that are too fine to be visible.
    variance: f32,
}

impl WaterSurface {
    /// The waves at `at`, where a pixel covers `footprint` world units. Waves are lower in shallow
    /// water, where `calm` is near 1.
    pub(super) fn new(at: DVec2, footprint: f64, calm: f32) -> Self {
        let mut slope = DVec2::ZERO;
        let mut variance = RIPPLES;
        for (number, (wavelength, steepness, (east, south))) in WAVES.into_iter().enumerate() {
            let steepness = steepness * (1.0 - 0.75 * calm);
            let (wind, crest) = (DVec2::new(east, south), DVec2::new(-south, east));
            let place = DVec2::new(at.dot(wind), at.dot(crest) * CREST) / wavelength;
            let seen = visible(wavelength, footprint);
            if seen > 0.0 {
                let wave = noise::grain(place, 50 + number as u32);
                let (along, across) = (f64::from(wave.dx), f64::from(wave.dz) * CREST);
                slope += (wind * along + crest * across) * f64::from(steepness * seen);
            }
            // The invisible part. The slope of the noise has a variance of about 1.
            variance += steepness * steepness * (1.0 - seen);
        }
        let normal = DVec3::new(-slope.x, 1.0, -slope.y).normalize();
        Self {
            normal,
            slope,
            variance,
        }
    }

    /// The direction from which reflected light comes, for a view ray `view`.
    pub(super) fn mirror(&self, view: DVec3) -> DVec3 {
        // Flatter than the waves, since one sample of their reflection would be speckled.
        let steady = DVec3::new(-self.slope.x, STEADINESS, -self.slope.y).normalize();
        let mirrored = view - steady * (2.0 * view.dot(steady));
        // Waves never reflect what is under water.
        DVec3::new(mirrored.x, mirrored.y.abs().max(0.004), mirrored.z).normalize()
    }

    /// The share of light that is reflected toward the eye.
    pub(super) fn reflectance(&self, view: DVec3) -> f32 {
        let facing = (-view.dot(self.normal)).clamp(0.0, 1.0) as f32;
        let grazing = (1.0 - facing) * (1.0 - facing);
        let grazing = grazing * grazing * (1.0 - facing);
        // Rough water never becomes a perfect mirror (Bruneton, equation 12).
        let rough = 1.0 + 22.7 * libm::powf(self.variance, 0.75);
        MIRRORED + (1.0 - MIRRORED) * grazing / rough
    }

    /// An upper bound of [`glitter`](Self::glitter), for any number of waves that are too fine to
    /// be visible. One wave in ten thousand may exceed it.
    pub(super) fn most_glitter(view: DVec3, sun: DVec3) -> f32 {
        let half = (sun - view).normalize();
        // The slope that would reflect the sun. All visible waves are assumed to lean toward it.
        let mirrors = DVec2::new(-half.x / half.y, -half.z / half.y);
        let squares = WAVES.map(|(_, steepness, _)| steepness * steepness);
        let glitter = |seen: usize| {
            let (seen, unseen) = squares.split_at(seen);
            let steepest = STEEPEST * f64::from(seen.iter().sum::<f32>()).sqrt();
            let surface = Self {
                normal: DVec3::Y,
                slope: mirrors.clamp_length_max(steepest),
                variance: RIPPLES + unseen.iter().sum::<f32>(),
            };
            surface.glitter(view, sun)
        };
        (0..=WAVES.len()).map(glitter).fold(0.0, f32::max)
    }

    /// The glitter of the sun, as a factor of the sunlight.
    pub(super) fn glitter(&self, view: DVec3, sun: DVec3) -> f32 {
        let half = (sun - view).normalize();
        let off = DVec2::new(-half.x / half.y, -half.z / half.y) - self.slope;
        let spread = f64::from(self.variance);
        let facets = libm::exp(-off.length_squared() / (2.0 * spread))
            / (core::f64::consts::TAU * spread * half.y * half.y * half.y * half.y);
        let facing = (-view.dot(self.normal)).max(0.10);
        let bright = 0.02 + 0.98 * libm::pow(1.0 - sun.dot(half).clamp(0.0, 1.0), 5.0);
        let share = facets * bright / (4.0 * facing);
        // Compressed toward a maximum. Otherwise the whole glitter path would be plain white.
        (0.46 * share / (share + 1.6)) as f32
    }
}

/// The bed of the sea, also beyond the map, and the transparency of the water.
pub(super) struct Depths {
    /// World height of the sea.
    pub(super) sea: f64,
    /// World units in which the water absorbs about half of the light.
    pub(super) reach: f64,
    pub(super) surf: Surf,
}

impl Depths {
    pub(super) fn new(ground: &HeightField, sea: f64) -> Self {
        let deepest = sea - ground.range.0 * ground.rise;
        // Chosen such that the deepest places are dark on flat and on steep maps, so that the end
        // of the bed at the border of the map is not visible.
        Self {
            surf: Surf::new(ground, sea, pedestal::floor(ground, sea).is_some()),
            sea,
            reach: (deepest * 0.20).clamp(0.0016, 0.010),
        }
    }

    /// World units of water above the bed at `at`. Beyond the map the bed falls away.
    pub(super) fn depth(&self, ground: &HeightField, at: DVec2) -> f64 {
        let beyond = (at.abs() - ground.half()).max(DVec2::ZERO);
        let outside = beyond.length();
        let depth = |at| self.sea - ground.height(ground.to_cells(at));
        if outside <= 0.0 {
            return depth(at);
        }
        // The profile of the edge is smoothed more with the distance. Otherwise it would be drawn
        // out to streaks.
        let along = DVec2::new(beyond.y, beyond.x) * 0.8 + DVec2::splat(0.004);
        let edge = (-3..=3).map(|step| depth(at + along * (f64::from(step) / 3.0)).max(CLIFF));
        edge.sum::<f64>() / 7.0 + bed_depth(outside)
    }

    /// Where a view ray `view` that enters the water at `at` meets the bed: the place, the depth
    /// there, and the length of the path through the water.
    pub(super) fn refract(
        &self,
        ground: &HeightField,
        at: DVec2,
        view: DVec3,
    ) -> (DVec2, f64, f64) {
        let level = DVec2::new(view.x, view.z) / INDEX;
        let down = (1.0 - level.length_squared()).sqrt();
        let first = self.depth(ground, at).max(0.0);
        // Where the ray would meet a level bed, then once more with the depth there.
        let there = at + level * (first / down);
        let depth = 0.5 * (first + self.depth(ground, there).max(0.0));
        (at + level * (depth / down), depth, depth / down)
    }

    /// The murkiness of the water.
    pub(super) fn murk(&self) -> Murk {
        Murk {
            per_reach: (1.0 / self.reach) as f32,
        }
    }

    /// 1 at the shore, 0 in deep water, where waves have their full height.
    pub(super) fn calm(&self, depth: f64) -> f32 {
        libm::exp(-2.2 * depth.max(0.0) / self.reach) as f32
    }
}

impl Depths {
    /// Whether waves break there. They do not on lakes.
    pub(super) fn has_surf(&self, at: DVec2) -> bool {
        self.surf.is_at(at)
    }

    /// The share of the surface at `at` that is foam. Foam forms broken lines along the shore of
    /// the sea.
    pub(super) fn foam(&self, ground: &HeightField, at: DVec2, depth: f64, footprint: f64) -> f32 {
        if depth > DEEPEST_FOAM || !self.has_surf(at) {
            return 0.0;
        }
        let difference = |step| self.depth(ground, at + step) - self.depth(ground, at - step);
        let (east, south) = (DVec2::new(0.005, 0.0), DVec2::new(0.0, 0.005));
        let slope = DVec2::new(difference(east), difference(south)).length() / 0.01;
        let noise = FoamNoise {
            way: noise::fractal(at * 95.0, 2, 60),
            bubbles: noise::value(at * 520.0, 62) * visible(1.0 / 520.0, footprint),
            gaps: noise::value(at * 42.0, 63),
        };
        foam(depth as f32, slope as f32, noise)
    }
}

/// The depth of an unknown bed at this distance from the map or the shore, in world units.
pub(super) fn bed_depth(away: f64) -> f64 {
    away * away / (away + 0.06)
}

/// Absorption and scattering of light in the water.
#[derive(Clone, Copy)]
pub(super) struct Murk {
    per_reach: f32,
}

impl Murk {
    /// The shares of red, green and blue that remain after `way` world units of water.
    #[inline(always)]
    pub(super) fn left_after(&self, way: f32) -> Vec3 {
        exp_each(ABSORPTION * -(way * self.per_reach))
    }

    /// The light that the water itself scatters back over `way` world units.
    #[inline(always)]
    pub(super) fn body(&self, way: f32, light: Vec3) -> Vec3 {
        BODY * light * (1.0 - exp(-0.75 * (way * self.per_reach)))
    }
}

/// The noises that make foam uneven: the bends of its lines, its bubbles, and its gaps.
pub(super) struct FoamNoise {
    pub(super) way: f32,
    pub(super) bubbles: f32,
    pub(super) gaps: f32,
}

/// The share of the surface that is foam, over a bed of this depth and slope.
#[inline(always)]
pub(super) fn foam(depth: f32, slope: f32, noise: FoamNoise) -> f32 {
    // The distance to the shore, estimated from the slope of the bed, in distances between lines.
    let way = depth / slope.max(LEAST_SLOPE) / LINES + BENT * noise.way;
    let line = |middle: f32, width: f32| {
        let off = (way - middle) / width;
        exp(-off * off)
    };
    let lines = 0.85 * line(0.12, 0.34) + 0.42 * line(1.5, 0.24) + 0.20 * line(2.9, 0.26);
    let gaps = smoothstep(-0.35, 0.35, noise.gaps);
    let fade = 1.0 - smoothstep(0.6, 1.0, depth / DEEPEST_FOAM as f32);
    let foam = fade * lines * (0.45 + 0.55 * gaps) * (1.0 + 0.5 * noise.bubbles);
    if way > FARTHEST_FOAM {
        0.0
    } else {
        foam.clamp(0.0, 1.0)
    }
}

/// The depth below which no noise makes foam, over a bed of this slope.
#[inline(always)]
pub(super) fn deepest_foam(slope: f32) -> f32 {
    let way = FARTHEST_FOAM + BENT;
    (way * slope.max(LEAST_SLOPE) * LINES).min(DEEPEST_FOAM as f32)
}

/// The minimum slope: flatter beds have foam as if they had this slope.
const LEAST_SLOPE: f32 = 0.02;

/// World units between lines of foam, and how far noise bends them, in those distances.
const LINES: f32 = 0.0052;
const BENT: f32 = 1.1;

/// The distance from the shore, in distances between lines, at which foam ends.
const FARTHEST_FOAM: f32 = 4.2;

/// The depth in world units below which waves do not break.
pub(super) const DEEPEST_FOAM: f64 = 0.012;

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::{Heightmap, MapSize};

    fn flat(height: f32) -> Heightmap {
        let size = MapSize::new(9, 9).unwrap();
        Heightmap::from_heights(size, vec![height; 81]).unwrap()
    }

    #[test]
    fn reflects_grazing_light() {
        let surface = WaterSurface::new(DVec2::new(0.3, 0.7), 1.0, 1.0);
        let share = |down: f64| surface.reflectance(DVec3::new(1.0, -down, 0.0).normalize());
        assert!(share(100.0) < 0.03);
        assert!(share(0.05) > 0.4);
        assert!((1..200).all(|step| share(f64::from(step) * 0.1) <= 1.0));
    }

    #[test]
    fn glitter_is_toward_the_sun() {
        let sun = DVec3::new(0.6, 0.4, 0.0).normalize();
        for step in 0..300 {
            let turn = f64::from(step) * 0.7;
            let view = DVec3::new(libm::cos(turn), -0.3, libm::sin(turn)).normalize();
            let surface = WaterSurface::new(DVec2::new(turn, 2.0 * turn), 0.0005, 0.0);
            assert!(surface.mirror(view).y > 0.0, "{view}");
            let glitter = surface.glitter(view, sun);
            assert!((0.0..0.5).contains(&glitter), "{glitter}");
        }
        let calm = WaterSurface::new(DVec2::ZERO, 1.0, 0.0);
        let towards = calm.glitter(DVec3::new(0.6, -0.4, 0.0).normalize(), sun);
        let away = calm.glitter(DVec3::new(-0.6, -0.4, 0.0).normalize(), sun);
        assert!(towards > 100.0 * away, "{towards} {away}");
    }

    #[test]
    fn only_a_high_sun_glitters_from_above() {
        let sun = |degrees: f64| {
            let (up, level) = (
                libm::sin(degrees.to_radians()),
                libm::cos(degrees.to_radians()),
            );
            DVec3::new(level, up, 0.0)
        };
        let most = |degrees| WaterSurface::most_glitter(-DVec3::Y, sun(degrees));
        assert!(
            most(35.0) < 1e-6 && most(80.0) > 0.01,
            "{} {}",
            most(35.0),
            most(80.0)
        );
        for step in 0..2000 {
            let at = DVec2::new(f64::from(step) * 0.0137, f64::from(step) * 0.0291);
            let surface = WaterSurface::new(at, f64::from(step % 9) * 0.0005, 0.0);
            for degrees in [20.0, 35.0, 50.0, 90.0] {
                let glitter = surface.glitter(-DVec3::Y, sun(degrees));
                assert!(glitter <= most(degrees) + 1e-4, "{degrees}: {glitter}");
            }
        }
    }

    #[test]
    fn red_fades_first() {
        let map = flat(0.0);
        let depths = Depths::new(&HeightField::new(&map, 0.2), 0.05);
        let [red, green, blue] = depths.murk().left_after(0.01).to_array();
        assert!(red < green && green < blue && blue < 1.0);
        assert!(depths.murk().left_after(0.2).max_element() < 0.01);
        assert_eq!(depths.murk().left_after(0.0), Vec3::ONE);
    }

    #[test]
    fn bed_is_continuous_beyond_the_map() {
        let map = flat(0.25);
        let ground = HeightField::new(&map, 0.2);
        let depths = Depths::new(&ground, 0.06);
        let depth = |x| depths.depth(&ground, DVec2::new(x, 0.1));
        assert!((depth(0.3) - 0.01).abs() < 1e-9);
        assert!((depth(0.5 + 1e-7) - depth(0.5)).abs() < 1e-6);
        assert!(depth(0.6) > depth(0.55) && depth(3.0) > 1.0);
    }

    #[test]
    fn deep_water_has_no_foam() {
        for step in 0..4000 {
            let slope = (step % 40) as f32 * 0.01;
            let way = (step / 40) as f32 * 0.02 - 1.0;
            let noise = FoamNoise {
                way,
                bubbles: 1.0,
                gaps: 1.0,
            };
            let deepest = deepest_foam(slope);
            assert_eq!(foam(1.001 * deepest, slope, noise), 0.0, "{slope}, {way}");
        }
        let noise = FoamNoise {
            way: -0.9,
            bubbles: 1.0,
            gaps: 1.0,
        };
        assert!(foam(0.9 * deepest_foam(0.02), 0.02, noise) > 0.0);
    }

    #[test]
    fn foam_is_along_the_shore_only() {
        let size = MapSize::new(101, 2).unwrap();
        let ramp = (0..202).map(|cell| (cell % 101) as f32 / 100.0).collect();
        let map = Heightmap::from_heights(size, ramp).unwrap();
        let ground = HeightField::new(&map, 0.2);
        let depths = Depths::new(&ground, 0.1);
        let most = |from: f64, to: f64| {
            let foam = (0..200).map(|step| {
                let at = DVec2::new(from + (to - from) * f64::from(step) / 200.0, 0.0);
                depths.foam(&ground, at, depths.depth(&ground, at), 0.0005)
            });
            foam.fold(0.0, f32::max)
        };
        // The shore is at x = 0, with deep water to its west.
        assert!(most(-0.01, 0.0) > 0.3);
        assert_eq!(most(-0.4, -0.1), 0.0);
    }
}
