//! Plain pictures of leaves and bark for the sheet: an engine brings its own.

use lanternfell_plants::grow::Skin;
use lanternfell_random::SplitMix64;

/// Pixels of a picture's side.
const SIDE: usize = 160;

/// One skin's picture.
pub struct Painted {
    pub skin: Skin,
    pub side: usize,
    pub pixels: Vec<u8>,
}

/// A picture that is being painted, and what its painter decides by.
struct Brush {
    pixels: Vec<u8>,
    rng: SplitMix64,
}

/// A leaf: where it begins, where it ends, how wide.
struct Blade {
    from: [f32; 2],
    to: [f32; 2],
    width: f32,
}

impl Brush {
    fn unit(&mut self) -> f32 {
        self.rng.below(1 << 16) as f32 / 65_536.0
    }

    fn spread(&mut self) -> f32 {
        self.unit() - self.unit()
    }

    /// Fills a pointed leaf, in places from 0 to 1.
    fn blade(&mut self, blade: &Blade, color: [f32; 3]) {
        let shade = 1.0 + 0.25 * self.spread();
        let [x0, y0] = blade.from;
        let (dx, dy) = (blade.to[0] - x0, blade.to[1] - y0);
        let length = (dx * dx + dy * dy).sqrt().max(1e-4);
        for index in 0..SIDE * SIDE {
            let x = (index % SIDE) as f32 / SIDE as f32 - x0;
            let y = (index / SIDE) as f32 / SIDE as f32 - y0;
            let along = (x * dx + y * dy) / (length * length);
            let across = (x * dy - y * dx) / length;
            if !(0.0..=1.0).contains(&along) {
                continue;
            }
            let half = blade.width * (along * 3.1).sin().max(0.0).sqrt().max(0.12) / 2.0;
            if across.abs() > half {
                continue;
            }
            let rib = if across.abs() < half * 0.15 { 1.2 } else { 1.0 };
            let color = color.map(|light| (light * shade * rib * 255.0).clamp(0.0, 255.0) as u8);
            self.pixels[4 * index..4 * index + 3].copy_from_slice(&color);
            self.pixels[4 * index + 3] = 255;
        }
    }

    /// A stem from the bottom, with `pairs` of leaves to both sides and one at its tip.
    fn twig(
        &mut self,
        from: [f32; 2],
        to: [f32; 2],
        pairs: u32,
        leaf: [f32; 2],
        splay: f32,
        color: [f32; 3],
    ) {
        self.blade(
            &Blade {
                from,
                to,
                width: 0.02,
            },
            [0.30, 0.24, 0.15],
        );
        let along = [to[0] - from[0], to[1] - from[1]];
        let angle = along[1].atan2(along[0]);
        for pair in 0..=pairs {
            let share = 0.12 + 0.88 * pair as f32 / pairs as f32;
            for sign in [-1.0, 1.0] {
                let turn = angle + sign * splay * (1.0 - 0.4 * share) + 0.25 * self.spread();
                let length = leaf[0] * (1.0 - 0.35 * share) * (1.0 + 0.25 * self.spread());
                let root = [from[0] + along[0] * share, from[1] + along[1] * share];
                let tip = [root[0] + length * turn.cos(), root[1] + length * turn.sin()];
                let width = leaf[1] * (1.0 + 0.2 * self.spread());
                self.blade(
                    &Blade {
                        from: root,
                        to: tip,
                        width,
                    },
                    color,
                );
            }
        }
    }

    /// A stem with side twigs.
    fn spray(&mut self, sides: u32, pairs: u32, leaf: [f32; 2], splay: f32, color: [f32; 3]) {
        for side in 0..sides {
            let share = 0.1 + 0.75 * side as f32 / sides as f32;
            let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
            let from = [0.5, 1.0 - share];
            let reach = 0.42 * (1.0 - 0.55 * share);
            let to = [0.5 + sign * reach, from[1] - reach * 0.75];
            self.twig(from, to, pairs, leaf, splay, color);
        }
        self.twig([0.5, 1.0], [0.5, 0.08], pairs + 2, leaf, splay, color);
    }

    /// Fern fronds from one root.
    fn fan(&mut self) {
        for lean in [-0.42_f32, 0.42, -0.22, 0.22, 0.0] {
            let to = [0.5 + lean, 0.04 + 0.9 * lean * lean];
            self.twig([0.5, 1.0], to, 16, [0.17, 0.035], 1.2, [0.32, 0.52, 0.20]);
        }
    }

    /// Blades from the bottom that bend to the sides.
    fn grass(&mut self) {
        for _ in 0..34 {
            let foot = 0.5 + 0.22 * self.spread();
            let height = 0.45 + 0.5 * self.unit();
            let bend = 0.42 * self.spread();
            let point = |share: f32| [foot + bend * share * share, 1.0 - height * share];
            for (piece, width) in [0.030, 0.026, 0.020, 0.013].into_iter().enumerate() {
                let blade = Blade {
                    from: point(piece as f32 / 4.0),
                    to: point((piece as f32 + 1.4) / 4.0),
                    width,
                };
                self.blade(&blade, [0.36, 0.50, 0.18]);
            }
        }
    }

    fn flowers(&mut self) {
        for _ in 0..9 {
            let foot = [0.5 + 0.15 * self.spread(), 1.0];
            let head = [0.5 + 0.42 * self.spread(), 0.12 + 0.4 * self.unit()];
            self.blade(
                &Blade {
                    from: foot,
                    to: head,
                    width: 0.02,
                },
                [0.25, 0.42, 0.15],
            );
            let leaf = [foot[0] + 0.2 * self.spread(), 0.6];
            self.blade(
                &Blade {
                    from: foot,
                    to: leaf,
                    width: 0.05,
                },
                [0.28, 0.46, 0.16],
            );
            for petal in 0..7 {
                let turn = petal as f32 * 0.9;
                let to = [head[0] + 0.075 * turn.cos(), head[1] + 0.06 * turn.sin()];
                self.blade(
                    &Blade {
                        from: head,
                        to,
                        width: 0.055,
                    },
                    [0.85, 0.62, 0.85],
                );
            }
        }
    }

    /// Streaks along the stem.
    fn bark(&mut self, color: [f32; 3], bands: bool) {
        let columns: Vec<f32> = (0..SIDE).map(|_| 0.75 + 0.5 * self.unit()).collect();
        for (index, pixel) in self.pixels.chunks_mut(4).enumerate() {
            let (x, y) = (index % SIDE, index / SIDE);
            let streak = columns[(x + y / 9) % SIDE] * 0.5 + columns[(x * 7 + y) % SIDE] * 0.5;
            let band =
                bands && (y * 13 / SIDE * 7 + x * 3 / SIDE).is_multiple_of(5) && columns[y] > 1.0;
            let shade = if band { 0.25 } else { streak };
            let color = color.map(|light| (light * shade * 255.0).clamp(0.0, 255.0) as u8);
            pixel.copy_from_slice(&[color[0], color[1], color[2], 255]);
        }
    }
}

/// A picture for every skin but the last, which is a plant's own.
pub fn all() -> Vec<Painted> {
    let painted = |skin: Skin| {
        let mut brush = Brush {
            pixels: vec![0; SIDE * SIDE * 4],
            rng: SplitMix64::new(skin as u64),
        };
        match skin {
            Skin::Bark => brush.bark([0.44, 0.35, 0.27], false),
            Skin::BirchBark => brush.bark([0.88, 0.87, 0.84], true),
            Skin::DeadBark => brush.bark([0.60, 0.57, 0.53], false),
            Skin::Rock => brush.bark([0.55, 0.54, 0.52], false),
            Skin::PineBranch => brush.spray(11, 11, [0.13, 0.016], 0.75, [0.20, 0.36, 0.22]),
            Skin::BroadLeaves => brush.spray(5, 4, [0.20, 0.095], 0.9, [0.33, 0.48, 0.18]),
            Skin::BirchLeaves => brush.spray(7, 5, [0.11, 0.065], 0.9, [0.45, 0.57, 0.20]),
            Skin::Bush => brush.spray(6, 5, [0.15, 0.075], 0.8, [0.30, 0.44, 0.19]),
            Skin::PalmFrond => brush.twig(
                [0.5, 1.0],
                [0.5, 0.02],
                26,
                [0.44, 0.035],
                1.0,
                [0.36, 0.52, 0.20],
            ),
            Skin::Fern => brush.fan(),
            Skin::GrassTuft => brush.grass(),
            Skin::Flowers => brush.flowers(),
            Skin::Picture => {}
        }
        Painted {
            skin,
            side: SIDE,
            pixels: brush.pixels,
        }
    };
    Skin::ALL
        .into_iter()
        .filter(|skin| *skin != Skin::Picture)
        .map(painted)
        .collect()
}
