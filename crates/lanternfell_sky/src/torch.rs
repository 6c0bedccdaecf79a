//! A hand-held torch: a flickering warm light.

use bevy::{math::ops, prelude::*};

use crate::time_of_day::Ephemeris;

/// A torch held by a camera or a character: a flickering [`PointLight`], spawned as a child entity.
///
/// It burns at night by default ([`TorchMode`]). Removing the component also despawns the light. A range or luminous
/// power that is negative or not finite counts as 0.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform, Visibility)]
pub struct HandTorch {
    /// When the torch burns. Default: [`TorchMode::AtNight`].
    pub mode: TorchMode,
    /// Position of the flame relative to the entity, in meters: x right, y up, z back. Default: `(0.45, 0.15, -0.55)`,
    /// to the right, above and in front.
    pub offset: Vec3,
    /// Range of the light, in meters. Default: 22.
    pub range: f32,
    /// Luminous power in lumens, for Bevy's default exposure. Default: 260,000.
    pub lumens: f32,
    /// Whether the light casts shadows. Cost: six cube-map faces. Default: `false`.
    pub shadows: bool,
}

impl Default for HandTorch {
    fn default() -> Self {
        Self {
            mode: TorchMode::AtNight,
            offset: Vec3::new(0.45, 0.15, -0.55),
            range: 22.0,
            lumens: 260_000.0,
            shadows: false,
        }
    }
}

/// When a [`HandTorch`] burns.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum TorchMode {
    /// While the sun is below the horizon (by about 2 degrees).
    #[default]
    AtNight,
    /// Always.
    On,
    /// Never.
    Off,
}

/// On the light of a [`HandTorch`]: the entity of the torch, which is also its parent.
#[derive(Component, Debug, Clone, Copy)]
#[relationship(relationship_target = Flame)]
pub(crate) struct FlameOf(Entity);

/// On a torch: the entity of its light.
#[derive(Component, Debug)]
#[relationship_target(relationship = FlameOf, linked_spawn)]
pub(crate) struct Flame(Entity);

/// Time to light up and to go out, in seconds.
const KINDLING: f32 = 0.6;

/// Relative brightness of the flame at a time: slow and fast waves with frequencies that do not repeat together.
fn flicker(seconds: f32) -> f32 {
    let wave = |hertz: f32, start: f32| ops::sin(core::f32::consts::TAU * hertz * seconds + start);
    let licks = wave(3.1, 0.0) * wave(1.7, 1.3) + 0.6 * wave(7.3, 2.1) * wave(2.3, 0.4);
    0.94 + 0.07 * licks + 0.04 * wave(0.61, 0.7)
}

/// Offset of the flame from its rest position at a time, in meters.
fn waver(seconds: f32) -> Vec3 {
    let wave = |hertz: f32| ops::sin(core::f32::consts::TAU * hertz * seconds);
    Vec3::new(wave(1.3), 0.6 * wave(2.9), wave(1.9)) * 0.012
}

pub(crate) fn kindle(added: On<Add, HandTorch>, mut commands: Commands) {
    let light = PointLight {
        color: Color::linear_rgb(1.0, 0.56, 0.22),
        intensity: 0.0,
        radius: 0.04,
        ..default()
    };
    let holder = added.entity;
    commands.spawn((FlameOf(holder), light, ChildOf(holder)));
}

pub(crate) fn extinguish(removed: On<Remove, HandTorch>, mut commands: Commands) {
    // The holder may be despawned together with the component.
    if let Ok(mut holder) = commands.get_entity(removed.entity) {
        holder.queue_silenced(|mut holder: EntityWorldMut| {
            holder.despawn_related::<Flame>();
        });
    }
}

pub(crate) fn burn(
    time: Res<Time>,
    ephemeris: Res<Ephemeris>,
    torches: Query<&HandTorch>,
    mut flames: Query<(&FlameOf, &mut PointLight, &mut Transform)>,
) {
    let is_night = ephemeris.to_sun.y < -0.03;
    for (holder, mut light, mut place) in &mut flames {
        let Ok(torch) = torches.get(holder.0) else {
            continue;
        };
        let burns = match torch.mode {
            TorchMode::AtNight => is_night,
            TorchMode::On => true,
            TorchMode::Off => false,
        };
        let finite = |value: f32| {
            if value.is_finite() {
                value.max(0.0)
            } else {
                0.0
            }
        };
        let full = finite(torch.lumens);
        // A new torch that burns starts at full brightness.
        let kindled = if light.is_added() {
            1.0
        } else {
            time.delta_secs() / KINDLING
        };
        let step = full * kindled;
        let now = time.elapsed_secs_wrapped();
        let target = if burns { full * flicker(now) } else { 0.0 };
        let change = (target - light.intensity).clamp(-step, step);
        if change != 0.0 {
            light.intensity += change;
        }
        if burns {
            light.range = finite(torch.range);
            light.shadow_maps_enabled = torch.shadows;
            let offset = if torch.offset.is_finite() {
                torch.offset
            } else {
                Vec3::ZERO
            };
            place.translation = offset + waver(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flame_flickers_without_flashing() {
        let samples: Vec<f32> = (0..6000)
            .map(|frame| flicker(frame as f32 / 60.0))
            .collect();
        let (least, most) = samples
            .iter()
            .fold((9.0_f32, 0.0_f32), |(least, most), now| {
                (least.min(*now), most.max(*now))
            });
        assert!(
            least > 0.75 && most < 1.15 && most - least > 0.1,
            "{least} {most}"
        );
        let steps = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steps.fold(0.0, f32::max) < 0.08);
    }
}
