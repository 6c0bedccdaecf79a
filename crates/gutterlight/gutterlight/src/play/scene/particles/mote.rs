//! Motes: their kinds, movement and appearance over time.

use core::f32::consts::TAU;

use bevy::{math::ops, prelude::*};
use gutterlight_assets::art::palette::{BLUE, COLD, FLAME, Ink, TEAL, VIOLET, WARM, WHITE};

use crate::play::place;

/// Layers: on the ground, in front of figures, and above the light.
const LOW: f32 = place::GROUND + 5.0;
const HIGH: f32 = place::FIGURES + 5.0;
const BRIGHT: f32 = place::FLAMES + 5.0;

/// The kind of a mote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// From a flame. It rises and burns out.
    Spark,
    /// From an extinguished flame. It falls.
    Ember,
    /// A thread of smoke over a flame.
    Wisp,
    /// Smoke from an extinguished flame.
    Puff,
    /// Smoke that fills cells.
    Smoke,
    /// From fungus.
    Spore,
    /// On a crystal.
    Glint,
    /// Dust in moonlight.
    Fleck,
    /// A drop of water.
    Drop,
    /// A ripple on water.
    Ripple,
    /// Dust from the floor.
    Dust,
    /// The trail of a blade.
    Cut,
}

/// The shapes of motes, in the order of their texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One pixel.
    Dot,
    /// 2 x 2 pixels.
    Grain,
    /// Three pixels in a column.
    Thread,
    /// Five pixels, as a plus sign.
    Cross,
    /// A disc with a soft edge and a radius of 2 to 5 pixels.
    Puff2,
    Puff3,
    Puff4,
    Puff5,
    /// A growing ring on water.
    Ring1,
    Ring2,
    Ring3,
    /// A diagonal stroke.
    Stroke,
}

impl Shape {
    /// All shapes, in the order of their texture.
    const ALL: [Self; 12] = [
        Self::Dot,
        Self::Grain,
        Self::Thread,
        Self::Cross,
        Self::Puff2,
        Self::Puff3,
        Self::Puff4,
        Self::Puff5,
        Self::Ring1,
        Self::Ring2,
        Self::Ring3,
        Self::Stroke,
    ];
}

/// The number of shapes.
pub const SHAPES: u32 = Shape::ALL.len() as u32;

/// The properties of a kind of mote. Lengths are in world units.
pub struct Nature {
    /// The lifetime in seconds.
    lasts: f32,
    /// The upward acceleration, per second squared.
    lift: f32,
    /// The fraction of its speed that it loses per second.
    drag: f32,
    /// The amplitude of the sideways sway.
    sway: f32,
    /// The initial opacity.
    alpha: f32,
    height: f32,
    /// The shapes over its lifetime.
    shapes: &'static [Shape],
    inks: &'static [Ink],
}

/// A mote that neither sways nor falls.
const STILL: Nature = Nature {
    lasts: 1.0,
    lift: 0.0,
    drag: 0.0,
    sway: 0.0,
    alpha: 1.0,
    height: HIGH,
    shapes: &[Shape::Dot],
    inks: &[WHITE],
};

impl Kind {
    /// Whether the mote is a flash, which is hidden when flicker is off.
    pub const fn flashes(self) -> bool {
        matches!(self, Self::Spark | Self::Glint | Self::Cut)
    }

    const fn nature(self) -> Nature {
        use Shape::*;
        match self {
            Self::Spark => Nature {
                lasts: 0.9,
                sway: 1.5,
                height: BRIGHT,
                inks: &[FLAME[4], FLAME[3], FLAME[2], FLAME[1], FLAME[0]],
                ..STILL
            },
            Self::Ember => Nature {
                lasts: 0.9,
                lift: -55.0,
                drag: 1.5,
                height: BRIGHT,
                inks: &[FLAME[3], FLAME[2], FLAME[1], FLAME[0]],
                ..STILL
            },
            Self::Wisp => Nature {
                lasts: 1.8,
                sway: 2.0,
                alpha: 0.28,
                shapes: &[Thread, Thread, Dot],
                inks: &[COLD[4]],
                ..STILL
            },
            Self::Puff => Nature {
                lasts: 1.5,
                drag: 0.8,
                sway: 1.5,
                alpha: 0.55,
                shapes: &[Puff2, Puff3, Puff4],
                inks: &[COLD[4], COLD[3]],
                ..STILL
            },
            Self::Smoke => Nature {
                lasts: 2.6,
                sway: 2.5,
                alpha: 0.45,
                shapes: &[Puff3, Puff4, Puff5, Puff4],
                inks: &[COLD[5], COLD[4], COLD[3]],
                ..STILL
            },
            Self::Spore => Nature {
                lasts: 2.8,
                sway: 3.0,
                alpha: 0.8,
                height: BRIGHT,
                inks: &[TEAL[3], TEAL[2], TEAL[1]],
                ..STILL
            },
            Self::Glint => Nature {
                lasts: 0.5,
                height: BRIGHT,
                shapes: &[Dot, Cross, Dot],
                inks: &[VIOLET[3]],
                ..STILL
            },
            Self::Fleck => Nature {
                lasts: 3.2,
                sway: 2.5,
                alpha: 0.5,
                height: BRIGHT,
                inks: &[BLUE[3]],
                ..STILL
            },
            Self::Drop => Nature {
                lasts: 0.34,
                lift: -190.0,
                inks: &[BLUE[3], BLUE[2]],
                ..STILL
            },
            Self::Ripple => Nature {
                lasts: 0.7,
                alpha: 0.7,
                height: LOW,
                shapes: &[Ring1, Ring2, Ring3],
                inks: &[BLUE[3], BLUE[2]],
                ..STILL
            },
            Self::Dust => Nature {
                lasts: 0.6,
                drag: 4.0,
                alpha: 0.7,
                shapes: &[Grain, Grain, Dot],
                inks: &[WARM[5], WARM[4], WARM[3]],
                ..STILL
            },
            Self::Cut => Nature {
                lasts: 0.14,
                height: BRIGHT,
                shapes: &[Stroke],
                ..STILL
            },
        }
    }
}

/// A mote. Positions are in world units and speeds in units per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mote {
    pub kind: Kind,
    pub place: Vec2,
    pub speed: Vec2,
    /// The age in seconds. A negative age delays the start.
    pub age: f32,
    /// A random number from 0 to 1, which varies sway and lifetime.
    pub chance: f32,
}

/// The current appearance of a mote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub shape: Shape,
    pub color: Color,
    /// The position, with its layer as z.
    pub place: Vec3,
}

impl Mote {
    /// The fraction of the lifetime that has passed. Negative before the start, and at least 1 at
    /// the end.
    pub fn passed(&self) -> f32 {
        self.age / (self.kind.nature().lasts * (0.75 + 0.5 * self.chance))
    }

    /// Advances the mote. Returns whether it is still alive.
    pub fn pass(&mut self, seconds: f32) -> bool {
        self.age += seconds;
        if self.age > 0.0 {
            let nature = self.kind.nature();
            self.speed *= ops::exp(-nature.drag * seconds);
            self.speed.y += nature.lift * seconds;
            self.place += self.speed * seconds;
        }
        self.passed() < 1.0
    }

    /// The current appearance. `None` before the start and after the end.
    pub fn look(&self) -> Option<Look> {
        let (nature, passed) = (self.kind.nature(), self.passed());
        if !(0.0..1.0).contains(&passed) {
            return None;
        }
        let sway = nature.sway * ops::sin(TAU * (self.chance + 0.6 * self.age));
        let place = (self.place + Vec2::new(sway, 0.0)).round();
        let [red, green, blue] = at(nature.inks, passed)?;
        // Few distinct values, so that few sprites change per frame.
        let fades = (4.0 * (1.0 - passed) / 0.5).ceil().min(4.0) / 4.0;
        Some(Look {
            shape: at(nature.shapes, passed)?,
            color: Color::srgb_u8(red, green, blue).with_alpha(nature.alpha * fades),
            place: place.extend(nature.height),
        })
    }
}

/// The element of a list at a fraction of the lifetime.
fn at<T: Copy>(all: &[T], passed: f32) -> Option<T> {
    all.get((passed * all.len() as f32) as usize).copied()
}

/// The alpha of a pixel of a shape, from 0 to 255.
pub fn shape(mark: u32, x: i32, y: i32) -> u8 {
    // Distances from the center in half pixels, and from the pixel to its upper right in pixels.
    let (dx, dy) = (2 * x - 15, 2 * y - 15);
    let (right, down) = (x - 8, y - 7);
    let solid = |is_drawn: bool| if is_drawn { 255 } else { 0 };
    let puff = |around: i32| match dx * dx + dy * dy {
        away if away < 4 * (around - 1) * (around - 1) => 255,
        away if away <= 4 * around * around => 140,
        _ => 0,
    };
    // Foreshortened, like everything in the keep.
    let ring = |around: i32| {
        let away = dx * dx + 6 * dy * dy;
        let (outer, inner) = (2 * around, 2 * around - 3);
        solid((inner * inner..outer * outer).contains(&away))
    };
    match Shape::ALL[mark as usize % Shape::ALL.len()] {
        Shape::Dot => solid((right, down) == (0, 0)),
        Shape::Grain => solid(dx.abs() < 2 && dy.abs() < 2),
        Shape::Thread => solid(right == 0 && down.abs() < 2),
        Shape::Cross => solid(right.abs() + down.abs() < 2),
        Shape::Puff2 => puff(2),
        Shape::Puff3 => puff(3),
        Shape::Puff4 => puff(4),
        Shape::Puff5 => puff(5),
        Shape::Ring1 => ring(4),
        Shape::Ring2 => ring(6),
        Shape::Ring3 => ring(8),
        // Thickest in the middle.
        Shape::Stroke => solid((x + y - 15).abs() <= (7 - right.abs().max(down.abs())) / 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 12] = [
        Kind::Spark,
        Kind::Ember,
        Kind::Wisp,
        Kind::Puff,
        Kind::Smoke,
        Kind::Spore,
        Kind::Glint,
        Kind::Fleck,
        Kind::Drop,
        Kind::Ripple,
        Kind::Dust,
        Kind::Cut,
    ];

    fn mote(kind: Kind, chance: f32) -> Mote {
        Mote {
            kind,
            place: Vec2::new(13.37, -0.6),
            speed: Vec2::new(3.1, 11.0),
            age: -0.1,
            chance,
        }
    }

    #[test]
    fn motes_wait_appear_and_die() {
        for kind in KINDS {
            for chance in [0.0, 0.4, 0.999] {
                let mut mote = mote(kind, chance);
                assert_eq!(mote.look(), None, "{kind:?} waits");
                let (mut seen, mut lives) = (0, 0);
                while mote.pass(1.0 / 60.0) {
                    lives += 1;
                    if let Some(look) = mote.look() {
                        seen += 1;
                        assert_eq!(look.place, look.place.round(), "{kind:?}");
                        assert!(look.color.alpha() > 0.0, "{kind:?}");
                    }
                    assert!(lives < 1000, "{kind:?} lives for ever");
                }
                assert!(seen > 3 && lives - seen >= 5, "{kind:?} {seen} {lives}");
            }
        }
    }

    #[test]
    fn only_glowing_motes_are_above_the_light() {
        use Kind::{Cut, Ember, Fleck, Glint, Spark, Spore};
        for kind in KINDS {
            let glows = matches!(kind, Spark | Ember | Spore | Glint | Fleck | Cut);
            // The layer of the light is 100.
            assert_eq!(kind.nature().height > 100.0, glows, "{kind:?}");
        }
    }

    #[test]
    fn shapes_match_their_index() {
        for (place, shape) in Shape::ALL.into_iter().enumerate() {
            assert_eq!(shape as usize, place, "{shape:?}");
        }
    }

    #[test]
    fn shapes_fit_their_cell() {
        for mark in 0..SHAPES {
            let all = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
            let drawn = all.filter(|(x, y)| shape(mark, *x, *y) > 0).count();
            let expected = if mark == Shape::Dot as u32 {
                1..2
            } else {
                3..120
            };
            assert!(expected.contains(&drawn), "{mark}: {drawn}");
        }
    }
}
