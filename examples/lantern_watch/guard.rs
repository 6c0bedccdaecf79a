//! The guard: his patrol, and what he notices.

use bevy::prelude::*;
use core::f32::consts::TAU;
use lanternfell::prelude::*;

use crate::{
    figure::{flame, go, spawn_figure},
    walker::Walker,
};

/// The guard sees a player whose luminance is at least this.
pub const SEEN_FROM: f32 = 0.1;

/// How far the guard sees, and within what distance he hears the player even in the dark. In meters.
const SIGHT: f32 = 60.0;
const HEARING: f32 = 2.0;

/// Seconds for which the guard searches after he last saw the player.
const PATIENCE: f32 = 6.0;

/// Speed in meters per second, on patrol and when he chases the player.
const WALKS: f32 = 1.4;
const RUNS: f32 = 3.4;

/// Ends of the line of sight, above the feet: the guard's eyes and the player's chest.
const EYES: Vec3 = Vec3::new(0.0, 1.6, 0.0);
const CHEST: Vec3 = Vec3::new(0.0, 1.1, 0.0);

#[derive(Component)]
pub struct Guard {
    rounds: Vec<Vec3>,
    next: usize,
    /// Where he last saw the player. `None` on patrol.
    seen: Option<Vec3>,
    patience: f32,
    /// How often he caught the player.
    caught: u32,
}

impl Guard {
    /// The guard's state, for the caption.
    pub fn says(&self) -> String {
        let does = match self.seen {
            None => "The guard walks his rounds",
            Some(_) if self.patience >= PATIENCE => "The guard sees you!",
            Some(_) => "The guard looks for you",
        };
        match self.caught {
            0 => does.to_owned(),
            1 => format!("{does} (caught once)"),
            times => format!("{does} (caught {times} times)"),
        }
    }
}

/// Finds the outermost dry point in a direction from the island's center, then returns the point `inland` meters closer
/// to the center.
pub fn shore(terrains: &TerrainQuery, angle: f32, inland: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    let at = |away: f32| Vec3::new(away * sin, 0.0, away * cos);
    let is_dry = |away: &f32| {
        let hit = terrains.hit(at(*away));
        hit.is_some_and(|hit| hit.point.y > hit.water_level.unwrap_or(f32::MIN) + 0.8)
    };
    let outermost = (5..120).rev().map(|away| away as f32).find(is_dry);
    at((outermost.unwrap_or(0.0) - inland).max(0.0))
}

/// Spawns the guard on his patrol around the island, once the terrain is ready.
pub fn take_post(
    _: On<TerrainReady>,
    guards: Query<(), With<Guard>>,
    terrains: TerrainQuery,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    if !guards.is_empty() {
        return;
    }
    let rounds: Vec<Vec3> = (0..16)
        .map(|k| shore(&terrains, k as f32 / 16.0 * TAU, 18.0))
        .collect();
    let place = Transform::from_translation(rounds[0]).looking_at(rounds[1], Vec3::Y);
    let red = Color::srgb(0.46, 0.3, 0.24);
    let body = spawn_figure(&mut commands, &mut meshes, &mut materials, red, place);
    let guard = Guard {
        rounds,
        next: 1,
        seen: None,
        patience: 0.0,
        caught: 0,
    };
    let lantern = commands.spawn(flame(&mut meshes, &mut materials, 4.0)).id();
    commands.entity(body).insert(guard).add_child(lantern);
}

/// Updates the guard: he looks for the player, then chases, searches or patrols. A caught player returns to the start.
pub fn watch(
    time: Res<Time>,
    terrains: TerrainQuery,
    guard: Single<(&mut Guard, &mut Transform)>,
    walker: Single<(&mut Transform, &LightLevel, &Walker), Without<Guard>>,
) {
    let (mut guard, mut transform) = guard.into_inner();
    let (mut walker, level, home) = walker.into_inner();
    let seconds = time.delta_secs();
    if sees(&transform, walker.translation, level, &terrains) {
        guard.seen = Some(walker.translation);
        guard.patience = PATIENCE;
    } else {
        guard.patience -= seconds;
    }
    if guard.patience <= 0.0 {
        guard.seen = None;
    }
    match guard.seen {
        Some(seen) => {
            go(&mut transform, seen, RUNS, seconds);
            if transform.translation.distance(walker.translation) < 1.2 {
                *walker = home.start;
                guard.seen = None;
                guard.caught += 1;
            }
        }
        None => {
            if go(&mut transform, guard.rounds[guard.next], WALKS, seconds) {
                guard.next = (guard.next + 1) % guard.rounds.len();
            }
        }
    }
}

/// Whether the guard notices the player: he hears anyone nearby, and sees a lit player in front of him if no hill is
/// between them.
fn sees(guard: &Transform, at: Vec3, level: &LightLevel, terrains: &TerrainQuery) -> bool {
    let way = at - guard.translation;
    if way.length() < HEARING {
        return true;
    }
    let is_in_front = guard.forward().dot(way.normalize_or_zero()) > 0.2;
    level.luminance >= SEEN_FROM
        && way.length() < SIGHT
        && is_in_front
        && terrains.line_of_sight(guard.translation + EYES, at + CHEST)
}
