//! The panel: how lit, how well, how ready the thief is; and what must be answered.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use lanternfell_gutterlight::art::{Icon, Picture};
use lanternfell_stealth::{LightBand, View};

use crate::{
    camera::PANEL,
    game::{Game, GameSystems},
    sheet::Sheet,
    words,
};

/// Slots on the panel, the fourth with deep pockets.
const SLOTS: usize = 4;

/// Turns for which the list of keys is there by itself.
const LEARNT: u32 = 8;

/// Whether there is a panel and are words at all: a picture may be better without.
#[derive(Resource)]
pub struct HudShown(pub bool);

/// Whether there are.
pub fn is_shown(shown: Res<HudShown>) -> bool {
    shown.0
}

/// Parts of the panel that change.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Part {
    Gem,
    Band,
    Health,
    Nerve,
    Breath,
    Fuel,
    Cloth,
    Purse,
    Slot(usize),
    Place,
    Question,
    Hint,
}

/// The page on which a question is put.
#[derive(Component)]
struct Page;

/// What the keys do: there at the beginning, and when it is asked for.
#[derive(Component)]
struct Legend;

/// How full a bar is.
#[derive(Component, Clone, Copy)]
struct Bar(Part);

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    app.add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                (say, fill, paint, fold, turn_page).run_if(fresh),
                unfold.run_if(
                    input_just_pressed(KeyCode::F1).or_else(input_just_pressed(KeyCode::Slash)),
                ),
            )
                .in_set(GameSystems::Show),
        );
}

/// A colour of the panel.
const BACK: Color = Color::srgb(0.055, 0.05, 0.06);
const EDGE: Color = Color::srgb(0.22, 0.19, 0.16);
const WORDS: Color = Color::srgb(0.88, 0.84, 0.75);

fn spawn(mut commands: Commands, sheet: Res<Sheet>) {
    let panel = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        bottom: px(0),
        height: px(PANEL),
        align_items: AlignItems::Center,
        column_gap: px(18),
        padding: UiRect::horizontal(px(12)),
        border: UiRect::top(px(2)),
        ..default()
    };
    let panel = (panel, BackgroundColor(BACK), BorderColor::all(EDGE));
    commands.spawn(panel).with_children(|panel| {
        panel.spawn(row(6)).with_children(|gem| {
            let picture = Picture::of_band(LightBand::Hidden);
            gem.spawn((Part::Gem, icon(&sheet, picture, 48.0)));
            gem.spawn((
                Part::Band,
                label(16.0),
                Node {
                    width: px(96),
                    ..default()
                },
            ));
        });
        panel.spawn(column()).with_children(|bars| {
            let colour = |r, g, b| Color::srgb(r, g, b);
            let (red, blue, green) = (
                colour(0.78, 0.22, 0.2),
                colour(0.45, 0.55, 0.85),
                colour(0.5, 0.72, 0.42),
            );
            bar(bars, &sheet, Icon::Heart, Part::Health, red);
            bar(bars, &sheet, Icon::Nerve, Part::Nerve, blue);
            bar(bars, &sheet, Icon::Breath, Part::Breath, green);
        });
        panel.spawn(column()).with_children(|things| {
            for (picture, part) in [
                (Picture::of_icon(Icon::Fuel), Part::Fuel),
                (Picture::of_icon(Icon::Purse), Part::Purse),
                (
                    Picture::of_item(lanternfell_stealth::Item::Cloth(1), 0),
                    Part::Cloth,
                ),
            ] {
                things.spawn(row(6)).with_children(|line| {
                    line.spawn(icon(&sheet, picture, 18.0));
                    line.spawn((
                        part,
                        label(13.0),
                        TextLayout::no_wrap(),
                        Node {
                            width: px(96),
                            ..default()
                        },
                    ));
                });
            }
        });
        for slot in 0..SLOTS {
            panel.spawn(column()).with_children(|place| {
                let empty = icon(&sheet, Picture::of_icon(Icon::Footprints), 36.0);
                place.spawn((Part::Slot(slot), empty, Visibility::Hidden));
                place.spawn((Part::Slot(slot), label(12.0)));
            });
        }
    });
    let top = Node {
        position_type: PositionType::Absolute,
        left: px(10),
        top: px(8),
        ..default()
    };
    commands.spawn((Part::Place, label(14.0), top));
    let above = Node {
        position_type: PositionType::Absolute,
        right: px(10),
        bottom: px(PANEL + 8.0),
        ..default()
    };
    commands.spawn((Part::Hint, label(14.0), above));
    let middle = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: percent(24),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let page = Node {
        padding: UiRect::axes(px(28), px(20)),
        border: UiRect::all(px(2)),
        ..default()
    };
    commands.spawn(middle).with_children(|middle| {
        let colours = (
            BackgroundColor(BACK.with_alpha(0.94)),
            BorderColor::all(EDGE),
        );
        middle
            .spawn((Page, page, colours, Visibility::Hidden))
            .with_child((
                Part::Question,
                label(18.0),
                TextLayout::justify(Justify::Center),
            ));
    });
    let legend = Node {
        position_type: PositionType::Absolute,
        right: px(10),
        top: px(8),
        padding: UiRect::all(px(10)),
        ..default()
    };
    commands
        .spawn((Legend, legend, BackgroundColor(BACK.with_alpha(0.92))))
        .with_child(text(words::KEYS, 13.0));
}

fn row(gap: i32) -> Node {
    Node {
        align_items: AlignItems::Center,
        column_gap: px(gap),
        ..default()
    }
}

fn column() -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Start,
        row_gap: px(4),
        ..default()
    }
}

/// Words that change.
fn label(size: f32) -> impl Bundle {
    text("", size)
}

fn text(words: &str, size: f32) -> impl Bundle + use<> {
    (
        Text::new(words),
        TextFont::from_font_size(size),
        TextColor(WORDS),
        TextShadow {
            offset: Vec2::ONE,
            ..default()
        },
    )
}

fn icon(sheet: &Sheet, picture: Picture, side: f32) -> impl Bundle {
    let node = Node {
        width: px(side),
        height: px(side),
        ..default()
    };
    (sheet.icon(picture), node)
}

fn bar(parent: &mut ChildSpawnerCommands, sheet: &Sheet, sign: Icon, part: Part, colour: Color) {
    let frame = Node {
        width: px(104),
        height: px(11),
        border: UiRect::all(px(1)),
        ..default()
    };
    let inside = Node {
        height: percent(100),
        ..default()
    };
    parent.spawn(row(6)).with_children(|line| {
        line.spawn(icon(sheet, Picture::of_icon(sign), 18.0));
        line.spawn((frame, BorderColor::all(EDGE))).with_child((
            Bar(part),
            inside,
            BackgroundColor(colour),
        ));
        line.spawn((part, label(12.0)));
    });
}

fn unfold(mut legends: Query<&mut Visibility, With<Legend>>) {
    for mut legend in &mut legends {
        legend.toggle_visible_hidden();
    }
}

/// The page is there while there is a question.
fn turn_page(game: Res<Game>, mut pages: Query<&mut Visibility, With<Page>>) {
    let asked = game.view().ending().is_some() || game.view().offer().is_some();
    for mut page in &mut pages {
        page.set_if_neq(match asked {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
    }
}

/// Whoever has gone some steps knows how to.
fn fold(game: Res<Game>, mut legends: Query<&mut Visibility, With<Legend>>) {
    if game.view().turn() >= LEARNT {
        for mut legend in &mut legends {
            legend.set_if_neq(Visibility::Hidden);
        }
    }
}

/// What a part of the panel says.
fn words_of(view: View<'_>, part: Part) -> String {
    let thief = view.thief();
    match part {
        Part::Gem => String::new(),
        Part::Band => format!("{} {}", words::band(view.shown_band()), view.light_gem()),
        Part::Health => thief.health.to_string(),
        Part::Nerve => thief.nerve.to_string(),
        Part::Breath => thief.breath.to_string(),
        Part::Fuel => thief.torch.map_or("no torch".into(), |torch| {
            let state = if torch.lit { "burns" } else { "dark" };
            format!("{} {state}", torch.fuel)
        }),
        Part::Purse => thief.purse.to_string(),
        Part::Cloth => thief.cloth.to_string(),
        Part::Slot(slot) => match thief.tools.get(slot) {
            None => String::new(),
            Some(None) => format!("{} -", slot + 1),
            Some(Some(stack)) if stack.count > 1 => format!("{} x{}", slot + 1, stack.count),
            Some(Some(_)) => format!("{}", slot + 1),
        },
        Part::Place => words::place(view),
        Part::Question => match (view.ending(), view.offer()) {
            (Some(ending), _) => words::ending(view, ending),
            (None, Some(perks)) => words::offer(perks),
            (None, None) => String::new(),
        },
        Part::Hint => words::hint(view).unwrap_or_default().into(),
    }
}

fn say(game: Res<Game>, mut labels: Query<(&Part, &mut Text)>) {
    for (part, mut text) in &mut labels {
        let words = words_of(game.view(), *part);
        if text.0 != words {
            text.0 = words;
        }
    }
}

fn fill(game: Res<Game>, mut bars: Query<(&Bar, &mut Node)>) {
    let (view, rules) = (game.view(), &game.view().rules().thief);
    let thief = view.thief();
    for (bar, mut node) in &mut bars {
        let (now, most) = match bar.0 {
            Part::Health => (thief.health, rules.health),
            Part::Nerve => (thief.nerve, rules.nerve),
            _ => (thief.breath, rules.breath),
        };
        let part = f32::from(now.max(0)) / f32::from(most.max(1));
        node.width = percent(100.0 * part.min(1.0));
    }
}

fn paint(
    game: Res<Game>,
    sheet: Res<Sheet>,
    mut icons: Query<(&Part, &mut ImageNode, &mut Visibility)>,
) {
    let view = game.view();
    for (part, mut image, mut visible) in &mut icons {
        let picture = match *part {
            Part::Gem => Some(Picture::of_band(view.shown_band())),
            Part::Slot(slot) => {
                let stack = view.thief().tools.get(slot).copied().flatten();
                stack.map(|stack| Picture::of_tool(stack.tool))
            }
            _ => continue,
        };
        visible.set_if_neq(match picture {
            Some(_) => Visibility::Inherited,
            None => Visibility::Hidden,
        });
        if let Some(picture) = picture {
            image.texture_atlas = Some(sheet.part(picture));
        }
    }
}
