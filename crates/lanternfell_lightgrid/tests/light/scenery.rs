//! Things that block or absorb light: glass, smoke, colored walls and darkness; and ambient light.

use crate::common::{draw, lamp, lights, places, report::Case};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec3,
};

fn settings(neighborhood: Neighborhood) -> LightSettings {
    let falloff = Falloff::Decay(0.02);
    LightSettings {
        neighborhood,
        falloff,
        direct: 0.0,
    }
}

const DOOR: IVec2 = IVec2::new(7, 2);

/// Two rooms with a door cell between them, and a torch in the first.
fn rooms(neighborhood: Neighborhood, door: Cell) -> LightGrid {
    let rooms = [
        "###############",
        "#......#......#",
        "#.............#",
        "#......#......#",
        "###############",
    ];
    let mut grid = LightGrid::new(15, 5, settings(neighborhood)).unwrap();
    draw(&mut grid, Cell::BLACK_WALL, &rooms);
    grid.set_cell(DOOR, door).unwrap();
    grid.set_sources(&[lamp(2, 2)]).unwrap();
    assert!(grid.settle(1e-5).at_rest);
    grid
}

/// The sum of the light in the second room.
fn behind(grid: &LightGrid) -> Vec3 {
    let second = places(grid).filter(|cell| cell.x > DOOR.x);
    second.map(|cell| grid.light(cell)).sum()
}

#[test]
fn stained_glass_tints_light() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let open = behind(&rooms(neighborhood, Cell::OPEN));
        let red = behind(&rooms(neighborhood, Cell::glass(Vec3::X)));
        assert!(red.y == 0.0 && red.z == 0.0, "{red}");
        assert!((red.x / open.x - 1.0).abs() < 0.01, "{red}, not {open}");
        let amber = behind(&rooms(neighborhood, Cell::glass(Vec3::new(0.9, 0.5, 0.1))));
        assert!(open.x > amber.x && amber.x > amber.y && amber.y > amber.z && amber.z > 0.0);
        // Colors are independent: red glass followed by green glass lets nothing through.
        let mut both = rooms(neighborhood, Cell::glass(Vec3::X));
        for y in 1..4 {
            both.set_cell(DOOR + IVec2::new(1, y - 2), Cell::glass(Vec3::Y))
                .unwrap();
        }
        assert!(both.settle(1e-5).at_rest);
        assert_eq!(both.light(DOOR + IVec2::new(2, 0)), Vec3::ZERO);
    }
}

#[test]
fn glass_does_not_block_sight() {
    assert!(!Cell::glass(Vec3::X).is_opaque());
    assert!(!Cell::smoke(0.99).is_opaque());
    assert!(Cell::smoke(1.0).is_opaque() && Cell::glass(Vec3::ZERO).is_opaque());
    assert!(Cell::wall(Vec3::ONE).is_opaque());
}

#[test]
fn denser_smoke_dims_more() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut before = behind(&rooms(neighborhood, Cell::smoke(0.0))).x;
        for density in [0.1, 0.3, 0.7, 0.95, 1.0] {
            let light = behind(&rooms(neighborhood, Cell::smoke(density))).x;
            assert!(light < before, "{density}: {light}, {before} before");
            before = light;
        }
        assert_eq!(before, 0.0);
    }
}

#[test]
fn frosted_glass_reflects_and_dark_glass_absorbs() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let first_room = |door| {
            let grid = rooms(neighborhood, door);
            let first = places(&grid).filter(|cell| cell.x < DOOR.x);
            first.map(|cell| grid.light(cell).x).sum::<f32>()
        };
        assert!(first_room(Cell::new(0.3, 1.0)) > first_room(Cell::new(0.3, 0.0)));
    }
}

#[test]
fn red_wall_colors_light_of_its_room() {
    for neighborhood in Neighborhood::ALL {
        let mut grid = LightGrid::new(7, 7, settings(neighborhood)).unwrap();
        let is_edge = |cell: IVec2| cell.min_element() == 0 || cell.max_element() == 6;
        let red = Cell::wall(Vec3::new(1.0, 0.3, 0.2));
        grid.fill(|cell| if is_edge(cell) { red } else { Cell::OPEN })
            .unwrap();
        grid.set_sources(&[lamp(3, 3)]).unwrap();
        grid.settle(1e-5);
        let light = grid.light(IVec2::splat(1));
        let is_red = light.x > 1.2 * light.y && light.y > light.z;
        assert!(is_red, "{neighborhood:?}: {light}");
    }
}

#[test]
fn brighter_walls_make_brighter_rooms() {
    for neighborhood in Neighborhood::ALL {
        let mut before = 0.0;
        for albedo in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let mut grid = LightGrid::new(7, 7, settings(neighborhood)).unwrap();
            let is_edge = |cell: IVec2| cell.min_element() == 0 || cell.max_element() == 6;
            let wall = Cell::new(0.0, albedo);
            grid.fill(|cell| if is_edge(cell) { wall } else { Cell::OPEN })
                .unwrap();
            grid.set_sources(&[lamp(3, 3)]).unwrap();
            grid.settle(1e-5);
            let light: f32 = lights(&grid).into_iter().map(|light| light.x).sum();
            let case = format!("{neighborhood:?}, albedo {albedo}");
            assert!(light > before, "{case}: {light}, {before} before");
            before = light;
        }
    }
}

#[test]
fn darkness_dims_surroundings() {
    for neighborhood in Neighborhood::ALL {
        let mut grid = LightGrid::new(15, 15, settings(neighborhood)).unwrap();
        let dark = IVec2::new(9, 7);
        let mut before: Option<Vec<Vec3>> = None;
        for strength in [0.0, 0.01, 0.03, 1.0, 64.0] {
            let _case = Case::new(format_args!("{neighborhood:?}, strength {strength}"));
            let darkness = Source::new(dark, Vec3::splat(-strength));
            grid.set_sources(&[lamp(5, 7), darkness]).unwrap();
            assert!(grid.settle(1e-5).at_rest);
            let light = lights(&grid);
            assert!(light.iter().all(|light| light.min_element() >= 0.0));
            if let Some(before) = before {
                let mut pairs = before.iter().zip(&light);
                assert!(pairs.all(|(before, after)| after.x <= before.x + 3e-5));
                assert!(strength == 64.0 || light[7 * 15 + 9].x < before[7 * 15 + 9].x);
                // Also next to it.
                assert!(strength == 64.0 || light[7 * 15 + 11].x < before[7 * 15 + 11].x);
            }
            assert!(strength < 1.0 || grid.light(dark) == Vec3::ZERO);
            before = Some(light);
        }
    }
}

#[test]
fn darkness_can_affect_one_color() {
    let mut grid = LightGrid::new(9, 9, settings(Neighborhood::Isotropic)).unwrap();
    let thief = Source::new(IVec2::new(6, 4), Vec3::new(-1.0, 0.0, 0.0));
    grid.set_sources(&[lamp(2, 4), thief]).unwrap();
    grid.settle(1e-4);
    let light = grid.light(IVec2::new(6, 4));
    assert!(
        light.x == 0.0 && light.y > 0.1 && light.y == light.z,
        "{light}"
    );
}

#[test]
fn ambient_light_flows_into_cave() {
    let cave = [
        ".....##########",
        ".....##########",
        "..............#",
        ".....##########",
        ".....##########",
    ];
    let sky = Vec3::new(0.5, 0.6, 0.8);
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut grid = LightGrid::new(15, 5, settings(neighborhood)).unwrap();
        draw(&mut grid, Cell::WALL, &cave);
        for cell in places(&grid).filter(|cell| cell.x < 5) {
            grid.set_region(cell, 3).unwrap();
        }
        grid.set_ambient(3, sky).unwrap();
        let mut stepped = grid.clone();
        assert!(grid.settle(1e-5).at_rest);
        stepped.step(500);
        for grid in [&grid, &stepped] {
            for cell in places(grid).filter(|cell| cell.x < 5) {
                assert_eq!(grid.light(cell), sky, "{cell}");
            }
            for x in 4..13 {
                let (near, far) = (IVec2::new(x, 2), IVec2::new(x + 1, 2));
                assert!(grid.light(near).cmpgt(grid.light(far)).all(), "{near}");
                assert!(grid.light(far).cmpgt(Vec3::ZERO).all(), "{far}");
            }
        }
    }
}

#[test]
fn removed_ambient_light_fades() {
    let mut grid = LightGrid::new(9, 9, settings(Neighborhood::Isotropic)).unwrap();
    grid.set_ambient(0, Vec3::ONE).unwrap();
    grid.step(3);
    assert!(lights(&grid).iter().all(|&light| light == Vec3::ONE));
    grid.set_ambient(0, Vec3::ZERO).unwrap();
    grid.step(1000);
    assert!(lights(&grid).iter().all(|&light| light == Vec3::ZERO));
}

#[test]
fn behind_multiplies_transparency() {
    let glass = Cell::glass(Vec3::new(1.0, 0.4, 0.0));
    let barrel = Cell::new(0.5, 0.8);
    assert_eq!(glass.behind(&Cell::OPEN).transparency, glass.transparency);
    assert_eq!(Cell::OPEN.behind(&glass), glass);
    let both = glass.behind(&barrel);
    assert_eq!(both.transparency, Vec3::new(0.5, 0.2, 0.0));
    assert_eq!(both.albedo, Vec3::new(0.8, 0.0, 0.0));
    assert!(Cell::WALL.behind(&barrel).is_opaque());
    let mut grid = LightGrid::new(3, 3, LightSettings::default()).unwrap();
    grid.set_cell(IVec2::ONE, both).unwrap();
    assert_eq!(grid.cell(IVec2::ONE), both);
}
