//! Tests of all sprites.

use std::collections::{BTreeMap, HashMap, HashSet};

use gutterlight_rules::{
    Difficulty, Direction, Door, FLOORS, FixtureKind, GuardKind, IVec2, Item, LightBand, Perk,
    Plane, Rules, Survey, Theme, Tile, Tool, World,
};
use lanternfell_random::Fnv1a;

use crate::golden;

use super::{
    Atlas, BYTES, CELL, Palette, Picture, alert_state,
    canvas::{Canvas, SIDE},
    colorblind::{BLUISH, PURPLE, VERMILLION},
    figure::Facing,
    guard, palette,
    picture::Subject,
    thief::{self, Held},
};

/// The minimum number of pixels in which the silhouettes of two figures must differ.
const APART: usize = 40;

/// The same for icons, which are smaller.
const SIGNS_APART: usize = 24;

const PALETTES: [Palette; 2] = [Palette::Plain, Palette::Colorblind];

fn silhouette(canvas: &Canvas) -> Vec<bool> {
    let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    places.map(|(x, y)| canvas.is_drawn(x, y)).collect()
}

fn apart(a: &Canvas, b: &Canvas) -> usize {
    let (a, b) = (silhouette(a), silhouette(b));
    a.iter().zip(&b).filter(|(a, b)| a != b).count()
}

#[test]
fn no_sprite_is_empty() {
    for picture in Picture::all() {
        let canvas = picture.draw(Palette::Plain);
        assert!(silhouette(&canvas).contains(&true), "{picture:?}");
    }
}

#[test]
fn sprites_are_unique() {
    // The corners of walls and of rock have the same outline.
    let is_wall = |picture: &Picture| matches!(picture, Picture::Outline(Subject::Wall(_)));
    for palette in PALETTES {
        let mut seen = HashMap::new();
        for picture in Picture::all().filter(|picture| !is_wall(picture)) {
            let pixels = picture.draw(palette).bytes().to_vec();
            if let Some(other) = seen.insert(pixels, picture) {
                panic!("{other:?} looks like {picture:?}");
            }
        }
    }
}

#[test]
fn sprites_only_use_palette_colors() {
    let inks: HashSet<_> = palette::LETTERS.iter().map(|(_, ink)| *ink).collect();
    assert_eq!(
        inks.len(),
        palette::LETTERS.len(),
        "two letters with the same color"
    );
    let safe = VERMILLION.iter().chain(&BLUISH).chain(&PURPLE);
    let safe: HashSet<_> = safe.chain(&inks).copied().collect();
    for (palette, inks) in PALETTES.into_iter().zip([inks, safe]) {
        for picture in Picture::all() {
            for pixel in picture.draw(palette).bytes().chunks_exact(4) {
                let known = inks.contains(&[pixel[0], pixel[1], pixel[2]]);
                assert!(pixel[3] == 0 || known, "{picture:?}: {pixel:?}");
            }
        }
    }
}

#[test]
fn colorblind_palette_keeps_shapes_and_terrain() {
    let mut changed = 0;
    for picture in Picture::all() {
        let [plain, safe] = PALETTES.map(|palette| picture.draw(palette));
        assert_eq!(silhouette(&plain), silhouette(&safe), "{picture:?}");
        if let Picture::Plain(Subject::Ground(_) | Subject::Wall(_)) = picture {
            assert_eq!(plain, safe, "{picture:?}");
        }
        changed += usize::from(plain != safe);
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn alert_state_color_is_in_its_sign() {
    for palette in PALETTES {
        for alert_state in alert_state::ALL {
            let sign = Picture::of_alert_state(alert_state).draw(palette);
            let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
            let inks: Vec<_> = places.filter_map(|(x, y)| sign.ink(x, y)).collect();
            assert!(
                inks.contains(&palette.alert_state(alert_state)),
                "{palette:?} {alert_state:?}"
            );
        }
    }
}

#[test]
fn flame_position_matches_pixels() {
    for picture in Picture::all() {
        let Some(tip) = picture.flame() else {
            continue;
        };
        let (canvas, shift) = (picture.draw(Palette::Plain), picture.shift());
        let (x, y) = (tip.x - shift.x + SIDE / 2, tip.y - shift.y + SIDE / 2);
        let burns = |ink: palette::Ink| palette::FLAME.contains(&ink);
        let near = (-3..=3).flat_map(|dx| (-1..=5).map(move |dy| (x + dx, y + dy)));
        let mut inks = near.filter_map(|(x, y)| canvas.ink(x, y));
        assert!(inks.any(burns), "{picture:?}");
    }
}

#[test]
fn terrain_is_opaque() {
    for picture in Picture::all() {
        if let Picture::Plain(Subject::Ground(_) | Subject::Wall(_)) = picture {
            assert!(
                !silhouette(&picture.draw(Palette::Plain)).contains(&false),
                "{picture:?}"
            );
        }
    }
}

#[test]
fn figures_differ_in_shape() {
    for facing in Facing::ALL {
        let thief = thief::Pose::new(facing, 0, Held::Nothing, false).draw();
        let guises: Vec<_> = guard::Guise::all().collect();
        for (i, &guise) in guises.iter().enumerate() {
            let up = |guise| guard::Pose::up(guise, true, facing, 0).draw();
            let differ = apart(&thief, &up(guise));
            assert!(differ >= APART, "thief, {guise:?}, {facing:?}: {differ}");
            for &other in &guises[i + 1..] {
                let differ = apart(&up(guise), &up(other));
                assert!(
                    differ >= APART,
                    "{guise:?}, {other:?}, {facing:?}: {differ}"
                );
            }
        }
    }
}

#[test]
fn bands_and_alert_states_differ_in_shape() {
    let all_apart = |pictures: &[Picture]| {
        for (i, picture) in pictures.iter().enumerate() {
            for other in &pictures[i + 1..] {
                let differ = apart(&picture.draw(Palette::Plain), &other.draw(Palette::Plain));
                assert!(differ >= SIGNS_APART, "{picture:?}, {other:?}: {differ}");
            }
        }
    };
    all_apart(&LightBand::ALL.map(Picture::of_band));
    all_apart(&alert_state::ALL.map(Picture::of_alert_state));
    all_apart(&Tool::ALL.map(Picture::of_tool));
    all_apart(&Perk::ALL.map(Picture::of_perk));
}

#[test]
fn atlas_has_each_sprite_at_its_index() {
    let atlas = Atlas::draw(Palette::Plain);
    let mut count = 0;
    for (place, picture) in Picture::all().enumerate() {
        assert_eq!(usize::from(atlas.index(picture)), place, "{picture:?}");
        let drawn = picture.draw(Palette::Plain);
        assert_eq!(
            &atlas.column[place * BYTES..][..BYTES],
            drawn.bytes(),
            "{picture:?}"
        );
        let (left, top) = (place as u32 % 32 * CELL, place as u32 / 32 * CELL);
        for (x, y) in [(0, 0), (7, 9), (15, 15)] {
            let at = 4 * ((top + y) * atlas.width + left + x) as usize;
            assert_eq!(
                atlas.pixels[at..at + 4],
                drawn.get(x as i32, y as i32),
                "{picture:?} at {x}, {y}"
            );
        }
        count += 1;
    }
    assert_eq!(atlas.count(), count);
    // The texture size that WebGL2 guarantees, and the number of layers that all current GPUs
    // support.
    assert!(atlas.width <= 2048 && atlas.height <= 2048 && count <= 2048);
    assert_eq!(
        atlas.pixels.len(),
        (4 * atlas.width * atlas.height) as usize
    );
}

#[test]
fn sprites_match_golden_hashes() {
    let mut found = BTreeMap::new();
    for palette in PALETTES {
        // The atlas contains all sprites, in order.
        let atlas = Atlas::draw(palette);
        let hash = Fnv1a::of_bytes(atlas.column.iter().copied());
        found.insert(format!("{palette:?} atlas"), format!("{hash:016x}"));
        let mut kinds: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for picture in Picture::all() {
            let pixels = kinds.entry(kind(picture)).or_default();
            pixels.extend(picture.draw(palette).bytes());
        }
        for (kind, pixels) in kinds {
            let hash = Fnv1a::of_bytes(pixels);
            found.insert(format!("{palette:?} {kind}"), format!("{hash:016x}"));
        }
    }
    golden::check("src/art/golden.txt", include_str!("golden.txt"), &found);
}

/// The kind of a sprite without its details. Variants share a hash.
fn kind(picture: Picture) -> String {
    let name = format!("{picture:?}");
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_kind = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_uppercase());
    let is_detail = |word: &&str| ["Patch", "Block", "Pose", "Plain"].contains(word);
    let words = words.filter(is_kind).filter(|word| !is_detail(word));
    words.take(3).collect::<Vec<_>>().join(" ")
}

/// Checks that every sprite chosen for real floors is in the atlas, and its outline too.
#[test]
fn chosen_sprites_are_in_the_atlas() {
    let all: HashSet<Picture> = Picture::all().collect();
    let has = |picture: Picture| {
        assert!(all.contains(&picture), "{picture:?}");
        assert!(picture.outline().is_none_or(|lines| all.contains(&lines)));
    };
    for depth in 0..FLOORS {
        let survey = Survey::new(&Rules::standard(), 11, Difficulty::Thief, depth);
        let Some(Survey { floor, .. }) = survey else {
            panic!("no floor {depth}");
        };
        let known = |at: IVec2| floor.tiles.get(at).copied();
        for frame in 0..6 {
            for (at, tile) in cells(&floor.tiles) {
                has(Picture::of_tile(tile, floor.theme, at, known, frame));
                Picture::of_trim(tile, floor.theme, at, known).map(has);
                for kind in FixtureKind::ALL {
                    Picture::of_fixture(kind, frame % 2 == 0, at, known, frame).map(has);
                }
            }
            for placed in &floor.items {
                has(Picture::of_item(placed.item, frame));
            }
        }
    }
    let world = World::new(3, Difficulty::Thief);
    has(Picture::of_thief(world.view().thief(), 1));
    has(Picture::of_item(Item::Treasure(u16::MAX), 0));
    for kind in GuardKind::ALL {
        has(Picture::of_guard_kind(kind));
    }
    for density in 0..=u8::MAX {
        has(Picture::of_smoke(density));
    }
}

fn cells(tiles: &Plane<Tile>) -> impl Iterator<Item = (IVec2, Tile)> {
    let rows = 0..tiles.height();
    let all = rows.flat_map(|y| (0..tiles.width()).map(move |x| IVec2::new(x, y)));
    all.filter_map(|at| Some((at, *tiles.get(at)?)))
}

/// The tiles around the tested cell, which is in the middle.
fn around(rows: [&str; 3]) -> impl Fn(IVec2) -> Option<Tile> {
    move |at| {
        let letter = rows[(at.y + 1) as usize].as_bytes()[(at.x + 1) as usize];
        Some(match letter {
            b'#' => Tile::Wall,
            b'+' => Tile::Door(Door::Closed),
            b'?' => return None,
            _ => Tile::Ground(gutterlight_rules::Ground::Stone),
        })
    }
}

fn wall(rows: [&str; 3]) -> Picture {
    Picture::of_tile(Tile::Wall, Theme::Cellars, IVec2::ZERO, around(rows), 0)
}

#[test]
fn walls_join_walls_and_unknown_cells() {
    let inside = wall(["###", "###", "###"]);
    assert_eq!(wall(["???", "?#?", "???"]), inside);
    let face = wall(["###", "###", "..."]);
    assert_ne!(face, inside);
    assert_eq!(
        wall(["???", "##+", "?.."]),
        face,
        "it continues over a door"
    );
    assert_ne!(
        wall(["###", "###", "#+#"]),
        inside,
        "it ends at a door below"
    );
    let corner = wall(["##.", "###", "###"]);
    assert!(corner != inside && corner != wall(["#..", "##.", "###"]));
}

#[test]
fn doors_follow_the_direction_of_their_wall() {
    let door = |rows| {
        let tile = Tile::Door(Door::Closed);
        Picture::of_trim(tile, Theme::Chapel, IVec2::ZERO, around(rows))
    };
    let along = door(["...", "#+#", "..."]);
    let walled_up = door(["###", "#+#", "###"]);
    assert_eq!(door(["???", "#+#", "..."]), along);
    let across = door([".#.", ".+.", ".#."]);
    assert_eq!(door(["?#?", ".+?", "?#?"]), across);
    assert_ne!(along, across);
    assert_eq!(walled_up, along, "walled up, it is seen from the south");
}

#[test]
fn sconce_hangs_on_adjacent_wall() {
    let sconce =
        |rows| Picture::of_fixture(FixtureKind::Sconce, true, IVec2::ZERO, around(rows), 0);
    let north = sconce(["###", "...", "..."]);
    assert_eq!(north.map(Picture::shift), Some(IVec2::new(0, -16)));
    let east = sconce(["..#", "..#", "..#"]);
    assert_eq!(east.map(Picture::shift), Some(IVec2::ZERO));
    assert_ne!(east, sconce(["#..", "#..", "#.."]));
    assert!(north.is_some_and(Picture::glows));
}

#[test]
fn diagonal_directions_face_sideways() {
    assert_eq!(Facing::from(Direction::NorthEast), Facing::East);
    assert_eq!(Facing::from(Direction::SouthWest), Facing::West);
}
