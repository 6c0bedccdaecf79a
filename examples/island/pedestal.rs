//! The pedestal of a terrain: walls below its border, as on a physical relief model, and a plain around it if there is
//! no sea.
//!
//! ```text
//!      _/\__/\_
//!     |        |     walls, from the border down to the plain
//!   __|________|__   the plain
//! ```

use bevy::{
    asset::RenderAssetUsages,
    light::NotShadowCaster,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use lanternfell::{heightmap::LandCover, prelude::*, surface::Surface};

use crate::{extent::Extent, ground::Built};

/// Marks the walls below the border.
#[derive(Component)]
struct Sides;

/// Marks the plain around the terrain.
#[derive(Component)]
struct Plain;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, show_plain)
        .add_observer(fit);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut matt = || {
        materials.add(StandardMaterial {
            perceptual_roughness: 1.0,
            reflectance: 0.1,
            ..default()
        })
    };
    commands.spawn((
        Sides,
        Mesh3d::default(),
        MeshMaterial3d(matt()),
        Visibility::Hidden,
    ));
    commands.spawn((
        Plain,
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE))),
        MeshMaterial3d(matt()),
        Visibility::Hidden,
        NotShadowCaster,
    ));
}

/// Rebuilds the walls and moves the plain when a terrain becomes ready.
fn fit(
    ready: On<TerrainReady>,
    built: Res<Built>,
    grounds: Query<(&TerrainSurface, Option<&Water>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    sides: Single<
        (
            &mut Mesh3d,
            &mut Visibility,
            &MeshMaterial3d<StandardMaterial>,
        ),
        With<Sides>,
    >,
    plain: Single<(&mut Transform, &MeshMaterial3d<StandardMaterial>), With<Plain>>,
) {
    let (Ok((ground, water)), Some(asked)) = (grounds.get(ready.entity), built.asked()) else {
        return;
    };
    let extent = Extent::of(ground, water);
    let floor = -0.02 * extent.side;
    let (mut mesh, mut visibility, stone) = sides.into_inner();
    mesh.0 = meshes.add(sides_of(&ground.surface(), floor));
    *visibility = Visibility::Inherited;
    let (mut place, soil) = plain.into_inner();
    *place = Transform::from_xyz(0.0, floor, 0.0).with_scale(Vec3::splat(extent.sea()));
    let (soil_color, stone_color) = match asked.cover() {
        LandCover::Temperate => (Color::srgb(0.33, 0.36, 0.22), Color::srgb(0.36, 0.33, 0.29)),
        LandCover::Desert => (Color::srgb(0.66, 0.51, 0.34), Color::srgb(0.46, 0.31, 0.22)),
    };
    for (material, color) in [(soil, soil_color), (stone, stone_color)] {
        if let Some(mut material) = materials.get_mut(&material.0) {
            material.base_color = color;
        }
    }
}

/// Shows the plain if there is no sea.
fn show_plain(
    dry: Query<(), (With<Terrain>, With<TerrainSurface>, Without<Water>)>,
    mut plain: Single<&mut Visibility, With<Plain>>,
) {
    let wanted = if dry.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    };
    plain.set_if_neq(wanted);
}

/// Maximum number of quads along one wall. On larger maps a quad spans several cells.
const MOST_SQUARES: usize = 4096;

/// Builds four walls from the border of the terrain down to `floor`.
fn sides_of(surface: &Surface<'_>, floor: f32) -> Mesh {
    let size = surface.map().size();
    let (east, south) = (size.width() - 1, size.height() - 1);
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    // The chunk meshes have skirts at the border, which must not show through. Offset the walls outwards by a distance
    // that is less than a pixel when the whole terrain is visible.
    let apart = 2e-4 * surface.half_extent().max_element();
    // Each border is walked with the terrain on the left, so that the triangles face outwards.
    let walls: [(Vec3, usize, &dyn Fn(usize) -> (usize, usize)); 4] = [
        (Vec3::NEG_Z, east, &|cell| (east - cell, 0)),
        (Vec3::NEG_X, south, &|cell| (0, cell)),
        (Vec3::Z, east, &|cell| (cell, south)),
        (Vec3::X, south, &|cell| (east, south - cell)),
    ];
    for (normal, last, cell_at) in walls {
        let stride = last.div_ceil(MOST_SQUARES);
        let first = positions.len() as u32;
        for step in 0..=last.div_ceil(stride) {
            let (column, row) = cell_at((step * stride).min(last));
            let top = surface.vertex(column, row) + normal * apart;
            positions.extend([top, top.with_y(floor)]);
            normals.extend([normal; 2]);
        }
        for top in (first..positions.len() as u32 - 2).step_by(2) {
            indices.extend([top, top + 1, top + 2, top + 2, top + 1, top + 3]);
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}

#[cfg(test)]
mod tests {
    use lanternfell::heightmap::{Heightmap, MapSize, Scale};

    use super::*;

    #[test]
    fn walls_face_outwards_and_close() {
        let size = MapSize::new(4, 3).unwrap();
        let map = Heightmap::flat(size);
        let scale = Scale {
            spacing: 2.0,
            relief: 1.0,
        };
        let surface = Surface::new(&map, scale);
        let mesh = sides_of(&surface, -1.0);
        let positions: Vec<Vec3> = mesh
            .attribute(Mesh::ATTRIBUTE_POSITION)
            .and_then(|values| values.as_float3())
            .unwrap()
            .iter()
            .map(|&position| position.into())
            .collect();
        let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
        let mut area = 0.0;
        for corner in indices.chunks(3) {
            let [a, b, c] = [
                positions[corner[0]],
                positions[corner[1]],
                positions[corner[2]],
            ];
            let normal = (b - a).cross(c - a);
            let out = ((a + b + c) / 3.0).with_y(0.0);
            assert!(normal.dot(out) > 0.0, "{corner:?} faces inwards");
            area += 0.5 * normal.length();
        }
        // 1 m high, around 6 m by 4 m.
        assert_eq!(area, 20.0);
    }
}
