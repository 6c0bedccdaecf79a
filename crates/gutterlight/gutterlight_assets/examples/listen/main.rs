//! Writes every sound of the game into a folder to be listened to and looked at: WAV files, a
//! picture of the pitches of each, and the page `index.html` that shows them with what was
//! measured: `cargo run --release -p gutterlight_assets --example listen -- sounds`.

use std::{env, error::Error, ffi::OsString, fs, path::Path, process::ExitCode, sync::Arc};

use gutterlight_assets::sound::{Bank, RATE};

mod catalog;
#[expect(dead_code, reason = "what only the tests need of it")]
#[path = "../../src/sound/measure.rs"]
mod measure;
mod page;
mod play;
mod purpose;
mod spectrogram;
mod wav;

use catalog::{Entry, Group};
use page::Shown;

/// How it is called.
const USAGE: &str = "usage: listen FOLDER
Writes every sound of Gutterlight into a folder, which is made if it is not there:
WAV files, spectrograms, and the page index.html that plays and shows them.";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let (told, code) = match folder(&arguments) {
        Ok(None) => (USAGE.to_owned(), ExitCode::SUCCESS),
        Ok(Some(folder)) => match write(folder) {
            Ok(told) => (told, ExitCode::SUCCESS),
            Err(error) => (format!("{}: {error}", folder.display()), ExitCode::from(1)),
        },
        Err(error) => (format!("{error}\n\n{USAGE}"), ExitCode::from(2)),
    };
    #[expect(clippy::print_stderr, reason = "this is a program")]
    {
        eprintln!("{told}");
    }
    code
}

/// The folder to write to; none if help is asked for.
fn folder(arguments: &[OsString]) -> Result<Option<&Path>, String> {
    let [folder] = arguments else {
        let count = arguments.len();
        return Err(format!("one folder is needed, not {count} arguments"));
    };
    match folder.to_string_lossy().as_ref() {
        "-h" | "--help" => Ok(None),
        "" => Err("the folder needs a name".to_owned()),
        option if option.starts_with('-') => Err(format!("there is no option {option}")),
        _ => Ok(Some(Path::new(folder))),
    }
}

/// Writes everything; what to tell at the end.
fn write(folder: &Path) -> Result<String, Box<dyn Error>> {
    if folder.exists() && !folder.is_dir() {
        return Err("this is not a folder".into());
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
    Ok(format!("{count} sounds are shown by {}", page.display()))
}

/// Plays, measures and writes one.
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
