//! A floor as a picture: tiles in the light that is on them, and everything on top.
//!
//! ```text
//!    colour of the tile x light  ->  x / (1 + x)  ->  square root  ->  a byte
//!                                    tone mapping     as screens want it
//! ```
//!
//! Where it is dark there is a faint outline of the walls, so that the whole floor can be
//! made out. Lamps, guards and items are small shapes at full strength, lit or not.

mod shapes;

use glam::{IVec2, Vec3};
use lanternfell_stealth::{
    Door, FixtureKind, Ground, GuardKind, Item, Survey, Tile, Torch, floor::Floor,
};
use shapes::Shape;

/// Pixels along the side of a cell.
const CELL: usize = 12;

/// From where in its cell a shape is drawn.
const MARGIN: usize = (CELL - shapes::SIDE) / 2;

/// How bright full light is before tone mapping.
const EXPOSURE: f32 = 2.5;

/// The light that is everywhere in the picture, though not in the game.
const GLIMMER: f32 = 0.006;

/// The outline of walls.
const OUTLINE: Vec3 = Vec3::new(0.020, 0.022, 0.030);

/// The picture as a PNG file.
pub(crate) fn png(survey: &Survey) -> Vec<u8> {
    let mut picture = Picture::new(survey);
    for at in survey.floor.tiles.cells() {
        picture.draw_cell(survey, at);
    }
    picture.draw_things(&survey.floor);
    picture.encode()
}

/// Linear colours, row by row.
struct Picture {
    width: usize,
    pixels: Vec<Vec3>,
}

impl Picture {
    fn new(survey: &Survey) -> Self {
        let tiles = &survey.floor.tiles;
        let (width, height) = (
            tiles.width() as usize * CELL,
            tiles.height() as usize * CELL,
        );
        Self {
            width,
            pixels: vec![Vec3::ZERO; width * height],
        }
    }

    fn pixel(&mut self, at: IVec2, x: usize, y: usize) -> &mut Vec3 {
        let (left, top) = (at.x as usize * CELL, at.y as usize * CELL);
        &mut self.pixels[(top + y) * self.width + left + x]
    }

    /// A tile in its light, and the outline of what is solid beside what is not.
    fn draw_cell(&mut self, survey: &Survey, at: IVec2) {
        let tile = survey.floor.tile(at);
        let light = survey.colors.light(at) + Vec3::splat(GLIMMER);
        let colour = colour(tile) * light * EXPOSURE;
        for y in 0..CELL {
            for x in 0..CELL {
                *self.pixel(at, x, y) = colour;
            }
        }
        if let Some((shape, strength)) = pattern(tile) {
            self.draw(shape, at, (0, 0), colour * strength);
        }
        if tile.is_solid() {
            self.draw_outline(&survey.floor, at);
        }
    }

    fn draw_outline(&mut self, floor: &Floor, at: IVec2) {
        let open = |step: IVec2| {
            let beside = at + step;
            floor.tiles.contains(beside) && !floor.tile(beside).is_solid()
        };
        for i in 0..CELL {
            let sides = [
                (IVec2::NEG_X, (0, i)),
                (IVec2::X, (CELL - 1, i)),
                (IVec2::NEG_Y, (i, 0)),
                (IVec2::Y, (i, CELL - 1)),
            ];
            for (_, (x, y)) in sides.into_iter().filter(|&(step, _)| open(step)) {
                let pixel = self.pixel(at, x, y);
                *pixel = pixel.max(OUTLINE);
            }
        }
    }

    /// A shape in the middle of a cell, or as far beside it as the margin is wide.
    fn draw(&mut self, shape: &Shape, at: IVec2, (right, down): (isize, isize), colour: Vec3) {
        let (left, top) = (
            MARGIN.saturating_add_signed(right),
            MARGIN.saturating_add_signed(down),
        );
        for (y, row) in shape.iter().enumerate() {
            for x in (0..shapes::SIDE).filter(|x| row >> (shapes::SIDE - 1 - x) & 1 == 1) {
                *self.pixel(at, left + x, top + y) = colour;
            }
        }
    }

    /// A shape with a dark rim, which is seen on bright ground too.
    fn draw_sign(&mut self, shape: &Shape, at: IVec2, colour: Vec3) {
        for beside in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            self.draw(shape, at, beside, Vec3::ZERO);
        }
        self.draw(shape, at, (0, 0), colour);
    }

    fn draw_things(&mut self, floor: &Floor) {
        for lamp in &floor.fixtures {
            let (shape, colour) = lamp_sign(lamp.kind);
            let strength = if lamp.burning { 1.0 } else { 0.15 };
            self.draw_sign(shape, lamp.at, colour * strength);
        }
        for placed in &floor.items {
            let (shape, colour) = item_sign(placed.item);
            self.draw_sign(shape, placed.at, colour);
        }
        for guard in floor.guards.iter().filter(|guard| guard.is_standing()) {
            let (shape, colour) = guard_sign(guard.kind);
            let strength = if guard.is_asleep() { 0.3 } else { 1.0 };
            self.draw_sign(shape, guard.at, colour * strength);
        }
    }

    fn encode(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|&pixel| screen(pixel))
            .collect();
        let (width, height) = (self.width, self.pixels.len() / self.width);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Memory takes whatever is written, and the bytes are as many as were announced.
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&bytes)?;
            writer.finish()
        });
        debug_assert!(written.is_ok(), "{written:?}");
        file
    }
}

/// A linear colour as bytes for a screen. The square root is near enough to its curve.
fn screen(colour: Vec3) -> [u8; 3] {
    let mapped = colour / (Vec3::ONE + colour);
    mapped
        .to_array()
        .map(|part| (part.sqrt() * 255.0 + 0.5) as u8)
}

/// What a tile looks like in white light.
fn colour(tile: Tile) -> Vec3 {
    let [red, green, blue] = match tile {
        Tile::Rock => [0.10, 0.09, 0.09],
        Tile::Wall | Tile::Pillar | Tile::Shutter { .. } => [0.42, 0.40, 0.40],
        Tile::Ground(Ground::Stone) | Tile::StairsUp | Tile::StairsDown => [0.30, 0.29, 0.28],
        Tile::Ground(Ground::Carpet) => [0.42, 0.10, 0.12],
        Tile::Ground(Ground::Gravel) => [0.38, 0.36, 0.30],
        Tile::Ground(Ground::Water) => [0.08, 0.22, 0.34],
        Tile::Ground(Ground::Earth) => [0.28, 0.20, 0.13],
        Tile::Bars => [0.24, 0.24, 0.26],
        Tile::Glass => [0.30, 0.45, 0.70],
        Tile::Door(_) => [0.40, 0.24, 0.11],
        Tile::Curtain { .. } => [0.45, 0.12, 0.26],
    };
    Vec3::new(red, green, blue)
}

/// What is drawn into a tile to tell it from others, and how much brighter it is.
fn pattern(tile: Tile) -> Option<(&'static Shape, f32)> {
    Some(match tile {
        Tile::Rock | Tile::Ground(Ground::Stone | Ground::Earth) => return None,
        Tile::Wall => (&shapes::BRICKS, 0.45),
        Tile::Ground(Ground::Carpet) => (&shapes::WEAVE, 0.7),
        Tile::Ground(Ground::Gravel) => (&shapes::PEBBLED, 1.7),
        Tile::Ground(Ground::Water) => (&shapes::RIPPLES, 2.0),
        Tile::Pillar => (&shapes::DISC, 1.6),
        Tile::Bars => (&shapes::BARS, 3.0),
        Tile::Glass => (&shapes::PANES, 2.0),
        Tile::Door(Door::Closed) => (&shapes::PLANKS, 0.5),
        Tile::Door(Door::Open) => (&shapes::FRAME, 0.4),
        Tile::Door(Door::Locked) => (&shapes::LOCK, 2.5),
        Tile::Curtain { open: false } => (&shapes::FOLDS, 0.5),
        Tile::Curtain { open: true } => (&shapes::FRAME, 0.5),
        Tile::Shutter { open: false } => (&shapes::SLATS, 0.4),
        Tile::Shutter { open: true } => (&shapes::FRAME, 2.5),
        Tile::StairsUp => (&shapes::UP, 4.0),
        Tile::StairsDown => (&shapes::DOWN, 4.0),
    })
}

fn lamp_sign(kind: FixtureKind) -> (&'static Shape, Vec3) {
    match kind {
        FixtureKind::Sconce => (&shapes::FLAME, Vec3::new(4.0, 1.8, 0.4)),
        FixtureKind::Brazier => (&shapes::BOWL, Vec3::new(4.0, 1.2, 0.3)),
        FixtureKind::Fungus => (&shapes::FUNGUS, Vec3::new(0.1, 1.6, 1.3)),
        FixtureKind::Crystal => (&shapes::CRYSTAL, Vec3::new(1.4, 0.5, 2.4)),
        FixtureKind::Moonlight => (&shapes::MOON, Vec3::new(0.9, 1.1, 1.6)),
    }
}

fn guard_sign(kind: GuardKind) -> (&'static Shape, Vec3) {
    match kind {
        GuardKind::Watchman => (&shapes::WATCHMAN, Vec3::new(2.0, 0.3, 0.2)),
        GuardKind::Sentry => (&shapes::SENTRY, Vec3::new(2.0, 0.7, 0.1)),
        GuardKind::Hound => (&shapes::HOUND, Vec3::new(1.4, 0.4, 0.1)),
        GuardKind::Listener => (&shapes::LISTENER, Vec3::new(1.6, 0.2, 1.2)),
        GuardKind::Lamplighter => (&shapes::LAMPLIGHTER, Vec3::new(1.8, 1.4, 0.3)),
        GuardKind::Warden => (&shapes::WARDEN, Vec3::new(4.0, 0.1, 0.1)),
    }
}

fn item_sign(item: Item) -> (&'static Shape, Vec3) {
    match item {
        Item::Tool(_) => (&shapes::TOOL, Vec3::new(0.3, 1.2, 0.4)),
        Item::Torch(Torch { lit: true, .. }) => (&shapes::TORCH, Vec3::new(4.0, 2.0, 0.5)),
        Item::Torch(_) => (&shapes::TORCH, Vec3::new(0.7, 0.4, 0.2)),
        Item::Key => (&shapes::KEY, Vec3::new(2.0, 2.0, 2.0)),
        Item::Treasure(_) => (&shapes::TREASURE, Vec3::new(2.4, 1.8, 0.2)),
        Item::Cloth(_) => (&shapes::CLOTH, Vec3::new(0.6, 0.9, 1.4)),
        Item::Ember => (&shapes::EMBER, Vec3::new(6.0, 2.0, 0.6)),
    }
}
