//! The settled light that the rules read.
//!
//! The rules only use brightness, so their grid is gray: it has the luminance of every lamp and
//! wall. This takes a third of the memory, and of the work too where lamps differ in color. Because
//! light is linear, the result is the luminance of the colored light that is drawn, except behind
//! stained windows, which let more of one color through.
//!
//! Each cell follows from its tile and the smoke in it. The sources are the lamps of the keep,
//! burning things on the floor, and the lights of the guards and the thief. After each beat, the
//! grid settles the differences to the beat before. These are small, so this is fast.

use glam::{IVec2, Vec3};
use lanternfell_lightgrid::{
    Cell, Falloff, LightBand, LightGrid, LightSettings, Neighborhood, Source,
};

use crate::{
    Door, FixtureKind, Guard, Item, Rules, Tile, Torch, World, floor::Floor, guard::Lantern,
    opening, rules::MaterialRules, thief::Thief,
};

/// The light settings of these rules.
pub(crate) fn settings(rules: &Rules) -> LightSettings {
    LightSettings {
        neighborhood: Neighborhood::Isotropic,
        falloff: Falloff::Radius(rules.light.radius),
        direct: 0.0,
    }
}

/// A dark grid with the cells of a floor.
pub(crate) fn build(rules: &Rules, floor: &Floor) -> LightGrid {
    let (width, height) = (floor.tiles.width() as u32, floor.tiles.height() as u32);
    let mut grid = LightGrid::gray(width, height, settings(rules))
        .expect("the radius of the rules and the size of the floor are valid");
    let filled = grid.fill(|at| cell(rules, floor, at));
    debug_assert!(filled.is_ok(), "{filled:?}");
    grid
}

/// A settled grid in color, with the cells and sources of a gray grid.
pub(crate) fn colored(gray: &LightGrid, tolerance: f32) -> LightGrid {
    let mut grid = LightGrid::new(gray.width(), gray.height(), *gray.settings())
        .expect("a grid with this size and these settings exists");
    let filled = grid.set_cells(gray.cells().to_vec());
    let lit = grid.set_sources(gray.sources());
    debug_assert!(filled.is_ok() && lit.is_ok(), "{filled:?}, {lit:?}");
    grid.settle(tolerance);
    grid
}

impl Tile {
    /// What the tile does to light.
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

/// What the tile and the smoke in a cell do to light.
pub(crate) fn cell(rules: &Rules, floor: &Floor, at: IVec2) -> Cell {
    let bare = floor.tile(at).light_cell(&rules.materials);
    match floor.smoke_at(at) {
        0 => bare,
        density => bare.behind(&Cell::smoke(
            f32::from(density) / 100.0 * rules.materials.smoke,
        )),
    }
}

/// All light sources of a floor in a fixed order, including those of the thief if given.
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
    /// The settled light in color, for still images. A front end that animates light should create
    /// its own grid from the cells and sources of [`light`](Self::light).
    pub fn colored_light(&self) -> LightGrid {
        colored(&self.light, self.rules.light.tolerance)
    }
}

/// Creates and settles a new grid for the floor that the thief has entered.
pub(crate) fn rebuild(world: &mut World) {
    world.light = build(&world.rules, world.floor());
    update(world);
}

/// Updates the sources and settles the light.
pub(crate) fn update(world: &mut World) {
    let floor = &world.state.floors[world.state.depth];
    // Set all sources each time. The grid compares them with the previous ones, and only settles
    // the
    // differences.
    let mut sources = sources(&world.rules, floor, Some(&world.state.thief));
    opening::change_light(world, &mut sources);
    let set = world.light.set_sources(&sources);
    debug_assert!(set.is_ok(), "{set:?}");
    world.light.settle(world.rules.light.tolerance);
}

/// Updates the grid after the tile or the smoke of a cell has changed.
pub(crate) fn update_cell(world: &mut World, at: IVec2) {
    let cell = cell(&world.rules, world.floor(), at);
    // Cells outside of the floor are ignored.
    let _ = world.light.set_cell(at, cell);
}

/// Puts a lamp out or lights it. Reports this to the thief if it is in line of sight.
pub(crate) fn set_lamp(world: &mut World, lamp: usize, burning: bool) {
    let fixture = &mut world.floor_mut().fixtures[lamp];
    if fixture.burning == burning {
        return;
    }
    fixture.burning = burning;
    let (kind, at): (FixtureKind, IVec2) = (fixture.kind, fixture.at);
    if world.sight.contains(at) {
        world.emit(crate::GameEvent::Lamp { kind, at, burning });
    }
}

/// The light band in which others see the thief. The cloak lowers it by one.
pub(crate) fn shown_band(world: &World) -> LightBand {
    would_show(world, world.state.thief.band)
}

/// The light band in which others would see the thief in this light.
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
