//! Terrain queries for the scatter rules.

use std::sync::Arc;

use bevy::{math::DVec2, prelude::*};
use lanternfell_plants::scatter::Site;
use lanternfell_terrain::{TerrainCover, TerrainRegion, TerrainSurface, Water, surface::Surface};

use crate::measures::Measures;

/// The terrain, for queries from background tasks. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Ground {
    surface: TerrainSurface,
    cover: TerrainCover,
    /// Height (y) of the sea in the terrain's local space.
    sea: f32,
    /// Position of the terrain's center on the plane, in meters.
    middle: DVec2,
    /// Whether it is a region of an endless terrain.
    is_region: bool,
    /// Biomes and recipe steps that the rules need.
    measures: Arc<Measures>,
}

/// Precipitation in mm per year that gives a moisture of 1.
const WET: f32 = 2000.0;

/// The y of the sea level, also on terrain without a sea.
pub(crate) fn sea_level(water: Option<&Water>, surface: &TerrainSurface) -> f32 {
    water.map_or(surface.water_level(), |water| water.surface_y(surface))
}

impl Ground {
    /// `region` is the region of an endless terrain, which has its own position on the plane. Other terrains are
    /// centered at the origin.
    pub(crate) fn new(
        surface: &TerrainSurface,
        cover: &TerrainCover,
        water: Option<&Water>,
        region: Option<&TerrainRegion>,
    ) -> Self {
        let spacing = f64::from(surface.surface().scale().spacing);
        let middle =
            |region: &TerrainRegion| (region.north_west + region.south_east).as_dvec2() / 2.0;
        Self {
            middle: spacing * region.map_or(DVec2::ZERO, middle),
            surface: surface.clone(),
            cover: cover.clone(),
            sea: sea_level(water, surface),
            is_region: region.is_some(),
            measures: Arc::default(),
        }
    }

    pub(crate) fn is_region(&self) -> bool {
        self.is_region
    }

    /// Sets the measures.
    pub(crate) fn with_measures(self, measures: impl Into<Arc<Measures>>) -> Self {
        let measures = measures.into();
        Self { measures, ..self }
    }

    /// Takes the measures of another ground.
    pub(crate) fn measured_as(self, other: &Self) -> Self {
        self.with_measures(other.measures.clone())
    }

    /// Whether measures of one are valid for the other.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        let scale = |ground: &Self| ground.surface.surface().scale();
        // Climate and recipe steps depend only on the map before edits, the scale and the sea level. Maps are
        // immutable, so comparing pointers is enough.
        std::ptr::eq(self.surface.unedited_map(), other.surface.unedited_map())
            && scale(self) == scale(other)
            && self.sea == other.sea
    }

    /// The areas on the plane in which plants can differ from those on `before`, from the north-west to the south-east
    /// corner. `None` if more than edits differ.
    pub(crate) fn edited_since(&self, before: &Self) -> Option<Vec<[DVec2; 2]>> {
        let is_alike = self.is_alike(before)
            && self.middle == before.middle
            && self.cover.is_by_rules_of(&before.cover);
        let areas = self
            .surface
            .changes_since(&before.surface)
            .filter(|_| is_alike)?;
        // Normals change one cell further out. Layers are those of the nearest texel, whose slope includes its neighbors.
        let cell = f64::from(self.surface.surface().scale().spacing);
        let texels = self.cover.map().size();
        let texel = 2.0 * self.half_extent().as_dvec2()
            / DVec2::new((texels.width() - 1) as f64, (texels.height() - 1) as f64);
        let further = cell + 3.0 * texel;
        let on_plane = |area: Rect| {
            let [min, max] = [area.min, area.max].map(|corner| self.on_plane(corner));
            [min - further, max + further]
        };
        Some(areas.into_iter().map(on_plane).collect())
    }

    pub(crate) fn surface(&self) -> &TerrainSurface {
        &self.surface
    }

    pub(crate) fn cover(&self) -> &TerrainCover {
        &self.cover
    }

    pub(crate) fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The sea level as a map height.
    pub(crate) fn sea_level(&self) -> f32 {
        self.sea / self.surface.surface().scale().relief
    }

    /// Height (y) of the sea in the terrain's local space.
    pub(crate) fn sea(&self) -> f32 {
        self.sea
    }

    /// Position of the terrain's center on the plane, in meters.
    pub(crate) fn middle(&self) -> DVec2 {
        self.middle
    }

    /// Converts a position on the plane to the terrain's local space.
    pub(crate) fn local(&self, place: DVec2) -> Vec2 {
        (place - self.middle).as_vec2()
    }

    /// Converts a position in the terrain's local space to the plane.
    pub(crate) fn on_plane(&self, local: Vec2) -> DVec2 {
        local.as_dvec2() + self.middle
    }

    /// Half the size of the terrain along both axes.
    pub(crate) fn half_extent(&self) -> Vec2 {
        self.surface.surface().half_extent()
    }

    /// Bounds of the height (y): 0 and the relief, unless edits have dug deeper or built higher.
    pub(crate) fn height_bounds(&self) -> [f32; 2] {
        let (low, high) = self.surface.height_range();
        [
            low.min(0.0),
            high.max(self.surface.surface().scale().relief),
        ]
    }

    /// Whether edits have changed the height at a position on the plane.
    pub(crate) fn is_edited(&self, place: [f64; 2]) -> bool {
        self.surface.is_edited(self.local(DVec2::from(place)))
    }

    /// Returns a query for the scatter rules: from a position on the plane to the site and the relative position on the
    /// terrain (0 to 1 along both axes).
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
            // Rules use heights above the sea. `VegetationLayout::root` adds the sea level again.
            height: surface.height(at)? - self.sea,
            normal: surface.normal(at)?,
            layers: self.cover.layers_at(at),
            biome: self.measures.biome(share),
            moisture: self.moisture(share),
            density: self.surface.plant_density(at),
        })
    }

    /// Moisture from 0 to 1 at a relative position.
    fn moisture(&self, share: Vec2) -> f32 {
        let map = self.cover.map();
        let (width, height) = (map.size().width(), map.size().height());
        let texel = |share: f32, count: usize| {
            let last = (count - 1) as f32;
            (share * last).round().clamp(0.0, last) as usize
        };
        let index = texel(share.y, height) * width + texel(share.x, width);
        // The unit is 10 mm per year.
        let [.., wet] = map.relief()[index];
        (10.0 * f32::from(wet) / WET).min(1.0)
    }
}
