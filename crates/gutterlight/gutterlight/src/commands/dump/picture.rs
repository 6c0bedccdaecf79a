//! Draws a whole floor with the game's art, lit by the light that is there before the thief arrives.
//!
//! ```text
//!    color of the atlas x max(light, a constant moonlight)
//! ```
//!
//! The moonlight, which the game uses for remembered terrain, keeps dark parts of the floor visible. Guards and things
//! also get an outline.

use glam::{IVec2, Vec3, Vec4, Vec4Swizzles};
use gutterlight_assets::art::{Atlas, CELL, Palette, Picture};
use gutterlight_rules::{Duty, Guard, GuardId, Lantern, SeenGuard, Survey};

/// Exposure before tone mapping.
const EXPOSURE: f32 = 2.5;

/// The minimum light on terrain and on everything else, and the brightness of outlines.
const GROUND: Vec3 = Vec3::new(0.19, 0.23, 0.33);
const THINGS: Vec3 = Vec3::new(0.45, 0.5, 0.6);
const LINES: f32 = 0.75;

/// The animation frame of all flames.
const FRAME: u32 = 0;

/// Returns the image as a PNG file.
pub(super) fn png(survey: &Survey) -> Vec<u8> {
    let mut painter = Painter::new(survey);
    for at in survey.floor.tiles.cells() {
        painter.draw_cell(at);
    }
    painter.encode()
}

struct Painter<'a> {
    survey: &'a Survey,
    atlas: Atlas,
    width: usize,
    height: usize,
    /// Row by row from the top, with values from 0 to 1.
    pixels: Vec<Vec3>,
}

impl<'a> Painter<'a> {
    fn new(survey: &'a Survey) -> Self {
        let (tiles, side) = (&survey.floor.tiles, CELL as usize);
        let (width, height) = (
            tiles.width() as usize * side,
            tiles.height() as usize * side,
        );
        Self {
            survey,
            atlas: Atlas::draw(Palette::default()),
            width,
            height,
            pixels: vec![Vec3::ZERO; width * height],
        }
    }

    /// Draws the terrain of a cell and everything in it.
    fn draw_cell(&mut self, at: IVec2) {
        let survey = self.survey;
        let floor = &survey.floor;
        let known = |at| floor.tiles.get(at).copied();
        let (tile, theme) = (floor.tile(at), floor.theme);
        let light = on_screen(survey.colors.light(at));
        let ground = Picture::of_tile(tile, theme, at, known, FRAME);
        let trim = Picture::of_trim(tile, theme, at, known);
        for picture in [Some(ground), trim].into_iter().flatten() {
            self.draw(picture, at, light.max(GROUND));
        }
        let lamp = floor
            .fixture_at(at)
            .and_then(|lamp| Picture::of_fixture(lamp.kind, lamp.burning, at, known, FRAME));
        let item = floor.item_at(at).map(|item| Picture::of_item(item, FRAME));
        let guard = floor.guard_at(at).map(|id| {
            let guard = &floor.guards[usize::from(id)];
            Picture::of_guard(&as_seen(id, guard), FRAME)
        });
        for picture in [lamp, item, guard].into_iter().flatten() {
            self.draw(picture, at, light.max(THINGS));
        }
    }

    /// Draws a sprite in this light, and its outline where that is brighter.
    fn draw(&mut self, picture: Picture, at: IVec2, light: Vec3) {
        let light = if picture.glows() { Vec3::ONE } else { light };
        let corner = at * CELL as i32 + picture.shift();
        self.blend(picture, corner, |below, ink| {
            below.lerp(ink.xyz() * light, ink.w)
        });
        if let Some(outline) = picture.outline() {
            self.blend(outline, corner, |below, ink| {
                below.max(ink.xyz() * (ink.w * LINES))
            });
        }
    }

    /// Blends each pixel of a sprite with the pixel below it.
    fn blend(&mut self, picture: Picture, corner: IVec2, mix: impl Fn(Vec3, Vec4) -> Vec3) {
        let side = CELL as i32;
        let places = (0..side).flat_map(|y| (0..side).map(move |x| corner + IVec2::new(x, y)));
        for (at, ink) in places.zip(self.atlas.pixels_of(picture)) {
            let inside = at.cmpge(IVec2::ZERO).all() && (at.y as usize) < self.height;
            if inside && (at.x as usize) < self.width {
                let pixel = &mut self.pixels[at.y as usize * self.width + at.x as usize];
                let ink = Vec4::from_array(ink.map(|part| f32::from(part) / 255.0));
                *pixel = mix(*pixel, ink);
            }
        }
    }

    fn encode(&self) -> Vec<u8> {
        let byte = |part: f32| (part * 255.0 + 0.5) as u8;
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|pixel| pixel.to_array().map(byte))
            .collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Writing to memory does not fail, and the number of bytes matches the announced size.
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&bytes)?;
            writer.finish()
        });
        debug_assert!(written.is_ok(), "{written:?}");
        file
    }
}

/// Tone-maps linear light and encodes it, from 0 to 1. The square root approximates a display's transfer curve. The
/// product of two encoded values is about the encoded product.
fn on_screen(light: Vec3) -> Vec3 {
    let exposed = light * EXPOSURE;
    let mapped = exposed / (Vec3::ONE + exposed);
    mapped.map(f32::sqrt)
}

/// A guard as seen by someone right in front of it.
fn as_seen(id: GuardId, guard: &Guard) -> SeenGuard {
    SeenGuard {
        id,
        kind: guard.kind,
        at: guard.at,
        facing: guard.facing,
        health: guard.health,
        alert_state: guard.alert_state,
        asleep: guard.is_asleep(),
        hunts: guard.duty == Duty::Hunt,
        awareness: 0,
        lantern: guard.lantern == Lantern::Lit && !guard.is_asleep(),
        sees_you: false,
    }
}
