//! The control map: two ground layers and a share for each texel, and relief data for shading.

use core::{
    future::ready,
    ops::Range,
    pin::pin,
    task::{Context, Poll, Waker},
};
use std::{borrow::Cow, sync::Arc};

use glam::{DVec2, UVec2, Vec2};

use super::{
    local::LocalParts,
    parts::{Land, Parts, Texels, thin_size, thinned},
    rule::{LayerError, LayerRules},
    sky::Sky,
    texels::{Evaluation, packed},
    update::ControlInputs,
};
use crate::{inland_water::Waters, surface::SizeMismatch};
use lanternfell_heightmap::{GenerateError, Heightmap, MapSize, Progress, Scale, rows};

/// The ground layers of a map: the two strongest layers of each texel, with their shares.
///
/// The first texel is at the map's first cell and the last texel at its last cell, along both axes.
///
/// ```
/// use lanternfell_heightmap::{Band, FractalNoise, MapSize, Progress, Scale};
/// use lanternfell_surface::layers::{ControlMap, LayerRule, LayerRules};
///
/// let progress = Progress::default();
/// let map = FractalNoise::default().generate(MapSize::new(128, 128)?, 7, &progress)?;
/// let grass = LayerRule::default();
/// let sand = LayerRule {
///     weight: 3.0,
///     height: Band { to: Some(2.0), fade: 1.0, ..Band::default() },
///     ..LayerRule::default()
/// };
/// let rules = LayerRules { rules: vec![grass, sand], ..LayerRules::default() };
/// let scale = Scale { spacing: 2.0, relief: 60.0 };
/// let control = ControlMap::of(&rules, &map, scale, FractalNoise::SEA_LEVEL, &progress)?;
/// let [(first, share), _] = control.layers_at(0.5, 0.5);
/// println!("In the middle, layer {first} covers {:.0} % of the ground", 100.0 * share);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMap {
    pub(super) size: MapSize,
    pub(super) texels: Vec<[u8; 2]>,
    pub(super) relief: Vec<[u8; 4]>,
}

/// The inputs of a control map besides the rules and the map.
#[derive(Clone, Copy)]
struct Settings<'a> {
    /// The position of the map's center on the plane of the noise, in meters.
    place: DVec2,
    /// The maximum length of the control map's longer side, in texels.
    most_texels: usize,
    masks: &'a [(&'a str, &'a Heightmap)],
    waters: Option<&'a Waters>,
    /// The map before edits, if it is another one.
    unedited: Option<&'a Heightmap>,
}

/// Creates a [`ControlMap`] with more options than [`ControlMap::of`].
#[derive(Clone, Copy)]
pub struct ControlMapBuilder<'a> {
    rules: &'a LayerRules,
    settings: Settings<'a>,
}

impl<'a> ControlMapBuilder<'a> {
    /// Sets the position of the map's center on an endless plane, in meters. Default: the origin.
    ///
    /// The noise continues seamlessly from one map of the plane to the next.
    #[must_use]
    pub fn at(mut self, place: DVec2) -> Self {
        self.settings.place = place;
        self
    }

    /// Sets the maximum length of the longer side in texels, from 2 to [`ControlMap::MAX_TEXELS`]
    /// (the default). Other values are clamped.
    #[must_use]
    pub fn at_most(mut self, texels: usize) -> Self {
        self.settings.most_texels = texels.clamp(2, ControlMap::MAX_TEXELS);
        self
    }

    /// Sets the maps that rules can name as their [`mask`](super::LayerRule::mask). They may have
    /// any size and are stretched over the map.
    #[must_use]
    pub fn masks(mut self, masks: &'a [(&'a str, &'a Heightmap)]) -> Self {
        self.settings.masks = masks;
        self
    }

    /// Sets the rivers and lakes of the map, which
    /// [`beside_water`](super::LayerRule::beside_water) refers to.
    #[must_use]
    pub fn waters(mut self, waters: &'a Waters) -> Self {
        self.settings.waters = Some(waters);
        self
    }

    /// Sets the map before edits, of the same size. Climate, and the distances to coasts and rivers,
    /// are computed from it, because they depend on places far away. Default: the map itself.
    #[must_use]
    pub fn unedited(mut self, map: &'a Heightmap) -> Self {
        self.settings.unedited = Some(map);
        self
    }

    /// Computes the control map of a map at `scale`, with the sea at the height `sea_level` of the
    /// map.
    ///
    /// # Errors
    /// If a rule is invalid or names an unknown biome or mask, if the scale or the sea level is out
    /// of its range, or if the work was canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        sea_level: f32,
        progress: &Progress,
    ) -> Result<ControlMap, LayerError> {
        at_once(self.of_in_parts(map, scale, sea_level, progress, || ready(())))
    }

    /// Like [`of`](Self::of), but awaits `pause` between parts of the work, so that it can share a
    /// thread with other work.
    ///
    /// A part is one input for the whole map (the visible sky takes longest) or some rows of
    /// texels. The result has the same bits as that of `of`.
    ///
    /// # Errors
    /// The errors of [`of`](Self::of).
    pub async fn of_in_parts<P: Future<Output = ()>>(
        &self,
        map: &Heightmap,
        scale: Scale,
        sea_level: f32,
        progress: &Progress,
        pause: impl Fn() -> P,
    ) -> Result<ControlMap, LayerError> {
        let made = self.with_inputs_in_parts(map, scale, sea_level, progress, pause);
        Ok(made.await?.0)
    }

    /// Like [`of_in_parts`](Self::of_in_parts), but also returns the inputs that
    /// [`update_in_parts`](Self::update_in_parts) needs.
    ///
    /// # Errors
    /// The errors of [`of`](Self::of). Also if the map before edits has another size.
    pub async fn with_inputs_in_parts<P: Future<Output = ()>>(
        &self,
        map: &Heightmap,
        scale: Scale,
        sea_level: f32,
        progress: &Progress,
        pause: impl Fn() -> P,
    ) -> Result<(ControlMap, ControlInputs), LayerError> {
        self.rules.validate()?;
        scale.validate().map_err(GenerateError::from)?;
        let Settings {
            most_texels,
            unedited,
            waters,
            ..
        } = self.settings;
        let unedited = unedited.unwrap_or(map);
        SizeMismatch::check("map before edits", unedited.size(), map.size())?;
        let before = Land {
            map: unedited,
            scale,
            sea_level,
        };
        let (thin, thin_scale) = match thin_size(map.size(), most_texels) == map.size() {
            true => (Cow::Borrowed(unedited), scale),
            false => {
                let (map, scale) = thinned(before, most_texels);
                (Cow::Owned(map), scale)
            }
        };
        let thin = Land {
            map: &thin,
            scale: thin_scale,
            sea_level,
        };
        let beginning = progress.span(0.0, 0.3);
        let texels = Texels {
            size: thin.map.size(),
            scale: thin.scale,
            sea_level,
        };
        let before_edits = Sky::of(unedited, texels, &progress.span(0.3, 0.4))?;
        let inputs = ControlInputs {
            parts: Arc::new(Parts::of(self.rules, thin, waters, &beginning, &pause).await?),
            sky: before_edits.on(map, &progress.span(0.4, 0.5))?,
            before_edits: Arc::new(before_edits),
            texels,
            cells: map.size(),
            scale,
        };
        pause().await;
        let mut control = ControlMap {
            size: inputs.texels.size,
            texels: vec![[0; 2]; inputs.texels.size.cells()],
            relief: vec![[0; 4]; inputs.texels.size.cells()],
        };
        let rows = 0..inputs.texels.size.height();
        self.fill_layers(
            &mut control,
            &inputs,
            map,
            rows.clone(),
            &progress.span(0.5, 0.9),
            &pause,
        )
        .await?;
        let fill = inputs.relief(map);
        each_row(
            &mut control.relief,
            rows,
            control.size.width(),
            &progress.span(0.9, 1.0),
            &pause,
            fill,
        )
        .await?;
        Ok((control, inputs))
    }

    /// Computes rows of layers.
    pub(super) async fn fill_layers<P: Future<Output = ()>>(
        &self,
        control: &mut ControlMap,
        inputs: &ControlInputs,
        map: &Heightmap,
        rows: Range<usize>,
        progress: &Progress,
        pause: &impl Fn() -> P,
    ) -> Result<(), LayerError> {
        let Settings { masks, place, .. } = self.settings;
        let ControlInputs { parts, texels, .. } = inputs;
        let local = LocalParts::of(
            self.rules,
            *texels,
            map,
            rows.clone(),
            &progress.span(0.0, 0.2),
        )?;
        pause().await;
        let rules = Evaluation::new(self.rules, masks, place, *texels, (parts, &local))?;
        let fill = |y, row: &mut [[u8; 2]]| rules.fill(y, row);
        each_row(
            &mut control.texels,
            rows,
            control.size.width(),
            &progress.span(0.2, 1.0),
            pause,
            fill,
        )
        .await?;
        Ok(())
    }
}

/// Calls `fill(y, row)` for these rows of texels, and awaits `pause` after every few rows.
pub(super) async fn each_row<T: Send, P: Future<Output = ()>>(
    texels: &mut [T],
    rows: Range<usize>,
    width: usize,
    progress: &Progress,
    pause: &impl Fn() -> P,
    fill: impl Fn(usize, &mut [T]) + Sync + Send,
) -> Result<(), GenerateError> {
    let texels = &mut texels[rows.start * width..rows.end * width];
    let band = rows_at_once(width);
    let bands = rows.len().div_ceil(band);
    for (number, texels) in texels.chunks_mut(band * width).enumerate() {
        let done = progress.part(number, bands);
        let first = rows.start + number * band;
        rows::for_each_row(texels, width, &done, |y, row| {
            fill(first + y, row);
        })?;
        pause().await;
    }
    Ok(())
}

/// The number of rows between two pauses, for rows of `width` texels: several rows per thread, and
/// only a few on a single thread, where other work may be waiting.
fn rows_at_once(width: usize) -> usize {
    match rows::threads() {
        1 => (1024 / width).max(1),
        threads => 8 * threads,
    }
}

/// Returns the result of a future that never waits.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("this future never waits"),
    }
}

impl ControlMap {
    /// The maximum length of a control map's side. At this size it takes 8 MiB for the layers and
    /// 16 MiB for the relief.
    pub const MAX_TEXELS: usize = 2048;

    /// Creates a builder for these rules, with more options than [`of`](Self::of).
    pub fn builder(rules: &LayerRules) -> ControlMapBuilder<'_> {
        ControlMapBuilder {
            rules,
            settings: Settings {
                place: DVec2::ZERO,
                most_texels: Self::MAX_TEXELS,
                masks: &[],
                waters: None,
                unedited: None,
            },
        }
    }

    /// Computes the control map of a map at `scale`, with the sea at the height `sea_level` of the
    /// map.
    ///
    /// # Errors
    /// The errors of [`ControlMapBuilder::of`].
    pub fn of(
        rules: &LayerRules,
        map: &Heightmap,
        scale: Scale,
        sea_level: f32,
        progress: &Progress,
    ) -> Result<Self, LayerError> {
        Self::builder(rules).of(map, scale, sea_level, progress)
    }

    /// Returns the size of the control map in texels.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// Returns the layers, row by row, with two bytes per texel.
    ///
    /// The first byte holds the first layer in its lower four bits and the second layer in its
    /// upper four bits. The second byte is the share of the second layer, from 0 to 255. It never
    /// has more than half.
    pub fn texels(&self) -> &[[u8; 2]] {
        &self.texels
    }

    /// Returns the relief data for shading, row by row, with four bytes per texel:
    ///
    /// - the x and z of the normal, from -1 to 1 as 1 to 255 (128 is 0)
    /// - the visible share of the sky, from 0 to 1 as 0 to 255
    /// - the moisture, from 0 to 2550 mm per year as 0 to 255
    pub fn relief(&self) -> &[[u8; 4]] {
        &self.relief
    }

    /// Returns the two layers at a position, with their shares.
    ///
    /// The position is given as fractions of the map's extent: `(0, 0)` is the north-west corner and
    /// `(1, 1)` the south-east corner. The second layer may equal the first, with a share of 0.
    pub fn layers_at(&self, east: f32, south: f32) -> [(u8, f32); 2] {
        let last = Vec2::new(
            (self.size.width() - 1) as f32,
            (self.size.height() - 1) as f32,
        );
        let place = Vec2::new(east, south).clamp(Vec2::ZERO, Vec2::ONE) * last;
        let UVec2 { x, y } = (place + 0.5).as_uvec2();
        let [layers, share] = self.texels[y as usize * self.size.width() + x as usize];
        let second = f32::from(share) / 255.0;
        [(layers & 15, 1.0 - second), (layers >> 4, second)]
    }

    /// Covers parts of a texel with up to two layers. The layers that it has get the rest.
    ///
    /// `layers` are from 0 to 15, and `shares` from 0 to 1. The two layers with the largest shares are
    /// kept. Nothing happens outside the map, or if a number is out of its range or the shares add up
    /// to more than 1.
    pub fn cover(&mut self, x: usize, y: usize, layers: [u8; 2], shares: [f32; 2]) {
        let inside = x < self.size.width() && y < self.size.height();
        let known = layers
            .iter()
            .all(|&layer| usize::from(layer) < LayerRules::MAX);
        let rest = 1.0 - shares[0] - shares[1];
        // Written so that NaN fails too.
        if !(inside && known && shares[0] >= 0.0 && shares[1] >= 0.0 && rest >= -1e-6) {
            return;
        }
        let texel = &mut self.texels[y * self.size.width() + x];
        let [both, share] = *texel;
        let second = f32::from(share) / 255.0 * rest.max(0.0);
        let mut all = [
            (layers[0], shares[0]),
            (layers[1], shares[1]),
            (both & 15, rest.max(0.0) - second),
            (both >> 4, second),
        ];
        for index in 1..all.len() {
            // The share of a layer that occurs twice.
            let (before, rest) = all.split_at_mut(index);
            let (layer, share) = rest[0];
            if let Some(same) = before.iter_mut().find(|(other, _)| *other == layer) {
                same.1 += share;
                rest[0].1 = 0.0;
            }
        }
        all.sort_by(|(a, more), (b, less)| less.total_cmp(more).then(a.cmp(b)));
        *texel = packed(all[0], all[1]);
    }
}
