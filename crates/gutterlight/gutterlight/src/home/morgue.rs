//! A game that has ended, as a page of text.
//!
//! The rules tell the game in numbers and names ([`View::morgue`]); here its day, the end of
//! the journal, and the last floor are added. The floor is drawn as far as the thief knew it,
//! in the letters of [`gutterlight_rules::drawing`]. Lines are at most 80 letters long, but
//! for those of a wider floor.

use core::fmt::Write;

use gutterlight_rules::{
    Duty, Fixture, Guard, IVec2, Memory, Placed, Plane, Tile, View, drawing, floor::Floor,
};

use super::scores::Score;

/// So many lines of the journal are kept.
const MOST_LINES: usize = 20;

/// No line is longer, in letters, if that can be helped.
const WIDTH: usize = 80;

/// The letters that do not explain themselves.
const LEGEND: &str = "\
@ you   < > stairs   # wall   O pillar   = bars   % window
+ / X door: closed, open, locked   { } curtain   [ ] shutter
! i sconce: burning, dark   Y y brazier   f fungus   * crystal   m moonlight
. stone   _ carpet   : gravel   ~ water   , earth
w watchman   s sentry   h hound   l listener   p lamplighter   W warden
T t torch   $ treasure   k key   c cloth   E the Ember   other letters: tools
";

/// The page that is kept of an ended game. `log` is the journal, a sentence to a line, of which
/// the last 20 are kept.
pub fn morgue(view: View<'_>, score: &Score, log: &[String]) -> String {
    let mut page = view.morgue();
    let daily = match score.daily {
        true => ", as the keep of the day",
        false => "",
    };
    // Writing to a string does not fail.
    let _ = writeln!(page, "\nPlayed\n  {}{daily}", score.date);
    page.push_str("\nThe last that happened\n");
    for line in &log[log.len().saturating_sub(MOST_LINES)..] {
        page.push_str(&folded(line));
    }
    if log.is_empty() {
        page.push_str("  nothing\n");
    }
    let (floor, name) = (view.depth() + 1, view.theme().name());
    let _ = writeln!(page, "\nFloor {floor}, {name}, as far as you knew it\n");
    page.push_str(&known_floor(view));
    let _ = write!(page, "\n\n{LEGEND}");
    page
}

/// A line of the journal, in as many lines as it needs.
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

/// The floor that the thief is on, as far as it is known, without the empty rows and columns
/// around.
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

/// What is known of each cell that is not just rock.
fn known_cells(view: View<'_>) -> Vec<(IVec2, Memory)> {
    let size = view.size();
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    cells
        .filter_map(|at| view.memory(at).map(|memory| (at, memory)))
        .filter(|(_, memory)| memory.tile != Tile::Rock)
        .collect()
}
