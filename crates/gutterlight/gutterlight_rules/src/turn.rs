//! What one beat does to the world after the thief has acted.

use crate::{
    GameEvent, Item, LightBand, Perk, Tile, Torch, World, act, ai, light, night, opening,
    rules::BEAT, sight, sound, tile::Ground, twist,
};

/// Advances the world by a beat, or by a part of one.
pub(crate) fn beat(world: &mut World, ticks: u16) {
    world.state.tick += u32::from(ticks);
    // The order is part of the rules. Guards act on what they knew before this beat. Light settles
    // once everyone has moved. Only then do guards perceive, so that they never react to something
    // that is no longer there.
    leave_scent(world);
    face_the_dark(world);
    burn(world, ticks);
    opening::go_on(world, ticks);
    act::stairs::arrive_followers(world, ticks);
    ai::beat::act(world, ticks);
    if world.state.ending.is_some() {
        return;
    }
    act::fire::burn_floor(world, ticks);
    act::smoke::thin_smoke(world, ticks);
    twist::go_on(world, ticks);
    settle_in(world);
    ai::beat::perceive(world, ticks);
    ai::alarm::go_on(world, ticks);
    night::go_on(world, ticks);
    recover(world, ticks);
}

/// Updates the light, the thief's sight and the thief's light band.
pub(crate) fn settle_in(world: &mut World) {
    light::update(world);
    sight::look(world);
    update_band(world);
}

/// Updates what the thief sees and hears from the new cell, before guards move.
fn face_the_dark(world: &mut World) {
    sound::listen(world);
    let mut sight = core::mem::take(&mut world.sight);
    sight::look_from(world, &mut sight, world.state.thief.at);
    world.sight = sight;
}

fn leave_scent(world: &mut World) {
    let (at, tick) = (world.state.thief.at, world.state.tick);
    let floor = world.floor_mut();
    if floor.tile(at) != Tile::Ground(Ground::Water)
        && let Some(scent) = floor.scent.get_mut(at)
    {
        *scent = tick;
    }
}

/// Burns torch fuel and cloth, counted in percent of a tick.
fn burn(world: &mut World, ticks: u16) {
    let ticks = u32::from(ticks);
    let beat = u32::from(BEAT) * 100;
    if world.state.thief.torch_burns() {
        world.state.burnt.0 += ticks * 100;
        while world.state.burnt.0 >= beat {
            world.state.burnt.0 -= beat;
            burn_torch(world);
        }
    }
    let wrapped = world.state.thief.ember.is_some_and(|ember| ember.wrapped);
    if wrapped {
        let share = match world.state.thief.has(Perk::WetCloth) {
            true => u32::from(world.rules.perks.wet_cloth),
            false => 100,
        };
        // Counted in percent, so that the share of a beat is not lost between beats.
        world.state.burnt.1 += ticks * share;
        while world.state.burnt.1 >= beat {
            world.state.burnt.1 -= beat;
            burn_cloth(world);
        }
    }
    let ticks = ticks as u16;
    let embers = &mut world.state.thief.embers;
    *embers = embers.saturating_sub(ticks);
    burn_dropped_torches(world, ticks);
}

/// Burns one beat of fuel of the thief's torch.
fn burn_torch(world: &mut World) {
    let (low, embers) = (world.rules.thief.fuel_low, world.rules.thief.embers);
    let thief = &mut world.state.thief;
    let Some(torch) = &mut thief.torch else {
        return;
    };
    torch.fuel = torch.fuel.saturating_sub(1);
    if torch.fuel == 0 {
        torch.lit = false;
        thief.embers = embers;
        world.emit(GameEvent::TorchSpent);
        world.emit(GameEvent::Torch { lit: false });
    } else if torch.fuel == low {
        world.emit(GameEvent::TorchLow);
    }
}

/// Burns one beat of the cloth around the Ember.
fn burn_cloth(world: &mut World) {
    let thief = &mut world.state.thief;
    thief.cloth = thief.cloth.saturating_sub(1);
    if thief.cloth == 0
        && let Some(ember) = &mut thief.ember
    {
        ember.wrapped = false;
        world.emit(GameEvent::ClothBurnt);
    }
}

/// Burns down the lit torches that lie on the floor.
fn burn_dropped_torches(world: &mut World, ticks: u16) {
    let beats = world.beats_over(ticks);
    for placed in &mut world.floor_mut().items {
        if let Item::Torch(torch @ Torch { lit: true, .. }) = &mut placed.item {
            torch.fuel = torch.fuel.saturating_sub(beats);
            torch.lit = torch.fuel > 0;
        }
    }
}

/// Updates the thief's light band, and reports a change.
fn update_band(world: &mut World) {
    let before = world.state.thief.band;
    let luminance = world.light.luminance(world.state.thief.at);
    let band = world.rules.light.bands.band(luminance, Some(before));
    world.state.thief.band = band;
    if band != before {
        world.emit(GameEvent::Band {
            from: before,
            to: band,
        });
    }
}

/// Restores nerve and breath, and updates the tally.
fn recover(world: &mut World, ticks: u16) {
    let beats = world.beats_over(ticks);
    if beats > 0 {
        recover_nerve(world);
    }
    let rules = &world.rules.thief;
    let (most, returns) = (rules.breath, rules.breath_returns);
    let state = &mut world.state;
    state.thief.trumpet = state.thief.trumpet.saturating_sub(ticks);
    if ticks == BEAT {
        state.thief.breath = (state.thief.breath + returns).min(most);
    }
    let beats = u32::from(beats);
    if state.thief.torch_burns() {
        state.tally.beats_torch += beats;
    }
    match state.thief.band {
        LightBand::Hidden => state.tally.beats_hidden += beats,
        LightBand::Lit | LightBand::Blazing => state.tally.beats_lit += beats,
        LightBand::Dim => {}
    }
}

/// Darkness near enemies costs nerve; light restores it. See also `act::rest`.
fn recover_nerve(world: &mut World) {
    let rules = &world.rules.thief;
    let before = world.state.thief.nerve;
    let change = match world.state.thief.band {
        LightBand::Hidden if act::rest::enemy_near(world) => -rules.nerve_falls,
        LightBand::Hidden => 0,
        LightBand::Dim | LightBand::Lit | LightBand::Blazing => rules.nerve_returns,
    };
    let nerve = (before + change).clamp(0, rules.nerve);
    world.state.thief.nerve = nerve;
    if (nerve == 0) != (before == 0) {
        world.emit(GameEvent::Nerve { gone: nerve == 0 });
    }
}
