//! Computes the `SoftShadows` of a map in pieces: in a background task, or within the frame if there are no threads.

use std::time::Duration;

use bevy::{
    asset::AssetId,
    image::Image,
    math::UVec2,
    platform::time::Instant,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready, futures_lite::future::yield_now},
};
use lanternfell_lightgrid::HighResLight;

use super::SoftShadows;
use crate::{map::TorchlightMap, texture::Curve, upload::TexturePatch, work::THREADS};

/// A job paints at most this many bytes at a time. The rest follows in the next frames. A lamp with a radius of 12
/// cells needs about 150 KiB.
const MOST_BYTES: usize = 4 << 20;

/// Where the `SoftShadows` of a map are computed.
#[derive(Debug, Default)]
pub(super) enum Work {
    /// There is no job yet.
    #[default]
    None,
    Here(Box<Job>),
    Away(Task<Box<Job>>),
}

/// The images of a map's `SoftShadows`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Screen {
    pub(super) light: AssetId<Image>,
    pub(super) directions: Option<AssetId<Image>>,
    /// Texels along the side of a cell.
    pub(super) subdivisions: u32,
}

/// The light, and the patches that have been painted.
#[derive(Debug)]
pub(super) struct Job {
    fine: HighResLight,
    screen: Screen,
    curve: Curve,
    painted: Vec<TexturePatch>,
    bytes: usize,
}

impl Work {
    pub(super) fn is_away(&self) -> bool {
        matches!(self, Self::Away(_))
    }

    /// Returns the painted patches, and the number of texels per cell side if the whole map has been painted.
    pub(super) fn take_up(&mut self) -> Option<(Vec<TexturePatch>, Option<u32>)> {
        if let Self::Away(task) = self {
            *self = Self::Here(check_ready(task)?);
        }
        let Self::Here(job) = self else { return None };
        if job.painted.is_empty() {
            return None;
        }
        job.bytes = 0;
        let whole = job.fine.is_whole().then(|| job.fine.subdivisions());
        Some((std::mem::take(&mut job.painted), whole))
    }

    /// The light, to pass changes to it. `None` while it is in the background, or if it cannot be created.
    pub(super) fn fine(
        &mut self,
        (map, detail): (&TorchlightMap, &SoftShadows),
        screen: Screen,
        curve: &Curve,
    ) -> Option<&mut HighResLight> {
        if let Self::Here(job) = self
            // The patches so far are for other images.
            && (!job.fine.fits(&map.data.grid) || job.screen != screen)
        {
            *self = Self::None;
        }
        if matches!(self, Self::None) {
            let fine = HighResLight::new(&map.data.grid, screen.subdivisions, detail.sane_direct());
            let fine = fine.inspect_err(|error| debug_assert!(false, "{error}"));
            *self = Self::Here(Box::new(Job {
                fine: fine.ok()?,
                screen,
                curve: curve.clone(),
                painted: Vec::new(),
                bytes: 0,
            }));
        }
        match self {
            Self::Here(job) => Some(&mut job.fine),
            _ => None,
        }
    }

    /// Works in the background. Without threads, it works here for `time`, and does at least one piece.
    pub(super) fn go_on(&mut self, time: Duration) {
        let Self::Here(job) = self else { return };
        // Do not let patches pile up that the upload has not taken yet.
        if job.fine.is_done() || job.bytes > MOST_BYTES {
            return;
        }
        let Some(pool) = AsyncComputeTaskPool::try_get().filter(|_| THREADS) else {
            let began = Instant::now();
            while job.piece() && began.elapsed() < time {}
            return;
        };
        if let Self::Here(job) = std::mem::take(self) {
            *self = Self::Away(pool.spawn(job.go_on_elsewhere()));
        }
    }
}

impl Job {
    async fn go_on_elsewhere(mut self: Box<Self>) -> Box<Self> {
        while self.piece() {
            // Other tasks may be waiting for the thread.
            yield_now().await;
        }
        self
    }

    /// Computes what one lamp lights, or paints one tile. Returns whether there is more to do now.
    fn piece(&mut self) -> bool {
        // All lamps first: a tile that is painted between two lamps would have to be painted again.
        if self.fine.work() {
            return true;
        }
        if self.bytes > MOST_BYTES {
            return false;
        }
        let Some((first, size)) = self.fine.pop_changed_area() else {
            return false;
        };
        self.paint(first, size);
        if let Some(image) = self.screen.directions {
            self.paint_directions(image, first, size);
        }
        true
    }

    fn paint(&mut self, first: UVec2, size: UVec2) {
        let mut texels = Vec::with_capacity(size.element_product() as usize * 4);
        let curve = &self.curve;
        self.fine.paint(first, size, |light, open| {
            let [red, green, blue] = light.to_array().map(|light| curve.code(light));
            texels.extend([red, green, blue, if open { u8::MAX } else { 0 }]);
        });
        self.push(self.screen.light, first, size, texels);
    }

    fn paint_directions(&mut self, image: AssetId<Image>, first: UVec2, size: UVec2) {
        let mut texels = Vec::with_capacity(size.element_product() as usize * 2);
        self.fine.paint_directions(first, size, |toward| {
            // `Rg8Snorm` is two's complement: -127 to 127 represent -1 to 1.
            let codes = (toward * f32::from(i8::MAX)).round().as_i8vec2();
            texels.extend(codes.to_array().map(i8::cast_unsigned));
        });
        self.push(image, first, size, texels);
    }

    fn push(&mut self, image: AssetId<Image>, first: UVec2, size: UVec2, texels: Vec<u8>) {
        self.bytes += texels.len();
        self.painted.push(TexturePatch {
            image,
            first,
            size,
            texels,
        });
    }
}
