//! Floors as text, with one letter for each cell. For tests, tutorials, dumps and bug reports.
//!
//! ```text
//!    #########                 A sentry at its post under a lit sconce. The thief is outside in
//!    #...!..s#                 the dark, in front of the closed door of the room.
//!    #.......#
//!    ####+####
//!       #@#
//!       ###
//! ```
//!
//! | | the tile | | |
//! |---|---|---|---|
//! | (space) | rock | `#` | wall |
//! | `.` | stone floor | `_` | carpet |
//! | `:` | gravel | `~` | water |
//! | `,` | earth | `O` | pillar |
//! | `=` | bars | `%` | stained window |
//! | `+` `/` `X` | door: closed, open, locked | `{` `}` | curtain: closed, open |
//! | `[` `]` | shutter: closed, open | `<` `>` | stairs up, stairs down |
//!
//! | | what is in the cell | | |
//! |---|---|---|---|
//! | `@` | the thief | `!` `i` | sconce: lit, dark |
//! | `Y` `y` | brazier: lit, dark | `f` `*` `m` | fungus, crystal, moonlight |
//! | `w` `s` `h` | watchman, sentry, hound | `l` `p` `W` | listener, lamplighter, warden |
//! | `T` `t` | torch: lit, dark | `$` `k` `c` `E` | treasure, key, cloth, the Ember |
//! | `o` `v` `b` `q` `d` | oil, water vial, smoke bomb, pebbles, sleeping dart | `j` `a` `u` `r` `x` | picklock, dark cloak, ear trumpet, blink scroll, salve |
//! | `g` | a prisoner | | |
//!
//! The ground below such a letter is the ground of the cell to the west, or stone if that cell has
//! no ground. Guards stand at their posts and look south. Common indentation is ignored, and short
//! rows are filled up with rock.
//!
//! A drawing is not complete. Each cell shows only the topmost thing. Smoke, oil, fire and guards
//! on the ground are not drawn. Rock at the left border looks like indentation, so it is not read
//! back.

#[cfg(test)]
mod tests;

use glam::IVec2;
use thiserror::Error;

use crate::{
    Direction, Door, Duty, Fixture, FixtureKind, Ground, Guard, GuardKind, Item, Placed, Plane,
    Rules, Stack, Theme, Tile, Tool, Torch,
    floor::Floor,
    guard::Lantern,
    limits::{MOST_CELLS, MOST_GUARDS},
};

/// A floor that was read from a drawing, and the position of the thief.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The floor. If no stairs up are drawn, they are at the cell of the thief.
    pub floor: Floor,
    /// The cell of `@`, or of the stairs up if there is no `@`.
    pub thief: IVec2,
}

/// The reason why a drawing is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawingError {
    /// The drawing is too small or too large.
    #[error("the drawing has {width} x {height} cells, but must have from 3 x 3 to 128 x 96")]
    Size {
        /// The number of cells from west to east.
        width: usize,
        /// The number of cells from north to south.
        height: usize,
    },
    /// A letter is not in the legend.
    #[error("{letter:?} at {at} is not a letter of the legend")]
    Letter {
        /// The letter.
        letter: char,
        /// Its cell.
        at: IVec2,
    },
    /// The border has a passable cell.
    #[error("the border must be solid, but there is {} at {at}", .tile.name())]
    Border {
        /// The cell.
        at: IVec2,
        /// The tile there.
        tile: Tile,
    },
    /// A letter that may occur only once occurs twice.
    #[error("{letter:?} may occur only once, but there is another at {at}")]
    Twice {
        /// The letter.
        letter: char,
        /// The cell of the second one.
        at: IVec2,
    },
    /// There is no position for the thief.
    #[error("the drawing needs a thief '@' or stairs up '<'")]
    NoThief,
    /// There are too many guards.
    #[error("there are {0} guards, but at most 64 are allowed")]
    Guards(usize),
}

/// The meaning of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Tile(Tile),
    Thief,
    Lamp(FixtureKind, bool),
    Guard(GuardKind),
    Torch { lit: bool },
    Treasure,
    Key,
    Cloth,
    Ember,
    Prisoner,
    Tool(Tool),
}

/// All letters except those of guards, which are in [`GuardKind::letter`]. Both reading and drawing
/// use this list.
const LEGEND: [(char, Sign); 44] = [
    (' ', Sign::Tile(Tile::Rock)),
    ('#', Sign::Tile(Tile::Wall)),
    ('.', Sign::Tile(Tile::Ground(Ground::Stone))),
    ('_', Sign::Tile(Tile::Ground(Ground::Carpet))),
    (':', Sign::Tile(Tile::Ground(Ground::Gravel))),
    ('~', Sign::Tile(Tile::Ground(Ground::Water))),
    (',', Sign::Tile(Tile::Ground(Ground::Earth))),
    ('O', Sign::Tile(Tile::Pillar)),
    ('=', Sign::Tile(Tile::Bars)),
    ('%', Sign::Tile(Tile::Glass)),
    ('+', Sign::Tile(Tile::Door(Door::Closed))),
    ('/', Sign::Tile(Tile::Door(Door::Open))),
    ('X', Sign::Tile(Tile::Door(Door::Locked))),
    ('{', Sign::Tile(Tile::Curtain { open: false })),
    ('}', Sign::Tile(Tile::Curtain { open: true })),
    ('[', Sign::Tile(Tile::Shutter { open: false })),
    (']', Sign::Tile(Tile::Shutter { open: true })),
    ('<', Sign::Tile(Tile::StairsUp)),
    ('>', Sign::Tile(Tile::StairsDown)),
    ('@', Sign::Thief),
    ('!', Sign::Lamp(FixtureKind::Sconce, true)),
    ('i', Sign::Lamp(FixtureKind::Sconce, false)),
    ('Y', Sign::Lamp(FixtureKind::Brazier, true)),
    ('y', Sign::Lamp(FixtureKind::Brazier, false)),
    ('f', Sign::Lamp(FixtureKind::Fungus, true)),
    ('*', Sign::Lamp(FixtureKind::Crystal, true)),
    ('m', Sign::Lamp(FixtureKind::Moonlight, true)),
    ('t', Sign::Torch { lit: false }),
    ('T', Sign::Torch { lit: true }),
    ('$', Sign::Treasure),
    ('k', Sign::Key),
    ('c', Sign::Cloth),
    ('E', Sign::Ember),
    ('g', Sign::Prisoner),
    ('o', Sign::Tool(Tool::OilFlask)),
    ('v', Sign::Tool(Tool::WaterVial)),
    ('b', Sign::Tool(Tool::SmokeBomb)),
    ('q', Sign::Tool(Tool::Pebbles)),
    ('d', Sign::Tool(Tool::SleepingDart)),
    ('j', Sign::Tool(Tool::Picklock)),
    ('a', Sign::Tool(Tool::DarkCloak)),
    ('u', Sign::Tool(Tool::EarTrumpet)),
    ('r', Sign::Tool(Tool::BlinkScroll)),
    ('x', Sign::Tool(Tool::Salve)),
];

/// All letters with their meanings.
fn legend() -> impl Iterator<Item = (char, Sign)> {
    let guards = GuardKind::ALL.map(|kind| (kind.letter(), Sign::Guard(kind)));
    LEGEND.into_iter().chain(guards)
}

/// Reads a drawing.
///
/// Numbers that a drawing does not contain (the value of a treasure, the fuel of a torch, the count
/// of pebbles) come from the rules.
///
/// # Errors
/// If the drawing is too small or too large, has an unknown letter, a border that is not solid or
/// too many guards, has no thief, or has two thieves or stairs.
pub fn parse(rules: &Rules, text: &str) -> Result<Drawing, DrawingError> {
    let rows = rows(text);
    let (width, height) = (rows.iter().map(Vec::len).max().unwrap_or(0), rows.len());
    let most = MOST_CELLS.as_usizevec2();
    if width < 3 || height < 3 || width > most.x || height > most.y {
        return Err(DrawingError::Size { width, height });
    }
    let tiles = Plane::new(width as i32, height as i32, Tile::Rock);
    let mut reader = Reader {
        rules,
        floor: Floor::new(Theme::Cellars, tiles, IVec2::ZERO, None),
        thief: None,
        up: None,
    };
    for (y, row) in rows.iter().enumerate() {
        for (x, &letter) in row.iter().enumerate() {
            reader.read(letter, IVec2::new(x as i32, y as i32))?;
        }
    }
    reader.finish()
}

/// The rows of a drawing without their common indentation, and without empty rows at the start and
/// the end.
fn rows(text: &str) -> Vec<Vec<char>> {
    let mut rows: Vec<&str> = text.lines().map(str::trim_end).collect();
    while rows.last().is_some_and(|row| row.is_empty()) {
        rows.pop();
    }
    let first = rows.iter().position(|row| !row.is_empty());
    let rows = rows.split_off(first.unwrap_or(0));
    let filled = rows.iter().filter(|row| !row.is_empty());
    let spaces = |row: &&str| row.len() - row.trim_start_matches(' ').len();
    let indentation = filled.map(spaces).min().unwrap_or(0);
    let cut = |row: &str| row.chars().skip(indentation).collect();
    rows.into_iter().map(cut).collect()
}

/// A reader of a drawing, from west to east and from north to south.
struct Reader<'a> {
    rules: &'a Rules,
    floor: Floor,
    thief: Option<IVec2>,
    up: Option<IVec2>,
}

impl Reader<'_> {
    fn read(&mut self, letter: char, at: IVec2) -> Result<(), DrawingError> {
        let sign = legend().find(|&(known, _)| known == letter);
        let (_, sign) = sign.ok_or(DrawingError::Letter { letter, at })?;
        self.floor.tiles[at] = match sign {
            Sign::Tile(tile) => tile,
            _ => self.ground_under(at),
        };
        let only = match sign {
            Sign::Thief => Some(&mut self.thief),
            Sign::Tile(Tile::StairsUp) => Some(&mut self.up),
            Sign::Tile(Tile::StairsDown) => Some(&mut self.floor.down),
            _ => None,
        };
        if let Some(only) = only
            && only.replace(at).is_some()
        {
            return Err(DrawingError::Twice { letter, at });
        }
        self.place(sign, at);
        Ok(())
    }

    /// The ground under a thing in a cell: that of the cell to the west, or stone.
    fn ground_under(&self, at: IVec2) -> Tile {
        match self.floor.tile(at - IVec2::X) {
            ground @ Tile::Ground(_) => ground,
            _ => Tile::Ground(Ground::Stone),
        }
    }

    fn place(&mut self, sign: Sign, at: IVec2) {
        let floor = &mut self.floor;
        match sign {
            Sign::Tile(_) | Sign::Thief => {}
            Sign::Lamp(kind, burning) => floor.fixtures.push(Fixture {
                kind,
                at,
                burning,
                spare: false,
            }),
            Sign::Guard(kind) => floor.guards.push(guard(self.rules, kind, at)),
            Sign::Torch { .. }
            | Sign::Treasure
            | Sign::Key
            | Sign::Cloth
            | Sign::Ember
            | Sign::Prisoner
            | Sign::Tool(_) => {
                let item = item(self.rules, sign);
                floor.items.extend(item.map(|item| Placed { at, item }));
            }
        }
    }

    fn finish(mut self) -> Result<Drawing, DrawingError> {
        let thief = self.thief.or(self.up).ok_or(DrawingError::NoThief)?;
        self.floor.up = self.up.unwrap_or(thief);
        if let Some(at) = self.floor.gap() {
            let tile = self.floor.tile(at);
            return Err(DrawingError::Border { at, tile });
        }
        if self.floor.guards.len() > MOST_GUARDS {
            return Err(DrawingError::Guards(self.floor.guards.len()));
        }
        self.close_off_the_moon();
        let floor = self.floor;
        Ok(Drawing { floor, thief })
    }

    /// Turns off moonlight next to shutters that are all closed.
    fn close_off_the_moon(&mut self) {
        let Floor {
            tiles, fixtures, ..
        } = &mut self.floor;
        for lamp in fixtures
            .iter_mut()
            .filter(|lamp| lamp.kind == FixtureKind::Moonlight)
        {
            let neighbors = Direction::STRAIGHT.map(|way| tiles.get(lamp.at + way.step()));
            let is = |open| neighbors.contains(&Some(&Tile::Shutter { open }));
            lamp.burning = is(true) || !is(false);
        }
    }
}

fn guard(rules: &Rules, kind: GuardKind, at: IVec2) -> Guard {
    let numbers = rules.guard(kind);
    Guard {
        health: numbers.health,
        lantern: match numbers.lantern {
            true => Lantern::Lit,
            false => Lantern::None,
        },
        ..Guard::new(kind, Duty::Post, at, Direction::South)
    }
}

fn item(rules: &Rules, sign: Sign) -> Option<Item> {
    Some(match sign {
        Sign::Torch { lit } => {
            let fuel = rules.thief.fuel_start;
            Item::Torch(Torch { lit, fuel })
        }
        Sign::Treasure => Item::Treasure(rules.floors.first().map_or(1, |floor| floor.treasure)),
        Sign::Key => Item::Key,
        Sign::Cloth => Item::Cloth(rules.thief.cloth),
        Sign::Ember => Item::Ember,
        Sign::Prisoner => Item::Prisoner,
        Sign::Tool(tool) => {
            let count = if tool == Tool::Pebbles {
                rules.tools.pebbles
            } else {
                1
            };
            Item::Tool(Stack { tool, count })
        }
        Sign::Tile(_) | Sign::Thief | Sign::Lamp(..) | Sign::Guard(_) => return None,
    })
}

/// Draws a floor, and the thief if given. Rows end before trailing rock.
pub fn draw(floor: &Floor, thief: Option<IVec2>) -> String {
    let (width, height) = (floor.tiles.width(), floor.tiles.height());
    let row = |y: i32| {
        let cells = (0..width).map(|x| letter(floor, thief, IVec2::new(x, y)));
        let row: String = cells.collect();
        row.trim_end().to_owned()
    };
    let rows: Vec<String> = (0..height).map(row).collect();
    rows.join("\n")
}

/// The letter of the topmost thing in a cell.
fn letter(floor: &Floor, thief: Option<IVec2>, at: IVec2) -> char {
    let sign = sign(floor, thief, at);
    let known = legend().find(|&(_, known)| known == sign);
    known.map_or('?', |(letter, _)| letter)
}

fn sign(floor: &Floor, thief: Option<IVec2>, at: IVec2) -> Sign {
    if thief == Some(at) {
        return Sign::Thief;
    }
    if let Some(id) = floor.guard_at(at) {
        return Sign::Guard(floor.guards[usize::from(id)].kind);
    }
    if let Some(item) = floor.item_at(at) {
        return match item {
            Item::Tool(stack) => Sign::Tool(stack.tool),
            Item::Torch(Torch { lit, .. }) => Sign::Torch { lit },
            Item::Key => Sign::Key,
            Item::Treasure(_) => Sign::Treasure,
            Item::Cloth(_) => Sign::Cloth,
            Item::Ember => Sign::Ember,
            Item::Prisoner => Sign::Prisoner,
        };
    }
    match floor.fixture_at(at) {
        // Lights that cannot be put out have a single letter.
        Some(lamp) => Sign::Lamp(lamp.kind, lamp.burning || !lamp.kind.is_flame()),
        None => Sign::Tile(floor.tile(at)),
    }
}
