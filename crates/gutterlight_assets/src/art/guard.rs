//! The guards: six kinds, standing and walking with and without their light, and lying.

use lanternfell_stealth::GuardKind;

use super::{
    canvas::{Canvas, SIDE},
    figure::{Facing, STEPS, Views},
    hound, lamplighter, listener,
    palette::{COLD, FLAME, INK, Ink, RED, WARM, luma},
    sentry, warden, watchman,
};

/// A guard in one of all poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pose {
    /// On its feet.
    Up {
        /// What kind.
        kind: GuardKind,
        /// Whether its lantern shines; never of those who have none.
        lit: bool,
        /// Which way it looks.
        facing: Facing,
        /// In which step.
        step: u8,
    },
    /// Asleep.
    Asleep(GuardKind),
    /// Knocked out.
    Unconscious(GuardKind),
    /// Dead.
    Dead(GuardKind),
}

impl Pose {
    /// On its feet, looking that way, in that step.
    pub const fn up(kind: GuardKind, lit: bool, facing: Facing, frame: u32) -> Self {
        Self::Up {
            kind,
            lit: lit && has_light(kind),
            facing,
            step: (frame % STEPS as u32) as u8,
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let up = GuardKind::ALL.into_iter().flat_map(|kind| {
            let lights = [false, true];
            let lights = lights
                .into_iter()
                .filter(move |lit| !lit || has_light(kind));
            lights.flat_map(move |lit| {
                Facing::ALL.into_iter().flat_map(move |facing| {
                    (0..u32::from(STEPS)).map(move |frame| Self::up(kind, lit, facing, frame))
                })
            })
        });
        let lying = [Self::Asleep, Self::Unconscious, Self::Dead];
        up.chain(lying.into_iter().flat_map(|pose| GuardKind::ALL.map(pose)))
    }

    /// What it looks like.
    pub fn draw(self) -> Canvas {
        match self {
            Self::Up {
                kind,
                lit,
                facing,
                step,
            } => {
                let shining = views(kind).draw(facing, step);
                let figure = if lit { shining } else { dark(kind, &shining) };
                figure.edged()
            }
            Self::Asleep(kind) => asleep(kind),
            Self::Unconscious(kind) => {
                let mut canvas = lying(kind).edged();
                for (x, y) in [(1, 2), (5, 0), (9, 2)] {
                    canvas.spell(x, y, &[".Y.", "YWY", ".Y."]);
                }
                canvas
            }
            Self::Dead(kind) => {
                let mut canvas = pool();
                let drained = lying(kind).mirrored().inked(drain).edged();
                canvas.lay(&drained, 0, 0);
                canvas
            }
        }
    }
}

/// Whether such guards may carry a light.
pub const fn has_light(kind: GuardKind) -> bool {
    matches!(
        kind,
        GuardKind::Watchman | GuardKind::Lamplighter | GuardKind::Warden
    )
}

const fn views(kind: GuardKind) -> &'static Views {
    match kind {
        GuardKind::Watchman => &watchman::WATCHMAN,
        GuardKind::Sentry => &sentry::SENTRY,
        GuardKind::Hound => &hound::HOUND,
        GuardKind::Listener => &listener::LISTENER,
        GuardKind::Lamplighter => &lamplighter::LAMPLIGHTER,
        GuardKind::Warden => &warden::WARDEN,
    }
}

/// The same with its light out.
fn dark(kind: GuardKind, shining: &Canvas) -> Canvas {
    let is_flame = |ink: Ink| ink == FLAME[3] || ink == FLAME[4];
    let mut canvas = *shining;
    if has_light(kind) {
        canvas.paint(|x, y| {
            shining
                .ink(x, y)
                .filter(|ink| is_flame(*ink))
                .map(|_| COLD[1])
        });
    }
    canvas
}

/// The columns of someone seen from the front without what is in the hands.
const fn trunk(kind: GuardKind) -> (i32, i32) {
    match kind {
        GuardKind::Watchman => (5, 12),
        GuardKind::Sentry => (4, 10),
        GuardKind::Lamplighter => (6, 14),
        GuardKind::Hound | GuardKind::Listener | GuardKind::Warden => (1, 14),
    }
}

/// On its back, the head to the left, without an edge.
fn lying(kind: GuardKind) -> Canvas {
    match kind {
        GuardKind::Hound => Canvas::spelled(&hound::LYING),
        _ => {
            let standing = dark(kind, &views(kind).draw(Facing::South, 0));
            let (left, right) = trunk(kind);
            let mut body = Canvas::EMPTY;
            body.paint(|x, y| standing.ink(x, y).filter(|_| (left..=right).contains(&x)));
            // Its lower edge comes to lie on the last row but one.
            body.turned().mirrored().moved(0, SIDE - 2 - right)
        }
    }
}

/// Under a blanket; a hound rolls up.
fn asleep(kind: GuardKind) -> Canvas {
    if kind == GuardKind::Hound {
        return Canvas::spelled(&hound::CURLED).edged();
    }
    let mut canvas = lying(kind);
    canvas.paint(|x, y| {
        let fold = (x + y) % 4 == 0;
        let corner = x == 14 && (y == 5 || y == 14);
        match x {
            _ if !(5..15).contains(&y) || corner => None,
            8 => Some(WARM[5]),
            9.. if fold => Some(WARM[2]),
            9..15 => Some(WARM[3]),
            _ => None,
        }
    });
    canvas.edged()
}

/// What is left of a color.
fn drain(ink: Ink) -> Ink {
    match luma(ink) {
        _ if ink == INK => INK,
        ..60 => COLD[0],
        60..110 => COLD[1],
        110..170 => COLD[2],
        _ => COLD[3],
    }
}

/// Blood on the floor.
fn pool() -> Canvas {
    let mut canvas = Canvas::EMPTY;
    canvas.paint(|x, y| {
        let (dx, dy) = (2 * x - SIDE + 1, 2 * (y - 12));
        match dx * dx + 5 * dy * dy {
            ..150 => Some(RED[1]),
            150..230 => Some(RED[0]),
            _ => None,
        }
    });
    canvas
}
