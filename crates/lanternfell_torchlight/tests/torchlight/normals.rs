//! Sprites with normal maps, as rendered.
//!
//! Needs a Vulkan driver; a software driver is enough.

use std::time::Duration;

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    sprite::Anchor,
};
use lanternfell_torchlight::{
    lightgrid::{HighResLamp, HighResLight},
    prelude::*,
};

use crate::{common::*, drawn::*};

const FINER: u32 = 2;
/// As in `normals.wgsl`.
const AROUND: f32 = 0.25;
const DIRECT: f32 = 0.75;
const SIZE: Vec2 = Vec2::new(200.0, 120.0);

/// A gray sheet over a map of 20 x 12 cells with two lamps.
struct Sheet {
    scene: Scene,
    sheet: Entity,
}

impl Sheet {
    fn new() -> Self {
        let mut light_map = TorchlightMap::new(grid(20, 12)).with_cell_size(10.0);
        light_map.set_cell(IVec2::new(10, 6), Cell::WALL).unwrap();
        let mut scene = Scene::of(light_map);
        let lamp = LightSource::new(Color::WHITE).with_strength(2.0);
        scene.lamp(lamp, 6.3, 5.8);
        scene.lamp(LightSource::new(Color::WHITE), 16.0, 3.0);
        let detail = SoftShadows {
            subdivisions: FINER,
            direct: DIRECT,
            directions: true,
        };
        let map = scene.map;
        let world = scene.app.world_mut();
        world.entity_mut(map).insert(detail);
        let gray = world.resource_mut::<Assets<Image>>().add(pixels(
            &[[150, 150, 150, 255]; 2],
            TextureFormat::Rgba8UnormSrgb,
        ));
        let sprite = Sprite {
            image: gray,
            custom_size: Some(SIZE),
            ..default()
        };
        let sheet = world
            .spawn((sprite, Transform::from_xyz(0.0, 0.0, 1.0)))
            .id();
        Self { scene, sheet }
    }

    fn world(&mut self) -> &mut World {
        self.scene.app.world_mut()
    }

    fn put<B: Bundle>(&mut self, what: B) {
        let sheet = self.sheet;
        self.world().entity_mut(sheet).insert(what);
    }

    fn sprite(&mut self, change: impl FnOnce(&mut Sprite)) {
        let sheet = self.sheet;
        change(&mut self.world().get_mut::<Sprite>(sheet).unwrap());
    }

    /// Sets normals in the space of the image: right, up, toward the viewer.
    fn bend(&mut self, normals: &[Vec3], format: TextureFormat) {
        let codes = |normal: &Vec3| {
            let [x, y, z] = (*normal * 0.5 + 0.5)
                .to_array()
                .map(|part| (part * 255.0).round() as u8);
            [x, y, z, 255]
        };
        let texels: Vec<_> = normals.iter().map(codes).collect();
        let image = pixels(&texels, format);
        let image = self.world().resource_mut::<Assets<Image>>().add(image);
        self.put(NormalMap::new(image).with_depth(1.0));
    }

    fn picture(&mut self) -> Picture {
        for _ in 0..30 {
            self.scene.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.scene.picture()
    }

    /// The directions of the light in the world, computed by the library.
    fn toward(&self) -> Vec<Vec2> {
        let grid = map(&self.scene.app, self.scene.map).grid();
        let mut fine = HighResLight::new(grid, FINER, DIRECT).unwrap();
        fine.copy_light_from(grid, UVec2::ZERO, grid.size());
        let radius = LightSource::default().radius;
        let lamps = grid
            .sources()
            .iter()
            .map(|&source| HighResLamp { source, radius });
        fine.set_lamps(&lamps.collect::<Vec<_>>()).unwrap();
        while fine.work() {}
        let mut all = Vec::new();
        fine.paint_directions(UVec2::ZERO, fine.size(), |toward| {
            all.push(toward * Vec2::new(1.0, -1.0));
        });
        all
    }

    /// Checks that the sheet is lit like a surface with this normal in the world.
    fn check(&mut self, flat: &Picture, normal: Vec3, what: &str) {
        let picture = self.picture();
        let all = self.toward();
        let (mut brighter, mut darker) = (0, 0);
        for y in 0..12 * FINER {
            for x in 0..20 * FINER {
                let place =
                    (Vec2::new(x as f32, y as f32) + 0.5) / FINER as f32 - Vec2::new(10.0, 6.0);
                let at = place * Vec2::new(10.0, -10.0);
                let [before, now] = [flat, &picture].map(|picture| picture.world(at)[1]);
                let linear = |code: u8| Srgba::rgb_u8(code, code, code);
                let before_light = LinearRgba::from(linear(before)).red;
                let toward = all[(y * 20 * FINER + x) as usize];
                let up = (1.0 - toward.length_squared()).max(0.0).sqrt();
                let facing = AROUND + normal.dot(toward.extend(up)).max(0.0);
                let expected = before_light * (facing / (AROUND + up)).min(2.0);
                brighter += usize::from(now > before + 8);
                darker += usize::from(now + 8 < before);
                let expected = Srgba::from(LinearRgba::rgb(expected, 0.0, 0.0)).to_u8_array()[0];
                assert!(
                    now.abs_diff(expected) <= 3,
                    "{what}, at {x}, {y}: {now}, not {expected}; {before} when flat, from {toward}"
                );
            }
        }
        assert!(brighter > 5 && darker > 50, "{what}: {brighter} {darker}");
    }
}

fn pixels(texels: &[[u8; 4]], format: TextureFormat) -> Image {
    let size = Extent3d {
        width: texels.len() as u32,
        height: 1,
        depth_or_array_layers: 1,
    };
    let usages = RenderAssetUsages::default();
    Image::new(size, TextureDimension::D2, texels.concat(), format, usages)
}

const NUMBERS: TextureFormat = TextureFormat::Rgba8Unorm;

#[test]
fn sprite_is_brighter_on_sides_that_face_the_light() {
    let mut sheet = Sheet::new();
    let flat = sheet.picture();
    let bent = Vec3::new(0.6, 0.0, 0.8);
    sheet.bend(&[Vec3::Z; 2], NUMBERS);
    let as_flat = sheet.picture();
    for x in -9..9 {
        let at = Vec2::new(x as f32 * 10.0 + 3.0, 13.0);
        let apart = far_apart(as_flat.world(at), flat.world(at));
        assert!(apart <= 1, "at {at}");
    }
    sheet.bend(&[bent; 2], NUMBERS);
    sheet.check(&flat, bent, "to the east");
    sheet.bend(&[bent; 2], TextureFormat::Rgba8UnormSrgb);
    sheet.check(&flat, bent, "loaded as sRGB");
    sheet.bend(&[Vec3::new(0.0, 0.6, 0.8); 2], NUMBERS);
    sheet.check(&flat, Vec3::new(0.0, 0.6, 0.8), "to the north");
    sheet.bend(&[bent; 2], NUMBERS);
    sheet.sprite(|sprite| sprite.flip_x = true);
    sheet.check(&flat, Vec3::new(-0.6, 0.0, 0.8), "mirrored");
    sheet.sprite(|sprite| {
        sprite.flip_x = false;
        sprite.custom_size = Some(SIZE.yx());
    });
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    sheet.put(Transform::from_xyz(0.0, 0.0, 1.0).with_rotation(quarter));
    sheet.check(&flat, Vec3::new(0.0, 0.6, 0.8), "turned to the left");
    sheet.sprite(|sprite| sprite.custom_size = Some(SIZE));
    sheet.put((Transform::from_xyz(-100.0, 60.0, 1.0), Anchor::TOP_LEFT));
    sheet.check(&flat, bent, "held by its corner");
    // Two normals next to each other. The sprite shows the second.
    sheet.bend(&[Vec3::new(-0.6, 0.0, 0.8), bent], NUMBERS);
    sheet.sprite(|sprite| sprite.rect = Some(Rect::new(1.0, 0.0, 2.0, 1.0)));
    sheet.put(Transform::from_xyz(-100.0, 60.0, 1.0));
    let picture = sheet.picture();
    sheet.sprite(|sprite| sprite.rect = Some(Rect::new(0.0, 0.0, 1.0, 1.0)));
    let other = sheet.picture();
    let west_of_a_lamp = Vec2::new(-70.0, 0.0);
    assert!(other.world(west_of_a_lamp)[0] + 20 < picture.world(west_of_a_lamp)[0]);
}

#[test]
fn removing_normals_or_directions_restores_the_sprite() {
    let mut sheet = Sheet::new();
    let flat = sheet.picture();
    let same = |sheet: &mut Sheet, what: &str| {
        let picture = sheet.picture();
        assert_eq!(picture.difference(&flat), None, "{what}");
    };
    let bend = |sheet: &mut Sheet| {
        sheet.bend(&[Vec3::new(0.6, 0.0, 0.8); 2], NUMBERS);
        assert!(sheet.picture().difference(&flat).is_some());
    };
    bend(&mut sheet);
    let own = sheet.sheet;
    sheet.world().entity_mut(own).remove::<NormalMap>();
    same(&mut sheet, "no normal map");
    for depth in [0.0, f32::NAN] {
        bend(&mut sheet);
        let mut normals = sheet.world().get::<NormalMap>(own).unwrap().clone();
        normals.depth = depth;
        sheet.put(normals);
        let at = Vec2::new(-60.0, 3.0);
        let apart = far_apart(sheet.picture().world(at), flat.world(at));
        assert!(apart <= 1, "{depth}: {apart}");
    }
    bend(&mut sheet);
    let mode = SpriteImageMode::Tiled {
        tile_x: true,
        tile_y: true,
        stretch_value: 1.0,
    };
    sheet.sprite(|sprite| sprite.image_mode = mode);
    same(&mut sheet, "tiled");
    sheet.sprite(|sprite| sprite.image_mode = SpriteImageMode::Auto);
    bend(&mut sheet);
    sheet.put(Visibility::Hidden);
    let bare = sheet.picture();
    sheet.put(Visibility::Inherited);
    bend(&mut sheet);
    let map = sheet.scene.map;
    let mut detail = *sheet.world().get::<SoftShadows>(map).unwrap();
    detail.directions = false;
    sheet.world().entity_mut(map).insert(detail);
    same(&mut sheet, "no directions");
    assert!(!has::<DirectionTexture>(&sheet.scene.app, map));
    detail.directions = true;
    sheet.world().entity_mut(map).insert(detail);
    bend(&mut sheet);
    let sprite = sheet.world().entity_mut(own).take::<Sprite>().unwrap();
    let empty = sheet.picture();
    assert_eq!(empty.difference(&bare), None, "no sprite");
    sheet.put(sprite);
    bend(&mut sheet);
    let copy = sheet.world().entity_mut(own).clone_and_spawn();
    sheet.world().entity_mut(own).despawn();
    assert!(sheet.picture().difference(&flat).is_some(), "a copy");
    sheet.world().entity_mut(copy).despawn();
    assert_eq!(sheet.picture().difference(&bare), None, "despawned");
}

#[test]
fn shading_follows_z() {
    let mut sheet = Sheet::new();
    let bent = Vec3::new(0.6, 0.0, 0.8);
    let flat = sheet.picture();
    sheet.bend(&[bent; 2], NUMBERS);
    let first = sheet.picture();
    assert!(first.difference(&flat).is_some());
    // A second sheet. This one is in front of it, behind it, and in front again.
    let own = sheet.sheet;
    let below = sheet.world().get::<Sprite>(own).unwrap().clone();
    let below = Sprite {
        color: Color::srgb(0.9, 0.4, 0.4),
        ..below
    };
    let below = (below, Transform::from_xyz(0.0, 0.0, 20.0));
    sheet.world().spawn(below);
    let covered = sheet.picture();
    sheet.put(Transform::from_xyz(0.0, 0.0, 40.0));
    assert_eq!(sheet.picture().difference(&first), None, "in front");
    sheet.put(Transform::from_xyz(0.0, 0.0, 3.0));
    assert_eq!(sheet.picture().difference(&covered), None, "behind");
    sheet.put(Transform::from_xyz(0.0, 0.0, 40.0).with_scale(Vec3::new(1.0, 1.0, -1.0)));
    assert_eq!(
        sheet.picture().difference(&first),
        None,
        "mirrored in depth"
    );
}

#[test]
fn reloaded_normal_map_is_used() {
    let mut sheet = Sheet::new();
    let flat = sheet.picture();
    let bent = Vec3::new(0.6, 0.0, 0.8);
    sheet.bend(&[Vec3::Z; 2], NUMBERS);
    sheet.picture();
    let own = sheet.sheet;
    let normals = sheet.world().get::<NormalMap>(own).unwrap().image.clone();
    let codes = |part: f32| ((part * 0.5 + 0.5) * 255.0).round() as u8;
    let texel = [codes(bent.x), codes(bent.y), codes(bent.z), 255];
    let other = pixels(&[texel; 5], NUMBERS);
    let mut images = sheet.world().resource_mut::<Assets<Image>>();
    images.insert(&normals, other).unwrap();
    sheet.check(&flat, bent, "reloaded");
}

#[test]
fn diamonds_have_the_same_light_elevation_as_squares() {
    let mut sheet = Sheet::new();
    let map = sheet.scene.map;
    let layout = LightLayout::Diamonds { height: 0.5 };
    let mut light_map = sheet.world().get_mut::<TorchlightMap>(map).unwrap();
    light_map.layout = layout;
    let flat = sheet.picture();
    // To the right on the screen is along columns and against rows.
    let bent = Vec3::new(0.6, 0.0, 0.8);
    sheet.bend(&[bent; 2], NUMBERS);
    let picture = sheet.picture();
    let all = sheet.toward();
    let mut seen = 0;
    for y in 0..12 * FINER {
        for x in 0..20 * FINER {
            let cell = (Vec2::new(x as f32, y as f32) + 0.5) / FINER as f32 - Vec2::new(10.0, 6.0);
            let at = 5.0 * Vec2::new(cell.x - cell.y, -0.5 * (cell.x + cell.y));
            let [before, now] = [&flat, &picture].map(|picture| picture.world(at)[1]);
            // With y down, as in cells.
            let toward = all[(y * 20 * FINER + x) as usize] * Vec2::new(1.0, -1.0);
            let long = toward.length();
            let way = Vec2::new(toward.x - toward.y, -0.5 * (toward.x + toward.y));
            let up = (1.0 - long * long).max(0.0).sqrt();
            let facing = bent
                .dot((way.normalize_or_zero() * long).extend(up))
                .max(0.0);
            let light = LinearRgba::from(Srgba::rgb_u8(before, before, before)).red;
            let expected = light * ((AROUND + facing) / (AROUND + up)).min(2.0);
            let expected = Srgba::from(LinearRgba::rgb(expected, 0.0, 0.0)).to_u8_array()[0];
            if at.abs().cmplt(SIZE * 0.5 - 3.0).all() {
                seen += 1;
                assert!(now.abs_diff(expected) <= 4, "{x}, {y}: {now} {expected}");
            }
        }
    }
    assert!(seen > 500, "{seen}");
}
