//! Makes the tiles of a folder, one after the other.

use std::path::{Path, PathBuf};

use lanternfell_heightmap::{
    BlockPosition, ElevationModel, Filter, Heightmap, MapRegion, Progress, RgbImage,
};
use lanternfell_io::{
    Format, MeshTile, WriteOptions, obj_material, tiles::GridTile, write_image, write_mesh_tile,
};

use super::{
    painter::Painter,
    plan::Plan,
    share::{Chosen, Share},
    source::TileSource,
};
use crate::{
    failure::Failure,
    write::{Style, Target},
};

/// Makes tiles one after the other.
pub(super) struct Work<'a> {
    pub(super) folder: &'a Path,
    pub(super) plan: &'a Plan,
    pub(super) source: &'a TileSource<'a>,
    pub(super) painter: Painter,
    pub(super) style: Style,
    /// Clamps heights to 0 to 1.
    pub(super) clamp: Option<Filter>,
    /// Whether to replace existing tiles.
    pub(super) again: bool,
}

/// The numbers of tiles that were written, and that existed before.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) written: usize,
    pub(super) there: usize,
}

impl Work<'_> {
    /// Makes a share of the blocks. Processes that share the work make their blocks before their tiles, so that no
    /// block is made twice.
    pub(super) fn make_blocks(
        &self,
        Share { index, count }: Share,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let Some((tiles, blocks)) = self.source.blocks() else {
            return Ok(());
        };
        let mine: Vec<BlockPosition> = tiles.blocks().skip(index).step_by(count).collect();
        let progress = progress.span(0.2, 0.7);
        for (done, &block) in mine.iter().enumerate() {
            let region = tiles.block_region(block);
            if self.is_needed(region) && !blocks.holds(block, region) {
                let progress = progress.part(done, mine.len());
                tiles.block(block, blocks, &progress)?;
            }
        }
        Ok(())
    }

    /// Returns whether a tile that needs this region of the map is missing.
    fn is_needed(&self, part: MapRegion) -> bool {
        let mut tiles = self.plan.grid.touching(self.with_border(part));
        tiles.any(|tile| !self.stands(tile))
    }

    /// Returns the region with the cells around it that a tile also depends on. The normals of a mesh depend on the
    /// neighbors of each cell.
    fn with_border(&self, region: MapRegion) -> MapRegion {
        let border = usize::from(self.style.format.is_mesh());
        region.grown(border, self.plan.size())
    }

    pub(super) fn make(&self, chosen: Chosen, progress: &Progress) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let number = chosen.len();
        let progress = progress.span(0.2, 1.0);
        let grid = self.plan.grid;
        let tiles = chosen.filter_map(|number| grid.nth(number));
        for (done, tile) in tiles.enumerate() {
            let made = self.make_one(tile, &progress.part(done, number), &mut counts);
            made.map_err(|failure| match failure {
                Failure::Canceled => Failure::Stopped(format!(
                    "canceled: {} of {number} tiles are in {}; run the same command to continue",
                    counts.written + counts.there,
                    self.folder.display()
                )),
                other => other,
            })?;
        }
        Ok(counts)
    }

    fn make_one(
        &self,
        tile: GridTile,
        progress: &Progress,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        if !self.again && self.stands(tile) {
            counts.there += 1;
            return Ok(progress.step(1, 1)?);
        }
        self.write(tile, progress)?;
        counts.written += 1;
        Ok(())
    }

    fn path(&self, tile: GridTile) -> PathBuf {
        self.folder.join(self.plan.file_name(tile.position))
    }

    /// Returns whether the tile exists and is complete: it must have the expected length in RAW formats, and must not
    /// be empty in other formats.
    fn stands(&self, tile: GridTile) -> bool {
        let Ok(about) = self.path(tile).metadata() else {
            return false;
        };
        let length = self.plan.length(tile);
        let whole = length.map_or(about.len() > 0, |length| about.len() == length);
        about.is_file() && whole
    }

    /// Makes a tile and writes it. The columns and rows in errors are those of the tile.
    fn write(&self, tile: GridTile, progress: &Progress) -> Result<(), Failure> {
        let path = self.path(tile);
        self.write_to(&path, tile, progress)
            .map_err(|failure| match failure {
                Failure::Export(error) => Failure::Usage(format!("{}: {error}", path.display())),
                Failure::Param(error) => Failure::Usage(format!("{}: {error}", path.display())),
                other => other,
            })
    }

    fn write_to(&self, path: &Path, tile: GridTile, progress: &Progress) -> Result<(), Failure> {
        let target = Target::prepare(path)?;
        let around = self.with_border(tile.region);
        let heights = self.source.region(around, &progress.span(0.0, 0.8))?;
        let frame = self.plan.frame.part(self.plan.size(), around);
        let mut map = ElevationModel { heights, frame };
        if let Some(clamp) = &self.clamp {
            map.apply(std::slice::from_ref(clamp), 0, progress)?;
        }
        let writing = progress.span(0.8, 1.0);
        if self.style.format.is_mesh() {
            self.write_mesh(tile, (&map.heights, around), target, &writing)?;
        } else {
            self.style.write(&map, path, target, &writing)?;
        }
        if let Some((tiles, blocks)) = self.source.blocks() {
            blocks.sweep(tiles, around, |part| self.is_needed(part));
            blocks.close();
        }
        Ok(())
    }

    /// Writes a tile as a mesh. `heights` are those of `around`, which contains the tile.
    fn write_mesh(
        &self,
        tile: GridTile,
        (heights, around): (&Heightmap, MapRegion),
        target: Target,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let region = tile.region;
        let drawing = progress.span(0.0, 0.5);
        let texture = self.painter.draw(region, (heights, around), &drawing)?;
        let is_obj = self.style.format == Format::Obj;
        let image = texture.as_ref().filter(|_| is_obj);
        let material = match image {
            Some(image) => Some(self.write_material(tile, image, progress)?),
            None => None,
        };
        let (x, y) = (region.x() - around.x(), region.y() - around.y());
        let inside = MapRegion::new(x, y, region.size(), heights.size());
        let mesh = MeshTile {
            map: heights,
            region: inside.expect("the tile is in the region around it"),
            frame: &self.plan.frame,
            size: self.plan.size(),
            material: material.as_deref(),
        };
        let holes = self.source.holes(around);
        let options = WriteOptions {
            texture: texture.as_ref(),
            holes: holes.as_ref(),
            ..WriteOptions::default()
        };
        let writing = progress.span(0.5, 1.0);
        target.finish(progress, |out| {
            write_mesh_tile(mesh, self.style.format, &options, out, &writing)
        })
    }

    /// Writes the texture of an OBJ and its material library, before the OBJ refers to them. Returns the file name of
    /// the library.
    fn write_material(
        &self,
        tile: GridTile,
        image: &RgbImage,
        progress: &Progress,
    ) -> Result<String, Failure> {
        let [picture, library] = ["png", "mtl"].map(|ending| tile.position.file_name(ending));
        let prepare = |name: &str| Target::prepare(&self.folder.join(name));
        prepare(&picture)?.finish(progress, |out| write_image(image, out, progress))?;
        let text = obj_material(&picture);
        prepare(&library)?.finish(progress, |out| out.write_all(text.as_bytes()))?;
        Ok(library)
    }
}
