//! `lanternfell edit`: lists, changes and applies logs of edits.
//!
//! A log is what `Edits::to_bytes` of `lanternfell_edits` writes. Commands that change one replace its file, or write
//! another one with `-o`. Only `compact` and `apply` need the map, because entries do not depend on it.

mod brushes;
mod list;
mod stroke;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{Args, Command, Subcommand};
use lanternfell_edits::{EditError, EditId};

use crate::{
    args::{EditsArgs, MapArgs, RawArgs, ReadArgs, SourceArgs},
    change::{self, ChangeArgs},
    edits::{EXTENSION, EditLog, counted},
    failure::Failure,
    help::{self, Help},
    job::Job,
    land::Origin,
    path::extension,
};
use list::List;
use stroke::Add;

/// `lanternfell edit`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = false,
    after_help = "A log (.edits) is a list of brush strokes, and of what was undone. It is what a game saves with
`Edits::to_bytes`, so the logs of a game and of this program are the same. A recipe FILE.ron and a
log are a whole terrain, with the same heights on every machine. If the recipe changes, the edits
stay on top of it.

Cells are counted from 0 in the northwest: column, row. A log does not contain the size of its map,
and edits outside of the map have no effect. A log can also paint ground layers and thin plants,
which only games show.

The heights of Flatten and Terrace are in millimeters above height 0 of the map. If its heights are
not from 0 to 1, as in elevation models in meters, they are above its lowest point, as in the
terrain plugin. Edited heights may leave 0 to 1: see `lanternfell help range`.

Examples:
  lanternfell edit add digs.edits --brush 'Lower(mm: 400)' --radius 3 --at 20,64 --at 90,70
  lanternfell edit list digs.edits
  lanternfell edit undo digs.edits
  lanternfell edit apply digs.edits island.terrain.ron -o island.png
  lanternfell render island.terrain.ron --edits digs.edits -o view.png
  lanternfell edit compact digs.edits island.terrain.ron -o compact.edits"
)]
pub(crate) struct Edit {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print a summary of a log and its entries
    List(List),
    /// Add a stroke of a brush to a log; the log is created if it does not exist
    Add(Add),
    /// Undo strokes of a log. They stay in it, and can be brought back
    Undo(Switch),
    /// Bring back strokes that were undone
    Redo(Switch),
    /// Drop the entries of a log and keep what they did to a map. They cannot be undone any more. A long log is then read
    /// faster; a short one gets larger, because every 64x64 cells with edits take some KiB
    Compact(Compact),
    /// Write a map with the edits of a log; the same as `convert --edits`
    Apply(Box<Apply>),
    /// Print the help of one of these commands
    Help {
        /// The command
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

/// The log that a command changes.
#[derive(Debug, Args)]
struct LogArgs {
    /// The log, which is replaced unless -o is given
    #[arg(value_name = "LOG.edits")]
    log: PathBuf,

    /// Write the changed log to another file
    #[arg(short, long, value_name = "FILE.edits")]
    output: Option<PathBuf>,
}

/// `lanternfell edit undo` and `redo`.
#[derive(Debug, Args)]
struct Switch {
    #[command(flatten)]
    log: LogArgs,

    /// The author of the strokes; with --id, the author of the new entry
    #[arg(long, value_name = "N", default_value_t = 1)]
    author: u32,

    /// How many strokes, the last one first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = times, conflicts_with_all = ["id", "all"])]
    times: u32,

    /// All strokes of the author
    #[arg(long, conflicts_with = "id")]
    all: bool,

    /// Only this stroke, of any author, as `edit list` prints it
    #[arg(long, value_name = "AUTHOR:NUMBER", value_parser = id)]
    id: Option<EditId>,
}

/// `lanternfell edit compact`.
#[derive(Debug, Args)]
struct Compact {
    #[command(flatten)]
    log: LogArgs,

    /// The map without edits, which strokes such as Smooth depend on: a recipe FILE.ron, a heightmap file, a preset or
    /// a generator
    #[arg(value_name = "MAP")]
    source: OsString,

    /// Drop only entries before this time, as `edit list` prints it [default: all]
    #[arg(long, value_name = "TIME")]
    before: Option<u64>,

    #[command(flatten)]
    change: SourceArgs,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// `lanternfell edit apply`.
#[derive(Debug, Args)]
#[command(mut_arg("edits", |option| option.hide(true)))]
struct Apply {
    /// The log
    #[arg(value_name = "LOG.edits")]
    log: PathBuf,

    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(command: &Edit, job: &Job, program: &mut Command) -> Result<(), Failure> {
    match &command.action {
        Action::Help { command } => help::run(&Help::below("edit", command.as_deref()), program),
        Action::List(list) => list::run(list),
        Action::Add(add) => stroke::run(add, job),
        Action::Undo(switch) => switch.run(false, job),
        Action::Redo(switch) => switch.run(true, job),
        Action::Compact(compact) => compact.run(job),
        Action::Apply(apply) => {
            let edits = Some(apply.log.clone());
            change::run_edited(&apply.change, EditsArgs { edits }, job)
        }
    }
}

impl LogArgs {
    /// Returns the file to write.
    fn output(&self) -> Result<&Path, Failure> {
        match &self.output {
            Some(output) => of_log(output),
            None => Ok(&self.log),
        }
    }

    /// Writes the changed log. `what` describes the change.
    fn write(&self, log: &EditLog, what: &str, job: &Job) -> Result<(), Failure> {
        let output = self.output()?;
        let bytes = log.write(output, &job.progress)?;
        let summary = list::summary(&log.edits);
        let path = output.display();
        job.summary(
            output,
            &format!("wrote {path}: {what}; {summary}, {bytes} bytes"),
        )
    }
}

/// Returns an error if a file that is written does not have the extension of logs, which protects other files from typing
/// errors.
fn of_log(path: &Path) -> Result<&Path, Failure> {
    if extension(path).as_deref() == Some(EXTENSION) {
        return Ok(path);
    }
    Err(Failure::Usage(format!(
        "{}: a log of edits must have the extension .{EXTENSION}; `lanternfell edit apply` writes maps",
        path.display()
    )))
}

impl Switch {
    /// Undoes strokes, or brings them back.
    fn run(&self, is_redo: bool, job: &Job) -> Result<(), Failure> {
        self.log.output()?;
        let mut log = EditLog::open(&self.log.log)?;
        let wrong = refused(&log);
        let mut strokes = Vec::new();
        if let Some(id) = self.id {
            let edits = &mut log.edits;
            let done = match is_redo {
                true => edits.redo_edit(self.author, id),
                false => edits.undo_edit(self.author, id),
            };
            done.map_err(wrong)?;
            strokes.push(id);
        } else {
            let times = if self.all { u32::MAX } else { self.times };
            while strokes.len() < times as usize {
                let Some(stroke) = self.next(is_redo, &mut log)? else {
                    break;
                };
                strokes.push(stroke);
            }
            let fewest = if self.all { 1 } else { times as usize };
            if strokes.len() < fewest {
                return Err(self.too_few(is_redo, &log, strokes.len()));
            }
        }
        let shown: Vec<String> = strokes.iter().map(|&stroke| list::shown(stroke)).collect();
        let what = if is_redo { "brought back" } else { "undid" };
        self.log
            .write(&log, &format!("{what} {}", shown.join(", ")), job)
    }

    /// Undoes the author's last stroke, or redoes the one that was undone last. Returns the stroke, or `None` if there is
    /// nothing to undo or redo.
    fn next(&self, is_redo: bool, log: &mut EditLog) -> Result<Option<EditId>, Failure> {
        let wrong = refused(log);
        let edits = &mut log.edits;
        let done = match is_redo {
            true => edits.redo(self.author),
            false => edits.undo(self.author),
        };
        let entry = done.map_err(wrong)?.and_then(|done| edits.entry(done.id));
        Ok(entry.and_then(list::switched))
    }

    fn too_few(&self, is_redo: bool, log: &EditLog, found: usize) -> Failure {
        let (path, author) = (log.path().display(), self.author);
        let strokes = match found {
            0 => "no stroke".to_owned(),
            found => format!("only {}", counted(found, "stroke")),
        };
        let what = if is_redo { "bring back" } else { "undo" };
        let authors = list::authors(&log.edits);
        let hint = match authors.as_slice() {
            [] => "the log has no strokes".to_owned(),
            authors => {
                let names: Vec<String> = authors.iter().map(u32::to_string).collect();
                format!("--author can be {}", names.join(", "))
            }
        };
        Failure::Usage(format!(
            "{path}: author {author} has {strokes} to {what}; {hint}"
        ))
    }
}

/// Returns the error of a log that refuses a change.
fn refused(log: &EditLog) -> impl Fn(EditError) -> Failure + use<> {
    let path = log.path().to_owned();
    move |error| Failure::Usage(format!("{}: {error}", path.display()))
}

impl Compact {
    fn run(&self, job: &Job) -> Result<(), Failure> {
        self.log.output()?;
        let mut log = EditLog::open(&self.log.log)?;
        let arguments = MapArgs {
            change: self.change.clone(),
            raw: self.raw,
            read: self.read.clone(),
            ..MapArgs::of_file(self.source.clone())
        };
        let origin = Origin::open(&arguments, None)?;
        let before = log.edits.len();
        job.with_bar("editing", || {
            let map = origin.make(&job.progress.span(0.0, 0.5))?.map;
            log.lay_on(map, &job.progress.span(0.5, 0.9))
        })?;
        log.edits.compact(self.before.unwrap_or(u64::MAX));
        let dropped = before - log.edits.len();
        let dropped = match dropped {
            1 => "dropped 1 entry".to_owned(),
            dropped => format!("dropped {dropped} entries"),
        };
        self.log.write(&log, &dropped, job)
    }
}

fn times(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&times: &u32| times >= 1);
    number.ok_or_else(|| "must be a whole number, at least 1".to_owned())
}

fn id(text: &str) -> Result<EditId, String> {
    let numbers = text.split_once(':').and_then(|(author, sequence)| {
        let (author, sequence) = (author.parse().ok()?, sequence.parse().ok()?);
        Some(EditId { author, sequence })
    });
    numbers
        .ok_or_else(|| "must be AUTHOR:NUMBER as `edit list` prints it, for example 1:7".to_owned())
}
