//! The map of a floor after the game: the thief's path, the sightings, and the end.
//!
//! ```text
//!        #########          dimmed: cells that the thief never saw
//!        #...o...#            o      a lamp that the thief put out
//!   ######..-----+---         ---    the path, getting brighter over time
//!   #.w---(o)    #            (o)   the thief was seen here, by the guard whose letter is at the other end of the line
//!   ##############             X     the end
//! ```
//!
//! Each floor is one image with a whole number of pixels per cell. The map exists only after the end of the game,
//! because the rules do not reveal a floor before ([`View::revealed`]).

use bevy::prelude::*;
use gutterlight_assets::art::{
    Palette,
    colorblind::VERMILLION,
    palette::{BLUE, COLD, FLAME, GREEN, Ink, WARM, WHITE, WOOD},
};
use gutterlight_rules::{
    AlertState, Door, Ground, GuardKind, Item, Sighting, Tile, View, floor::Floor, steps_between,
};

use crate::play::paper::{Mark, Paper};

/// The brightness of cells that the thief never saw, in percent.
const UNSEEN: u32 = 42;

/// A sign on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Way,
    Seen,
    Doused,
    Burning,
    Treasure,
    Stairs,
    Death,
    Out,
}

const EYE: Mark = &["..###..", ".#...#.", "#..#..#", ".#...#.", "..###.."];
const RING: Mark = &[".###.", "#...#", "#...#", "#...#", ".###."];
const FLAMES: Mark = &["##", "##"];
const COIN: Mark = &[".#.", "###", ".#."];
const LINE: Mark = &["......#", "....##.", "..##...", "##....."];
const UP: Mark = &["...#...", "..###..", ".#####.", "#######"];
const DOWN: Mark = &["#######", ".#####.", "..###..", "...#..."];
const CROSS: Mark = &[
    "#.....#", ".#...#.", "..#.#..", "...#...", "..#.#..", ".#...#.", "#.....#",
];
const GATE: Mark = &[
    "...#...", "..###..", ".#.#.#.", "...#...", "...#...", "...#...",
];

impl Sign {
    const fn mark(self) -> Mark {
        match self {
            Self::Way => LINE,
            Self::Seen => EYE,
            Self::Doused => RING,
            Self::Burning => FLAMES,
            Self::Treasure => COIN,
            Self::Stairs => DOWN,
            Self::Death => CROSS,
            Self::Out => GATE,
        }
    }

    fn ink(self, palette: Palette) -> Ink {
        match self {
            Self::Way => GREEN[2],
            Self::Seen => palette.alert_state(AlertState::Chasing),
            Self::Doused => BLUE[3],
            Self::Burning => FLAME[2],
            Self::Treasure | Self::Stairs => FLAME[3],
            Self::Death | Self::Out => WHITE,
        }
    }
}

/// The letter of a kind of guard, as in drawings of floors.
const fn letter(kind: GuardKind) -> Mark {
    match kind {
        GuardKind::Watchman => &["#...#", "#...#", "#.#.#", ".#.#."],
        GuardKind::Sentry => &[".###", "##..", "..##", "###."],
        GuardKind::Hound => &["#...", "###.", "#..#", "#..#"],
        GuardKind::Listener => &["#..", "#..", "#..", "###"],
        GuardKind::Lamplighter => &["###.", "#..#", "###.", "#..."],
        GuardKind::Warden => &["#.#.#", "#.#.#", "#.#.#", "#####"],
    }
}

/// The size of a floor in cells. `None` while the game is running.
pub fn cells(view: View<'_>, depth: usize) -> Option<IVec2> {
    let tiles = &view.revealed(depth)?.tiles;
    Some(IVec2::new(tiles.width(), tiles.height()))
}

/// The map of a floor, counted from 0. `side` is the size of a cell in pixels.
pub fn picture(view: View<'_>, depth: usize, side: i32, palette: Palette) -> Option<Image> {
    painted(view, depth, side, palette).map(Paper::into_image)
}

fn painted(view: View<'_>, depth: usize, side: i32, palette: Palette) -> Option<Paper> {
    let floor = view.revealed(depth)?;
    let mut paper = Paper::new(cells(view, depth)? * side, side, 255);
    let chart = Chart {
        view,
        floor,
        depth,
        palette,
    };
    chart.paint(&mut paper);
    Some(paper)
}

/// The image of a single sign, for the legend.
pub fn sign(sign: Sign, palette: Palette) -> Image {
    let mut paper = Paper::new(IVec2::splat(SIGN), SIGN, 255);
    paper.mark(IVec2::ZERO, sign.mark(), sign.ink(palette));
    paper.into_image()
}

/// The size of a sign in the legend, in pixels.
pub const SIGN: i32 = 11;

/// The data of a map.
struct Chart<'a> {
    view: View<'a>,
    floor: &'a Floor,
    depth: usize,
    palette: Palette,
}

impl Chart<'_> {
    fn paint(&self, paper: &mut Paper) {
        self.ground(paper);
        self.things(paper);
        self.way(paper);
        for sighting in self.sightings() {
            self.sighting(paper, sighting);
        }
        self.end(paper);
    }

    fn put(&self, paper: &mut Paper, at: IVec2, sign: Sign) {
        paper.mark(at, sign.mark(), sign.ink(self.palette));
    }

    fn ground(&self, paper: &mut Paper) {
        for (at, &tile) in self.floor.tiles.iter() {
            let known = self.floor.memory.get(at).is_some_and(Option::is_some);
            if let Some(ink) = self.cell(at, tile) {
                paper.cell(at, if known { ink } else { dimmed(ink) });
            }
        }
    }

    /// The color of a cell. `None` for rock that cannot be seen from any cell.
    fn cell(&self, at: IVec2, tile: Tile) -> Option<Ink> {
        let is_inside = |step: IVec2| self.floor.tile(at + step) != Tile::Rock;
        Some(match tile {
            Tile::Rock => {
                let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
                return around.into_iter().any(is_inside).then_some(COLD[0]);
            }
            Tile::Wall | Tile::Shutter { .. } | Tile::Pillar => COLD[1],
            Tile::Ground(Ground::Water) => BLUE[0],
            Tile::Ground(_) | Tile::StairsUp | Tile::StairsDown => WARM[1],
            Tile::Door(Door::Locked) => VERMILLION[2],
            Tile::Door(_) | Tile::Curtain { .. } => WOOD[1],
            Tile::Bars | Tile::Glass => COLD[3],
        })
    }

    fn things(&self, paper: &mut Paper) {
        for lamp in self.floor.fixtures.iter().filter(|lamp| lamp.burning) {
            self.put(paper, lamp.at, Sign::Burning);
        }
        for placed in &self.floor.items {
            match placed.item {
                Item::Treasure(_) => self.put(paper, placed.at, Sign::Treasure),
                Item::Ember => paper.mark(placed.at, CROSS, FLAME[4]),
                _ => {}
            }
        }
        let stairs = Sign::Stairs.ink(self.palette);
        paper.mark(self.floor.up, UP, stairs);
        if let Some(down) = self.floor.down {
            paper.mark(down, DOWN, stairs);
        }
        let doused = self.view.story().doused.iter();
        for doused in doused.filter(|doused| usize::from(doused.depth) == self.depth) {
            self.put(paper, doused.at, Sign::Doused);
        }
    }

    fn way(&self, paper: &mut Paper) {
        let ways = &self.view.story().ways;
        let way = ways.get(self.depth).map_or(&[][..], Vec::as_slice);
        for (step, pair) in way.windows(2).enumerate() {
            let [from, to] = [pair[0], pair[1]];
            let ink = between(GREEN[0], GREEN[2], step + 1, way.len());
            // Stairs and blink scrolls move the thief without a path, so the line is dotted.
            match steps_between(from, to) {
                0..=2 => paper.line(from, to, ink, 1),
                _ => paper.line(from, to, ink, 4),
            }
        }
    }

    fn sightings(&self) -> impl Iterator<Item = &Sighting> {
        sightings(self.view, self.depth)
    }

    fn sighting(&self, paper: &mut Paper, seen: &Sighting) {
        let ink = Sign::Seen.ink(self.palette);
        paper.line(seen.from, seen.at, ink, 2);
        paper.mark(seen.from, letter(seen.by), ink);
        self.put(paper, seen.at, Sign::Seen);
    }

    fn end(&self, paper: &mut Paper) {
        if self.depth == self.view.depth() {
            let sign = if self.view.is_out() {
                Sign::Out
            } else {
                Sign::Death
            };
            self.put(paper, self.view.thief().at, sign);
        }
    }
}

/// The sightings on a floor, in order.
pub fn sightings(view: View<'_>, depth: usize) -> impl Iterator<Item = &Sighting> {
    let all = view.story().sightings.iter();
    all.filter(move |sighting| usize::from(sighting.depth) == depth)
}

fn dimmed(ink: Ink) -> Ink {
    ink.map(|part| (u32::from(part) * UNSEEN / 100) as u8)
}

/// Interpolates between two colors.
fn between(from: Ink, to: Ink, part: usize, whole: usize) -> Ink {
    let part = part as f32 / whole.max(1) as f32;
    let mix = |place: usize| {
        let (from, to) = (f32::from(from[place]), f32::from(to[place]));
        (from + (to - from) * part) as u8
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gutterlight_rules::{Action, Bot, Difficulty, Direction, Rules, World};

    fn painted(world: &World, depth: usize, side: i32) -> Option<Paper> {
        super::painted(world.view(), depth, side, Palette::Plain)
    }

    fn inks(paper: &Paper) -> impl Iterator<Item = Ink> {
        let pixels = paper.pixels.chunks_exact(4);
        pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]])
    }

    fn hall() -> World {
        let text = "
            ##############
            #<.!..@......#
            ##############";
        World::from_drawing(Rules::standard(), 3, text).expect("a drawing")
    }

    #[test]
    fn map_is_hidden_before_the_end() {
        let world = World::new(5, Difficulty::Thief);
        assert!(painted(&world, 0, 4).is_none());
    }

    #[test]
    fn map_shows_path_lamp_and_end() {
        let mut world = hall();
        for _ in 0..2 {
            world.act(Action::Walk(Direction::West)).expect("free");
        }
        world.act(Action::Douse(Direction::West)).expect("a sconce");
        world.act(Action::GiveUp).expect("at any time");
        let paper = painted(&world, 0, 8).expect("it is over");
        let has = |sign: Sign| inks(&paper).any(|ink| ink == sign.ink(Palette::Plain));
        assert!(has(Sign::Doused) && has(Sign::Death) && has(Sign::Stairs));
        assert!(
            !has(Sign::Seen) && !has(Sign::Burning),
            "{:?}",
            world.view().story()
        );
        // The line of the path runs between two of its cells.
        let at = |x: i32| paper.ink(IVec2::new(8 * x, 12));
        let ground = |ink: Option<Ink>| ink == Some(WARM[1]);
        assert!(!ground(at(6)), "the path");
        assert!(ground(at(9)), "the thief was not there");
    }

    #[test]
    fn maps_are_drawn_at_every_size() {
        let world = Bot::Reckless.play(World::new(8, Difficulty::Thief), 3000);
        assert!(world.view().ending().is_some(), "the reckless bot dies");
        for depth in 0..world.view().floors_reached() {
            for side in [1, 2, 3, 8, 13] {
                let paper = painted(&world, depth, side).expect("it was reached");
                let cells = cells(world.view(), depth).expect("it was reached");
                assert_eq!(paper.size, cells * side);
                let known = inks(&paper).filter(|ink| *ink == WARM[1]).count();
                let unknown = inks(&paper).filter(|ink| *ink == dimmed(WARM[1])).count();
                assert!(known > 0 && unknown > 0, "floor {depth}, side {side}");
            }
        }
        let seen = (0..world.view().floors_reached())
            .map(|depth| sightings(world.view(), depth).count())
            .sum::<usize>();
        assert_eq!(seen, world.view().story().sightings.len());
        assert!(painted(&world, world.view().floors_reached(), 4).is_none());
    }
}
