//! Guards: six kinds and the hunter, standing and walking with and without their light, and lying.

use core::fmt;

use gutterlight_rules::{GuardKind, SeenGuard};

use super::{
    canvas::{Canvas, SIDE},
    figure::{Facing, Look, STEPS},
    hound, hunter, lamplighter, listener,
    palette::{COLD, FLAME, INK, Ink, RED, WARM, luma},
    sentry, warden, watchman,
};

/// The appearance of a guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guise {
    /// The usual appearance of its kind.
    Of(GuardKind),
    /// A watchman who was called to hunt.
    Hunter,
}

impl fmt::Debug for Guise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(kind) => kind.fmt(f),
            Self::Hunter => f.write_str("Hunter"),
        }
    }
}

impl Guise {
    /// All appearances.
    pub fn all() -> impl Iterator<Item = Self> {
        GuardKind::ALL
            .into_iter()
            .map(Self::Of)
            .chain([Self::Hunter])
    }

    /// The appearance of a guard.
    pub fn of(guard: &SeenGuard) -> Self {
        match guard.kind {
            GuardKind::Watchman if guard.hunts => Self::Hunter,
            kind => Self::Of(kind),
        }
    }

    /// Whether it may carry a light.
    pub const fn has_light(self) -> bool {
        self.look().light
    }

    const fn look(self) -> &'static Look {
        match self {
            Self::Hunter => &hunter::HUNTER,
            Self::Of(GuardKind::Watchman) => &watchman::WATCHMAN,
            Self::Of(GuardKind::Sentry) => &sentry::SENTRY,
            Self::Of(GuardKind::Hound) => &hound::HOUND,
            Self::Of(GuardKind::Listener) => &listener::LISTENER,
            Self::Of(GuardKind::Lamplighter) => &lamplighter::LAMPLIGHTER,
            Self::Of(GuardKind::Warden) => &warden::WARDEN,
        }
    }
}

/// A guard in a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pose {
    /// Standing or walking.
    Up {
        /// The appearance.
        guise: Guise,
        /// Whether its lantern is lit. Always `false` for guards without one.
        lit: bool,
        /// The direction it faces.
        facing: Facing,
        /// The walk frame.
        step: u8,
    },
    /// Asleep.
    Asleep(Guise),
    /// Knocked out.
    Unconscious(Guise),
    /// Dead.
    Dead(Guise),
}

impl Pose {
    /// A standing or walking guard.
    pub const fn up(guise: Guise, lit: bool, facing: Facing, frame: u32) -> Self {
        Self::Up {
            guise,
            lit: lit && guise.has_light(),
            facing,
            step: (frame % STEPS as u32) as u8,
        }
    }

    /// All poses.
    pub fn all() -> impl Iterator<Item = Self> {
        let up = Guise::all().flat_map(|guise| {
            let lights = [false, true];
            let lights = lights
                .into_iter()
                .filter(move |lit| !lit || guise.has_light());
            lights.flat_map(move |lit| {
                Facing::ALL.into_iter().flat_map(move |facing| {
                    (0..u32::from(STEPS)).map(move |frame| Self::up(guise, lit, facing, frame))
                })
            })
        });
        let lying = [Self::Asleep, Self::Unconscious, Self::Dead];
        up.chain(lying.into_iter().flat_map(|pose| Guise::all().map(pose)))
    }

    /// Draws the pose.
    pub fn draw(self) -> Canvas {
        match self {
            Self::Up {
                guise,
                lit,
                facing,
                step,
            } => {
                let shining = guise.look().views.draw(facing, step);
                let figure = if lit { shining } else { dark(guise, &shining) };
                figure.edged()
            }
            Self::Asleep(guise) => asleep(guise),
            Self::Unconscious(guise) => {
                let mut canvas = lying(guise).edged();
                for (x, y) in [(1, 2), (5, 0), (9, 2)] {
                    canvas.spell(x, y, &[".Y.", "YWY", ".Y."]);
                }
                canvas
            }
            Self::Dead(guise) => {
                let mut canvas = pool();
                let drained = lying(guise).mirrored().inked(drain).edged();
                canvas.overlay(&drained, 0, 0);
                canvas
            }
        }
    }
}

/// Replaces the colors of flames, for a guard whose light is out.
fn dark(guise: Guise, shining: &Canvas) -> Canvas {
    let is_flame = |ink: Ink| ink == FLAME[3] || ink == FLAME[4];
    let mut canvas = *shining;
    if guise.has_light() {
        canvas.paint(|x, y| {
            shining
                .ink(x, y)
                .filter(|ink| is_flame(*ink))
                .map(|_| COLD[1])
        });
    }
    canvas
}

/// Lying on the back with the head to the left, without an outline.
fn lying(guise: Guise) -> Canvas {
    let look = guise.look();
    match look.lies {
        Some([lying, _]) => Canvas::spelled(lying),
        None => {
            let standing = dark(guise, &look.views.draw(Facing::South, 0));
            let (left, right) = look.trunk;
            let mut body = Canvas::EMPTY;
            body.paint(|x, y| standing.ink(x, y).filter(|_| (left..=right).contains(&x)));
            // The lower edge of the body is on the second-to-last row.
            body.turned().mirrored().moved(0, SIDE - 2 - right)
        }
    }
}

/// Under a blanket. A hound curls up.
fn asleep(guise: Guise) -> Canvas {
    if let Some([_, asleep]) = guise.look().lies {
        return Canvas::spelled(asleep).edged();
    }
    let mut canvas = lying(guise);
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

/// Desaturates a color.
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
