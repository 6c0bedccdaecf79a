//! The floor: what is seen of it, in the light; what shines in it; and what is remembered, as
//! thin lines over the darkness.
//!
//! Three meshes, which are made anew after a turn, and four times a second while something
//! flickers. What the player does not see or remember is in none of them.

use bevy::{camera::visibility::NoFrustumCulling, prelude::*};
use gutterlight_assets::art::{Effect, Picture};
use lanternfell_stealth::{Direction, LightBand, Memory, Sight, Tile, View};

use crate::play::{
    game::{Game, GameSystems, Happened},
    options::Options,
    place,
    scene::{
        afterglow::{Afterglow, is_dying},
        sheet::{Pictures, Sheet},
    },
};

/// Seconds from one frame of flames and water to the next.
const BEAT: f32 = 0.25;

/// How opaque the lines of remembered cells are, and of cells that hands feel in the dark.
const REMEMBERED: f32 = 0.3;
const FELT: f32 = 0.75;

/// The three meshes.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Lit,
    Flames,
    Lines,
}

/// Which frame of their animation things are in.
#[derive(Resource, Default)]
pub struct Frame {
    pub number: u32,
    passed: f32,
}

pub fn plugin(app: &mut App) {
    let stale = resource_exists_and_changed::<Game>.or_else(resource_changed::<Frame>);
    app.init_resource::<Frame>()
        .add_systems(Startup, spawn)
        .add_systems(
            Update,
            (count, draw.run_if(stale))
                .chain()
                .in_set(GameSystems::Show),
        );
}

fn spawn(
    sheet: Res<Sheet>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut paints: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let paint = paints.add(sheet.paint());
    let layers = [
        (Layer::Lit, place::GROUND),
        (Layer::Flames, place::FLAMES),
        (Layer::Lines, place::OUTLINES),
    ];
    for (layer, z) in layers {
        commands.spawn((
            layer,
            Mesh2d(meshes.add(Pictures::default().mesh())),
            MeshMaterial2d(paint.clone()),
            Transform::from_xyz(0.0, 0.0, z),
            // Its extent changes with what is seen.
            NoFrustumCulling,
        ));
    }
}

fn count(time: Res<Time>, options: Res<Options>, mut frame: ResMut<Frame>) {
    if !options.flicker {
        return;
    }
    let frame_now = frame.bypass_change_detection();
    frame_now.passed += time.delta_secs();
    if frame_now.passed >= BEAT {
        frame_now.passed %= BEAT;
        frame_now.number += 1;
        frame.set_changed();
    }
}

fn draw(
    game: Res<Game>,
    frame: Res<Frame>,
    sheet: Res<Sheet>,
    time: Res<Time>,
    layers: Query<(&Layer, &Mesh2d)>,
    mut happened: MessageReader<Happened>,
    mut glow: Local<Afterglow>,
    mut drawn: Local<f32>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let now = time.elapsed_secs();
    let since = now - core::mem::replace(&mut *drawn, now);
    let died = happened.read().filter(|event| is_dying(event.0)).count() > 0;
    glow.follow(game.view(), game.floor_visit(), died, since);
    let mut painter = Painter {
        view: game.view(),
        glow: &glow,
        sheet: &sheet,
        frame: frame.number,
        lit: Pictures::default(),
        flames: Pictures::default(),
        lines: Pictures::default(),
    };
    let size = painter.view.size();
    for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y))) {
        if let Some(memory) = painter.view.memory(at) {
            painter.cell(at, memory);
        }
    }
    let Painter {
        lit, flames, lines, ..
    } = painter;
    let (mut lit, mut flames, mut lines) = (Some(lit), Some(flames), Some(lines));
    for (layer, mesh) in &layers {
        let pictures = match layer {
            Layer::Lit => lit.take(),
            Layer::Flames => flames.take(),
            Layer::Lines => lines.take(),
        };
        if let (Some(pictures), Some(mut mesh)) = (pictures, meshes.get_mut(&mesh.0)) {
            *mesh = pictures.mesh();
        }
    }
}

/// What is being drawn.
struct Painter<'a> {
    view: View<'a>,
    glow: &'a Afterglow,
    sheet: &'a Sheet,
    frame: u32,
    lit: Pictures,
    flames: Pictures,
    lines: Pictures,
}

impl Painter<'_> {
    fn known(view: View<'_>, at: IVec2) -> Option<Tile> {
        view.memory(at).map(|memory| memory.tile)
    }

    /// Whether a wall is lit only from the side that is not seen: its light would hang in
    /// nothing.
    fn is_backside(&self, at: IVec2, tile: Tile) -> bool {
        let is_front = |way: &Direction| {
            let beside = at + way.step();
            let open = Self::known(self.view, beside).is_some_and(|tile| !tile.blocks_sight());
            open && self.view.band(beside) > Some(LightBand::Hidden)
        };
        tile.blocks_sight() && !Direction::ALL.iter().any(is_front)
    }

    /// One cell that is known.
    fn cell(&mut self, at: IVec2, memory: Memory) {
        let (view, theme) = (self.view, self.view.theme());
        let known = |at| Self::known(view, at);
        let seen = view.sight(at) == Sight::Seen && !self.is_backside(at, memory.tile);
        let glow = self.glow.part(at);
        let base = Picture::of_tile(memory.tile, theme, at, known, self.frame);
        let trim = Picture::of_trim(memory.tile, theme, at, known);
        let lamp = memory
            .fixture
            .and_then(|(kind, burning)| Picture::of_fixture(kind, burning, at, known, self.frame));
        let item = memory.item.map(|item| Picture::of_item(item, self.frame));
        let burns = view.fire(at);
        let fire = burns.then_some(Effect::Fire((self.frame % 3) as u8));
        let smoke = Some(view.smoke(at)).filter(|&smoke| smoke > 0);
        let things = [Some(base), trim, lamp, item, fire.map(Picture::of_effect)];
        let alpha = match view.band(at) {
            None => Some(REMEMBERED * (1.0 - glow)),
            // Hands feel what eyes can not see.
            Some(LightBand::Hidden) => Some(FELT),
            Some(_) if !seen => Some(REMEMBERED),
            Some(_) => None,
        };
        let place = place::of(at.as_vec2(), view.size());
        for picture in things.into_iter().flatten() {
            if seen || glow > 0.0 {
                self.lit.add(self.sheet, picture, place, 1.0);
            }
            if seen && picture.glows() {
                self.flames.add(self.sheet, picture, place, 1.0);
            }
            if let (Some(alpha), Some(line)) = (alpha, picture.outline()) {
                self.lines.add(self.sheet, line, place, alpha);
            }
        }
        if let Some(smoke) = smoke {
            self.lit
                .add(self.sheet, Picture::of_smoke(smoke), place, 1.0);
        }
    }
}
