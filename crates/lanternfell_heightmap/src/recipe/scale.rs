//! Whether the map of a recipe depends on its scale.
//!
//! Erosion by rain, slides, ice and wind works in meters, as does the selection of slopes. All other steps work in
//! cells and heights. So a program that only changes the displayed size of a terrain needs to generate it again only if
//! it has such a step.

use super::Recipe;

impl Recipe {
    /// Whether the map or its [holes](Self::holes) depend on the [scale](Self::scale): whether a step that they need
    /// [erodes](crate::erosion) in meters or selects slopes. Returns `true` for recipes that are not
    /// [valid](Self::validate).
    ///
    /// ```
    /// use lanternfell_heightmap::{Filter, Hills, MapSize, Recipe, erosion::ThermalErosion};
    ///
    /// let hills = Recipe::new(MapSize::default(), 7, Hills::default());
    /// assert!(!hills.depends_on_scale());
    /// let slides = Filter::ThermalErosion(ThermalErosion::default());
    /// assert!(hills.with_filter(slides).depends_on_scale());
    /// ```
    pub fn depends_on_scale(&self) -> bool {
        let asks = |&step: &usize| self.steps[step].operation.depends_on_scale();
        self.plan_with_holes()
            .map_or(true, |plan| plan.order.iter().any(asks))
    }

    /// Whether both recipes produce exactly the same map with the same [holes](Self::holes), as far as this can be
    /// determined without generating them. They may differ in the [sea level](Self::sea_level), and in a scale that has
    /// no effect.
    pub fn produces_map_of(&self, other: &Self) -> bool {
        let scale_matters = self.scale() != other.scale() && self.depends_on_scale();
        let same = Self {
            sea_level: other.sea_level,
            scale: if scale_matters {
                self.scale
            } else {
                other.scale
            },
            ..self.clone()
        };
        same == *other
    }
}
