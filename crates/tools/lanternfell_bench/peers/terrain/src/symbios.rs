//! `symbios-ground`, which `bevy_symbios_ground` uses for heights and normals. It has no rays. It is rendered as one
//! mesh of all cells, so there is no level-of-detail selection and no rebuilding.

use glam::Vec2;
use symbios_ground::HeightMap;

use crate::{
    errors::Errors,
    ground::Ground,
    jobs::{Answer, Job, Sheet, asked},
};

/// Runs the jobs of this crate.
pub fn run(sheet: &Sheet, ground: &Ground) -> Vec<Answer> {
    let jobs = sheet.of("symbios");
    if jobs.is_empty() {
        return Vec::new();
    }
    let side = ground.side();
    let mut map = HeightMap::new(side, side, ground.scale().spacing);
    map.data_mut().copy_from_slice(&ground.meters());
    // Its terrain starts at the origin instead of being centered.
    let half = ground.half();
    let answer = |job: &Job| match job.task() {
        "height" => asked(sheet, job, ground, |at: Vec2| {
            map.get_height_at(at.x + half, at.y + half)
        }),
        "normal" => asked(sheet, job, ground, |at: Vec2| {
            map.get_normal_at(at.x + half, at.y + half)[1]
        }),
        // Its mesher, which needs Bevy, divides squares along the same diagonal as ours.
        "errors" => {
            let mut errors = Errors::new("symbios-ground", ground);
            errors.heights_on_cells(|at| map.get_height_at(at.x + half, at.y + half));
            errors.answer()
        }
        _ => Answer::Unknown,
    };
    jobs.into_iter().map(answer).collect()
}
