//! Branches that grow toward free space.
//!
//! Problem: branches drawn by a rule fork alike everywhere. Real ones compete for light: they grow where others are
//! not, and the crown's outline is filled evenly.
//!
//! Idea: strew points of free space over the crown. Each pulls the nearest node; a node that is pulled puts out a
//! child toward the mean of its pulls; a point that wood has come near to is used up.
//!
//! ```text
//!    *   *  *         *  *            each * pulls the nearest node;
//!     \  | /           \ |            those that are near enough vanish;
//!      \ |/             o             until none is left
//!       o       ->      |\   *
//!       |               o-o-
//! ```
//!
//! Cost: points times nodes, once: a point remembers its nearest node and looks at new ones only.
//!
//! Source: Runions, Lane and Prusinkiewicz, *Modeling Trees with a Space Colonization Algorithm*, 2007.

use glam::Vec3;

use super::skeleton::Skeleton;
use crate::hash::Draws;

/// Most children of a node: a knot with more is what two points pulling to both sides would make for ever.
const MAX_CHILDREN: u32 = 3;

/// How branches grow; lengths in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// From a node to its child.
    pub(super) step: f32,
    /// How far a point pulls.
    pub(super) influence: f32,
    /// How near wood uses a point up.
    pub(super) kill: f32,
    /// Added to each direction: up toward the light, or down by weight.
    pub(super) tropism: Vec3,
    /// How far directions go astray.
    pub(super) wobble: f32,
    /// Rounds at most.
    pub(super) rounds: u32,
}

/// A point of free space.
struct Point {
    position: Vec3,
    nearest: usize,
    distance: f32,
}

/// Grows the skeleton toward these points.
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
        // Nodes never move, so a point only compares its nearest with the nodes that are new since the last round.
        look(&mut points, skeleton, seen);
        seen = skeleton.nodes.len();
        points.retain(|point| point.distance > growth.kill);
        let pulls = pulls(&points, skeleton, growth.influence);
        for (node, pull) in pulls.into_iter().enumerate() {
            // Opposite pulls cancel out: such a node would grow in a random direction for ever.
            let stuck = pull.length_squared() < 1e-6 || children[node] >= MAX_CHILDREN;
            if stuck {
                continue;
            }
            // Drawn only for nodes that grow, in the order of nodes: part of the pinned bits.
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

/// Points look at the nodes that are new.
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
    fn wood_comes_near_to_every_point() {
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
    fn it_ends_where_nothing_pulls() {
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
