//! The camera: it follows the thief, but not every step, and whole pixels stay whole.

use bevy::prelude::*;

use crate::play::{
    game::{FloorVisit, Game, GameSystems},
    hud::style::{PANEL, TOP},
    place,
    scene::{
        figures::{Figure, Moved, Stride},
        shake::{self, Shake},
    },
    session::Session,
};

/// Cells that should about fit between the bar and the panel: pictures are as large as comes nearest.
const CELLS: Vec2 = Vec2::new(24.0, 10.5);

/// How far the thief may go from the middle before the camera follows, as a part of what it
/// shows.
const DEAD_ZONE: Vec2 = Vec2::new(0.14, 0.12);

/// Cells around the floor that may be shown: who stands at its edge is not at the screen's.
const MARGIN: f32 = 6.0;

/// How far to the side the thief is behind the title, as a part of what is shown.
const ASIDE: f32 = 0.2;

/// How fast the camera comes after, a second.
const FOLLOWS: f32 = 7.0;

pub fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(Startup, spawn)
        .add_systems(
            Update,
            follow
                .after(Moved)
                .after(shake::feel)
                .in_set(GameSystems::Show),
        );
}

/// What is shown of the world between the bar and the panel.
#[derive(Resource, Default)]
pub struct Shown(Rect);

impl Shown {
    /// The place nearest to this one that is so far within the picture.
    pub fn nearest(&self, place: Vec2, within: f32) -> Vec2 {
        let inner = self.0.inflate(-within);
        place.clamp(inner.min.min(inner.max), inner.max.max(inner.min))
    }
}

/// Where the camera looks, before it is brought to whole pixels.
#[derive(Component, Default)]
pub struct Gaze(Option<Vec2>);

fn spawn(mut commands: Commands) {
    commands.spawn((Camera2d, IsDefaultUiCamera, Gaze::default()));
}

pub fn follow(
    time: Res<Time>,
    game: Res<Game>,
    shake: Res<Shake>,
    interface: Res<UiScale>,
    session: Res<Session>,
    strides: Query<(&Figure, &Stride)>,
    camera: Single<(&Camera, &mut Gaze, &mut Transform, &mut Projection)>,
    mut picture: ResMut<Shown>,
    mut was: Local<Option<FloorVisit>>,
) {
    let (camera, mut gaze, mut transform, mut projection) = camera.into_inner();
    let (Some(window), Some(pixels)) = (
        camera.physical_viewport_size(),
        camera.target_scaling_factor(),
    ) else {
        return;
    };
    let Some((_, thief)) = strides.iter().find(|(figure, _)| **figure == Figure::Thief) else {
        return;
    };
    let [bar, panel] = [TOP, PANEL].map(|high| Vec2::new(0.0, high * interface.0 * pixels));
    let room = (window.as_vec2() - bar - panel).max(Vec2::ONE);
    // A pixel of a picture is a whole number of the screen's.
    let whole = (room / (CELLS * place::CELL))
        .min_element()
        .round()
        .max(1.0);
    let scale = pixels / whole;
    if matches!(&*projection, Projection::Orthographic(lens) if lens.scale != scale)
        && let Projection::Orthographic(lens) = &mut *projection
    {
        lens.scale = scale;
    }
    let size = game.view().size();
    let thief = place::of(thief.shown, size);
    let shown = room / whole;
    let slack = shown * DEAD_ZONE;
    let now = Some(game.floor_visit());
    let looks = gaze.0.filter(|_| *was == now);
    *was = now;
    let part = 1.0 - (-FOLLOWS * time.delta_secs()).exp();
    let looks = looks.map_or(thief, |looks| {
        looks.lerp(looks.clamp(thief - slack, thief + slack), part)
    });
    let looks = within(looks, shown, size);
    gaze.0 = Some(looks);
    // Beside the words of the title.
    let aside = match session.behind_title {
        true => Vec2::new(shown.x * ASIDE, 0.0),
        false => Vec2::ZERO,
    };
    let middle = looks - (panel - bar) / 2.0 / whole - aside;
    // The middle of an odd number of pixels is in the middle of one.
    let odd = (window % 2).as_vec2() / 2.0;
    let snapped = ((middle * whole - odd).round() + odd) / whole + shake.offset();
    picture.0 = Rect::from_center_size(looks - aside, shown);
    let translation = snapped.extend(transform.translation.z);
    if transform.translation != translation {
        transform.translation = translation;
    }
}

/// Shows little of what is beyond the floor's edge.
fn within(looks: Vec2, shown: Vec2, size: IVec2) -> Vec2 {
    let spare = ((size.as_vec2() + 2.0 * MARGIN) * place::CELL - shown) / 2.0;
    let spare = spare.max(Vec2::ZERO);
    looks.clamp(-spare, spare)
}
