//! Ground materials: sand, grass, forest, rock and snow.
//!
//! The material depends on the altitude and the slope, as in nature. Sand is flat along the shore, grass grows on
//! gentle slopes, rock shows where the slope is too steep for soil, and snow covers high places that are not too steep.
//! A desert has sand, and red rock where the slope is steeper than sand's angle of repose. Noise of several sizes
//! shifts the borders and varies the colors. Noise finer than a pixel is left out.

use glam::{DVec2, DVec3, Vec3};

use crate::{
    look::{HIGHEST_BEACH, SNOW_SHARE},
    noise::{self, SolidGrain},
    sky::smoothstep,
};
use lanternfell_heightmap::LandCover;

/// The properties of a place from which its material is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct SurfacePoint {
    /// Altitude above the sea. Snow begins at 0.69 (see `look.rs`).
    pub(super) altitude: f32,
    /// Height above the sea, in heights of the beach: see [`shore`].
    pub(super) shore: f32,
    /// Rise per run, mostly measured over several cells, and divided by the steepness of the terrain.
    pub(super) slope: f32,
    /// How much the place faces north, away from the sun, from -1 to 1: see [`north`].
    pub(super) north: f32,
}

/// How much the ground faces north. `south` is its slope toward the south, `slope` the length of its slope.
#[inline(always)]
pub(super) fn north(south: f32, slope: f32) -> f32 {
    south / (slope + EVEN)
}

/// Converts world units above the sea to heights of the beach. `beach` is a share of the highest beach.
#[inline(always)]
pub(super) fn shore(above_sea: f64, beach: f64) -> f32 {
    // Without a beach, all land is far above it.
    (above_sea / (beach * HIGHEST_BEACH).max(1e-9)) as f32
}

/// Color and bumpiness of a place.
pub(super) struct Material {
    /// The linear reflectance.
    pub(super) albedo: Vec3,
    /// The gradient of small bumps, which tilts the surface normal.
    pub(super) bump: Vec3,
}

/// The slope at which [`north`] of a slope that faces due north is one half.
const EVEN: f32 = 0.3;

/// How much lower the snow line is on north faces, in units of altitude.
const EXPOSURE: f32 = 0.08;

const DRY_SAND: Vec3 = Vec3::new(0.46, 0.365, 0.225);
const WET_SAND: Vec3 = Vec3::new(0.21, 0.16, 0.095);
const MEADOW: Vec3 = Vec3::new(0.066, 0.098, 0.029);
const DRY_GRASS: Vec3 = Vec3::new(0.178, 0.152, 0.062);
const FOREST: Vec3 = Vec3::new(0.024, 0.043, 0.018);
const LIGHT_ROCK: Vec3 = Vec3::new(0.205, 0.185, 0.160);
const DARK_ROCK: Vec3 = Vec3::new(0.070, 0.064, 0.060);
const EARTH: Vec3 = Vec3::new(0.170, 0.115, 0.070);
const SNOW: Vec3 = Vec3::new(0.84, 0.87, 0.92);

/// Dune sand, and the gravel between dunes.
const DUNE: Vec3 = Vec3::new(0.47, 0.275, 0.118);
const GRAVEL: Vec3 = Vec3::new(0.30, 0.185, 0.100);
/// Sandstone beds, and the pale bed between them.
const RED_ROCK: Vec3 = Vec3::new(0.235, 0.088, 0.042);
const OCHRE_ROCK: Vec3 = Vec3::new(0.360, 0.180, 0.090);
const PALE_ROCK: Vec3 = Vec3::new(0.430, 0.300, 0.185);

/// The material of the ground at `place`.
// This function and those below are inlined and branch-free. The view from above calls them in loops that the compiler
// vectorizes.
#[inline(always)]
pub(super) fn ground(cover: LandCover, place: &SurfacePoint, grain: &Grains) -> Material {
    match cover {
        LandCover::Temperate => temperate(place, grain),
        LandCover::Desert => desert(place, grain),
    }
}

#[inline(always)]
fn temperate(place: &SurfacePoint, grain: &Grains) -> Material {
    let slope = place.slope + 0.14 * grain.fine.value + 0.16 * grain.middle.value;
    let altitude = place.altitude + 0.045 * grain.coarse + 0.03 * grain.middle.value;

    let (mut albedo, leaves) = vegetation(place, grain, altitude);
    let soil_thins = 0.30 * smoothstep(0.40, 0.75, altitude);
    let bare = smoothstep(0.60, 0.86, slope + soil_thins);
    albedo = albedo.lerp(rock(grain), bare);
    let sand = beach(place, grain) * (1.0 - smoothstep(0.45, 0.75, slope));
    albedo = albedo.lerp(sand_color(place, grain), sand);
    let cold = altitude + EXPOSURE * place.north;
    let snow = smoothstep(SNOW_SHARE - 0.03, SNOW_SHARE + 0.03, cold)
        * (1.0 - smoothstep(0.70, 0.95, slope));
    albedo = albedo.lerp(SNOW, snow);

    let cover = (1.0 - 0.85 * snow) * (1.0 - 0.85 * sand);
    let crags = 0.55 * bare * cover;
    let small = (0.10 + 0.28 * bare + 0.50 * leaves * (1.0 - bare)) * cover;
    let bump = grain.middle.slope * crags
        + (grain.fine.slope + grain.tiny.slope * 0.8 + grain.dust.slope * 0.7) * small;
    Material { albedo, bump }
}

/// Whether the ground is plain wet sand below the sea for every noise value.
#[inline(always)]
pub(super) fn is_plain_bed(shore: f32, slope: f32) -> bool {
    // Noise from -1 to 1 turns sand into rock from a `slope` of 0.45 - 0.14 - 0.16 on.
    (shore < 0.0) & (slope < 0.15)
}

/// Whether any noise value can make rock at this altitude and slope.
#[inline(always)]
pub(super) fn may_be_rock(altitude: f32, slope: f32) -> bool {
    // Rock begins where slope, thin soil and noise add up to 0.60. Noise from -1 to 1 adds 0.14 + 0.16 to the slope. It
    // adds 0.054 + 0.03 to the altitude (coarse noise reaches from -1.2 to 1.2), and soil thins from an altitude of
    // 0.40 on. In a desert the limits are higher.
    (slope > 0.29) | (altitude > 0.31)
}

/// The material of a plain bed.
pub(super) const PLAIN_BED: Vec3 = WET_SAND;

/// Sand, with gravel in some hollows, and beds of red rock.
#[inline(always)]
fn desert(place: &SurfacePoint, grain: &Grains) -> Material {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let slope = place.slope + 0.06 * fine + 0.08 * middle;
    let stones = smoothstep(0.05, 0.75, 0.8 * grain.coarse + 0.35 * middle + 0.25 * fine)
        * (1.0 - smoothstep(0.12, 0.38, place.slope));
    let sand = DUNE.lerp(GRAVEL, 0.75 * stones)
        * (1.0 + 0.07 * middle + 0.05 * fine + (0.04 + 0.10 * stones) * tiny);
    let wet = 1.0 - smoothstep(0.15, 0.41, place.shore);
    let sand = sand.lerp(WET_SAND, wet);
    // Sand slides off slopes steeper than 34 degrees, a slope of 0.67.
    let bare = smoothstep(0.70, 0.95, slope);
    let albedo = sand.lerp(red_rock(grain), bare);
    let small = 0.04 + 0.10 * stones + 0.26 * bare;
    let bump = grain.middle.slope * (0.45 * bare)
        + (grain.fine.slope + grain.tiny.slope * 0.8 + grain.dust.slope * 0.7) * small;
    Material { albedo, bump }
}

/// Level sandstone beds: thick red and ochre ones, thin pale ones.
#[inline(always)]
fn red_rock(grain: &Grains) -> Vec3 {
    let fine = grain.fine.value;
    let mix = 0.45 + 0.5 * grain.beds[0] + 0.2 * fine;
    let pale = smoothstep(0.25, 0.6, grain.beds[1]) * 0.7;
    let rock = RED_ROCK.lerp(OCHRE_ROCK, mix.clamp(0.0, 1.0));
    rock.lerp(PALE_ROCK, pale) * (1.0 + 0.15 * grain.tiny.value + 0.12 * grain.dust.value)
}

/// The cut sides of the map: soil above layers of stone.
pub(super) fn wall(cover: LandCover, at: DVec3, footprint: f64, depth: f64) -> Material {
    let grain = Grains::solid(cover, at, footprint);
    let along = at.x + at.z;
    let wave = f64::from(noise::fractal(DVec2::new(along * 6.0, 0.5), 3, 40)) * 0.02;
    let layers = |size: f64, seed| {
        let shown = visible(1.0 / size, footprint);
        noise::value(DVec2::new((at.y + wave) * size, along * 1.5), seed) * shown
    };
    let mix = 0.52 + 0.42 * layers(55.0, 41) + 0.30 * layers(190.0, 42);
    let mix = mix + 0.16 * grain.fine.value + 0.12 * grain.tiny.value;
    let stone = DARK_ROCK.lerp(LIGHT_ROCK * 1.25, mix.clamp(0.0, 1.0));
    let (stone, soil_color) = match cover {
        LandCover::Temperate => (stone, EARTH),
        LandCover::Desert => (red_rock(&grain), DUNE),
    };
    let soil = 1.0 - smoothstep(0.004, 0.009, depth as f32 + 0.003 * grain.fine.value);
    let albedo = stone.lerp(soil_color * (0.8 + 0.3 * grain.tiny.value), soil);
    let bump = (grain.fine.slope + grain.tiny.slope) * 0.07;
    Material { albedo, bump }
}

/// Noise values at a place, from the size of a valley to that of a tree.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Grains {
    /// Varies over a valley.
    pub(super) coarse: f32,
    pub(super) middle: SolidGrain,
    pub(super) fine: SolidGrain,
    pub(super) tiny: SolidGrain,
    /// Visible in close views only.
    pub(super) dust: SolidGrain,
    /// The beds of the rock: see [`beds`].
    pub(super) beds: [f32; 2],
}

/// One noise: features per world unit, and the seed of the pattern.
pub(super) type NoiseSize = (f64, u32);

/// Two sizes of plane noise, the second half as strong. Their sum is `coarse`.
pub(super) const COARSE: [NoiseSize; 2] = [(7.0, 30), (7.0 * noise::LACUNARITY, 31)];
/// Middle, fine, tiny, dust.
pub(super) const GRAINS: [NoiseSize; 4] = [(44.0, 33), (150.0, 34), (420.0, 35), (1300.0, 37)];

/// The noise of rock beds. It varies with the height only: the second coordinate is the constant `other`. `bend` is how
/// far the coarse and the middle noise shift the beds, in world units.
pub(super) struct Beds {
    pub(super) sizes: [NoiseSize; 2],
    pub(super) other: f64,
    pub(super) bend: [f64; 2],
}

/// The rock beds of a cover.
pub(super) fn beds(cover: LandCover) -> &'static Beds {
    match cover {
        // Weathered stone has one size of layers.
        LandCover::Temperate => &Beds {
            sizes: [(130.0, 36), (f64::INFINITY, 0)],
            other: 0.37,
            bend: [2.2 / 130.0, 1.4 / 130.0],
        },
        LandCover::Desert => &Beds {
            sizes: [(75.0, 38), (190.0, 39)],
            other: 0.61,
            bend: [0.0018, 0.0008],
        },
    }
}

impl Grains {
    /// Solid noise at a point, where a pixel covers `footprint` world units.
    pub(super) fn solid(cover: LandCover, at: DVec3, footprint: f64) -> Self {
        let flat = DVec2::new(at.x, at.z);
        let [middle, fine, tiny, dust] = GRAINS.map(|(per_unit, seed)| {
            let shown = visible(1.0 / per_unit, footprint);
            if shown <= 0.0 {
                return SolidGrain::default();
            }
            let SolidGrain { value, slope } = noise::solid(at * per_unit, seed);
            SolidGrain {
                value: value * shown,
                slope: slope * shown,
            }
        });
        let coarse = noise::fractal(flat * COARSE[0].0, 2, COARSE[0].1) * 1.6;
        let beds = beds(cover);
        let bent = beds.bend[0] * f64::from(coarse) + beds.bend[1] * f64::from(middle.value);
        let beds = beds.sizes.map(|(per_unit, seed)| {
            let shown = visible(1.0 / per_unit, footprint);
            if shown <= 0.0 {
                return 0.0;
            }
            noise::value(DVec2::new((at.y + bent) * per_unit, beds.other), seed) * shown
        });
        Self {
            coarse,
            middle,
            fine,
            tiny,
            dust,
            beds,
        }
    }
}

/// The share of noise with this wavelength that pixels of this size can show.
pub(super) fn visible(wavelength: f64, footprint: f64) -> f32 {
    smoothstep(1.0, 2.8, (wavelength / footprint) as f32)
}

/// Grass, drier with altitude, and dark forest in the lowlands. Also returns the share of forest.
#[inline(always)]
fn vegetation(place: &SurfacePoint, grain: &Grains, altitude: f32) -> (Vec3, f32) {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let dry = smoothstep(0.08, 0.52, altitude + 0.12 * grain.coarse + 0.06 * middle);
    let grass = MEADOW.lerp(DRY_GRASS, dry)
        * (1.0 + 0.30 * middle + 0.18 * fine + 0.12 * tiny + 0.12 * grain.dust.value);
    let moist = 0.5 * grain.coarse + 0.40 * middle + 0.35 * fine;
    let low = 1.0 - smoothstep(0.30, 0.50, place.altitude);
    let inland = smoothstep(3.0, 6.5, place.shore);
    let gentle = 1.0 - smoothstep(0.55, 0.8, place.slope);
    let forest = smoothstep(0.0, 0.16, moist + 0.14) * low * inland * gentle;
    let trees = FOREST * (1.0 + 0.55 * tiny + 0.40 * fine);
    (grass.lerp(trees, forest), forest)
}

/// Weathered stone with uneven layers.
#[inline(always)]
fn rock(grain: &Grains) -> Vec3 {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let mix = 0.50 + 0.26 * grain.beds[0] + 0.34 * middle + 0.26 * fine;
    DARK_ROCK.lerp(LIGHT_ROCK, mix.clamp(0.0, 1.0)) * (1.0 + 0.22 * tiny + 0.15 * grain.dust.value)
}

/// How much the place belongs to the beach, from 0 to 1.
#[inline(always)]
fn beach(place: &SurfacePoint, grain: &Grains) -> f32 {
    let top = 1.0 + 0.5 * (grain.coarse + grain.middle.value);
    let height = place.shore / top.max(0.25);
    1.0 - smoothstep(0.75, 1.5, height + 0.25 * grain.fine.value)
}

#[inline(always)]
fn sand_color(place: &SurfacePoint, grain: &Grains) -> Vec3 {
    let wet = 1.0 - smoothstep(0.15, 0.41, place.shore);
    let sand = DRY_SAND * (1.0 + 0.12 * grain.middle.value + 0.08 * grain.tiny.value);
    sand.lerp(WET_SAND, wet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::SeededRng;

    /// The mean color of places with this altitude and slope.
    fn mean(altitude: f32, slope: f32) -> Vec3 {
        mean_of(LandCover::Temperate, altitude, slope)
    }

    fn mean_of(cover: LandCover, altitude: f32, slope: f32) -> Vec3 {
        mean_facing(cover, altitude, slope, 0.0)
    }

    fn mean_facing(cover: LandCover, altitude: f32, slope: f32, north: f32) -> Vec3 {
        let place = SurfacePoint {
            altitude,
            shore: shore(0.2 * f64::from(altitude), 1.0),
            slope,
            north,
        };
        let points = (0..400)
            .map(|step| DVec3::new(f64::from(step) * 0.0137, 0.1, f64::from(step % 17) * 0.031));
        let albedo = |at| ground(cover, &place, &Grains::solid(cover, at, 0.001)).albedo;
        points.map(albedo).sum::<Vec3>() / 400.0
    }

    #[test]
    fn material_follows_altitude_and_slope() {
        let [red, green, blue] = mean(0.2, 0.1).to_array();
        assert!(
            green > red && green > 1.5 * blue,
            "grass on gentle low ground"
        );
        let [red, green, blue] = mean(0.003, 0.02).to_array();
        assert!(red > green && green > blue, "sand by the sea");
        let [red, green, blue] = mean(0.3, 2.0).to_array();
        assert!(
            red > green && red < 1.5 * blue,
            "gray rock where it is steep"
        );
        assert!(mean(0.95, 0.1).min_element() > 0.7, "snow on high ground");
        assert!(mean(0.95, 2.0).max_element() < 0.4, "but not on cliffs");
    }

    #[test]
    fn snow_line_is_lower_on_north_faces() {
        let at = |north| mean_facing(LandCover::Temperate, SNOW_SHARE, 0.3, north).min_element();
        let [sunny, level, shady] = [-0.5, 0.0, 0.5].map(at);
        assert!(
            shady > 1.3 * level && level > 1.3 * sunny,
            "{shady}, {level}, {sunny}"
        );
        assert!((north(0.6, 0.6) - 2.0 / 3.0).abs() < 1e-6 && north(-0.6, 0.6) < 0.0);
    }

    #[test]
    fn desert_has_no_snow() {
        let sand = mean_of(LandCover::Desert, 0.2, 0.3);
        assert!(sand.x > sand.y && sand.y > 1.5 * sand.z, "{sand}");
        let high = mean_of(LandCover::Desert, 1.2, 0.3);
        assert!((high - sand).abs().max_element() < 0.03, "{high}: no snow");
        let rock = mean_of(LandCover::Desert, 0.2, 2.0);
        assert!(rock.x > 1.6 * rock.y && rock.x < sand.x, "{rock}");
    }

    #[test]
    fn skips_noise_finer_than_a_pixel() {
        assert_eq!(visible(0.001, 0.002), 0.0);
        assert_eq!(visible(0.010, 0.002), 1.0);
        let place = SurfacePoint {
            altitude: 0.5,
            shore: 9.0,
            slope: 1.5,
            north: 0.0,
        };
        let grain = Grains::solid(LandCover::Temperate, DVec3::new(0.1, 0.1, 0.2), 1.0);
        assert_eq!(
            ground(LandCover::Temperate, &place, &grain).bump,
            Vec3::ZERO
        );
    }

    /// Grains with any noise values from -1 to 1.
    fn any_grains(noise: &mut impl FnMut() -> f32) -> Grains {
        let mut grain = || SolidGrain {
            value: noise(),
            slope: Vec3::ZERO,
        };
        let [middle, fine, tiny, dust] = core::array::from_fn(|_| grain());
        Grains {
            coarse: 1.2 * noise(),
            middle,
            fine,
            tiny,
            dust,
            beds: [noise(), noise()],
        }
    }

    #[test]
    fn beds_show_only_where_rock_is_possible() {
        let mut rng = SeededRng::new(2, b"rock    ");
        let mut noise = || 2.0 * rng.unit() as f32 - 1.0;
        let mut seen = 0;
        for _ in 0..40_000 {
            let place = SurfacePoint {
                altitude: 0.5 * noise(),
                shore: 9.0 * noise(),
                slope: 0.5 * noise().abs(),
                north: noise(),
            };
            // Strong noise on all sizes is rare, but the bounds must hold for it.
            let mut strong = || libm::copysignf(1.0 - 0.2 * noise().abs(), noise());
            let grains = any_grains(&mut strong);
            let other = Grains {
                beds: grains.beds.map(|bed| -bed),
                ..grains
            };
            for cover in [LandCover::Temperate, LandCover::Desert] {
                let albedo = |grains| ground(cover, &place, grains).albedo;
                let is_seen = albedo(&grains) != albedo(&other);
                assert!(
                    !is_seen || may_be_rock(place.altitude, place.slope),
                    "{place:?} {grains:?}"
                );
                seen += usize::from(is_seen);
            }
        }
        assert!(seen > 1000, "{seen}");
        assert!(!may_be_rock(0.3, 0.28));
    }

    #[test]
    fn plain_bed_is_wet_sand_for_any_noise() {
        let mut rng = SeededRng::new(1, b"bed     ");
        let mut noise = || 2.0 * rng.unit() as f32 - 1.0;
        for _ in 0..20_000 {
            let (shore, slope) = (-9.0 * noise().abs() - 1e-6, 0.149 * noise().abs());
            assert!(is_plain_bed(shore, slope));
            let place = SurfacePoint {
                altitude: 0.1 * shore,
                shore,
                slope,
                north: noise(),
            };
            let grains = any_grains(&mut noise);
            for cover in [LandCover::Temperate, LandCover::Desert] {
                let off = ground(cover, &place, &grains).albedo - PLAIN_BED;
                assert!(off.abs().max_element() < 1e-6, "{place:?} {grains:?}");
            }
        }
        assert!(!is_plain_bed(0.0, 0.0) && !is_plain_bed(-1.0, 0.2));
    }

    #[test]
    fn wall_has_soil_above_stone() {
        let at = DVec3::new(0.1, 0.1, 0.5);
        let albedo = |depth| wall(LandCover::Temperate, at, 0.0008, depth).albedo;
        let (soil, stone) = (albedo(0.0), albedo(0.05));
        assert!(soil.x / soil.z > 1.5 * stone.x / stone.z, "{soil} {stone}");
    }
}
