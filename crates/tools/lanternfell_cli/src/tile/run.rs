//! Makes the tiles of a recipe or a heightmap file: checks the options, writes the description of the folder, and makes
//! the tiles.

use std::{path::Path, time::Instant};

use lanternfell_heightmap::Recipe;
use lanternfell_io::{
    HeightRange,
    tiles::{TileGrid, TileGridError, TileLayout, TileLayoutError},
};

use super::{
    Tile,
    blocks::FolderBlocks,
    index,
    map_file::MapFile,
    painter::Painter,
    plan::Plan,
    share::Chosen,
    source::TileSource,
    unfinished,
    work::{Counts, Work},
};
use crate::{
    args::{MapArgs, ResizeArgs},
    edits,
    failure::Failure,
    job::Job,
    land::{Land, Origin},
    manifest,
    read::{self, ReadMap},
    source as sources,
    texture::Texture,
    write::{Style, meters},
};

impl Tile {
    /// Makes tiles of a recipe or a heightmap that is read from a pipe.
    pub(super) fn run_pipe(&self, (start, job): (Instant, &Job)) -> Result<(), Failure> {
        let arguments = self.map_arguments();
        // A size or a number format does not mean RAW here: they may be those of a recipe and its tiles.
        let (bytes, format) = read::pipe(&MapArgs::of_file(&self.source))?;
        if let Some(format) = format {
            sources::only_for_recipes(&self.change)?;
            let map = read::bytes(&bytes, format, &arguments)?;
            let file = MapFile::of_map(map, &arguments, &job.progress)?;
            return self.cut(&file, (start, job));
        }
        let recipe = sources::parse_recipe(Path::new(&self.source), bytes)?;
        let resize = ResizeArgs::default();
        self.generate(
            sources::changed(recipe, &self.source, &self.change, &resize)?,
            (start, job),
        )
    }

    /// Makes tiles of any map with edits, which is made as a whole. It may be a recipe or a folder of tiles.
    pub(super) fn cut_edited(&self, (start, job): (Instant, &Job)) -> Result<(), Failure> {
        self.change.size.map_or(Ok(()), edits::check_size)?;
        let arguments = self.map_arguments();
        let origin = Origin::open(&arguments, None)?;
        let (sea_level, reason) = (origin.measures.sea_level, origin.reason.clone());
        let progress = job.progress.span(0.0, 0.1);
        let Land { map, holes, about } = job.with_bar("editing", || origin.make(&progress))?;
        let mut map = ReadMap::new(map, reason);
        map.holes = holes;
        let file = MapFile::of_map(map, &arguments, &job.progress.span(0.1, 0.2))?;
        let file = file.with_sea_level(sea_level);
        self.cut(&file, (start, job))?;
        let format = self.style(self.to_raw.format())?.format;
        let left_out = edits::without_holes(file.holes.as_ref(), format);
        job.summary(&self.output, &format!("the map: {about}{left_out}"))
    }

    /// Makes the tiles of a recipe.
    pub(super) fn generate(
        &self,
        recipe: Recipe,
        (start, job): (Instant, &Job),
    ) -> Result<(), Failure> {
        read::no_options(&self.map_arguments_of_recipe())?;
        recipe.validate_tiles()?;
        let raw = self.to_raw.format();
        let style = self.style(raw.or(self.raw.given().then(|| self.raw.format())))?;
        let (raw, extension) = (self.raw_format(style), self.extension());
        let layout = TileLayout::new(recipe, self.tile, self.overlap, extension, raw)
            .and_then(|layout| layout.with_range(self.range.range))
            .map_err(refused)?
            .with_texture(self.texture_name());
        let style = style.in_range(self.range.range())?;
        let chosen = self.prepare(&Plan::of_layout(&layout))?;
        let manifest = manifest::open(&self.output, layout, job)?;
        let layout = manifest.layout();
        let plan = Plan::of_layout(layout);
        if self.prepass {
            return self.end_of_prepass(start, job);
        }
        let tiles = job.with_bar("world", || {
            let progress = job.progress.span(0.1, 0.2);
            layout.recipe().tiles(manifest.prepass(), &progress)
        })?;
        let source = TileSource::Recipe {
            tiles: tiles.into(),
            blocks: FolderBlocks::new(&self.output),
            sea_level: layout.recipe().water_level(),
        };
        self.make(&plan, &source, style, chosen, (start, job))
    }

    /// Cuts a heightmap file into tiles.
    pub(super) fn cut(&self, file: &MapFile, (start, job): (Instant, &Job)) -> Result<(), Failure> {
        let style = self.style(self.to_raw.format())?;
        let grid = TileGrid::new(file.size, self.tile, self.overlap);
        let plan = Plan {
            grid: grid.map_err(|error| refused(error.into()))?,
            extension: self.extension(),
            raw: self.raw_format(style),
            frame: file.frame,
        };
        plan.frame.validate_on(plan.size())?;
        // All tiles have the same scale.
        let own = style.is_whole().then(|| file.range_in_meters()).flatten();
        let own = own.filter(|_| !self.range.clamp);
        let range = self.range.range().or(own.map(|[low, high]| HeightRange {
            low,
            high,
            clamp: false,
        }));
        let style = style.in_range(range)?;
        range.map_or(Ok(()), |range| file.check_range(range))?;
        let chosen = self.prepare(&plan)?;
        let ends = range.map(|range| [range.low, range.high]);
        let texture = self.texture_name();
        let description = index::of(file, &plan, ends, texture.as_deref());
        index::open(&self.output, &description)?;
        if self.prepass {
            return self.end_of_prepass(start, job);
        }
        self.make(&plan, &TileSource::File(file), style, chosen, (start, job))
    }

    /// Checks the options that depend on the size of the map, and creates the folder. Returns the tiles to make.
    fn prepare(&self, plan: &Plan) -> Result<Chosen, Failure> {
        let size = plan.size();
        Painter::check(self.texture.unwrap_or(Texture::None), size)?;
        let chosen = self.chosen(plan.grid)?;
        let folder = self.output.as_path();
        std::fs::create_dir_all(folder).map_err(|error| Failure::Write {
            path: folder.to_owned(),
            error,
        })?;
        Ok(chosen)
    }

    fn end_of_prepass(&self, start: Instant, job: &Job) -> Result<(), Failure> {
        let (folder, seconds) = (self.output.display(), start.elapsed().as_secs_f64());
        let line = format!("prepass of {folder} in {seconds:.2} s");
        job.summary(&self.output, &line)
    }

    /// Makes the chosen tiles.
    fn make(
        &self,
        plan: &Plan,
        source: &TileSource<'_>,
        style: Style,
        chosen: Chosen,
        (start, job): (Instant, &Job),
    ) -> Result<(), Failure> {
        let folder = self.output.as_path();
        unfinished::sweep(folder);
        let texture = self.texture.unwrap_or(Texture::None);
        let painter = job.with_bar("coloring", || {
            Painter::new(texture, source, plan, &job.progress.span(0.1, 0.2))
        })?;
        let work = Work {
            folder,
            plan,
            source,
            painter,
            style,
            clamp: self.range.filter(),
            again: self.only.is_some(),
        };
        if let Some(share) = self.share {
            job.with_bar("blocks", || work.make_blocks(share, &job.progress))?;
        }
        let Counts { written, there } =
            job.with_bar("tiles", || work.make(chosen, &job.progress))?;
        let scale = style.ends().map_or(String::new(), |(low, high, largest)| {
            let [low, high] = [low, high].map(meters);
            format!(", {low} m written as 0 and {high} m as {largest}")
        });
        let line = format!(
            "wrote {written} of {} tiles to {}, {there} already existed{scale}, {:.2} s",
            plan.grid.count(),
            folder.display(),
            start.elapsed().as_secs_f64()
        );
        job.summary(folder, &line)
    }
}

/// Converts the error of a layout to one that names the options.
fn refused(error: TileLayoutError) -> Failure {
    let words = match error {
        TileLayoutError::Recipe(error) => return error.into(),
        TileLayoutError::Grid(TileGridError::Overlap {
            overlap,
            side,
            tile,
        }) => format!("--overlap {overlap} must be less than the {side} of a tile, {tile}"),
        TileLayoutError::Grid(error @ TileGridError::Last { .. }) => {
            format!("--tile: {error}; for tiles that share their edges, add --overlap 1")
        }
        TileLayoutError::Grid(error @ TileGridError::TooLarge { .. }) => format!("--tile: {error}"),
        TileLayoutError::Range { low, high, allowed } => {
            format!("--range {low}:{high}: {allowed}")
        }
        error @ (TileLayoutError::Extension { .. } | TileLayoutError::Raw { .. }) => {
            error.to_string()
        }
    };
    Failure::Usage(words)
}
