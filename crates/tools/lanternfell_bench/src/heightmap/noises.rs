//! Fractal noise by crates in this process, with the same octaves as our islands.
//!
//! Each is evaluated at every cell, as its manual shows, and centered at 0.5. Setup that is needed
//! only once is not measured.

use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};
use glam::Vec2;
use lanternfell_heightmap::FractalNoise;
use libnoise::{Generator as _, Source};
use noise::{Fbm, MultiFractal, NoiseFn, OpenSimplex, Perlin, Simplex, SuperSimplex};
use noiz::{
    Noise, SampleableFor, ScalableNoise, SeedableNoise,
    cell_noise::{BlendCellGradients, MixCellGradients, QuickGradients, SimplecticBlend},
    cells::{OrthoGrid, SimplexGrid},
    curves::Smoothstep,
    layering::{FractalLayers, LayeredNoise, Normed, Octave, Persistence},
};

/// The seed, for libraries with 32-bit seeds.
const SEED: u32 = 7;

/// The noise of another crate.
pub(super) struct Rival {
    /// The crate and the noise.
    pub(super) who: &'static str,
    /// Whether it is simplex noise like ours, and so included in the budget.
    pub(super) simplex: bool,
    /// Generates a map of this side.
    pub(super) make: fn(&FractalNoise, usize) -> Vec<f32>,
}

/// All of them.
pub(super) const RIVALS: [Rival; 9] = [
    rival("noise: Simplex", true, |islands, side| {
        from_noise::<Simplex>(islands, side)
    }),
    rival("noise: OpenSimplex", false, |islands, side| {
        from_noise::<OpenSimplex>(islands, side)
    }),
    rival("noise: SuperSimplex", false, |islands, side| {
        from_noise::<SuperSimplex>(islands, side)
    }),
    rival("noise: Perlin", false, |islands, side| {
        from_noise::<Perlin>(islands, side)
    }),
    rival("noiz: simplex", true, from_noiz_simplex),
    rival("noiz: Perlin", false, from_noiz_perlin),
    rival("fastnoise-lite: OpenSimplex2", true, |islands, side| {
        from_fastnoise(islands, side, NoiseType::OpenSimplex2)
    }),
    rival("fastnoise-lite: Perlin", false, |islands, side| {
        from_fastnoise(islands, side, NoiseType::Perlin)
    }),
    rival("libnoise: simplex", true, from_libnoise),
];

const fn rival(
    who: &'static str,
    simplex: bool,
    make: fn(&FractalNoise, usize) -> Vec<f32>,
) -> Rival {
    Rival { who, simplex, make }
}

/// Fills a map row by row. Converts the noise from -1 to 1 to heights from 0 to 1.
fn fill(side: usize, noise: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let mut heights = Vec::with_capacity(side * side);
    for y in 0..side as u32 {
        for x in 0..side as u32 {
            heights.push(0.5 + 0.5 * noise(x as f32, y as f32));
        }
    }
    heights
}

fn from_noise<N>(islands: &FractalNoise, side: usize) -> Vec<f32>
where
    N: noise::Seedable + Default + NoiseFn<f64, 2>,
{
    let fractal = Fbm::<N>::new(SEED)
        .set_octaves(islands.octaves as usize)
        .set_frequency(1.0 / islands.scale)
        .set_lacunarity(islands.lacunarity)
        .set_persistence(islands.gain);
    fill(side, |x, y| {
        fractal.get([f64::from(x), f64::from(y)]) as f32
    })
}

/// Octaves of a noise of `noiz`.
type Layers<N> = Noise<LayeredNoise<Normed<f32>, Persistence, FractalLayers<Octave<N>>>>;

fn layers<N: Default>(islands: &FractalNoise) -> Layers<N> {
    let layers = FractalLayers {
        layer: Octave::<N>::default(),
        lacunarity: islands.lacunarity as f32,
        amount: islands.octaves,
    };
    let persistence = Persistence(islands.gain as f32);
    let mut noise = Noise::from(LayeredNoise::new(Normed::default(), persistence, layers));
    noise.set_seed(SEED);
    noise.set_period(islands.scale as f32);
    noise
}

fn from_noiz_simplex(islands: &FractalNoise, side: usize) -> Vec<f32> {
    let noise: Layers<BlendCellGradients<SimplexGrid, SimplecticBlend, QuickGradients>> =
        layers(islands);
    fill(side, |x, y| noise.sample(Vec2::new(x, y)))
}

fn from_noiz_perlin(islands: &FractalNoise, side: usize) -> Vec<f32> {
    let noise: Layers<MixCellGradients<OrthoGrid, Smoothstep, QuickGradients>> = layers(islands);
    fill(side, |x, y| noise.sample(Vec2::new(x, y)))
}

fn from_fastnoise(islands: &FractalNoise, side: usize, kind: NoiseType) -> Vec<f32> {
    let mut noise = FastNoiseLite::with_seed(SEED as i32);
    noise.set_noise_type(Some(kind));
    noise.set_fractal_type(Some(FractalType::FBm));
    noise.set_fractal_octaves(Some(islands.octaves as i32));
    noise.set_frequency(Some((1.0 / islands.scale) as f32));
    noise.set_fractal_lacunarity(Some(islands.lacunarity as f32));
    noise.set_fractal_gain(Some(islands.gain as f32));
    fill(side, |x, y| noise.get_noise_2d(x, y))
}

fn from_libnoise(islands: &FractalNoise, side: usize) -> Vec<f32> {
    let noise = Source::<2>::simplex(u64::from(SEED)).fbm(
        islands.octaves,
        1.0 / islands.scale,
        islands.lacunarity,
        islands.gain,
    );
    fill(side, |x, y| {
        noise.sample([f64::from(x), f64::from(y)]) as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heightmap::size::generate, heights::Shape};

    /// Other lattices are coarser by up to a half. The test detects wavelengths that are wrong by a
    /// factor of two, and three octaves instead of five.
    #[test]
    fn maps_are_similar() {
        let islands = FractalNoise::default();
        let ours = Shape::of(generate(&islands.clone().into(), 512).heights());
        for Rival { who, simplex, make } in RIVALS {
            let theirs = Shape::of(&make(&islands, 512));
            assert!((0.4..0.6).contains(&theirs.mean), "{who}: {theirs}");
            assert!((0.05..0.25).contains(&theirs.deviation), "{who}: {theirs}");
            let grain = theirs.grain / ours.grain;
            let least = if simplex { 0.78 } else { 0.5 };
            assert!(
                (least..1.2).contains(&grain),
                "{who}: {theirs}, ours {ours}"
            );
        }
    }
}
