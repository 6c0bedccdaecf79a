//! The camera. It follows the thief with a dead zone, and snaps to whole pixels.

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

/// The number of cells to fit between the bar and the panel. The zoom is the nearest whole factor.
const CELLS: Vec2 = Vec2::new(24.0, 10.5);

/// How far the thief may move from the center before the camera follows, as a fraction of the visible area.
const DEAD_ZONE: Vec2 = Vec2::new(0.14, 0.12);

/// The number of cells to show beyond the edge of the floor, so that the thief is not at the edge of the screen.
const MARGIN: f32 = 6.0;

/// The horizontal offset of the thief behind the title, as a fraction of the visible area.
const ASIDE: f32 = 0.2;

/// The follow rate, per second.
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

/// The part of the world that is visible between the bar and the panel.
#[derive(Resource, Default)]
pub struct Shown(Rect);

impl Shown {
    /// The position nearest to `place` that is at least `within` inside the visible area.
    pub fn nearest(&self, place: Vec2, within: f32) -> Vec2 {
        let inner = self.0.inflate(-within);
        place.clamp(inner.min.min(inner.max), inner.max.max(inner.min))
    }
}

/// The position that the camera follows, before snapping to pixels.
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
    // A sprite pixel covers a whole number of screen pixels.
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
    // On the title, move the thief to the side of the menu.
    let aside = match session.behind_title {
        true => Vec2::new(shown.x * ASIDE, 0.0),
        false => Vec2::ZERO,
    };
    let middle = looks - (panel - bar) / 2.0 / whole - aside;
    // With an odd number of pixels, the center is in the middle of a pixel.
    let odd = (window % 2).as_vec2() / 2.0;
    let snapped = ((middle * whole - odd).round() + odd) / whole + shake.offset();
    picture.0 = Rect::from_center_size(looks - aside, shown);
    let translation = snapped.extend(transform.translation.z);
    if transform.translation != translation {
        transform.translation = translation;
    }
}

/// Limits how much is visible beyond the edge of the floor.
fn within(looks: Vec2, shown: Vec2, size: IVec2) -> Vec2 {
    let spare = ((size.as_vec2() + 2.0 * MARGIN) * place::CELL - shown) / 2.0;
    let spare = spare.max(Vec2::ZERO);
    looks.clamp(-spare, spare)
}
