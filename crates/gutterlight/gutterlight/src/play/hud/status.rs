//! Updates the panel: light, health, and supplies of the thief.

use bevy::prelude::*;
use gutterlight_assets::art::{Icon, Picture};
use gutterlight_rules::{AlertState, Perk, View};

use crate::play::{
    game::{Game, GameSystems},
    hud::{
        layout::Wide,
        panel,
        part::{Bar, Part},
        shown::is_shown,
        style,
    },
    input::bindings::Bindings,
    scene::sheet::Sheet,
    words,
};

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    app.add_systems(Startup, panel::spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                say.run_if(
                    fresh
                        .or_else(resource_changed::<Bindings>)
                        .or_else(resource_changed::<Wide>),
                ),
                fill.run_if(fresh),
                paint.run_if(fresh.or_else(resource_changed::<Sheet>)),
                ink.run_if(resource_changed::<Sheet>),
                alarm.run_if(fresh),
            )
                .in_set(GameSystems::Show),
        );
}

/// The text of a part of the panel.
fn words_of(view: View<'_>, bindings: &Bindings, wide: bool, part: Part) -> String {
    let thief = view.thief();
    match part {
        Part::Gem | Part::Bell(_) => String::new(),
        Part::Band => format!("{} {}", words::band(view.shown_band()), view.light_gem()),
        Part::Reach => words::seen_from(view),
        Part::Loud => words::heard_from(view),
        Part::Watched => words::watched(view),
        Part::Health => thief.health.max(0).to_string(),
        Part::Nerve => thief.nerve.to_string(),
        Part::Breath => thief.breath.to_string(),
        Part::Fuel => words::torch(thief.torch),
        Part::Purse => thief.purse.to_string(),
        Part::Cloth => thief.cloth.to_string(),
        Part::Slot(slot) => match thief.tools.get(slot) {
            None => String::new(),
            Some(None) => format!("{} -", slot + 1),
            Some(Some(stack)) if stack.count > 1 => format!("{} x{}", slot + 1, stack.count),
            Some(Some(_)) => format!("{}", slot + 1),
        },
        Part::Place if wide => words::place(view),
        Part::Place => words::short_place(view),
        Part::Hint => words::hint(view, bindings).unwrap_or_default(),
    }
}

fn say(
    game: Res<Game>,
    bindings: Res<Bindings>,
    wide: Res<Wide>,
    mut labels: Query<(&Part, &mut Text)>,
) {
    for (part, mut text) in &mut labels {
        let words = words_of(game.view(), &bindings, wide.0, *part);
        if text.0 != words {
            text.0 = words;
        }
    }
}

fn fill(game: Res<Game>, mut bars: Query<(&Bar, &mut Node)>) {
    let (thief, rules) = (game.view().thief(), &game.view().rules().thief);
    let thicker = match thief.has(Perk::ThickSkin) {
        true => game.view().rules().perks.thick_skin,
        false => 0,
    };
    for (bar, mut node) in &mut bars {
        let (now, most) = match bar.0 {
            Part::Health => (thief.health, rules.health + thicker),
            Part::Nerve => (thief.nerve, rules.nerve),
            _ => (thief.breath, rules.breath),
        };
        let part = f32::from(now.max(0)) / f32::from(most.max(1));
        let width = percent(100.0 * part.min(1.0));
        if node.width != width {
            node.width = width;
        }
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
            // Without a ringing bell, none is shown.
            Part::Bell(bell) => (view.bells() > 0).then(|| {
                Picture::of_icon(match bell < view.bells() {
                    true => Icon::Bell,
                    false => Icon::StillBell,
                })
            }),
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
            let part = Some(sheet.part(picture));
            if image.texture_atlas != part {
                image.texture_atlas = part;
            }
        }
    }
}

/// Gives the bars the colors of the palette.
fn ink(sheet: Res<Sheet>, mut bars: Query<(&Bar, &mut BackgroundColor)>) {
    let palette = sheet.palette();
    for (bar, mut color) in &mut bars {
        let [red, green, blue] = match bar.0 {
            Part::Health => palette.health(),
            Part::Nerve => palette.nerve(),
            _ => palette.breath(),
        };
        color.set_if_neq(BackgroundColor(Color::srgb_u8(red, green, blue)));
    }
}

/// Colors the text about watching guards when the thief is seen or chased.
fn alarm(game: Res<Game>, mut labels: Query<(&Part, &mut TextColor)>) {
    let view = game.view();
    let ink = match () {
        () if view
            .guards()
            .any(|guard| guard.alert_state == AlertState::Chasing) =>
        {
            style::HUNTED
        }
        () if view.guards().any(|guard| guard.sees_you) => style::SEEN,
        () => style::WORDS,
    };
    for (part, mut color) in &mut labels {
        if *part == Part::Watched {
            color.set_if_neq(TextColor(ink));
        }
    }
}
