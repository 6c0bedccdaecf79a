//! How much is drawn: for weak machines, for strong ones, or as much as leaves enough frames a second.

use std::time::Duration;

use bevy::{
    core_pipeline::prepass::DepthPrepass, light::DirectionalLightShadowMap,
    post_process::bloom::Bloom, prelude::*, window::PrimaryWindow,
};
use lanternfell::{prelude::*, sky::SkySystems, vegetation::DrawnVegetation};

use crate::Eye;

/// How much is drawn.
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

    /// How many maps of its shadows the sun has, the nearest the finest.
    pub fn cascades(self) -> usize {
        match self {
            Self::Low => 2,
            Self::Medium | Self::High => 4,
        }
    }

    /// Whether clouds throw shadows, which each of the sun's maps is filled with.
    pub fn has_cloud_shadows(self) -> bool {
        match self {
            Self::Low => false,
            Self::Medium | Self::High => true,
        }
    }

    /// Plants, of which there are so many and up to so far.
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

    /// Waves need a mesh that is moved vertex by vertex.
    fn lay_waves(self, sea: &mut EntityCommands, water: &mut Water) {
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

/// What was chosen, and what is drawn.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality {
    /// None: as frames allow.
    pub chosen: Option<Level>,
    level: Level,
}

impl Quality {
    /// A page begins with little, whatever machine it is on: it is opened by anybody.
    pub fn new(chosen: Option<Level>) -> Self {
        let usual = match lanternfell::headless::web_page::is_there() {
            true => Level::Low,
            false => Level::Medium,
        };
        let level = chosen.unwrap_or(usual);
        Self { chosen, level }
    }

    /// What is drawn.
    pub fn level(&self) -> Level {
        self.level
    }

    /// From the next frame on.
    pub fn choose(&mut self, chosen: Option<Level>) {
        self.chosen = chosen;
        self.level = chosen.unwrap_or(self.level);
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Watch>()
        .add_systems(
            Update,
            (watch_frames, apply.run_if(resource_changed::<Quality>))
                .chain()
                // Before waves follow the wind.
                .before(SkySystems::Advance),
        )
        .add_observer(apply_to_new);
}

fn apply(
    quality: Res<Quality>,
    mut commands: Commands,
    mut shadows: ResMut<DirectionalLightShadowMap>,
    eye: Single<(Entity, &mut Msaa), With<Eye>>,
    mut grounds: Query<(Entity, &mut TerrainDetail, &mut TerrainLayers, &mut Water)>,
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
    // Land is drawn twice, and what is under water is seen bent: not by WebGL2.
    if level == Level::High && !lanternfell::headless::web_page::is_there() {
        eye.insert(DepthPrepass);
    } else {
        eye.remove::<DepthPrepass>();
    }
    for (ground, mut detail, mut layers, mut water) in &mut grounds {
        detail.pixel_error = level.pixel_error();
        level.lay_waves(&mut commands.entity(ground), &mut water);
        if layers.quality != level.layers() {
            layers.quality = level.layers();
        }
    }
}

fn apply_to_new(
    added: On<Add, TerrainDetail>,
    mut commands: Commands,
    quality: Res<Quality>,
    mut grounds: Query<(&mut TerrainDetail, &mut Water)>,
) {
    if let Ok((mut detail, mut water)) = grounds.get_mut(added.entity) {
        detail.pixel_error = quality.level.pixel_error();
        let mut ground = commands.entity(added.entity);
        quality.level.lay_waves(&mut ground, &mut water);
    }
}

/// How long frames took, since nothing was in the making.
#[derive(Resource, Default)]
struct Watch {
    frames: Vec<Duration>,
    /// Whether more was tried once, and was too much.
    had_too_much: bool,
}

/// So many frames are looked at before anything is changed.
const WATCHED: usize = 90;

/// Or as many as there were in so long, of ten at least: on a weak machine nobody should wait for more.
const LONG: Duration = Duration::from_secs(4);

/// Half of the frames are longer: too much is drawn.
const SLOW: Duration = Duration::from_millis(30);

/// Nearly all frames are that short: it may be more. A screen shows about sixty in a second.
const FAST: Duration = Duration::from_millis(18);

/// Where somebody looks, and has chosen nothing.
fn watch_frames(
    time: Res<Time<Real>>,
    mut quality: ResMut<Quality>,
    mut watch: ResMut<Watch>,
    windows: Query<&Window, With<PrimaryWindow>>,
    making: Query<(), With<Generating>>,
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
        info!("{} is drawn, as frames allow", better.name());
        quality.level = better;
    }
}

impl Watch {
    fn has_seen_enough(&self) -> bool {
        let count = self.frames.len();
        count >= WATCHED || (count >= 10 && self.frames.iter().sum::<Duration>() > LONG)
    }

    /// What to draw instead, if anything. Begins to watch anew.
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
    fn what_is_too_much_is_less_and_is_not_tried_again() {
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
    fn a_weak_machine_is_known_by_few_frames() {
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
    fn where_there_is_time_there_is_more() {
        assert_eq!(watch(16).judge(Level::Medium), Some(Level::High));
        assert_eq!(watch(16).judge(Level::High), None);
        assert_eq!(watch(24).judge(Level::Medium), None);
        // A hitch now and then is no weak machine, nor a strong one.
        let mut hitching = watch(16);
        for frame in hitching.frames.iter_mut().step_by(10) {
            *frame = Duration::from_millis(200);
        }
        assert_eq!(hitching.judge(Level::Medium), None);
    }

    #[test]
    fn what_is_chosen_is_drawn() {
        let mut quality = Quality::new(None);
        assert_eq!(quality.level(), Level::Medium);
        quality.choose(Some(Level::High));
        assert_eq!(quality.level(), Level::High);
        quality.choose(None);
        assert_eq!(quality.level(), Level::High);
    }
}
