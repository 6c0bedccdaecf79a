//! Touch gestures: one finger looks, two fingers move.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraState},
    input::{
        InputSystems,
        touch::{TouchInput, TouchPhase, Touches},
    },
    prelude::*,
};
use bevy_egui::{EguiPreUpdateSet, input::EguiWantsInput};

use crate::{Eye, Motion};

pub fn plugin(app: &mut App) {
    app.init_resource::<Fingers>()
        .add_systems(
            PreUpdate,
            feel.after(InputSystems).after(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(
            RunFixedMainLoop,
            fly.run_if(in_state(Motion::Fly))
                .before(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        );
}

/// Radians per logical pixel that a finger moves. A drag across a phone's screen turns by about half a turn.
const LOOK_SPEED: f32 = 0.006;
/// Two fingers move at full speed if they are dragged this far, in logical pixels.
const FULL_TILT: f32 = 70.0;

/// The fingers on the terrain. Touches that start on the panel are ignored.
#[derive(Resource, Debug, Default)]
pub struct Fingers {
    down: Vec<Finger>,
    turned: Vec2,
    /// Whether the screen was ever touched. Then there may be no keyboard.
    pub known: bool,
}

#[derive(Debug, Clone, Copy)]
struct Finger {
    id: u64,
    start: Vec2,
    at: Vec2,
}

impl Fingers {
    /// Rotation of the view in this frame: yaw and pitch in radians.
    pub fn turn(&self) -> Vec2 {
        -LOOK_SPEED * self.turned
    }

    /// Direction of movement by two fingers: right and ahead, with a length of at most 1.
    pub fn stride(&self) -> Vec2 {
        if self.down.len() < 2 {
            return Vec2::ZERO;
        }
        let dragged: Vec2 = self
            .down
            .iter()
            .map(|finger| finger.at - finger.start)
            .sum();
        let mean = dragged / self.down.len() as f32;
        (mean * Vec2::new(1.0, -1.0) / FULL_TILT).clamp_length_max(1.0)
    }

    fn touch(&mut self, touch: &TouchInput, on_panel: bool) {
        self.known = true;
        let (id, at) = (touch.id, touch.position);
        match touch.phase {
            TouchPhase::Started if on_panel => {}
            TouchPhase::Started => {
                self.down.push(Finger { id, start: at, at });
                self.restart_gesture();
            }
            TouchPhase::Moved => self.drag(id, at),
            TouchPhase::Ended | TouchPhase::Canceled => {
                self.down.retain(|finger| finger.id != id);
                self.restart_gesture();
            }
        }
    }

    fn drag(&mut self, id: u64, to: Vec2) {
        let alone = self.down.len() == 1;
        for finger in self.down.iter_mut().filter(|finger| finger.id == id) {
            if alone {
                self.turned += to - finger.at;
            }
            finger.at = to;
        }
    }

    /// Starts a new gesture when the number of fingers changes.
    fn restart_gesture(&mut self) {
        for finger in &mut self.down {
            finger.start = finger.at;
        }
    }
}

fn feel(
    mut touches: MessageReader<TouchInput>,
    panel: Res<EguiWantsInput>,
    mut fingers: ResMut<Fingers>,
    mut known: ResMut<Touches>,
) {
    fingers.turned = Vec2::ZERO;
    for touch in touches.read() {
        fingers.touch(touch, panel.wants_any_pointer_input());
    }
    // The free camera would also turn by every finger, and keep turning while a finger rests.
    known.reset_all();
}

fn fly(
    fingers: Res<Fingers>,
    mut eyes: Query<(&mut Transform, &FreeCamera, &mut FreeCameraState), With<Eye>>,
) {
    let (turn, stride) = (fingers.turn(), fingers.stride());
    for (mut eye, camera, mut state) in &mut eyes {
        if stride != Vec2::ZERO {
            let speed = camera.run_speed * state.speed_multiplier;
            state.velocity = Vec3::new(stride.x, 0.0, stride.y) * speed;
        }
        if turn != Vec2::ZERO {
            state.yaw += turn.x;
            state.pitch = (state.pitch + turn.y).clamp(-1.5, 1.5);
            eye.rotation = Quat::from_euler(EulerRot::YXZ, state.yaw, state.pitch, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(fingers: &mut Fingers, id: u64, phase: TouchPhase, x: f32, y: f32) {
        let input = TouchInput {
            phase,
            position: Vec2::new(x, y),
            window: Entity::PLACEHOLDER,
            force: None,
            id,
        };
        fingers.touch(&input, false);
    }

    #[test]
    fn one_finger_looks_and_two_move() {
        use TouchPhase::{Ended, Moved, Started};
        let mut fingers = Fingers::default();
        touch(&mut fingers, 4, Started, 100.0, 100.0);
        touch(&mut fingers, 4, Moved, 150.0, 90.0);
        // As with a mouse: moving right decreases the yaw, and moving up increases the pitch.
        assert!(fingers.turn().x < 0.0 && fingers.turn().y > 0.0);
        assert_eq!(fingers.stride(), Vec2::ZERO);
        fingers.turned = Vec2::ZERO;
        touch(&mut fingers, 5, Started, 200.0, 100.0);
        assert_eq!(fingers.stride(), Vec2::ZERO);
        touch(&mut fingers, 4, Moved, 150.0, 20.0);
        touch(&mut fingers, 5, Moved, 200.0, 30.0);
        assert_eq!(fingers.stride(), Vec2::Y);
        assert_eq!(fingers.turn(), -Vec2::ZERO);
        touch(&mut fingers, 5, Ended, 200.0, 30.0);
        assert_eq!(fingers.stride(), Vec2::ZERO);
    }

    #[test]
    fn ignores_touches_on_panel() {
        let mut fingers = Fingers::default();
        let mut input = TouchInput {
            phase: TouchPhase::Started,
            position: Vec2::ZERO,
            window: Entity::PLACEHOLDER,
            force: None,
            id: 1,
        };
        fingers.touch(&input, true);
        input.phase = TouchPhase::Moved;
        input.position = Vec2::ONE;
        fingers.touch(&input, false);
        assert_eq!(fingers.turn(), -Vec2::ZERO);
    }
}
