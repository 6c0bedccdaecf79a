//! Who looks, who treads on grass, and what the wind does: the few numbers that every plant's vertex asks for.
//!
//! A plant's level of detail follows from how far the nearest camera is. In a shadow's view the shader knows but where
//! the light is, so the cameras' places go to the GPU each frame, with all else that changes from frame to frame: one
//! small buffer, written in place. The material that names it never changes.

use std::f32::consts::TAU;

use bevy::{
    camera::visibility::RenderLayers,
    ecs::system::SystemParam,
    prelude::*,
    render::{
        Extract, ExtractSchedule, Render, RenderApp, RenderSystems,
        render_resource::{Buffer, BufferInitDescriptor, BufferUsages},
        renderer::{RenderDevice, RenderQueue},
    },
};

use lanternfell_terrain::{GroundLight, TerrainViewer};

use crate::{library::PlantLibrary, light::PlantLight, plan::Eye, sowing::Sowing};

/// Cameras whose distances count; further ones see what the first of them see.
const EYES: usize = 4;

/// Pressers that bend grass; the nearest to the cameras.
const PRESSERS: usize = 8;

/// Sixteens of bytes: the wind, its time, cameras, pressers, where light from an image lies. As in `plants.wgsl`.
const ROWS: usize = LIGHT + 2;

/// The first row of the light.
const LIGHT: usize = 2 + EYES + PRESSERS;

/// A place where nobody is.
const NOWHERE: Vec4 = Vec4::new(1e9, 1e9, 1e9, 0.0);

/// The wind, by which leaves and grass move.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct Wind {
    /// Where it blows to: x to the east, y to the south. Its length does not matter.
    pub direction: Vec2,
    /// Metres per second, from 0 to about 20; 4 by default, a gentle breeze.
    pub speed: f32,
}

impl Default for Wind {
    fn default() -> Self {
        Self {
            direction: Vec2::new(0.8, 0.6),
            speed: 4.0,
        }
    }
}

/// On whoever treads on grass: what is small within the radius bends away. Of many the eight nearest to the cameras
/// count.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(Transform)]
pub struct GrassPresser {
    /// In metres; 0.8 by default.
    pub radius: f32,
}

impl Default for GrassPresser {
    fn default() -> Self {
        Self { radius: 0.8 }
    }
}

/// The cameras that may draw plants; where nobody draws those for whom there is ground, too.
#[derive(SystemParam)]
pub(crate) struct Eyes<'w, 's> {
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static GlobalTransform,
            Option<&'static RenderLayers>,
        ),
        With<Camera3d>,
    >,
    viewers: Query<'w, 's, &'static GlobalTransform, (With<TerrainViewer>, Without<Camera3d>)>,
    /// None where nobody draws.
    library: Option<Res<'w, PlantLibrary>>,
}

impl Eyes<'_, '_> {
    /// Where they are in the world.
    pub(crate) fn places(&self) -> impl Iterator<Item = Vec3> {
        let looking = self.cameras.iter().filter(|(camera, _, layers)| {
            camera.is_active && RenderLayers::default().intersects(layers.unwrap_or_default())
        });
        let viewers = self.viewers.iter().filter(|_| self.library.is_none());
        let places = looking.map(|(_, place, _)| place).chain(viewers);
        let places = places.map(GlobalTransform::translation);
        places.filter(|place| place.is_finite())
    }

    /// The same for a terrain's plane.
    pub(crate) fn on(&self, terrain: &GlobalTransform, sowing: &Sowing) -> Vec<Eye> {
        let (_, relief) = sowing.ground.extent();
        let to_land = terrain.affine().inverse();
        self.places()
            .map(|camera| to_land.transform_point3(camera))
            .filter(|place| place.is_finite())
            .map(|place| Eye {
                place: sowing.ground.on_plane(place.xz()),
                above: f64::from(place.y - relief).max(0.0),
            })
            .collect()
    }
}

/// What the GPU is told next.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
struct Presence([Vec4; ROWS]);

impl Default for Presence {
    fn default() -> Self {
        Self([NOWHERE; ROWS])
    }
}

/// How far the wind has come. Its waves are as long as they are, however fast it is: so what goes on is their phase, and
/// a wind that freshens up does not jump.
#[derive(Resource, Default)]
struct WindPhase(f32);

/// In the render world: the buffer that materials of plants bind.
#[derive(Resource)]
pub struct PresenceBuffer(pub(crate) Buffer);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Presence>()
        .init_resource::<WindPhase>()
        .add_systems(PostUpdate, gather.after(TransformSystems::Propagate));
}

/// When there is a device.
pub(crate) fn finish(app: &mut App) {
    // The renderer came later, and nothing is told.
    if !app.world().contains_resource::<Presence>() {
        return;
    }
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
        return;
    };
    // An app may have the place for a renderer, and none in it.
    let Some(device) = render_app.world().get_resource::<RenderDevice>() else {
        return;
    };
    let buffer = device.create_buffer_with_data(&BufferInitDescriptor {
        label: Some("plant_presence"),
        contents: &bytes(&Presence::default()),
        usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
    });
    render_app
        .insert_resource(PresenceBuffer(buffer))
        .init_resource::<Presence>()
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
}

fn gather(
    time: Res<Time>,
    wind: Res<Wind>,
    mut phase: ResMut<WindPhase>,
    mut presence: ResMut<Presence>,
    cameras: Eyes,
    pressers: Query<(&GrassPresser, &GlobalTransform)>,
    light: PlantLight,
) {
    let eyes: Vec<Vec3> = cameras.places().take(EYES).collect();
    let nearest = |place: Vec3| {
        let distances = eyes.iter().map(|eye| eye.distance_squared(place));
        distances.fold(f32::INFINITY, f32::min)
    };
    let mut pressing: Vec<Vec4> = pressers
        .iter()
        .map(|(presser, place)| place.translation().extend(presser.radius))
        .filter(|presser| presser.is_finite() && presser.w > 0.0)
        .collect();
    // The nearest first, because the buffer has room for eight.
    pressing.sort_by(|a, b| nearest(a.truncate()).total_cmp(&nearest(b.truncate())));
    let speed = if wind.speed.is_nan() {
        0.0
    } else {
        wind.speed.clamp(0.0, 40.0)
    };
    // A wave of a breeze passes in some seconds.
    // 64 turns, because the shader multiplies the phase by whole 64ths: at the end of the period all waves are at their
    // beginning. Without a period, f32 would lose the frame's step after some hours.
    phase.0 = (phase.0 + time.delta_secs() * (0.35 + 0.18 * speed)).rem_euclid(64.0 * TAU);
    let mut rows = [NOWHERE; ROWS];
    let to = wind.direction.normalize_or(Vec2::X);
    rows[0] = Vec4::new(to.x, to.y, speed, phase.0);
    let luminance = light.get().map_or(0.0, GroundLight::luminance);
    rows[1] = Vec4::new(eyes.len() as f32, pressing.len() as f32, luminance, 0.0);
    for (row, eye) in rows[2..].iter_mut().zip(&eyes) {
        *row = eye.extend(1.0);
    }
    for (row, presser) in rows[2 + EYES..LIGHT].iter_mut().zip(pressing) {
        *row = presser;
    }
    let of_light = light.get().map_or([Vec4::ZERO; 2], GroundLight::rows);
    rows[LIGHT..].copy_from_slice(&of_light);
    // Nothing is uploaded while nothing changes, as in a paused game.
    presence.set_if_neq(Presence(rows));
}

fn extract(mut presence: ResMut<Presence>, main: Extract<Res<Presence>>) {
    if main.is_changed() {
        *presence = **main;
    }
}

fn write(presence: Res<Presence>, buffer: Res<PresenceBuffer>, queue: Res<RenderQueue>) {
    if presence.is_changed() {
        queue.write_buffer(&buffer.0, 0, &bytes(&presence));
    }
}

fn bytes(presence: &Presence) -> Vec<u8> {
    let numbers = presence.0.iter().flat_map(Vec4::to_array);
    numbers.flat_map(f32::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, plugin));
        app.init_resource::<Wind>();
        app
    }

    fn rows(app: &mut App) -> [Vec4; ROWS] {
        app.update();
        app.world().resource::<Presence>().0
    }

    #[test]
    fn cameras_and_the_nearest_pressers_are_told() {
        let mut app = app();
        let none = rows(&mut app);
        assert_eq!(none[2..LIGHT], [NOWHERE; EYES + PRESSERS]);
        assert_eq!(none[LIGHT..], [Vec4::ZERO; 2]);
        app.world_mut()
            .spawn((Camera3d::default(), Transform::from_xyz(10.0, 2.0, 3.0)));
        for x in 0..12 {
            let place = Transform::from_xyz(x as f32, 0.0, 0.0);
            app.world_mut().spawn((GrassPresser::default(), place));
        }
        let told = rows(&mut app);
        assert_eq!(told[2], Vec4::new(10.0, 2.0, 3.0, 1.0));
        assert_eq!(told[3..6], [NOWHERE; 3]);
        let mut xs: Vec<f32> = told[6..LIGHT].iter().map(|presser| presser.x).collect();
        assert_eq!(xs[0], 10.0);
        xs.sort_by(f32::total_cmp);
        assert_eq!(xs, [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
        assert_eq!(bytes(&Presence(told)).len(), 16 * ROWS);
    }

    #[test]
    fn a_wind_that_freshens_up_does_not_jump_nor_does_one_that_is_none() {
        let mut app = app();
        let step = std::time::Duration::from_millis(20);
        app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(step));
        app.update();
        app.world_mut().resource_mut::<Wind>().speed = f32::NAN;
        app.update();
        let mut before = rows(&mut app)[0].w;
        for speed in [4.0, 12.0, 0.0, 30.0] {
            app.world_mut().resource_mut::<Wind>().speed = speed;
            let now = rows(&mut app)[0].w;
            assert!(now > before && now - before < 0.2, "{before} {now}");
            before = now;
        }
    }
}
