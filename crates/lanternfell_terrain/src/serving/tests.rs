//! Tests of orders and answers on the native platform: results are bit-identical to those of direct work.

use std::sync::Arc;

use bevy::{math::Vec2, tasks::block_on};
use lanternfell_heightmap::{
    Band, Blend, Elevation, FractalNoise, Generator, Heightmap, HoleMask, MapFrame, MapSize,
    Operation, Plane, Recipe, Scale, Selection,
};
use lanternfell_surface::inland_water::InlandWater;

use super::*;
use crate::{
    background::{
        Work,
        serve::{read_answer, write_order},
    },
    error::{TerrainError, Unmade},
    ground::{input::GroundInput, work::GroundMade},
    land::textures::work::order::LARGEST,
    map::TerrainMap,
};

/// Runs the whole path: serialized order, work, serialized answer.
fn by_bytes<W: Order>(work: &W, progress: &Progress) -> Result<W::Made, Unmade> {
    let answer = block_on(serve(&order(work), progress));
    block_on(read_answer(work, &mut answer.as_slice()))
}

fn order<W: Order>(work: &W) -> Vec<u8> {
    let mut order = Vec::new();
    block_on(write_order(work, &mut order));
    order
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn bits(heights: &[f32]) -> Vec<u32> {
    heights.iter().map(|height| height.to_bits()).collect()
}

/// A recipe with an image outside of 0 to 1, filters, and holes on steep slopes.
fn recipe() -> GroundInput {
    recipe_of(size(90, 70), size(31, 17))
}

fn recipe_of(size: MapSize, image_size: MapSize) -> GroundInput {
    let noise = Generator::from(FractalNoise::default());
    let image = Operation::Image {
        name: "coast.png".to_owned(),
    };
    let steep = Selection::Slope(Band {
        from: Some(5.0),
        ..Band::default()
    });
    let recipe = Recipe::beginning_with(size, 7, "coast", image)
        .with_layer(noise, Blend::Add, 0.3)
        .with_filter(lanternfell_heightmap::Filter::Normalize);
    let of = recipe.result_name().to_owned();
    let recipe = recipe.with_holes("steep", Operation::Select { of, by: steep });
    let coast = Heightmap::from_fn(image_size, |x, y| (x * y) as f32 / 3.0 - 20.0);
    GroundInput::Recipe {
        recipe,
        images: vec![coast.unwrap().into()],
        inland: None,
    }
}

/// A map in meters with a hole. Its cells are half as high as wide, and its relief is negative.
fn map() -> TerrainMap {
    let heights = Heightmap::from_fn(size(40, 50), |x, y| ((x * 7 + y * 3) % 91) as f32).unwrap();
    let mut frame = MapFrame::of_size(heights.size());
    frame.place.cell = [0.1, 0.05];
    frame.no_data = Some(f64::NAN);
    frame.elevation = Elevation {
        offset: 1.0 / 3.0,
        relief: -2.5,
    };
    frame.elevation_is_explicit = true;
    let mut holes = HoleMask::none(heights.size());
    holes.set_disc(Vec2::new(20.0, 9.0), 4.5, true);
    TerrainMap::new(heights, frame).with_holes(holes)
}

fn work(input: GroundInput, known: Option<TerrainMap>) -> GroundWork {
    GroundWork {
        input,
        known,
        is_drawn: true,
        most_in_heightfield: usize::MAX,
    }
}

/// A map that needs no preparation.
fn ready_map() -> GroundInput {
    let heights = Heightmap::from_fn(size(33, 20), |x, y| (x * y) as f32 / 1000.0).unwrap();
    let (map, scale) = (heights.into(), None);
    GroundInput::Map {
        map,
        scale,
        inland: None,
    }
}

#[test]
fn textures_survive_serialization_and_damaged_ones_are_rejected() {
    let progress = Progress::default();
    for kind in lanternfell_textures::GroundKind::ALL {
        let work = TextureWork { kind, size: 16 };
        let made = work.make(&progress).unwrap_or_else(|_| unreachable!());
        assert_eq!(made.size, 16, "{kind:?}");
        let came = by_bytes(&work, &progress).unwrap_or_else(|_| panic!("{kind:?} is lost"));
        assert!(came == made, "{kind:?} is another");
    }
    let work = |size| TextureWork {
        kind: lanternfell_textures::GroundKind::Moss,
        size,
    };
    // An invalid size gives no texture, either way.
    assert_eq!(
        by_bytes(&work(17), &progress).map(|made| made.size).ok(),
        Some(0)
    );
    assert!(by_bytes(&work(LARGEST * 2), &progress).is_err());
    let answer = block_on(serve(&order(&work(16)), &progress));
    for end in [0, 3, 4, 8, 30, answer.len() / 2, answer.len() - 1] {
        let cut = block_on(read_answer(&work(16), &mut &answer[..end]));
        assert!(cut.is_err(), "cut at {end}");
    }
    // An answer to another order.
    let other = block_on(read_answer(&work(32), &mut answer.as_slice()));
    assert!(other.is_err());
}

/// Hills with rivers and lakes, as a recipe and as a map.
fn wet() -> [GroundInput; 2] {
    let hills = lanternfell_heightmap::Hills {
        count: 300,
        radius_max: 30.0,
        island: true,
        ..Default::default()
    };
    let scale = Scale {
        spacing: 6.0,
        relief: 160.0,
    };
    let recipe = Recipe {
        sea_level: Some(0.1),
        scale: Some(scale),
        ..Recipe::new(size(192, 192), 7, hills)
    };
    let inland = Some(InlandWater::default());
    let heights = recipe.generate(&Progress::default()).unwrap();
    [
        GroundInput::Recipe {
            recipe,
            images: Vec::new(),
            inland,
        },
        GroundInput::Map {
            map: heights.into(),
            scale: Some(scale),
            inland,
        },
    ]
}

fn works() -> Vec<GroundWork> {
    let go = Progress::default();
    let [wet, wet_map] = wet();
    let known = wet.make(&go).unwrap();
    assert!(
        known
            .waters()
            .is_some_and(|waters| !waters.rivers().is_empty())
    );
    let scale = Scale {
        spacing: 0.3,
        relief: 77.7,
    };
    let scaled = |map| GroundInput::Map {
        map,
        scale: Some(scale),
        inland: None,
    };
    let (made, prepared) = (
        recipe().make(&go).unwrap(),
        scaled(map()).make(&go).unwrap(),
    );
    let bare = GroundWork {
        is_drawn: false,
        most_in_heightfield: 0,
        ..work(ready_map(), None)
    };
    vec![
        work(recipe(), None),
        work(recipe(), Some(made)),
        work(scaled(map()), None),
        work(scaled(map()), Some(prepared)),
        work(ready_map(), None),
        bare,
        work(wet.clone(), None),
        work(wet_map, None),
        work(wet, Some(known)),
    ]
}

#[test]
fn terrain_survives_serialization_bit_by_bit() {
    for (case, work) in works().iter().enumerate() {
        let progress = Progress::default();
        let expected = work.make(&Progress::default()).unwrap();
        let found = by_bytes(work, &progress).unwrap();
        assert_eq!(
            bits(found.map.heights().heights()),
            bits(expected.map.heights().heights()),
            "{case}"
        );
        // As text, because NaN is not equal to itself.
        let frame = |made: &GroundMade| format!("{:?}", made.map.frame());
        assert_eq!(frame(&found), frame(&expected), "{case}");
        assert_eq!(found.map.holes(), expected.map.holes(), "{case}");
        assert_eq!(found.map.waters(), expected.map.waters(), "{case}");
        assert_eq!(found.pyramid, expected.pyramid, "{case}");
        assert_eq!(found.tree, expected.tree, "{case}");
        let bent = |made: &GroundMade| made.bent.as_deref().map(bits);
        assert_eq!(bent(&found), bent(&expected), "{case}");
        assert_eq!(found.tree.is_some(), work.is_drawn, "{case}");
        assert_eq!(
            bent(&found).is_some(),
            work.most_in_heightfield > 0,
            "{case}"
        );
        let scale = work.input.scale(&found.map);
        assert_eq!(scale, work.input.scale(&expected.map), "{case}");
    }
    let holes = recipe().make(&Progress::default()).unwrap();
    assert!(holes.holes().is_some_and(|holes| holes.count() > 0));
}

#[test]
fn known_map_is_shared_and_not_copied() {
    for (case, work) in works().iter().enumerate() {
        let found = by_bytes(work, &Progress::default()).unwrap();
        let sent = work.known.clone().or(match &work.input {
            GroundInput::Map { map, .. } => Some(map.clone()),
            GroundInput::Recipe { .. } => None,
        });
        let is_shared = sent.is_some_and(|sent| sent.shares_heights_with(&found.map));
        assert_eq!(is_shared, [1, 3, 4, 5, 8].contains(&case), "{case}");
    }
}

#[test]
fn plane_parts_survive_serialization_bit_by_bit() {
    let recipe = Recipe::new(MapSize::default(), 5, FractalNoise::default());
    let plane = Arc::new(recipe.plane().unwrap());
    let work = |origin| PlaneWork {
        plane: plane.clone(),
        origin,
        size: size(60, 41),
    };
    for origin in [(0, 0), (-70_000, 123), (1 << 39, -(1 << 38))] {
        let expected = work(origin).make(&Progress::default()).unwrap();
        let found = by_bytes(&work(origin), &Progress::default()).unwrap();
        assert_eq!(
            bits(found.heights()),
            bits(expected.heights()),
            "{origin:?}"
        );
    }
    let beyond = work((2 * Plane::MAX_ORIGIN, 0));
    let Err(Unmade::Failed(expected)) = beyond.make(&Progress::default()) else {
        panic!("there is no plane");
    };
    let Err(Unmade::Failed(TerrainError::Worker(why))) = by_bytes(&beyond, &Progress::default())
    else {
        panic!("there is no plane");
    };
    assert_eq!(why, expected.to_string());
}

#[test]
fn errors_survive_serialization() {
    let holes = HoleMask::none(size(9, 9));
    let mut flat = MapFrame::of_size(size(30, 20));
    flat.place.cell = [0.0, 1.0];
    let heights = Heightmap::flat(size(30, 20));
    for map in [
        TerrainMap::from(heights.clone()).with_holes(holes),
        TerrainMap::new(heights, flat),
    ] {
        let wrong = work(
            GroundInput::Map {
                map,
                scale: None,
                inland: None,
            },
            None,
        );
        let error = |made: Result<GroundMade, Unmade>| match made {
            Err(Unmade::Failed(error)) => error,
            _ => panic!("it can not be made"),
        };
        let expected = error(wrong.make(&Progress::default()));
        assert_eq!(error(by_bytes(&wrong, &Progress::default())), expected);
    }
    let stopped = Progress::default();
    stopped.cancel();
    let made = by_bytes(&work(recipe(), None), &stopped);
    assert!(matches!(made, Err(Unmade::Canceled)));
}

#[test]
fn damaged_orders_give_errors() {
    let work = work(recipe_of(size(20, 16), size(5, 4)), None);
    let order = order(&work);
    let is_refused = |order: &[u8]| {
        let answer = block_on(serve(order, &Progress::default()));
        let answer = block_on(read_answer(&work, &mut answer.as_slice()));
        matches!(answer, Err(Unmade::Failed(TerrainError::Worker(_))))
    };
    assert!(!is_refused(&order));
    for length in 0..order.len() {
        assert!(is_refused(&order[..length]), "{length}");
    }
    assert!(is_refused(&[order.as_slice(), &[0]].concat()));
    // Some damaged orders are valid orders with other values. None may panic.
    for at in 0..order.len() {
        for bit in [0, 3, 6] {
            let mut order = order.clone();
            order[at] ^= 1 << bit;
            is_refused(&order);
        }
    }
}

#[test]
fn damaged_answers_give_errors() {
    let work = work(recipe(), None);
    let answer = block_on(serve(&order(&work), &Progress::default()));
    let read = |mut answer: &[u8]| block_on(read_answer(&work, &mut answer));
    let is_refused =
        |answer: &[u8]| matches!(read(answer), Err(Unmade::Failed(TerrainError::Worker(_))));
    assert!(!is_refused(&answer));
    for length in (0..answer.len()).step_by(101).chain([answer.len() - 1]) {
        assert!(is_refused(&answer[..length]), "{length}");
    }
    assert!(is_refused(&[answer.as_slice(), &[0]].concat()));
    for at in (0..answer.len()).step_by(13) {
        let mut answer = answer.clone();
        answer[at] ^= 0x80;
        // A damaged number may still be a valid number.
        let _ = read(&answer);
    }
    // A length beyond the available memory is rejected.
    let mut long = answer;
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(is_refused(&long));
}
