//! The width, depth, speed and turbulence of a river, from its discharge and slope.
//!
//! Width and depth are powers of the discharge, which is proportional to the catchment. The speed
//! follows Manning's formula. Turbulence starts at the slope where rapids begin.
//!
//! Sources: Leopold and Maddock, *The hydraulic geometry of stream channels*, 1953; Manning, *On
//! the flow of water in open channels and pipes*, 1891; Montgomery and Buffington, *Channel-reach
//! morphology in mountain drainage basins*, 1997, for the slopes of riffles, steps and cascades.

use super::InlandWater;

/// The slope up to which water flows smoothly, as in beds of pools and riffles.
const CALM_SLOPE: f64 = 0.02;

/// The slope from which water falls. It is steeper than cascades.
const FALL_SLOPE: f64 = 0.4;

/// The maximum speed in meters per second, that of a waterfall.
const FASTEST: f64 = 8.0;

/// The minimum slope for the speed, so that water still creeps where a river crosses a pond.
const LEAST_SLOPE: f64 = 0.0002;

impl InlandWater {
    /// Returns the discharge in cubic meters per second of a catchment in square meters.
    pub(super) fn discharge(&self, square_meters: f64) -> f64 {
        const SQUARE_KILOMETER: f64 = 1e6;
        self.specific_discharge * square_meters / SQUARE_KILOMETER
    }

    /// Returns the width in meters for a discharge.
    pub(super) fn width(&self, discharge: f64) -> f64 {
        self.width_factor * libm::pow(discharge, self.width_exponent)
    }

    /// Returns the depth in meters for a discharge.
    pub(super) fn depth(&self, discharge: f64) -> f64 {
        self.depth_factor * libm::pow(discharge, self.depth_exponent)
    }

    /// Returns the speed in meters per second for a depth in meters and a slope.
    pub(super) fn speed(&self, depth: f64, slope: f64) -> f64 {
        let root = libm::cbrt(depth);
        let slope = slope.max(LEAST_SLOPE);
        (root * root * libm::sqrt(slope) / self.roughness).min(FASTEST)
    }
}

/// Returns the turbulence for a slope, from 0 (smooth) to 1 (a waterfall).
pub(super) fn turbulence(slope: f64) -> f64 {
    ((slope - CALM_SLOPE) / (FALL_SLOPE - CALM_SLOPE)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_the_discharge_doubles_width() {
        let water = InlandWater::default();
        let (small, large) = (water.discharge(1e6), water.discharge(4e6));
        assert_eq!(small, water.specific_discharge);
        assert!((water.width(large) / water.width(small) - 2.0).abs() < 1e-9);
        let deeper = water.depth(large) / water.depth(small);
        assert!((1.5..2.0).contains(&deeper), "{deeper}");
    }

    #[test]
    fn steep_water_is_fast_and_turbulent() {
        let water = InlandWater::default();
        let speeds = [0.0, 0.001, 0.01, 0.1, 1.0].map(|slope| water.speed(0.5, slope));
        assert!(speeds.is_sorted() && speeds[0] > 0.0, "{speeds:?}");
        assert!((0.3..3.0).contains(&speeds[2]), "{speeds:?}");
        assert_eq!(water.speed(100.0, 10.0), FASTEST);
        assert_eq!((turbulence(0.01), turbulence(0.5)), (0.0, 1.0));
        assert!((0.1..0.4).contains(&turbulence(0.1)));
    }
}
