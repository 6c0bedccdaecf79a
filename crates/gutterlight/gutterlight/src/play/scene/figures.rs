//! Figures: the thief and the visible guards.
//!
//! The rules move figures from cell to cell. Here they glide between cells. Animation never delays the next action: a
//! figure that is still gliding speeds up.

use bevy::{platform::collections::HashMap, prelude::*};
use gutterlight_assets::art::Picture;
use gutterlight_rules::{AlertState, GameEvent, GuardId, LightBand, SeenGuard, Who};

use crate::play::{
    game::{FloorVisit, Game, GameSystems, Happened},
    place,
    scene::sheet::Sheet,
};

/// The duration of a step in seconds.
const STEP: f32 = 0.11;

/// The colors of outlines and bodies in the dark: green for the thief, like the thief's cloak, and red for guards.
const THIEF: Inks = Inks {
    line: Color::srgba(0.62, 1.0, 0.72, 0.8),
    body: Color::srgba(0.3, 0.42, 0.34, 0.75),
};
const GUARD: Inks = Inks {
    line: Color::srgba(1.0, 0.5, 0.38, 0.9),
    body: Color::srgba(0.5, 0.3, 0.28, 0.75),
};

/// The position and scale of the sign over a guard's head, and the alternative if a figure stands behind the guard.
const ABOVE: (Vec2, f32) = (Vec2::new(0.0, 0.9 * place::CELL), 1.0);
const ASIDE: (Vec2, f32) = (Vec2::new(0.5 * place::CELL, 0.3 * place::CELL), 0.5);

/// The opacity of the thief's outline in the light.
const TRACE: f32 = 0.35;

/// The colors of an unlit figure.
struct Inks {
    line: Color,
    body: Color,
}

/// A figure.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Figure {
    Thief,
    Guard(GuardId),
}

/// The movement of a figure.
#[derive(Component)]
pub struct Stride {
    /// The drawn position, in cells.
    pub shown: Vec2,
    /// The target cell.
    pub to: IVec2,
    /// The speed in cells per second.
    speed: f32,
    /// The number of steps so far, for the walk animation.
    steps: u32,
}

/// A guard as it was last seen.
#[derive(Component)]
struct Looks(SeenGuard);

/// A sprite of a figure on top of the main one.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// The dim body, above the darkness.
    Body,
    /// The outline.
    Outline,
    /// The sign over a guard's head.
    Sign,
}

/// The systems that move figures.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moved;

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    app.add_systems(
        Update,
        (take_in.run_if(fresh), glide, pose.run_if(stirs))
            .chain()
            .in_set(Moved)
            .in_set(GameSystems::Show),
    );
}

/// Updates the figures after a turn.
fn take_in(
    game: Res<Game>,
    sheet: Res<Sheet>,
    mut shown: Local<Option<FloorVisit>>,
    mut happened: MessageReader<Happened>,
    mut figures: Query<(Entity, &Figure, &mut Stride)>,
    mut commands: Commands,
) {
    let view = game.view();
    let now = Some(game.floor_visit());
    let elsewhere = core::mem::replace(&mut *shown, now) != now;
    let mut from = HashMap::new();
    for event in happened.read() {
        match event.0 {
            GameEvent::Moved { who, from: old, .. } => {
                from.entry(who).or_insert(old);
            }
            // Blinking does not glide.
            GameEvent::Blinked { to, .. } => {
                from.insert(Who::Thief, to);
            }
            _ => {}
        }
    }
    let mut wanted: Vec<(Figure, IVec2, Option<SeenGuard>)> = view
        .guards()
        .map(|guard| (Figure::Guard(guard.id), guard.at, Some(guard)))
        .collect();
    wanted.push((Figure::Thief, view.thief().at, None));
    for (entity, figure, mut stride) in &mut figures {
        let place = wanted.iter().position(|(other, ..)| other == figure);
        match place {
            Some(place) if !elsewhere => {
                let (_, at, guard) = wanted.swap_remove(place);
                stride.head_for(at);
                if let Some(guard) = guard {
                    commands.entity(entity).insert(Looks(guard));
                }
            }
            _ => commands.entity(entity).despawn(),
        }
    }
    for (figure, at, guard) in wanted {
        let who = match figure {
            Figure::Thief => Who::Thief,
            Figure::Guard(id) => Who::Guard(id),
        };
        let old = from.get(&who).copied().filter(|_| !elsewhere).unwrap_or(at);
        let new = spawn(&mut commands, &sheet, figure, old, at);
        if let Some(guard) = guard {
            commands.entity(new).insert(Looks(guard));
        }
    }
}

fn spawn(commands: &mut Commands, sheet: &Sheet, figure: Figure, from: IVec2, at: IVec2) -> Entity {
    let mut stride = Stride {
        shown: from.as_vec2(),
        to: from,
        speed: 0.0,
        steps: 0,
    };
    stride.head_for(at);
    let nothing = sheet.sprite(Picture::of_band(LightBand::Hidden));
    let over = |part: Over, z: f32| {
        let place = Transform::from_xyz(0.0, 0.0, z - place::FIGURES);
        (part, nothing.clone(), place)
    };
    let figure = (
        figure,
        stride,
        nothing.clone(),
        Transform::from_xyz(0.0, 0.0, place::FIGURES),
        children![
            over(Over::Body, place::OUTLINES),
            over(Over::Outline, place::OUTLINES + 1.0),
            over(Over::Sign, place::SIGNS),
        ],
    );
    commands.spawn(figure).id()
}

impl Stride {
    /// Sets a new target, which is reached in the time of one step, regardless of the distance.
    fn head_for(&mut self, at: IVec2) {
        let way = self.shown.distance(at.as_vec2());
        if way > 4.0 {
            self.shown = at.as_vec2();
        }
        if at != self.to {
            self.steps += 1;
        }
        self.to = at;
        self.speed = way / STEP;
    }
}

fn glide(time: Res<Time>, mut strides: Query<&mut Stride>) {
    for mut stride in &mut strides {
        let goal = stride.to.as_vec2();
        if stride.shown != goal {
            let reach = stride.speed * time.delta_secs();
            stride.shown = stride.shown.move_towards(goal, reach);
        }
    }
}

/// Whether any figure may have moved or changed.
fn stirs(game: Res<Game>, strides: Query<(), Changed<Stride>>) -> bool {
    game.is_changed() || !strides.is_empty()
}

/// Updates the transforms and sprites of all figures.
fn pose(
    game: Res<Game>,
    sheet: Res<Sheet>,
    mut figures: Query<
        (
            Option<&Looks>,
            &Stride,
            &mut Sprite,
            &mut Transform,
            &Children,
        ),
        With<Figure>,
    >,
    mut parts: Query<(&Over, &mut Sprite, &mut Visibility, &mut Transform), Without<Figure>>,
) {
    let view = game.view();
    let guards = view.guards().map(|guard| guard.at);
    let taken: Vec<IVec2> = guards.chain([view.thief().at]).collect();
    for (looks, stride, mut sprite, mut transform, children) in &mut figures {
        let picture = match looks {
            Some(Looks(guard)) => Picture::of_guard(guard, stride.steps),
            None => Picture::of_thief(view.thief(), stride.steps),
        };
        let place = place::of(stride.shown, view.size());
        // Figures further south are drawn in front.
        let depth = stride.shown.y * 0.01;
        let wanted = place.extend(place::FIGURES + depth);
        if transform.translation != wanted {
            transform.translation = wanted;
        }
        show(&sheet, &mut sprite, picture, Color::WHITE);
        let dark = view.band(stride.to).unwrap_or_default() == LightBand::Hidden;
        let inks = looks.map_or(THIEF, |_| GUARD);
        for child in children {
            let Ok((over, mut sprite, mut visible, mut transform)) = parts.get_mut(*child) else {
                continue;
            };
            let part = match (over, dark, looks) {
                (Over::Sign, _, looks) => {
                    // The sign moves aside if a figure stands behind the guard.
                    let (at, size) = match taken.contains(&(stride.to - IVec2::Y)) {
                        true => ASIDE,
                        false => ABOVE,
                    };
                    let wanted = Transform::from_translation(at.extend(transform.translation.z))
                        .with_scale(Vec3::splat(size));
                    transform.set_if_neq(wanted);
                    let sign =
                        looks.and_then(|Looks(guard)| sign(guard.alert_state, guard.sees_you));
                    sign.map(|sign| (sign, Color::WHITE))
                }
                (Over::Body, true, _) => Some((picture, inks.body)),
                (Over::Outline, true, _) => picture.outline().zip(Some(inks.line)),
                // The thief always has an outline.
                (Over::Outline, false, None) => {
                    let trace = inks.line.with_alpha(TRACE);
                    picture.outline().zip(Some(trace))
                }
                (Over::Body, false, _) | (Over::Outline, false, Some(_)) => None,
            };
            visible.set_if_neq(match part {
                Some(_) => Visibility::Inherited,
                None => Visibility::Hidden,
            });
            if let Some((picture, color)) = part {
                show(&sheet, &mut sprite, picture, color);
            }
        }
    }
}

/// The sign over a guard in an alert state, if any.
pub fn sign(alert_state: AlertState, sees_you: bool) -> Option<Picture> {
    let shown = match alert_state {
        AlertState::Calm => sees_you.then_some(AlertState::Suspicious),
        AlertState::Dead | AlertState::Unconscious => None,
        alert_state => Some(alert_state),
    };
    shown.map(Picture::of_alert_state)
}

/// Changes a sprite only if it differs, to avoid triggering change detection.
fn show(sheet: &Sheet, sprite: &mut Mut<Sprite>, picture: Picture, color: Color) {
    let part = sheet.part(picture);
    let same = sprite.color == color
        && sprite
            .texture_atlas
            .as_ref()
            .is_some_and(|old| old.index == part.index);
    if !same {
        sprite.texture_atlas = Some(part);
        sprite.color = color;
    }
}
