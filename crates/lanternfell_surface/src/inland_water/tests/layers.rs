//! Tests of `LayerRule::beside_water` with the rivers and lakes of `InlandWater`.

use glam::{USizeVec2, Vec2};

use super::{Case, cases};
use crate::layers::{ControlMap, LayerRule, LayerRules, NearWater};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};

/// Places layer 1 within this distance of rivers and lakes, in meters.
fn gravel_control_map(case: &Case, meters: f64) -> ControlMap {
    let gravel = LayerRule {
        weight: 0.0,
        beside_water: Some(NearWater {
            reach: meters,
            ..NearWater::default()
        }),
        ..LayerRule::default()
    };
    let rules = LayerRules {
        rules: vec![LayerRule::default(), gravel],
        ..LayerRules::default()
    };
    let builder = ControlMap::builder(&rules).waters(&case.waters);
    let sea = case.hydrology.sea_level.unwrap_or(0.0);
    let control = builder.of(&case.map, case.scale, sea, &Progress::default());
    control.unwrap()
}

/// Whether a cell of a mask, or one within `reach` cells of it, is wet.
fn is_wet_near(mask: &Heightmap, cell: USizeVec2, reach: usize) -> bool {
    let size = USizeVec2::new(mask.width(), mask.height());
    let reach = USizeVec2::splat(reach);
    let (low, high) = (cell.saturating_sub(reach), (cell + reach).min(size - 1));
    (low.y..=high.y).any(|y| (low.x..=high.x).any(|x| mask.get(x, y) == 1.0))
}

#[test]
fn layers_follow_rivers_and_lakes() {
    let (mut wet, mut dry) = (0, 0);
    for case in cases() {
        let control = gravel_control_map(&case, 2.0 * f64::from(case.scale.spacing));
        let mask = case.waters.mask(case.map.size());
        for y in 0..mask.height() {
            for x in 0..mask.width() {
                let first = control.texels()[y * mask.width() + x][0] & 15;
                let cell = USizeVec2::new(x, y);
                if is_wet_near(&mask, cell, 1) {
                    wet += 1;
                    assert_eq!(first, 1, "{}: near water at {cell}", case.name);
                } else if !is_wet_near(&mask, cell, 4) {
                    dry += 1;
                    assert_eq!(first, 0, "{}: far from water at {cell}", case.name);
                }
            }
        }
    }
    assert!(wet > 5000 && dry > 50_000, "{wet} wet, {dry} dry");
}

#[test]
fn layer_is_absent_without_water() {
    let case = Case::preset("rolling-hills", 64, 3, None);
    assert!(case.waters.is_empty(), "it is too small for rivers");
    let control = gravel_control_map(&case, 100.0);
    assert!(control.texels().iter().all(|[layers, _]| layers & 15 == 0));
}

#[test]
fn masks_of_any_size_contain_all_rivers() {
    let mut asked = 0;
    for case in cases() {
        for (width, height) in [(20, 31), (64, 64), (150, 150), (600, 400)] {
            let size = MapSize::new(width, height).unwrap();
            let mask = case.waters.mask(size);
            assert_eq!(mask.size(), size);
            let last = Vec2::new((width - 1) as f32, (height - 1) as f32);
            let half = case.ground().half_extent();
            // In a larger mask, wet cells are not contiguous.
            let reach = (width as usize).div_ceil(case.map.width());
            let points = case.waters.rivers().iter().flat_map(|river| &river.points);
            for point in points.filter(|point| point.half_width > 0.75 * case.scale.spacing) {
                let [x, _, z] = point.position;
                let place = (Vec2::new(x, z) / half * 0.5 + 0.5).clamp(Vec2::ZERO, Vec2::ONE);
                let cell = (place * last).round().as_usizevec2();
                let is_known = is_wet_near(&mask, cell, reach + 1);
                assert!(
                    is_known || case.waters.at(x, z).is_none(),
                    "{}: {cell}",
                    case.name
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}
