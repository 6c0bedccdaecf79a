//! Particles ("motes"): sparks, smoke, drops, ripples, and dust.
//!
//! ```text
//!   strike   events: emit a burst
//!   survey   after a turn: collect emitters in sight
//!   pass     every frame: emit, move, and remove motes
//!   paint    every frame: update the sprites
//! ```
//!
//! The number of motes is fixed, and each has a sprite that is spawned at the start, so no frame
//! spawns or allocates anything. If all are in use, emitters pause, and bursts replace the oldest
//! motes. Motes consist of whole sprite pixels, and move by whole pixels.
//!
//! Only things in sight emit motes. Glowing motes are drawn above the light. Smoke, dust and water
//! are below it, so they are only visible where it is lit.

mod mote;
mod pool;
mod source;

use bevy::prelude::*;
use gutterlight_rules::Sight;

use crate::play::{
    game::{Game, GameSystems, Happened},
    options::Options,
    place::{self, CELL},
    scene::{
        figures::{Figure, Moved, Stride},
        sheet::marks,
    },
};

use mote::{Look, SHAPES, shape};
use pool::{MOST, Pool};
use source::{Sources, strike, survey};

/// Emitters further than this outside the screen are skipped, in world units.
const MARGIN: f32 = 2.0 * CELL;

/// The sprite of the mote at this index of the pool.
#[derive(Component)]
struct Speck(usize);

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    app.init_resource::<Pool>()
        .init_resource::<Sources>()
        .add_systems(Startup, spawn)
        .add_systems(
            Update,
            (
                // Runs before `survey`, while the position of a torch that has just gone out is
                // still known.
                strike.run_if(on_message::<Happened>),
                survey.run_if(fresh),
                pass,
                paint,
            )
                .chain()
                .after(Moved)
                .in_set(GameSystems::Show),
        );
}

fn spawn(
    mut images: ResMut<Assets<Image>>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut commands: Commands,
) {
    let image = images.add(marks(SHAPES, shape));
    let side = UVec2::splat(CELL as u32);
    let layout = layouts.add(TextureAtlasLayout::from_grid(side, SHAPES, 1, None, None));
    let atlas = TextureAtlas { layout, index: 0 };
    commands.spawn_batch((0..MOST).map(move |place| {
        let sprite = Sprite::from_atlas_image(image.clone(), atlas.clone());
        (
            Speck(place),
            sprite,
            Transform::IDENTITY,
            Visibility::Hidden,
        )
    }));
}

/// Advances all motes and emits new ones.
fn pass(
    time: Res<Time>,
    game: Res<Game>,
    options: Res<Options>,
    sources: Res<Sources>,
    mut pool: ResMut<Pool>,
    strides: Query<(&Figure, &Stride)>,
    camera: Single<(&Transform, &Projection), With<Camera2d>>,
) {
    let seconds = time.delta_secs();
    pool.pass(seconds);
    let (camera, Projection::Orthographic(lens)) = *camera else {
        return;
    };
    let middle = camera.translation.truncate();
    let screen = Rect {
        min: lens.area.min + middle,
        max: lens.area.max + middle,
    };
    let thief = strides.iter().find(|(figure, _)| **figure == Figure::Thief);
    let thief = thief.map(|(_, stride)| stride.shown);
    sources.give_off(
        &mut pool,
        seconds,
        screen.inflate(MARGIN),
        thief.map(|shown| place::of(shown, game.view().size())),
        options.flicker,
    );
}

/// Updates the sprites. Unchanged ones are not touched.
fn paint(
    game: Res<Game>,
    pool: Res<Pool>,
    mut specks: Query<(&Speck, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    let view = game.view();
    for (speck, mut sprite, mut transform, mut visible) in &mut specks {
        // Smoke that drifts into an unseen cell would reveal its light.
        let is_seen = |look: &Look| {
            let at = place::cell_at(look.place.truncate(), view.size());
            look.place.z >= place::FLAMES || view.sight(at) == Sight::Seen
        };
        let Some(look) = pool.look(speck.0).filter(is_seen) else {
            visible.set_if_neq(Visibility::Hidden);
            continue;
        };
        visible.set_if_neq(Visibility::Inherited);
        transform.set_if_neq(Transform::from_translation(look.place));
        if sprite.color != look.color {
            sprite.color = look.color;
        }
        let index = look.shape as usize;
        if let Some(part) = &sprite.texture_atlas
            && part.index != index
        {
            let part = part.clone();
            sprite.texture_atlas = Some(TextureAtlas { index, ..part });
        }
    }
}
