//! The ground, painted by function. Each ground has four variants and a style per theme.
//!
//! The contrast is low: neighboring pixels differ by at most one step of a color ramp, so that
//! figures stand out. Water has four animation frames.

use gutterlight_rules::{Ground, Theme};

use super::{
    THEMES,
    canvas::{Canvas, SIDE, chance, hash},
    palette::{BLUE, COLD, FLAME, GREEN, Ink, RED, TEAL, VIOLET, WARM, WOOD},
};

/// The number of variants of each ground, which look alike from a distance.
pub const VARIANTS: u8 = 4;

/// The number of animation frames of water.
pub const WAVES: u8 = 4;

/// A cell of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Patch {
    ground: Ground,
    theme: Theme,
    variant: u8,
    wave: u8,
}

impl Patch {
    /// A variant of a ground, at an animation frame.
    pub const fn new(ground: Ground, theme: Theme, variant: u8, frame: u32) -> Self {
        let moves = matches!(ground, Ground::Water);
        Self {
            ground,
            theme: kept(ground, theme),
            variant: variant % VARIANTS,
            wave: if moves {
                (frame % WAVES as u32) as u8
            } else {
                0
            },
        }
    }

    /// All cells of ground.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = Ground::ALL
            .into_iter()
            .flat_map(|ground| THEMES.map(|theme| (ground, theme)))
            .filter(|(ground, theme)| kept(*ground, *theme) == *theme);
        kinds.flat_map(|(ground, theme)| {
            let waves = if ground == Ground::Water { WAVES } else { 1 };
            (0..waves).flat_map(move |wave| {
                (0..VARIANTS).map(move |variant| Self::new(ground, theme, variant, wave.into()))
            })
        })
    }

    /// Draws the cell.
    pub fn draw(self) -> Canvas {
        let seed = u32::from(self.variant);
        match self.ground {
            Ground::Stone => Canvas::painted(|x, y| stone(self.theme, x, y, seed)),
            Ground::Carpet => Canvas::painted(|x, y| carpet(self.theme, x, y, seed)),
            Ground::Gravel => Canvas::painted(|x, y| gravel(self.theme, x, y, seed)),
            Ground::Water => water(self.theme, seed, i32::from(self.wave)),
            Ground::Earth => Canvas::painted(|x, y| earth(self.theme, x, y, seed)),
        }
    }
}

/// The first theme in which a ground looks the same as in this one.
const fn kept(ground: Ground, theme: Theme) -> Theme {
    match (ground, theme) {
        (Ground::Water | Ground::Earth | Ground::Gravel, Theme::Cistern | Theme::Sanctum) => {
            Theme::Cistern
        }
        (Ground::Water | Ground::Earth | Ground::Gravel, _) => Theme::Cellars,
        _ => theme,
    }
}

fn stone(theme: Theme, x: i32, y: i32, seed: u32) -> Ink {
    match theme {
        Theme::Cellars => flags(x, y, seed),
        Theme::Cistern => wet_slabs(x, y, seed),
        Theme::Chapel => marble(x, y, seed),
        Theme::Catacombs => cracked_slabs(x, y, seed),
        Theme::Sanctum => polished_tiles(x, y, seed),
    }
}

/// A slab with joints to the east and south, and a light edge on the opposite sides.
fn slab(x: i32, y: i32, wide: i32, high: i32, [joint, body, edge]: [Ink; 3]) -> Ink {
    let (across, down) = (x.rem_euclid(wide), y.rem_euclid(high));
    if across == wide - 1 || down == high - 1 {
        joint
    } else if down == 0 || across == 0 {
        edge
    } else {
        body
    }
}

/// One or two flagstones per cell, or bricks where flagstones are missing.
fn flags(x: i32, y: i32, seed: u32) -> Ink {
    let inks = [WARM[1], WARM[2], WARM[2]];
    let worn = chance(x / 2, y, 100 + seed, 7);
    let ink = match seed {
        1 => slab(x, y, if y < 8 { 16 } else { 9 }, 8, inks),
        2 => slab(x + 4 * (y / 4 % 2), y, 8, 4, inks),
        _ => slab(x, y, SIDE, SIDE, inks),
    };
    let crack = seed == 3 && (x - 4 - y / 2 - (y / 3) % 2) == 0 && (2..=12).contains(&y);
    match ink {
        _ if crack => WARM[1],
        ink if ink == WARM[2] && worn => WARM[3],
        ink => ink,
    }
}

/// Large slabs with shiny puddles.
fn wet_slabs(x: i32, y: i32, seed: u32) -> Ink {
    let ink = slab(x, y, SIDE, SIDE, [COLD[1], COLD[2], COLD[2]]);
    let (dx, dy) = (x - 3 - 2 * seed as i32, y - 10 + seed as i32);
    let puddle = [0, 0, 16, 40][seed as usize % 4];
    match dx * dx + 3 * dy * dy {
        _ if ink == COLD[1] => ink,
        away if 3 * away < puddle && dy <= 0 => BLUE[2],
        away if away < puddle => BLUE[1],
        _ if seed == 1 && x + y == 19 && y > 7 => COLD[1],
        _ if chance(x / 3, y, 110 + seed, 4) => COLD[3],
        _ => ink,
    }
}

/// A checkerboard of two marbles, four squares per cell.
fn marble(x: i32, y: i32, seed: u32) -> Ink {
    let light = (x / 8 + y / 8) % 2 == 0;
    let edge = light && x % 8 == 0 && y % 8 == 0;
    let bend = (hash(0, y / 3, 120 + seed) % 2) as i32;
    let vein = seed != 0 && (x + y + bend) % 16 == 3 * seed as i32;
    match (light, edge || vein) {
        (true, false) | (false, true) => COLD[3],
        (true, true) => COLD[4],
        (false, false) => COLD[2],
    }
}

/// Sunken and cracked slabs, with moss and bones.
fn cracked_slabs(x: i32, y: i32, seed: u32) -> Ink {
    const BONES: [(i32, i32); 14] = [
        (4, 9),
        (5, 8),
        (4, 7),
        (5, 9),
        (6, 9),
        (7, 10),
        (8, 10),
        (9, 11),
        (10, 11),
        (11, 11),
        (11, 12),
        (12, 11),
        (11, 10),
        (10, 5),
    ];
    let bend = |at: i32| (hash(at / 3, 1, 130 + seed) % 3) as i32;
    let split = match seed {
        0 => x == 9 + bend(y) || (y == 6 + bend(x) && x > 9),
        1 => y == 5 + bend(x) || (x == 5 + bend(y) && y > 6),
        2 => x + y == 14 + bend(x),
        _ => y == 3 + bend(x),
    };
    match slab(x, y, SIDE, SIDE, [WARM[0], WARM[1], WARM[2]]) {
        _ if seed == 3 && BONES.contains(&(x, y)) => WARM[4],
        _ if split => WARM[0],
        ink if ink == WARM[1] && chance(x / 2, y / 2, 131 + seed, 18) => WARM[2],
        ink if ink == WARM[0] && chance(x, y, 132 + seed, 12) => GREEN[0],
        ink => ink,
    }
}

/// Dark polished tiles, some with an inlay.
fn polished_tiles(x: i32, y: i32, seed: u32) -> Ink {
    let ink = slab(x, y, SIDE, SIDE, [COLD[0], COLD[1], COLD[1]]);
    let from_middle = (x - 7).abs() + (y - 7).abs();
    let glint = x - y;
    match seed {
        _ if ink == COLD[0] => ink,
        3 if from_middle == 5 => VIOLET[1],
        3 if from_middle == 0 => VIOLET[2],
        1 if (-1..1).contains(&glint) && (3..9).contains(&x) => COLD[2],
        2 if glint == 4 && x > 9 => COLD[2],
        _ => ink,
    }
}

/// A weave of lozenges, with worn spots.
fn carpet(theme: Theme, x: i32, y: i32, seed: u32) -> Ink {
    let [dark, body, light] = match theme {
        Theme::Cellars => [WOOD[0], WOOD[1], WOOD[2]],
        Theme::Cistern => [TEAL[0], TEAL[1], TEAL[2]],
        Theme::Chapel => [RED[0], RED[1], FLAME[2]],
        Theme::Catacombs => [GREEN[0], GREEN[1], GREEN[2]],
        Theme::Sanctum => [VIOLET[0], VIOLET[1], FLAME[2]],
    };
    let (across, down) = ((x - 8).abs(), (y - 8).abs());
    if chance(x, y, 140 + seed, 3) {
        return dark;
    }
    match across + down {
        0 | 16 => light,
        3 | 8 if across > 0 && down > 0 => dark,
        _ => body,
    }
}

/// Small, densely packed stones.
fn gravel(theme: Theme, x: i32, y: i32, seed: u32) -> Ink {
    let ramp = match theme {
        Theme::Cistern => [COLD[0], COLD[1], COLD[2], COLD[3], COLD[4]],
        _ => [WARM[0], WARM[1], WARM[2], WARM[3], WARM[4]],
    };
    // One stone at a random position in each square of four pixels. The nearest one is visible.
    let stones = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x / 4 + dx, y / 4 + dy)));
    let away = stones.map(|(column, row)| {
        let bits = hash(column, row, 150 + seed);
        let (stone_x, stone_y) = (
            column * 4 + (bits % 4) as i32,
            row * 4 + (bits / 4 % 4) as i32,
        );
        let (dx, dy) = (x - stone_x, y - stone_y);
        (dx * dx + dy * dy, dy, bits / 16 % 3)
    });
    match away.min() {
        Some((0..=1, dy, shade)) if dy < 0 || shade == 2 => ramp[4],
        Some((0..=2, _, 0) | (3..=4, ..)) => ramp[2],
        Some((0..=2, ..)) => ramp[3],
        _ => ramp[1],
    }
}

/// Ripples that appear and disappear.
fn water(theme: Theme, seed: u32, wave: i32) -> Canvas {
    let [deep, body, light, glint] = match theme {
        Theme::Cistern => [TEAL[0], TEAL[1], TEAL[2], TEAL[3]],
        _ => [BLUE[0], BLUE[1], BLUE[2], BLUE[3]],
    };
    let mut canvas = Canvas::painted(|x, y| {
        let drift = (x + 2 * y + 4 * wave) / 3;
        if chance(drift, y / 2, 160 + seed, 8) {
            deep
        } else {
            body
        }
    });
    for ripple in 0..4 {
        let bits = hash(ripple, 0, 161 + seed);
        let phase = (wave + (bits >> 16) as i32 % 4) % 4;
        let long = [1, 3, 5, 3][phase as usize];
        let (x, y) = ((bits % 16) as i32, 1 + ripple * 4 + (bits / 16 % 3) as i32);
        for along in 0..long {
            canvas.set((x + along - long / 2) % SIDE, y, light);
        }
        if phase == 2 {
            canvas.set(x, y, glint);
        }
    }
    canvas
}

/// Trodden earth, with a stone or a tuft of grass.
fn earth(theme: Theme, x: i32, y: i32, seed: u32) -> Ink {
    let [dark, body, light] = match theme {
        Theme::Cistern => [COLD[0], COLD[1], COLD[2]],
        _ => [WARM[0], WARM[1], WARM[2]],
    };
    const TUFT: [(i32, i32); 9] = [
        (5, 6),
        (6, 7),
        (6, 8),
        (8, 5),
        (8, 6),
        (8, 7),
        (8, 8),
        (10, 7),
        (9, 8),
    ];
    // Lumps: the intersection of two coarse patterns.
    let lump =
        chance(x / 4, y / 3, 170 + seed, 45) && chance((x + 2) / 4, (y + y / 5) / 2, 171, 45);
    let pit = chance(x / 2, y, 172 + seed, 4);
    match seed {
        2 if TUFT.contains(&(x, y)) => GREEN[1],
        3 if y == 10 && (9..12).contains(&x) => WARM[3],
        3 if y == 11 && (9..13).contains(&x) => dark,
        _ if pit => dark,
        _ if lump => light,
        _ => body,
    }
}
