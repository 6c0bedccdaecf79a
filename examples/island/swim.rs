//! Swimming: the motion of a body in water that is too deep to stand in.

use bevy::prelude::*;
use lanternfell::prelude::*;

/// The body starts to swim where the water is deeper than `DEEP` meters, and stops where it is shallower by
/// `SHALLOWER`. Without this hysteresis, each wave would switch between walking and swimming.
const DEEP: f32 = 1.35;
const SHALLOWER: f32 = 0.25;
/// Speed in meters per second.
const SWIM_SPEED: f32 = 2.2;
const HURRY_SPEED: f32 = 3.8;
/// Speed in meters per second at which a resting body rises under water.
const RISE: f32 = 0.5;
/// Rate at which the vertical speed approaches the wanted one, per second.
const DRAG: f32 = 6.0;
/// Height of the eyes above the surface when floating, in meters.
const EYES_ABOVE: f32 = 0.22;
/// Below this pitch, in radians, a swimmer on the surface dives.
const DIVE: f32 = -0.4;

/// The swimmer's input.
#[derive(Debug, Clone, Copy)]
pub struct Strokes {
    /// Direction with a length of at most 1. In the body's frame, -z is ahead.
    pub ahead: Vec3,
    pub yaw: f32,
    pub pitch: f32,
    pub upwards: bool,
    pub hurries: bool,
}

/// Whether a body swims. `feet` is the height of its feet, and `swam` whether it swam before.
pub fn swims(water: Option<&WaterHit>, feet: f32, swam: bool) -> bool {
    let least = if swam { DEEP - SHALLOWER } else { DEEP };
    water.is_some_and(|hit| hit.depth > least && hit.point.y - feet > least)
}

/// The velocity of a swimmer in the next `seconds`. `eyes` is the height of the eyes above the surface, `surface` the
/// vertical speed of the surface, and `rose` the previous vertical speed of the body.
pub fn velocity(strokes: Strokes, eyes: f32, surface: f32, rose: f32, seconds: f32) -> Vec3 {
    let speed = if strokes.hurries {
        HURRY_SPEED
    } else {
        SWIM_SPEED
    };
    let is_under = eyes < -0.3;
    // On the surface, only a swimmer who looks down dives.
    let pitch = if is_under || strokes.pitch < DIVE {
        strokes.pitch
    } else {
        0.0
    };
    let look = Quat::from_euler(EulerRot::YXZ, strokes.yaw, pitch, 0.0);
    let mut stroke = look * strokes.ahead * speed;
    if strokes.upwards {
        stroke.y += speed;
    }
    let wanted = if stroke.y < -0.1 {
        stroke.y
    } else if is_under {
        stroke.y + RISE
    } else {
        // Move with the waves, with the head above the surface.
        surface + 4.0 * (EYES_ABOVE - eyes)
    };
    let rises = wanted + (rose - wanted) * (-DRAG * seconds).exp();
    stroke.with_y(rises)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: Strokes = Strokes {
        ahead: Vec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        upwards: false,
        hurries: false,
    };

    /// Simulates a swimmer on a sea with waves, and returns the height of the eyes above the surface.
    fn swim(strokes: Strokes, mut eyes: f32, rose: f32, wave: f32, seconds: u16) -> f32 {
        let (mut y, mut rises) = (eyes, rose);
        for step in 0..seconds * 60 {
            let time = f32::from(step) / 60.0;
            let surface = wave * (1.5 * time).sin();
            let speed = 1.5 * wave * (1.5 * time).cos();
            eyes = y - surface;
            rises = velocity(strokes, eyes, speed, rises, 1.0 / 60.0).y;
            y += rises / 60.0;
        }
        eyes
    }

    #[test]
    fn resting_swimmer_floats_on_waves() {
        assert!((swim(REST, 0.5, 0.0, 0.0, 10) - EYES_ABOVE).abs() < 0.01);
        assert!((swim(REST, -8.0, 0.0, 0.0, 30) - EYES_ABOVE).abs() < 0.01);
        for seconds in 10..20 {
            assert!((swim(REST, 0.2, 0.0, 0.4, seconds) - EYES_ABOVE).abs() < 0.15);
        }
    }

    #[test]
    fn falling_body_submerges_and_rises() {
        assert!(swim(REST, 0.2, -12.0, 0.0, 1) < 0.0);
        assert!((swim(REST, 0.2, -12.0, 0.0, 12) - EYES_ABOVE).abs() < 0.01);
    }

    #[test]
    fn only_looking_down_dives() {
        let ahead = Strokes {
            ahead: Vec3::NEG_Z,
            ..REST
        };
        let down = Strokes {
            pitch: -0.9,
            ..ahead
        };
        assert!((swim(ahead, 0.2, 0.0, 0.0, 5) - EYES_ABOVE).abs() < 0.01);
        assert!(swim(down, 0.2, 0.0, 0.0, 5) < -5.0);
        let up = Strokes {
            upwards: true,
            ..down
        };
        assert!(swim(up, -5.0, 0.0, 0.0, 12) > -0.5);
    }

    #[test]
    fn shallow_water_is_waded() {
        let hit = |depth| WaterHit {
            terrain: Entity::PLACEHOLDER,
            point: Vec3::ZERO,
            normal: Vec3::Y,
            velocity: Vec3::ZERO,
            depth,
        };
        assert!(!swims(None, -3.0, true));
        assert!(!swims(Some(&hit(1.2)), -1.2, false));
        assert!(swims(Some(&hit(1.2)), -1.2, true));
        assert!(swims(Some(&hit(5.0)), -1.5, false));
        // Above the water the body falls.
        assert!(!swims(Some(&hit(5.0)), 2.0, true));
    }
}
