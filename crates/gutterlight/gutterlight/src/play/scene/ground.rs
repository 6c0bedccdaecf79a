//! The floor: the lit part, the flames in it, and the remembered part, which is dark.
//!
//! Three meshes, rebuilt after a turn. The lit ones are also rebuilt four times a second while
//! something flickers or fades. They contain nothing that the player does not see or remember.

use bevy::{camera::visibility::NoFrustumCulling, prelude::*};
use gutterlight_assets::art::{Effect, Picture};
use gutterlight_rules::{Direction, LightBand, Memory, Sight, Tile, View};

use crate::play::{
    game::{Game, GameSystems, Happened},
    options::Options,
    place,
    scene::{
        afterglow::{Afterglow, is_dying},
        gloom::Gloom,
        sheet::{Pictures, Sheet},
        veil::Veil,
    },
};

/// The color of outlines of items: where it is dark or dim, and in the light. Linear.
pub const TRACE: [f32; 4] = [1.0, 0.85, 0.5, 0.9];
pub const TRACE_IN_LIGHT: [f32; 4] = [1.0, 0.85, 0.5, 0.4];

/// Seconds between animation frames of flames and water.
const BEAT: f32 = 0.25;

/// The three meshes.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Lit,
    Flames,
    Dark,
}

/// The current animation frame.
#[derive(Resource, Default)]
pub struct Frame {
    pub number: u32,
    passed: f32,
    /// Whether extinguished light is still fading.
    fades: bool,
}

pub fn plugin(app: &mut App) {
    let stale = resource_exists_and_changed::<Game>
        .or_else(resource_changed::<Frame>)
        .or_else(resource_changed::<Options>);
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
        (Layer::Dark, place::DARK),
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
    let frame_now = frame.bypass_change_detection();
    frame_now.passed += time.delta_secs();
    if frame_now.passed >= BEAT {
        // Not a subtraction: after a long frame the animation must not run ahead to catch up.
        frame_now.passed %= BEAT;
        frame_now.number += u32::from(options.flicker);
        if options.flicker || frame_now.fades {
            frame.set_changed();
        }
    }
}

fn draw(
    game: Res<Game>,
    mut frame: ResMut<Frame>,
    sheet: Res<Sheet>,
    options: Res<Options>,
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
    let painter = Painter {
        view: game.view(),
        gloom: Gloom::of(sheet.grounds(game.view().theme()), options.brightness),
        glow: &glow,
        sheet: &sheet,
        frame: frame.number,
    };
    let (lit, flames) = painter.light();
    let (mut lit, mut flames) = (Some(lit), Some(flames));
    // The dark does not flicker.
    let fades = &mut frame.bypass_change_detection().fades;
    // Also in the first frame after the glow has ended, to draw the darkness without it.
    let fades = core::mem::replace(fades, glow.glows) || glow.glows;
    // The most expensive mesh: every cell in it may have four parts.
    let stale = game.is_changed() || options.is_changed() || fades;
    let mut dark = stale.then(|| painter.dark());
    for (layer, mesh) in &layers {
        let pictures = match layer {
            Layer::Lit => lit.take(),
            Layer::Flames => flames.take(),
            Layer::Dark => dark.take(),
        };
        if let (Some(pictures), Some(mut mesh)) = (pictures, meshes.get_mut(&mesh.0)) {
            *mesh = pictures.mesh();
        }
    }
}

/// The state of one redraw.
struct Painter<'a> {
    view: View<'a>,
    gloom: Gloom,
    glow: &'a Afterglow,
    sheet: &'a Sheet,
    frame: u32,
}

/// The known tile of a cell.
fn known(view: View<'_>, at: IVec2) -> Option<Tile> {
    view.memory(at).map(|memory| memory.tile)
}

/// Whether a wall is lit only from the side that is not seen. Drawn lit, it would stand in
/// darkness.
fn is_backside(view: View<'_>, at: IVec2) -> bool {
    let is_front = |way: &Direction| {
        let neighbor = at + way.step();
        let open = known(view, neighbor).is_some_and(|tile| !tile.blocks_sight());
        open && view.band(neighbor) > Some(LightBand::Hidden)
    };
    let is_lit = view.band(at) > Some(LightBand::Hidden);
    is_lit
        && known(view, at).is_some_and(Tile::blocks_sight)
        && !Direction::ALL.iter().any(is_front)
}

impl Painter<'_> {
    /// The known cells.
    fn cells(&self) -> impl Iterator<Item = (IVec2, Memory)> {
        let (view, size) = (self.view, self.view.size());
        let cells = (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)));
        cells.filter_map(move |at| view.memory(at).map(|memory| (at, memory)))
    }

    /// The lit sprites, and those that glow.
    fn light(&self) -> (Pictures, Pictures) {
        let (mut lit, mut flames) = (Pictures::default(), Pictures::default());
        for (at, memory) in self.cells() {
            let place = place::of(at.as_vec2(), self.view.size());
            let seen = self.view.sight(at) == Sight::Seen && !is_backside(self.view, at);
            if seen || self.glow.part(at) > 0.0 {
                for picture in self.all_in(at, memory) {
                    lit.add(self.sheet, picture, place, 1.0);
                    if seen && picture.glows() {
                        flames.add(self.sheet, picture, place, 1.0);
                    }
                }
            }
            // After the sprites of the cell, which smoke covers.
            if let Some(smoke) = Some(self.view.smoke(at)).filter(|&smoke| smoke > 0) {
                lit.add(self.sheet, Picture::of_smoke(smoke), place, 1.0);
            }
        }
        (lit, flames)
    }

    /// All sprites of a cell, from the bottom up.
    fn all_in(&self, at: IVec2, memory: Memory) -> impl Iterator<Item = Picture> {
        let frame = self.frame;
        let lamp = memory.fixture.and_then(|(kind, burning)| {
            Picture::of_fixture(kind, burning, at, |at| known(self.view, at), frame)
        });
        let item = memory.item.map(|item| Picture::of_item(item, frame));
        let fire = self.view.fire(at);
        let fire = fire.then(|| Picture::of_effect(Effect::Fire((frame % 3) as u8)));
        let ground = self.ground(at, memory.tile, frame);
        ground.into_iter().chain([lamp, item, fire]).flatten()
    }

    /// The remembered and felt sprites.
    fn dark(&self) -> Pictures {
        let mut dark = Pictures::default();
        let veil = Veil::of(self.view, self.gloom, self.glow, |at| {
            is_backside(self.view, at)
        });
        for (at, memory) in self.cells().filter(|(at, _)| !veil.is_clear(*at)) {
            let share = self.gloom.share(memory.tile);
            for picture in self.remembered_in(at, memory) {
                veil.draw(&mut dark, self.sheet, picture, at, share);
            }
        }
        self.trace_items(&mut dark);
        dark
    }

    /// Outlines visible items, so that dark ones can be found.
    fn trace_items(&self, onto: &mut Pictures) {
        for (at, memory) in self.cells() {
            let seen = self.view.sight(at) == Sight::Seen;
            let item = memory.item.filter(|_| seen);
            let outline = item.and_then(|item| Picture::of_item(item, 0).outline());
            if let Some(outline) = outline {
                let ink = match self.view.band(at) {
                    None | Some(LightBand::Hidden | LightBand::Dim) => TRACE,
                    Some(LightBand::Lit | LightBand::Blazing) => TRACE_IN_LIGHT,
                };
                let place = place::of(at.as_vec2(), self.view.size());
                onto.add_inked(self.sheet, outline, place, ink);
            }
        }
    }

    /// The terrain, and all lamps unlit. Items only where they can be felt, and no figures.
    fn remembered_in(&self, at: IVec2, memory: Memory) -> impl Iterator<Item = Picture> {
        let felt = self.view.band(at) == Some(LightBand::Hidden);
        let lamp = memory.fixture.and_then(|(kind, _)| {
            Picture::of_fixture(kind, false, at, |at| known(self.view, at), 0)
        });
        let item = memory.item.filter(|_| felt);
        let item = item.map(|item| Picture::of_item(item, 0));
        let ground = self.ground(at, memory.tile, 0);
        ground.into_iter().chain([lamp, item]).flatten()
    }

    fn ground(&self, at: IVec2, tile: Tile, frame: u32) -> [Option<Picture>; 2] {
        let (theme, known) = (self.view.theme(), |at| known(self.view, at));
        let base = Picture::of_tile(tile, theme, at, known, frame);
        [Some(base), Picture::of_trim(tile, theme, at, known)]
    }
}
