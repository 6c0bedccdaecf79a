//! Swimming: how a body moves where it is too deep to stand.

use bevy::prelude::*;
use lanternfell::prelude::*;

/// Where it is as deep at the body it swims, and where it is shallower by so much it walks again: else it would change
/// with each wave.
const DEEP: f32 = 1.35;
const SHALLOWER: f32 = 0.25;
/// Metres a second.
const SWIM_SPEED: f32 = 2.2;
const HURRY_SPEED: f32 = 3.8;
/// Metres a second upwards, for one who does nothing under water.
const RISE: f32 = 0.5;
/// How fast water brakes a fall, and lifts, per second.
const DRAG: f32 = 6.0;
/// The eyes of one who floats are so many metres above the surface.
const EYES_ABOVE: f32 = 0.22;
/// From this pitch on one who looks down dives, in radians.
const DIVE: f32 = -0.4;

/// What a swimmer does.
#[derive(Debug, Clone, Copy)]
pub struct Strokes {
    /// Of length 1 at most, in the body's own frame, ahead being -z.
    pub ahead: Vec3,
    pub yaw: f32,
    pub pitch: f32,
    pub upwards: bool,
    pub hurries: bool,
}

/// Whether a body whose feet are so high swims, if it did before or not.
pub fn swims(water: Option<&WaterHit>, feet: f32, swam: bool) -> bool {
    let least = if swam { DEEP - SHALLOWER } else { DEEP };
    water.is_some_and(|hit| hit.depth > least && hit.point.y - feet > least)
}

/// The swimmer's velocity, a moment after it rose so fast. Eyes are so many metres above the surface, which itself rises
/// or falls.
pub fn velocity(strokes: Strokes, eyes: f32, surface: f32, rose: f32, seconds: f32) -> Vec3 {
    let speed = if strokes.hurries {
        HURRY_SPEED
    } else {
        SWIM_SPEED
    };
    let is_under = eyes < -0.3;
    // On the surface one swims ahead, and only who looks down dives.
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
        // With the waves, the head above.
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

    /// Where the eyes are after so many seconds on a sea that goes up and down, above its surface.
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
    fn who_rests_floats_on_the_waves() {
        assert!((swim(REST, 0.5, 0.0, 0.0, 10) - EYES_ABOVE).abs() < 0.01);
        assert!((swim(REST, -8.0, 0.0, 0.0, 30) - EYES_ABOVE).abs() < 0.01);
        for seconds in 10..20 {
            assert!((swim(REST, 0.2, 0.0, 0.4, seconds) - EYES_ABOVE).abs() < 0.15);
        }
    }

    #[test]
    fn who_falls_in_goes_under_and_comes_up() {
        assert!(swim(REST, 0.2, -12.0, 0.0, 1) < 0.0);
        assert!((swim(REST, 0.2, -12.0, 0.0, 12) - EYES_ABOVE).abs() < 0.01);
    }

    #[test]
    fn who_looks_down_dives_and_others_do_not() {
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
    fn one_stands_where_it_is_shallow() {
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
        // Above the water one falls.
        assert!(!swims(Some(&hit(5.0)), 2.0, true));
    }
}
