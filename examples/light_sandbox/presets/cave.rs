//! A cave: random noise, smoothed by a cellular automaton, with glowing fungus, crystals and smoke.
//!
//! In each step a cell becomes wall if at least five of the 3x3 cells around it are walls (Johnson, Yannakakis and
//! Togelius 2010). Only the largest connected cave is kept, so that all of it is reachable.

use std::collections::VecDeque;

use bevy::prelude::*;

use super::Random;
use crate::drawing::{Drawing, Hue, Material};

/// Percentage of wall cells before smoothing.
const WALLS: u32 = 44;
const SMOOTHINGS: usize = 5;

pub fn draw(seed: u32) -> Drawing {
    let mut random = Random::new(seed);
    let size = Drawing::SIZE.as_ivec2();
    let mut walls: Vec<bool> = (0..size.x * size.y)
        .map(|_| random.below(100) < WALLS)
        .collect();
    for _ in 0..SMOOTHINGS {
        walls = smooth(&walls, size);
    }
    let hollow = largest_hollow(&walls, size);
    let mut drawing = Drawing::solid(Drawing::SIZE);
    for &cell in &hollow {
        drawing.set(cell, Material::Floor);
    }
    furnish(&mut drawing, &hollow, &mut random);
    drawing
}

fn is_wall(walls: &[bool], size: IVec2, cell: IVec2) -> bool {
    // The border counts as wall, two cells thick.
    let inside = cell.cmpge(IVec2::splat(2)).all() && cell.cmplt(size - 2).all();
    !inside || walls[(cell.y * size.x + cell.x) as usize]
}

fn smooth(walls: &[bool], size: IVec2) -> Vec<bool> {
    let around = |cell: IVec2| {
        let steps = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
        steps
            .filter(|&step| is_wall(walls, size, cell + step))
            .count()
    };
    let cells = (0..size.x * size.y).map(|i| IVec2::new(i % size.x, i / size.x));
    cells.map(|cell| around(cell) >= 5).collect()
}

/// The cells of the largest connected open region.
fn largest_hollow(walls: &[bool], size: IVec2) -> Vec<IVec2> {
    let mut seen = walls.to_vec();
    let mut largest = Vec::new();
    for start in (0..size.x * size.y).map(|i| IVec2::new(i % size.x, i / size.x)) {
        let mut part = Vec::new();
        let mut next = VecDeque::from([start]);
        while let Some(cell) = next.pop_front() {
            let place = (cell.y * size.x + cell.x).clamp(0, size.x * size.y - 1) as usize;
            if is_wall(walls, size, cell) || seen[place] {
                continue;
            }
            seen[place] = true;
            part.push(cell);
            next.extend([IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y].map(|step| cell + step));
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}

/// Adds fungus and crystals along the walls, and smoke.
fn furnish(drawing: &mut Drawing, hollow: &[IVec2], random: &mut Random) {
    let is_next_to_wall = |drawing: &Drawing, cell: IVec2| {
        let steps = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
        steps
            .iter()
            .any(|&step| drawing.get(cell + step) == Material::Wall)
    };
    if hollow.is_empty() {
        return;
    }
    let any = |random: &mut Random| hollow[random.below(hollow.len() as u32) as usize];
    for n in 0..60 {
        let cell = any(random);
        if is_next_to_wall(drawing, cell) && drawing.lamps().len() < 9 {
            drawing.hang_lamp(cell, [Hue::Green, Hue::Blue, Hue::Violet][n % 3]);
        }
    }
    for _ in 0..4 {
        let cell = any(random);
        for y in -2_i32..=2 {
            for x in -3_i32..=3 {
                let at = cell + IVec2::new(x, y);
                if 4 * x * x + 9 * y * y <= 36 && drawing.get(at) == Material::Floor {
                    drawing.set(at, Material::Smoke);
                }
            }
        }
    }
}
