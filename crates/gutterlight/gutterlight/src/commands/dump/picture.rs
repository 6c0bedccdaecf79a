//! A floor as a picture: drawn as the game draws it, all of it at once, in the light that is on
//! it before any thief comes.
//!
//! ```text
//!    picture of the atlas x the brighter of  light
//!                                            moonlight, as of what the game remembers
//! ```
//!
//! So where it is dark the floor can still be made out. Whoever stands in the dark has an outline.

use glam::{IVec2, Vec3, Vec4, Vec4Swizzles};
use gutterlight_assets::art::{Atlas, CELL, Palette, Picture};
use gutterlight_rules::{Duty, Guard, GuardId, Lantern, SeenGuard, Survey};

/// How bright full light is before tone mapping.
const EXPOSURE: f32 = 2.5;

/// What the keep is made of is never darker than this, nor what is in it; and how bright outlines are.
const GROUND: Vec3 = Vec3::new(0.19, 0.23, 0.33);
const THINGS: Vec3 = Vec3::new(0.45, 0.5, 0.6);
const LINES: f32 = 0.75;

/// The moment of every flame.
const FRAME: u32 = 0;

/// The picture as a PNG file.
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
    /// Row by row, as a screen shows them, from 0 to 1.
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

    /// What fills a cell, and everything in it.
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

    /// A picture in this light, and its outline where that is brighter.
    fn draw(&mut self, picture: Picture, at: IVec2, light: Vec3) {
        let light = if picture.glows() { Vec3::ONE } else { light };
        let corner = at * CELL as i32 + picture.shift();
        self.lay(picture, corner, |below, ink| {
            below.lerp(ink.xyz() * light, ink.w)
        });
        if let Some(outline) = picture.outline() {
            self.lay(outline, corner, |below, ink| {
                below.max(ink.xyz() * (ink.w * LINES))
            });
        }
    }

    /// Mixes each pixel of a picture with what is below it.
    fn lay(&mut self, picture: Picture, corner: IVec2, mix: impl Fn(Vec3, Vec4) -> Vec3) {
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
        // Memory takes whatever is written, and the bytes are as many as were announced.
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&bytes)?;
            writer.finish()
        });
        debug_assert!(written.is_ok(), "{written:?}");
        file
    }
}

/// Linear light as a screen shows it, from 0 to 1: the product of two codes is about the code of
/// the product. The square root is near enough to a screen's curve.
fn on_screen(light: Vec3) -> Vec3 {
    let exposed = light * EXPOSURE;
    let mapped = exposed / (Vec3::ONE + exposed);
    mapped.map(f32::sqrt)
}

/// A guard as whoever stands before it sees it.
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
