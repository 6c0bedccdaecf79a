//! Heavy work that nobody waits for: what computes apart from the app, and the rest in slices.
//!
//! In a browser there is one thread for everything, and tasks of Bevy's pools run on it between two of its frames,
//! each until it waits for something. So long work [pauses](pause).

mod ground_work;
mod pause;
mod plane_work;

use bevy::prelude::*;
use lanternfell_heightmap::Progress;

pub(crate) use ground_work::GroundWork;
pub(crate) use pause::pause;
pub(crate) use plane_work::PlaneWork;

use crate::ground::Unmade;

pub(crate) fn plugin(app: &mut App) {
    pause::plugin(app);
}

/// Something to be computed that needs nothing of the app.
pub(crate) trait Work {
    type Made;

    fn make(&self, progress: &Progress) -> Result<Self::Made, Unmade>;
}

/// Has it made. In a background task.
pub(crate) async fn make<W: Work>(work: W, progress: &Progress) -> Result<W::Made, Unmade> {
    work.make(progress)
}
