//! A maze with a few loops, and lamps in dead ends.
//!
//! It is carved by a random walk that backtracks to its last choice when it is stuck (the recursive backtracker; Buck,
//! *Mazes for Programmers*). Rooms are two cells wide, so that light can spread in them. Some walls are removed
//! afterwards, because in a maze without loops light has only one path.

use bevy::prelude::*;

use super::Random;
use crate::drawing::{Drawing, Hue, Material};

/// Distance between rooms in cells: two of floor and one of wall.
const PITCH: i32 = 3;

pub fn draw(seed: u32) -> Drawing {
    let mut random = Random::new(seed);
    let mut drawing = Drawing::solid(Drawing::SIZE);
    let rooms = (Drawing::SIZE.as_ivec2() - 1) / PITCH;
    let dead_ends = carve(&mut drawing, rooms, &mut random);
    open_loops(&mut drawing, rooms, &mut random);
    for (n, room) in dead_ends.into_iter().enumerate().step_by(4) {
        let hue = Hue::of_glass()[n / 4 % 5];
        drawing.hang_lamp(corner(room), hue);
    }
    drawing
}

/// The northwestern cell of a room.
fn corner(room: IVec2) -> IVec2 {
    room * PITCH + 1
}

/// Opens two neighboring rooms and the wall between them.
fn join(drawing: &mut Drawing, a: IVec2, b: IVec2) {
    drawing.carve(
        corner(a).min(corner(b)),
        corner(a).max(corner(b)) + PITCH - 2,
        Material::Floor,
    );
}

/// Carves a tree of rooms, and returns its dead ends.
fn carve(drawing: &mut Drawing, rooms: IVec2, random: &mut Random) -> Vec<IVec2> {
    let mut seen = vec![false; (rooms.x * rooms.y) as usize];
    let place = |room: IVec2| (room.y * rooms.x + room.x) as usize;
    let mut way = vec![rooms / 2];
    seen[place(rooms / 2)] = true;
    let mut dead_ends = Vec::new();
    let mut went_on = true;
    while let Some(&room) = way.last() {
        let next: Vec<IVec2> = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y]
            .into_iter()
            .map(|step| room + step)
            .filter(|next| next.cmpge(IVec2::ZERO).all() && next.cmplt(rooms).all())
            .filter(|&next| !seen[place(next)])
            .collect();
        if next.is_empty() {
            if went_on {
                dead_ends.push(room);
            }
            went_on = false;
            way.pop();
            continue;
        }
        let next = next[random.below(next.len() as u32) as usize];
        seen[place(next)] = true;
        join(drawing, room, next);
        way.push(next);
        went_on = true;
    }
    dead_ends
}

fn open_loops(drawing: &mut Drawing, rooms: IVec2, random: &mut Random) {
    for _ in 0..rooms.x * rooms.y / 12 {
        let below = |random: &mut Random, end: i32| random.below(end as u32) as i32;
        let room = IVec2::new(below(random, rooms.x - 1), below(random, rooms.y - 1));
        let step = [IVec2::X, IVec2::Y][random.below(2) as usize];
        join(drawing, room, room + step);
    }
}
