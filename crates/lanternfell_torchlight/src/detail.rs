//! The light of a map at a higher resolution, for the screen.
//!
//! Rules read the light of the [`TorchlightMap`]. For the screen, a [`HighResLight`] follows it in the background:
//!
//! ```text
//!   tiles whose light has changed ──┐
//!   current lamps and casters ──────┴──> job: visibility, painting ──> patches of the image
//! ```
//!
//! There is one job at a time, which processes what has changed since the last one. If there is more to do, it is shown
//! later, but no frame waits for it. Until the whole map has been painted once, it is shown without the high
//! resolution.

mod job;

use std::{collections::BTreeSet, ops::Bound, time::Duration};

use bevy::{
    image::ImageSampler,
    platform::time::Instant,
    prelude::*,
    render::{render_resource::TextureFormat, renderer::RenderDevice},
};
use lanternfell_lightgrid::{Disc, HighResLamp, HighResLight, LightGrid};
use serde::{Deserialize, Serialize};

use crate::{
    map::TorchlightMap,
    systems::PresentSystems,
    texture::{Curve, LightTexture, USUAL_LIMIT, empty_image, with_map},
    timing::{LightBudget, Spent},
    upload::TexturePatches,
};
use job::{Screen, Work};

/// Renders the light of a map at a higher resolution, with sharp shadows of walls and [`ShadowCaster`]s, and in the
/// colors of glass. Add it to the entity of the map.
///
/// Lamps with a larger [`radius`](crate::LightSource::radius) cast softer shadows.
///
/// It only affects the screen. Rules read the cells of the [`TorchlightMap`], which do not change. Set
/// [`LightSettings::direct`](lanternfell_lightgrid::LightSettings::direct) of the map to the same fraction, so that
/// rules see similar shadows.
///
/// It is computed in the background, and appears one or more frames after the light of the map. Without threads, it is
/// computed within the [`LightBudget`].
///
/// The result replaces the light of the map on the screen, except with the style [`Cells`](crate::LightStyle::Cells).
/// It is also available as a [`DetailTexture`]. Hexagons are not supported, and the relief of a map is ignored.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(DetailWork)]
#[serde(default, deny_unknown_fields)]
pub struct SoftShadows {
    /// Texels along the side of a cell, clamped to 2 to 8. Default: 4. On large maps it is reduced, so that the texture
    /// has at most 16,777,216 texels and the GPU supports its size.
    ///
    /// Memory: 4 bytes per texel on the GPU. On the CPU, 1 byte per texel, about 30 bytes per cell, and for each lamp 4
    /// bytes per texel of the rectangle that it lights (16 if that contains glass or smoke).
    pub subdivisions: u32,
    /// The fraction of the light that travels in straight lines and casts shadows. The rest flows around corners.
    /// Clamped to 0 to 1. Default: 0.8.
    pub direct: f32,
    /// Whether to compute the direction of the light too, for sprites with a [`NormalMap`](crate::NormalMap), and for
    /// your own materials in a [`DirectionTexture`]. On maps without a relief, lamps are one and a half cells high.
    /// Default: `false`.
    ///
    /// Cost: 2 more bytes per texel on the GPU, and about twice the time for what changes.
    pub directions: bool,
}

impl Default for SoftShadows {
    fn default() -> Self {
        Self {
            subdivisions: 4,
            direct: 0.8,
            directions: false,
        }
    }
}

impl SoftShadows {
    fn sane_direct(&self) -> f32 {
        if self.direct.is_nan() {
            return Self::default().direct;
        }
        self.direct.clamp(0.0, 1.0)
    }

    /// The number of texels per cell side for a grid of this size, on a GPU whose textures have at most `limit` texels
    /// per side. `None` if not even 2 are possible.
    fn finer_for(&self, grid: &LightGrid, limit: u32) -> Option<u32> {
        let cells = grid.width() * grid.height();
        let fits = |&subdivisions: &u32| {
            grid.size().max_element() * subdivisions <= limit.min(LightGrid::MAX_SIDE)
                && cells * subdivisions * subdivisions <= LightGrid::MAX_CELLS
        };
        // A large map gets a lower resolution rather than none.
        let wanted = self.subdivisions.clamp(2, HighResLight::MAX_SUBDIVISIONS);
        (2..=wanted).rev().find(fits)
    }
}

/// Casts a round shadow on the screen, on maps with [`SoftShadows`]: a figure, a pillar, a barrel.
///
/// Its position is that of its transform or [`LightCell`](crate::LightCell). It does not block a lamp that is inside of
/// it. It does not affect rules. Use a [`LightBlocker`](crate::LightBlocker) for that.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct ShadowCaster {
    /// The radius in cells, clamped to 0 to 64. Default: 0.3.
    pub radius: f32,
}

impl Default for ShadowCaster {
    fn default() -> Self {
        Self { radius: 0.3 }
    }
}

impl ShadowCaster {
    pub(crate) fn sane_radius(&self) -> f32 {
        if self.radius.is_nan() {
            return 0.0;
        }
        self.radius.clamp(0.0, Disc::MAX_RADIUS)
    }
}

/// The light of a map with [`SoftShadows`] as an image, with the same encoding as [`LightTexture`]. The plugin adds it
/// to the map in an app that renders.
///
/// Alpha is 0 in walls and casters. The image is shown once all of it has been computed.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(clone_behavior = Ignore)]
pub struct DetailTexture(pub Handle<Image>);

/// The direction of the light at each texel of the [`DetailTexture`]. The plugin adds it to maps with
/// [`SoftShadows::directions`].
///
/// Red is the component along the columns of the map (to the right), and green along its rows (down), each from -1
/// to 1. The length is 1 if all light comes from one side, parallel to the plane. It is shorter if light comes from
/// above or from several sides.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(clone_behavior = Ignore)]
pub struct DirectionTexture(pub Handle<Image>);

/// The state of the computation for a map's [`SoftShadows`].
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct DetailWork {
    work: Work,
    /// Parts of the map that were never copied since the image exists: first cell and size. Nothing is painted until
    /// all were copied.
    unread: BTreeSet<Part>,
    /// Parts whose light has changed.
    changed: BTreeSet<Part>,
    /// The part that was copied last.
    last: Part,
    /// Texels per cell side, once the whole map has been painted.
    shown: Option<u32>,
}

/// A part of a map: first column, first row, number of columns, number of rows.
type Part = [u32; 4];

/// The maximum side of a part, in cells, so that copying one takes little time.
const PART: u32 = 32;

impl DetailWork {
    /// Marks the light of these cells as changed.
    pub(crate) fn changed(&mut self, first: UVec2, size: UVec2) {
        self.changed.extend(parts(first, size));
    }

    /// The next part to copy: first those that were never copied, then the others in turn, so that none waits forever.
    fn next_part(&mut self) -> Option<Part> {
        if let Some(part) = self.unread.pop_first() {
            return Some(part);
        }
        // The set is sorted: continue after the last part, and wrap around at the end.
        let behind = self
            .changed
            .range((Bound::Excluded(self.last), Bound::Unbounded));
        let next = behind.chain(&self.changed).next().copied()?;
        self.changed.remove(&next);
        self.last = next;
        Some(next)
    }

    /// Texels per cell side, if there is something to show.
    pub(crate) fn shown(&self) -> Option<u32> {
        self.shown
    }
}

/// Divides a rectangle of cells into parts.
fn parts(first: UVec2, size: UVec2) -> impl Iterator<Item = Part> {
    let end = first + size;
    let columns = (first.x..end.x).step_by(PART as usize);
    let rows = (first.y..end.y).step_by(PART as usize);
    rows.flat_map(move |y| {
        let columns = columns.clone();
        columns.map(move |x| [x, y, PART.min(end.x - x), PART.min(end.y - y)])
    })
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (make, follow).chain().in_set(PresentSystems::Paint),
    )
    .add_observer(remove_with::<SoftShadows>)
    .add_observer(remove_with::<LightTexture>);
}

/// The images of a map's `SoftShadows`.
type Textures = (
    Option<&'static DetailTexture>,
    Option<&'static DirectionTexture>,
);

/// Creates the images of every map with `SoftShadows`.
pub(crate) fn make(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    device: Option<Res<RenderDevice>>,
    mut maps: Query<
        (
            Entity,
            &TorchlightMap,
            &SoftShadows,
            &mut DetailWork,
            Textures,
        ),
        With<LightTexture>,
    >,
) {
    let limit = device.map_or(USUAL_LIMIT, |device| {
        device.limits().max_texture_dimension_2d
    });
    for (entity, map, detail, mut work, (texture, directions)) in &mut maps {
        let hexagonal = map.data.grid.settings().neighborhood.is_hexagonal();
        let subdivisions = detail
            .finer_for(&map.data.grid, limit)
            .filter(|_| !hexagonal);
        let Some(subdivisions) = subdivisions else {
            let size = map.data.grid.size();
            error_once!(
                "a light map of {size} cells has no `SoftShadows`: hexagons are not supported, and the texture must fit"
            );
            if texture.is_some() {
                forget(&mut commands, entity);
            }
            continue;
        };
        let size = map.data.grid.size() * subdivisions;
        let image = texture.and_then(|texture| images.get(&texture.0));
        let fits = image.is_some_and(|image| image.size() == size);
        if fits && directions.is_some() == detail.directions {
            continue;
        }
        let mut add = |format| {
            let mut image = empty_image(size, format);
            image.sampler = ImageSampler::linear();
            images.add(image)
        };
        let texture = DetailTexture(add(TextureFormat::Rgba8UnormSrgb));
        let directions = detail
            .directions
            .then(|| DirectionTexture(add(TextureFormat::Rg8Snorm)));
        // Dropping the old job cancels its task, which paints for the old images.
        *work = DetailWork::default();
        work.unread.extend(parts(UVec2::ZERO, map.data.grid.size()));
        with_map(&mut commands, entity, |mut map| {
            map.insert(texture);
            match directions {
                Some(directions) => map.insert(directions),
                None => map.remove::<DirectionTexture>(),
            };
        });
    }
}

/// Takes what has been painted, and gives the changes to the next job.
fn follow(
    mut maps: Query<(
        &TorchlightMap,
        &SoftShadows,
        (&DetailTexture, Option<&DirectionTexture>),
        &mut DetailWork,
    )>,
    (budget, mut spent): (Res<LightBudget>, ResMut<Spent>),
    (curve, images): (Res<Curve>, Res<Assets<Image>>),
    mut patches: ResMut<TexturePatches>,
    mut lamps: Local<Vec<HighResLamp>>,
) {
    for (map, detail, (texture, directions), mut work) in &mut maps {
        let began = Instant::now();
        let image = texture.0.id();
        // While the last patches of the image are not uploaded, painted patches stay in the job.
        if !patches.has(image)
            && let Some((painted, whole)) = work.work.take_up()
        {
            for patch in painted {
                patches.push(patch);
            }
            work.shown = whole.or(work.shown);
        }
        let left = spent.left(*budget);
        // The job has a copy of the light, but no access to the map. Changes stay in `work` until it is back.
        if work.work.is_away() {
            continue;
        }
        let screen = Screen {
            light: image,
            directions: directions.map(|texture| texture.0.id()),
            subdivisions: images
                .get(image)
                .map_or(0, |image| image.width() / map.data.grid.width()),
        };
        // Taken out, because the rest of `work` changes while the job is used.
        let mut own = std::mem::take(&mut work.work);
        let Some(fine) = own.fine((map, detail), screen, &curve) else {
            continue;
        };
        take_changes(fine, &mut work, map, || began.elapsed() < left);
        let sources = map.data.grid.sources().iter().zip(&map.data.radii);
        lamps.clear();
        lamps.extend(sources.map(|(&source, &radius)| HighResLamp { source, radius }));
        let taken = fine
            .set_lamps(&lamps)
            .and_then(|()| fine.set_discs(&map.data.casters))
            .and_then(|()| fine.set_share(detail.sane_direct()));
        debug_assert!(taken.is_ok(), "{taken:?}");
        // The time for painting without threads. With threads it is not used.
        let left = left
            .saturating_sub(began.elapsed())
            .min(Duration::from_millis(1));
        // Until the whole map has been copied, walls and light are missing, which would be visible.
        if work.unread.is_empty() {
            own.go_on(left);
        }
        work.work = own;
        spent.spend(began.elapsed());
    }
}

/// Copies changed parts of the map while there is time, but at least one.
fn take_changes(
    fine: &mut HighResLight,
    work: &mut DetailWork,
    map: &TorchlightMap,
    in_time: impl Fn() -> bool,
) {
    while let Some([x, y, width, height]) = work.next_part() {
        fine.copy_light_from(&map.data.grid, UVec2::new(x, y), UVec2::new(width, height));
        if !in_time() {
            break;
        }
    }
}

/// Removes the images of a map when one of these components is removed.
fn remove_with<C: Component>(remove: On<Remove, C>, mut commands: Commands) {
    forget(&mut commands, remove.entity);
}

fn forget(commands: &mut Commands, map: Entity) {
    if let Ok(mut entity) = commands.get_entity(map) {
        entity.try_remove::<(DetailTexture, DirectionTexture)>();
        // Silenced, because the map itself may have been despawned.
        entity.queue_silenced(|mut entity: EntityWorldMut| {
            if let Some(mut work) = entity.get_mut::<DetailWork>() {
                *work = DetailWork::default();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_lightgrid::LightSettings;

    use super::*;

    #[test]
    fn large_maps_get_lower_resolution() {
        let subdivisions = |width, height, subdivisions| {
            let grid = LightGrid::gray(width, height, LightSettings::default()).unwrap();
            let detail = SoftShadows {
                subdivisions,
                ..default()
            };
            detail.finer_for(&grid, 8192)
        };
        assert_eq!(subdivisions(64, 64, 4), Some(4));
        assert_eq!(subdivisions(64, 64, 0), Some(2));
        assert_eq!(subdivisions(64, 64, 99), Some(8));
        assert_eq!(subdivisions(2000, 10, 8), Some(4), "8192 per side");
        assert_eq!(subdivisions(1500, 1500, 8), Some(2), "16,777,216 in total");
        assert_eq!(subdivisions(4100, 4, 4), None);
    }

    #[test]
    fn changed_parts_are_unique() {
        let mut work = DetailWork::default();
        for _ in 0..3 {
            work.changed(UVec2::new(32, 0), UVec2::new(32, 20));
        }
        assert_eq!(work.changed.len(), 1);
        work.changed(UVec2::ZERO, UVec2::new(70, 33));
        let cells: u32 = work.changed.iter().map(|part| part[2] * part[3]).sum();
        assert_eq!(cells, 32 * 20 + 70 * 33);
    }

    #[test]
    fn clamps_invalid_values() {
        let direct = |direct| {
            SoftShadows {
                direct,
                ..default()
            }
            .sane_direct()
        };
        assert_eq!(
            (direct(f32::NAN), direct(-1.0), direct(9.0)),
            (0.8, 0.0, 1.0)
        );
        let radius = |radius| ShadowCaster { radius }.sane_radius();
        assert_eq!(
            (radius(f32::NAN), radius(-1.0), radius(f32::INFINITY)),
            (0.0, 0.0, 64.0)
        );
    }
}
