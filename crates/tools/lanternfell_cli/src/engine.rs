//! `--for`: writes a heightmap for a game engine, and prints the values to enter there.
//!
//! | | file | cells per side | rows | a number `v` means |
//! |---|---|---|---|---|
//! | Unity | `.raw`, `.r16`: little-endian `u16` | 2^n + 1, 33 to 4097, square | south first | `v / 65536` of the terrain's height |
//! | Unreal | `.png`, `.r16`: `u16` | whole components of 126 quads, plus one | north first | `(v - 32768) / 128` cm times the Z scale |
//! | Godot | `.exr`, `.r32`: `f32`; `.r16` | any | north first | meters; in `.r16` within the range that is entered |
//! | jackdaw | `.png`: gray, 16 bits | square | north first | from the lowest to the highest height that is entered |
//!
//! A map of another size is resampled to a size that the engine accepts. Its area does not change, and the printed
//! spacing is that of the new cells. Godot and jackdaw have one spacing for both axes, so a map with other cells is
//! projected to a plane first. For jackdaw, the square in the middle of the map is selected. Unreal's sizes are those of
//! its documentation (505, 1009, 2017, 4033, 8129) for maps of 512, 1024, 2048, 4096 and 8192 cells.
//!
//! Sources: Unity, `Editor/Mono/TerrainEditor/ImportRawHeightmap.cs` in `UnityCsReference`, and *Working with
//! Heightmaps* in its manual; Unreal Engine, *Landscape Technical Guide*, and `LandscapeDataAccess.h`
//! (`LANDSCAPE_ZSCALE`); `Terrain3D`, *Importing & Exporting Data*, and `importer.gd`; Godot, `HeightMapShape3D`;
//! jackdaw, the operator `terrain.import` in `src/terrain/import.rs`, and `crates/jackdaw_terrain/src/import.rs`.

mod ground;

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, Heightmap, MapFrame, MapSize,
};
use lanternfell_io::Plane;

use crate::{
    args::{MapArgs, ResizeArgs},
    failure::Failure,
    path::sidecar_path,
    read,
    write::{Heights, Style, WriteArgs},
};
use ground::{Ground, number};

/// The target engine.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct EngineArgs {
    /// Write the map for a game engine and print the values to enter there. The map is resampled to the nearest size that
    /// the engine accepts; --resize selects another one
    #[arg(long = "for", value_name = "ENGINE", value_enum)]
    pub(crate) engine: Option<Engine>,
}

/// A game engine. The comments on the variants are help texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// .raw or .r16: 16 bits, 2^n + 1 cells per side, southernmost row first
    Unity,
    /// .png or .r16: 16 bits, a whole number of landscape components
    Unreal,
    /// .exr or .r32 in meters, or .r16
    Godot,
    /// .png: 16 bits, the square in the middle of the map
    Jackdaw,
}

/// Unity's sizes: 2^n + 1 for these n, and the largest size.
const UNITY_SIDES: std::ops::RangeInclusive<u32> = 5..=12;
const UNITY_LARGEST: usize = 4097;

/// The EPSG code of Web Mercator, in which the size of cells varies.
const WEB_MERCATOR: u16 = 3857;

/// The largest relative difference of two spacings that are entered as one.
const SAME: f64 = 1e-4;

/// Quads per component: 2x2 sections of 63, or of 127 for the largest maps.
const QUADS: [usize; 2] = [126, 254];

/// The maximum number of components per side.
const COMPONENTS: usize = 32;

impl EngineArgs {
    /// Returns an error if the engine cannot read the file.
    pub(crate) fn check(&self, write: &WriteArgs, style: Style) -> Result<(), Failure> {
        self.engine
            .map_or(Ok(()), |engine| engine.check(write, style))
    }

    /// Returns the style with meters in floating-point formats for Godot.
    pub(crate) fn style(&self, write: &WriteArgs, style: Style) -> Style {
        if self.engine == Some(Engine::Godot) && write.heights.is_none() && !style.is_whole() {
            return style.in_meters();
        }
        style
    }

    /// Returns the size of the finished map, for a map of size `whole`.
    pub(crate) fn refit(&self, resize: ResizeArgs, whole: MapSize) -> Result<ResizeArgs, Failure> {
        let Some(engine) = self.engine else {
            return Ok(resize);
        };
        let resize = match engine {
            Engine::Jackdaw => resize.middle_square(whole)?,
            Engine::Unity | Engine::Unreal | Engine::Godot => resize,
        };
        let fitting = engine.nearest(resize.resize.unwrap_or(resize.region(whole)?.size()))?;
        match resize.resize {
            Some(asked) if asked != fitting => Err(engine.refused(asked, fitting)),
            _ => Ok(ResizeArgs {
                resize: Some(fitting),
                ..resize
            }),
        }
    }

    /// Returns the plane to which a map with this frame must be projected, and the option that asks for it: one with
    /// square cells, if the engine has only one spacing. A recipe's map always has square cells.
    pub(crate) fn plane(
        &self,
        frame: &MapFrame,
        size: MapSize,
        arguments: &MapArgs,
    ) -> Option<(Plane, &'static str)> {
        let engine = self.engine.filter(|engine| engine.has_one_spacing())?;
        let place = &frame.place;
        let varies = match place.system {
            Some(CoordinateSystem::Geographic(_)) => true,
            Some(CoordinateSystem::Projected(number)) => number == WEB_MERCATOR,
            None => false,
        };
        // The option sets the spacing of a map whose own is wrong.
        let is_set = !varies && arguments.change.scale.given_spacing();
        let [east, south] = place.spacing(size.height());
        let is_needed = varies || (!is_set && (east / south - 1.0).abs() > SAME);
        is_needed.then_some((
            Plane::Meters,
            match engine {
                Engine::Jackdaw => "--for jackdaw",
                Engine::Godot | Engine::Unity | Engine::Unreal => "--for godot",
            },
        ))
    }

    /// Returns an error if the cells of the finished map are not square, but the engine has only one spacing.
    pub(crate) fn check_square(&self, frame: &MapFrame, size: MapSize) -> Result<(), Failure> {
        let Some(engine) = self.engine.filter(|engine| engine.has_one_spacing()) else {
            return Ok(());
        };
        let Some((width, height)) = frame.place.square_cells(size) else {
            return Ok(());
        };
        let (name, _) = engine.name();
        let [east, south] = frame.place.spacing(size.height()).map(number);
        Err(Failure::Usage(format!(
            "--for {name} needs square cells, but with {}x{} cells they are {east} m by {south} m: give --resize \
             {width}x{height}",
            size.width(),
            size.height()
        )))
    }

    /// Brings the rows of the map into the engine's order.
    pub(crate) fn turn(&self, map: &mut Heightmap) {
        if self.engine == Some(Engine::Unity) {
            let rows = map.heights().rchunks(map.width());
            let heights = rows.flatten().copied().collect();
            *map = Heightmap::from_heights(map.size(), heights).expect("the same heights");
        }
    }

    /// Returns the values to enter in the engine, starting with a line break, or an empty text without an engine.
    /// `elevation` is the meaning of 0 and the largest number in the file.
    pub(crate) fn words(&self, map: &ElevationModel, style: Style, elevation: Elevation) -> String {
        let ground = Ground::of(map, elevation);
        match self.engine {
            None => String::new(),
            Some(Engine::Unity) => ground.for_unity(),
            Some(Engine::Unreal) => ground.for_unreal(),
            Some(Engine::Godot) => ground.for_godot(style.format, style.is_whole()),
            Some(Engine::Jackdaw) => ground.for_jackdaw(),
        }
    }
}

impl Engine {
    /// Returns the engine's name and its file extensions.
    fn name(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Unity => ("unity", &["raw", "r16"]),
            Self::Unreal => ("unreal", &["png", "r16"]),
            Self::Godot => ("godot", &["exr", "r32", "r16"]),
            Self::Jackdaw => ("jackdaw", &["png"]),
        }
    }

    /// Returns whether the engine has one spacing for both axes.
    fn has_one_spacing(self) -> bool {
        match self {
            Self::Godot | Self::Jackdaw => true,
            Self::Unity | Self::Unreal => false,
        }
    }

    fn check(self, write: &WriteArgs, style: Style) -> Result<(), Failure> {
        let (name, endings) = self.name();
        let wrong = |what: &str| Err(Failure::Usage(format!("--for {name}: {what}")));
        let ending = write.extension().unwrap_or_default();
        if !endings.contains(&ending.as_str()) {
            let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
            return wrong(&format!("supported extensions are {}", endings.join(", ")));
        }
        if ending != "exr" && ending != "r32" && !style.is_sixteen_bits() {
            return wrong("it needs 16 bits, and little-endian order in .raw");
        }
        if self == Self::Unity && (write.sidecar || read::is_sidecar(&sidecar_path(&write.output)))
        {
            return wrong(
                "a sidecar is not possible, because it describes rows that start in the north",
            );
        }
        if write.heights == Some(Heights::Unit) && self == Self::Godot {
            return wrong("it needs heights in meters, not --heights unit");
        }
        Ok(())
    }

    /// Returns the nearest size that the engine accepts, and of two equally near ones the larger.
    fn nearest(self, size: MapSize) -> Result<MapSize, Failure> {
        let (width, height) = (size.width(), size.height());
        let (width, height) = match self {
            Self::Godot => (width, height),
            Self::Unity => {
                let sides = UNITY_SIDES.map(|power| (1_usize << power) + 1);
                let longer = width.max(height);
                let side = sides.rev().min_by_key(|side| side.abs_diff(longer));
                let side = side.unwrap_or(UNITY_LARGEST);
                (side, side)
            }
            Self::Jackdaw => (width.min(height), width.min(height)),
            Self::Unreal => {
                let quads = quads(width.max(height));
                let whole = |side: usize| components(side, quads) * quads + 1;
                (whole(width), whole(height))
            }
        };
        let sides = [width, height].map(|side| side as u64);
        MapSize::new(sides[0], sides[1]).map_err(|error| Failure::Usage(error.to_string()))
    }

    fn refused(self, asked: MapSize, fitting: MapSize) -> Failure {
        let (name, _) = self.name();
        let sides = |size: MapSize| format!("{}x{}", size.width(), size.height());
        let takes = match self {
            Self::Unity => "squares of 2^n + 1 cells per side, from 33 to 4097",
            Self::Unreal => "126 n + 1 cells per side, up to n = 32, or 254 n + 1",
            Self::Godot => "any size",
            Self::Jackdaw => "a square",
        };
        Failure::Usage(format!(
            "--for {name} needs {takes}, but --resize is {}: the nearest size is {}",
            sides(asked),
            sides(fitting)
        ))
    }
}

/// Returns the quads per component for a landscape whose longer side has this many cells.
fn quads(longer: usize) -> usize {
    let most = QUADS[0] * COMPONENTS + QUADS[0] / 2;
    if longer - 1 <= most {
        QUADS[0]
    } else {
        QUADS[1]
    }
}

/// Returns the nearest whole number of components for this many cells.
fn components(side: usize, quads: usize) -> usize {
    ((side - 1 + quads / 2) / quads).clamp(1, COMPONENTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    fn nearest(engine: Engine, width: u64, height: u64) -> (usize, usize) {
        let size = engine.nearest(size(width, height)).unwrap();
        (size.width(), size.height())
    }

    #[test]
    fn nearest_sizes_match_engines() {
        for (side, unity, unreal) in [
            (16, 33, 127),
            (256, 257, 253),
            (512, 513, 505),
            (300, 257, 253),
            (384, 257, 379),
            (385, 513, 379),
            (600, 513, 631),
            (1000, 1025, 1009),
            (1024, 1025, 1009),
            (2048, 2049, 2017),
            (4096, 4097, 4033),
            (8192, 4097, 8129),
        ] {
            assert_eq!(nearest(Engine::Unity, side, side), (unity, unity));
            assert_eq!(nearest(Engine::Unreal, side, side), (unreal, unreal));
            assert_eq!(
                nearest(Engine::Godot, side, side),
                (side as usize, side as usize)
            );
        }
        assert_eq!(nearest(Engine::Unity, 1000, 300), (1025, 1025));
        assert_eq!(nearest(Engine::Unreal, 1920, 1080), (1891, 1135));
        for engine in [Engine::Unity, Engine::Unreal] {
            for side in [2, 33, 600, 3000, 5000, 16_384] {
                let once = engine.nearest(size(side, side)).unwrap();
                assert_eq!(engine.nearest(once).unwrap(), once, "{engine:?} {side}");
            }
        }
    }

    #[test]
    fn unity_rows_start_in_the_south() {
        let heights = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mut map = Heightmap::from_heights(size(2, 3), heights.clone()).unwrap();
        let mut turn = |engine| {
            EngineArgs { engine }.turn(&mut map);
            map.heights().to_vec()
        };
        assert_eq!(turn(Some(Engine::Unreal)), heights);
        assert_eq!(turn(Some(Engine::Unity)), [5.0, 6.0, 3.0, 4.0, 1.0, 2.0]);
    }
}
