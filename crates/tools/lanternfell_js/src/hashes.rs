//! Hashes of results that must have the same bits natively and in WebAssembly.
//!
//! Each case has a name, so that a test can run the cases one by one and name the one that differs. Generators, filters
//! and presets come from the lists of the libraries, so new ones become cases automatically. The hashes are pinned in
//! `tests/hashes.json`, which is used by the native test and by the one for node and browsers.

use gutterlight_rules::{Bot, Difficulty, Rules, World};
use lanternfell_heightmap::{
    Filter, FilterContext, FractalNoise, Generator, Heightmap, MapSize, Preset, Progress,
};
use lanternfell_lightgrid::{
    Cell, Falloff, FieldOfView, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3,
};
use lanternfell_random::{Fnv1a, SeededRng};
use wasm_bindgen::prelude::*;

/// The number of turns that a bot plays.
const TURNS: u32 = 2000;

/// The seeds of the games.
const GAMES: [u64; 2] = [7, 2026];

/// The names of all cases, as a JSON array.
#[wasm_bindgen]
pub fn hash_names() -> String {
    serde_json::to_string(&names()).expect("names can be serialized")
}

/// The hash of a case, as 16 hexadecimal digits. `None` if the case does not exist.
#[wasm_bindgen]
pub fn hash_of_case(name: &str) -> Option<String> {
    hash(name).map(|hash| format!("{hash:016x}"))
}

/// The names of all cases.
fn names() -> Vec<String> {
    let of = |kind: &str, name: &str| format!("{kind} {name}");
    let presets = Preset::ALL.iter().map(|preset| of("preset", preset.name));
    let lights = Neighborhood::ALL.map(|neighbors| of("light", &format!("{neighbors:?}")));
    let games = GAMES.map(|seed| of("game", &seed.to_string()));
    let generators = Generator::NAMES.map(|name| of("generator", name));
    let filters = Filter::NAMES.map(|name| of("filter", name));
    let all = generators.into_iter().chain(filters).chain(presets);
    let all = all.chain(lights).chain([of("sight", "cave")]).chain(games);
    all.collect()
}

fn hash(name: &str) -> Option<u64> {
    let (kind, name) = name.split_once(' ')?;
    match kind {
        "generator" => generator(name),
        "filter" => filter(name),
        "preset" => preset(name),
        "light" => {
            let mut all = Neighborhood::ALL.into_iter();
            all.find(|neighbors| format!("{neighbors:?}") == name)
                .map(light)
        }
        "sight" => Some(sight()),
        "game" => name.parse().ok().and_then(game),
        _ => None,
    }
}

/// A size that is not square, with uneven numbers.
fn size() -> Option<MapSize> {
    MapSize::new(203, 150).ok()
}

fn of_map(map: &Heightmap) -> u64 {
    Fnv1a::of_floats(map.heights())
}

fn generator(name: &str) -> Option<u64> {
    let generator = Generator::from_name(name)?;
    let map = generator.generate(size()?, 42, &Progress::default()).ok()?;
    Some(of_map(&map))
}

/// The filter, applied to a terrain with hills and flats.
fn filter(name: &str) -> Option<u64> {
    let progress = Progress::default();
    let filter = match name {
        // These filters change nothing with default parameters.
        "clamp" => Filter::from_ron("Clamp((min: 0.2, max: 0.8))").ok()?,
        "curve" => Filter::from_ron("Curve([(0, 0), (0.5, 0.2), (1, 1)])").ok()?,
        "linear" => Filter::from_ron("Linear((scale: 0.5, offset: 0.25))").ok()?,
        _ => Filter::from_name(name)?,
    };
    let islands = FractalNoise {
        scale: 60.0,
        ..FractalNoise::default()
    };
    let mut map = islands.generate(size()?, 42, &progress).ok()?;
    let context = FilterContext::new(map.size(), 42);
    filter.apply(&mut map, &context, &progress).ok()?;
    Some(of_map(&map))
}

fn preset(name: &str) -> Option<u64> {
    let mut recipe = Preset::find(name)?.recipe();
    recipe.size = size()?;
    let map = recipe.generate(&Progress::default()).ok()?;
    Some(of_map(&map))
}

/// The cells of the rooms: walls with doors, glass, smoke and mirrors.
fn room(at: IVec2) -> Cell {
    match (at.x % 11, at.y % 9) {
        (0, y) if y != 4 => Cell::wall(Vec3::new(0.9, 0.7, 0.5)),
        (x, 0) if x != 6 => Cell::WALL,
        (4, 3) => Cell::BLACK_WALL,
        (0, _) => Cell::glass(Vec3::new(0.2, 0.8, 0.3)),
        (7, 2..=4) => Cell::smoke(0.4),
        _ => Cell::OPEN,
    }
}

/// The light of forty lamps in rooms: after some steps, settled, and with a share of direct light.
fn light(neighborhood: Neighborhood) -> u64 {
    let mut rng = SeededRng::new(42, b"js light");
    let settings = LightSettings {
        neighborhood,
        falloff: Falloff::Radius(9.0),
        direct: 0.0,
    };
    let mut grid = LightGrid::new(120, 90, settings).expect("size and settings are valid");
    grid.fill(room).expect("cells are valid");
    let lamps: Vec<Source> = (0..40)
        .map(|_| {
            let mut place = |side: f64| (64.0 * side * rng.unit()).floor() as f32 / 64.0;
            let at = Vec2::new(place(120.0), place(90.0));
            Source::at(at, Vec3::new(1.0, 0.8, 0.25))
        })
        .collect();
    grid.set_sources(&lamps).expect("lights are valid");
    grid.step(30);
    let mut all = Fnv1a::default().with(of_light(&grid));
    grid.settle(1e-3);
    all = all.with(of_light(&grid));
    grid.set_sources(&lamps[..20]).expect("lights are valid");
    let mixed = LightSettings {
        direct: 0.5,
        ..settings
    };
    grid.set_settings(mixed).expect("share is valid");
    grid.settle(1e-3);
    all.with(of_light(&grid)).finish()
}

fn of_light(grid: &LightGrid) -> u64 {
    let lights: Vec<f32> = grid.lights().flat_map(|light| light.to_array()).collect();
    Fnv1a::of_floats(&lights)
}

/// The fields of view from a hundred places of a cave, with small and large radii.
fn sight() -> u64 {
    const SIDE: i32 = 96;
    let mut rng = SeededRng::new(42, b"js sight");
    let walls: Vec<bool> = (0..SIDE * SIDE).map(|_| rng.below(5) == 0).collect();
    let is_opaque = |at: IVec2| {
        let inside = at.min_element() >= 0 && at.max_element() < SIDE;
        !inside || walls[(at.y * SIDE + at.x) as usize]
    };
    let mut view = FieldOfView::new();
    let mut all = Fnv1a::default();
    for n in 0..100_u32 {
        let from = IVec2::new(rng.below(96) as i32, rng.below(96) as i32);
        view.compute(from, 1 + n % 40, is_opaque);
        for cell in view.cells() {
            all = all.with((cell.y * SIDE + cell.x) as u64);
        }
    }
    all.finish()
}

/// The state of the game after a careful bot's turns. `None` if its replay ends in another state.
fn game(seed: u64) -> Option<u64> {
    let world = Bot::Careful.play(World::new(seed, Difficulty::Thief), TURNS);
    let again = world.replay()?.play(Rules::standard()).ok()?;
    let saved = world.save();
    (again.save() == saved).then(|| Fnv1a::of_bytes(saved))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value};

    use super::*;

    /// All hashes by name. Rewritten if the environment variable `BLESS` is set.
    const PINNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hashes.json");

    #[test]
    fn every_hash_is_pinned() {
        let found: Map<String, Value> = names()
            .into_iter()
            .map(|name| {
                let hash = hash_of_case(&name).expect("case exists");
                (name, hash.into())
            })
            .collect();
        if std::env::var_os("BLESS").is_some() {
            let text = serde_json::to_string_pretty(&found).unwrap();
            std::fs::write(PINNED, text + "\n").unwrap();
        }
        let pinned: Map<String, Value> =
            serde_json::from_str(&std::fs::read_to_string(PINNED).unwrap()).unwrap();
        for (name, hash) in &found {
            assert_eq!(
                pinned.get(name),
                Some(hash),
                "{name}; set BLESS to update it"
            );
        }
        assert_eq!(found.len(), pinned.len());
        let different: BTreeSet<&str> = found.values().filter_map(Value::as_str).collect();
        assert_eq!(different.len(), found.len(), "two cases have the same hash");
    }

    #[test]
    fn cases_differ_and_unknown_ones_have_no_hash() {
        assert_ne!(hash("generator hills"), hash("generator faults"));
        assert_ne!(hash("light Four"), hash("light Eight"));
        for unknown in ["", "generator", "generator moon", "moon hills", "game x"] {
            assert_eq!(hash(unknown), None, "{unknown}");
        }
    }
}
