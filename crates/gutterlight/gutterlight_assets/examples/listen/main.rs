//! Writes every sound of the game to a folder, as WAV files and spectrograms, with a page
//! `index.html` that shows them and their measurements:
//! `cargo run --release -p gutterlight_assets --example listen -- sounds`.

use std::{env, error::Error, ffi::OsString, fs, path::Path, process::ExitCode, sync::Arc};

use gutterlight_assets::sound::{Bank, RATE};

mod catalog;
#[expect(dead_code, reason = "some functions are only for tests")]
#[path = "../../src/sound/measure.rs"]
mod measure;
mod page;
mod play;
mod purpose;
mod spectrogram;
mod wav;

use catalog::{Entry, Group};
use page::Shown;

/// The help text.
const USAGE: &str = "usage: listen FOLDER
Writes every sound of Gutterlight to a folder, which is created if it does not exist:
WAV files, spectrograms, and a page index.html that plays and shows them.";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let (message, code) = match folder(&arguments) {
        Ok(None) => (USAGE.to_owned(), ExitCode::SUCCESS),
        Ok(Some(folder)) => match write(folder) {
            Ok(message) => (message, ExitCode::SUCCESS),
            Err(error) => (format!("{}: {error}", folder.display()), ExitCode::from(1)),
        },
        Err(error) => (format!("{error}\n\n{USAGE}"), ExitCode::from(2)),
    };
    #[expect(clippy::print_stderr, reason = "this is a program")]
    {
        eprintln!("{message}");
    }
    code
}

/// Parses the arguments. Returns the folder to write to, or `None` for help.
fn folder(arguments: &[OsString]) -> Result<Option<&Path>, String> {
    let [folder] = arguments else {
        let count = arguments.len();
        return Err(format!("expected one argument, a folder, but got {count}"));
    };
    match folder.to_string_lossy().as_ref() {
        "-h" | "--help" => Ok(None),
        "" => Err("the folder name is empty".to_owned()),
        option if option.starts_with('-') => Err(format!("unknown option {option}")),
        _ => Ok(Some(Path::new(folder))),
    }
}

/// Writes everything. Returns a message.
fn write(folder: &Path) -> Result<String, Box<dyn Error>> {
    if folder.exists() && !folder.is_dir() {
        return Err("not a folder".into());
    }
    fs::create_dir_all(folder)?;
    let bank = Arc::new(Bank::new());
    let mut groups = Vec::new();
    for Group {
        title,
        about,
        entries,
    } in catalog::groups()
    {
        let mut shown = Vec::new();
        for entry in entries {
            shown.push(show(folder, &bank, entry)?);
        }
        groups.push((title, about, shown));
    }
    let page = folder.join("index.html");
    fs::write(&page, page::page(&groups))?;
    let count: usize = groups.iter().map(|(_, _, shown)| shown.len()).sum();
    Ok(format!("wrote {count} sounds, see {}", page.display()))
}

/// Plays, measures and writes one sound.
fn show(folder: &Path, bank: &Arc<Bank>, entry: Entry) -> Result<Shown, Box<dyn Error>> {
    let takes = play::takes(bank, &entry);
    let mut loudness = Vec::new();
    for take in &takes {
        loudness.push(measure::momentary(take, RATE)?);
    }
    let whole = takes.concat();
    let true_peak = measure::true_peak(&whole, RATE)?;
    fs::write(
        folder.join(format!("{}.wav", entry.file)),
        wav::wav(&whole, RATE),
    )?;
    fs::write(
        folder.join(format!("{}.png", entry.file)),
        spectrogram::draw(&whole)?,
    )?;
    Ok(Shown {
        seconds: play::seconds(&whole),
        longest: play::longest(&takes),
        loudness,
        true_peak,
        entry,
    })
}
