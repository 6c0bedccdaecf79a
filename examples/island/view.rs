//! Where the camera is when ground is complete.

use std::f32::consts::TAU;

use bevy::{camera_controller::free_camera::FreeCameraState, prelude::*};
use lanternfell::prelude::*;

use crate::{
    Eye, Motion,
    extent::Extent,
    ground::{Built, Choice},
    walk::nearest_land,
};

/// The view that a visitor begins with.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum StartView {
    /// From the air, the whole island.
    #[default]
    Air,
    /// From the water's edge, just above the waves.
    Shore,
    /// On foot, inland.
    Walk,
    /// Over the widest river, up along it.
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

/// From above all land, outside of its border.
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

/// When ground is there: of the first to the place that the start view names. Of other ground to where
/// all of it is seen, unless it is about as large as what was seen before; then the view stays, but
/// never within the ground. One who walks goes on walking.
fn show(
    ready: On<TerrainReady>,
    view: Res<StartView>,
    grounds: Query<(&TerrainSurface, &Water)>,
    terrains: TerrainQuery,
    waters: WaterQuery,
    built: Res<Built>,
    motion: Res<State<Motion>>,
    mut next: ResMut<NextState<Motion>>,
    eye: Single<(&mut Transform, &mut FreeCameraState), With<Eye>>,
    mut extent: ResMut<Extent>,
    mut seen: Local<Option<Choice>>,
) {
    let (Ok((ground, water)), Some(asked)) = (grounds.get(ready.entity), built.asked()) else {
        return;
    };
    let new = Extent::of(ground, &asked.water(*water));
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

/// In the middle of the widest river that is not at the map's border, looking up along it; `None` where there is none.
fn at_river(terrains: &TerrainQuery, ground: &TerrainSurface, extent: Extent) -> Option<Transform> {
    let sea = ground.water_level();
    let rivers = ground.waters()?.rivers().iter();
    let points = rivers.flat_map(|river| {
        let points = &river.points;
        // There is some of it to look at, and it has not met the sea.
        let seen = points.iter().enumerate().skip(points.len() / 2);
        seen.filter(move |(_, point)| point.position[1] > sea + 1.0)
            .map(move |(at, point)| (point, points[at / 2].position))
    });
    let mut views = points.filter_map(|(point, ahead)| {
        let (at, ahead) = (Vec3::from(point.position), Vec3::from(ahead));
        let back = (at - ahead).with_y(0.0).normalize_or(Vec3::Z);
        let stand = at + back * 4.0 * point.half_width;
        // Where the land ends, so does what there is to see.
        let is_inland = terrains.hit(stand + back * extent.side * 0.08).is_some();
        is_inland.then_some((point.half_width, stand, ahead))
    });
    let first = views.next()?;
    let (_, stand, ahead) = views.fold(first, |a, b| if b.0 > a.0 { b } else { a });
    let eye = above(terrains, stand + Vec3::Y * 2.5);
    Some(Transform::from_translation(eye).looking_at(ahead.with_y(ahead.y + 2.0), Vec3::Y))
}

/// Home: all of the land from the air.
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

/// The free camera knows by itself where it looks.
fn turn(camera: &mut FreeCameraState, place: &Transform) {
    (camera.yaw, camera.pitch, _) = place.rotation.to_euler(EulerRot::YXZ);
    camera.velocity = Vec3::ZERO;
}

/// The place, or so much higher that it is not within the ground.
fn above(terrains: &TerrainQuery, place: Vec3) -> Vec3 {
    /// Metres over the ground.
    const CLEAR: f32 = 3.0;
    let ground = terrains.height(place).unwrap_or(f32::NEG_INFINITY);
    place.with_y(place.y.max(ground + CLEAR))
}

/// Where land begins, and the way out to the water.
#[derive(Clone, Copy)]
struct WatersEdge {
    coast: Vec3,
    out: Vec3,
}

impl WatersEdge {
    /// How steeply the land begins, in metres for each metre of way.
    fn rise(&self, terrains: &TerrainQuery) -> f32 {
        let rise = |metres: f32| {
            let ground = terrains.height(self.coast - self.out * metres)?;
            Some((ground - self.coast.y) / metres)
        };
        let rises = [10.0, 30.0, 60.0].map(rise);
        rises.into_iter().flatten().fold(0.0, f32::max)
    }

    /// From over the water, along the land's edge.
    fn view(&self, terrains: &TerrainQuery, extent: Extent) -> Transform {
        // On wide land cells are wide, and so are shores.
        let away = self.out * (14.0 + 0.002 * extent.side);
        let stand = above(terrains, self.coast + away + Vec3::Y * 4.0);
        let along = along_the_coast(terrains, stand, -self.out);
        Transform::from_translation(stand).looking_to(along + 0.12 * Vec3::Y, Vec3::Y)
    }
}

/// The first dry ground behind wide water on the way to the middle of the map and on to its other side; where there is
/// none, or a cliff, on one of the ways beside that.
fn waters_edge(terrains: &TerrainQuery, waters: &WaterQuery, from: Vec3) -> Option<WatersEdge> {
    const WAYS: u8 = 12;
    /// Metres for each metre of way.
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
    /// Of them as many as wide water has: rivers have fewer.
    const WIDE: usize = 12;
    /// Halves of a step, after which the edge is known to a centimeter on lands of 80 km.
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

/// From the water's edge, more along it than inland: to the side on which no slope stands before all else.
fn along_the_coast(terrains: &TerrainQuery, eye: Vec3, inland: Vec3) -> Vec3 {
    let ways = [0.9, -0.9, 1.2, -1.2, 0.5, -0.5].map(|turn| Quat::from_rotation_y(turn) * inland);
    open_way(&ways, |way| {
        let rise = |metres: f32| {
            let ground = terrains.height(eye + way * metres)?;
            Some((ground - eye.y) / metres)
        };
        let rises = [10.0, 20.0, 40.0, 60.0].map(rise);
        // What stands further away is to be seen.
        rises.into_iter().flatten().fold(0.0, f32::max) - 0.45
    })
    .unwrap_or(inland)
}

/// The first fairly level and dry ground on the way from the coast to the middle of the island; where there is none the
/// most level.
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

/// The way near that one on which land goes on and does not rise before the eye; where it does on all of them the one on
/// which it does least.
fn far_view(terrains: &TerrainQuery, eye: Vec3, inland: Vec3) -> Vec3 {
    /// Metres over each metre of way.
    const LOW: f32 = 0.2;
    /// Water counts as a slope that is a little too high.
    const WET: f32 = 0.25;
    let slope = |way: Vec3, metres: f32| {
        let hit = terrains.hit(eye + way * metres)?;
        let rise = (hit.point.y - eye.y) / metres;
        Some(if hit.water_depth() > 0.0 { WET } else { rise })
    };
    let turns = [-0.35, 0.35, -0.9, 0.9, -1.5, 1.5, -2.1, 2.1];
    let ways = turns.map(|turn| Quat::from_rotation_y(turn) * inland);
    open_way(&ways, |way| {
        let slopes = [3.0, 6.0, 10.0, 16.0, 24.0, 36.0].map(|metres| slope(way, metres));
        slopes.into_iter().flatten().fold(0.0, f32::max) - LOW
    })
    .unwrap_or(inland)
}

/// The first way on which nothing is too high, or that on which it is least so. By how much it is too high, `excess` tells.
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
    fn the_first_open_way_is_taken_or_the_one_that_is_least_shut() {
        let ways = [Vec3::X, Vec3::Y, Vec3::Z];
        let way = |excess: [f32; 3]| open_way(&ways, |way| Vec3::from(excess).dot(way)).unwrap();
        assert_eq!(way([0.1, -0.1, -0.5]), Vec3::Y);
        assert_eq!(way([0.3, 0.2, 0.4]), Vec3::Y);
        assert_eq!(open_way(&[], |_: Vec3| 0.0), None);
    }

    #[test]
    fn from_the_air_one_is_outside_of_the_land_and_above_it() {
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
