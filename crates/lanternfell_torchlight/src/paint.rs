//! Writes the light that has changed into the images of the maps.
//!
//! Tiles of the grid without a change are skipped. Changed tiles are sent to the GPU and nowhere else
//! ([`upload`](crate::upload)): the main world keeps no copy, and the renderer's texture is written
//! into, not replaced.

use std::time::Duration;

use bevy::{image::Image, platform::time::Instant, prelude::*};
use lanternfell_lightgrid::LightGrid;

use crate::{
    blocker::Cover,
    detail::{self, DetailWork},
    map::LightMap,
    systems::PresentSystems,
    texture::{Curve, LightTexture, make_textures},
    timing::{LightBudget, LightTiming, Spent},
    upload::{TexturePatch, TexturePatches},
};

pub(crate) fn plugin(app: &mut App) {
    // A map's detail looks at the parts that change here in the same frame.
    let paint = paint_textures.after(make_textures).before(detail::make);
    app.add_systems(PostUpdate, paint.in_set(PresentSystems::Paint));
}

/// Sends what has changed to the images: as much as the budget has time for, and at least a tile, of
/// maps that keep to it. The rest has its turn in the next frames.
fn paint_textures(
    mut maps: Query<(
        &mut LightMap,
        &LightTexture,
        &LightTiming,
        Option<&mut DetailWork>,
    )>,
    (budget, mut spent): (Res<LightBudget>, ResMut<Spent>),
    curve: Res<Curve>,
    mut patches: ResMut<TexturePatches>,
) {
    // What the renderer has not taken yet must not grow; what is dirty stays so in the grid.
    if !patches.is_empty() {
        return;
    }
    for (mut map, texture, timing, mut detail) in &mut maps {
        let began = Instant::now();
        let time = match timing {
            LightTiming::InStep => Duration::MAX,
            LightTiming::WithinBudget => spent.left(*budget),
        };
        let map = map.bypass_change_detection();
        let image = texture.0.id();
        let texels = Texels {
            curve: &curve,
            cover: &map.cover,
        };
        if map.shown_by.0 != Some(image) {
            map.shown_by.0 = Some(image);
            map.grid.drain_changes(|_, _, _| ());
            let size = map.grid.size();
            let all = texels.patch(&map.grid, image, UVec2::ZERO, size);
            if let Some(detail) = &mut detail {
                detail.changed(UVec2::ZERO, size);
            }
            patches.push_whole(all);
            continue;
        }
        map.grid.drain_changes_while(|grid, first, size| {
            patches.push(texels.patch(grid, image, first, size));
            if let Some(detail) = &mut detail {
                detail.changed(first, size);
            }
            began.elapsed() < time
        });
        if *timing == LightTiming::WithinBudget {
            spent.spend(began.elapsed());
        }
    }
}

/// From light to bytes.
struct Texels<'a> {
    curve: &'a Curve,
    cover: &'a Cover,
}

impl Texels<'_> {
    fn patch(
        &self,
        grid: &LightGrid,
        image: AssetId<Image>,
        first: UVec2,
        size: UVec2,
    ) -> TexturePatch {
        let mut texels = Vec::with_capacity((size.x * size.y * 4) as usize);
        for y in first.y..first.y + size.y {
            for x in first.x..first.x + size.x {
                let at = UVec2::new(x, y).as_ivec2();
                let [red, green, blue] = grid.light(at).to_array().map(|l| self.curve.code(l));
                let alpha = if self.is_wall(grid, at) { 0 } else { u8::MAX };
                texels.extend([red, green, blue, alpha]);
            }
        }
        TexturePatch {
            image,
            first,
            size,
            texels,
        }
    }

    /// Whether the map itself has a wall here. Things that move have soft edges.
    fn is_wall(&self, grid: &LightGrid, at: IVec2) -> bool {
        let below = || self.cover.base(at).is_none_or(|base| base.is_opaque());
        grid.is_opaque(at) && below()
    }
}
