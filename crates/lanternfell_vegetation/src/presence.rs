//! Per-frame data for the plant shader: cameras, grass pressers and wind.
//!
//! A plant's level of detail depends on the distance to the nearest camera. In a shadow pass, the shader only knows the
//! position of the light. So the camera positions are uploaded each frame, together with all other data that changes
//! per frame, in one small buffer that is written in place. The material that binds it does not change.

use std::f32::consts::{FRAC_PI_4, TAU};

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

use lanternfell_terrain::{TerrainLight, TerrainViewer};

use crate::{layout::VegetationLayout, library::PlantLibrary, light::PlantLight, plan::Eye};

/// Largest number of cameras that select levels of detail. Further cameras see the levels selected by these.
const EYES: usize = 4;

/// Number of pressers that bend grass: the nearest to the cameras.
const PRESSERS: usize = 8;

/// Size of the buffer in rows of 16 bytes: wind, counts, cameras, pressers, light map transform. Must match
/// `plants.wgsl`.
const ROWS: usize = LIGHT + 2;

/// First row of the light map transform.
const LIGHT: usize = 2 + EYES + PRESSERS;

/// Vertical field of view of Bevy's default camera, in radians.
const FIELD_OF_VIEW: f32 = FRAC_PI_4;

/// A position far from everything, for unused rows.
const NOWHERE: Vec4 = Vec4::new(1e9, 1e9, 1e9, 0.0);

/// A resource: the wind that moves leaves and grass. `OutdoorsPlugin` of the crate `lanternfell` sets it to the wind of
/// the weather.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Wind {
    /// Direction the wind blows to: x east, y south. Its length is ignored. Default: (0.8, 0.6).
    pub direction: Vec2,
    /// Wind speed in m/s, clamped to 0 to 40. Typical values are up to 20. Default: 4, a gentle breeze.
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

/// Bends grass and other small plants around its entity, for example a character.
///
/// At most eight pressers are used: those nearest to the cameras.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform)]
pub struct GrassPresser {
    /// Radius in meters. Default: 0.8. Entities with a radius of 0 or less are ignored.
    pub radius: f32,
}

impl Default for GrassPresser {
    fn default() -> Self {
        Self { radius: 0.8 }
    }
}

/// The active cameras that can see plants. Without a renderer, the [`TerrainViewer`]s count as well.
#[derive(SystemParam)]
pub(crate) struct Eyes<'w, 's> {
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static GlobalTransform,
            &'static Projection,
            Option<&'static RenderLayers>,
        ),
        With<Camera3d>,
    >,
    viewers: Query<'w, 's, &'static GlobalTransform, (With<TerrainViewer>, Without<Camera3d>)>,
    terrains: Query<
        'w,
        's,
        (
            &'static VegetationLayout,
            &'static GlobalTransform,
            Option<&'static RenderLayers>,
        ),
    >,
    /// `None` without a renderer.
    library: Option<Res<'w, PlantLibrary>>,
}

impl Eyes<'_, '_> {
    /// Positions in world space of those that see any plants.
    fn places(&self) -> impl Iterator<Item = Vec3> {
        let on = self.terrains.iter();
        let on = on.map(|(.., layers)| layers.unwrap_or_default().clone());
        let on = on.reduce(|all, layers| all.union(&layers));
        self.places_on(on.unwrap_or_default())
    }

    /// Positions in world space of those that see one of these layers.
    fn places_on(&self, on: RenderLayers) -> impl Iterator<Item = Vec3> {
        let looking = self.cameras.iter().filter(move |(camera, .., layers)| {
            camera.is_active && on.intersects(layers.unwrap_or_default())
        });
        let viewers = self.viewers.iter().filter(|_| self.library.is_none());
        let places = looking.map(|(_, camera, projection, _)| match projection {
            Projection::Orthographic(projection) => self.perspective_place(camera, projection),
            Projection::Perspective(_) | Projection::Custom(_) => camera.translation(),
        });
        let places = places.chain(viewers.map(GlobalTransform::translation));
        places.filter(|place| place.is_finite())
    }

    /// The position from which a perspective camera sees plants at the size at which an orthographic camera sees them.
    ///
    /// Levels of detail change with the distance, but an orthographic camera shows plants at the same size from any
    /// distance. So it counts as a perspective camera that shows the same part of the ground.
    fn perspective_place(
        &self,
        camera: &GlobalTransform,
        projection: &OrthographicProjection,
    ) -> Vec3 {
        let forward = camera.forward();
        // Such cameras often see what is behind them too.
        let origin = camera.translation() + forward * projection.near;
        let seen = self.terrains.iter().map(|(layout, terrain, _)| {
            let to_land = terrain.affine().inverse();
            let from = to_land.transform_point3(origin);
            let to = to_land.transform_vector3(*forward);
            let hit = layout
                .ground
                .surface()
                .surface()
                .cast_ray(from, to, f32::INFINITY);
            match hit {
                Some(hit) => {
                    let at = terrain.transform_point(hit.point);
                    (false, at.distance(origin))
                }
                // Past the terrain: the point that is nearest to its middle.
                None => (
                    true,
                    (terrain.translation() - origin).dot(*forward).max(0.0),
                ),
            }
        });
        let nearest = seen.min_by(|(missed, near), (also_missed, far)| {
            missed.cmp(also_missed).then(near.total_cmp(far))
        });
        let Some((_, distance)) = nearest else {
            return camera.translation();
        };
        let away = projection.area.height() / (2.0 * (0.5 * FIELD_OF_VIEW).tan());
        origin + forward * (distance - away)
    }

    /// Positions on the terrain's plane of those that see its plants.
    pub(crate) fn on(
        &self,
        terrain: Entity,
        transform: &GlobalTransform,
        layout: &VegetationLayout,
    ) -> Vec<Eye> {
        let [_, highest] = layout.ground.height_bounds();
        let to_land = transform.affine().inverse();
        let on = self.terrains.get(terrain).ok();
        let on = on.and_then(|(.., layers)| layers);
        self.places_on(on.cloned().unwrap_or_default())
            .map(|camera| to_land.transform_point3(camera))
            .filter(|place| place.is_finite())
            .map(|place| Eye {
                place: layout.ground.on_plane(place.xz()),
                above: f64::from(place.y - highest).max(0.0),
            })
            .collect()
    }
}

/// The content of the buffer.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
struct Presence([Vec4; ROWS]);

impl Default for Presence {
    fn default() -> Self {
        Self([NOWHERE; ROWS])
    }
}

/// Phase of the wind waves. The speed of the wind advances the phase and does not scale it, so a change of speed causes
/// no jump.
#[derive(Resource, Default)]
struct WindPhase(f32);

/// The uniform buffer of the plant material, in the render world.
#[derive(Resource)]
pub struct PresenceBuffer(pub(crate) Buffer);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Presence>()
        .init_resource::<WindPhase>()
        .add_systems(PostUpdate, gather.after(TransformSystems::Propagate));
}

/// Creates the buffer. Runs in `Plugin::finish`, when the render device exists.
pub(crate) fn finish(app: &mut App) {
    // The renderer was added after this plugin, so `plugin` did not run.
    if !app.world().contains_resource::<Presence>() {
        return;
    }
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
        return;
    };
    // The render sub-app may exist without a device.
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
    // Nearest first, because the buffer has room for eight.
    pressing.sort_by(|a, b| nearest(a.truncate()).total_cmp(&nearest(b.truncate())));
    let speed = if wind.speed.is_nan() {
        0.0
    } else {
        wind.speed.clamp(0.0, 40.0)
    };
    // The period is 64 turns: the shader multiplies the phase by multiples of 1/64, so all waves wrap together. Without
    // a period, f32 would lose the step of a frame after some hours. One wave takes some seconds in a breeze.
    phase.0 = (phase.0 + time.delta_secs() * (0.35 + 0.18 * speed)).rem_euclid(64.0 * TAU);
    let mut rows = [NOWHERE; ROWS];
    let to = wind.direction.normalize_or(Vec2::X);
    rows[0] = Vec4::new(to.x, to.y, speed, phase.0);
    let luminance = light.get().map_or(0.0, TerrainLight::luminance);
    rows[1] = Vec4::new(eyes.len() as f32, pressing.len() as f32, luminance, 0.0);
    for (row, eye) in rows[2..].iter_mut().zip(&eyes) {
        *row = eye.extend(1.0);
    }
    for (row, presser) in rows[2 + EYES..LIGHT].iter_mut().zip(pressing) {
        *row = presser;
    }
    let of_light = light.get().map_or([Vec4::ZERO; 2], TerrainLight::rows);
    rows[LIGHT..].copy_from_slice(&of_light);
    // Upload only changes, so a paused game uploads nothing.
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
    fn buffer_holds_cameras_and_nearest_pressers() {
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
        let filled = rows(&mut app);
        assert_eq!(filled[2], Vec4::new(10.0, 2.0, 3.0, 1.0));
        assert_eq!(filled[3..6], [NOWHERE; 3]);
        let mut xs: Vec<f32> = filled[6..LIGHT].iter().map(|presser| presser.x).collect();
        assert_eq!(xs[0], 10.0);
        xs.sort_by(f32::total_cmp);
        assert_eq!(xs, [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
        assert_eq!(bytes(&Presence(filled)).len(), 16 * ROWS);
    }

    #[test]
    fn wind_changes_do_not_jump_and_nan_is_calm() {
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
