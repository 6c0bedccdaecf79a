//! `--legend`: writes the numbers and colors of biomes as text, JSON or an image.

use std::path::{Path, PathBuf};

use clap::Args;
use lanternfell_heightmap::{Progress, climate::LegendEntry};
use lanternfell_render as render;
use serde_json::{Value, json};

use crate::{
    failure::Failure,
    path::extension,
    write::{self, Target},
};

/// The legend file.
#[derive(Debug, Args)]
pub(crate) struct LegendArgs {
    /// Write the numbers and colors of the biomes, and the share of the map that each covers, to a .txt, .json or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) legend: Option<PathBuf>,
}

/// The format of a legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Json,
    RgbImage,
}

/// A legend file that is being written.
pub(crate) struct LegendFile(Kind, Target);

impl LegendArgs {
    /// Creates the temporary file, if a legend is requested.
    pub(crate) fn prepare(&self) -> Result<Option<LegendFile>, Failure> {
        let Some(path) = &self.legend else {
            return Ok(None);
        };
        let kind = kind(path)?;
        Ok(Some(LegendFile(kind, Target::prepare(path)?)))
    }
}

fn kind(path: &Path) -> Result<Kind, Failure> {
    match extension(path).as_deref() {
        Some("txt") => Ok(Kind::Text),
        Some("json") => Ok(Kind::Json),
        Some("png") => Ok(Kind::RgbImage),
        _ => Err(write::unknown_ending(path, ".txt, .json, .png")),
    }
}

impl LegendFile {
    /// Writes the legend.
    pub(crate) fn write(self, entries: &[LegendEntry], progress: &Progress) -> Result<(), Failure> {
        let Self(kind, target) = self;
        match kind {
            Kind::Text => target.finish(progress, |out| {
                out.write_all((text(entries) + "\n").as_bytes())
            }),
            Kind::Json => target.finish(progress, |out| writeln!(out, "{:#}", as_json(entries))),
            Kind::RgbImage => {
                let shown = found(entries).map(|entry| (entry.color, entry.name.clone()));
                let picture = render::legend(&shown.collect::<Vec<_>>(), progress)?;
                target.finish(progress, |out| {
                    lanternfell_io::write_image(&picture, out, progress)
                })
            }
        }
    }
}

/// Returns the legend as text: number, color, share and name, one line for each biome that the map contains.
pub(crate) fn text(entries: &[LegendEntry]) -> String {
    let line = |entry: &LegendEntry| {
        let share = format!("{:.1} %", 100.0 * share(entry, entries));
        format!(
            "{:>3}  {}  {share:>7}  {}",
            entry.number,
            hexadecimal(entry.color),
            entry.name
        )
    };
    found(entries).map(line).collect::<Vec<_>>().join("\n")
}

fn found(entries: &[LegendEntry]) -> impl Iterator<Item = &LegendEntry> {
    entries.iter().filter(|entry| entry.cells > 0)
}

/// Returns the legend as JSON, with all biomes that a map could contain.
fn as_json(entries: &[LegendEntry]) -> Value {
    let entry = |entry: &LegendEntry| {
        json!({
            "number": entry.number,
            "name": entry.name,
            "color": hexadecimal(entry.color),
            "cells": entry.cells,
            "share": share(entry, entries),
        })
    };
    entries.iter().map(entry).collect()
}

fn share(entry: &LegendEntry, entries: &[LegendEntry]) -> f64 {
    let all: u64 = entries.iter().map(|entry| entry.cells).sum();
    entry.cells as f64 / all.max(1) as f64
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_omits_missing_biomes_and_json_keeps_them() {
        let entry = |number, name: &str, cells| LegendEntry {
            number,
            name: name.to_owned(),
            color: [number, 160, 255],
            cells,
        };
        let entries = [
            entry(0, "ice", 0),
            entry(2, "taiga", 30),
            entry(255, "ocean", 10),
        ];
        assert_eq!(
            text(&entries),
            "  2  #02a0ff   75.0 %  taiga\n255  #ffa0ff   25.0 %  ocean"
        );
        let json = as_json(&entries);
        assert_eq!(
            json[0],
            json!({"number": 0, "name": "ice", "color": "#00a0ff", "cells": 0, "share": 0.0})
        );
        assert_eq!(json.as_array().map(Vec::len), Some(3));
    }
}
