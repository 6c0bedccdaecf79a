//! The common terrain, its camera, and the points and rays of queries.

use glam::{DVec3, Vec2, Vec3};
use lanternfell_heightmap::{
    FractalNoise, Generator, Heightmap, MapSize, Progress, Scale, SeededRng,
};
use lanternfell_surface::{
    Surface,
    detail::{Lens, Viewer},
};

const SEED: u64 = 7;

/// The scale is the same for all sizes: a cell spacing of 1 m.
const SCALE: Scale = Scale {
    spacing: 1.0,
    relief: 160.0,
};

/// The height of the camera above the terrain in meters.
const EYE: f32 = 30.0;

/// The speed of the camera in meters per second.
const SPEED: f32 = 50.0;

/// The duration of the flight in seconds.
pub const SECONDS: f32 = 10.0;

/// Points per call. Their cells do not fit into a cache.
const POINTS: usize = 1 << 20;

/// Rays of each kind.
const RAYS: usize = 1024;

/// A ray.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub origin: Vec3,
    pub direction: Vec3,
}

/// The terrain, centered at the origin. x is east, z is south.
pub struct Ground {
    pub map: Heightmap,
}

impl Ground {
    /// A square terrain with `side` cells per side.
    pub fn new(side: u64) -> Option<Self> {
        let noise = FractalNoise {
            octaves: 7,
            scale: 900.0,
            lacunarity: 2.0,
            gain: 0.5,
            ..FractalNoise::default()
        };
        let size = MapSize::new(side, side).ok()?;
        let made = Generator::from(noise).generate(size, SEED, &Progress::default());
        let mut map = made.ok()?;
        map.normalize();
        Some(Self { map })
    }

    pub fn side(&self) -> usize {
        self.map.width()
    }

    pub fn scale(&self) -> Scale {
        SCALE
    }

    pub fn surface(&self) -> Surface<'_> {
        Surface::new(&self.map, SCALE)
    }

    /// Half the extent, in meters.
    pub fn half(&self) -> f32 {
        self.surface().half_extent().x
    }

    /// The heights in meters, row by row.
    pub fn meters(&self) -> Vec<f32> {
        let heights = self.map.heights().iter();
        heights.map(|height| height * SCALE.relief).collect()
    }

    /// The height of a cell in meters.
    pub fn height(&self, column: usize, row: usize) -> f32 {
        self.map.get(column, row) * SCALE.relief
    }

    /// The camera position. It flies from west to east through the middle of the terrain, never along a line of cells.
    pub fn eye(&self, seconds: f32) -> Vec3 {
        let way = (SPEED * SECONDS).min(self.half());
        let x = way * (seconds / SECONDS - 0.5) + 0.21;
        let (z, there) = (13.7, Vec2::new(x, 13.7));
        let ground = self.surface().height(there).unwrap_or(0.0);
        Vec3::new(x, ground + EYE, z)
    }

    /// Random points.
    pub fn points(&self) -> Vec<Vec2> {
        self.points_within(POINTS, [-self.half(); 2], [self.half(); 2])
    }

    /// Random points in a rectangle.
    pub fn points_within(&self, count: usize, low: [f32; 2], high: [f32; 2]) -> Vec<Vec2> {
        let mut rng = SeededRng::new(SEED, b"points  ");
        let mut between = |axis: usize| rng.between(low[axis].into(), high[axis].into()) as f32;
        let point = |_| Vec2::new(between(0), between(1));
        (0..count).map(point).collect()
    }

    /// Rays as for a pointer (`picking`), or along the terrain to the horizon.
    pub fn rays(&self, picking: bool) -> Vec<Way> {
        let (above, pitch) = match picking {
            true => ([50.0, 500.0], [-80.0, -20.0]),
            false => ([2.0, 50.0], [-5.0, 2.0]),
        };
        let mut rng = SeededRng::new(SEED, b"rays    ");
        let edge = f64::from(self.half());
        let mut ray = |_| {
            let [x, z] = [(); 2].map(|()| rng.between(-edge, edge));
            let ground = self.surface().height(Vec2::new(x as f32, z as f32));
            let y = f64::from(ground.unwrap_or(0.0)) + rng.between(above[0], above[1]);
            let turn = rng.between(0.0, std::f64::consts::TAU);
            let (rise, along) = rng.between(pitch[0], pitch[1]).to_radians().sin_cos();
            let direction = DVec3::new(along * turn.cos(), rise, along * turn.sin());
            Way {
                origin: DVec3::new(x, y, z).as_vec3(),
                direction: direction.as_vec3(),
            }
        };
        (0..RAYS).map(&mut ray).collect()
    }
}

/// The camera's vertical field of view (the default of Bevy) and a screen of 1920 x 1080.
const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;
const SCREEN: [f32; 2] = [1920.0, 1080.0];

/// Pixels per meter at a distance of 1 m in a corner of the screen, where it is largest. Computed like in
/// `TerrainPlugin`.
pub fn pixels() -> f32 {
    let up = 1.0 / (FIELD_OF_VIEW / 2.0).tan();
    let across = up * SCREEN[1] / SCREEN[0];
    SCREEN[1] / 2.0 * up * (1.0 + 1.0 / (across * across) + 1.0 / (up * up))
}

/// A viewer at this position.
pub fn viewer(eye: Vec3) -> Viewer {
    let lens = Lens::Perspective(pixels());
    Viewer { eye, lens }
}
