//! Light on open ground: reach, roundness, and lamps that move between cells.

use crate::common::{apart, lamp, lights, places, report::Case};
use lanternfell_lightgrid::{
    Falloff, IVec2, LightGrid, LightSettings, Neighborhood, RADIUS_CUTOFF, Source, Vec2, Vec3,
};

/// Gray open ground with an odd number of cells along each side.
fn ground(half: i32, neighborhood: Neighborhood, falloff: Falloff) -> LightGrid {
    let settings = LightSettings {
        neighborhood,
        falloff,
        direct: 0.0,
    };
    let side = 2 * half as u32 + 1;
    LightGrid::gray(side, side, settings).unwrap()
}

#[test]
fn light_reaches_cutoff_at_radius() {
    for neighborhood in Neighborhood::ALL {
        for radius in [1, 2, 4, 8, 12, 24] {
            let falloff = Falloff::Radius(radius as f32);
            let middle = 2 * radius + 4;
            let mut grid = ground(middle, neighborhood, falloff);
            grid.set_sources(&[lamp(middle, middle)]).unwrap();
            assert!(
                grid.settle(2e-4).at_rest,
                "{neighborhood:?}, radius {radius}"
            );
            let rim = grid.light(IVec2::new(middle + radius, middle)).x;
            assert!(
                (rim / RADIUS_CUTOFF - 1.0).abs() < 0.03,
                "{neighborhood:?}, {radius}: {rim}"
            );
        }
    }
}

#[test]
fn stepped_light_reaches_cutoff_at_radius() {
    for neighborhood in Neighborhood::ALL {
        let mut grid = ground(20, neighborhood, Falloff::Radius(8.0));
        grid.set_sources(&[lamp(20, 20)]).unwrap();
        grid.step(400);
        let rim = grid.light(IVec2::new(28, 20)).x;
        assert!(
            (rim / RADIUS_CUTOFF - 1.0).abs() < 0.03,
            "{neighborhood:?}: {rim}"
        );
    }
}

#[test]
fn radius_and_decay_are_inverse() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        for radius in [1.0, 1.5, 4.0, 7.3, 12.0, 24.0, 100.0, 1000.0] {
            let decay = Falloff::Radius(radius).decay(neighborhood);
            let back = Falloff::Decay(decay).radius(neighborhood);
            assert!((back / radius - 1.0).abs() < 1e-3, "{radius}, {back}");
            assert_eq!(Falloff::Radius(radius).radius(neighborhood), radius);
        }
        for decay in [0.9, 0.5, 0.1, 0.01, 1e-3, 1e-5] {
            let radius = Falloff::Decay(decay).radius(neighborhood);
            let back = Falloff::Radius(radius.clamp(1.0, 1000.0)).decay(neighborhood);
            let in_range = (1.0..1000.0).contains(&radius);
            assert!(
                !in_range || (back / decay - 1.0).abs() < 1e-3,
                "{decay}, {back}"
            );
            assert_eq!(Falloff::Decay(decay).decay(neighborhood), decay);
        }
        let (all, none) = (Falloff::Decay(1.0), Falloff::Decay(0.0));
        assert!(all.radius(neighborhood) <= 1.0);
        assert_eq!(none.radius(neighborhood), f32::INFINITY);
    }
}

#[test]
fn larger_radius_has_smaller_decay() {
    for neighborhood in Neighborhood::ALL {
        let radii = (1..100).map(|n| Falloff::Radius(n as f32));
        let decays: Vec<f32> = radii.map(|radius| radius.decay(neighborhood)).collect();
        let falls = decays.windows(2).all(|pair| pair[1] < pair[0]);
        assert!(falls, "{neighborhood:?}: {decays:?}");
    }
}

/// The light along a diagonal divided by that along an axis, at the same distance.
fn roundness(grid: &LightGrid, middle: i32, diagonal: i32) -> f32 {
    let light = |x, y| grid.light(IVec2::new(middle + x, middle + y)).x;
    let distance = diagonal as f32 * f32::sqrt(2.0);
    let (near, part) = (distance as i32, distance.fract());
    // Interpolated geometrically between two cells.
    let along = libm::powf(light(near, 0), 1.0 - part) * libm::powf(light(near + 1, 0), part);
    light(diagonal, diagonal) / along
}

#[test]
fn neighborhoods_have_expected_shapes() {
    let wanted = [0.93, 1.03, 0.998];
    for (neighborhood, wanted) in Neighborhood::SQUARE.into_iter().zip(wanted) {
        let mut grid = ground(40, neighborhood, Falloff::Decay(0.05));
        grid.set_sources(&[lamp(40, 40)]).unwrap();
        grid.settle(1e-6);
        for diagonal in 4..10 {
            let found = roundness(&grid, 40, diagonal);
            assert!(
                (found - wanted).abs() < 0.02,
                "{neighborhood:?}, {diagonal}: {found}"
            );
        }
        if neighborhood == Neighborhood::Isotropic {
            let light = grid.light(IVec2::new(44, 43)).x / grid.light(IVec2::new(45, 40)).x;
            assert!((light - 1.0).abs() < 0.01, "3, 4, 5: {light}");
        }
    }
}

#[test]
fn light_is_proportional_to_source() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut weak = ground(15, neighborhood, Falloff::Decay(0.05));
        let mut strong = weak.clone();
        weak.set_sources(&[lamp(15, 15)]).unwrap();
        strong
            .set_sources(&[Source::new(IVec2::splat(15), Vec3::splat(16.0))])
            .unwrap();
        weak.settle(1e-5);
        strong.settle(1e-4);
        let weak: Vec<Vec3> = lights(&weak)
            .into_iter()
            .map(|light| light * 16.0)
            .collect();
        assert!(apart(&weak, &lights(&strong)) < 4e-4);
        assert_eq!(strong.light(IVec2::splat(15)), Vec3::splat(16.0));
    }
}

/// Directions of a moving lamp in the plane.
const WAYS: [Vec2; 3] = [Vec2::X, Vec2::ONE, Vec2::new(1.0, 0.5)];

#[test]
fn moving_lamp_changes_light_smoothly() {
    for neighborhood in Neighborhood::ALL {
        for way in WAYS {
            let mut grid = ground(22, neighborhood, Falloff::Radius(12.0));
            let mut before: Option<f32> = None;
            for eighth in 0..=16 {
                let start = neighborhood.to_plane(Vec2::splat(22.0));
                let at = neighborhood.from_plane(start + way * (eighth as f32 / 8.0));
                grid.set_sources(&[Source::at(at, Vec3::ONE)]).unwrap();
                assert!(grid.settle(1e-4).at_rest, "{neighborhood:?}, {at}");
                let light = grid.light(IVec2::new(28, 22)).x;
                if let Some(before) = before {
                    let grows = light / before;
                    assert!(
                        (1.01..1.05).contains(&grows),
                        "{neighborhood:?}, {at}: {grows}"
                    );
                }
                before = Some(light);
            }
        }
    }
}

#[test]
fn lamp_between_cells_gives_same_total_light() {
    for neighborhood in Neighborhood::ALL {
        for radius in [4.0, 12.0] {
            let _case = Case::new(format_args!("{neighborhood:?}, radius {radius}"));
            let mut grid = ground(22, neighborhood, Falloff::Radius(radius));
            let mut all = |at: Vec2| -> f32 {
                grid.set_sources(&[Source::at(at, Vec3::ONE)]).unwrap();
                grid.settle(1e-5);
                places(&grid).map(|cell| grid.light(cell).x).sum()
            };
            let on_one = all(Vec2::splat(22.0));
            for way in WAYS {
                for eighth in 1..8 {
                    let between = all(Vec2::splat(22.0) + way * (eighth as f32 / 8.0));
                    let ratio = between / on_one;
                    assert!((ratio - 1.0).abs() < 0.01, "{way} {eighth} / 8: {ratio}");
                }
            }
        }
    }
}

#[test]
fn lamp_near_cell_center_equals_lamp_at_center() {
    for neighborhood in Neighborhood::ALL {
        let light = |at: Vec2| {
            let mut grid = ground(9, neighborhood, Falloff::Radius(6.0));
            grid.set_sources(&[Source::at(at, Vec3::ONE)]).unwrap();
            grid.settle(1e-5);
            lights(&grid)
        };
        let on_it = light(Vec2::splat(9.0));
        for offset in [
            Vec2::new(1e-4, 0.0),
            Vec2::new(-1e-4, 1e-4),
            Vec2::new(0.0, -1e-4),
        ] {
            let apart = apart(&on_it, &light(Vec2::splat(9.0) + offset));
            assert!(apart < 1e-3, "{neighborhood:?}, {offset}: {apart}");
        }
    }
}

#[test]
fn lamp_beyond_edge_lights_its_inner_cells() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut grid = ground(5, neighborhood, Falloff::Radius(6.0));
        grid.set_sources(&[Source::at(Vec2::new(-0.25, 5.0), Vec3::ONE)])
            .unwrap();
        grid.step(1);
        let light = grid.light(IVec2::new(0, 5)).x;
        assert!(light > 0.75 && light < 1.0, "{light}");
        grid.set_sources(&[Source::at(Vec2::new(-1.0, 5.0), Vec3::ONE)])
            .unwrap();
        grid.darken();
        grid.step(5);
        assert_eq!(apart(&lights(&grid), &[Vec3::ZERO; 121]), 0.0);
    }
}
