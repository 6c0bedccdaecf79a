//! The room tone: air, water, and falling drops.
//!
//! Each theme has its own levels for a few layers, and changing the theme fades between them.
//!
//! A drop is a bubble: after a short splash, the enclosed air sings with a rising pitch 15 to 30 ms
//! later. Most of what is heard is its reverb.

use gutterlight_rules::Theme;

use crate::sound::{
    RATE,
    contour::Decay,
    filter::{OnePole, Svf},
    noise::Noise,
    smooth::{BLOCK, Block, Smooth},
    wave::Oscillator,
};

/// The number of layers.
const LAYERS: usize = 5;

/// The levels of the layers of a theme: air, rumble, lapping water, whistling wind, the hum of the
/// Ember. Also the number of drops per minute.
fn layers(theme: Theme) -> ([f32; LAYERS], f32) {
    match theme {
        Theme::Cellars => ([0.7, 0.15, 0.0, 0.1, 0.0], 9.0),
        Theme::Cistern => ([0.5, 0.2, 0.55, 0.0, 0.0], 46.0),
        Theme::Chapel => ([0.8, 0.0, 0.0, 0.6, 0.0], 0.0),
        Theme::Catacombs => ([0.5, 0.65, 0.0, 0.25, 0.0], 18.0),
        Theme::Sanctum => ([0.6, 0.35, 0.0, 0.0, 0.5], 0.0),
    }
}

/// The loudness of everything.
const LOUDNESS: f32 = 0.03;

/// A room tone.
#[derive(Debug)]
pub struct Room {
    noises: [Noise; 2],
    air: [Svf; 2],
    rumble: Svf,
    lapping: Svf,
    whistle: Svf,
    wander: OnePole,
    hum: [Oscillator; 2],
    slow: [Oscillator; 3],
    layers: [Smooth; LAYERS],
    drops_in_a_minute: f32,
    drops: [Option<Drop>; 4],
}

/// A falling drop.
#[derive(Debug, Clone, Copy)]
struct Drop {
    tone: Oscillator,
    hertz: f32,
    fall: Decay,
    /// The number of samples until the bubble sings. Negative while it does.
    until: i32,
    gains: [f32; 3],
}

impl Drop {
    fn new(noise: &mut Noise) -> Self {
        let side = noise.between(0.1, 0.9);
        let strength = noise.between(0.5, 2.2);
        Self {
            tone: Oscillator::default(),
            hertz: noise.between(700.0, 1900.0),
            fall: Decay::new(noise.between(0.05, 0.11)),
            until: (noise.between(0.015, 0.03) * RATE as f32) as i32,
            gains: [(1.0 - side) * strength, side * strength, 2.6 * strength],
        }
    }

    fn sample(&mut self, noise: &mut Noise) -> f32 {
        self.until -= 1;
        if self.until > 0 {
            // The splash, which is very soft.
            return 0.02 * noise.white();
        }
        let since = -self.until as f32 / RATE as f32;
        let rise = (since * 500.0).min(1.0);
        rise * self.fall.step() * self.tone.sine(self.hertz * (1.0 + 6.0 * since))
    }

    fn is_over(&self) -> bool {
        self.until < -(RATE as i32) / 5
    }
}

impl Room {
    /// The room tone of a theme. The seed determines its random part.
    pub fn new(seed: u64, theme: Theme) -> Self {
        let (levels, drops_in_a_minute) = layers(theme);
        Self {
            noises: [Noise::new(seed), Noise::new(!seed)],
            air: [Svf::new(210.0, 0.4); 2],
            rumble: Svf::new(62.0, 1.2),
            lapping: Svf::new(420.0, 1.1),
            whistle: Svf::new(520.0, 14.0),
            wander: OnePole::new(0.5),
            hum: [Oscillator::default(), Oscillator::at(0.4)],
            slow: [0.0, 0.3, 0.7].map(Oscillator::at),
            layers: levels.map(|level| Smooth::new(level, 0.7)),
            drops_in_a_minute,
            drops: [None; 4],
        }
    }

    /// Changes smoothly to another theme.
    pub fn aim(&mut self, theme: Theme) {
        let (levels, drops_in_a_minute) = layers(theme);
        for (layer, level) in self.layers.iter_mut().zip(levels) {
            layer.aim(level);
        }
        self.drops_in_a_minute = drops_in_a_minute;
    }

    /// Adds the next block.
    pub fn add_to(&mut self, block: &mut Block) {
        let ramps = self.layers.each_mut().map(Smooth::block);
        self.let_drop();
        let wander = self.wander.low(self.noises[0].white()).clamp(-0.1, 0.1);
        self.whistle.tune(520.0 * (1.0 + 3.0 * wander), 14.0);
        for frame in 0..BLOCK {
            let levels = ramps.map(|ramp| ramp.at(frame));
            let [left, right, echo] = self.sample(levels);
            block.left[frame] += LOUDNESS * left;
            block.right[frame] += LOUDNESS * right;
            block.echo[frame] += LOUDNESS * echo;
        }
    }

    fn let_drop(&mut self) {
        let likely = self.drops_in_a_minute * BLOCK as f32 / (60.0 * RATE as f32);
        let [noise, _] = &mut self.noises;
        if noise.unit() < likely
            && let Some(free) = self.drops.iter_mut().find(|drop| drop.is_none())
        {
            *free = Some(Drop::new(noise));
        }
        for drop in &mut self.drops {
            if drop.is_some_and(|drop| drop.is_over()) {
                *drop = None;
            }
        }
    }

    fn sample(&mut self, [air, rumble, lapping, whistle, hum]: [f32; LAYERS]) -> [f32; 3] {
        let winds = self.noises.each_mut().map(Noise::pink);
        let swells = [0.11, 0.29, 0.23].into_iter().zip(&mut self.slow);
        let mut swell = [0.0; 3];
        for (swell, (hertz, slow)) in swell.iter_mut().zip(swells) {
            *swell = 0.5 + 0.5 * slow.sine(hertz);
        }
        let lap = swell[1] * swell[1] * swell[2];
        let middle = 4.0 * rumble * self.rumble.step(winds[0]).band
            + 2.2 * lapping * lap * self.lapping.step(winds[1]).band
            + 6.0 * whistle * swell[0] * self.whistle.step(winds[0]).band
            + 1.4 * hum * (0.5 + 0.5 * swell[2]) * self.hum();
        let mut sides = [middle, middle, 0.25 * middle];
        for ((side, filter), wind) in sides.iter_mut().zip(&mut self.air).zip(winds) {
            *side += 1.3 * air * filter.step(wind).band;
        }
        for drop in self.drops.iter_mut().flatten() {
            let sample = drop.sample(&mut self.noises[1]);
            for (side, gain) in sides.iter_mut().zip(drop.gains) {
                *side += gain * sample;
            }
        }
        sides
    }

    /// The hum of the Ember: a fifth, slightly detuned, with distortion.
    fn hum(&mut self) -> f32 {
        let [low, high] = &mut self.hum;
        let sum = low.sine(73.42) + 0.6 * high.sine(110.3);
        sum * (1.0 + 0.4 * sum)
    }
}
