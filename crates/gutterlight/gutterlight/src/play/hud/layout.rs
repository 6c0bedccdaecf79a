//! Layout of the HUD. Text must not cover what matters.
//!
//! ```text
//!   wide:   [ place, bells                  ]     small:   [ place, bells         ]
//!           |  the keep          | minimap* |              |  the keep | minimap* |
//!           |                               |              | journal*             |
//!           [ gem, stores | journal | hint  ]              [ gem, stores          ]
//! ```
//!
//! In a wide window the panel has room for the journal. In a small window the journal is over the keep. Overlays on the
//! keep (*) are [`Shy`]: each moves to the first of its corners that covers no visible lit cells, no creatures and no
//! other overlay.

use bevy::prelude::*;
use gutterlight_rules::{LightBand, View};

use crate::play::{
    game::{Game, GameSystems},
    hud::style::{PANEL, TOP},
    place,
    player::cursor::Cursor,
    screen::is_play,
};

/// The minimum width of a wide window, in UI pixels.
const WIDE: f32 = 1270.0;

/// The margin from the window's sides, the bar and the panel.
const AWAY: f32 = 8.0;

/// Seconds for which a better corner must stay free before an overlay moves back to it.
const PATIENCE: f32 = 1.5;

/// The weight of a covered creature and of a covered overlay, relative to one lit cell.
const SOMEBODY: u32 = 100;
const WORDS: u32 = 1000;

/// Whether the window is wide.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Wide(pub bool);

/// A node that is in the panel of a wide window, and over the keep in a small one.
#[derive(Component)]
#[require(Node)]
pub struct Placed {
    pub wide: Node,
    pub small: Node,
    /// The corners over the keep, best first. Empty if the node does not move.
    pub corners: &'static [Corner],
}

/// A corner of the keep's view, between the bar and the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

/// An overlay that moves out of the way.
#[derive(Component, Debug)]
pub struct Shy {
    /// The allowed corners, best first.
    corners: &'static [Corner],
    /// The index of the current corner.
    now: usize,
    /// Seconds for which a better corner has been free.
    free: f32,
}

impl Shy {
    /// Starts in the first of these corners. There must be at least one.
    pub const fn new(corners: &'static [Corner]) -> Self {
        Self {
            corners,
            now: 0,
            free: 0.0,
        }
    }

    fn corner(&self) -> Option<Corner> {
        self.corners.get(self.now).copied()
    }

    /// Moves away at once if something is covered, and back after a delay. `under` returns the weight of what a corner
    /// covers.
    fn choose(&mut self, under: impl Fn(Corner) -> u32, seconds: f32) {
        let here = self.corner().map_or(u32::MAX, &under);
        if (self.now, here) == (0, 0) {
            return;
        }
        let busy = self.corners.iter().map(|corner| under(*corner));
        let best = busy.enumerate().min_by_key(|&(place, busy)| (busy, place));
        let (best, busy) = best.unwrap_or((0, 0));
        if best == self.now {
            self.free = 0.0;
            return;
        }
        self.free += seconds;
        // Do not move to save a single lit cell.
        let gives_way = here > 0 && (busy == 0 || here >= 2 * busy);
        if gives_way || self.free >= PATIENCE {
            self.now = best;
            self.free = 0.0;
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Wide>().add_systems(
        Update,
        (
            (measure, apply_layout.run_if(resource_changed::<Wide>))
                .chain()
                .before(GameSystems::Show),
            give_way.after(GameSystems::Show).run_if(is_play),
        ),
    );
}

fn measure(scale: Res<UiScale>, camera: Single<&Camera>, mut wide: ResMut<Wide>) {
    if let Some(size) = camera.logical_viewport_size() {
        wide.set_if_neq(Wide(size.x / scale.0 >= WIDE));
    }
}

fn apply_layout(
    wide: Res<Wide>,
    mut all: Query<(Entity, &Placed, &mut Node)>,
    mut commands: Commands,
) {
    for (entity, placed, mut node) in &mut all {
        let (wanted, corners) = match wide.0 {
            true => (&placed.wide, &[][..]),
            false => (&placed.small, placed.corners),
        };
        *node = wanted.clone();
        match corners {
            [] => commands.entity(entity).remove::<Shy>(),
            _ => commands.entity(entity).insert(Shy::new(corners)),
        };
    }
}

impl Corner {
    /// Moves a node to this corner.
    fn place(self, node: &mut Mut<Node>) {
        let (top, left) = match self {
            Self::TopLeft => (true, true),
            Self::TopRight => (true, false),
            Self::BottomLeft => (false, true),
            Self::BottomRight => (false, false),
        };
        let side = |here: bool, away: f32| if here { px(away) } else { auto() };
        let wanted = [
            side(top, TOP + AWAY),
            side(!top, PANEL + AWAY),
            side(left, AWAY),
            side(!left, AWAY),
        ];
        if [node.top, node.bottom, node.left, node.right] != wanted {
            [node.top, node.bottom, node.left, node.right] = wanted;
        }
    }

    /// The rectangle that a node of this size covers in this corner, in UI pixels.
    fn rect(self, size: Vec2, window: Vec2) -> Rect {
        let (low, high) = (
            Vec2::new(AWAY, TOP + AWAY),
            window - Vec2::new(AWAY, PANEL + AWAY) - size,
        );
        let corner = match self {
            Self::TopLeft => low,
            Self::TopRight => Vec2::new(high.x, low.y),
            Self::BottomLeft => Vec2::new(low.x, high.y),
            Self::BottomRight => high,
        };
        Rect::from_corners(corner, corner + size)
    }
}

fn give_way(
    time: Res<Time>,
    game: Res<Game>,
    scale: Res<UiScale>,
    cursor: Res<Cursor>,
    camera: Single<(&Camera, &Transform)>,
    fixed: Query<(&ComputedNode, &UiGlobalTransform), (With<Placed>, Without<Shy>)>,
    mut shy: Query<(&mut Shy, &mut Node, &ComputedNode)>,
) {
    let (camera, lens) = *camera;
    let lens = GlobalTransform::from(*lens);
    let Some(window) = camera.logical_viewport_size() else {
        return;
    };
    let view = game.view();
    let cell = |at: Vec2| {
        let place = camera.viewport_to_world_2d(&lens, at * scale.0).ok()?;
        Some(place::cell_at(place, view.size()))
    };
    let guards = view.guards().map(|guard| guard.at);
    let somebody = guards.chain([view.thief().at]).chain(cursor.at);
    let somebody: Vec<IVec2> = somebody.collect();
    let words = fixed.iter().map(|(computed, place)| {
        let scale = computed.inverse_scale_factor;
        Rect::from_center_size(place.translation * scale, computed.size() * scale)
    });
    let mut taken: Vec<Rect> = words.filter(|words| !words.is_empty()).collect();
    for (mut shy, mut node, computed) in &mut shy {
        let size = computed.size() * computed.inverse_scale_factor;
        let under = |corner: Corner| {
            let rect = corner.rect(size, window / scale.0);
            let covers = |other: &Rect| !rect.intersect(*other).is_empty();
            if taken.iter().any(covers) {
                return WORDS;
            }
            match (cell(rect.min), cell(rect.max)) {
                (Some(low), Some(high)) => matters(view, &somebody, low, high),
                _ => 0,
            }
        };
        shy.choose(under, time.delta_secs());
        if let Some(corner) = shy.corner() {
            corner.place(&mut node);
            taken.push(corner.rect(size, window / scale.0));
        }
    }
}

/// The weight of everything between two cells: visible lit cells, and with more weight creatures and the cursor.
fn matters(view: View<'_>, somebody: &[IVec2], low: IVec2, high: IVec2) -> u32 {
    let inside = |at: IVec2| at.cmpge(low).all() && at.cmple(high).all();
    let rows = low.y.max(0)..=high.y.min(view.size().y - 1);
    let cells = rows.flat_map(|y| {
        (low.x.max(0)..=high.x.min(view.size().x - 1)).map(move |x| IVec2::new(x, y))
    });
    let lit = cells.filter(|&at| view.band(at) > Some(LightBand::Hidden));
    let there = somebody.iter().filter(|&&at| inside(at));
    lit.count() as u32 + SOMEBODY * there.count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Corner; 3] = [Corner::TopRight, Corner::BottomRight, Corner::BottomLeft];

    /// A weight for each corner, in order.
    fn under(busy: [u32; 3]) -> impl Fn(Corner) -> u32 {
        move |corner| {
            let place = CORNERS.iter().position(|other| *other == corner);
            place.map_or(u32::MAX, |place| busy[place])
        }
    }

    #[test]
    fn moves_away_at_once_and_back_after_delay() {
        let mut shy = Shy::new(&CORNERS);
        shy.choose(under([0, 0, 0]), 0.1);
        assert_eq!(shy.now, 0);
        shy.choose(under([3, 1, 0]), 0.1);
        assert_eq!(shy.now, 2);
        shy.choose(under([0, 0, 0]), 1.0);
        assert_eq!(shy.now, 2, "it waits before moving back");
        shy.choose(under([0, 0, 0]), 1.0);
        assert_eq!(shy.now, 0);
    }

    #[test]
    fn does_not_move_for_small_gains() {
        let mut shy = Shy::new(&CORNERS);
        shy.choose(under([20, 19, 21]), 0.1);
        assert_eq!(shy.now, 0);
        shy.choose(under([20, 19, 21]), PATIENCE);
        assert_eq!(shy.now, 1);
    }

    #[test]
    fn takes_least_bad_corner() {
        let mut shy = Shy::new(&CORNERS);
        shy.choose(under([100, 4, 7]), 0.1);
        assert_eq!(shy.now, 1);
    }

    #[test]
    fn corners_are_between_bar_and_panel() {
        let window = Vec2::new(640.0, 360.0);
        let picture = Rect::new(0.0, TOP, 640.0, 360.0 - PANEL);
        for corner in CORNERS {
            let rect = corner.rect(Vec2::new(200.0, 60.0), window);
            assert_eq!(rect.intersect(picture), rect, "{corner:?}");
        }
    }
}
