//! Builds the UI nodes of a menu page, with as many rows as fit.

use bevy::prelude::*;
use gutterlight_assets::art::Palette;

use crate::play::{
    game::Game,
    hud::{
        layer::Layer,
        shown::is_shown,
        style::{BACK, EDGE, inked, text},
    },
    menu::{
        chart,
        page::{Page, Row},
        state::Menu,
        test_card,
    },
    options::Options,
    scene::sheet::Sheet,
    screen::Screen,
    words,
};

/// The height of a row, and of everything around the rows (heading, foot, space), in UI pixels.
pub const ROW: f32 = 22.0;
const AROUND: f32 = 118.0;

/// The width of a page in the center, and at the side.
const WIDE: f32 = 620.0;
const NARROW: f32 = 300.0;

/// The gap between a picture and the text next to it.
const GAP: f32 = 14.0;

/// The width of a label before a value, and the indent of texts.
const LABEL: f32 = 296.0;
const INDENT: f32 = 28.0;

/// The size of the picture of a sign before its meaning.
const PICTURE: f32 = 16.0;

/// The smallest supported window.
const SMALLEST: Vec2 = Vec2::new(640.0, 360.0);

/// The window height at which text has the configured size. In higher windows it is larger.
const USUAL: f32 = 720.0;

/// The opacity of the background of a page.
const VEIL: f32 = 0.95;

const TITLE: Color = Color::srgb(0.99, 0.66, 0.2);
const READ: Color = Color::srgb(0.72, 0.69, 0.63);
const CHOSEN: Color = Color::srgb(1.0, 0.86, 0.5);

/// A page on screen.
#[derive(Component)]
struct Sheets;

/// The node of a row.
#[derive(Component)]
#[require(Interaction)]
pub struct RowNode(pub usize);

/// A text of a choice: its row, and whether it is the pointer.
#[derive(Component)]
struct Label {
    row: usize,
    points: bool,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, scale)
        .add_systems(
            Update,
            (
                measure,
                rebuild_page.run_if(is_shown.and_then(is_stale)),
                paint.run_if(resource_changed::<Menu>),
            )
                .chain()
                .after(crate::play::menu::compose::Composed),
        )
        .add_systems(OnEnter(Screen::Play), clear);
}

/// Everything that the nodes depend on. While it is the same, they are kept.
#[derive(Default, PartialEq)]
struct LayoutKey(Option<(Page, usize, usize, Vec2, i8, Palette, Option<&'static str>)>);

/// The minimum scale: on a phone text is smaller than configured, but must stay readable.
const LEAST: f32 = 0.5;

/// Scales text as configured, but not so much that the smallest layout no longer fits.
fn scale(
    options: Res<Options>,
    camera: Option<Single<&Camera, With<IsDefaultUiCamera>>>,
    mut scale: ResMut<UiScale>,
) {
    let Some(size) = camera.and_then(|camera| camera.logical_viewport_size()) else {
        return;
    };
    let wanted = f32::from(options.text_size) / 100.0 * (size.y / USUAL).max(1.0);
    let most = (size / SMALLEST).min_element().max(LEAST);
    let fits = wanted.min(most);
    if scale.0 != fits {
        scale.0 = fits;
    }
}

/// Computes the number of rows that fit.
fn measure(
    camera: Single<&Camera, With<IsDefaultUiCamera>>,
    scale: Res<UiScale>,
    mut menu: ResMut<Menu>,
) {
    let Some(size) = camera.logical_viewport_size() else {
        return;
    };
    let space = size / scale.0;
    let room = ((space.y - AROUND) / ROW).floor().max(3.0) as usize;
    if menu.room != room || menu.space != space {
        (menu.room, menu.space) = (room, space);
        // Selecting again scrolls the list so that the selected row stays visible.
        let selected = menu.selected;
        menu.select(selected);
    }
}

fn is_stale(screen: Res<State<Screen>>, menu: Res<Menu>) -> bool {
    *screen.get() != Screen::Play && menu.is_changed()
}

fn clear(pages: Query<Entity, With<Sheets>>, mut commands: Commands) {
    for page in &pages {
        commands.entity(page).despawn();
    }
}

fn rebuild_page(
    menu: Res<Menu>,
    sheet: Res<Sheet>,
    options: Res<Options>,
    game: Res<Game>,
    scale: Res<UiScale>,
    old: Query<Entity, With<Sheets>>,
    mut last_key: Local<LayoutKey>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    // The selection is not part of it: moving it repaints colors in `paint`, without new nodes.
    let now = LayoutKey(Some((
        menu.page.clone(),
        menu.top,
        menu.room,
        menu.space,
        options.brightness,
        sheet.palette(),
        menu.warning,
    )));
    if *last_key == now && !old.is_empty() {
        return;
    }
    *last_key = now;
    for page in &old {
        commands.entity(page).despawn();
    }
    let aside = menu.page.aside;
    let root = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        flex_direction: FlexDirection::Column,
        align_items: if aside {
            AlignItems::Start
        } else {
            AlignItems::Center
        },
        justify_content: JustifyContent::Center,
        padding: UiRect::horizontal(px(if aside { 40 } else { 10 })),
        row_gap: px(6),
        ..default()
    };
    let mut root = commands.spawn((Sheets, root, Layer::Menu.index()));
    if aside {
        root.insert(BackgroundGradient::from(shade()));
    } else {
        root.insert(BackgroundColor(BACK.with_alpha(VEIL)));
    }
    let chart = menu.page.chart.and_then(|depth| {
        let cells = chart::cells(game.view(), depth)?;
        // In physical pixels, so that cells are whole pixels; the node below is in UI pixels.
        let side = side_of_cell(cells, menu.space * scale.0, scale.0);
        let image = chart::picture(game.view(), depth, side, sheet.palette())?;
        Some((images.add(image), (cells * side).as_vec2() / scale.0))
    });
    let mut ink = Ink {
        sheet: &sheet,
        images: &mut images,
        brightness: options.brightness,
    };
    root.with_children(|root| {
        let size = if aside { 46.0 } else { 30.0 };
        let margin = || Node {
            margin: UiRect::left(px(if aside { INDENT } else { 0.0 })),
            ..default()
        };
        root.spawn((inked(&menu.page.title, size, TITLE), margin()));
        match chart {
            None => spawn_list(root, &mut ink, &menu, if aside { NARROW } else { WIDE }),
            Some((image, size)) => {
                let row = Node {
                    column_gap: px(GAP),
                    align_items: AlignItems::Center,
                    max_width: percent(100),
                    ..default()
                };
                root.spawn(row).with_children(|row| {
                    let node = Node {
                        width: px(size.x),
                        height: px(size.y),
                        flex_shrink: 0.0,
                        ..default()
                    };
                    row.spawn((ImageNode::new(image), node));
                    spawn_list(row, &mut ink, &menu, NARROW);
                });
            }
        }
        let more = menu.page.rows.len() > menu.top + menu.room;
        let foot = words::foot(menu.top > 0, more);
        match menu.warning {
            Some(warning) => root.spawn((inked(warning, 15.0, CHOSEN), margin())),
            None => root.spawn((inked(foot, 12.0, READ.with_alpha(0.7)), margin())),
        };
    });
}

/// Spawns the rows that fit.
fn spawn_list(parent: &mut ChildSpawnerCommands, ink: &mut Ink, menu: &Menu, wide: f32) {
    let list = Node {
        flex_direction: FlexDirection::Column,
        width: px(wide),
        max_width: percent(100),
        ..default()
    };
    parent.spawn(list).with_children(|list| {
        let rows = menu.page.rows.iter().enumerate();
        for (place, row) in rows.skip(menu.top).take(menu.room) {
            spawn_row(list, ink, place, row);
        }
    });
}

/// The width of a cell of a floor in screen pixels, next to a list and below a heading.
fn side_of_cell(cells: IVec2, window: Vec2, scale: f32) -> i32 {
    let taken = Vec2::new(NARROW + GAP + 24.0, AROUND - 32.0);
    let room = (window - taken * scale) / cells.as_vec2();
    (room.min_element() as i32).max(1)
}

/// The resources for drawing rows.
struct Ink<'a> {
    sheet: &'a Sheet,
    images: &'a mut Assets<Image>,
    brightness: i8,
}

/// A gradient that is dark on the side of the text.
fn shade() -> LinearGradient {
    LinearGradient {
        angle: LinearGradient::TO_RIGHT,
        stops: vec![
            ColorStop::new(BACK.with_alpha(0.96), percent(0)),
            ColorStop::new(BACK.with_alpha(0.85), percent(32)),
            ColorStop::new(BACK.with_alpha(0.0), percent(70)),
        ],
        ..default()
    }
}

fn spawn_row(list: &mut ChildSpawnerCommands, ink: &mut Ink, place: usize, row: &Row) {
    let node = Node {
        height: px(ROW),
        align_items: AlignItems::Center,
        column_gap: px(8),
        padding: UiRect::horizontal(px(8)),
        ..default()
    };
    match row {
        Row::Text(words) => {
            let node = Node {
                padding: UiRect::left(px(INDENT)),
                ..node
            };
            list.spawn(node)
                .with_child((inked(words, 14.0, READ), TextLayout::no_wrap()));
        }
        Row::Sign(sign, words) => {
            let image = chart::sign(*sign, ink.sheet.palette());
            let drawn = Node {
                width: px(chart::SIGN),
                height: px(chart::SIGN),
                ..default()
            };
            let image = ImageNode::new(ink.images.add(image));
            list.spawn(node).with_children(|row| {
                row.spawn((image, drawn));
                row.spawn((inked(words, 14.0, READ), TextLayout::no_wrap()));
            });
        }
        Row::Picture(picture, words) => {
            let drawn = Node {
                width: px(PICTURE),
                height: px(PICTURE),
                ..default()
            };
            let node = Node {
                column_gap: px(INDENT - 8.0 - PICTURE),
                ..node
            };
            list.spawn(node).with_children(|row| {
                row.spawn((ink.sheet.icon(*picture), drawn));
                row.spawn((inked(words, 14.0, READ), TextLayout::no_wrap()));
            });
        }
        Row::TestCard => {
            let node = Node {
                padding: UiRect::left(px(INDENT)),
                ..node
            };
            list.spawn(node)
                .with_children(|row| test_card::spawn(row, ink.sheet, ink.brightness));
        }
        Row::Choice { label, value, .. } => {
            list.spawn((RowNode(place), Button, node, BackgroundColor::default()))
                .with_children(|row| {
                    let pointer = Node {
                        width: px(12),
                        ..default()
                    };
                    row.spawn((
                        Label {
                            row: place,
                            points: true,
                        },
                        text("", 15.0),
                        pointer,
                    ));
                    let wide = Node {
                        min_width: px(if value.is_some() { LABEL } else { 0.0 }),
                        ..default()
                    };
                    let name = (text(label, 15.0), TextLayout::no_wrap());
                    row.spawn((
                        Label {
                            row: place,
                            points: false,
                        },
                        name,
                        wide,
                    ));
                    if let Some(value) = value {
                        let shown = (text(value, 13.0), TextLayout::no_wrap());
                        row.spawn((
                            Label {
                                row: place,
                                points: false,
                            },
                            shown,
                        ));
                    }
                });
        }
    }
}

/// Highlights the selected choice: brighter text, a background, and a pointer.
fn paint(
    menu: Res<Menu>,
    mut rows: Query<(&RowNode, &mut BackgroundColor)>,
    mut labels: Query<(&Label, &mut Text, &mut TextColor)>,
) {
    for (row, mut ground) in &mut rows {
        let shade = if row.0 == menu.selected {
            EDGE.with_alpha(0.55)
        } else {
            Color::NONE
        };
        // Write only real changes: each write lays out the text again.
        ground.set_if_neq(BackgroundColor(shade));
    }
    for (label, mut text, mut color) in &mut labels {
        let selected = label.row == menu.selected;
        if label.points {
            text.set_if_neq(Text::new(if selected { words::POINTER } else { "" }));
        }
        let ink = if selected {
            CHOSEN
        } else {
            crate::play::hud::style::WORDS
        };
        color.set_if_neq(TextColor(ink));
    }
}
