//! What the ground is made of: sand, grass, forest, rock and snow.
//!
//! Chosen by the height above the sea and by the slope, as in nature: sand lies flat
//! along the shore, grass holds on gentle ground, rock shows where it is too steep for
//! soil, snow lies high where it does not slide off. In a desert there is sand, and red rock
//! where it is steeper than sand can lie. Noise of several sizes moves the
//! borders and roughens the colors; noise finer than a pixel is left out.

use glam::{DVec2, DVec3, Vec3};

use super::{
    look::{HIGHEST_BEACH, SNOW_SHARE},
    noise::{self, SolidGrain},
    sky::smoothstep,
};
use crate::Cover;

/// Where a piece of ground is, as far as its material cares.
pub(super) struct SurfacePoint {
    /// Position in world units.
    pub(super) at: DVec3,
    /// World units above the sea.
    pub(super) above_sea: f64,
    /// Height above the sea as a share: snow begins at 0.69 (see `look.rs`).
    pub(super) altitude: f32,
    pub(super) cover: Cover,
    /// The height of beaches as a part of [`BEACH`].
    pub(super) beach: f64,
    /// Rise per run of the lie of the land: measured over several cells.
    pub(super) slope: f32,
    /// World units that a pixel covers here.
    pub(super) footprint: f64,
}

/// Color and unevenness of a piece of ground.
pub(super) struct Material {
    /// The share of light that is thrown back, linear.
    pub(super) albedo: Vec3,
    /// How the small bumps tilt the surface's normal.
    pub(super) bump: DVec3,
}

const DRY_SAND: Vec3 = Vec3::new(0.46, 0.365, 0.225);
const WET_SAND: Vec3 = Vec3::new(0.21, 0.16, 0.095);
const MEADOW: Vec3 = Vec3::new(0.066, 0.098, 0.029);
const DRY_GRASS: Vec3 = Vec3::new(0.178, 0.152, 0.062);
const FOREST: Vec3 = Vec3::new(0.024, 0.043, 0.018);
const LIGHT_ROCK: Vec3 = Vec3::new(0.205, 0.185, 0.160);
const DARK_ROCK: Vec3 = Vec3::new(0.070, 0.064, 0.060);
const EARTH: Vec3 = Vec3::new(0.170, 0.115, 0.070);
const SNOW: Vec3 = Vec3::new(0.84, 0.87, 0.92);

/// The sand of dunes, and the stones between them.
const DUNE: Vec3 = Vec3::new(0.47, 0.275, 0.118);
const GRAVEL: Vec3 = Vec3::new(0.30, 0.185, 0.100);
/// Beds of sandstone, and the pale one between them.
const RED_ROCK: Vec3 = Vec3::new(0.235, 0.088, 0.042);
const OCHRE_ROCK: Vec3 = Vec3::new(0.360, 0.180, 0.090);
const PALE_ROCK: Vec3 = Vec3::new(0.430, 0.300, 0.185);

/// The material of the ground at `place`.
pub(super) fn ground(place: &SurfacePoint) -> Material {
    let grain = Scales::new(place);
    match place.cover {
        Cover::Temperate => temperate(place, &grain),
        Cover::Desert => desert(place, &grain),
    }
}

fn temperate(place: &SurfacePoint, grain: &Scales) -> Material {
    let slope = place.slope + 0.14 * grain.fine.value + 0.16 * grain.middle.value;
    let altitude = place.altitude + 0.045 * grain.coarse + 0.03 * grain.middle.value;

    let (mut albedo, leaves) = vegetation(place, grain, altitude);
    let soil_thins = 0.30 * smoothstep(0.40, 0.75, altitude);
    let bare = smoothstep(0.60, 0.86, slope + soil_thins);
    albedo = albedo.lerp(rock(place, grain), bare);
    let sand = beach(place, grain) * (1.0 - smoothstep(0.45, 0.75, slope));
    albedo = albedo.lerp(sand_color(place, grain), sand);
    let snow = smoothstep(SNOW_SHARE - 0.03, SNOW_SHARE + 0.03, altitude)
        * (1.0 - smoothstep(0.70, 0.95, slope));
    albedo = albedo.lerp(SNOW, snow);

    let cover = (1.0 - 0.85 * snow) * (1.0 - 0.85 * sand);
    let crags = 0.55 * bare * cover;
    let small = (0.10 + 0.28 * bare + 0.50 * leaves * (1.0 - bare)) * cover;
    let bump = grain.middle.slope * crags
        + (grain.fine.slope + grain.tiny.slope * 0.8 + grain.dust.slope * 0.7) * small;
    Material {
        albedo,
        bump: bump.as_dvec3(),
    }
}

/// Sand, gravel in some hollows, and beds of red rock.
fn desert(place: &SurfacePoint, grain: &Scales) -> Material {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let slope = place.slope + 0.06 * fine + 0.08 * middle;
    let stones = smoothstep(0.05, 0.75, 0.8 * grain.coarse + 0.35 * middle + 0.25 * fine)
        * (1.0 - smoothstep(0.12, 0.38, place.slope));
    let sand = DUNE.lerp(GRAVEL, 0.75 * stones)
        * (1.0 + 0.07 * middle + 0.05 * fine + (0.04 + 0.10 * stones) * tiny);
    let wet = 1.0 - smoothstep(0.15, 0.41, beach_height(place));
    let sand = sand.lerp(WET_SAND, wet);
    // Sand slides from what is steeper than 34 degrees, a slope of 0.67.
    let bare = smoothstep(0.70, 0.95, slope);
    let albedo = sand.lerp(red_rock(place, grain), bare);
    let small = 0.04 + 0.10 * stones + 0.26 * bare;
    let bump = grain.middle.slope * (0.45 * bare)
        + (grain.fine.slope + grain.tiny.slope * 0.8 + grain.dust.slope * 0.7) * small;
    Material {
        albedo,
        bump: bump.as_dvec3(),
    }
}

/// Level beds of sandstone: thick red and ochre ones, thin pale ones.
fn red_rock(place: &SurfacePoint, grain: &Scales) -> Vec3 {
    let (middle, fine) = (grain.middle.value, grain.fine.value);
    let height = place.at.y + 0.0018 * f64::from(grain.coarse) + 0.0008 * f64::from(middle);
    let bed = |per_unit: f64, seed| {
        let shown = visible(1.0 / per_unit, place.footprint);
        noise::value(DVec2::new(height * per_unit, 0.61), seed) * shown
    };
    let mix = 0.45 + 0.5 * bed(75.0, 38) + 0.2 * fine;
    let pale = smoothstep(0.25, 0.6, bed(190.0, 39)) * 0.7;
    let rock = RED_ROCK.lerp(OCHRE_ROCK, mix.clamp(0.0, 1.0));
    rock.lerp(PALE_ROCK, pale) * (1.0 + 0.15 * grain.tiny.value + 0.12 * grain.dust.value)
}

/// The cut sides of the map: earth on top of layers of stone.
pub(super) fn wall(place: &SurfacePoint, depth: f64) -> Material {
    let grain = Scales::new(place);
    let along = place.at.x + place.at.z;
    let wave = f64::from(noise::fractal(DVec2::new(along * 6.0, 0.5), 3, 40)) * 0.02;
    let layers = |size: f64, seed| {
        let shown = visible(1.0 / size, place.footprint);
        noise::value(DVec2::new((place.at.y + wave) * size, along * 1.5), seed) * shown
    };
    let mix = 0.52 + 0.42 * layers(55.0, 41) + 0.30 * layers(190.0, 42);
    let mix = mix + 0.16 * grain.fine.value + 0.12 * grain.tiny.value;
    let stone = DARK_ROCK.lerp(LIGHT_ROCK * 1.25, mix.clamp(0.0, 1.0));
    let (stone, soil_color) = match place.cover {
        Cover::Temperate => (stone, EARTH),
        Cover::Desert => (red_rock(place, &grain), DUNE),
    };
    let soil = 1.0 - smoothstep(0.004, 0.009, depth as f32 + 0.003 * grain.fine.value);
    let albedo = stone.lerp(soil_color * (0.8 + 0.3 * grain.tiny.value), soil);
    let bump = (grain.fine.slope + grain.tiny.slope) * 0.07;
    Material {
        albedo,
        bump: bump.as_dvec3(),
    }
}

/// Noise from the size of a valley to that of a tree.
struct Scales {
    coarse: f32,
    middle: SolidGrain,
    fine: SolidGrain,
    tiny: SolidGrain,
    /// For close views only.
    dust: SolidGrain,
}

impl Scales {
    fn new(place: &SurfacePoint) -> Self {
        let at = DVec2::new(place.at.x, place.at.z);
        let scale = |per_unit: f64, seed| {
            let shown = visible(1.0 / per_unit, place.footprint);
            if shown <= 0.0 {
                return SolidGrain::default();
            }
            let SolidGrain { value, slope } = noise::solid(place.at * per_unit, seed);
            SolidGrain {
                value: value * shown,
                slope: slope * shown,
            }
        };
        Self {
            coarse: noise::fractal(at * 7.0, 2, 30) * 1.6,
            middle: scale(44.0, 33),
            fine: scale(150.0, 34),
            tiny: scale(420.0, 35),
            dust: scale(1300.0, 37),
        }
    }
}

/// The share of noise of that wavelength that pixels of that size can show.
pub(super) fn visible(wavelength: f64, footprint: f64) -> f32 {
    smoothstep(1.0, 2.8, (wavelength / footprint) as f32)
}

/// Grass, drier with height, and dark forest in the lowlands; also the forest's share.
fn vegetation(place: &SurfacePoint, grain: &Scales, altitude: f32) -> (Vec3, f32) {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let dry = smoothstep(0.08, 0.52, altitude + 0.12 * grain.coarse + 0.06 * middle);
    let grass = MEADOW.lerp(DRY_GRASS, dry)
        * (1.0 + 0.30 * middle + 0.18 * fine + 0.12 * tiny + 0.12 * grain.dust.value);
    let moist = 0.5 * grain.coarse + 0.40 * middle + 0.35 * fine;
    let low = 1.0 - smoothstep(0.30, 0.50, place.altitude);
    let inland = smoothstep(3.0, 6.5, beach_height(place));
    let gentle = 1.0 - smoothstep(0.55, 0.8, place.slope);
    let forest = smoothstep(0.0, 0.16, moist + 0.14) * low * inland * gentle;
    let trees = FOREST * (1.0 + 0.55 * tiny + 0.40 * fine);
    (grass.lerp(trees, forest), forest)
}

/// Weathered stone with uneven layers.
fn rock(place: &SurfacePoint, grain: &Scales) -> Vec3 {
    let (middle, fine, tiny) = (grain.middle.value, grain.fine.value, grain.tiny.value);
    let height = place.at.y * 130.0 + f64::from(grain.coarse) * 2.2 + f64::from(middle) * 1.4;
    let layer = noise::value(DVec2::new(height, 0.37), 36);
    let layer = layer * visible(1.0 / 130.0, place.footprint);
    let mix = 0.50 + 0.26 * layer + 0.34 * middle + 0.26 * fine;
    DARK_ROCK.lerp(LIGHT_ROCK, mix.clamp(0.0, 1.0)) * (1.0 + 0.22 * tiny + 0.15 * grain.dust.value)
}

/// Height above the sea in heights of the beach.
fn beach_height(place: &SurfacePoint) -> f32 {
    // Without any beach all land is high above it.
    let beach = (place.beach * HIGHEST_BEACH).max(1e-9);
    (place.above_sea / beach) as f32
}

/// How much the place belongs to the beach, from 0 to 1.
fn beach(place: &SurfacePoint, grain: &Scales) -> f32 {
    let top = 1.0 + 0.5 * (grain.coarse + grain.middle.value);
    let height = beach_height(place) / top.max(0.25);
    1.0 - smoothstep(0.75, 1.5, height + 0.25 * grain.fine.value)
}

fn sand_color(place: &SurfacePoint, grain: &Scales) -> Vec3 {
    let wet = 1.0 - smoothstep(0.15, 0.41, beach_height(place));
    let sand = DRY_SAND * (1.0 + 0.12 * grain.middle.value + 0.08 * grain.tiny.value);
    sand.lerp(WET_SAND, wet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean color of places of that height above the sea and slope.
    fn mean(altitude: f32, slope: f32) -> Vec3 {
        mean_of(Cover::Temperate, altitude, slope)
    }

    fn mean_of(cover: Cover, altitude: f32, slope: f32) -> Vec3 {
        let places = (0..400).map(|step| SurfacePoint {
            at: DVec3::new(f64::from(step) * 0.0137, 0.1, f64::from(step % 17) * 0.031),
            above_sea: 0.2 * f64::from(altitude),
            altitude,
            cover,
            beach: 1.0,
            slope,
            footprint: 0.001,
        });
        places.map(|place| ground(&place).albedo).sum::<Vec3>() / 400.0
    }

    #[test]
    fn height_and_slope_choose_the_material() {
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
    fn a_desert_is_sand_and_red_rock_at_any_height() {
        let sand = mean_of(Cover::Desert, 0.2, 0.3);
        assert!(sand.x > sand.y && sand.y > 1.5 * sand.z, "{sand}");
        let high = mean_of(Cover::Desert, 1.2, 0.3);
        assert!((high - sand).abs().max_element() < 0.03, "{high}: no snow");
        let rock = mean_of(Cover::Desert, 0.2, 2.0);
        assert!(rock.x > 1.6 * rock.y && rock.x < sand.x, "{rock}");
    }

    #[test]
    fn what_is_finer_than_a_pixel_is_left_out() {
        assert_eq!(visible(0.001, 0.002), 0.0);
        assert_eq!(visible(0.010, 0.002), 1.0);
        let coarse = SurfacePoint {
            at: DVec3::new(0.1, 0.1, 0.2),
            above_sea: 0.1,
            altitude: 0.5,
            cover: Cover::Temperate,
            beach: 1.0,
            slope: 1.5,
            footprint: 1.0,
        };
        assert_eq!(ground(&coarse).bump, DVec3::ZERO);
    }

    #[test]
    fn a_wall_has_soil_above_stone() {
        let place = SurfacePoint {
            at: DVec3::new(0.1, 0.1, 0.5),
            above_sea: 0.1,
            altitude: 0.5,
            cover: Cover::Temperate,
            beach: 1.0,
            slope: 0.0,
            footprint: 0.0008,
        };
        let (soil, stone) = (wall(&place, 0.0).albedo, wall(&place, 0.05).albedo);
        assert!(soil.x / soil.z > 1.5 * stone.x / stone.z, "{soil} {stone}");
    }
}
