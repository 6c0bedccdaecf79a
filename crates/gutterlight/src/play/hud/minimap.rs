//! The floor as it is remembered, small, in the corner.
//!
//! ```text
//!        #########          a cell is two to four pixels; what has marks of its own
//!        #.......#            ^ v   stairs
//!   ######.......+...         +     the thief
//!   #............#            o     a guard in sight, in the color of its alert state
//!   ##############            *     the Ember
//! ```
//!
//! Only what the player knows is on it: cells by their memory, guards by sight. Marks are
//! larger than a cell, and differ in shape.
//!
//! One image, some thousand pixels, which is painted anew after a turn and when the window
//! or its colors change. It lies below pages and words, which may cover it.

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use gutterlight_assets::art::{
    Palette,
    colorblind::VERMILLION,
    palette::{BLUE, COLD, FLAME, Ink, WARM, WHITE, WOOD},
};
use lanternfell_stealth::{Door, Ground, Item, Sight, Tile, View};

use crate::play::{
    game::{Game, GameSystems},
    hud::{
        InPlay,
        layout::{Corner, Shy},
        shown::is_shown,
        style,
    },
    scene::sheet::Sheet,
};

/// How the player wants it.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum MinimapShown {
    /// In the corner.
    #[default]
    Small,
    /// As large as there is room for.
    Large,
    Hidden,
}

impl MinimapShown {
    /// The next one, in a ring.
    pub const fn next(self) -> Self {
        match self {
            Self::Small => Self::Large,
            Self::Large => Self::Hidden,
            Self::Hidden => Self::Small,
        }
    }
}

/// Pixels along the side of a cell, at least and at most; as many as let the map be this part
/// of the window's width.
const LEAST: u32 = 2;
const MOST: u32 = 4;
const WIDE: f32 = 0.19;

/// The same for the large one, which also leaves room for the panel and the line at the top.
const LARGE: f32 = 0.96;
const LOWER: f32 = 130.0;

/// Where it may stand.
const CORNERS: [Corner; 4] = [
    Corner::TopRight,
    Corner::BottomRight,
    Corner::TopLeft,
    Corner::BottomLeft,
];

/// What is behind the map, and how dark remembered cells are beside those in sight, percent.
const GROUND: [u8; 4] = [8, 7, 10, 240];
const REMEMBERED: u32 = 48;

/// The image on screen.
#[derive(Component)]
struct Map;

/// The frame around it.
#[derive(Component)]
struct Frame;

/// How large a cell is drawn, in pixels.
#[derive(Resource, Default, PartialEq, Eq, Clone, Copy)]
struct Side(u32);

pub fn plugin(app: &mut App) {
    let stale = resource_exists_and_changed::<Game>
        .or_else(resource_changed::<Side>)
        .or_else(resource_changed::<MinimapShown>)
        .or_else(resource_exists_and_changed::<Sheet>);
    app.init_resource::<MinimapShown>()
        .init_resource::<Side>()
        .add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (fit, draw.run_if(stale)).chain().in_set(GameSystems::Show),
        );
}

fn spawn(mut images: ResMut<Assets<Image>>, mut commands: Commands) {
    let corner = Node {
        position_type: PositionType::Absolute,
        border: UiRect::all(px(1)),
        ..default()
    };
    let edge = BorderColor::all(style::EDGE);
    let image = ImageNode::new(images.add(image(UVec2::ONE)));
    commands
        .spawn((
            Frame,
            Shy::new(&CORNERS),
            InPlay,
            corner,
            edge,
            GlobalZIndex(-2),
        ))
        .with_child((Map, image, Node::default()));
}

/// An image to paint on.
fn image(size: UVec2) -> Image {
    Image::new_fill(
        Extent3d {
            width: size.x,
            height: size.y,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        &[0; 4],
        TextureFormat::Rgba8UnormSrgb,
        // It is painted again and again.
        RenderAssetUsages::default(),
    )
}

/// Whole pixels of the screen for each cell, whatever the size of words.
fn fit(
    game: Res<Game>,
    scale: Res<UiScale>,
    camera: Single<&Camera>,
    shown: Res<MinimapShown>,
    mut side: ResMut<Side>,
    map: Option<Single<&mut Node, With<Map>>>,
) {
    let Some(map) = map else {
        return;
    };
    let Some(window) = camera.logical_viewport_size() else {
        return;
    };
    let size = game.view().size();
    let fits = match *shown {
        MinimapShown::Large => {
            let room = Vec2::new(LARGE * window.x, window.y - LOWER * scale.0);
            ((room / size.as_vec2()).min_element() as u32).max(LEAST)
        }
        _ => ((WIDE * window.x / size.x as f32) as u32).clamp(LEAST, MOST),
    };
    side.set_if_neq(Side(fits));
    let size = size.as_vec2() * side.0 as f32 / scale.0;
    let (width, height) = (px(size.x), px(size.y));
    let mut node = map.into_inner();
    if (node.width, node.height) != (width, height) {
        (node.width, node.height) = (width, height);
    }
}

fn draw(
    game: Res<Game>,
    sheet: Res<Sheet>,
    side: Res<Side>,
    shown: Res<MinimapShown>,
    map: Option<Single<&ImageNode, With<Map>>>,
    frame: Option<Single<&mut Node, With<Frame>>>,
    mut images: ResMut<Assets<Image>>,
) {
    let (Some(map), Some(frame)) = (map, frame) else {
        return;
    };
    // Who hides what belongs to the game does so by visibility; this is the map's own.
    let mut frame = frame.into_inner();
    let display = match *shown {
        MinimapShown::Hidden => Display::None,
        _ => Display::Flex,
    };
    if frame.display != display {
        frame.display = display;
    }
    if *shown == MinimapShown::Hidden {
        return;
    }
    let size = game.view().size().as_uvec2() * side.0;
    let Some(mut picture) = images.get_mut(&map.image) else {
        return;
    };
    if picture.size() != size {
        *picture = image(size);
    }
    if let Some(pixels) = &mut picture.data {
        let mut paper = Paper {
            pixels,
            size: size.as_ivec2(),
            side: side.0 as i32,
        };
        paper.paint(game.view(), sheet.palette());
    }
}

/// The image's pixels: red, green, blue and alpha.
struct Paper<'a> {
    pixels: &'a mut [u8],
    size: IVec2,
    side: i32,
}

/// What is larger than a cell: rows of pixels, with something where it is drawn.
const SIDE: i32 = 7;
type Mark = [&'static str; SIDE as usize];

const UP: Mark = [
    ".......", "...#...", "..###..", ".#####.", "#######", ".......", ".......",
];
const DOWN: Mark = [
    ".......", ".......", "#######", ".#####.", "..###..", "...#...", ".......",
];
const THIEF: Mark = [
    ".......", "...#...", "...#...", ".#####.", "...#...", "...#...", ".......",
];
const GUARD: Mark = [
    ".......", ".......", "..###..", "..###..", "..###..", ".......", ".......",
];
const EMBER: Mark = [
    "#.....#", ".#...#.", "..#.#..", "...#...", "..#.#..", ".#...#.", "#.....#",
];

impl Paper<'_> {
    fn paint(&mut self, view: View<'_>, palette: Palette) {
        for pixel in self.pixels.chunks_exact_mut(4) {
            pixel.copy_from_slice(&GROUND);
        }
        let size = view.size();
        let cells = || (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        for at in cells() {
            if let Some(memory) = view.memory(at) {
                self.cell(at, cell(memory.tile, view.sight(at)));
            }
        }
        for at in cells() {
            let Some(memory) = view.memory(at) else {
                continue;
            };
            match (memory.tile, memory.item) {
                (_, Some(Item::Ember)) => self.mark(at, &EMBER, FLAME[4]),
                (Tile::StairsUp, _) => self.mark(at, &UP, FLAME[3]),
                (Tile::StairsDown, _) => self.mark(at, &DOWN, FLAME[3]),
                _ => {}
            }
        }
        for guard in view.guards() {
            self.mark(guard.at, &GUARD, palette.alert_state(guard.alert_state));
        }
        self.mark(view.thief().at, &THIEF, WHITE);
    }

    fn cell(&mut self, at: IVec2, ink: Ink) {
        let corner = at * self.side;
        for y in 0..self.side {
            for x in 0..self.side {
                self.set(corner + IVec2::new(x, y), ink);
            }
        }
    }

    /// A mark about the middle of a cell, with a dark edge.
    fn mark(&mut self, at: IVec2, mark: &Mark, ink: Ink) {
        let corner = at * self.side + (self.side - SIDE) / 2;
        let is_drawn = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| mark.get(y));
            let place = usize::try_from(x).ok();
            row.zip(place)
                .is_some_and(|(row, x)| row.as_bytes().get(x) == Some(&b'#'))
        };
        for y in -1..=SIDE {
            for x in -1..=SIDE {
                let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let edge = beside.iter().any(|(dx, dy)| is_drawn(x + dx, y + dy));
                if is_drawn(x, y) {
                    self.set(corner + IVec2::new(x, y), ink);
                } else if edge {
                    self.set(corner + IVec2::new(x, y), EDGE);
                }
            }
        }
    }

    /// Outside nothing happens.
    fn set(&mut self, at: IVec2, [red, green, blue]: Ink) {
        if at.cmplt(IVec2::ZERO).any() || at.cmpge(self.size).any() {
            return;
        }
        let first = 4 * (at.y * self.size.x + at.x) as usize;
        if let Some(pixel) = self.pixels.get_mut(first..first + 4) {
            pixel.copy_from_slice(&[red, green, blue, 255]);
        }
    }
}

/// Around marks.
const EDGE: Ink = [8, 7, 10];

/// What a cell looks like.
fn cell(tile: Tile, sight: Sight) -> Ink {
    let ink = match tile {
        Tile::Rock | Tile::Wall | Tile::Shutter { .. } | Tile::Pillar => COLD[1],
        Tile::Ground(Ground::Water) => BLUE[1],
        Tile::Ground(_) | Tile::StairsUp | Tile::StairsDown => WARM[3],
        Tile::Door(Door::Locked) => VERMILLION[2],
        Tile::Door(_) | Tile::Curtain { .. } => WOOD[2],
        Tile::Bars | Tile::Glass => COLD[4],
    };
    match sight {
        Sight::Seen => ink,
        _ => ink.map(|part| (u32::from(part) * REMEMBERED / 100) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_stealth::{Difficulty, World};

    #[test]
    fn what_is_in_sight_is_brighter_and_kinds_of_cells_differ() {
        let tiles = [
            Tile::Wall,
            Tile::Ground(Ground::Stone),
            Tile::Ground(Ground::Water),
            Tile::Door(Door::Closed),
            Tile::Door(Door::Locked),
            Tile::Bars,
        ];
        for (number, tile) in tiles.into_iter().enumerate() {
            let [seen, known] = [Sight::Seen, Sight::Remembered].map(|sight| cell(tile, sight));
            assert!(
                seen.iter()
                    .zip(known)
                    .all(|(seen, known)| *seen > known || *seen == 0),
                "{tile:?}"
            );
            for other in &tiles[number + 1..] {
                assert_ne!(seen, cell(*other, Sight::Seen), "{tile:?} {other:?}");
            }
        }
    }

    #[test]
    fn only_what_is_known_is_on_the_map() {
        let world = World::new(5, Difficulty::Thief);
        let view = world.view();
        for side in LEAST as i32..=MOST as i32 {
            let size = view.size() * side;
            let mut pixels = vec![0; (4 * size.x * size.y) as usize];
            let mut paper = Paper {
                pixels: &mut pixels,
                size,
                side,
            };
            paper.paint(view, Palette::Plain);
            let pixel = |at: IVec2| &pixels[4 * (at.y * size.x + at.x) as usize..][..4];
            let far = |at: IVec2| (at - view.thief().at).abs().max_element() > 3;
            for at in
                (0..view.size().y).flat_map(|y| (0..view.size().x).map(move |x| IVec2::new(x, y)))
            {
                // Marks reach a little beyond their cells.
                let alone = (-2..=2)
                    .all(|dy| (-2..=2).all(|dx| view.memory(at + IVec2::new(dx, dy)).is_none()));
                if alone && far(at) {
                    assert_eq!(pixel(at * side + side / 2), GROUND, "{at} {side}");
                }
            }
            let middle = view.thief().at * side + side / 2;
            assert_eq!(pixel(middle)[..3], WHITE, "{side}");
        }
    }

    #[test]
    fn what_is_beyond_the_edge_is_not_drawn() {
        let mut pixels = vec![0; 4 * 16];
        let mut paper = Paper {
            pixels: &mut pixels,
            size: IVec2::splat(4),
            side: 2,
        };
        paper.mark(IVec2::ZERO, &UP, WHITE);
        paper.mark(IVec2::splat(9), &DOWN, WHITE);
        assert!(pixels.contains(&255));
    }
}
