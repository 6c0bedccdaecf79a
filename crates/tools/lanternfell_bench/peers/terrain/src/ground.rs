//! The land that everybody is given, who looks at it, and what is asked of it.

use glam::{DVec3, Vec2, Vec3};
use lanternfell_heightmap::{
    FractalNoise, Generator, Heightmap, MapSize, Progress, Scale, SeededRng,
};
use lanternfell_surface::{
    Surface,
    detail::{Lens, Viewer},
};

const SEED: u64 = 7;

/// The same kind of land at every size: a metre from cell to cell.
const SCALE: Scale = Scale {
    spacing: 1.0,
    relief: 160.0,
};

/// Metres that the camera is above the ground.
const EYE: f32 = 30.0;

/// Metres per second that it flies.
const SPEED: f32 = 50.0;

/// Seconds that it flies.
pub const SECONDS: f32 = 10.0;

/// Points that are asked for in a call: their cells are more than fit into a cache.
const POINTS: usize = 1 << 20;

/// Rays of each kind.
const RAYS: usize = 1024;

/// A straight way that begins somewhere.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub origin: Vec3,
    pub direction: Vec3,
}

/// The land. It lies centered on the origin; x is east, z is south.
pub struct Ground {
    pub map: Heightmap,
}

impl Ground {
    /// A square of so many cells a side.
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

    /// Half the extent, in metres.
    pub fn half(&self) -> f32 {
        self.surface().half_extent().x
    }

    /// The heights in metres, row by row.
    pub fn metres(&self) -> Vec<f32> {
        let heights = self.map.heights().iter();
        heights.map(|height| height * SCALE.relief).collect()
    }

    /// Where the camera is, through the middle of the land from west to east; never over a line of cells.
    pub fn eye(&self, seconds: f32) -> Vec3 {
        let way = (SPEED * SECONDS).min(self.half());
        let x = way * (seconds / SECONDS - 0.5) + 0.21;
        let (z, there) = (13.7, Vec2::new(x, 13.7));
        let ground = self.surface().height(there).unwrap_or(0.0);
        Vec3::new(x, ground + EYE, z)
    }

    /// Points at random.
    pub fn points(&self) -> Vec<Vec2> {
        self.points_within(POINTS, [-self.half(); 2], [self.half(); 2])
    }

    /// Points at random in a rectangle.
    pub fn points_within(&self, count: usize, low: [f32; 2], high: [f32; 2]) -> Vec<Vec2> {
        let mut rng = SeededRng::new(SEED, b"points  ");
        let mut between = |axis: usize| rng.between(low[axis].into(), high[axis].into()) as f32;
        let point = |_| Vec2::new(between(0), between(1));
        (0..count).map(point).collect()
    }

    /// Rays that look for what is under a pointer (`picking`), or along the land to the horizon.
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

/// The camera's vertical field of view, Bevy's default, and a screen of 1920 x 1080.
const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;
const SCREEN: [f32; 2] = [1920.0, 1080.0];

/// Pixels that a metre takes at a distance of one, in a corner of the screen, where it takes most: as `TerrainPlugin`
/// counts them.
pub fn pixels() -> f32 {
    let up = 1.0 / (FIELD_OF_VIEW / 2.0).tan();
    let across = up * SCREEN[1] / SCREEN[0];
    SCREEN[1] / 2.0 * up * (1.0 + 1.0 / (across * across) + 1.0 / (up * up))
}

/// Who looks from there.
pub fn viewer(eye: Vec3) -> Viewer {
    let lens = Lens::Perspective(pixels());
    Viewer { eye, lens }
}
