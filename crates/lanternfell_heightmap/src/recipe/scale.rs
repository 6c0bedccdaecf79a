//! What a recipe's scale has to do with its map: nothing, unless a step works in metres.
//!
//! Drops run and slopes slide by angles, glaciers and dunes by metres; all else looks at cells and
//! heights. So whoever shows the same land wider or higher must make it anew only with such a step.

use super::Recipe;

impl Recipe {
    /// Whether the map or its [holes](Self::holes) would be others at another [scale](Self::scale): whether a step that
    /// they need [erodes](crate::erosion) in metres or selects slopes. Of a recipe that is not
    /// [valid](Self::validate) it is not known, which counts as yes.
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

    /// Whether both give the very same map with the very same [holes](Self::holes), as far as can be told without
    /// making it: they differ at most in the [sea level](Self::sea_level), and in a scale that makes no difference.
    pub fn gives_the_map_of(&self, other: &Self) -> bool {
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
