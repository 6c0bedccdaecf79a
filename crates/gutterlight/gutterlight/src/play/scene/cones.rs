//! Shows where guards would see the thief. While the key is held, those cells are hatched, and a
//! mark in front of each guard shows its direction.
//!
//! ```text
//!   +-----------+
//!   |/ / / / / /|
//!   |/ / / / / /+---+
//!   |/ / / / / / / /|   G guard, looking east
//!   +---+   G > / / |
//!       +-----------+
//! ```
//!
//! The hatch depends on the current light of the cells. It only covers cells and guards that the
//! thief sees. Hatch, rim and mark differ in shape, so they do not depend on color vision.
//!
//! It is one mesh, which is rebuilt after a turn while it is shown. This calls [`View::watchers`]
//! for each visible cell, which takes well below a millisecond.

use bevy::{camera::visibility::NoFrustumCulling, prelude::*, sprite_render::AlphaMode2d};
use gutterlight_rules::{Direction, SeenGuard, View};

use crate::play::{
    game::{Game, GameSystems},
    place,
    scene::sheet::{Pictures, marks},
};

/// Whether the overlay is shown.
#[derive(Resource, Default, PartialEq, Eq)]
pub struct ConesShown(pub bool);

/// Above the light, below outlines and signs.
const HEIGHT: f32 = place::FLAMES + 2.0;

/// The color of the overlay, which is used for nothing else in the keep, and the opacity of the
/// hatch, of its rim and of the marks.
const INK: Color = Color::srgb(1.0, 0.55, 0.15);
const HATCH: f32 = 0.34;
const RADIUS_CUTOFF: f32 = 0.8;
const MARK: f32 = 1.0;

/// The distance of a mark from the center of the guard's cell, in pixels: for straight and for
/// diagonal directions.
const BEFORE: (f32, f32) = (13.0, 10.0);

/// The layout of the texture: the hatch, a rim for each straight side, a mark for each direction.
const RIMS: u32 = 1;
const MARKS: u32 = RIMS + Direction::STRAIGHT.len() as u32;
const PARTS: u32 = MARKS + Direction::ALL.len() as u32;

/// The mesh.
#[derive(Component)]
struct Cones;

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    let asked = |shown: Res<ConesShown>| shown.0;
    app.init_resource::<ConesShown>()
        .add_systems(Startup, spawn)
        .add_systems(
            Update,
            draw.run_if(resource_changed::<ConesShown>.or_else(fresh.and_then(asked)))
                .in_set(GameSystems::Show),
        );
}

fn spawn(
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let paint = ColorMaterial {
        texture: Some(images.add(marks(PARTS, part))),
        alpha_mode: AlphaMode2d::Blend,
        ..default()
    };
    commands.spawn((
        Cones,
        Mesh2d(meshes.add(Pictures::default().mesh())),
        MeshMaterial2d(paints.add(paint)),
        Transform::from_xyz(0.0, 0.0, HEIGHT),
        Visibility::Hidden,
        // Its extent changes with the view.
        NoFrustumCulling,
    ));
}

fn draw(
    game: Res<Game>,
    shown: Res<ConesShown>,
    cones: Single<(&Mesh2d, &mut Visibility), With<Cones>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let (mesh, mut visible) = cones.into_inner();
    visible.set_if_neq(match shown.0 {
        true => Visibility::Inherited,
        false => Visibility::Hidden,
    });
    if shown.0
        && let Some(mut mesh) = meshes.get_mut(&mesh.0)
    {
        *mesh = pictures(game.view()).mesh();
    }
}

/// Builds the hatched cells, their rim, and the marks of guards.
fn pictures(view: View<'_>) -> Pictures {
    let mut pictures = Pictures::default();
    let size = view.size();
    let guards: Vec<SeenGuard> = view.guards().collect();
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    let watched: Vec<IVec2> = cells.filter(|at| is_watched(view, *at)).collect();
    let mut is_in = vec![false; (size.x * size.y) as usize];
    let index = |at: IVec2| {
        let inside = (0..size.x).contains(&at.x) && (0..size.y).contains(&at.y);
        inside.then_some((at.y * size.x + at.x) as usize)
    };
    for at in watched.iter().filter_map(|at| index(*at)) {
        is_in[at] = true;
    }
    let mut add = |part, place, alpha| {
        let color = INK.to_linear().with_alpha(alpha).to_f32_array();
        pictures.add_part(corners(part), place, color);
    };
    for at in watched {
        let place = place::of(at.as_vec2(), size);
        // A cell with a guard is not hatched, so that the guard is easier to see.
        if guards.iter().all(|guard| guard.at != at) {
            add(0, place, HATCH);
        }
        for (side, way) in (RIMS..).zip(Direction::STRAIGHT) {
            if !index(at + way.step()).is_some_and(|neighbor| is_in[neighbor]) {
                add(side, place, RADIUS_CUTOFF);
            }
        }
    }
    for guard in guards.iter().filter(|guard| looks_about(view, guard)) {
        let place = place::of(guard.at.as_vec2(), size);
        let before = if guard.facing.is_diagonal() {
            BEFORE.1
        } else {
            BEFORE.0
        };
        let way = guard.facing.step().as_vec2() * Vec2::new(before, -before);
        add(MARKS + guard.facing as u32, place + way, MARK);
    }
    pictures
}

/// Whether the thief sees the cell, and a visible guard would see the thief there.
fn is_watched(view: View<'_>, at: IVec2) -> bool {
    let stands = view
        .memory(at)
        .is_some_and(|memory| memory.tile.is_passable());
    stands && !view.watchers(at).is_empty()
}

/// Whether the guard's direction matters.
fn looks_about(view: View<'_>, guard: &SeenGuard) -> bool {
    view.rules().guard(guard.kind).eyes && !guard.asleep && !guard.alert_state.is_down()
}

/// The texture coordinates of a part: left, top, right, bottom.
fn corners(part: u32) -> [f32; 4] {
    let (left, all) = (part as f32, PARTS as f32);
    [left / all, 0.0, (left + 1.0) / all, 1.0]
}

/// The alpha of a pixel of a part, from 0 to 255.
fn part(part: u32, x: i32, y: i32) -> u8 {
    let is_drawn = match part {
        // The hatch continues from cell to cell.
        ..RIMS => (x + y) % 4 == 0,
        RIMS..MARKS => match Direction::STRAIGHT[(part - RIMS) as usize % 4] {
            Direction::North => y == 0,
            Direction::East => x == 15,
            Direction::South => y == 15,
            _ => x == 0,
        },
        _ => is_tip(Direction::ALL[(part - MARKS) as usize % 8].step(), x, y),
    };
    if is_drawn { 255 } else { 0 }
}

/// Whether a pixel belongs to a thick arrowhead around the center that points in a direction.
fn is_tip(way: IVec2, x: i32, y: i32) -> bool {
    // In half pixels from the center.
    let from = IVec2::new(2 * x - 15, 2 * y - 15);
    let (along, across) = (from.dot(way), from.perp_dot(way).abs());
    // In diagonal directions, both values are larger by a factor of the square root of two.
    let unit = way.length_squared();
    let (along, across) = (2 * along / (1 + unit), 2 * across / (1 + unit));
    let back = 4 - along;
    (across..across + 5).contains(&back) && across <= 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use gutterlight_rules::{Bot, Difficulty, Sight, World};

    fn drawn(number: u32) -> Vec<(i32, i32)> {
        let all = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
        all.filter(|(x, y)| part(number, *x, *y) > 0).collect()
    }

    #[test]
    fn marks_are_symmetric() {
        for way in Direction::ALL {
            let mut there = drawn(MARKS + way as u32);
            let back = drawn(MARKS + way.opposite() as u32);
            there.iter_mut().for_each(|at| *at = (15 - at.0, 15 - at.1));
            there.sort_by_key(|(x, y)| (*y, *x));
            assert_eq!(there, back, "{way:?}");
            assert!((16..100).contains(&back.len()), "{way:?} {}", back.len());
        }
    }

    #[test]
    fn hatch_covers_only_visible_passable_cells() {
        let mut world = World::new(11, Difficulty::Thief);
        let mut mind = Bot::Careful.mind(11);
        let (mut events, mut watched) = (Vec::new(), 0);
        for _ in 0..200 {
            let action = mind.choose(world.view(), &events);
            events = world.act(action).unwrap_or_default();
            let view = world.view();
            let size = view.size();
            for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y))) {
                if is_watched(view, at) {
                    watched += 1;
                    assert_eq!(view.sight(at), Sight::Seen, "{at}");
                    assert!(view.guards().any(|guard| looks_about(view, &guard)), "{at}");
                }
            }
        }
        assert!(watched > 0, "no guard was met");
    }
}
