//! The light on screen in finer cells than rules have.
//!
//! What a cell's light is for rules stays in the [`LightMap`]. For the screen a [`FineLight`] follows it, in the background:
//!
//! ```text
//!   tiles whose light has changed ──┐
//!   lamps and casters as they are ──┴──> a job: looks, paints ──> patches of the image
//! ```
//!
//! One job is on its way at a time, with what has changed since the last. So the more there is to do, the later it is seen,
//! and nothing waits for it. Until all of a map has been painted once, it is shown without.

mod job;

use std::{collections::BTreeSet, ops::Bound, time::Duration};

use bevy::{
    image::ImageSampler,
    platform::time::Instant,
    prelude::*,
    render::{render_resource::TextureFormat, renderer::RenderDevice},
};
use lanternfell_lightgrid::{Disc, FineLamp, FineLight, LightGrid};
use serde::{Deserialize, Serialize};

use crate::{
    map::LightMap,
    systems::PresentSystems,
    texture::{Curve, LightTexture, USUAL_LIMIT, empty_image, with_map},
    timing::{LightBudget, Spent},
    upload::TexturePatches,
};
use job::{Screen, Work};

/// Shows a map's light in finer cells than it has: crisp shadows, soft where a lamp has a
/// [`radius`](crate::LightSource::radius), of walls, of [`ShadowCaster`]s, and in the colors of glass. On a map's entity.
///
/// It is for the screen alone: rules read the [`LightMap`]'s cells as ever, which know nothing of it. (Give the map's
/// [`LightSettings::direct`](lanternfell_lightgrid::LightSettings::direct) a like share, and rules see about what
/// players do.) It is worked out in the background, and comes a frame or more later than the map's light; where there are no
/// threads, within the [`LightBudget`].
///
/// It is drawn where the map's light is, unless that is shown in [cells](crate::LightStyle::Cells), and is in a
/// [`DetailTexture`]. Not for hexagons; and land under a map hides nothing from it.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(DetailWork)]
#[serde(default, deny_unknown_fields)]
pub struct LightDetail {
    /// How many fine cells there are along a cell's side: 4 by default. Brought into 2 to 8, and of large maps to what
    /// the GPU takes as a texture, and to 16,777,216 in all. Memory: 4 bytes for each on the GPU and 1 beside it,
    /// some 30 for each cell of the map, and for each lamp 4 for each fine cell in the rectangle that it lights, 16 where there is
    /// glass or smoke in it.
    pub finer: u32,
    /// The share of the light that comes in straight lines and casts shadows; the rest flows round corners. 0.8 by default.
    /// Brought into 0 to 1.
    pub direct: f32,
    /// Whether it is worked out, too, where the light comes from: for sprites with a [`NormalMap`](crate::NormalMap), and for
    /// materials of your own in a [`DirectionTexture`]. Lamps hang one and a half cells high where the map has no
    /// relief. 2 more bytes for each fine cell on the GPU, and about as much time again for what changes. False by default.
    pub directions: bool,
}

impl Default for LightDetail {
    fn default() -> Self {
        Self {
            finer: 4,
            direct: 0.8,
            directions: false,
        }
    }
}

impl LightDetail {
    fn sane_direct(&self) -> f32 {
        if self.direct.is_nan() {
            return Self::default().direct;
        }
        self.direct.clamp(0.0, 1.0)
    }

    /// As many as are wanted, or as a grid of this size can have on a GPU that takes so many texels a side; none when those
    /// are too few.
    fn finer_for(&self, grid: &LightGrid, limit: u32) -> Option<u32> {
        let cells = grid.width() * grid.height();
        let fits = |&finer: &u32| {
            grid.size().max_element() * finer <= limit.min(LightGrid::MAX_SIDE)
                && cells * finer * finer <= LightGrid::MAX_CELLS
        };
        // A large map gets fewer fine cells a side rather than none.
        let wanted = self.finer.clamp(2, FineLight::MAX_FINER);
        (2..=wanted).rev().find(fits)
    }
}

/// Casts a shadow on the screen, where a map has a [`LightDetail`]: a figure, a pillar, a barrel. It is as round as its
/// radius says, and stands where its transform or [`LightCell`](crate::LightCell) does. A lamp that stands in it shines
/// out of it. Rules do not see it: for them there is the [`LightBlocker`](crate::LightBlocker).
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct ShadowCaster {
    /// In cells; 0.3 by default. Brought into 0 to 64.
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

/// On a map's entity with a [`LightDetail`], in an app that draws: the light in finer cells as an image, as a
/// [`LightTexture`] is. Alpha is 0 in walls and casters. It is drawn once all of it has been worked out.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(clone_behavior = Ignore)]
pub struct DetailTexture(pub Handle<Image>);

/// On a map's entity whose [`LightDetail`] has [directions](LightDetail::directions), beside its [`DetailTexture`]: where the
/// light of each fine cell comes from, in red along the map's columns and in green along its rows (down), each from -1 to 1.
/// As long as 1 where it all comes from one side along the ground, shorter the more comes from above or from all sides.
#[derive(Component, Reflect, Debug, Default, Clone, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[component(clone_behavior = Ignore)]
pub struct DirectionTexture(pub Handle<Image>);

/// What is done for a map's detail.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct DetailWork {
    work: Work,
    /// Parts of the map that have not been taken over yet, since there is an image: first cell and size. Before they have
    /// been, nothing is painted.
    unread: BTreeSet<Part>,
    /// Those whose light has changed.
    changed: BTreeSet<Part>,
    /// The part that was taken over last.
    last: Part,
    /// How many fine cells a side, once all have been painted.
    shown: Option<u32>,
}

/// A part of a map: first column and row, and how many.
type Part = [u32; 4];

/// Parts are no larger than this a side, in cells, so that each takes little time.
const PART: u32 = 32;

impl DetailWork {
    /// The light of these cells has changed.
    pub(crate) fn changed(&mut self, first: UVec2, size: UVec2) {
        self.changed.extend(parts(first, size));
    }

    /// The next part to be taken over: those that never were first, and each in its turn, so that none waits for ever.
    fn next_part(&mut self) -> Option<Part> {
        if let Some(part) = self.unread.pop_first() {
            return Some(part);
        }
        // The set is sorted, so the part behind the last one is next, and after the end the first.
        let behind = self
            .changed
            .range((Bound::Excluded(self.last), Bound::Unbounded));
        let next = behind.chain(&self.changed).next().copied()?;
        self.changed.remove(&next);
        self.last = next;
        Some(next)
    }

    /// How many fine cells a cell has a side, if there is anything to be seen.
    pub(crate) fn shown(&self) -> Option<u32> {
        self.shown
    }
}

/// All of a rectangle of cells, in parts.
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
    .add_observer(remove_with::<LightDetail>)
    .add_observer(remove_with::<LightTexture>);
}

/// The images of a map's detail.
type Textures = (
    Option<&'static DetailTexture>,
    Option<&'static DirectionTexture>,
);

/// Every map with a detail has images for it.
pub(crate) fn make(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    device: Option<Res<RenderDevice>>,
    mut maps: Query<
        (Entity, &LightMap, &LightDetail, &mut DetailWork, Textures),
        With<LightTexture>,
    >,
) {
    let limit = device.map_or(USUAL_LIMIT, |device| {
        device.limits().max_texture_dimension_2d
    });
    for (entity, map, detail, mut work, (texture, directions)) in &mut maps {
        let hexagonal = map.grid.settings().neighborhood.is_hexagonal();
        let finer = detail.finer_for(&map.grid, limit).filter(|_| !hexagonal);
        let Some(finer) = finer else {
            let size = map.grid.size();
            error_once!(
                "a light map of {size} cells has no detail: it is for squares, and for as many as a texture takes"
            );
            if texture.is_some() {
                forget(&mut commands, entity);
            }
            continue;
        };
        let size = map.grid.size() * finer;
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
        // Drops the old job, which stops its task, since it paints for the old images.
        *work = DetailWork::default();
        work.unread.extend(parts(UVec2::ZERO, map.grid.size()));
        with_map(&mut commands, entity, |mut map| {
            map.insert(texture);
            match directions {
                Some(directions) => map.insert(directions),
                None => map.remove::<DirectionTexture>(),
            };
        });
    }
}

/// Takes what has been painted, and gives what has changed to the next job.
fn follow(
    mut maps: Query<(
        &LightMap,
        &LightDetail,
        (&DetailTexture, Option<&DirectionTexture>),
        &mut DetailWork,
    )>,
    (budget, mut spent): (Res<LightBudget>, ResMut<Spent>),
    (curve, images): (Res<Curve>, Res<Assets<Image>>),
    mut patches: ResMut<TexturePatches>,
    mut lamps: Local<Vec<FineLamp>>,
) {
    for (map, detail, (texture, directions), mut work) in &mut maps {
        let began = Instant::now();
        let image = texture.0.id();
        // The image's last patches are not uploaded yet: what has been painted waits in the job.
        if !patches.has(image)
            && let Some((painted, whole)) = work.work.take_up()
        {
            for patch in painted {
                patches.push(patch);
            }
            work.shown = whole.or(work.shown);
        }
        let left = spent.left(*budget);
        // Changes wait in `work` until the job is back, which has a copy of the light and no map.
        if work.work.is_away() {
            continue;
        }
        let screen = Screen {
            light: image,
            directions: directions.map(|texture| texture.0.id()),
            finer: images
                .get(image)
                .map_or(0, |image| image.width() / map.grid.width()),
        };
        // Taken out, since the rest of `work` changes while the job is used.
        let mut own = std::mem::take(&mut work.work);
        let Some(fine) = own.fine((map, detail), screen, &curve) else {
            continue;
        };
        take_changes(fine, &mut work, map, || began.elapsed() < left);
        let sources = map.grid.sources().iter().zip(&map.radii);
        lamps.clear();
        lamps.extend(sources.map(|(&source, &radius)| FineLamp { source, radius }));
        let taken = fine
            .set_lamps(&lamps)
            .and_then(|()| fine.set_discs(&map.casters))
            .and_then(|()| fine.set_share(detail.sane_direct()));
        debug_assert!(taken.is_ok(), "{taken:?}");
        // Without threads this is the time for painting; with them it is not used.
        let left = left
            .saturating_sub(began.elapsed())
            .min(Duration::from_millis(1));
        // Before all of the map was taken over, walls and light are missing, and would be seen.
        if work.unread.is_empty() {
            own.go_on(left);
        }
        work.work = own;
        spent.spend(began.elapsed());
    }
}

/// Takes over changed parts of the map, one at least, while there is time.
fn take_changes(
    fine: &mut FineLight,
    work: &mut DetailWork,
    map: &LightMap,
    in_time: impl Fn() -> bool,
) {
    while let Some([x, y, width, height]) = work.next_part() {
        fine.take_light(&map.grid, UVec2::new(x, y), UVec2::new(width, height));
        if !in_time() {
            break;
        }
    }
}

/// Without one of these a map has no detail.
fn remove_with<C: Component>(remove: On<Remove, C>, mut commands: Commands) {
    forget(&mut commands, remove.entity);
}

fn forget(commands: &mut Commands, map: Entity) {
    if let Ok(mut entity) = commands.get_entity(map) {
        entity.try_remove::<(DetailTexture, DirectionTexture)>();
        // Silenced, since the map itself may be despawned.
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
    fn large_maps_have_as_fine_cells_as_they_can() {
        let finer = |width, height, finer| {
            let grid = LightGrid::gray(width, height, LightSettings::default()).unwrap();
            let detail = LightDetail { finer, ..default() };
            detail.finer_for(&grid, 8192)
        };
        assert_eq!(finer(64, 64, 4), Some(4));
        assert_eq!(finer(64, 64, 0), Some(2));
        assert_eq!(finer(64, 64, 99), Some(8));
        assert_eq!(finer(2000, 10, 8), Some(4), "8192 a side");
        assert_eq!(finer(1500, 1500, 8), Some(2), "16,777,216 in all");
        assert_eq!(finer(4100, 4, 4), None);
    }

    #[test]
    fn a_part_is_taken_once_however_often_it_changed() {
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
    fn absurd_numbers_are_brought_into_range() {
        let direct = |direct| {
            LightDetail {
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
