//! A grid of instances, for neighbor queries.

use super::{
    Instance,
    disc::{Window, distance_squared},
};

/// Instances, sorted by grid square.
#[derive(Debug)]
pub(super) struct Buckets<'a> {
    min: [f64; 2],
    side: f64,
    counts: [usize; 2],
    /// Start of each square's instances in row-major order, and the end of the last.
    starts: Vec<u32>,
    sorted: Vec<&'a Instance>,
}

impl<'a> Buckets<'a> {
    /// Sorts instances into squares for queries with this radius.
    pub(super) fn new(instances: &'a [Instance], window: Window, radius: f64) -> Self {
        // Limit the number of squares: many small squares would outnumber the instances.
        let width = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
        let side = radius.max(width / 256.0);
        let counts = [0, 1].map(|axis| ((window.max[axis] - window.min[axis]) / side) as usize + 1);
        let mut buckets = Self {
            min: window.min,
            side,
            counts,
            starts: vec![0; counts[0] * counts[1] + 1],
            sorted: Vec::new(),
        };
        let square = |instance: &Instance| {
            let [x, z] = [0, 1].map(|axis| buckets.index(instance.position[axis], axis));
            z * counts[0] + x
        };
        let mut keyed: Vec<(usize, &Instance)> = instances
            .iter()
            .map(|instance| (square(instance), instance))
            .collect();
        keyed.sort_by_key(|(square, _)| *square);
        for (square, _) in &keyed {
            buckets.starts[square + 1] += 1;
        }
        for square in 1..buckets.starts.len() {
            buckets.starts[square] += buckets.starts[square - 1];
        }
        buckets.sorted = keyed.into_iter().map(|(_, instance)| instance).collect();
        buckets
    }

    /// The column or row of a coordinate, clamped to the grid.
    fn index(&self, coordinate: f64, axis: usize) -> usize {
        // Negative numbers become 0 in the cast.
        (((coordinate - self.min[axis]) / self.side) as usize).min(self.counts[axis] - 1)
    }

    /// Whether any instance within `radius` is closer than the distance that `keeps` returns for it.
    pub(super) fn any_nearer(
        &self,
        place: [f64; 2],
        radius: f64,
        keeps: impl Fn(&Instance) -> f64,
    ) -> bool {
        let [columns, rows] = [0, 1].map(|axis| {
            self.index(place[axis] - radius, axis)..=self.index(place[axis] + radius, axis)
        });
        rows.into_iter().any(|row| {
            let first = self.starts[row * self.counts[0] + columns.start()] as usize;
            let last = self.starts[row * self.counts[0] + columns.end() + 1] as usize;
            self.sorted[first..last].iter().any(|instance| {
                let keeps = keeps(instance);
                distance_squared(instance.position, place) < keeps * keeps
            })
        })
    }
}
