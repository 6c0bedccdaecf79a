//! The jobs, and their answers.

use std::{fs, time::Duration};

use glam::Vec2;

use crate::{
    clock,
    ground::{Ground, Way},
    pieces::Piece,
};

/// The content of a sheet.
#[derive(Default)]
pub struct Sheet {
    pub side: u64,
    /// The measuring time of each job.
    pub goal: Duration,
    jobs: Vec<Job>,
}

/// A line such as `job 3 ours ray picking`.
pub struct Job {
    pub number: usize,
    words: Vec<String>,
}

impl Job {
    /// The crate of the job.
    fn who(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub fn task(&self) -> &str {
        self.words.get(1).map_or("", String::as_str)
    }

    /// The remaining words.
    pub fn words(&self) -> Vec<&str> {
        self.words.iter().skip(2).map(String::as_str).collect()
    }
}

impl Sheet {
    pub fn read(path: &str) -> Option<Self> {
        let mut sheet = Self::default();
        for line in fs::read_to_string(path).ok()?.lines() {
            let (key, rest) = line.split_once(' ')?;
            match key {
                "ground" => sheet.side = rest.parse().ok()?,
                "seconds" => sheet.goal = Duration::from_secs_f64(rest.parse().ok()?),
                "job" => {
                    let (number, words) = rest.split_once(' ')?;
                    sheet.jobs.push(Job {
                        number: number.parse().ok()?,
                        words: words.split(' ').map(str::to_owned).collect(),
                    });
                }
                _ => (),
            }
        }
        Some(sheet)
    }

    /// The jobs of a crate.
    pub fn of(&self, who: &str) -> Vec<&Job> {
        self.jobs.iter().filter(|job| job.who() == who).collect()
    }
}

/// The output of a job.
pub enum Answer {
    Line(String),
    /// The job is unknown.
    Unknown,
}

impl Answer {
    /// Nanoseconds per call.
    pub fn time(number: usize, nanoseconds: f64) -> Self {
        Self::Line(format!("result {number} {nanoseconds} -"))
    }

    /// The time to create meshes, and their size.
    pub fn meshes<T: AsRef<[Piece]>>(
        sheet: &Sheet,
        number: usize,
        make: impl FnMut() -> T,
    ) -> Self {
        let (nanoseconds, pieces) = clock::per_call(sheet.goal, make);
        let pieces = pieces.as_ref();
        let bytes: usize = pieces.iter().map(Piece::bytes).sum();
        let triangles: usize = pieces.iter().map(Piece::triangles).sum();
        Self::Line(format!(
            "result {number} {nanoseconds} meshes {bytes} {triangles}"
        ))
    }

    /// Nanoseconds, and the bytes and number of meshes that are created per second.
    pub fn made(number: usize, nanoseconds: f64, bytes: f64, meshes: f64) -> Self {
        Self::Line(format!(
            "result {number} {nanoseconds} made {bytes} {meshes}"
        ))
    }
}

/// Evaluates `answer` at all points and sums the results, so that nothing is optimized away.
pub fn asked(sheet: &Sheet, job: &Job, ground: &Ground, answer: impl Fn(Vec2) -> f32) -> Answer {
    let points = ground.points();
    let all = || points.iter().fold(0.0, |sum, &at| sum + answer(at));
    let (nanoseconds, _) = clock::per_call(sheet.goal, all);
    Answer::time(job.number, nanoseconds / points.len() as f64)
}

/// Casts all rays of the job's kind.
pub fn cast(sheet: &Sheet, job: &Job, ground: &Ground, hits: impl Fn(Way) -> bool) -> Answer {
    let ways = ground.rays(job.words() == ["picking"]);
    let all = || ways.iter().filter(|&&way| hits(way)).count();
    let (nanoseconds, _) = clock::per_call(sheet.goal, all);
    Answer::time(job.number, nanoseconds / ways.len() as f64)
}
