//! The wood of a tree as a graph of nodes with parents and radii.
//!
//! Radii follow Leonardo's and Murray's rule: `radius^n` of a branch is the sum over its children. `n` is between 2,
//! where cross sections add up, and 3. Chains of nodes become tubes: at a fork, the thickest child continues the chain,
//! and the others start new tubes inside the wood.

use glam::Vec3;

use super::builder::Joint;

/// A node. The root is its own parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) position: Vec3,
    pub(super) parent: usize,
    pub(super) radius: f32,
}

/// Nodes; each comes after its parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Skeleton {
    pub(super) nodes: Vec<Node>,
}

impl Skeleton {
    /// Adds a node and returns its index.
    pub(super) fn push(&mut self, position: Vec3, parent: usize) -> usize {
        self.nodes.push(Node {
            position,
            parent,
            radius: 0.0,
        });
        self.nodes.len() - 1
    }

    /// Adds a chain of nodes and returns the last index.
    pub(super) fn line(&mut self, parent: usize, points: impl IntoIterator<Item = Vec3>) -> usize {
        points
            .into_iter()
            .fold(parent, |parent, point| self.push(point, parent))
    }

    /// The number of children of each node.
    pub(super) fn child_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if node.parent != index {
                counts[node.parent] += 1;
            }
        }
        counts
    }

    /// Sets the radii in meters from `tip` at the tips to `root` at the root. Toward the top, radii additionally shrink
    /// by up to the fraction `taper`.
    pub(super) fn thicken(&mut self, tip: f32, root: f32, exponent: f32, taper: f32) {
        let mut sums = vec![0.0_f32; self.nodes.len()];
        let own = libm::powf(tip, exponent);
        for index in (0..self.nodes.len()).rev() {
            // Add a little for the node's own leaves, so that wood also tapers between forks.
            let sum = if sums[index] == 0.0 {
                own
            } else {
                sums[index] + own * 0.15
            };
            sums[index] = sum;
            let parent = self.nodes[index].parent;
            if parent != index {
                sums[parent] += sum;
            }
        }
        let roots = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(index, node)| node.parent == *index);
        let thickest = roots
            .map(|(index, _)| libm::powf(sums[index], 1.0 / exponent))
            .fold(tip, f32::max);
        // Keep the tips, and stretch thicker radii in proportion.
        let stretch = (root - tip) / (thickest - tip).max(1e-6);
        for (node, sum) in self.nodes.iter_mut().zip(&sums) {
            let radius = libm::powf(*sum, 1.0 / exponent);
            node.radius = tip + (radius - tip).max(0.0) * stretch;
        }
        let top = self
            .nodes
            .iter()
            .map(|node| node.position.y)
            .fold(1e-3, f32::max);
        for node in &mut self.nodes {
            node.radius *= 1.0 - taper * (node.position.y / top).clamp(0.0, 1.0);
        }
    }

    /// Moves each node with one child toward the middle of its neighbors, which removes zigzags.
    pub(super) fn relax(&mut self, share: f32) {
        let counts = self.child_counts();
        let mut only = vec![usize::MAX; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            only[node.parent] = index;
        }
        let before = self.nodes.clone();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            if counts[index] == 1 && node.parent != index {
                let middle = (before[node.parent].position + before[only[index]].position) / 2.0;
                node.position = node.position.lerp(middle, share);
            }
        }
    }

    /// Chains from forks to tips, thickest first.
    pub(super) fn chains(&self) -> Vec<Vec<Joint>> {
        let mut heir = vec![usize::MAX; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let thicker =
                |other: usize| other == usize::MAX || node.radius > self.nodes[other].radius;
            if node.parent != index && thicker(heir[node.parent]) {
                heir[node.parent] = index;
            }
        }
        let mut chains: Vec<Vec<Joint>> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let root = node.parent == index;
            if root || heir[node.parent] != index {
                chains.push(self.chain(index, &heir));
            }
        }
        // The sort is stable: equally thick chains keep their order.
        chains.sort_by(|a, b| b[0].radius.total_cmp(&a[0].radius));
        chains
    }

    /// The chain that starts at a node's parent and follows the thickest children.
    fn chain(&self, first: usize, heir: &[usize]) -> Vec<Joint> {
        let node = &self.nodes[first];
        let mut joints = Vec::new();
        if node.parent != first {
            joints.push(Joint {
                position: self.nodes[node.parent].position,
                radius: node.radius,
            });
        }
        let mut at = first;
        while at != usize::MAX {
            joints.push(Joint {
                position: self.nodes[at].position,
                radius: self.nodes[at].radius,
            });
            at = heir[at];
        }
        if let Some(last) = joints.last_mut() {
            last.radius = 0.0;
        }
        joints
    }
}

/// Removes joints that deviate at most `tolerance` meters from the simplified line (Douglas and Peucker 1973).
pub(super) fn simplify(joints: &[Joint], tolerance: f32) -> Vec<Joint> {
    let Some(last) = joints.len().checked_sub(1).filter(|last| *last > 1) else {
        return joints.to_vec();
    };
    let mut keep = vec![false; joints.len()];
    keep[0] = true;
    keep[last] = true;
    let mut spans = vec![(0, last)];
    while let Some((from, to)) = spans.pop() {
        let off = |index: &usize| deviation(joints[*index], joints[from], joints[to]);
        let worst = (from + 1..to).max_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(worst) = worst.filter(|worst| off(worst) > tolerance) {
            keep[worst] = true;
            spans.extend([(from, worst), (worst, to)]);
        }
    }
    joints
        .iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(joint, _)| *joint)
        .collect()
}

/// Distance of a joint from the line between two others, in position plus radius.
fn deviation(joint: Joint, from: Joint, to: Joint) -> f32 {
    let along = to.position - from.position;
    let length = along.length_squared().max(1e-12);
    let share = ((joint.position - from.position).dot(along) / length).clamp(0.0, 1.0);
    let place = joint.position.distance(from.position + along * share);
    place + (joint.radius - from.radius - (to.radius - from.radius) * share).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fork() -> Skeleton {
        let mut skeleton = Skeleton::default();
        let root = skeleton.push(Vec3::ZERO, 0);
        let stem = skeleton.line(root, [Vec3::Y, Vec3::Y * 2.0]);
        skeleton.line(stem, [Vec3::new(1.0, 3.0, 0.0), Vec3::new(2.0, 4.0, 0.0)]);
        let side = skeleton.line(stem, [Vec3::new(-1.0, 3.0, 0.0)]);
        skeleton.line(side, [Vec3::new(-2.0, 3.0, 0.0)]);
        skeleton.line(side, [Vec3::new(-1.0, 4.0, 0.0)]);
        skeleton
    }

    #[test]
    fn radii_follow_the_children() {
        let mut skeleton = fork();
        skeleton.thicken(0.01, 0.2, 2.0, 0.0);
        let radii: Vec<f32> = skeleton.nodes.iter().map(|node| node.radius).collect();
        assert!((radii[0] - 0.2).abs() < 1e-6 && (radii[4] - 0.01).abs() < 1e-6);
        for (index, node) in skeleton.nodes.iter().enumerate() {
            assert!(node.radius <= radii[node.parent], "{index}");
        }
        assert!(radii[5] > radii[3], "two tips make thicker wood than one");
    }

    #[test]
    fn chains_cover_each_node_once_and_end_in_points() {
        let mut skeleton = fork();
        skeleton.thicken(0.01, 0.2, 2.0, 0.0);
        let chains = skeleton.chains();
        assert_eq!(chains.iter().map(Vec::len).collect::<Vec<_>>(), [5, 3, 2]);
        assert!(
            chains
                .iter()
                .all(|chain| chain[chain.len() - 1].radius == 0.0)
        );
        assert_eq!(
            chains[0][4].position,
            Vec3::new(-2.0, 3.0, 0.0),
            "the thicker child goes on"
        );
    }

    #[test]
    fn straight_lines_need_two_joints() {
        let joint = |x: f32, y: f32| Joint {
            position: Vec3::new(x, y, 0.0),
            radius: 0.1,
        };
        let straight: Vec<Joint> = (0..9).map(|x| joint(x as f32, 0.0)).collect();
        assert_eq!(simplify(&straight, 0.01).len(), 2);
        let bent: Vec<Joint> = (0..9)
            .map(|x| joint(x as f32, if x == 4 { 1.0 } else { 0.0 }))
            .collect();
        assert_eq!(simplify(&bent, 0.1).len(), 5);
        assert_eq!(simplify(&bent[..1], 0.1).len(), 1);
    }
}
