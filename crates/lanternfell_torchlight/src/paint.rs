//! Writes changed light into the images of the maps.
//!
//! Unchanged tiles are skipped. Changed tiles are sent to the GPU only ([`upload`](crate::upload)): the main world
//! keeps no copy, and the GPU texture is updated in place.

use std::time::Duration;

use bevy::{image::Image, platform::time::Instant, prelude::*};
use lanternfell_lightgrid::LightGrid;

use crate::{
    blocker::Cover,
    detail::{self, DetailWork},
    map::TorchlightMap,
    systems::PresentSystems,
    texture::{Curve, LightTexture, make_textures},
    timing::{LightBudget, LightTiming, Spent},
    upload::{TexturePatch, TexturePatches},
};

pub(crate) fn plugin(app: &mut App) {
    // `SoftShadows` reads the areas that are painted here in the same frame.
    let paint = paint_textures.after(make_textures).before(detail::make);
    app.add_systems(PostUpdate, paint.in_set(PresentSystems::Paint));
}

/// Sends changed tiles to the images. Maps that are within the budget send as many tiles as the budget allows, but at
/// least one. The rest follows in the next frames.
fn paint_textures(
    mut maps: Query<(
        &mut TorchlightMap,
        &LightTexture,
        &LightTiming,
        Option<&mut DetailWork>,
    )>,
    (budget, mut spent): (Res<LightBudget>, ResMut<Spent>),
    curve: Res<Curve>,
    mut patches: ResMut<TexturePatches>,
) {
    // Send nothing while the renderer has patches to take, so that they do not pile up. Dirty tiles stay marked in the
    // grid.
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
            cover: &map.data.cover,
        };
        if map.data.shown_by.0 != Some(image) {
            map.data.shown_by.0 = Some(image);
            map.data.grid.drain_changes(|_, _, _| ());
            let size = map.data.grid.size();
            let all = texels.patch(&map.data.grid, image, UVec2::ZERO, size);
            if let Some(detail) = &mut detail {
                detail.changed(UVec2::ZERO, size);
            }
            patches.push_whole(all);
            continue;
        }
        map.data.grid.drain_changes_while(|grid, first, size| {
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

/// Converts light to texels.
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

    /// Whether the map's own cell is a wall too. Cells that are opaque because of a blocker count as open, and get soft
    /// edges.
    fn is_wall(&self, grid: &LightGrid, at: IVec2) -> bool {
        let below = || self.cover.base(at).is_none_or(|base| base.is_opaque());
        grid.is_opaque(at) && below()
    }
}
