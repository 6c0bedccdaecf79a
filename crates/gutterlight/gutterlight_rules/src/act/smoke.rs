//! Smoke, which blocks sight and light, and thins out over time.

use glam::IVec2;

use crate::{
    GameEvent, Sound, World, act::flood, floor::Smoke, light, sound, sound_source::SoundSource,
};

/// Bursts a smoke bomb.
pub(super) fn burst(world: &mut World, at: IVec2) {
    let radius = world.rules.tools.smoke_radius;
    let density = world.rules.tools.smoke_density;
    for cell in flood::flood(world, at, radius) {
        let smoke = &mut world.floor_mut().smoke;
        match smoke.iter_mut().find(|smoke| smoke.at == cell) {
            Some(smoke) => smoke.density = smoke.density.max(density),
            None => smoke.push(Smoke { at: cell, density }),
        }
        light::update_cell(world, cell);
    }
    world.emit(GameEvent::Smoke { at });
    let reach = world.rules.noise.burst;
    sound::make(world, Sound::Burst, at, reach, SoundSource::Thing);
}

/// Lets time pass: smoke thins out.
pub(crate) fn thin_smoke(world: &mut World, ticks: u16) {
    let beats = world.beats_over(ticks);
    if beats == 0 || world.floor().smoke.is_empty() {
        return;
    }
    let fades = beats.saturating_mul(u16::from(world.rules.tools.smoke_fades));
    let fades = fades.min(u16::from(u8::MAX)) as u8;
    let mut smoke = core::mem::take(&mut world.floor_mut().smoke);
    for smoke in &mut smoke {
        smoke.density = smoke.density.saturating_sub(fades);
    }
    let cells: Vec<IVec2> = smoke.iter().map(|smoke| smoke.at).collect();
    smoke.retain(|smoke| smoke.density > 0);
    world.floor_mut().smoke = smoke;
    for at in cells {
        light::update_cell(world, at);
    }
}
