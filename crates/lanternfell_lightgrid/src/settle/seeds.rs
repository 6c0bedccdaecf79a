//! Where the settled solver has to begin: the cells that are off their averages.

use glam::{UVec2, Vec4};

use super::{ground::is_open, medium_of, moves, wanted};
use crate::{area::Area, channel::Channel, medium::Medium};

/// The cells that are off their averages.
#[derive(Default)]
pub(super) struct Seeds {
    /// Where something has changed since the light was settled last, one for each tile.
    pub(super) areas: Vec<Area>,
    /// Those that pass light on.
    pub(super) cells: Vec<(usize, usize)>,
    /// Those that do not.
    pub(super) walls: Vec<(usize, usize)>,
}

impl Seeds {
    /// Looks in, and just around, what has changed; from then on nothing has.
    pub(super) fn find(
        media: &[Medium],
        channels: &mut [Channel],
        ceilings: Vec4,
        threshold: f32,
    ) -> Self {
        let light = channels[0].light();
        let size = UVec2::new(light.width() as u32, light.height() as u32);
        let (stride, whole) = (light.stride(), Area::whole(size));
        let mut seeds = Self {
            areas: changed_areas(channels),
            ..Self::default()
        };
        let is_off = |at: (usize, usize)| {
            channels.iter().enumerate().any(|(color, channel)| {
                let wanted = wanted(medium_of(media, color), channel, at, ceilings[color]);
                moves(wanted, channel.light().get(at.0, at.1), threshold)
            })
        };
        for area in &seeds.areas {
            for cell in area.grown(1).within(whole).cells() {
                let at @ (x, y) = (cell.x as usize, cell.y as usize);
                if is_off(at) {
                    let is_open = is_open(media, (y + 1) * stride + x + 1);
                    let found = if is_open {
                        &mut seeds.cells
                    } else {
                        &mut seeds.walls
                    };
                    found.push(at);
                }
            }
        }
        seeds
    }
}

/// What has changed in any of the colors: for each tile the rectangle around all.
fn changed_areas(channels: &mut [Channel]) -> Vec<Area> {
    let mut all: Vec<(usize, Area)> = Vec::new();
    for channel in channels {
        channel.drain_unsettled(&mut all);
    }
    all.sort_unstable_by_key(|&(tile, _)| tile);
    all.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = first.1.union(later.1);
        }
        same
    });
    all.into_iter().map(|(_, area)| area).collect()
}
