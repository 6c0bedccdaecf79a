//! Walls and natural rock, seen from the south and from above.
//!
//! ```text
//!    . . . . . .      A block with open ground to its south shows its face, of bricks or
//!    . _______ .      rough stone, under a strip of its top. Every other block shows only
//!    .|  top  |.      its top: dark, with a light rim along whatever is open. Where the
//!    .|_______|.      neighbor to the side shows a face, the rim turns the corner and
//!    .|_|_|_|_|.      runs along it.
//!    . . . . . .
//! ```

use gutterlight_rules::{Direction, Theme};

use super::{
    THEMES,
    canvas::{Canvas, SIDE, chance, hash},
    mask::Mask,
    palette::{BLUE, COLD, FLAME, GREEN, INK, Ink, TEAL, VIOLET, WARM, WHITE},
};

/// How many rows of its top a block shows above its face.
pub const LIP: i32 = 5;

/// The number of variants of a face.
pub const VARIANTS: u8 = 2;

/// The material of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stuff {
    /// Masonry in the style of a theme.
    Masonry(Theme),
    /// Natural rock.
    Rock,
}

/// A block of wall or rock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    stuff: Stuff,
    mask: Mask,
    variant: u8,
}

impl Block {
    /// A block with these open neighbors, and this variant of its face.
    pub const fn new(stuff: Stuff, mask: Mask, variant: u8) -> Self {
        let face = Self {
            stuff,
            mask,
            variant: variant % VARIANTS,
        };
        // Without a face all variants look the same. A single one keeps the atlas free of duplicates.
        if face.shows_face() {
            face
        } else {
            Self { variant: 0, ..face }
        }
    }

    /// All blocks.
    pub fn all() -> impl Iterator<Item = Self> {
        let stuffs = THEMES.map(Stuff::Masonry).into_iter().chain([Stuff::Rock]);
        stuffs.flat_map(|stuff| {
            Mask::all().flat_map(move |mask| {
                let faces = if mask.is_open(Direction::South) {
                    VARIANTS
                } else {
                    1
                };
                (0..faces).map(move |variant| Self::new(stuff, mask, variant))
            })
        })
    }

    /// Whether there is open ground to the south.
    pub const fn shows_face(self) -> bool {
        self.mask.is_open(Direction::South)
    }

    /// Draws the block.
    pub fn draw(self) -> Canvas {
        let ramp = self.stuff.ramp();
        let seed = u32::from(self.variant);
        let faces = self.shows_face();
        Canvas::painted(|x, y| {
            if faces && y >= LIP {
                self.end_of_face(x)
                    .unwrap_or_else(|| self.stuff.face(x, y - LIP, seed))
            } else {
                self.top(x, y, ramp, seed)
            }
        })
    }

    /// The dark upright edge of a face next to open ground.
    fn end_of_face(self, x: i32) -> Option<Ink> {
        let west = x == 0 && self.mask.is_open(Direction::West);
        let east = x == SIDE - 1 && self.mask.is_open(Direction::East);
        (west || east).then_some(self.stuff.ramp()[0])
    }

    fn top(self, x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
        let to_rim = self.to_rim(x, y);
        let corner = x.min(SIDE - 1 - x) < 3 && y.min(SIDE - 1 - y) < 3;
        let ragged = match self.stuff {
            Stuff::Masonry(_) => 0,
            // Blocks are drawn independently, so rims must be straight where neighbors continue them.
            Stuff::Rock if corner => 0,
            Stuff::Rock => (hash(x / 2, y / 2, 40 + seed) % 3) as i32,
        };
        // Negative values are inside the ragged edge: dark, as if stone had broken off.
        match to_rim - ragged {
            ..0 => ramp[0],
            0 => ramp[4],
            1 => ramp[2],
            _ => self.stuff.summit(x, y, ramp, seed),
        }
    }

    /// The distance of a pixel of the top from the nearest rim, in pixels. `SIDE` if there is no rim.
    fn to_rim(self, x: i32, y: i32) -> i32 {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        let (to_west, to_east, to_north) = (x, SIDE - 1 - x, y);
        // Next to a neighbor that shows a face, the rim begins below that neighbor's strip of top.
        let to_face = (LIP - y).max(0);
        // A diagonal neighbor opens only its corner, so both distances must be small: Chebyshev distance.
        let rims = [
            (North, to_north),
            (East, to_east),
            (West, to_west),
            (South, LIP - 1 - y),
            (NorthEast, to_east.max(to_north)),
            (NorthWest, to_west.max(to_north)),
            (SouthEast, to_east.max(to_face)),
            (SouthWest, to_west.max(to_face)),
        ];
        let open = rims.iter().filter(|(way, _)| self.mask.is_open(*way));
        open.map(|(_, away)| *away).min().unwrap_or(SIDE)
    }
}

impl Stuff {
    /// The colors of joint, shade, middle, light and rim.
    fn ramp(self) -> [Ink; 5] {
        match self {
            Self::Masonry(theme) => ramp(theme),
            Self::Rock => [INK, WARM[0], WARM[1], WARM[2], WARM[4]],
        }
    }

    /// The top away from its rims. It is dark, so that rooms stand out.
    fn summit(self, x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
        let (dark, rough, own) = match self {
            Self::Masonry(Theme::Chapel) => (COLD[0], 3, 0),
            Self::Masonry(theme) => (ramp[0], 3, 1 + theme as u32),
            Self::Rock => (WARM[0], 5, 9),
        };
        if chance(x / 2, y, 70 + 10 * own + seed, rough) {
            INK
        } else {
            dark
        }
    }

    /// The face. `y` counts its eleven rows from below the strip of top.
    fn face(self, x: i32, y: i32, seed: u32) -> Ink {
        let ramp = self.ramp();
        if y == SIDE - LIP - 1 {
            return ramp[0];
        }
        match self {
            Self::Masonry(Theme::Cellars) => bricks(x, y, ramp, seed),
            Self::Masonry(Theme::Cistern) => wet_blocks(x, y, ramp, seed),
            Self::Masonry(Theme::Chapel) => ashlar(x, y, ramp, seed),
            Self::Masonry(Theme::Catacombs) => niches(x, y, ramp, seed),
            Self::Masonry(Theme::Sanctum) => slabs(x, y, ramp, seed),
            Self::Rock => crag(x, y, ramp, seed),
        }
    }
}

/// The colors of joint, shade, middle, light and rim for the masonry of a theme.
pub const fn ramp(theme: Theme) -> [Ink; 5] {
    match theme {
        Theme::Cellars => [WARM[0], WARM[1], WARM[2], WARM[3], WARM[4]],
        Theme::Cistern => [COLD[0], COLD[1], COLD[2], COLD[3], COLD[4]],
        Theme::Chapel => [COLD[1], COLD[2], COLD[4], COLD[5], WHITE],
        Theme::Catacombs => [WARM[0], WARM[1], WARM[2], WARM[3], WARM[5]],
        Theme::Sanctum => [INK, VIOLET[0], VIOLET[1], VIOLET[2], VIOLET[3]],
    }
}

/// Courses of bricks, each shifted by half a brick.
fn bricks(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let course = y / 3;
    // Half a brick is 4 pixels, and 16 is a multiple of a brick, so courses continue across blocks.
    let along = x + 4 * (course % 2);
    if y % 3 == 2 || along % 8 == 7 {
        return ramp[1];
    }
    let old = chance(along / 8 % 2, course, 11 + seed, 30);
    match (old, y % 3) {
        (false, 0) => ramp[4],
        (false, _) | (true, 0) => ramp[3],
        (true, _) => ramp[2],
    }
}

/// Large blocks, with slime up to half their height. One variant has a drain.
fn wet_blocks(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let course = y / 5;
    let along = x + 8 * (course % 2) + 3;
    if let Some(ink) = drain(x, y).filter(|_| seed == 1) {
        return ink;
    }
    if y % 5 == 4 || along % 16 == 15 {
        return ramp[1];
    }
    let slime = y >= 6 + (hash(x / 2, 0, 21 + seed) % 2) as i32;
    match (slime, y % 5) {
        (true, _) if chance(x, y, 22 + seed, 25) => TEAL[0],
        (true, _) => TEAL[1],
        (false, 0) => ramp[4],
        (false, _) if chance(x, y, 23 + seed, 8) => ramp[2],
        (false, _) => ramp[3],
    }
}

/// A round hole with running water.
fn drain(x: i32, y: i32) -> Option<Ink> {
    let (dx, dy) = (2 * x - 15, 2 * y - 5);
    match dx * dx + dy * dy {
        _ if y > 2 && dx.abs() <= 1 => Some(BLUE[3]),
        _ if y > 3 && dx.abs() <= 3 => Some(BLUE[2]),
        ..20 => Some(INK),
        20..42 => Some(COLD[1]),
        _ => None,
    }
}

/// Smooth pale stone under a molding, with a blind arch in every block. In one variant, a statue with folded hands
/// stands in the arch.
fn ashlar(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let from_middle = (2 * x - SIDE + 1).abs();
    let arch = from_middle <= 9 && y >= 3 && (y >= 5 || from_middle <= 5 + (y - 3) * 2);
    let rim = from_middle <= 11 && y >= 2 && (y >= 5 || from_middle <= 7 + (y - 2) * 2);
    match y {
        0 => ramp[3],
        1 => ramp[1],
        4 | 5 if seed == 1 && from_middle <= 1 => ramp[4],
        6 if seed == 1 && from_middle <= 3 => ramp[4],
        7.. if seed == 1 && from_middle <= 5 => ramp[if x < 8 { 4 } else { 3 }],
        _ if arch => {
            if seed == 1 {
                COLD[1]
            } else {
                COLD[3]
            }
        }
        _ if rim => ramp[1],
        9 => ramp[2],
        _ => ramp[3],
    }
}

/// Rough stones around a niche, which in one variant holds a skull.
fn niches(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let row = y / 4;
    let along = x + 5 * row;
    let (in_niche, skull) = ((5..=10).contains(&x), seed == 1);
    if skull && in_niche && (1..=8).contains(&y) {
        return match (x, y) {
            (5 | 10, 1) => ramp[1],
            (6..=9, 3 | 5) | (7 | 8, 6) | (6 | 9, 4) => WARM[5],
            (6..=9, 7) if x % 2 == 0 => WARM[4],
            _ => ramp[0],
        };
    }
    if y % 4 == 3 || along % 6 == 5 {
        return ramp[1];
    }
    match hash(along / 6, row, 31 + seed) % 4 {
        0 => ramp[2],
        1 if y % 4 == 2 => GREEN[1],
        _ if y % 4 == 0 => WARM[4],
        _ => ramp[3],
    }
}

/// Dark polished slabs between two golden lines.
fn slabs(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let eye = (2 * x - SIDE + 1).abs() + 4 * (y - 5).abs();
    match y {
        0 => FLAME[2],
        9 => FLAME[0],
        _ if x == 0 => ramp[0],
        _ if seed == 1 && eye <= 3 => VIOLET[3],
        _ if seed == 1 && eye <= 9 => VIOLET[2],
        _ if x == 1 || y == 1 => COLD[4],
        _ if x == 15 || y == 8 => COLD[2],
        _ => COLD[3],
    }
}

/// Rough upright facets, lit from above.
fn crag(x: i32, y: i32, ramp: [Ink; 5], seed: u32) -> Ink {
    let facet = (x + (hash(0, y / 4, 50) % 3) as i32) / 3;
    let cut = (x + (hash(0, y / 4, 50) % 3) as i32) % 3 == 0;
    let height = (hash(facet, 0, 51 + seed) % 4) as i32;
    match y - height {
        _ if cut && chance(facet, y / 2, 52 + seed, 60) => ramp[1],
        ..=1 => ramp[4],
        2..=5 => ramp[3],
        _ => ramp[2],
    }
}
