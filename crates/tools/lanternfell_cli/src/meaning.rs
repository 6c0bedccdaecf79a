//! What the heights of a map mean, and why, for `info`.

use lanternfell_heightmap::{Elevation, MapFrame};
use lanternfell_io::{ElevationSource, Meaning};
use serde_json::{Value, json};

use crate::args::ScaleArgs;

/// How the meaning of a map's heights was determined.
#[derive(Debug, Clone)]
pub(crate) struct Reason {
    /// `None` if the map is not from a file.
    pub(crate) meaning: Option<Meaning>,
    /// Words that replace those of the meaning.
    words: Option<String>,
}

impl Reason {
    /// The file itself determines the meaning.
    pub(crate) fn of_file(meaning: Meaning) -> Self {
        Self {
            meaning: Some(meaning),
            words: None,
        }
    }

    /// The map is generated, or something else than the file determines the meaning.
    pub(crate) fn of(words: impl Into<String>) -> Self {
        Self {
            meaning: None,
            words: Some(words.into()),
        }
    }

    /// Replaces the words.
    pub(crate) fn with_words(self, words: impl Into<String>) -> Self {
        Self {
            words: Some(words.into()),
            ..self
        }
    }

    /// The option --relief overrides the meaning.
    pub(crate) fn with_relief(self, scale: &ScaleArgs) -> Self {
        if scale.has_relief() {
            return self.with_words("--relief");
        }
        self
    }

    fn words(&self) -> String {
        let own = || self.meaning.map(|meaning| meaning.to_string());
        self.words.clone().or_else(own).unwrap_or_default()
    }

    /// Describes the heights and the reason, for instance `meters (the file has a coordinate system)`.
    pub(crate) fn line(&self, frame: &MapFrame) -> String {
        format!("{} ({})", self.heights(frame), self.words())
    }

    pub(crate) fn as_json(&self, frame: &MapFrame) -> Value {
        let heights = match frame.unit {
            Some(_) => json!(self.heights(frame)),
            None => Value::Null,
        };
        json!({"heights": heights, "reason": self.words()})
    }

    fn heights(&self, frame: &MapFrame) -> String {
        let Elevation { offset, relief } = frame.elevation;
        if frame.elevation == Elevation::METERS {
            return "meters".to_owned();
        }
        let source = self.meaning.map(|meaning| meaning.source);
        if source == Some(ElevationSource::Unit) && self.words.is_none() {
            return frame.unit.unwrap_or_default().name().to_owned();
        }
        let above = if offset == 0.0 {
            String::new()
        } else {
            format!(" above {} m", rounded(offset))
        };
        format!("0 to 1 of a relief of {} m{above}", rounded(relief))
    }

    /// Returns the number in the file of a height of 1: see [`Meaning::one`].
    pub(crate) fn one(&self) -> f32 {
        self.meaning.map_or(1.0, |meaning| meaning.one)
    }

    /// Returns the number in the file that became this height.
    pub(crate) fn number(&self, height: f32) -> f32 {
        let one = self.one();
        if one.abs() > 1.0 {
            (height * one).round()
        } else {
            height * one
        }
    }
}

/// Rounds meters to millimeters, except if nothing would be left.
fn rounded(meters: f64) -> f64 {
    let rounded = (meters * 1e3).round() / 1e3;
    if rounded.is_finite() && meters.abs() >= 0.1 {
        rounded
    } else {
        meters
    }
}
