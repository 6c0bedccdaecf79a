//! Shared test utilities: random numbers and scenes, the bits of a grid, an oracle for the
//! automaton, and reports of failures.

pub mod oracle;
pub mod report;
pub mod rest;
pub mod scenes;

use lanternfell_lightgrid::{Cell, IVec2, LightGrid, Neighborhood, Source, Vec3};
use lanternfell_random::SplitMix64;

/// Random numbers for scenes, from a seed.
pub struct SceneRng {
    words: SplitMix64,
    neighborhoods: &'static [Neighborhood],
}

impl SceneRng {
    pub fn new(seed: u64) -> Self {
        Self {
            words: SplitMix64::new(seed),
            neighborhoods: &Neighborhood::ALL,
        }
    }

    /// Scenes on squares only, as they were when their hashes were pinned.
    pub fn on_squares(seed: u64) -> Self {
        Self {
            neighborhoods: &Neighborhood::SQUARE,
            ..Self::new(seed)
        }
    }

    /// Scenes on hexagons only.
    pub fn on_hexagons(seed: u64) -> Self {
        Self {
            neighborhoods: &[Neighborhood::Hexagonal],
            ..Self::new(seed)
        }
    }

    /// Another seed, for scenes on the same neighborhoods.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self {
            neighborhoods: self.neighborhoods,
            ..Self::new(seed)
        }
    }

    pub fn bits(&mut self) -> u64 {
        self.words.word()
    }

    pub fn neighborhood(&mut self) -> Neighborhood {
        self.one_of(self.neighborhoods)
    }

    /// A number from 0 to before `end`. Uses the remainder, as when the hashes of scenes were
    /// pinned.
    pub fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }

    /// A number from 0 to before 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn chance(&mut self, chance: f32) -> bool {
        self.unit() < chance
    }

    pub fn color(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit())
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    /// A cell of the grid.
    pub fn place(&mut self, grid: &LightGrid) -> IVec2 {
        let (x, y) = (self.below(grid.width()), self.below(grid.height()));
        IVec2::new(x as i32, y as i32)
    }
}

/// A white lamp of strength 1.
pub fn lamp(x: i32, y: i32) -> Source {
    Source::new(IVec2::new(x, y), Vec3::ONE)
}

/// All cells, row by row.
pub fn places(grid: &LightGrid) -> impl Iterator<Item = IVec2> + use<> {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    (0..height).flat_map(move |y| (0..width).map(move |x| IVec2::new(x, y)))
}

/// The light of all cells, row by row.
pub fn lights(grid: &LightGrid) -> Vec<Vec3> {
    places(grid).map(|cell| grid.light(cell)).collect()
}

/// The bits of the light of all cells, row by row.
pub fn bits(grid: &LightGrid) -> Vec<[u32; 3]> {
    let lights = lights(grid).into_iter();
    lights
        .map(|light| light.to_array().map(f32::to_bits))
        .collect()
}

/// The brightest light of each color.
pub fn brightest(lights: &[Vec3]) -> Vec3 {
    lights.iter().copied().fold(Vec3::ZERO, Vec3::max)
}

/// The largest difference between the light of two grids.
pub fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element());
    apart.fold(0.0, f32::max)
}

/// A new grid without light, with the same cells, sources and settings.
pub fn unlit_copy(grid: &LightGrid) -> LightGrid {
    let mut other = if grid.is_gray() {
        LightGrid::gray(grid.width(), grid.height(), *grid.settings()).unwrap()
    } else {
        LightGrid::new(grid.width(), grid.height(), *grid.settings()).unwrap()
    };
    follow(&mut other, grid);
    other
}

/// Copies cells, sources, regions and settings from another grid.
pub fn follow(grid: &mut LightGrid, other: &LightGrid) {
    grid.set_relief(None).unwrap();
    grid.set_settings(*other.settings()).unwrap();
    grid.set_relief(other.relief().cloned()).unwrap();
    grid.set_cells(other.cells().to_vec()).unwrap();
    grid.set_sources(other.sources()).unwrap();
    for cell in places(other) {
        grid.set_region(cell, other.region(cell)).unwrap();
    }
    for region in 0..=255 {
        grid.set_ambient(region, other.ambient(region)).unwrap();
    }
}

/// Sets the cells from a drawing: `#` is a wall of this kind, anything else is open.
pub fn draw(grid: &mut LightGrid, wall: Cell, picture: &[&str]) {
    let picture: Vec<&[u8]> = picture.iter().map(|row| row.as_bytes()).collect();
    let cell = |at: IVec2| match picture[at.y as usize][at.x as usize] {
        b'#' => wall,
        _ => Cell::OPEN,
    };
    grid.fill(cell).unwrap();
}
