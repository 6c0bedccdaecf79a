//! The settled light that the rules read.
//!
//! Rules ask how bright it is, not of which color; so their grid is gray, of the luminance of
//! every lamp and wall, which takes a third of the memory, and of the work too where lamps differ in color. Light is linear, so that this is
//! the luminance of the colored light that is drawn, but where stained windows let one
//! color through.
//!
//! Cells are what the tiles are, seen through the smoke in them. Lights are those of the keep,
//! what burns on the ground, what guards carry, and what the thief carries. After each beat
//! the grid is told what is different, which is little, and settles, which then costs little.

use glam::{IVec2, Vec3};
use lanternfell_lightgrid::{
    Cell, Falloff, LightBand, LightGrid, LightSettings, Neighborhood, Source,
};

use crate::{
    Door, FixtureKind, Guard, Item, Rules, Tile, Torch, World, floor::Floor, guard::Lantern,
    opening, rules::MaterialRules, thief::Thief,
};

/// How light behaves by these rules.
pub(crate) fn settings(rules: &Rules) -> LightSettings {
    LightSettings {
        neighborhood: Neighborhood::Isotropic,
        falloff: Falloff::Radius(rules.light.radius),
        direct: 0.0,
    }
}

/// A grid for a floor, with its cells, still dark.
pub(crate) fn build(rules: &Rules, floor: &Floor) -> LightGrid {
    let (width, height) = (floor.tiles.width() as u32, floor.tiles.height() as u32);
    let mut grid = LightGrid::gray(width, height, settings(rules))
        .expect("the rules' radius and the floor's size were checked");
    let filled = grid.fill(|at| cell(rules, floor, at));
    debug_assert!(filled.is_ok(), "{filled:?}");
    grid
}

/// A grid in colors with the cells and sources of a gray one, settled.
pub(crate) fn colored(gray: &LightGrid, tolerance: f32) -> LightGrid {
    let mut grid = LightGrid::new(gray.width(), gray.height(), *gray.settings())
        .expect("a grid of this size and these settings is there");
    let filled = grid.set_cells(gray.cells().to_vec());
    let lit = grid.set_sources(gray.sources());
    debug_assert!(filled.is_ok() && lit.is_ok(), "{filled:?}, {lit:?}");
    grid.settle(tolerance);
    grid
}

impl Tile {
    /// What it does with light.
    pub fn light_cell(self, materials: &MaterialRules) -> Cell {
        match self {
            Self::Rock => Cell::wall(materials.rock.into()),
            Self::Wall | Self::Pillar | Self::Shutter { .. } => Cell::wall(materials.wall.into()),
            Self::Door(Door::Closed | Door::Locked) => Cell::wall(materials.door.into()),
            Self::Curtain { open: false } => Cell::new(materials.curtain.0, materials.curtain.1),
            Self::Glass => Cell::glass(materials.glass.into()),
            Self::Bars => Cell::new(materials.bars.0, materials.bars.1),
            Self::Ground(_)
            | Self::Door(Door::Open)
            | Self::Curtain { open: true }
            | Self::StairsUp
            | Self::StairsDown => Cell::OPEN,
        }
    }
}

/// What a cell does with light.
pub(crate) fn cell(rules: &Rules, floor: &Floor, at: IVec2) -> Cell {
    let bare = floor.tile(at).light_cell(&rules.materials);
    match floor.smoke_at(at) {
        0 => bare,
        density => bare.behind(&Cell::smoke(
            f32::from(density) / 100.0 * rules.materials.smoke,
        )),
    }
}

/// All lights of a floor, in a fixed order; with those of the thief, if it is there.
pub(crate) fn sources(rules: &Rules, floor: &Floor, thief: Option<&Thief>) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut add = |at: IVec2, light: Vec3| sources.push(Source::new(at, light));
    for lamp in floor.fixtures.iter().filter(|lamp| lamp.burning) {
        add(lamp.at, rules.lamp(lamp.kind));
    }
    for placed in &floor.items {
        match placed.item {
            Item::Torch(Torch { lit: true, .. }) => add(placed.at, rules.light.torch.into()),
            Item::Ember => add(placed.at, rules.light.ember.into()),
            _ => {}
        }
    }
    for fire in floor.oil.iter().filter(|oil| oil.burns > 0) {
        add(fire.at, rules.light.fire.into());
    }
    for guard in floor.guards.iter().filter(|guard| carries_light(guard)) {
        add(guard.at, Vec3::from_array(rules.guard(guard.kind).light));
    }
    if let Some(thief) = thief {
        if thief.torch_burns() {
            add(thief.at, rules.light.torch.into());
        }
        if thief.torch_glows() {
            add(thief.at, rules.light.embers.into());
        }
        if thief.ember_shines() {
            add(thief.at, rules.light.ember.into());
        }
    }
    sources
}

/// Whether a guard's lantern shines now.
pub(crate) fn carries_light(guard: &Guard) -> bool {
    guard.lantern == Lantern::Lit && guard.is_awake()
}

impl World {
    /// The same light in its colors, settled: for pictures. A front end that lets light
    /// flow makes its own from the cells and sources of [`light`](Self::light).
    pub fn colored_light(&self) -> LightGrid {
        colored(&self.light, self.rules.light.tolerance)
    }
}

/// A new grid for the floor that the thief has come to, settled.
pub(crate) fn rebuild(world: &mut World) {
    world.light = build(&world.rules, world.floor());
    update(world);
}

/// Settles the light after lights have changed.
pub(crate) fn update(world: &mut World) {
    let floor = &world.state.floors[world.state.depth];
    // All sources anew each time: the grid compares them with the last and settles what differs.
    let mut sources = sources(&world.rules, floor, Some(&world.state.thief));
    opening::change_light(world, &mut sources);
    let set = world.light.set_sources(&sources);
    debug_assert!(set.is_ok(), "{set:?}");
    world.light.settle(world.rules.light.tolerance);
}

/// Tells the grid that a cell's tile or smoke has changed.
pub(crate) fn update_cell(world: &mut World, at: IVec2) {
    let cell = cell(&world.rules, world.floor(), at);
    // Cells outside have nothing to be told.
    let _ = world.light.set_cell(at, cell);
}

/// Puts a lamp out, or lights it, and tells who sees it.
pub(crate) fn set_lamp(world: &mut World, lamp: usize, burning: bool) {
    let fixture = &mut world.floor_mut().fixtures[lamp];
    if fixture.burning == burning {
        return;
    }
    fixture.burning = burning;
    let (kind, at): (FixtureKind, IVec2) = (fixture.kind, fixture.at);
    if world.sight.contains(at) {
        world.tell(crate::GameEvent::Lamp { kind, at, burning });
    }
}

/// How lit the thief looks to others: the cloak makes it one band darker.
pub(crate) fn shown_band(world: &World) -> LightBand {
    would_show(world, world.state.thief.band)
}

/// How lit the thief would look who stood in light like this.
pub(crate) fn would_show(world: &World, band: LightBand) -> LightBand {
    let thief = &world.state.thief;
    let shines = thief.torch_burns() || thief.ember_shines();
    if !thief.cloaked || shines {
        return band;
    }
    match band {
        LightBand::Hidden | LightBand::Dim => LightBand::Hidden,
        LightBand::Lit => LightBand::Dim,
        LightBand::Blazing => LightBand::Lit,
    }
}
