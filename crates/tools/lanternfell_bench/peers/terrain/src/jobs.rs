//! What is to be done, and the answers.

use std::{fs, time::Duration};

use glam::Vec2;

use crate::{
    clock,
    ground::{Ground, Way},
    pieces::Piece,
};

/// What is read from a file.
#[derive(Default)]
pub struct Sheet {
    pub side: u64,
    /// How long each job is measured.
    pub goal: Duration,
    jobs: Vec<Job>,
}

/// A line such as `job 3 ours ray picking`.
pub struct Job {
    pub number: usize,
    words: Vec<String>,
}

impl Job {
    /// Whose it is.
    fn who(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub fn task(&self) -> &str {
        self.words.get(1).map_or("", String::as_str)
    }

    /// What else stands there.
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

    /// The jobs of somebody.
    pub fn of(&self, who: &str) -> Vec<&Job> {
        self.jobs.iter().filter(|job| job.who() == who).collect()
    }
}

/// What is printed for a job.
pub enum Answer {
    Line(String),
    /// The job is not known.
    Unknown,
}

impl Answer {
    /// Nanoseconds per call.
    pub fn time(number: usize, nanoseconds: f64) -> Self {
        Self::Line(format!("result {number} {nanoseconds} -"))
    }

    /// How long it takes to make these, and how large they are.
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

    /// Nanoseconds, and how many bytes of how many meshes are made each second.
    pub fn made(number: usize, nanoseconds: f64, bytes: f64, meshes: f64) -> Self {
        Self::Line(format!(
            "result {number} {nanoseconds} made {bytes} {meshes}"
        ))
    }
}

/// Asks at all points, and adds up so that nothing is left out.
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
