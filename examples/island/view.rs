//! Where the camera is when a terrain is ready.

use std::f32::consts::TAU;

use bevy::{camera_controller::free_camera::FreeCameraState, prelude::*};
use lanternfell::prelude::*;

use crate::{
    Eye, Motion,
    extent::Extent,
    ground::{Built, Choice},
    walk::nearest_land,
};

/// Where the camera starts.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum StartView {
    /// In the air, with a view of the whole terrain.
    #[default]
    Air,
    /// Above the water, looking along the shore.
    Shore,
    /// On foot, inland.
    Walk,
    /// Above the widest river, looking upstream.
    River,
}

impl StartView {
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "air" => Some(Self::Air),
            "shore" => Some(Self::Shore),
            "walk" => Some(Self::Walk),
            "river" => Some(Self::River),
            _ => None,
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Extent>()
        .add_systems(Startup, look_from_the_air.after(crate::spawn_camera))
        .add_systems(Update, look_at_all.run_if(in_state(Motion::Fly)))
        .add_observer(show);
}

/// A view of the whole terrain, from a position above it and outside of its border.
fn from_the_air(extent: Extent) -> Transform {
    let Extent { side, relief, .. } = extent;
    let (out, aim) = if extent.is_island {
        (Vec3::new(-0.44, 0.23, 0.56), Vec3::new(-0.04, 0.04, 0.02))
    } else {
        (Vec3::new(-0.56, 0.44, 0.83), Vec3::ZERO)
    };
    let at = |part: Vec3, least: f32| (side * part).with_y((side * part.y).max(least));
    Transform::from_translation(at(out, 1.1 * relief)).looking_at(at(aim, 0.2 * relief), Vec3::Y)
}

fn look_from_the_air(extent: Res<Extent>, mut eye: Single<&mut Transform, With<Eye>>) {
    **eye = from_the_air(*extent);
}

/// Places the camera when a terrain becomes ready.
///
/// The first terrain is shown from the start view. For a later one of about the same size, the camera stays, and is
/// raised if it would be below the surface. For one of another size, it moves to a view of the whole terrain. A walking
/// player keeps walking.
fn show(
    ready: On<TerrainReady>,
    view: Res<StartView>,
    grounds: Query<&TerrainSurface>,
    terrains: TerrainQuery,
    waters: WaterQuery,
    built: Res<Built>,
    motion: Res<State<Motion>>,
    mut next: ResMut<NextState<Motion>>,
    eye: Single<(&mut Transform, &mut FreeCameraState), With<Eye>>,
    mut extent: ResMut<Extent>,
    mut seen: Local<Option<Choice>>,
) {
    let (Ok(ground), Some(asked)) = (grounds.get(ready.entity), built.asked()) else {
        return;
    };
    let sea = asked.sea.then(|| asked.water(Water::default()));
    let new = Extent::of(ground, sea.as_ref());
    let old = std::mem::replace(&mut *extent, new);
    let before = seen.replace(asked.choice.clone());
    let (mut place, mut camera) = eye.into_inner();
    if before.is_none() && *view != StartView::Air {
        *place = view.place(&terrains, &waters, ground, new);
        if *view == StartView::Walk {
            next.set(Motion::Walk);
        }
    } else if *motion == Motion::Fly {
        let is_tuned = before.as_ref() == Some(&asked.choice);
        let fits = new.is_as_wide_as(old) && (is_tuned || new.is_as_high_as(old));
        if !fits {
            *place = from_the_air(new);
        }
        place.translation = above(&terrains, place.translation);
    }
    turn(&mut camera, &place);
}

impl StartView {
    fn place(
        self,
        terrains: &TerrainQuery,
        waters: &WaterQuery,
        ground: &TerrainSurface,
        extent: Extent,
    ) -> Transform {
        if self == Self::River {
            return at_river(terrains, ground, extent).unwrap_or_else(|| from_the_air(extent));
        }
        let from = extent.side * Vec3::new(-0.33, 0.0, 0.36);
        if self == Self::Shore {
            let edge = waters_edge(terrains, waters, 1.38 * from);
            let view = |edge: WatersEdge| edge.view(terrains, extent);
            return edge.map_or_else(|| from_the_air(extent), view);
        }
        match (self, nearest_land(terrains, from)) {
            (Self::Air | Self::River | Self::Shore, _) | (_, None) => from_the_air(extent),
            (Self::Walk, Some(coast)) => {
                let stand = level_land(terrains, waters, coast).unwrap_or(coast);
                let eye = stand + Vec3::Y * 2.0;
                let inland = (-stand.with_y(0.0)).normalize_or(Vec3::NEG_Z);
                let ahead = far_view(terrains, eye, inland);
                Transform::from_translation(eye).looking_to(ahead + 0.12 * Vec3::Y, Vec3::Y)
            }
        }
    }
}

/// A view from the widest river, looking upstream. `None` if there is no river away from the map's border.
fn at_river(terrains: &TerrainQuery, ground: &TerrainSurface, extent: Extent) -> Option<Transform> {
    let sea = ground.water_level();
    let rivers = ground.waters()?.rivers().iter();
    let points = rivers.flat_map(|river| {
        let points = &river.points;
        // The lower half of a river has enough of it upstream. Skip points at the sea.
        let seen = points.iter().enumerate().skip(points.len() / 2);
        seen.filter(move |(_, point)| point.position[1] > sea + 1.0)
            .map(move |(at, point)| (point, points[at / 2].position))
    });
    let mut views = points.filter_map(|(point, ahead)| {
        let (at, ahead) = (Vec3::from(point.position), Vec3::from(ahead));
        let back = (at - ahead).with_y(0.0).normalize_or(Vec3::Z);
        let stand = at + back * 4.0 * point.half_width;
        // At the border of the map the view would end.
        let is_inland = terrains.hit(stand + back * extent.side * 0.08).is_some();
        is_inland.then_some((point.half_width, stand, ahead))
    });
    let first = views.next()?;
    let (_, stand, ahead) = views.fold(first, |a, b| if b.0 > a.0 { b } else { a });
    let eye = above(terrains, stand + Vec3::Y * 2.5);
    Some(Transform::from_translation(eye).looking_at(ahead.with_y(ahead.y + 2.0), Vec3::Y))
}

/// Home shows the whole terrain from the air.
fn look_at_all(
    keys: Res<ButtonInput<KeyCode>>,
    extent: Res<Extent>,
    eye: Single<(&mut Transform, &mut FreeCameraState), With<Eye>>,
) {
    if keys.just_pressed(KeyCode::Home) {
        let (mut place, mut camera) = eye.into_inner();
        *place = from_the_air(*extent);
        turn(&mut camera, &place);
    }
}

/// Copies the view direction to the free camera, which has its own yaw and pitch.
fn turn(camera: &mut FreeCameraState, place: &Transform) {
    (camera.yaw, camera.pitch, _) = place.rotation.to_euler(EulerRot::YXZ);
    camera.velocity = Vec3::ZERO;
}

/// Raises a position to at least `CLEAR` above the terrain.
fn above(terrains: &TerrainQuery, place: Vec3) -> Vec3 {
    /// In meters.
    const CLEAR: f32 = 3.0;
    let ground = terrains.height(place).unwrap_or(f32::NEG_INFINITY);
    place.with_y(place.y.max(ground + CLEAR))
}

/// A point on the coast, and the direction from there to the water.
#[derive(Clone, Copy)]
struct WatersEdge {
    coast: Vec3,
    out: Vec3,
}

impl WatersEdge {
    /// The steepest average slope of the terrain behind the coast, in meters per meter.
    fn rise(&self, terrains: &TerrainQuery) -> f32 {
        let rise = |meters: f32| {
            let ground = terrains.height(self.coast - self.out * meters)?;
            Some((ground - self.coast.y) / meters)
        };
        let rises = [10.0, 30.0, 60.0].map(rise);
        rises.into_iter().flatten().fold(0.0, f32::max)
    }

    /// A view from above the water along the coast.
    fn view(&self, terrains: &TerrainQuery, extent: Extent) -> Transform {
        // Wide terrain has wide cells and wide shores.
        let away = self.out * (14.0 + 0.002 * extent.side);
        let stand = above(terrains, self.coast + away + Vec3::Y * 4.0);
        let along = along_the_coast(terrains, stand, -self.out);
        Transform::from_translation(stand).looking_to(along + 0.12 * Vec3::Y, Vec3::Y)
    }
}

/// Finds a gentle coast next to wide water, on the line from `from` through the center of the map to the other side.
/// If that line has no such coast, other directions are tried.
fn waters_edge(terrains: &TerrainQuery, waters: &WaterQuery, from: Vec3) -> Option<WatersEdge> {
    const WAYS: u8 = 12;
    /// The steepest accepted rise, in meters per meter.
    const GENTLE: f32 = 0.45;
    let ways = (0..WAYS).filter_map(|way| {
        let turn = f32::from(way) / f32::from(WAYS) * TAU;
        edge_on_the_way(terrains, waters, Quat::from_rotation_y(turn) * from)
    });
    let ways: Vec<_> = ways.collect();
    open_way(&ways, |edge| edge.rise(terrains) - GENTLE)
}

fn edge_on_the_way(terrains: &TerrainQuery, waters: &WaterQuery, from: Vec3) -> Option<WatersEdge> {
    const STEPS: u16 = 800;
    /// Number of wet steps in a row that count as wide water. Rivers have fewer.
    const WIDE: usize = 12;
    /// Bisections of the last step. They find the edge to a centimeter on a terrain of 80 km.
    const HALVES: u8 = 14;
    let part = |step: u16| 2.0 * f32::from(step) / f32::from(STEPS);
    let at = |part: f32| terrains.hit(from * (1.0 - part));
    let is_wet = |part: f32| {
        at(part).is_some_and(|hit| {
            hit.water_depth() > 0.0 || waters.hit(hit.point).is_some_and(|water| water.depth > 0.0)
        })
    };
    let wet: Vec<bool> = (0..=STEPS).map(|step| is_wet(part(step))).collect();
    let is_edge = |wet: &[bool]| wet[..WIDE].iter().all(|&wet| wet) && !wet[WIDE];
    let first = wet.windows(WIDE + 1).position(is_edge)?;
    let last_wet = u16::try_from(first + WIDE - 1).ok()?;
    let (mut wet, mut dry) = (part(last_wet), part(last_wet + 1));
    for _ in 0..HALVES {
        let middle = 0.5 * (wet + dry);
        let end = if is_wet(middle) { &mut wet } else { &mut dry };
        *end = middle;
    }
    Some(WatersEdge {
        coast: at(dry)?.point,
        out: from.normalize_or(Vec3::Z),
    })
}

/// A direction from the water's edge that is more along the coast than inland, and not blocked by a slope.
fn along_the_coast(terrains: &TerrainQuery, eye: Vec3, inland: Vec3) -> Vec3 {
    let ways = [0.9, -0.9, 1.2, -1.2, 0.5, -0.5].map(|turn| Quat::from_rotation_y(turn) * inland);
    open_way(&ways, |way| {
        let rise = |meters: f32| {
            let ground = terrains.height(eye + way * meters)?;
            Some((ground - eye.y) / meters)
        };
        let rises = [10.0, 20.0, 40.0, 60.0].map(rise);
        // Slopes further away may be visible.
        rises.into_iter().flatten().fold(0.0, f32::max) - 0.45
    })
    .unwrap_or(inland)
}

/// The first nearly level and dry point on the way from the coast to the center of the map, or the most level one.
fn level_land(terrains: &TerrainQuery, waters: &WaterQuery, coast: Vec3) -> Option<Vec3> {
    let on_the_way = (5..60).filter_map(|percent| {
        let hit = terrains.hit(coast * (1.0 - percent as f32 / 100.0))?;
        let is_dry = hit.water_depth() <= 0.0 && waters.hit(hit.point).is_none();
        is_dry.then_some((hit.normal.y, hit.point))
    });
    let lands: Vec<_> = on_the_way.collect();
    let first = lands.iter().find(|(up, _)| *up > 0.95);
    let land = first.or_else(|| lands.iter().max_by(|(a, _), (b, _)| a.total_cmp(b)));
    land.map(|(_, point)| *point)
}

/// A direction close to `inland` in which the terrain continues and does not block the view, or the least blocked one.
fn far_view(terrains: &TerrainQuery, eye: Vec3, inland: Vec3) -> Vec3 {
    /// The steepest accepted rise, in meters per meter.
    const LOW: f32 = 0.2;
    /// Water counts as a slope that is slightly too steep.
    const WET: f32 = 0.25;
    let slope = |way: Vec3, meters: f32| {
        let hit = terrains.hit(eye + way * meters)?;
        let rise = (hit.point.y - eye.y) / meters;
        Some(if hit.water_depth() > 0.0 { WET } else { rise })
    };
    let turns = [-0.35, 0.35, -0.9, 0.9, -1.5, 1.5, -2.1, 2.1];
    let ways = turns.map(|turn| Quat::from_rotation_y(turn) * inland);
    open_way(&ways, |way| {
        let slopes = [3.0, 6.0, 10.0, 16.0, 24.0, 36.0].map(|meters| slope(way, meters));
        slopes.into_iter().flatten().fold(0.0, f32::max) - LOW
    })
    .unwrap_or(inland)
}

/// The first option whose `excess` is negative, or else the one with the smallest excess.
fn open_way<Way: Copy>(ways: &[Way], excess: impl Fn(Way) -> f32) -> Option<Way> {
    let known: Vec<_> = ways.iter().map(|&way| (way, excess(way))).collect();
    let first = known.iter().find(|(_, excess)| *excess < 0.0);
    let way = first.or_else(|| known.iter().min_by(|(_, a), (_, b)| a.total_cmp(b)));
    way.map(|(way, _)| *way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_way_takes_first_open_or_least_blocked() {
        let ways = [Vec3::X, Vec3::Y, Vec3::Z];
        let way = |excess: [f32; 3]| open_way(&ways, |way| Vec3::from(excess).dot(way)).unwrap();
        assert_eq!(way([0.1, -0.1, -0.5]), Vec3::Y);
        assert_eq!(way([0.3, 0.2, 0.4]), Vec3::Y);
        assert_eq!(open_way(&[], |_: Vec3| 0.0), None);
    }

    #[test]
    fn air_view_is_above_and_outside() {
        let lands = [
            (640.0, 128.0),
            (33_000.0, 840.0),
            (4_000.0, 3_000.0),
            (10.0, 90_000.0),
        ];
        for ((side, relief), is_island) in lands.into_iter().zip([true, false].into_iter().cycle())
        {
            let extent = Extent {
                side,
                relief,
                is_island,
            };
            let place = from_the_air(extent);
            let eye = place.translation;
            assert!(eye.y > relief && eye.z > 0.5 * side, "{extent:?}");
            let ahead = place.forward();
            assert!(ahead.is_finite() && ahead.y < 0.0, "{extent:?}");
        }
    }
}
