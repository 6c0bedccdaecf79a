//! Quality levels: fixed, or chosen by the measured frame time.

use std::time::Duration;

use bevy::{
    core_pipeline::prepass::DepthPrepass, light::DirectionalLightShadowMap,
    post_process::bloom::Bloom, prelude::*, window::PrimaryWindow,
};
use lanternfell::{prelude::*, vegetation::DrawnVegetation};

use crate::Eye;

/// A quality level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Low,
    Medium,
    High,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Number of shadow cascades of the sun.
    pub fn cascades(self) -> usize {
        match self {
            Self::Low => 2,
            Self::Medium | Self::High => 4,
        }
    }

    /// Whether clouds cast shadows. They are drawn into every cascade.
    pub fn has_cloud_shadows(self) -> bool {
        match self {
            Self::Low => false,
            Self::Medium | Self::High => true,
        }
    }

    /// Sets the density and the draw distance of plants.
    pub fn thin(self, plants: Vegetation) -> Vegetation {
        let (detail, distance) = match self {
            Self::Low => (0.4, 900.0),
            Self::Medium => (1.0, 2000.0),
            Self::High => (1.6, 4000.0),
        };
        Vegetation {
            detail,
            distance,
            ..plants
        }
    }

    pub fn layers(self) -> LayerQuality {
        match self {
            Self::Low => LayerQuality::Low,
            Self::Medium | Self::High => LayerQuality::Medium,
        }
    }

    /// Turns waves on or off. They need a dense mesh whose vertices are displaced.
    fn apply_waves(self, sea: &mut EntityCommands, water: &mut Water) {
        match self {
            Self::Low => {
                water.waves = Waves::CALM;
                sea.remove::<WindWaves>();
            }
            Self::Medium | Self::High => {
                water.waves = Waves::default();
                sea.insert_if_new(WindWaves::default());
            }
        }
    }

    fn pixel_error(self) -> f32 {
        match self {
            Self::Low => 2.0,
            Self::Medium => 1.0,
            Self::High => 0.7,
        }
    }

    fn shadow_map(self) -> usize {
        match self {
            Self::Low => 1024,
            Self::Medium => 2048,
            Self::High => 4096,
        }
    }

    fn samples(self) -> Msaa {
        match self {
            Self::Low => Msaa::Off,
            Self::Medium | Self::High => Msaa::Sample4,
        }
    }
}

/// The chosen and the current quality.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality {
    /// The level chosen by the user. `None` follows the frame time.
    pub chosen: Option<Level>,
    level: Level,
}

impl Quality {
    /// Without a choice, a web page starts with [`Level::Low`], because it must run on any machine.
    pub fn new(chosen: Option<Level>) -> Self {
        let usual = match lanternfell::headless::web_page::is_there() {
            true => Level::Low,
            false => Level::Medium,
        };
        let level = chosen.unwrap_or(usual);
        Self { chosen, level }
    }

    /// The current level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Changes the choice. It takes effect in the next frame.
    pub fn choose(&mut self, chosen: Option<Level>) {
        self.chosen = chosen;
        self.level = chosen.unwrap_or(self.level);
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Watch>()
        .add_systems(
            Update,
            (watch_frames, apply.run_if(resource_changed::<Quality>)).chain(),
        )
        .add_observer(apply_to_new)
        .add_observer(apply_to_sea);
}

fn apply(
    quality: Res<Quality>,
    mut commands: Commands,
    mut shadows: ResMut<DirectionalLightShadowMap>,
    eye: Single<(Entity, &mut Msaa), With<Eye>>,
    mut grounds: Query<(&mut TerrainDetail, &mut TerrainLayers)>,
    mut seas: Query<(Entity, &mut Water)>,
) {
    let level = quality.level;
    let (eye, mut samples) = eye.into_inner();
    samples.set_if_neq(level.samples());
    shadows.size = level.shadow_map();
    let mut eye = commands.entity(eye);
    match level {
        Level::Low => eye.remove::<Bloom>(),
        Level::Medium | Level::High => eye.insert(Bloom::NATURAL),
    };
    // The prepass draws the terrain twice. It makes water refract the bed, which WebGL2 does not support.
    if level == Level::High && !lanternfell::headless::web_page::is_there() {
        eye.insert(DepthPrepass);
    } else {
        eye.remove::<DepthPrepass>();
    }
    for (sea, mut water) in &mut seas {
        level.apply_waves(&mut commands.entity(sea), &mut water);
    }
    for (mut detail, mut layers) in &mut grounds {
        detail.pixel_error = level.pixel_error();
        if layers.quality != level.layers() {
            layers.quality = level.layers();
        }
    }
}

fn apply_to_new(
    added: On<Add, TerrainDetail>,
    quality: Res<Quality>,
    mut grounds: Query<&mut TerrainDetail>,
) {
    if let Ok(mut detail) = grounds.get_mut(added.entity) {
        detail.pixel_error = quality.level.pixel_error();
    }
}

fn apply_to_sea(
    added: On<Add, Water>,
    mut commands: Commands,
    quality: Res<Quality>,
    mut seas: Query<&mut Water>,
) {
    if let Ok(mut water) = seas.get_mut(added.entity) {
        let mut sea = commands.entity(added.entity);
        quality.level.apply_waves(&mut sea, &mut water);
    }
}

/// The frame times since the last change, or since the terrain was complete.
#[derive(Resource, Default)]
struct Watch {
    frames: Vec<Duration>,
    /// Whether a level was too slow. The level is not raised again after that.
    had_too_much: bool,
}

/// Number of frames that are measured before the level changes.
const WATCHED: usize = 90;

/// Measuring ends earlier after this time, with at least ten frames: on a slow machine 90 frames take too long.
const LONG: Duration = Duration::from_secs(4);

/// If the median frame time is longer, the level is lowered.
const SLOW: Duration = Duration::from_millis(30);

/// If 95% of the frames are shorter, the level is raised. At 60 Hz a frame takes 17 ms.
const FAST: Duration = Duration::from_millis(18);

/// Adapts the level to the frame time, unless the user chose one or the window has no focus.
fn watch_frames(
    time: Res<Time<Real>>,
    mut quality: ResMut<Quality>,
    mut watch: ResMut<Watch>,
    windows: Query<&Window, With<PrimaryWindow>>,
    making: Query<(), With<TerrainProgress>>,
    growing: Query<&DrawnVegetation>,
) {
    let is_busy = !making.is_empty() || growing.iter().any(|drawn| !drawn.is_complete);
    let is_seen = windows.iter().any(|window| window.focused);
    if quality.chosen.is_some() || is_busy || !is_seen {
        watch.frames.clear();
        return;
    }
    watch.frames.push(time.delta());
    if !watch.has_seen_enough() {
        return;
    }
    if let Some(better) = watch.judge(quality.level) {
        info!("quality: {} (by frame time)", better.name());
        quality.level = better;
    }
}

impl Watch {
    fn has_seen_enough(&self) -> bool {
        let count = self.frames.len();
        count >= WATCHED || (count >= 10 && self.frames.iter().sum::<Duration>() > LONG)
    }

    /// Returns the level to change to, if any, and clears the measured frames.
    fn judge(&mut self, level: Level) -> Option<Level> {
        let mut frames = std::mem::take(&mut self.frames);
        frames.sort();
        let (usual, long) = (frames[frames.len() / 2], frames[frames.len() * 19 / 20]);
        match level {
            Level::High | Level::Medium if usual > SLOW => {
                self.had_too_much = true;
                Some(if level == Level::High {
                    Level::Medium
                } else {
                    Level::Low
                })
            }
            Level::Low | Level::Medium if long < FAST && !self.had_too_much => {
                Some(if level == Level::Low {
                    Level::Medium
                } else {
                    Level::High
                })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(milliseconds: u64) -> Watch {
        Watch {
            frames: vec![Duration::from_millis(milliseconds); WATCHED],
            had_too_much: false,
        }
    }

    #[test]
    fn lowered_quality_is_not_raised_again() {
        let mut watched = watch(50);
        assert_eq!(watched.judge(Level::High), Some(Level::Medium));
        watched.frames = watch(40).frames;
        assert_eq!(watched.judge(Level::Medium), Some(Level::Low));
        watched.frames = watch(100).frames;
        assert_eq!(watched.judge(Level::Low), None);
        watched.frames = watch(5).frames;
        assert_eq!(watched.judge(Level::Low), None);
    }

    #[test]
    fn ten_slow_frames_are_enough() {
        let mut watched = watch(500);
        assert!(watched.has_seen_enough());
        watched.frames.truncate(10);
        assert!(watched.has_seen_enough());
        watched.frames.truncate(9);
        assert!(!watched.has_seen_enough());
        let mut watched = watch(16);
        watched.frames.pop();
        assert!(!watched.has_seen_enough());
    }

    #[test]
    fn fast_frames_raise_quality() {
        assert_eq!(watch(16).judge(Level::Medium), Some(Level::High));
        assert_eq!(watch(16).judge(Level::High), None);
        assert_eq!(watch(24).judge(Level::Medium), None);
        // Occasional hitches neither lower nor raise the level.
        let mut hitching = watch(16);
        for frame in hitching.frames.iter_mut().step_by(10) {
            *frame = Duration::from_millis(200);
        }
        assert_eq!(hitching.judge(Level::Medium), None);
    }

    #[test]
    fn chosen_level_is_used() {
        let mut quality = Quality::new(None);
        assert_eq!(quality.level(), Level::Medium);
        quality.choose(Some(Level::High));
        assert_eq!(quality.level(), Level::High);
        quality.choose(None);
        assert_eq!(quality.level(), Level::High);
    }
}
