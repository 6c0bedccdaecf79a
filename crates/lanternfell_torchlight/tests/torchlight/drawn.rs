//! The light as rendered by a real renderer.
//!
//! Needs a Vulkan driver; a software driver is enough. The scene is a white sheet of 20 x 12 cells of 10 x 10 pixels,
//! so that the image shows the light itself.

use std::time::Duration;

use bevy::{
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
    render::{
        RenderApp,
        render_resource::{PipelineCache, TextureFormat},
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
};
use lanternfell_headless::HeadlessArgs;
use lanternfell_torchlight::prelude::*;

use crate::common::{grid, lamp, map, map_mut};

const CELLS: IVec2 = IVec2::new(20, 12);
const PIXELS: u32 = 10;

pub struct Scene {
    pub app: App,
    pub map: Entity,
    target: Handle<Image>,
}

#[derive(Resource, Default)]
struct Captured(Option<Image>);

impl Scene {
    fn new() -> Self {
        Self::of(TorchlightMap::new(grid(20, 12)).with_cell_size(PIXELS as f32))
    }

    /// A scene with this map in the center of the sheet.
    pub fn of(light_map: TorchlightMap) -> Self {
        let mut app = App::new();
        let args = HeadlessArgs {
            headless: true,
            frames: u32::MAX,
            ..default()
        };
        app.add_plugins(args.plugins(DefaultPlugins).disable::<LogPlugin>())
            .add_plugins(TorchlightPlugin::in_schedule(Update))
            .init_resource::<Captured>();
        app.finish();
        app.cleanup();
        let size = (CELLS.as_uvec2() + 4) * PIXELS;
        let target = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        let world = app.world_mut();
        world.spawn((
            Camera2d,
            Msaa::Off,
            RenderTarget::Image(target.clone().into()),
        ));
        world.spawn(Sprite::from_color(Color::WHITE, size.as_vec2()));
        let at_once = (LightFlow::SETTLED, LightTiming::InStep);
        let map = world.spawn((light_map, at_once)).id();
        Self { app, map, target }
    }

    pub fn lamp(&mut self, lamp: LightSource, x: f32, y: f32) -> Entity {
        self.app
            .world_mut()
            .spawn((lamp, LightCell(Vec2::new(x, y))))
            .id()
    }

    pub fn display(&mut self, display: LightDisplay) {
        self.app.world_mut().entity_mut(self.map).insert(display);
    }

    /// The image two frames from now, or once all shaders are compiled.
    pub fn picture(&mut self) -> Picture {
        self.app.update();
        self.app.update();
        for _ in 0..600 {
            if self.is_compiled() {
                break;
            }
            self.app.update();
            std::thread::sleep(Duration::from_millis(1));
        }
        self.app
            .world_mut()
            .spawn(Screenshot::image(self.target.clone()))
            .observe(
                |shot: On<ScreenshotCaptured>, mut captured: ResMut<Captured>| {
                    captured.0 = Some(shot.image.clone());
                },
            );
        for _ in 0..600 {
            self.app.update();
            if let Some(image) = self.app.world_mut().resource_mut::<Captured>().0.take() {
                return Picture(image);
            }
        }
        panic!("no screenshot after 600 frames");
    }

    /// Whether all pipelines are compiled. On a busy machine that takes a while.
    fn is_compiled(&self) -> bool {
        let renderer = self.app.sub_app(RenderApp).world();
        let mut waiting = renderer.resource::<PipelineCache>().waiting_pipelines();
        waiting.next().is_none()
    }

    /// The light of a cell as displayed on white.
    pub fn shown(&self, cell: IVec2) -> [u8; 3] {
        on_screen(map(&self.app, self.map).grid().light(cell))
    }
}

/// Light as displayed on white.
pub fn on_screen(light: Vec3) -> [u8; 3] {
    let [red, green, blue] = light.to_array();
    let color = Srgba::from(LinearRgba::rgb(red, green, blue)).to_u8_array();
    [color[0], color[1], color[2]]
}

pub struct Picture(Image);

impl Picture {
    /// The color at a world position.
    pub fn world(&self, place: Vec2) -> [u8; 3] {
        let middle = self.0.size().as_vec2() / 2.0;
        let color = self.pixel((middle + place * Vec2::new(1.0, -1.0)).as_uvec2());
        [color[0], color[1], color[2]]
    }

    /// The color at a position in cells.
    fn at(&self, x: f32, y: f32) -> [u8; 3] {
        let pixel = ((Vec2::new(x, y) + 2.5) * PIXELS as f32).as_uvec2();
        let color = self.pixel(pixel);
        [color[0], color[1], color[2]]
    }

    fn pixel(&self, at: UVec2) -> &[u8] {
        self.0.pixel_bytes(at.extend(0)).unwrap()
    }

    fn pixels(&self) -> impl Iterator<Item = [u8; 3]> {
        let UVec2 { x, y } = self.0.size();
        (0..y)
            .flat_map(move |row| (0..x).map(move |column| UVec2::new(column, row)))
            .map(|at| {
                let color = self.pixel(at);
                [color[0], color[1], color[2]]
            })
    }

    fn cell(&self, cell: IVec2) -> [u8; 3] {
        self.at(cell.x as f32, cell.y as f32)
    }

    /// A text that shows where another image differs: one character for each square of 10 x 10 pixels, `.` where they
    /// are equal.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let size = self.0.size();
        let differs = |at: UVec2| self.pixel(at) != other.pixel(at);
        let square = |first: UVec2| {
            let inside = |n: u32| first + UVec2::new(n % PIXELS, n / PIXELS);
            (0..PIXELS * PIXELS).map(inside).any(differs)
        };
        let row = |y: u32| {
            let squares = (0..size.x / PIXELS).map(|x| square(UVec2::new(x, y) * PIXELS));
            squares
                .map(|differs| if differs { '#' } else { '.' })
                .collect()
        };
        let rows: Vec<String> = (0..size.y / PIXELS).map(row).collect();
        let text = rows.join("\n");
        text.contains('#').then_some(text)
    }

    /// The largest difference between neighboring pixels along a row, in red.
    fn jump(&self, y: f32, from: f32, to: f32) -> u8 {
        let place = |step: u32| from + step as f32 / PIXELS as f32;
        let steps = ((to - from) * PIXELS as f32) as u32;
        let jumps = (0..steps)
            .map(|step| self.at(place(step), y)[0].abs_diff(self.at(place(step + 1), y)[0]));
        jumps.max().unwrap_or(0)
    }
}

fn all_cells() -> impl Iterator<Item = IVec2> {
    (0..CELLS.y).flat_map(|y| (0..CELLS.x).map(move |x| IVec2::new(x, y)))
}

pub fn far_apart(a: [u8; 3], b: [u8; 3]) -> u8 {
    let apart = a.into_iter().zip(b).map(|(a, b)| a.abs_diff(b));
    apart.max().unwrap_or(0)
}

pub const CELLWISE: LightDisplay = LightDisplay {
    shown: true,
    style: LightStyle::Cells,
    gamma: 1.0,
    exposure: 1.0,
    floor: Color::BLACK,
    beyond: None,
    edge: 4.0,
    z: 100.0,
    heat: false,
};

#[test]
fn cells_match_the_grid() {
    let mut scene = Scene::new();
    scene.display(CELLWISE);
    scene.lamp(LightSource::new(Color::srgb(1.0, 0.7, 0.4)), 4.0, 4.0);
    let moving = scene.lamp(LightSource::new(Color::srgb(0.2, 0.4, 0.9)), 12.0, 8.0);
    let wall = |cell: IVec2| cell.x == 8 && cell.y < 9;
    map_mut(&mut scene.app, scene.map)
        .fill(|cell| if wall(cell) { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    map_mut(&mut scene.app, scene.map).set_tile_size(4);
    for step in 0..4 {
        let at = Vec2::new(12.0 + 1.3 * step as f32, 8.0 - 1.7 * step as f32);
        scene
            .app
            .world_mut()
            .entity_mut(moving)
            .insert(LightCell(at));
        let picture = scene.picture();
        for cell in all_cells() {
            let (drawn, expected) = (picture.cell(cell), scene.shown(cell));
            // One code of the texture is up to three codes of the screen where light is near 1.
            assert!(
                far_apart(drawn, expected) <= 3,
                "step {step}, {cell}: {drawn:?} {expected:?}"
            );
        }
    }
}

/// Light is sent to the GPU in patches, in the order of changes. A clone is sent as a whole.
#[test]
fn patches_match_a_full_upload() {
    let mut scene = Scene::new();
    scene.display(CELLWISE);
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .insert(LightFlow::default());
    map_mut(&mut scene.app, scene.map).set_tile_size(4);
    let moving = scene.lamp(LightSource::default(), 2.0, 2.0);
    for step in 0..40 {
        let at = Vec2::new(2.0 + 0.4 * step as f32, 2.0 + 0.2 * step as f32);
        scene
            .app
            .world_mut()
            .entity_mut(moving)
            .insert(LightCell(at));
        let cell = IVec2::new((step * 7) % 20, (step * 5) % 12);
        let kind = [Cell::WALL, Cell::OPEN][usize::from(step % 3 == 0)];
        map_mut(&mut scene.app, scene.map)
            .set_cell(cell, kind)
            .unwrap();
        if step == 20 {
            map_mut(&mut scene.app, scene.map).set_tile_size(7);
        }
        scene.app.update();
    }
    scene
        .app
        .world_mut()
        .resource_mut::<Time<Virtual>>()
        .pause();
    scene.display(LightDisplay::default());
    let in_patches = scene.picture();
    let clone = map(&scene.app, scene.map).clone();
    *map_mut(&mut scene.app, scene.map) = clone;
    let whole = scene.picture();
    let difference = in_patches.difference(&whole);
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    map_mut(&mut scene.app, scene.map).darken();
    assert!(scene.picture().difference(&whole).is_some());
}

#[test]
fn draws_nothing_outside_of_the_map_or_above_it() {
    let mut scene = Scene::new();
    let sign = Sprite::from_color(Color::srgb(1.0, 0.0, 0.0), Vec2::splat(20.0));
    scene
        .app
        .world_mut()
        .spawn((sign, Transform::from_xyz(0.0, 0.0, 200.0)));
    let picture = scene.picture();
    assert_eq!(picture.at(-1.0, 5.0), [255; 3]);
    assert_eq!(picture.at(3.0, 12.0), [255; 3]);
    assert_eq!(picture.at(9.5, 5.5), [255, 0, 0]);
    assert_eq!(picture.at(3.0, 3.0), [0; 3]);
}

/// If a sheet ends with the map within a pixel, no part of that pixel stays unlit.
#[test]
fn edge_pixels_are_dark() {
    // With small cells, half a pixel is a large part of a cell.
    let fine = grid(4 * CELLS.x as u32, 4 * CELLS.y as u32);
    let fine = TorchlightMap::new(fine).with_cell_size(PIXELS as f32 / 4.0);
    let mut scene = Scene::of(fine);
    let world = scene.app.world_mut();
    world.insert_resource(ClearColor(Color::BLACK));
    let mut cameras = world.query_filtered::<Entity, With<Camera2d>>();
    let camera = cameras.single(world).unwrap();
    world.entity_mut(camera).insert(Msaa::Sample4);
    let mut sheets = world.query_filtered::<Entity, With<Sprite>>();
    let sheet = sheets.single(world).unwrap();
    let size = (CELLS.as_uvec2() * PIXELS).as_vec2();
    world
        .entity_mut(sheet)
        .insert(Sprite::from_color(Color::WHITE, size));
    for eighth in 0..8_u8 {
        let aside = Vec2::new(1.0, -1.0) * f32::from(eighth) / 8.0;
        for entity in [sheet, scene.map] {
            let place = Transform::from_translation(aside.extend(0.0));
            scene.app.world_mut().entity_mut(entity).insert(place);
        }
        let picture = scene.picture();
        let lit = picture.pixels().filter(|pixel| *pixel != [0; 3]).count();
        assert_eq!(lit, 0, "shifted by {eighth} eighths of a pixel");
    }
}

#[test]
fn light_decreases_with_distance() {
    let mut scene = Scene::new();
    scene.lamp(lamp(), 3.0, 6.0);
    let picture = scene.picture();
    let along = [3.0, 5.0, 8.0, 12.0, 18.0].map(|x| picture.at(x, 6.0)[0]);
    assert!(along.is_sorted_by(|near, far| near > far), "{along:?}");
    assert!(along[0] > 200 && along[4] < 50, "{along:?}");
}

#[test]
fn styles_differ_between_cells() {
    let mut scene = Scene::new();
    scene.lamp(lamp(), 3.0, 6.0);
    let style = |style| LightDisplay { style, ..default() };
    scene.display(style(LightStyle::Smooth));
    let smooth = scene.picture();
    scene.display(style(LightStyle::Cells));
    let cells = scene.picture();
    scene.display(style(LightStyle::Banded(4)));
    let banded = scene.picture();
    assert!(
        smooth.jump(6.0, 4.0, 18.0) <= 6,
        "{}",
        smooth.jump(6.0, 4.0, 18.0)
    );
    assert!(cells.jump(6.0, 4.0, 18.0) > 12);
    // Constant across one cell.
    assert_eq!(cells.jump(6.0, 5.6, 6.3), 0);
    let mut tones: Vec<u8> = (0..200)
        .map(|step| banded.at(step as f32 * 0.1 - 0.5, 6.0)[0])
        .collect();
    tones.dedup();
    assert!((3..=5).contains(&tones.len()), "{tones:?}");
}

#[test]
fn no_light_leaks_through_a_wall() {
    let mut scene = Scene::new();
    scene.lamp(lamp(), 4.0, 6.0);
    map_mut(&mut scene.app, scene.map)
        .fill(|cell| if cell.x == 6 { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    let picture = scene.picture();
    let across = [5.0, 6.0, 6.6, 7.0].map(|x| picture.at(x, 6.0)[0]);
    assert!(across[0] > 80 && across[1] > 80, "{across:?}");
    assert_eq!(across[2..], [0, 0], "{across:?}");
    // Open a door in it.
    map_mut(&mut scene.app, scene.map)
        .set_cell(IVec2::new(6, 6), Cell::OPEN)
        .unwrap();
    assert!(scene.picture().at(7.0, 6.0)[0] > 60);
}

#[test]
fn applies_light_display() {
    let mut scene = Scene::new();
    scene.lamp(lamp(), 3.0, 6.0);
    let plain = scene.picture();
    let dim = |picture: &Picture| picture.at(9.0, 6.0)[0];
    scene.display(LightDisplay {
        exposure: 3.0,
        ..default()
    });
    assert!(dim(&scene.picture()) > dim(&plain) + 20);
    scene.display(LightDisplay {
        gamma: 2.0,
        ..default()
    });
    assert!(dim(&scene.picture()) > dim(&plain) + 20);
    scene.display(LightDisplay {
        floor: Color::srgb_u8(10, 20, 90),
        ..default()
    });
    assert_eq!(scene.picture().at(19.0, 0.0)[2], 90);
    scene.display(LightDisplay {
        heat: true,
        ..default()
    });
    let heat = scene.picture().at(5.0, 6.0);
    assert!(far_apart(heat, [heat[0]; 3]) > 60, "{heat:?}");
    scene.display(LightDisplay {
        shown: false,
        ..default()
    });
    assert_eq!(scene.picture().at(19.0, 0.0), [255; 3]);
}

#[test]
fn quads_follow_the_map() {
    let mut scene = Scene::new();
    let dark = |scene: &mut Scene| scene.picture().at(10.0, 6.0) == [0; 3];
    assert!(dark(&mut scene));
    // In the plane `Xz` it is not drawn.
    map_mut(&mut scene.app, scene.map).plane = LightPlane::Xz;
    assert!(!dark(&mut scene));
    map_mut(&mut scene.app, scene.map).plane = LightPlane::Xy;
    assert!(dark(&mut scene));
    // Another map, half as large.
    let half = TorchlightMap::new(grid(10, 6)).with_cell_size(PIXELS as f32);
    scene.app.world_mut().entity_mut(scene.map).insert(half);
    let picture = scene.picture();
    assert_eq!(
        [picture.at(1.0, 1.0), picture.at(10.0, 6.0)],
        [[255; 3], [0; 3]]
    );
    // The quad may be despawned with the map's other children.
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .despawn_children();
    assert!(dark(&mut scene));
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .remove::<TorchlightMap>();
    assert!(!dark(&mut scene));
    assert!(scene.app.world().get::<Children>(scene.map).is_none());
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .insert(TorchlightMap::new(grid(3, 3)));
    assert!(!dark(&mut scene), "cells are one pixel wide");
    map_mut(&mut scene.app, scene.map).cell_size = 20.0;
    assert!(dark(&mut scene));
    scene.app.world_mut().entity_mut(scene.map).despawn();
    assert!(!dark(&mut scene));
}

#[test]
fn draws_debug_overlay() {
    let mut scene = Scene::new();
    let entity = scene.map;
    let bright = |picture: &Picture| {
        let places = (0..2000).map(|n| (n % 200, n / 200));
        places
            .filter(|&(x, y)| picture.at(0.1 * x as f32 - 0.5, 0.1 * y as f32 - 0.5)[0] > 100)
            .count()
    };
    assert_eq!(bright(&scene.picture()), 0);
    scene.app.world_mut().entity_mut(entity).insert(LightDebug {
        values: true,
        tiles: false,
    });
    assert_eq!(bright(&scene.picture()), 0, "digits in dark cells");
    // Each cell of 10 x 10 pixels shows about 12 pixels of a zero and 11 of a two.
    map_mut(&mut scene.app, entity)
        .set_ambient(0, Vec3::splat(0.02))
        .unwrap();
    let written = bright(&scene.picture());
    assert!((200..1000).contains(&written), "{written}");
    scene
        .app
        .world_mut()
        .entity_mut(entity)
        .remove::<LightDebug>();
    assert_eq!(bright(&scene.picture()), 0);
}

#[test]
fn draws_all_tiles_of_background_light() {
    let mut scene = Scene::new();
    scene.app.insert_resource(LightBudget(Duration::ZERO));
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .insert(LightTiming::WithinBudget);
    // One tile is drawn per frame, and there are fifteen.
    map_mut(&mut scene.app, scene.map).set_tile_size(4);
    scene.lamp(lamp(), 3.0, 3.0);
    for turn in 0.. {
        let picture = scene.picture();
        let places = [IVec2::new(1, 1), IVec2::new(6, 4), IVec2::new(13, 9)];
        let is_drawn = |at: &IVec2| {
            let drawn = picture.at(at.x as f32, at.y as f32);
            let shown = scene.shown(*at);
            shown
                .iter()
                .zip(drawn)
                .all(|(&shown, drawn)| shown.abs_diff(drawn) <= 3)
        };
        if scene.shown(places[1])[0] > 20 && places.iter().all(is_drawn) {
            break;
        }
        assert!(turn < 60, "not all tiles are drawn");
    }
}
