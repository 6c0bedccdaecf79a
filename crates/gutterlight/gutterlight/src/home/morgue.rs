//! A finished game as a text file.
//!
//! [`View::morgue`] of the rules summarizes the game. This module adds the date, the end of the
//! message log and the last floor. The floor is drawn as far as the thief knew it, in the notation
//! of [`gutterlight_rules::drawing`]. Lines have at most 80 characters, except on wider floors.

use core::fmt::Write;

use gutterlight_rules::{
    Duty, Fixture, Guard, IVec2, Memory, Placed, Plane, Tile, View, drawing, floor::Floor,
};

use super::scores::Score;

/// Maximum number of lines from the message log.
const MOST_LINES: usize = 20;

/// Maximum length of a line, in characters. Longer words are not broken.
const WIDTH: usize = 80;

/// A legend of the letters on the map.
const LEGEND: &str = "\
@ you   < > stairs   # wall   O pillar   = bars   % window
+ / X door: closed, open, locked   { } curtain   [ ] shutter
! i sconce: burning, dark   Y y brazier   f fungus   * crystal   m moonlight
. stone   _ carpet   : gravel   ~ water   , earth
w watchman   s sentry   h hound   l listener   p lamplighter   W warden
T t torch   $ treasure   k key   c cloth   E the Ember   other letters: tools
";

/// Returns the text file of a finished game. `log` is the message log, one message per entry. The
/// last 20 are included.
pub fn morgue(view: View<'_>, score: &Score, log: &[String]) -> String {
    let mut page = view.morgue();
    let daily = match score.daily {
        true => ", daily keep",
        false => "",
    };
    // Writing to a `String` does not fail.
    let _ = writeln!(page, "\nPlayed\n  {}{daily}", score.date);
    page.push_str("\nLast messages\n");
    for line in &log[log.len().saturating_sub(MOST_LINES)..] {
        page.push_str(&folded(line));
    }
    if log.is_empty() {
        page.push_str("  none\n");
    }
    let (floor, name) = (view.depth() + 1, view.theme().name());
    let _ = writeln!(page, "\nFloor {floor}, {name}, as far as you knew it\n");
    page.push_str(&known_floor(view));
    let _ = write!(page, "\n\n{LEGEND}");
    page
}

/// Wraps a message, with a hanging indent.
fn folded(line: &str) -> String {
    let mut page = String::new();
    let mut width = WIDTH;
    for word in line.split_whitespace() {
        let letters = word.chars().count();
        let begun = !page.is_empty();
        if width + 1 + letters > WIDTH {
            page.push_str(if begun { "\n    " } else { "  " });
            width = if begun { 4 } else { 2 };
        } else {
            page.push(' ');
            width += 1;
        }
        page.push_str(word);
        width += letters;
    }
    page.push('\n');
    page
}

/// Draws the floor that the thief is on as far as it is known, without the empty rows and columns
/// around it.
fn known_floor(view: View<'_>) -> String {
    let known = known_cells(view);
    let thief = view.thief().at;
    let corner = known.iter().fold(thief, |corner, (at, _)| corner.min(*at));
    let end = known.iter().fold(thief, |end, (at, _)| end.max(*at));
    let size = end - corner + IVec2::ONE;
    let tiles = Plane::new(size.x, size.y, Tile::Rock);
    let mut floor = Floor::new(view.theme(), tiles, IVec2::ZERO, None);
    for (at, memory) in known {
        let at = at - corner;
        floor.tiles[at] = memory.tile;
        let lamp = memory.fixture;
        floor.fixtures.extend(lamp.map(|(kind, burning)| Fixture {
            kind,
            at,
            burning,
            spare: false,
        }));
        floor
            .items
            .extend(memory.item.map(|item| Placed { at, item }));
    }
    floor.guards.extend(view.guards().map(|seen| Guard {
        alert_state: seen.alert_state,
        ..Guard::new(seen.kind, Duty::Post, seen.at - corner, seen.facing)
    }));
    drawing::draw(&floor, Some(thief - corner))
}

/// Returns what is remembered of each cell, without rock.
fn known_cells(view: View<'_>) -> Vec<(IVec2, Memory)> {
    let size = view.size();
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    cells
        .filter_map(|at| view.memory(at).map(|memory| (at, memory)))
        .filter(|(_, memory)| memory.tile != Tile::Rock)
        .collect()
}
