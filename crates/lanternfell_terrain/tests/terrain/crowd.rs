//! Many bodies that go all ways over the squares of a plane, and how far each was from it; whatever the physics
//! engine.

use bevy::prelude::*;
use lanternfell_terrain::{
    heightmap::{Heightmap, SeededRng},
    prelude::*,
};

pub const FRAMES_A_SECOND: u32 = 60;

/// Half the length of a capsule between its two spheres, in metres.
pub const HALF_CAPSULE: f32 = 0.5;

/// A body as an engine is told of it. None meets another, nothing slows it, and it does not bounce.
#[derive(Component, Debug, Clone, Copy)]
pub struct Body {
    /// Of a ball, or of a capsule's spheres.
    pub radius: f32,
    /// Whether it is a capsule that stands and never turns.
    pub stands: bool,
    /// 0, or that of a ball that rolls.
    pub friction: f32,
    pub at: Vec3,
    pub velocity: Vec3,
}

impl Body {
    /// From the sphere on which it stands to its middle.
    fn above_foot(&self) -> Vec3 {
        if self.stands {
            HALF_CAPSULE * Vec3::Y
        } else {
            Vec3::ZERO
        }
    }
}

/// Who may start on a line of the grid, and not only beside.
#[derive(Debug, Clone, Copy)]
pub enum OnLines {
    All,
    /// On slopes that are planes to the last digit `parry` by itself loses the contact of a capsule there.
    BallsOnSlopes,
}

/// Of a plane that rises by `slope` along x and z.
fn normal(slope: Vec2) -> Vec3 {
    Vec3::new(-slope.x, 1.0, -slope.y).normalize()
}

/// The bodies of a plane.
pub struct Crowd {
    /// The plane's normal; it goes through the origin.
    up: Vec3,
    bodies: Vec<(Entity, Gap)>,
}

/// How far a body is from the plane, and by how much that changed at most within a frame: slowly it does, since a
/// ball that rolls faster sinks in deeper.
#[derive(Default)]
struct Gap {
    last: f32,
    /// How far it was below the plane at most.
    deepest: f32,
    largest_jump: f32,
}

/// A moment of settling, and three seconds that count.
const SETTLING: u32 = FRAMES_A_SECOND / 2;
const COUNTING: u32 = 3 * FRAMES_A_SECOND;

impl Crowd {
    /// Balls, some of which roll, and capsules that slide, over a plane through the origin: it rises by
    /// `slope` along x and z.
    pub fn spawn(
        app: &mut App,
        slope: Vec2,
        count: usize,
        on_lines: OnLines,
        spawn: impl Fn(&mut App, Body) -> Entity,
    ) -> Self {
        let up = normal(slope);
        let mut rng = SeededRng::new(slope.to_angle().to_bits().into(), b"crowd   ");
        let bodies = (0..count).map(|number| {
            let body = Body::random(&mut rng, number, slope, on_lines);
            let entity = spawn(app, body);
            app.world_mut().entity_mut(entity).insert(body);
            (entity, Gap::default())
        });
        let bodies = bodies.collect();
        Self { up, bodies }
    }

    pub fn watch(&mut self, app: &mut App) {
        for frame in 0..SETTLING + COUNTING {
            app.update();
            for (entity, before) in &mut self.bodies {
                let body = app.world().get::<Body>(*entity).unwrap();
                let at = app.world().get::<Transform>(*entity).unwrap().translation;
                let gap = (at - body.above_foot()).dot(self.up) - body.radius;
                before.deepest = before.deepest.max(-gap);
                if frame >= SETTLING {
                    let jump = (gap - before.last).abs();
                    before.largest_jump = before.largest_jump.max(jump);
                }
                before.last = gap;
            }
        }
    }

    #[track_caller]
    pub fn assert_none_jumps(&self, app: &App, bounds: Bounds, case: &str) {
        for (entity, gap) in &self.bodies {
            let Gap {
                largest_jump,
                deepest,
                ..
            } = *gap;
            assert!(
                deepest < bounds.deepest,
                "{case}: {entity} is {deepest} m deep"
            );
            let stands = app.world().get::<Body>(*entity).unwrap().stands;
            let most = if stands {
                bounds.capsules
            } else {
                bounds.balls
            };
            assert!(
                largest_jump < most,
                "{case}: {entity} jumps by {largest_jump} m"
            );
        }
    }
}

/// What an engine is let do, in metres.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How deep a body may be in the ground.
    pub deepest: f32,
    /// By how much a ball may be moved in a frame.
    pub balls: f32,
    /// By how much a capsule may.
    pub capsules: f32,
}

impl Body {
    fn random(rng: &mut SeededRng, number: usize, slope: Vec2, on_lines: OnLines) -> Self {
        let up = normal(slope);
        let mut between = |low: f64, high: f64| rng.between(low, high) as f32;
        let radius = between(0.2, 0.6);
        let heading = match number % 4 {
            // Along both axes, the diagonals, and any way.
            0 => std::f32::consts::FRAC_PI_2 * (number / 4 % 4) as f32,
            1 => std::f32::consts::FRAC_PI_4 * (1 + 2 * (number / 4 % 4)) as f32,
            _ => between(0.0, 6.3),
        };
        let speed = between(0.5, 8.0);
        let way = Vec3::new(heading.cos(), 0.0, heading.sin());
        let velocity = (way - up * way.dot(up)).normalize() * speed;
        let flat = Vec2::new(between(-20.0, 20.0), between(-20.0, 20.0)).round();
        let stands = number.is_multiple_of(2);
        let may_be_on_line = match on_lines {
            OnLines::All => true,
            OnLines::BallsOnSlopes => slope == Vec2::ZERO || !stands,
        };
        let flat = if number.is_multiple_of(3) && may_be_on_line {
            flat
        } else {
            flat + between(0.0, 1.0)
        };
        let foot = Vec3::new(flat.x, flat.dot(slope), flat.y) + up * radius;
        let mut body = Self {
            radius,
            stands,
            friction: if number % 8 == 1 { 0.7 } else { 0.0 },
            at: foot,
            velocity,
        };
        body.at += body.above_foot();
        body
    }
}

/// A land of squares of a metre that is a plane through the origin, rising by `slope` along x and z; it stands at
/// [`MIDDLE_HEIGHT`].
pub fn plane(slope: Vec2) -> Terrain {
    const CELLS: u64 = 161;
    const RELIEF: f32 = 256.0;
    let size = MapSize::new(CELLS, CELLS).unwrap();
    let middle = (CELLS / 2) as f32;
    let heights = (0..size.cells()).map(|cell| {
        let at = Vec2::new(
            (cell % CELLS as usize) as f32,
            (cell / CELLS as usize) as f32,
        );
        0.5 + slope.dot(at - middle) / RELIEF
    });
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    Terrain::new(map).with_scale(Scale {
        spacing: 1.0,
        relief: RELIEF,
    })
}

/// As the crowd's planes, it goes through the origin.
pub const MIDDLE_HEIGHT: Vec3 = Vec3::new(0.0, -128.0, 0.0);

/// Flat, and two that are planes to the last digit.
pub const SLOPES: [Vec2; 3] = [Vec2::ZERO, Vec2::new(0.125, 0.0), Vec2::new(-0.25, 0.125)];
/// As many as make two thousand on all of them.
pub const BODIES: usize = 670;
