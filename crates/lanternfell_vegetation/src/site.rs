//! What the ground is like at a place, for the rules.

use std::sync::Arc;

use bevy::{math::DVec2, prelude::*};
use lanternfell_plants::scatter::Site;
use lanternfell_terrain::{GroundCover, TerrainSurface, TerrainWindow, Water, surface::Surface};

use crate::measures::Measures;

/// The ground of a terrain, to be asked in a background task. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Ground {
    surface: TerrainSurface,
    cover: GroundCover,
    /// The y of the sea in the terrain's frame.
    sea: f32,
    /// Where on the plane its middle lies, in metres.
    middle: DVec2,
    /// Whether it is a part of an endless land.
    is_window: bool,
    /// What was measured for the rules.
    measures: Arc<Measures>,
}

/// Millimetres of rain a year, with which ground is as wet as it gets.
const WET: f32 = 2000.0;

impl Ground {
    /// A window of an endless terrain lies somewhere on a plane, every other terrain in its middle.
    pub(crate) fn new(
        surface: &TerrainSurface,
        cover: &GroundCover,
        water: &Water,
        window: Option<&TerrainWindow>,
    ) -> Self {
        let spacing = f64::from(surface.surface().scale().spacing);
        let middle =
            |window: &TerrainWindow| (window.north_west + window.south_east).as_dvec2() / 2.0;
        Self {
            middle: spacing * window.map_or(DVec2::ZERO, middle),
            surface: surface.clone(),
            cover: cover.clone(),
            sea: water.surface_y(surface),
            is_window: window.is_some(),
            measures: Arc::default(),
        }
    }

    pub(crate) fn is_window(&self) -> bool {
        self.is_window
    }

    /// The same with what was measured of it.
    pub(crate) fn with_measures(self, measures: impl Into<Arc<Measures>>) -> Self {
        let measures = measures.into();
        Self { measures, ..self }
    }

    /// The same with what was measured of another.
    pub(crate) fn measured_as(self, other: &Self) -> Self {
        self.with_measures(other.measures.clone())
    }

    /// Whether whatever is measured of both is the same.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        let scale = |ground: &Self| ground.surface.surface().scale();
        // Same map, same scale, same sea: climate and steps depend on nothing else. A pointer suffices, because a map is never
        // changed in place.
        std::ptr::eq(self.surface.map(), other.surface.map())
            && scale(self) == scale(other)
            && self.sea == other.sea
    }

    pub(crate) fn surface(&self) -> &TerrainSurface {
        &self.surface
    }

    pub(crate) fn cover(&self) -> &GroundCover {
        &self.cover
    }

    pub(crate) fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The sea's level as a height of the map.
    pub(crate) fn sea_level(&self) -> f32 {
        self.sea / self.surface.surface().scale().relief
    }

    /// The y of the sea in the terrain's frame.
    pub(crate) fn sea(&self) -> f32 {
        self.sea
    }

    /// Where on the plane the terrain's middle lies, in metres.
    pub(crate) fn middle(&self) -> DVec2 {
        self.middle
    }

    /// Where a place of the plane lies in the terrain's frame.
    pub(crate) fn local(&self, place: DVec2) -> Vec2 {
        (place - self.middle).as_vec2()
    }

    /// The plane's place for one in the terrain's frame.
    pub(crate) fn on_plane(&self, local: Vec2) -> DVec2 {
        local.as_dvec2() + self.middle
    }

    /// Half of the land along both axes, and the y that no ground is above.
    pub(crate) fn extent(&self) -> (Vec2, f32) {
        let surface = self.surface.surface();
        (surface.half_extent(), surface.scale().relief)
    }

    /// Answers the rules, which ask for places of the plane: what the place is like, and at which share of the land along
    /// both axes it lies.
    pub(crate) fn asked(&self) -> impl Fn([f64; 2]) -> Option<(Site, Vec2)> {
        let surface = self.surface.surface();
        move |place| {
            let at = self.local(DVec2::from(place));
            let share = at / (2.0 * surface.half_extent()) + 0.5;
            Some((self.site(&surface, at, share)?, share))
        }
    }

    fn site(&self, surface: &Surface<'_>, at: Vec2, share: Vec2) -> Option<Site> {
        // Nothing grows in rivers and lakes.
        if self
            .surface
            .waters()
            .is_some_and(|waters| waters.at(at.x, at.y).is_some())
        {
            return None;
        }
        Some(Site {
            // Rules have heights above the sea; `Sowing::root` adds it again.
            height: surface.height(at)? - self.sea,
            normal: surface.normal(at)?,
            layers: self.cover.layers_at(at),
            biome: self.measures.biome(share),
            moisture: self.moisture(share),
            density: 1.0,
        })
    }

    /// At a share of the land along both axes.
    fn moisture(&self, share: Vec2) -> f32 {
        let map = self.cover.map();
        let (width, height) = (map.size().width(), map.size().height());
        let texel = |share: f32, count: usize| {
            let last = (count - 1) as f32;
            (share * last).round().clamp(0.0, last) as usize
        };
        let index = texel(share.y, height) * width + texel(share.x, width);
        // In tens of millimetres.
        let [.., wet] = map.relief()[index];
        (10.0 * f32::from(wet) / WET).min(1.0)
    }
}
