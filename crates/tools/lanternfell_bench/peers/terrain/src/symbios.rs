//! `symbios-ground`, on which `bevy_symbios_ground` asks for heights and normals. It has no rays; what is drawn is one
//! mesh of every cell, so nothing is chosen and nothing rebuilt for a camera.

use glam::Vec2;
use symbios_ground::HeightMap;

use crate::{
    errors::Errors,
    ground::Ground,
    jobs::{Answer, Job, Sheet, asked},
};

/// Does its jobs.
pub fn run(sheet: &Sheet, ground: &Ground) -> Vec<Answer> {
    let jobs = sheet.of("symbios");
    if jobs.is_empty() {
        return Vec::new();
    }
    let side = ground.side();
    let mut map = HeightMap::new(side, side, ground.scale().spacing);
    map.data_mut().copy_from_slice(&ground.metres());
    // Its land begins at its origin.
    let half = ground.half();
    let answer = |job: &Job| match job.task() {
        "height" => asked(sheet, job, ground, |at: Vec2| {
            map.get_height_at(at.x + half, at.y + half)
        }),
        "normal" => asked(sheet, job, ground, |at: Vec2| {
            map.get_normal_at(at.x + half, at.y + half)[1]
        }),
        // Its mesher, which needs Bevy, cuts squares along the same diagonal as ours.
        "errors" => {
            let mut errors = Errors::new("symbios-ground", ground);
            errors.heights_on_cells(|at| map.get_height_at(at.x + half, at.y + half));
            errors.answer()
        }
        _ => Answer::Unknown,
    };
    jobs.into_iter().map(answer).collect()
}
