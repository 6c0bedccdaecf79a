//! The values to enter in an engine.

use lanternfell_heightmap::{Elevation, ElevationModel};
use lanternfell_io::Format;

use super::{components, quads};

/// The values to enter, in meters.
pub(super) struct Ground {
    cells: [usize; 2],
    /// The cell size eastward and southward.
    spacing: [f64; 2],
    /// The height of 0 in the file, and the difference to that of the largest number.
    low: f64,
    relief: f64,
}

impl Ground {
    pub(super) fn of(map: &ElevationModel, elevation: Elevation) -> Self {
        let size = map.size();
        Self {
            cells: [size.width(), size.height()],
            spacing: map.frame.place.spacing(size.height()),
            low: elevation.meters(0.0),
            relief: elevation.meters(1.0) - elevation.meters(0.0),
        }
    }

    fn extent(&self, axis: usize) -> f64 {
        (self.cells[axis] - 1) as f64 * self.spacing[axis]
    }

    pub(super) fn for_unity(&self) -> String {
        // 65535 in the file is 65535 / 65536 of the height.
        let height = self.relief * 65_536.0 / 65_535.0;
        table(
            "In Unity, Terrain > Terrain Settings > Import Raw",
            &[
                ("Depth", "Bit 16".to_owned()),
                ("Resolution", self.cells[0].to_string()),
                ("Byte Order", "Windows".to_owned()),
                ("Flip Vertically", "off".to_owned()),
                ("Terrain Size X (Width)", number(self.extent(0))),
                ("Terrain Size Y (Height)", number(height)),
                ("Terrain Size Z (Length)", number(self.extent(1))),
                ("Transform > Position Y", number(self.low)),
            ],
        )
    }

    pub(super) fn for_unreal(&self) -> String {
        // (v - 32768) / 128 cm at Z scale 1: 0 is 256 cm below the middle.
        let scale = 100.0 * self.relief * 128.0 / 65_535.0;
        let middle = 100.0 * self.low + 256.0 * scale;
        let quads = quads(self.cells[0].max(self.cells[1]));
        let [across, down] = self.cells.map(|side| components(side, quads));
        let [east, south] = self.spacing.map(|meters| number(100.0 * meters));
        table(
            "In Unreal, Landscape Mode > Manage > New > Import from File",
            &[
                ("Scale X", east),
                ("Scale Y", south),
                ("Scale Z", number(scale)),
                ("Location Z", number(middle)),
                ("Section Size", format!("{0}x{0} Quads", quads / 2)),
                ("Sections Per Component", "2x2 Sections".to_owned()),
                ("Number of Components", format!("{across} x {down}")),
                (
                    "Overall Resolution",
                    format!("{} x {}", self.cells[0], self.cells[1]),
                ),
            ],
        )
    }

    pub(super) fn for_godot(&self, format: Format, is_whole: bool) -> String {
        let [width, depth] = self.cells;
        let [east, south] = self.spacing;
        let spacing = if east == south {
            number(east)
        } else {
            // Resizing to whole numbers of cells leaves small differences.
            number((east * south).sqrt())
        };
        if format == Format::Raw && !is_whole {
            return table(
                "In Godot, HeightMapShape3D",
                &[
                    ("map_width", width.to_string()),
                    ("map_depth", depth.to_string()),
                    (
                        "map_data",
                        "FileAccess.get_file_as_bytes(FILE).to_float32_array()".to_owned(),
                    ),
                    (
                        "scale of the CollisionShape3D",
                        format!("x {spacing}, y 1, z {spacing}"),
                    ),
                ],
            );
        }
        let mut rows = vec![
            ("Import Scale", "1".to_owned()),
            ("Height Offset", "0".to_owned()),
            ("Vertex Spacing", spacing),
        ];
        if is_whole {
            let range = format!("{}, {}", number(self.low), number(self.low + self.relief));
            rows.splice(
                ..0,
                [
                    ("R16 Range", range),
                    ("R16 Size", format!("{width}, {depth}")),
                ],
            );
        }
        table("In Godot, Terrain3D's importer", &rows)
    }

    pub(super) fn for_jackdaw(&self) -> String {
        let (low, high) = (number(self.low), number(self.low + self.relief));
        table(
            "In jackdaw, the operator terrain.import",
            &[
                ("height_range", format!("{low},{high}")),
                ("size", number(self.extent(0))),
            ],
        )
    }
}

fn table(title: &str, rows: &[(&str, String)]) -> String {
    let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, value): &(&str, String)| format!("\n  {name:wide$}  {value}");
    format!("\n{title}:{}", rows.iter().map(line).collect::<String>())
}

/// Rounds to four digits, which is 0.1 mm or less.
pub(super) fn number(meters: f64) -> String {
    let rounded = (meters * 1e4).round() / 1e4;
    (rounded + 0.0).to_string()
}
