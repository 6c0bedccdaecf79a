//! Maps with lamps: the inputs of the light benchmarks.

use lanternfell_lightgrid::{Cell, IVec2, LightGrid, LightSettings, RADIUS_CUTOFF, Source, Vec3};

use crate::{
    cell_digest::CellDigest,
    map::{self, Map},
};

/// The number of light colors.
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

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Rgb => "RGB",
        }
    }
}

/// Lamps on a map. The first lamp can be moved along a path. Near its start, a wall can be built
/// and removed.
pub struct Scene<'a> {
    map: &'a Map,
    lamps: Vec<IVec2>,
    walk: Vec<IVec2>,
}

/// A change during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The first lamp moves by one cell.
    LampMoved,
    /// A wall near the first lamp is built or removed.
    WallChanged,
}

/// The change that an event makes.
pub enum Change {
    /// All sources, most of which are unchanged.
    Sources(Vec<Source>),
    /// One cell.
    Cell(IVec2, Cell),
}

impl Change {
    /// Applies the change to a grid.
    pub fn apply(&self, grid: &mut LightGrid) {
        let done = match self {
            Self::Sources(sources) => grid.set_sources(sources),
            Self::Cell(at, cell) => grid.set_cell(*at, *cell),
        };
        done.expect("the change is valid");
    }
}

/// The colors of successive lamps.
const LIGHTS: [Vec3; 3] = [
    Vec3::new(1.0, 0.8, 0.6),
    Vec3::new(0.6, 1.0, 0.8),
    Vec3::new(0.8, 0.6, 1.0),
];

impl<'a> Scene<'a> {
    /// A number of lamps at random open cells.
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

    /// The cells of the lamps.
    pub fn lamps(&self) -> &[IVec2] {
        &self.lamps
    }

    /// The cell of the first lamp after a number of steps, back and forth along its path.
    pub fn walker(&self, step: usize) -> Option<IVec2> {
        let end = self.walk.len().saturating_sub(1);
        let place = step % (2 * end).max(1);
        self.walk.get(place.min(2 * end - place)).copied()
    }

    /// All lamps after the first has taken a number of steps.
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

    /// The change of the `n`th occurrence of an event, starting at 1.
    pub fn change(&self, event: Event, n: usize) -> Change {
        match event {
            Event::LampMoved => Change::Sources(self.sources(n)),
            Event::WallChanged if n % 2 == 1 => Change::Cell(self.building_site(), Cell::WALL),
            Event::WallChanged => Change::Cell(self.building_site(), Cell::OPEN),
        }
    }

    /// The cell near the first lamp where a wall is built.
    fn building_site(&self) -> IVec2 {
        let site = self.walk.get(4).or(self.walk.last());
        site.copied().unwrap_or(IVec2::ONE)
    }

    /// The dark grid with its lamps.
    pub fn grid(&self, colors: Colors) -> LightGrid {
        let side = self.map.side() as u32;
        let settings = LightSettings::default();
        let grid = match colors {
            Colors::Gray => LightGrid::gray(side, side, settings),
            Colors::Rgb => LightGrid::new(side, side, settings),
        };
        let mut grid = grid.expect("the map size is valid");
        let cell = |at| match self.map.byte(at) {
            map::FLOOR => Cell::OPEN,
            map::CLOSED_DOOR => Cell::BLACK_WALL,
            _ => Cell::WALL,
        };
        grid.fill(cell).expect("the cells are valid");
        grid.set_sources(&self.sources(0))
            .expect("the lights are valid");
        grid
    }

    /// The digest of all lit cells.
    pub fn lit(&self, grid: &LightGrid) -> CellDigest {
        let side = self.map.side() as i32;
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| IVec2::new(x, y)));
        let mut seen = CellDigest::default();
        seen.add(
            self.map,
            cells.filter(|&cell| grid.luminance(cell) > RADIUS_CUTOFF),
        );
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Kind;

    #[test]
    fn lamp_moves_back_and_forth_by_one_cell() {
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
    fn works_without_lamps() {
        let map = Map::new(Kind::Open, 16);
        let scene = Scene::new(&map, 0);
        assert!(scene.sources(7).is_empty());
        assert_eq!(scene.building_site(), IVec2::ONE);
        assert_eq!(scene.lit(&scene.grid(Colors::Rgb)).count, 0);
    }

    #[test]
    fn bright_scene_lights_every_tile() {
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
                    cells
                        .into_iter()
                        .any(|cell| grid.luminance(cell) > RADIUS_CUTOFF),
                    "{}: the tile at {first}",
                    map.name()
                );
            }
        }
    }
}
