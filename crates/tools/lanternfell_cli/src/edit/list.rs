//! `lanternfell edit list`: prints a summary of a log and its entries.

use std::path::PathBuf;

use clap::Args;
use lanternfell_edits::{Channel, EditId, Edits, Entry, Operation, Stroke};
use serde_json::{Value, json};

use super::{brushes, stroke::offset};
use crate::{
    edits::{EditLog, counted},
    failure::Failure,
    job::{say, say_json},
};

/// `lanternfell edit list`.
#[derive(Debug, Args)]
#[command(
    after_help = "The first lines count the entries, and print which cells can be reached by strokes that are not
undone. A line for each entry follows, in the order in which they take effect: its id AUTHOR:NUMBER,
its time, and what it does.

Examples:
  lanternfell edit list digs.edits
  lanternfell edit list digs.edits --json"
)]
pub(super) struct List {
    /// The log
    #[arg(value_name = "LOG.edits")]
    log: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(command: &List) -> Result<(), Failure> {
    let log = EditLog::open(&command.log)?;
    let edits = &log.edits;
    let bytes = edits.to_bytes().len();
    if command.json {
        return say_json(&as_json(edits, bytes));
    }
    let path = log.path().display();
    let mut lines = vec![format!("{path}: {}, {bytes} bytes", summary(edits))];
    if edits.compacted_before() > 0 {
        let tiles = edits.tiles().count();
        lines.push(format!(
            "compacted before time {}; {} with edits",
            edits.compacted_before(),
            counted(tiles, "tile")
        ));
    }
    lines.extend(areas(edits).iter().map(Area::line));
    lines.extend(edits.entries().map(|entry| line(edits, entry)));
    say(&lines.join("\n"))
}

/// Returns the stroke of an entry that edits the map.
fn stroke(entry: &Entry) -> Option<&Stroke> {
    match &entry.operation {
        Operation::Stroke(stroke) | Operation::Drag(stroke) => Some(stroke),
        Operation::Undo(_) | Operation::Redo(_) => None,
    }
}

/// Returns the stroke that an entry undoes or brings back.
pub(super) fn switched(entry: &Entry) -> Option<EditId> {
    match entry.operation {
        Operation::Undo(stroke) | Operation::Redo(stroke) => Some(stroke),
        Operation::Stroke(_) | Operation::Drag(_) => None,
    }
}

/// Returns the name of an entry.
pub(super) fn shown(EditId { author, sequence }: EditId) -> String {
    format!("{author}:{sequence}")
}

/// Returns the authors of strokes, in order.
pub(super) fn authors(edits: &Edits) -> Vec<u32> {
    let strokes = edits.entries().filter(|entry| stroke(entry).is_some());
    let mut authors: Vec<u32> = strokes.map(|entry| entry.id.author).collect();
    authors.sort_unstable();
    authors.dedup();
    authors
}

/// Counts the entries.
pub(super) fn summary(edits: &Edits) -> String {
    let entries = match edits.len() {
        1 => "1 entry".to_owned(),
        entries => format!("{entries} entries"),
    };
    let strokes: Vec<&Entry> = edits
        .entries()
        .filter(|entry| stroke(entry).is_some())
        .collect();
    let undone = strokes.iter().filter(|entry| !edits.is_active(entry.id));
    format!(
        "{entries} by {}, {}, {} undone",
        counted(authors(edits).len(), "author"),
        counted(strokes.len(), "stroke"),
        undone.count()
    )
}

/// The cells of a channel that strokes can reach.
struct Area {
    channel: Channel,
    strokes: usize,
    /// The first and the last.
    columns: [i64; 2],
    rows: [i64; 2],
}

/// Returns the areas of all channels with edits.
fn areas(edits: &Edits) -> Vec<Area> {
    let of = |channel| {
        let active = edits.entries().filter(|entry| edits.is_active(entry.id));
        let strokes = active
            .filter_map(stroke)
            .filter(|stroke| stroke.brush.channel() == channel);
        let mut area: Option<Area> = None;
        let mut add = |columns: [i64; 2], rows: [i64; 2], strokes| {
            let area = area.get_or_insert(Area {
                channel,
                strokes: 0,
                columns,
                rows,
            });
            let join = |a: [i64; 2], b: [i64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
            area.columns = join(area.columns, columns);
            area.rows = join(area.rows, rows);
            area.strokes += strokes;
        };
        for stroke in strokes {
            let radius = i64::from(stroke.radius);
            // The cells within the radius of a position in 1/256 of a cell.
            let reach = |at: i64| {
                [
                    -(-(at - radius)).div_euclid(256),
                    (at + radius).div_euclid(256),
                ]
            };
            for (at, &[x, y]) in stroke.points.iter().enumerate() {
                add(reach(x), reach(y), usize::from(at == 0));
            }
        }
        if edits.compacted_before() > 0 {
            let tiles = edits.tiles().filter(|(tile, _)| tile.channel == channel);
            for area in tiles.map(|(tile, _)| tile.area()) {
                let columns = [area.column, area.end_column() - 1];
                add(columns, [area.row, area.end_row() - 1], 0);
            }
        }
        area
    };
    Channel::ALL.into_iter().filter_map(of).collect()
}

fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::Heights => "heights",
        Channel::Holes => "holes",
        Channel::Paint => "paint",
        Channel::Plants => "plants",
    }
}

impl Area {
    fn line(&self) -> String {
        let ([west, east], [north, south]) = (self.columns, self.rows);
        let (name, strokes) = (name(self.channel), counted(self.strokes, "stroke"));
        format!("{name}: {strokes}, columns {west} to {east}, rows {north} to {south}")
    }

    fn as_json(&self) -> Value {
        json!({
            "channel": name(self.channel),
            "strokes": self.strokes,
            "columns": self.columns,
            "rows": self.rows,
        })
    }
}

/// Converts a length of a stroke to cells.
fn cells(units: i64) -> f64 {
    units as f64 / 256.0
}

/// Converts a position of a stroke to cells, as `add` takes it.
fn position(stroke: &Stroke, point: [i64; 2]) -> [f64; 2] {
    point.map(|at| (at as f64 + offset(stroke.brush.channel())) / 256.0)
}

fn line(edits: &Edits, entry: &Entry) -> String {
    let (name, time) = (shown(entry.id), entry.time);
    let kind = kind(entry);
    if let Some(stroke) = switched(entry) {
        return format!("{name}  time {time}  {kind} of {}", shown(stroke));
    }
    let Some(stroke) = stroke(entry) else {
        return format!("{name}  time {time}  {kind}");
    };
    let place = |point: &[i64; 2]| {
        let [x, y] = position(stroke, *point);
        format!("({x}, {y})")
    };
    let place = match stroke.points.as_slice() {
        [] => String::new(),
        [point] => format!("at {}", place(point)),
        [first, last] => format!("from {} to {}", place(first), place(last)),
        [first, .., last] => {
            let count = stroke.points.len();
            format!("from {} to {}, {count} points", place(first), place(last))
        }
    };
    let undone = if edits.is_active(entry.id) {
        ""
    } else {
        ", undone"
    };
    format!(
        "{name}  time {time}  {kind}  {}, radius {}, {}, strength {}, {place}{undone}",
        brushes::shown(&stroke.brush),
        cells(stroke.radius.into()),
        format!("{:?}", stroke.falloff).to_lowercase(),
        f64::from(stroke.strength) / 1000.0
    )
}

fn kind(entry: &Entry) -> &'static str {
    match entry.operation {
        Operation::Stroke(_) => "stroke",
        Operation::Drag(_) => "drag",
        Operation::Undo(_) => "undo",
        Operation::Redo(_) => "redo",
    }
}

fn as_json(edits: &Edits, bytes: usize) -> Value {
    let entries: Vec<Value> = edits
        .entries()
        .map(|entry| entry_as_json(edits, entry))
        .collect();
    let areas: Vec<Value> = areas(edits).iter().map(Area::as_json).collect();
    json!({
        "bytes": bytes,
        "clock": edits.clock(),
        "compacted_before": edits.compacted_before(),
        "tiles": edits.tiles().count(),
        "areas": areas,
        "entries": entries,
    })
}

fn entry_as_json(edits: &Edits, entry: &Entry) -> Value {
    let mut value = json!({"id": shown(entry.id), "time": entry.time, "operation": kind(entry)});
    if let Some(stroke) = switched(entry) {
        value["of"] = json!(shown(stroke));
    }
    if let Some(stroke) = stroke(entry) {
        let points = stroke.points.iter().map(|point| position(stroke, *point));
        let points: Vec<[f64; 2]> = points.collect();
        value["brush"] = json!(stroke.brush);
        value["radius"] = json!(cells(stroke.radius.into()));
        value["falloff"] = json!(stroke.falloff);
        value["strength"] = json!(f64::from(stroke.strength) / 1000.0);
        value["points"] = json!(points);
        value["undone"] = json!(!edits.is_active(entry.id));
    }
    value
}
