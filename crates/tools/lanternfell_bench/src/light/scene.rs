//! Maps with lamps: what the light is measured on.

use lanternfell_lightgrid::{Cell, IVec2, LightGrid, LightSettings, RIM, Source, Vec3};

use crate::{
    cell_digest::CellDigest,
    map::{self, Map},
};

/// How many colors the light has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// One.
    Gray,
    /// Three.
    Rgb,
}

impl Colors {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Rgb, Self::Gray];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Rgb => "RGB",
        }
    }
}

/// Lamps on a map. The first of them can be carried along a walk, and at its start a wall
/// can be built and torn down.
pub struct Scene<'a> {
    map: &'a Map,
    lamps: Vec<IVec2>,
    walk: Vec<IVec2>,
}

/// What happens in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The first lamp is carried on by one cell.
    LampMoved,
    /// A wall is built near the first lamp, or torn down again.
    WallChanged,
}

/// What an event changes.
pub enum Change {
    /// All sources, though most stay as they were.
    Sources(Vec<Source>),
    /// One cell.
    Cell(IVec2, Cell),
}

impl Change {
    /// Tells the grid.
    pub fn apply(&self, grid: &mut LightGrid) {
        let done = match self {
            Self::Sources(sources) => grid.set_sources(sources),
            Self::Cell(at, cell) => grid.set_cell(*at, *cell),
        };
        done.expect("what is on the map is sound");
    }
}

/// The lamps' colors, in turn.
const LIGHTS: [Vec3; 3] = [
    Vec3::new(1.0, 0.8, 0.6),
    Vec3::new(0.6, 1.0, 0.8),
    Vec3::new(0.8, 0.6, 1.0),
];

impl<'a> Scene<'a> {
    /// So many lamps, anywhere in the open.
    pub fn new(map: &'a Map, lamps: usize) -> Self {
        let lamps = map.places(lamps, 2);
        let walk = lamps.first().map_or(Vec::new(), |&first| map.walk(first));
        Self { map, lamps, walk }
    }

    /// A lamp in every block of 16 x 16 cells, so that no tile is dark.
    pub fn bright(map: &'a Map) -> Self {
        Self {
            map,
            lamps: map.place_in_every_block(),
            walk: Vec::new(),
        }
    }

    /// Where the lamps stand.
    pub fn lamps(&self) -> &[IVec2] {
        &self.lamps
    }

    /// Where the first lamp is after so many steps: along a walk and back again.
    pub fn walker(&self, step: usize) -> Option<IVec2> {
        let end = self.walk.len().saturating_sub(1);
        let place = step % (2 * end).max(1);
        self.walk.get(place.min(2 * end - place)).copied()
    }

    /// The lamps after the first has gone so many steps.
    pub fn sources(&self, step: usize) -> Vec<Source> {
        let mut lamps = self.lamps.clone();
        if let (Some(first), Some(walker)) = (lamps.first_mut(), self.walker(step)) {
            *first = walker;
        }
        let lamps = lamps.into_iter().enumerate();
        lamps
            .map(|(n, cell)| Source::new(cell, LIGHTS[n % LIGHTS.len()]))
            .collect()
    }

    /// What changes when an event happens for the `n`th time, from 1 on.
    pub fn change(&self, event: Event, n: usize) -> Change {
        match event {
            Event::LampMoved => Change::Sources(self.sources(n)),
            Event::WallChanged if n % 2 == 1 => Change::Cell(self.building_site(), Cell::WALL),
            Event::WallChanged => Change::Cell(self.building_site(), Cell::OPEN),
        }
    }

    /// A cell near the first lamp, where a wall can be built.
    fn building_site(&self) -> IVec2 {
        let site = self.walk.get(4).or(self.walk.last());
        site.copied().unwrap_or(IVec2::ONE)
    }

    /// The dark grid, with the lamps in place.
    pub fn grid(&self, colors: Colors) -> LightGrid {
        let side = self.map.side() as u32;
        let settings = LightSettings::default();
        let grid = match colors {
            Colors::Gray => LightGrid::gray(side, side, settings),
            Colors::Rgb => LightGrid::new(side, side, settings),
        };
        let mut grid = grid.expect("the maps are small");
        let cell = |at| match self.map.byte(at) {
            map::FLOOR => Cell::OPEN,
            map::CLOSED_DOOR => Cell::BLACK_WALL,
            _ => Cell::WALL,
        };
        grid.fill(cell).expect("these cells are sound");
        grid.set_sources(&self.sources(0))
            .expect("these lights are sound");
        grid
    }

    /// The cells that are lit at all.
    pub fn lit(&self, grid: &LightGrid) -> CellDigest {
        let side = self.map.side() as i32;
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| IVec2::new(x, y)));
        let mut seen = CellDigest::default();
        seen.add(self.map, cells.filter(|&cell| grid.luminance(cell) > RIM));
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Kind;

    #[test]
    fn a_lamp_is_carried_there_and_back_by_one_cell_a_step() {
        let map = Map::new(Kind::Rooms, 64);
        let scene = Scene::new(&map, 3);
        let mut before = scene.sources(0);
        let there_and_back = 2 * (scene.walk.len() - 1);
        assert_eq!(before, scene.sources(there_and_back));
        for step in 1..=there_and_back {
            let sources = scene.sources(step);
            assert_eq!(sources[1..], before[1..], "step {step}");
            let moved = (sources[0].at - before[0].at).abs().element_sum();
            assert_eq!(moved, 1.0, "step {step}");
            assert!(!map.is_opaque(sources[0].cell()), "step {step}");
            before = sources;
        }
    }

    #[test]
    fn no_lamps_are_no_trouble() {
        let map = Map::new(Kind::Open, 16);
        let scene = Scene::new(&map, 0);
        assert!(scene.sources(7).is_empty());
        assert_eq!(scene.building_site(), IVec2::ONE);
        assert_eq!(scene.lit(&scene.grid(Colors::Rgb)).count, 0);
    }

    #[test]
    fn a_bright_scene_leaves_no_tile_dark() {
        for kind in Kind::ALL {
            let map = Map::new(kind, 256);
            let mut grid = Scene::bright(&map).grid(Colors::Rgb);
            grid.settle(1e-3);
            assert!(grid.tiles().count() > 1, "{}", map.name());
            for tile in grid.tiles() {
                let (first, end) = (tile.first.as_ivec2(), (tile.first + tile.size).as_ivec2());
                let cells =
                    (first.y..end.y).flat_map(|y| (first.x..end.x).map(move |x| IVec2::new(x, y)));
                assert!(
                    cells.into_iter().any(|cell| grid.luminance(cell) > RIM),
                    "{}: the tile at {first}",
                    map.name()
                );
            }
        }
    }
}
