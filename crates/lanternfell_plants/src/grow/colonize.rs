//! Space colonization: branches grow toward free space.
//!
//! Problem: branches from a fixed rule fork the same way everywhere. Real branches compete for light: they grow where
//! no others are and fill the crown evenly.
//!
//! Idea: distribute attraction points over the crown. Each point pulls the nearest node. A pulled node grows a child in
//! the mean direction of its pulls. Points that wood has come close to are removed.
//!
//! ```text
//!    *   *  *         *  *            each * pulls the nearest node;
//!     \  | /           \ |            points close to wood are removed,
//!      \ |/             o             until none is left
//!       o       ->      |\   *
//!       |               o-o-
//! ```
//!
//! Cost: points times nodes. Each point remembers its nearest node and only checks new ones.
//!
//! Source: Runions, Lane and Prusinkiewicz, *Modeling Trees with a Space Colonization Algorithm*, 2007.

use glam::Vec3;

use super::skeleton::Skeleton;
use crate::hash::Draws;

/// Most children of a node. Without a limit, two points that pull in opposite directions could add children to one node
/// without end.
const MAX_CHILDREN: u32 = 3;

/// Growth parameters; lengths in meters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// Distance from a node to its child.
    pub(super) step: f32,
    /// Largest distance at which a point pulls.
    pub(super) influence: f32,
    /// Distance at which wood removes a point.
    pub(super) kill: f32,
    /// Added to each direction: up toward the light, or down by weight.
    pub(super) tropism: Vec3,
    /// Random deviation of directions.
    pub(super) wobble: f32,
    /// Largest number of rounds.
    pub(super) rounds: u32,
}

/// An attraction point.
struct Point {
    position: Vec3,
    nearest: usize,
    distance: f32,
}

/// Grows the skeleton toward the points.
pub(super) fn colonize(
    skeleton: &mut Skeleton,
    points: &[Vec3],
    growth: Growth,
    draws: &mut Draws,
) {
    let far = |&position: &Vec3| Point {
        position,
        nearest: 0,
        distance: f32::INFINITY,
    };
    let mut points: Vec<Point> = points.iter().map(far).collect();
    let mut children = skeleton.child_counts();
    let mut seen = 0;
    for _ in 0..growth.rounds {
        // Nodes never move, so each point only compares its nearest node with those added in the last round.
        look(&mut points, skeleton, seen);
        seen = skeleton.nodes.len();
        points.retain(|point| point.distance > growth.kill);
        let pulls = pulls(&points, skeleton, growth.influence);
        for (node, pull) in pulls.into_iter().enumerate() {
            // Opposite pulls cancel out, and the node would grow in a random direction forever.
            let stuck = pull.length_squared() < 1e-6 || children[node] >= MAX_CHILDREN;
            if stuck {
                continue;
            }
            // Drawn only for nodes that grow, in node order. This is part of the pinned bits.
            let astray = draws.direction() * growth.wobble;
            let toward =
                (pull.normalize_or(Vec3::Y) + growth.tropism + astray).normalize_or(Vec3::Y);
            let position = skeleton.nodes[node].position + toward * growth.step;
            skeleton.push(position, node);
            children[node] += 1;
            children.push(0);
        }
        if skeleton.nodes.len() == seen {
            break;
        }
    }
}

/// Updates the nearest node of each point with the new nodes.
fn look(points: &mut [Point], skeleton: &Skeleton, seen: usize) {
    for point in points {
        for (index, node) in skeleton.nodes.iter().enumerate().skip(seen) {
            let distance = node.position.distance(point.position);
            if distance < point.distance {
                point.distance = distance;
                point.nearest = index;
            }
        }
    }
}

/// The sum of pulls on each node.
fn pulls(points: &[Point], skeleton: &Skeleton, influence: f32) -> Vec<Vec3> {
    let mut pulls = vec![Vec3::ZERO; skeleton.nodes.len()];
    for point in points.iter().filter(|point| point.distance < influence) {
        let offset = point.position - skeleton.nodes[point.nearest].position;
        pulls[point.nearest] += offset.normalize_or(Vec3::Y);
    }
    pulls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Key;

    #[test]
    fn branches_reach_every_point() {
        let mut draws = Key::new(1, 2).stream();
        let points: Vec<Vec3> = (0..200)
            .map(|_| Vec3::Y * 4.0 + draws.direction() * draws.between(0.5, 2.0))
            .collect();
        let mut skeleton = Skeleton::default();
        skeleton.push(Vec3::ZERO, 0);
        let growth = Growth {
            step: 0.25,
            influence: 10.0,
            kill: 0.5,
            tropism: Vec3::ZERO,
            wobble: 0.1,
            rounds: 200,
        };
        colonize(&mut skeleton, &points, growth, &mut draws);
        let reached = |point: &&Vec3| {
            skeleton
                .nodes
                .iter()
                .any(|node| node.position.distance(**point) < 0.75)
        };
        let count = points.iter().filter(reached).count();
        assert!(count >= 198, "{count}");
        assert!(
            skeleton
                .nodes
                .iter()
                .enumerate()
                .all(|(index, node)| node.parent <= index)
        );
        assert!(
            skeleton
                .child_counts()
                .iter()
                .all(|&count| count <= MAX_CHILDREN)
        );
    }

    #[test]
    fn stops_without_points_in_range() {
        let mut skeleton = Skeleton::default();
        skeleton.push(Vec3::ZERO, 0);
        let growth = Growth {
            step: 0.1,
            influence: 1.0,
            kill: 0.2,
            tropism: Vec3::ZERO,
            wobble: 0.0,
            rounds: 1000,
        };
        let mut draws = Key::new(1, 2).stream();
        colonize(
            &mut skeleton,
            &[Vec3::X * 5.0, Vec3::NAN],
            growth,
            &mut draws,
        );
        assert_eq!(skeleton.nodes.len(), 1);
    }
}
