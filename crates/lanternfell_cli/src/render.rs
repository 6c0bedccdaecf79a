//! `lanternfell render`: from a heightmap to a picture of it.

use std::time::Instant;

use lanternfell_heightmap::{
    Heightmap, Progress,
    render::{Palette, PerspectiveView, Picture, TopView},
};

use crate::{
    args::{Colours, Render, View},
    failure::Failure,
    generate,
    output::{self, Output},
    source::{self, Source},
    watch,
};

/// The sea of a map that comes without one: slightly above the lowest ground.
const SEA_LEVEL: f32 = 0.04;

/// The part of the work after which the picture only needs writing.
const DRAWN: f32 = 0.95;

/// A view whose settings are all in range.
enum Checked {
    Perspective(PerspectiveView),
    Top(TopView),
}

pub(crate) fn run(command: &Render, progress: &Progress) -> Result<(), Failure> {
    let start = Instant::now();
    if source::extension(&command.output).as_deref() != Some("png") {
        return Err(generate::unknown_ending(&command.output, ".png"));
    }
    reject_misplaced(command)?;
    let source = source::open(&command.source, &command.change, &command.raw)?;
    let sea_level = match &source {
        Source::Recipe(recipe) => recipe.water_level(),
        Source::Map(_) => SEA_LEVEL,
    };
    let view = view(command, sea_level)?;
    let output = Output::prepare(&command.output)?;
    let (map, about) = watch::with_bar("generating", command.quiet, progress, || {
        map(source, command, &progress.span(0.0, 0.3))
    })?;
    let picture = watch::with_bar("drawing", command.quiet, progress, || {
        view.draw(&map, &progress.span(0.3, DRAWN))
    })?;
    watch::with_bar("writing", command.quiet, progress, || {
        output.finish(progress, |out| {
            picture.write_png_with(out, &progress.span(DRAWN, 1.0))
        })
    })?;
    let (path, width, height) = (command.output.display(), picture.width(), picture.height());
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("wrote {path}: {width}x{height} pixels of {about}, {seconds:.2} s");
    output::summary(command.quiet, &line);
    Ok(())
}

/// The map to draw, and a few words about it.
fn map(
    source: Source,
    command: &Render,
    progress: &Progress,
) -> Result<(Heightmap, String), Failure> {
    match source {
        Source::Recipe(recipe) => Ok((recipe.generate(progress)?, generate::about(&recipe))),
        Source::Map(mut map) => {
            let (low, high) = map.range();
            let mut about = format!("{}, {}x{}", command.source, map.width(), map.height());
            if low < 0.0 || high > 1.0 {
                map.normalise();
                about += &format!(", its heights {low} to {high} stretched to 0 to 1");
            }
            Ok((map, about))
        }
    }
}

/// Options that the chosen view does not have are mistakes, not noise.
fn reject_misplaced(command: &Render) -> Result<(), Failure> {
    let camera = &command.camera;
    let misplaced = match command.view {
        View::Perspective => [("--palette", command.palette.is_some())].to_vec(),
        View::Top => vec![
            ("--picture", camera.picture.is_some()),
            ("--azimuth", camera.azimuth.is_some()),
            ("--elevation", camera.elevation.is_some()),
            ("--field-of-view", camera.field_of_view.is_some()),
            ("--zoom", camera.zoom.is_some()),
            ("--samples", camera.samples.is_some()),
        ],
    };
    let (this, other) = match command.view {
        View::Perspective => ("perspective", "top"),
        View::Top => ("top", "perspective"),
    };
    match misplaced.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::Usage(format!(
            "{name} is for --view {other}, and this is --view {this}"
        ))),
    }
}

fn view(command: &Render, sea_level: f32) -> Result<Checked, Failure> {
    let invalid = |error: lanternfell_heightmap::ParamError| Failure::Render(error.into());
    match command.view {
        View::Perspective => {
            let view = perspective(command, sea_level);
            view.validate().map_err(invalid)?;
            Ok(Checked::Perspective(view))
        }
        View::Top => {
            let view = top(command, sea_level);
            view.validate().map_err(invalid)?;
            Ok(Checked::Top(view))
        }
    }
}

fn perspective(command: &Render, sea_level: f32) -> PerspectiveView {
    let (camera, sun) = (&command.camera, &command.sun);
    let default = PerspectiveView::default();
    let (width, height) = camera.picture.unwrap_or((default.width, default.height));
    PerspectiveView {
        width,
        height,
        azimuth: camera.azimuth.unwrap_or(default.azimuth),
        elevation: camera.elevation.unwrap_or(default.elevation),
        field_of_view: camera.field_of_view.unwrap_or(default.field_of_view),
        zoom: camera.zoom.unwrap_or(default.zoom),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
        sea_level: command.sea_level.unwrap_or(sea_level),
        vertical_scale: sun.vertical_scale.unwrap_or(default.vertical_scale),
        samples: camera.samples.unwrap_or(default.samples),
    }
}

fn top(command: &Render, sea_level: f32) -> TopView {
    let palette = Palette::from(command.palette.unwrap_or(Colours::Natural));
    // The article's picture has the article's sea.
    let sea_level = match palette {
        Palette::Article => TopView::ARTICLE_SEA_LEVEL,
        Palette::Natural | Palette::Grey => sea_level,
    };
    let (sun, default) = (&command.sun, TopView::default());
    TopView {
        palette,
        sea_level: command.sea_level.unwrap_or(sea_level),
        vertical_scale: sun.vertical_scale.unwrap_or(default.vertical_scale),
        sun_azimuth: sun.sun_azimuth.unwrap_or(default.sun_azimuth),
        sun_elevation: sun.sun_elevation.unwrap_or(default.sun_elevation),
    }
}

impl Checked {
    fn draw(&self, map: &Heightmap, progress: &Progress) -> Result<Picture, Failure> {
        Ok(match self {
            Self::Perspective(view) => view.draw(map, progress)?,
            Self::Top(view) => view.draw(map, progress)?,
        })
    }
}
