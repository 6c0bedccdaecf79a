//! Speech bubbles over guards.
//!
//! ```text
//!            +----------------+
//!            |  Who's there?  |      UI text: it is not scaled with the scene, and stays on screen
//!            +----------------+      when the guard is near the edge
//!                    ?
//!                  guard
//! ```
//!
//! A fixed number of bubbles is spawned at the start. A guard that speaks again reuses its bubble.
//! If all bubbles are in use, the one with the least time left is replaced. If the guard goes out
//! of sight, its bubble stays where it was. Bubbles do not overlap: the upper one moves up.
//!
//! Voices of guards out of sight are in the message log instead.

use bevy::prelude::*;
use gutterlight_rules::{GameEvent, GuardId};

use crate::play::{
    game::{FloorVisit, Game, GameSystems, Happened},
    hud::{
        layer::Layer,
        shown::is_shown,
        style::{BACK, PANEL, TOP, text},
    },
    place::{self, CELL},
    scene::{
        camera,
        figures::{Figure, Stride},
        sheet::Sheet,
    },
};

/// The maximum number of bubbles.
const VOICES: usize = 5;

/// Seconds for which a bubble is shown, and the last seconds in which it fades.
const LASTS: f32 = 2.0;
const FADES: f32 = 0.3;

/// The distance from the center of a guard's cell to its bubble, which leaves room for the sign
/// over its head.
const OVER: f32 = 1.5 * CELL;

/// The gap between bubbles, and to the edges of the screen, in logical pixels.
const GAP: f32 = 3.0;

/// The opacity of the background.
const PLATE: f32 = 0.82;

/// The font size, in logical pixels.
const SIZE: f32 = 14.0;

/// A speech bubble.
#[derive(Component, Default)]
struct Voice {
    guard: Option<GuardId>,
    /// The position of the guard when it was last seen, in cells.
    at: Vec2,
    /// The remaining seconds.
    left: f32,
    /// Whether the text is new, so that its size is not known yet.
    new: bool,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                speak.run_if(on_message::<Happened>.or_else(resource_changed::<Game>)),
                fade,
                arrange,
            )
                .chain()
                .after(camera::follow)
                .in_set(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let screen = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        ..default()
    };
    let plate = || Node {
        position_type: PositionType::Absolute,
        left: px(0),
        top: px(0),
        padding: UiRect::axes(px(6), px(2)),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    // Below the panel and the menu pages.
    let root = (Layer::Barks.in_play(), screen);
    commands.spawn(root).with_children(|screen| {
        for _ in 0..VOICES {
            let colors = (BackgroundColor(BACK), BorderColor::all(BACK));
            screen
                .spawn((Voice::default(), plate(), colors, Visibility::Hidden))
                .with_child((text("", SIZE), TextLayout::no_wrap()));
        }
    });
}

/// Shows speech of visible guards.
fn speak(
    game: Res<Game>,
    sheet: Res<Sheet>,
    mut happened: MessageReader<Happened>,
    mut voices: Query<(&mut Voice, &mut BorderColor, &Children)>,
    mut texts: Query<&mut Text>,
    mut was: Local<Option<FloorVisit>>,
) {
    let view = game.view();
    // On a new floor, bubbles of the old one end.
    if was.replace(game.floor_visit()) != Some(game.floor_visit()) {
        for (mut voice, ..) in &mut voices {
            voice.left = voice.left.min(f32::MIN_POSITIVE);
        }
    }
    for event in happened.read() {
        let GameEvent::Said { guard, bark } = event.0 else {
            continue;
        };
        let Some(guard) = view.guards().find(|seen| Some(seen.id) == guard) else {
            continue;
        };
        // The guard's own bubble, or the one with the least time left.
        let chosen = voices.iter_mut().min_by(|(a, ..), (b, ..)| {
            let other = |voice: &Voice| voice.guard != Some(guard.id);
            let order = other(a).cmp(&other(b));
            order.then(a.left.total_cmp(&b.left))
        });
        let Some((mut voice, mut border, children)) = chosen else {
            continue;
        };
        *voice = Voice {
            guard: Some(guard.id),
            at: guard.at.as_vec2(),
            left: LASTS,
            new: true,
        };
        let [red, green, blue] = sheet.palette().alert_state(guard.alert_state);
        *border = BorderColor::all(Color::srgb_u8(red, green, blue));
        let mut texts = texts.iter_many_mut(children);
        if let Some(mut text) = texts.fetch_next() {
            bark.words().clone_into(&mut text.0);
        }
    }
}

/// Fades bubbles out.
fn fade(
    time: Res<Time>,
    mut voices: Query<(
        &mut Voice,
        &mut Visibility,
        &mut BackgroundColor,
        &mut BorderColor,
        &Children,
    )>,
    mut inks: Query<&mut TextColor>,
) {
    for (mut voice, mut visible, mut ground, mut border, children) in &mut voices {
        if voice.left <= 0.0 {
            continue;
        }
        voice.left -= time.delta_secs();
        visible.set_if_neq(match voice.left > 0.0 && !voice.new {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
        // Few distinct values, so that the UI rarely changes.
        let alpha = (4.0 * voice.left / FADES).ceil().clamp(1.0, 4.0) / 4.0;
        ground.set_if_neq(BackgroundColor(BACK.with_alpha(PLATE * alpha)));
        border.set_if_neq(BorderColor::all(border.top.with_alpha(alpha)));
        let mut inks = inks.iter_many_mut(children);
        while let Some(mut ink) = inks.fetch_next() {
            ink.set_if_neq(TextColor(ink.0.with_alpha(alpha)));
        }
    }
}

/// Moves bubbles with their guards.
fn arrange(
    game: Res<Game>,
    scale: Res<UiScale>,
    camera: Single<(&Camera, &Transform)>,
    figures: Query<(&Figure, &Stride)>,
    mut voices: Query<(&mut Voice, &ComputedNode, &mut UiTransform)>,
) {
    if voices.iter().all(|(voice, ..)| voice.left <= 0.0) {
        return;
    }
    let (camera, lens) = *camera;
    let lens = GlobalTransform::from(*lens);
    let Some(size) = camera.logical_viewport_size() else {
        return;
    };
    let (top, bottom) = (Vec2::new(0.0, TOP), Vec2::new(0.0, PANEL));
    let screen = Rect::from_corners(top, size / scale.0 - bottom);
    let screen = screen.inflate(-GAP);
    let mut taken = [Rect::EMPTY; VOICES];
    for (place, (mut voice, node, mut shown)) in voices.iter_mut().enumerate() {
        if voice.left <= 0.0 {
            continue;
        }
        let figure = voice.guard.map(Figure::Guard);
        if let Some((_, stride)) = figures.iter().find(|(other, _)| Some(**other) == figure) {
            voice.at = stride.shown;
        }
        let head = place::of(voice.at, game.view().size()) + Vec2::new(0.0, OVER);
        let Ok(head) = camera.world_to_viewport(&lens, head.extend(0.0)) else {
            continue;
        };
        // Physical pixels per UI pixel.
        let fine = node.inverse_scale_factor.recip();
        let wanted = Rect::from_center_size(head / scale.0, node.size() / fine);
        let wanted = moved(wanted, Vec2::new(0.0, -wanted.half_size().y));
        let found = free(wanted, &taken, screen);
        if let Some(place) = taken.get_mut(place) {
            *place = found;
        }
        let corner = (found.min * fine).round() / fine;
        shown.set_if_neq(UiTransform::from_translation(Val2::px(corner.x, corner.y)));
        voice.new = false;
    }
}

fn moved(rect: Rect, by: Vec2) -> Rect {
    Rect {
        min: rect.min + by,
        max: rect.max + by,
    }
}

/// The position nearest to the wanted one that is on screen and overlaps no other bubble: above the
/// others, or below them if there is no room above.
fn free(wanted: Rect, taken: &[Rect], screen: Rect) -> Rect {
    let into = |rect: Rect| {
        let low = (screen.min - rect.min).max(Vec2::ZERO);
        let high = (screen.max - rect.max).min(Vec2::ZERO);
        moved(rect, low + high)
    };
    let hit = |rect: Rect| {
        let near = rect.inflate(GAP / 2.0);
        let mut others = taken.iter().filter(|other| !other.is_empty());
        others.find(|other| !near.intersect(**other).is_empty())
    };
    let first = into(wanted);
    let ways: [fn(Rect, Rect) -> f32; 2] = [
        |rect, other| other.min.y - GAP - rect.max.y,
        |rect, other| other.max.y + GAP - rect.min.y,
    ];
    for way in ways {
        let mut rect = first;
        // A bubble that has been passed is never hit again.
        for _ in taken {
            let Some(other) = hit(rect) else {
                break;
            };
            rect = moved(rect, Vec2::new(0.0, way(rect, *other)));
        }
        if hit(rect).is_none() && into(rect) == rect {
            return rect;
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Rect = Rect {
        min: Vec2::ZERO,
        max: Vec2::new(640.0, 280.0),
    };

    fn rect(x: f32, y: f32) -> Rect {
        Rect::new(x, y, x + 100.0, y + 20.0)
    }

    #[test]
    fn bubbles_stay_on_screen() {
        for (x, y) in [
            (-50.0, 100.0),
            (600.0, 100.0),
            (300.0, -15.0),
            (300.0, 300.0),
        ] {
            let found = free(rect(x, y), &[], SCREEN);
            assert_eq!(found.intersect(SCREEN), found, "{x} {y}");
            assert_eq!(found.size(), rect(x, y).size(), "{x} {y}");
        }
        assert_eq!(free(rect(40.0, 50.0), &[], SCREEN), rect(40.0, 50.0));
    }

    #[test]
    fn bubbles_do_not_overlap() {
        for y in [0.0, 5.0, 120.0, 255.0] {
            let mut taken = [Rect::EMPTY; VOICES];
            for place in 0..VOICES {
                let found = free(rect(200.0 + place as f32, y), &taken, SCREEN);
                assert_eq!(found.intersect(SCREEN), found, "{y}");
                let apart = |other: &Rect| found.intersect(*other).is_empty();
                assert!(taken.iter().all(apart), "{y} {place}");
                taken[place] = found;
            }
        }
    }
}
