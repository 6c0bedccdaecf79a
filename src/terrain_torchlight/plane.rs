//! The positions of a torchlight map's cells in a frame of reference.

use bevy::{math::Affine3A, prelude::*};
use lanternfell_torchlight::prelude::*;

/// Maps cell coordinates, and heights above the cells in cells, to a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CellPlane {
    /// The center of cell (0, 0).
    first: Vec3,
    /// The vector to the next cell in the row.
    across: Vec3,
    /// The vector to the next row.
    down: Vec3,
    /// The normal of the plane, as long as a cell is wide.
    up: Vec3,
    size: UVec2,
}

impl CellPlane {
    /// The cells of a map of squares or diamonds, in world space. `None` if its transform has no size or is not finite.
    pub(super) fn new(map: &TorchlightMap, transform: &GlobalTransform) -> Option<Self> {
        let at = |x, y| map.position_of(transform, Vec2::new(x, y));
        let first = at(0.0, 0.0);
        let normal = match map.plane {
            LightPlane::Xy => Vec3::Z,
            LightPlane::Xz => Vec3::Y,
        };
        let plane = Self {
            first,
            across: at(1.0, 0.0) - first,
            down: at(0.0, 1.0) - first,
            up: transform
                .affine()
                .transform_vector3(normal * map.valid_cell_size()),
            size: map.grid().size(),
        };
        plane.is_usable().then_some(plane)
    }

    fn is_usable(&self) -> bool {
        let inverse = self.axes().inverse();
        self.first.is_finite() && self.axes().is_finite() && inverse.is_finite()
    }

    /// The same cells in the frame of another transform. `None` if that has no size.
    pub(super) fn seen_from(&self, frame: &GlobalTransform) -> Option<Self> {
        let to_frame = frame.affine().inverse();
        let turned = |vector| to_frame.transform_vector3(vector);
        let plane = Self {
            first: to_frame.transform_point3(self.first),
            across: turned(self.across),
            down: turned(self.down),
            up: turned(self.up),
            size: self.size,
        };
        plane.is_usable().then_some(plane)
    }

    fn axes(&self) -> Mat3 {
        Mat3::from_cols(self.across, self.down, self.up)
    }

    pub(super) fn size(&self) -> UVec2 {
        self.size
    }

    /// The number of cells per unit of the frame.
    pub(super) fn per_unit(&self) -> f32 {
        1.0 / self.up.length()
    }

    /// Whether both agree to a thousandth of a cell.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let near = 1e-3 * self.up.length();
        let corners = |plane: &Self| {
            let last = plane.size.as_vec2() - 1.0;
            let ends = [Vec2::ZERO, last.with_y(0.0), last.with_x(0.0)];
            ends.map(|cell| plane.place(cell))
        };
        let ends = corners(self).into_iter().zip(corners(other));
        self.size == other.size
            && self.up.abs_diff_eq(other.up, near)
            && ends.into_iter().all(|(a, b)| a.abs_diff_eq(b, near))
    }

    /// Whether the cells are roughly horizontal, in a frame whose y axis points up.
    pub(super) fn is_horizontal(&self) -> bool {
        self.up.normalize_or_zero().y.abs() > 0.1
    }

    /// The position of a cell's center, or of a point between cells.
    pub(super) fn place(&self, cell: Vec2) -> Vec3 {
        self.first + cell.x * self.across + cell.y * self.down
    }

    /// The rectangle that the cells cover, along x and z of the frame.
    pub(super) fn area(&self) -> Rect {
        let last = self.size.as_vec2() - 0.5;
        let corners = [
            Vec2::splat(-0.5),
            last,
            Vec2::new(-0.5, last.y),
            Vec2::new(last.x, -0.5),
        ];
        let [a, b, c, d] = corners.map(|cell| self.place(cell).xz());
        Rect::from_corners(a, b).union_point(c).union_point(d)
    }

    /// Maps the frame to a texture with one texel per cell: u and v from 0 to 1, and the height above the plane in cells.
    pub(super) fn to_picture(self) -> Affine3A {
        let shares = 1.0 / self.size.as_vec2();
        let linear = Mat3::from_diagonal(shares.extend(1.0)) * self.axes().inverse();
        let middle_of_first = (0.5 * shares).extend(0.0);
        Affine3A::from_mat3_translation(linear, middle_of_first - linear * self.first)
    }

    /// Maps the frame to cells and heights above them.
    pub(super) fn to_cells(self) -> ToCells {
        ToCells {
            first: self.first,
            rows: self.axes().inverse().transpose(),
        }
    }
}

/// Maps a frame to cells and heights.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToCells {
    first: Vec3,
    /// The rows of the matrix, stored as columns.
    rows: Mat3,
}

impl ToCells {
    /// The cell coordinates of a point.
    pub(super) fn cell(&self, place: Vec3) -> Vec2 {
        let off = place - self.first;
        Vec2::new(self.rows.x_axis.dot(off), self.rows.y_axis.dot(off))
    }

    /// The height of a point above the plane, in cells.
    pub(super) fn height(&self, place: Vec3) -> f32 {
        self.rows.z_axis.dot(place - self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(map: TorchlightMap, transform: Transform) -> Option<CellPlane> {
        CellPlane::new(&map, &transform.into())
    }

    fn map() -> TorchlightMap {
        let grid = LightGrid::new(8, 4, LightSettings::default()).unwrap();
        TorchlightMap::new(grid)
            .with_plane(LightPlane::Xz)
            .with_cell_size(2.0)
    }

    #[test]
    fn positions_map_back_to_cells_and_heights() {
        let turned = Transform::from_xyz(5.0, 3.0, -9.0)
            .with_rotation(Quat::from_rotation_y(0.7))
            .with_scale(Vec3::splat(1.5));
        for layout in [LightLayout::Rows, LightLayout::Diamonds { height: 0.5 }] {
            let plane = plane(map().with_layout(layout), turned).unwrap();
            assert!((plane.per_unit() - 1.0 / 3.0).abs() < 1e-6);
            for cell in [Vec2::ZERO, Vec2::new(7.0, 3.0), Vec2::new(2.25, -4.0)] {
                let place = plane.place(cell) + Vec3::Y * 6.0;
                let to_cells = plane.to_cells();
                assert!(to_cells.cell(place).abs_diff_eq(cell, 1e-4));
                assert!((to_cells.height(place) - 2.0).abs() < 1e-4);
                let uv = plane.to_picture().transform_point3(place).xy();
                let share = (cell + 0.5) / Vec2::new(8.0, 4.0);
                assert!(uv.abs_diff_eq(share, 1e-5), "{uv} {share}");
            }
        }
    }

    #[test]
    fn rejects_zero_scale_and_detects_vertical_maps() {
        let flat = Transform::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(plane(map(), flat), None);
        let lost = Transform::from_translation(Vec3::NAN);
        assert_eq!(plane(map(), lost), None);
        assert!(plane(map(), Transform::IDENTITY).unwrap().is_horizontal());
        let upright = map().with_plane(LightPlane::Xy);
        assert!(!plane(upright, Transform::IDENTITY).unwrap().is_horizontal());
    }

    #[test]
    fn moving_terrain_and_map_together_changes_nothing() {
        let seen = |off: Vec3| {
            let land = GlobalTransform::from(Transform::from_translation(off));
            let here = Transform::from_translation(off + Vec3::X * 0.3);
            plane(map(), here).unwrap().seen_from(&land).unwrap()
        };
        let far = seen(Vec3::new(1234.5, 10.0, -4321.7));
        assert!(far.is_like(&seen(Vec3::ZERO)));
        let shifted = plane(map(), Transform::from_xyz(0.31, 0.0, 0.0)).unwrap();
        assert!(!far.is_like(&shifted));
    }
}
