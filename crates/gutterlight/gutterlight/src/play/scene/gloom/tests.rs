//! Tests of contrasts, computed from the colors of the sprites as WCAG 2.2 defines them.

use gutterlight_assets::art::{Palette, THEMES};
use gutterlight_rules::{Bot, Difficulty, Item, Sight, Stack, Tool, View, World};

use super::*;
use crate::play::scene::ground::{TRACE, TRACE_IN_LIGHT};

/// The contrast that remembered ground must have to black: at normal and at the highest brightness.
const LEAST: [(i8, f32); 2] = [(0, 1.5), (STEPS, 2.5)];

/// The number of pixels of an item that must stand out.
const PIXELS: usize = 6;

/// The contrast of two linear colors.
fn contrast(a: Vec3, b: Vec3) -> f32 {
    let [a, b] = [a, b].map(|color| luminance(color.min(Vec3::ONE)) + GLARE);
    a.max(b) / a.min(b)
}

fn linear([red, green, blue, _]: [u8; 4]) -> Vec3 {
    LinearRgba::from(Srgba::rgb_u8(red, green, blue)).to_vec3()
}

/// Reported: remembered ground had a contrast of 1.14:1 in the Cellars at any brightness.
#[test]
fn remembered_ground_has_contrast_in_every_theme() {
    for palette in [Palette::Plain, Palette::Colorblind] {
        let atlas = Atlas::draw(palette);
        for theme in THEMES {
            let grounds = Grounds::of(&atlas, theme);
            for ground in Ground::ALL {
                for (brightness, least) in LEAST {
                    let gloom = Gloom::of(grounds, brightness);
                    let tint = gloom.remembered * gloom.share(Tile::Ground(ground));
                    let found = contrast(grounds.color(ground) * tint, Vec3::ZERO);
                    let place = format!("{theme:?}, {ground:?}, {palette:?}");
                    assert!(found >= least, "{place} at {brightness}: {found}");
                }
            }
        }
    }
}

#[test]
fn contrast_grows_with_brightness_and_knowledge() {
    let ground = Vec3::new(0.1, 0.09, 0.08);
    let mut last = 1.0;
    for brightness in -STEPS..=STEPS {
        let gloom = Gloom::of(Grounds::even(ground), brightness);
        let [remembered, lit, felt] = [gloom.remembered, gloom.least_light, gloom.felt]
            .map(|tint| contrast(ground * tint, Vec3::ZERO));
        let grows = last < remembered && remembered < lit && lit < felt;
        assert!(grows, "{brightness}");
        last = remembered;
    }
}

/// The walls of the Sanctum were almost four times as bright as its ground.
#[test]
fn remembered_walls_are_brighter_than_the_ground_but_not_by_much() {
    let atlas = Atlas::draw(Palette::Plain);
    for theme in THEMES {
        let grounds = Grounds::of(&atlas, theme);
        let gloom = Gloom::of(grounds, 0);
        let wall = luminance(grounds.wall * gloom.remembered * gloom.share(Tile::Wall));
        let ground = luminance(grounds.color(Ground::Stone) * gloom.remembered);
        let ratio = wall / ground;
        assert!((1.1..2.3).contains(&ratio), "{theme:?}: {ratio}");
    }
}

/// Remembered ground must not look lit.
#[test]
fn remembered_ground_is_much_darker_than_lit_ground() {
    let atlas = Atlas::draw(Palette::Plain);
    for theme in THEMES {
        let grounds = Grounds::of(&atlas, theme);
        let gloom = Gloom::of(grounds, 0);
        for ground in Ground::ALL {
            let color = grounds.color(ground);
            let remembered = color * gloom.remembered * gloom.share(Tile::Ground(ground));
            let ratio = luminance(color) / luminance(remembered);
            assert!(ratio > 1.5, "{theme:?} {ground:?}: {ratio}");
        }
    }
}

/// The ground in a view that is remembered and not seen, with the mean colors of its sprites.
fn remembered(atlas: &Atlas, view: View<'_>) -> Vec<(IVec2, Tile, Vec3)> {
    let known = |at: IVec2| view.memory(at).map(|memory| memory.tile);
    let (size, theme) = (view.size(), view.theme());
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    let unseen = cells.filter(|at| view.sight(*at) == Sight::Remembered);
    let colors = unseen.filter_map(|at| {
        let tile = known(at).filter(|tile| matches!(tile, Tile::Ground(_)))?;
        let picture = Picture::of_tile(tile, theme, at, known, 0);
        Some((at, tile, mean_color(atlas, picture)))
    });
    colors.collect()
}

/// Checks the contrast of all remembered ground in a view. Returns the number of cells.
fn assert_visible(atlas: &Atlas, view: View<'_>, place: &str) -> usize {
    let grounds = Grounds::of(atlas, view.theme());
    let cells = remembered(atlas, view);
    for (brightness, least) in LEAST {
        let gloom = Gloom::of(grounds, brightness);
        for &(at, tile, color) in &cells {
            let found = contrast(color * gloom.remembered * gloom.share(tile), Vec3::ZERO);
            assert!(found >= least, "{place}, {at} at {brightness}: {found}");
        }
    }
    cells.len()
}

/// Reported: of fifty positions of bots, many had ground that could hardly be seen.
#[test]
fn remembered_ground_is_visible_in_fifty_positions_of_bots() {
    let atlas = Atlas::draw(Palette::Plain);
    let (mut positions, mut cells, mut themes) = (0, 0, Vec::new());
    for seed in 0..12 {
        let mut world = World::new(seed, Difficulty::Apprentice);
        let mut mind = Bot::Careful.mind(seed);
        let mut events = Vec::new();
        for turn in 1..=900 {
            if world.view().ending().is_some() {
                break;
            }
            let action = mind.choose(world.view(), &events);
            events = world.act(action).expect("minds choose what is possible");
            let view = world.view();
            if turn % 120 == 0 {
                let place = format!("seed {seed}, turn {turn}, {:?}", view.theme());
                cells += assert_visible(&atlas, view, &place);
                positions += 1;
                if !themes.contains(&view.theme()) {
                    themes.push(view.theme());
                }
            }
        }
    }
    assert!(positions >= 50, "{positions}");
    assert!(cells > 3000, "{cells}");
    assert!(
        themes.len() >= 3 && themes.contains(&Theme::Cellars),
        "{themes:?}"
    );
}

/// Returns the pixels of a tool on this ground, in this light and with an outline of this color.
fn drawn(atlas: &Atlas, tool: Tool, light: Vec3, ground: Vec3, trace: [f32; 4]) -> Vec<Vec3> {
    let item = Picture::of_item(Item::Tool(Stack { tool, count: 1 }), 0);
    let outline = item.outline().expect("items have an outline");
    let [red, green, blue, opacity] = trace;
    let pixels = atlas.pixels_of(item).iter().zip(atlas.pixels_of(outline));
    let drawn = pixels.filter(|(pixel, line)| pixel[3] > 128 || line[3] > 128);
    let colors = drawn.map(|(pixel, line)| {
        let below = ground.lerp(linear(*pixel) * light, f32::from(pixel[3]) / 255.0);
        let ink = linear(*line) * Vec3::new(red, green, blue);
        below.lerp(ink, opacity * f32::from(line[3]) / 255.0)
    });
    colors.collect()
}

/// Returns the contrast that at least `PIXELS` pixels reach.
fn standing_out(colors: Vec<Vec3>, ground: Vec3) -> f32 {
    let mut found: Vec<f32> = colors
        .iter()
        .map(|color| contrast(*color, ground))
        .collect();
    found.sort_by(|a, b| b.total_cmp(a));
    found.get(PIXELS - 1).copied().unwrap_or(0.0)
}

/// Reported: small dark items were hard to find.
#[test]
fn every_tool_stands_out_from_the_ground() {
    let atlas = Atlas::draw(Palette::Plain);
    let torchlight = Vec3::new(1.1, 0.72, 0.34);
    for theme in THEMES {
        let grounds = Grounds::of(&atlas, theme);
        let gloom = Gloom::of(grounds, 0);
        for ground in Ground::ALL {
            let plain = grounds.color(ground);
            let felt = gloom.felt * gloom.share(Tile::Ground(ground));
            let lights = [
                ("in the dark", felt, TRACE, 2.5),
                ("in dim light", torchlight * 0.2, TRACE, 3.0),
                ("in the light", torchlight * 0.5, TRACE_IN_LIGHT, 1.8),
            ];
            for (place, light, trace, least) in lights {
                for tool in Tool::ALL {
                    let ground_color = plain * light;
                    let colors = drawn(&atlas, tool, light, ground_color, trace);
                    let found = standing_out(colors, ground_color);
                    assert!(
                        found >= least,
                        "{tool:?} {place}, {theme:?} {ground:?}: {found}"
                    );
                }
            }
        }
    }
}
