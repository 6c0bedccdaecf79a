//! The HTML page: a chart of the loudness of all sounds, then each sound with a player, its
//! spectrogram and its measurements. It only needs the files in its folder.

use std::fmt::Write;

use crate::{
    catalog::Entry,
    spectrogram::{HEIGHT, WIDTH, height_of},
};

/// The ends of the loudness scale, in LUFS.
const SCALE: [f64; 2] = [-70.0, -10.0];

/// Frequency labels of a spectrogram, in hertz.
const MARKS: [(f32, &str); 4] = [
    (100.0, "100"),
    (500.0, "500"),
    (2000.0, "2k"),
    (8000.0, "8k"),
];

/// A sound with its measurements.
pub struct Shown {
    pub entry: Entry,
    /// The duration of its file in seconds.
    pub seconds: f32,
    /// The duration of the longest variation in seconds.
    pub longest: f32,
    /// The maximum momentary loudness of each variation, in LUFS.
    pub loudness: Vec<f64>,
    /// The true peak of the whole file, in dBTP.
    pub true_peak: f64,
}

impl Shown {
    fn loudest(&self) -> f64 {
        self.loudness.iter().copied().fold(f64::MIN, f64::max)
    }

    fn softest(&self) -> f64 {
        self.loudness.iter().copied().fold(f64::MAX, f64::min)
    }
}

/// A heading, its text, and its sounds.
type Section = (&'static str, &'static str, Vec<Shown>);

/// Builds the whole page.
pub fn page(sections: &[Section]) -> String {
    let mut cards = String::new();
    for (title, about, shown) in sections {
        let all: String = shown.iter().map(card).collect();
        let _ = writeln!(
            cards,
            "<section><h2>{title}</h2><p>{about}</p><div class=cards>{all}</div></section>"
        );
    }
    let (style, script) = (include_str!("style.css"), include_str!("script.js"));
    let ladder = ladder(sections);
    format!(
        "<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta name=viewport content=\"width=device-width\">
<title>The sounds of Gutterlight</title>
<style>{style}</style>
<header>
<h1>The sounds of Gutterlight</h1>
<p>All sounds are synthesized. Here the game's mixer plays them at the default volumes, at the thief's
position in the cellars. A file contains all variations of a sound, one after the other.
<b>Loudness</b> is the maximum momentary loudness of EBU R 128, over 400 ms. <b>Peak</b> is the true
peak. Spectrograms show 40 Hz to 16 kHz. Click on one to play from there.</p>
{ladder}
</header>
{cards}
<script>{script}</script>
</html>
"
    )
}

/// The chart of all sounds on one loudness scale, with a row per heading.
fn ladder(sections: &[Section]) -> String {
    let mut rows = String::new();
    for (title, _, shown) in sections {
        let mut dots = String::new();
        for sound in shown {
            let (from, to) = (part(sound.softest()), part(sound.loudest()));
            let _ = write!(
                dots,
                "<a href=\"#{}\" style=\"left:{from:.1}%;width:{:.1}%\" title=\"{}: {:.1} LUFS\"></a>",
                sound.entry.file,
                to - from,
                escape(&sound.entry.title),
                sound.loudest(),
            );
        }
        let _ = write!(rows, "<tr><th>{title}</th><td>{dots}</td></tr>");
    }
    let marks: String = (-7..=-1)
        .map(|ten| {
            let at = part(10.0 * f64::from(ten));
            format!(
                "<i style=\"left:{at:.1}%\">{}</i>",
                signed(10.0 * f64::from(ten), 0)
            )
        })
        .collect();
    format!("<table class=ladder>{rows}<tr class=marks><th>LUFS</th><td>{marks}</td></tr></table>")
}

/// Builds the card of one sound.
fn card(sound: &Shown) -> String {
    let Entry {
        title,
        purpose,
        file,
        ..
    } = &sound.entry;
    let marks: String = MARKS
        .iter()
        .map(|(hertz, word)| {
            let top = 100.0 * (1.0 - height_of(*hertz));
            format!("<i style=\"top:{top:.1}%\">{word}</i>")
        })
        .collect();
    let level = part(sound.loudest());
    format!(
        "<article id=\"{file}\"><h3>{}</h3><p>{}</p>
<div class=picture>{marks}<img src=\"{file}.png\" width={WIDTH} height={HEIGHT} loading=lazy alt=\"its spectrogram\"><b></b></div>
<audio controls preload=none src=\"{file}.wav\"></audio>
<div class=level><b style=\"width:{level:.1}%\"></b></div>
<dl>{}</dl></article>\n",
        escape(title),
        escape(purpose),
        numbers(sound),
    )
}

fn numbers(sound: &Shown) -> String {
    let (softest, loudest) = (sound.softest(), sound.loudest());
    let loudness = match loudest - softest < 0.05 {
        true => signed(loudest, 1),
        false => format!("{} to {}", signed(softest, 1), signed(loudest, 1)),
    };
    let count = sound.loudness.len();
    let length = match count {
        1 => format!("{:.2} s", sound.longest),
        _ => format!("{:.2} s; {count} in {:.1} s", sound.longest, sound.seconds),
    };
    let peak = signed(sound.true_peak, 1);
    let pair = |term: &str, value: &str| format!("<div><dt>{term}</dt><dd>{value}</dd></div>");
    pair("loudness", &format!("{loudness} LUFS"))
        + &pair("peak", &format!("{peak} dBTP"))
        + &pair("length", &length)
}

/// The position of a loudness on the scale, in percent.
fn part(loudness: f64) -> f64 {
    let [low, high] = SCALE;
    (100.0 * (loudness - low) / (high - low)).clamp(0.0, 100.0)
}

/// Formats a number with a real minus sign.
fn signed(value: f64, digits: usize) -> String {
    format!("{value:.digits$}").replace('-', "−")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
