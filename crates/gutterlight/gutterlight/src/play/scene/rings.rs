//! Sound rings. If the player saw a sound being made, its ring grows to the distance at which it is
//! heard. If it was only heard, the ring has a fixed size and another color, is shown at the edge
//! of the view if it is outside, and stays until the next turn.

use bevy::prelude::*;
use gutterlight_rules::{GameEvent, Sound};

use crate::play::{
    game::{FloorVisit, Game, GameSystems, Happened},
    place,
    scene::camera::{self, Shown},
    session::Session,
};

/// The radius of a ring for a sound that was only heard, in cells.
const HEARD: f32 = 1.5;

/// The age at which such a ring stops until the next turn.
const STAYS: f32 = 0.45;

/// The distance from the edge of the view for rings outside of it, in cells.
const EDGE: f32 = 1.2;

/// A ring that grows and fades.
#[derive(Component)]
struct Ring {
    place: FloorVisit,
    /// The turn of the sound.
    turn: u32,
    whose: Whose,
    /// The center, in world units.
    at: Vec2,
    /// From 0 to 1.
    age: f32,
    /// The final radius in cells.
    reach: f32,
}

/// The source of a sound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The thief. Only the newest ring is kept.
    Own,
    /// A visible source.
    Seen,
    /// An unseen source.
    Heard,
}

impl Whose {
    /// The color, with the initial opacity.
    fn ink(self) -> Color {
        match self {
            Self::Own => BLUE.with_alpha(0.12),
            Self::Seen => BLUE.with_alpha(0.22),
            Self::Heard => AMBER.with_alpha(0.95),
        }
    }

    /// The duration in seconds.
    const fn lasts(self) -> f32 {
        match self {
            Self::Own => 0.5,
            Self::Seen => 0.7,
            Self::Heard => 1.6,
        }
    }
}

/// Colors, the line width at full size in world units, and the number of corners.
const BLUE: Color = Color::srgb(0.75, 0.85, 1.0);
const AMBER: Color = Color::srgb(1.0, 0.74, 0.3);
const THICK: f32 = 1.0;
const CORNERS: u32 = 72;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            spawn.run_if(on_message::<Happened>.and_then(rings_are_shown)),
            grow,
            clear.run_if(resource_changed::<Game>),
        )
            .chain()
            .after(camera::follow)
            .in_set(GameSystems::Show),
    );
}

/// Whether rings are shown. The demo game behind the title screen has none.
fn rings_are_shown(session: Res<Session>) -> bool {
    !session.behind_title
}

/// Removes the rings of another floor.
fn clear(game: Res<Game>, rings: Query<(Entity, &Ring)>, mut commands: Commands) {
    for (entity, ring) in &rings {
        if ring.place != game.floor_visit() {
            commands.entity(entity).try_despawn();
        }
    }
}

fn spawn(
    game: Res<Game>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<ColorMaterial>>,
    mut happened: MessageReader<Happened>,
    old: Query<(Entity, &Ring)>,
    mut commands: Commands,
) {
    let (size, thief) = (game.view().size(), game.view().thief().at);
    for event in happened.read() {
        let (at, reach, whose) = match event.0 {
            GameEvent::Heard { at, .. } => (at, HEARD, Whose::Heard),
            // Footsteps of visible figures need no ring.
            GameEvent::Sounded { sound, at, .. } if is_step(sound) && at != thief => continue,
            GameEvent::Sounded { at, reach, .. } if at == thief => {
                (at, f32::from(reach), Whose::Own)
            }
            GameEvent::Sounded { at, reach, .. } => (at, f32::from(reach), Whose::Seen),
            _ => continue,
        };
        let is_older = |ring: &Ring| whose == Whose::Own && ring.whose == Whose::Own;
        for (entity, _) in old.iter().filter(|(_, ring)| is_older(ring)) {
            commands.entity(entity).try_despawn();
        }
        let at = place::of(at.as_vec2(), size);
        let thin = THICK / radius(reach, 1.0);
        let shape = Annulus::new(1.0 - thin.min(0.5), 1.0)
            .mesh()
            .resolution(CORNERS);
        commands.spawn((
            Ring {
                place: game.floor_visit(),
                turn: game.view().turn(),
                whose,
                at,
                age: 0.0,
                reach,
            },
            Mesh2d(meshes.add(shape)),
            MeshMaterial2d(paints.add(whose.ink())),
            Transform::from_translation(at.extend(place::SIGNS)),
        ));
    }
}

const fn is_step(sound: Sound) -> bool {
    matches!(sound, Sound::Steps(_) | Sound::Paws)
}

fn grow(
    time: Res<Time>,
    game: Res<Game>,
    shown: Res<Shown>,
    mut rings: Query<(
        Entity,
        &mut Ring,
        &MeshMaterial2d<ColorMaterial>,
        &mut Transform,
    )>,
    mut paints: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, mut ring, paint, mut transform) in &mut rings {
        ring.grow_old(time.delta_secs(), game.view().turn());
        if ring.age >= 1.0 {
            commands.entity(entity).try_despawn();
            continue;
        }
        let mut wanted = *transform;
        if ring.whose == Whose::Heard {
            // Sounds from outside the view are shown at its edge.
            let place = shown.nearest(ring.at, EDGE * place::CELL);
            wanted.translation = place.extend(place::SIGNS);
        }
        wanted.scale = Vec2::splat(radius(ring.reach, ring.age)).extend(1.0);
        transform.set_if_neq(wanted);
        let ink = ring.whose.ink();
        let ink = ink.with_alpha(ink.alpha() * (1.0 - ring.age));
        // Do not upload the material of a ring that has stopped.
        let is_new = |paint: &ColorMaterial| paint.color != ink;
        if paints.get(&paint.0).is_some_and(is_new)
            && let Some(mut paint) = paints.get_mut(&paint.0)
        {
            paint.color = ink;
        }
    }
}

impl Ring {
    /// Advances the age. A ring that was only heard stops until the next turn.
    fn grow_old(&mut self, seconds: f32, turn: u32) {
        let age = self.age + seconds / self.whose.lasts();
        let stays = self.whose == Whose::Heard && self.turn == turn;
        self.age = if stays { age.min(STAYS) } else { age };
    }
}

/// The radius at an age from 0 to 1, in world units. It grows fast at first.
fn radius(reach: f32, age: f32) -> f32 {
    let grown = 1.0 - (1.0 - age).powi(2);
    place::CELL * (0.3 + reach * grown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(whose: Whose) -> Ring {
        Ring {
            place: FloorVisit::default(),
            turn: 7,
            whose,
            at: Vec2::ZERO,
            age: 0.0,
            reach: HEARD,
        }
    }

    #[test]
    fn heard_rings_stay_until_next_turn() {
        let mut heard = ring(Whose::Heard);
        let mut seen = ring(Whose::Seen);
        for ring in [&mut heard, &mut seen] {
            ring.grow_old(60.0, 7);
        }
        assert!(heard.age < 1.0 && seen.age >= 1.0);
        heard.grow_old(60.0, 8);
        assert!(heard.age >= 1.0);
    }
}
