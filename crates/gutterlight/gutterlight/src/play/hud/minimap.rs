//! The minimap: the remembered floor, in a corner.
//!
//! ```text
//!        #########          a cell is two to four pixels; these have marks:
//!        #.......#            ^ v   stairs
//!   ######.......+...         +     the thief
//!   #............#            o     a visible guard, in the color of its alert state
//!   ##############            *     the Ember
//! ```
//!
//! It shows only what the player knows: remembered cells and visible guards. Marks are larger than
//! a cell, and have different shapes.
//!
//! The minimap is one image of some thousand pixels. It is redrawn after each turn, and when the
//! window or its colors change. Pages and text may cover it.

use bevy::prelude::*;
use gutterlight_assets::art::{
    Palette,
    colorblind::VERMILLION,
    palette::{BLUE, COLD, FLAME, Ink, WARM, WHITE, WOOD},
};
use gutterlight_rules::{Door, Ground, Item, Sight, Tile, View};

use crate::play::{
    game::{Game, GameSystems},
    hud::{
        layer::Layer,
        layout::{Corner, Shy},
        shown::is_shown,
        style,
    },
    paper::{Mark, Paper},
    scene::sheet::Sheet,
};

/// The display mode of the minimap.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum MinimapShown {
    /// In a corner.
    #[default]
    Small,
    /// As large as the window allows.
    Large,
    Hidden,
}

impl MinimapShown {
    /// The next mode. Wraps around.
    pub const fn next(self) -> Self {
        match self {
            Self::Small => Self::Large,
            Self::Large => Self::Hidden,
            Self::Hidden => Self::Small,
        }
    }
}

/// The minimum and maximum size of a cell in pixels, and the target width as a fraction of the
/// window.
const LEAST: u32 = 2;
const MOST: u32 = 4;
const WIDE: f32 = 0.19;

/// The same for the large map, and the height in UI pixels to leave for the panel and the top bar.
const LARGE: f32 = 0.96;
const LOWER: f32 = 130.0;

/// The allowed corners.
const CORNERS: [Corner; 4] = [
    Corner::TopRight,
    Corner::BottomRight,
    Corner::TopLeft,
    Corner::BottomLeft,
];

/// The opacity of the background (0 to 255), and the brightness of remembered cells relative to
/// visible ones (percent).
const OPAQUE: u8 = 240;
const REMEMBERED: u32 = 48;

/// The image.
#[derive(Component)]
struct Map;

/// The frame around the image.
#[derive(Component)]
struct Frame;

/// The size of a cell in pixels.
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
    let image = ImageNode::new(images.add(Paper::new(IVec2::ONE, 1, OPAQUE).into_image()));
    commands
        .spawn((
            Frame,
            Shy::new(&CORNERS),
            Layer::Minimap.in_play(),
            corner,
            edge,
        ))
        .with_child((Map, image, Node::default()));
}

/// Chooses a whole number of screen pixels per cell, independent of the UI scale.
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
    // `Visibility` is already used for hiding the HUD, so this uses `Display`.
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
    if let Some(mut picture) = images.get_mut(&map.image) {
        let paper = painted(game.view(), side.0 as i32, sheet.palette());
        *picture = paper.into_image();
    }
}

const UP: Mark = &[
    ".......", "...#...", "..###..", ".#####.", "#######", ".......", ".......",
];
const DOWN: Mark = &[
    ".......", ".......", "#######", ".#####.", "..###..", "...#...", ".......",
];
const THIEF: Mark = &[
    ".......", "...#...", "...#...", ".#####.", "...#...", "...#...", ".......",
];
const GUARD: Mark = &[
    ".......", ".......", "..###..", "..###..", "..###..", ".......", ".......",
];
const EMBER: Mark = &[
    "#.....#", ".#...#.", "..#.#..", "...#...", "..#.#..", ".#...#.", "#.....#",
];

/// Draws the map with cells of `side` pixels.
fn painted(view: View<'_>, side: i32, palette: Palette) -> Paper {
    let size = view.size();
    let mut paper = Paper::new(size * side, side, OPAQUE);
    let cells = || (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    for at in cells() {
        if let Some(memory) = view.memory(at) {
            paper.cell(at, cell(memory.tile, view.sight(at)));
        }
    }
    for at in cells() {
        let Some(memory) = view.memory(at) else {
            continue;
        };
        match (memory.tile, memory.item) {
            (_, Some(Item::Ember)) => paper.mark(at, EMBER, FLAME[4]),
            (Tile::StairsUp, _) => paper.mark(at, UP, FLAME[3]),
            (Tile::StairsDown, _) => paper.mark(at, DOWN, FLAME[3]),
            _ => {}
        }
    }
    for guard in view.guards() {
        paper.mark(guard.at, GUARD, palette.alert_state(guard.alert_state));
    }
    paper.mark(view.thief().at, THIEF, WHITE);
    paper
}

/// The color of a cell.
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
    use crate::play::paper::GROUND;
    use gutterlight_rules::{Difficulty, World};

    #[test]
    fn visible_cells_are_brighter_and_kinds_differ() {
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
    fn map_shows_only_known_cells() {
        let world = World::new(5, Difficulty::Thief);
        let view = world.view();
        for side in LEAST as i32..=MOST as i32 {
            let paper = painted(view, side, Palette::Plain);
            let far = |at: IVec2| (at - view.thief().at).abs().max_element() > 3;
            for at in
                (0..view.size().y).flat_map(|y| (0..view.size().x).map(move |x| IVec2::new(x, y)))
            {
                // Marks extend a little beyond their cells.
                let alone = (-2..=2)
                    .all(|dy| (-2..=2).all(|dx| view.memory(at + IVec2::new(dx, dy)).is_none()));
                if alone && far(at) {
                    assert_eq!(paper.ink(at * side + side / 2), Some(GROUND), "{at} {side}");
                }
            }
            let middle = view.thief().at * side + side / 2;
            assert_eq!(paper.ink(middle), Some(WHITE), "{side}");
        }
    }
}
