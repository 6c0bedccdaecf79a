//! Chooses the part and the channels of an OpenEXR image that contain the heights.
//!
//! ```text
//! part 0 "terrain"   A  height.Z  mask.Y
//! part 1 "preview"   A  B  G  R
//! ```
//!
//! Without options, the choice must be unambiguous:
//! - The image has one part, or the selected channel is in one part only.
//! - Without alpha (`A`, `LAYER.A`), the part has one channel, of any name, or exactly the channels `R`, `G` and `B`.
//!   With a channel `Y`, the channels `RY` and `BY` are its colors and do not count.
//!
//! A layer is only a prefix of channel names, so a layer is selected by the full name of its channel.
//!
//! Source: *Technical Introduction to OpenEXR*, 2013, "Channel Names", "Multi-Part Files".

use exr::meta::{attribute::Text, header::Header};

use super::{ImportError, ReadOptions};

/// The maximum number of names in an error.
const MOST_NAMES: usize = 20;

/// Returns the index of the part with the heights.
pub(super) fn part(parts: &[Header], options: &ReadOptions) -> Result<usize, ImportError> {
    if let Some(wanted) = &options.part {
        let by_name = parts
            .iter()
            .position(|part| name_of(part).is_some_and(|name| name == *wanted));
        let by_number = || wanted.parse().ok().filter(|&number| number < parts.len());
        let found = by_name.or_else(by_number);
        return found.ok_or_else(|| ImportError::NotThere {
            option: "part",
            value: quoted(wanted),
            found: described(parts),
        });
    }
    if parts.len() == 1 {
        return Ok(0);
    }
    let wanted = options.channel.as_deref();
    let has_channel =
        |part: &&Header| wanted.is_some_and(|wanted| names(part).any(|name| name == wanted));
    let mut having = (0..parts.len()).filter(|&part| has_channel(&&parts[part]));
    match (having.next(), having.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(ImportError::Several {
            option: "part",
            found: described(parts),
        }),
    }
}

/// Returns the indices of the channels with the heights: one, or three that must be equal.
pub(super) fn channels(part: &Header, options: &ReadOptions) -> Result<Vec<usize>, ImportError> {
    let all: Vec<String> = names(part).collect();
    let position = |wanted: &str| all.iter().position(|name| name == wanted);
    let listed = |names: &[&str]| {
        let list = list(names.iter().map(|name| quoted(name)));
        match names.len() {
            0 => "no channels".to_owned(),
            1 => format!("the channel {list}"),
            _ => format!("the channels {list}"),
        }
    };
    if let Some(wanted) = &options.channel {
        let found = position(wanted).map(|index| vec![index]);
        return found.ok_or_else(|| ImportError::NotThere {
            option: "channel",
            value: quoted(wanted),
            found: listed(&all.iter().map(String::as_str).collect::<Vec<_>>()),
        });
    }
    let has_luminance = position("Y").is_some();
    let counts = |name: &str| {
        let is_alpha = name == "A" || name.ends_with(".A");
        !(is_alpha || has_luminance && matches!(name, "RY" | "BY"))
    };
    let counted: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|name| counts(name))
        .collect();
    // The names are sorted in the file, but need not be in a damaged one.
    let is_colored =
        counted.len() == 3 && ["B", "G", "R"].iter().all(|name| counted.contains(name));
    if counted.len() == 1 || is_colored {
        return Ok(counted.into_iter().filter_map(position).collect());
    }
    if counted.is_empty() {
        return Err(super::not_read("it has no channel except alpha"));
    }
    Err(ImportError::Several {
        option: "channel",
        found: listed(&counted),
    })
}

fn names(part: &Header) -> impl Iterator<Item = String> {
    let channels = part.channels.list.iter();
    channels.map(|channel| text(&channel.name))
}

fn name_of(part: &Header) -> Option<String> {
    let name = part.own_attributes.layer_name.as_ref();
    name.map(text)
}

/// Names are UTF-8 since OpenEXR 2.
fn text(name: &Text) -> String {
    String::from_utf8_lossy(name.bytes()).into_owned()
}

/// Lists the parts by number and name.
fn described(parts: &[Header]) -> String {
    let one = |(number, part): (usize, &Header)| match name_of(part) {
        Some(name) => format!("{number} {}", quoted(&name)),
        None => number.to_string(),
    };
    let list = list(parts.iter().enumerate().map(one));
    match parts {
        [_] => format!("the part {list}"),
        _ => format!("the parts {list}"),
    }
}

/// Returns a list of the first names.
fn list(mut names: impl Iterator<Item = String>) -> String {
    let some: Vec<String> = names.by_ref().take(MOST_NAMES).collect();
    let more = if names.next().is_some() { ", ..." } else { "" };
    some.join(", ") + more
}

/// Returns a name of a file as it appears in an error.
fn quoted(name: &str) -> String {
    let name: String = name.chars().take(60).collect();
    format!("`{}`", name.escape_debug())
}
