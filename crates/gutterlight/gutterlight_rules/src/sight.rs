//! The thief's sight: what is in line of sight and lit, and what is close enough to touch.

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand, line_of_sight};

use crate::{GameEvent, Perk, World, direction::steps_between, floor::Memory, fog};

/// Whether the line of sight between two cells is free.
pub(crate) fn in_line(world: &World, from: IVec2, to: IVec2) -> bool {
    let smoke = world.rules.sight.smoke;
    line_of_sight(from, to, |at| world.floor().blocks_sight(at, smoke))
}

/// Updates the thief's sight and memory.
pub(crate) fn look(world: &mut World) {
    let mut sight = core::mem::take(&mut world.sight);
    look_from(world, &mut sight, world.state.thief.at);
    world.sight = sight;
    if let Some(mut view) = world.peeked.take() {
        let from = view.origin();
        look_from(world, &mut view, from);
        world.peeked = Some(view);
    }
    remember(world);
}

/// Computes the cells in line of sight of a cell, lit or not.
pub(crate) fn look_from(world: &World, view: &mut FieldOfView, from: IVec2) {
    let floor = world.floor();
    let reach = fog::sight(world, world.rules.sight.thief);
    view.compute(from, reach, |at| {
        floor.blocks_sight(at, world.rules.sight.smoke)
    });
}

/// Reports an event in a cell to the thief, if the cell is in sight.
pub(crate) fn emit_if_seen(world: &mut World, at: IVec2, event: GameEvent) {
    if sees(world, at) {
        world.emit(event);
    }
}

/// Whether the thief sees a cell now: it is in line of sight and lit, or within touch.
pub(crate) fn sees(world: &World, at: IVec2) -> bool {
    world.sight.contains(at) && (touches(world, at) || is_lit(world, at))
        || world
            .peeked
            .as_ref()
            .is_some_and(|view| view.contains(at) && is_lit(world, at))
}

fn is_lit(world: &World, at: IVec2) -> bool {
    world.band(at) > LightBand::Hidden
}

/// Whether a cell is close enough to be felt in the dark.
fn touches(world: &World, at: IVec2) -> bool {
    let reach = match world.state.thief.has(Perk::CatEyes) {
        true => world.rules.sight.cat_eyes,
        false => world.rules.sight.touch,
    };
    steps_between(at, world.state.thief.at) <= reach
}

/// Stores every cell in sight in the thief's memory.
fn remember(world: &mut World) {
    let peeked = world.peeked.iter().flat_map(FieldOfView::cells);
    let cells = world.sight.cells().chain(peeked);
    let seen: Vec<IVec2> = cells.filter(|&at| sees(world, at)).collect();
    for at in seen {
        let (tile, band) = (world.floor().tile(at), world.band(at));
        if let Some(memory) = world.floor_mut().memory.get_mut(at) {
            *memory = Some(Memory {
                tile,
                fixture: None,
                item: None,
                band,
            });
        }
    }
    remember_things(world);
}

/// Stores the lamps and items in sight in the thief's memory.
fn remember_things(world: &mut World) {
    let floor = world.floor();
    let lamps = floor.fixtures.iter().filter(|lamp| sees(world, lamp.at));
    let lamps: Vec<_> = lamps
        .map(|lamp| (lamp.at, lamp.kind, lamp.burning))
        .collect();
    let items = floor.items.iter().filter(|placed| sees(world, placed.at));
    let items: Vec<_> = items.copied().collect();
    let memory = &mut world.floor_mut().memory;
    for (at, kind, burning) in lamps {
        if let Some(Some(memory)) = memory.get_mut(at) {
            memory.fixture = Some((kind, burning));
        }
    }
    for placed in items {
        if let Some(Some(memory)) = memory.get_mut(placed.at) {
            memory.item = Some(placed.item);
        }
    }
}
