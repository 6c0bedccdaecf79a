//! Many bodies that move in all directions over a plane, and their distances from it. For any physics engine.

use bevy::prelude::*;
use lanternfell_terrain::{
    heightmap::{Heightmap, SeededRng},
    prelude::*,
};

pub const FRAMES_A_SECOND: u32 = 60;

/// Half the distance between the two spheres of a capsule, in meters.
pub const HALF_CAPSULE: f32 = 0.5;

/// A body for any engine. Bodies do not collide with each other, have no damping and do not bounce.
#[derive(Component, Debug, Clone, Copy)]
pub struct Body {
    /// The radius of a ball, or of a capsule's spheres.
    pub radius: f32,
    /// Whether the body is an upright capsule that does not rotate.
    pub stands: bool,
    /// The friction: 0, or larger for a ball that rolls.
    pub friction: f32,
    pub at: Vec3,
    pub velocity: Vec3,
}

impl Body {
    /// The offset from the lower sphere to the center.
    fn above_foot(&self) -> Vec3 {
        if self.stands {
            HALF_CAPSULE * Vec3::Y
        } else {
            Vec3::ZERO
        }
    }
}

/// Which bodies may start on a grid line.
#[derive(Debug, Clone, Copy)]
pub enum OnLines {
    All,
    /// On slopes that are exact planes, `parry` alone loses the contact of a capsule on a line.
    BallsOnSlopes,
}

/// The normal of a plane that rises by `slope` along x and z.
fn normal(slope: Vec2) -> Vec3 {
    Vec3::new(-slope.x, 1.0, -slope.y).normalize()
}

/// The bodies on a plane.
pub struct Crowd {
    /// The normal of the plane, which contains the origin.
    up: Vec3,
    bodies: Vec<(Entity, Gap)>,
}

/// The distance of a body from the plane, and its largest change within a frame. Slow changes are expected, because a
/// faster ball sinks in deeper.
#[derive(Default)]
struct Gap {
    last: f32,
    /// The largest depth below the plane.
    deepest: f32,
    largest_jump: f32,
}

/// Half a second for settling, and three seconds of measurement.
const SETTLING: u32 = FRAMES_A_SECOND / 2;
const COUNTING: u32 = 3 * FRAMES_A_SECOND;

impl Crowd {
    /// Spawns balls, some of which roll, and sliding capsules over a plane through the origin that rises by `slope`
    /// along x and z.
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

/// The limits for an engine, in meters.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The largest depth in the terrain.
    pub deepest: f32,
    /// The largest change of a ball's distance from the plane within a frame.
    pub balls: f32,
    /// The same for a capsule.
    pub capsules: f32,
}

impl Body {
    fn random(rng: &mut SeededRng, number: usize, slope: Vec2, on_lines: OnLines) -> Self {
        let up = normal(slope);
        let mut between = |low: f64, high: f64| rng.between(low, high) as f32;
        let radius = between(0.2, 0.6);
        let heading = match number % 4 {
            // Along both axes, along the diagonals, and in any direction.
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

/// A terrain of 1 m squares that is a plane, rising by `slope` along x and z. Placed at [`MIDDLE_HEIGHT`] it contains
/// the origin.
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

/// The position of the terrain at which its plane contains the origin.
pub const MIDDLE_HEIGHT: Vec3 = Vec3::new(0.0, -128.0, 0.0);

/// A flat plane, and two slopes that are exact planes.
pub const SLOPES: [Vec2; 3] = [Vec2::ZERO, Vec2::new(0.125, 0.0), Vec2::new(-0.25, 0.125)];
/// Two thousand bodies in total on all slopes.
pub const BODIES: usize = 670;
