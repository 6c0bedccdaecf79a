//! Placing guards.
//!
//! Watchmen share the floor. Each patrols a few rooms that are close to each other, ordered by
//! their angle around the middle, so that the route is a loop. Sentries watch the shortest path
//! between the stairs. Lamplighters walk from flame to flame. The warden circles the Ember. When
//! the thief arrives, no guard is close to the stairs or sees them.

use glam::IVec2;
use lanternfell_lightgrid::line_of_sight;

use super::plan::{FAR, Plan, RoomId, RoomKind};
use crate::{
    Direction, Door, Duty, Guard, GuardKind, Lantern, Plane, Tile, limits::MOST_GUARDS,
    rules::Posting, steps_between,
};

/// A room, and the cell in it to which guards go.
type Station = (RoomId, IVec2);

/// The number of attempts to place a guard.
const TRIES: usize = 30;

impl Plan<'_> {
    /// Places all guards.
    pub(super) fn post_guards(&mut self) {
        let stations = self.stations();
        // The order must not change, because a seed must always give the same floor: by posting,
        // and for
        // equal postings by kind in reverse declaration order.
        for posting in Posting::ALL {
            for kind in GuardKind::ALL.into_iter().rev() {
                if self.rules.guard(kind).posting == posting {
                    self.post_kind(kind, posting, &stations);
                }
            }
        }
    }

    /// Places the guards of a kind.
    fn post_kind(&mut self, kind: GuardKind, posting: Posting, stations: &[Station]) {
        let (count, asleep) = (self.table.count(kind), self.table.asleep);
        let mut homes = Vec::new();
        match posting {
            Posting::Watch => self.post_sentries(kind, count),
            Posting::Ember => (0..count).for_each(|_| self.post_warden(kind)),
            Posting::Lamps => (0..count).for_each(|_| self.post_lamplighter(kind, stations)),
            Posting::Round => {
                (0..count).for_each(|_| self.post_patrol(kind, &mut homes, stations));
            }
            Posting::Barracks => {
                for _ in 0..count {
                    if self.rng.percent(asleep) {
                        self.post_sleeper(kind, &mut homes, stations);
                    } else {
                        self.post_patrol(kind, &mut homes, stations);
                    }
                }
            }
        }
    }

    /// Whether a guard may stand here when the thief arrives.
    fn may_stand(&self, at: IVec2) -> bool {
        let stairs = self.up.into_iter().chain(self.goal.filter(|_| !self.last));
        let hidden = |stairs: IVec2| {
            steps_between(at, stairs) >= self.rules.proof.guard_distance
                && !line_of_sight(at, stairs, |at| self.tile(at).blocks_sight())
        };
        let kind = self.kind_at(at);
        self.is_free(at)
            && kind.is_some_and(|kind| !matches!(kind, RoomKind::Landing | RoomKind::Vault))
            && self.guards.iter().all(|guard| guard.at != at)
            && stairs.into_iter().all(hidden)
    }

    fn add_guard(
        &mut self,
        kind: GuardKind,
        duty: Duty,
        route: Vec<IVec2>,
        facing: Option<Direction>,
    ) {
        let Some(&home) = route.first() else {
            return;
        };
        if self.guards.len() >= MOST_GUARDS {
            return;
        }
        let numbers = self.rules.guard(kind);
        let ahead = route
            .get(1)
            .and_then(|&next| Direction::towards(home, next));
        let any = Direction::ALL[self.rng.below(8) as usize];
        let facing = facing.or(ahead).unwrap_or(any);
        self.guards.push(Guard {
            health: numbers.health,
            lantern: if numbers.lantern {
                Lantern::Lit
            } else {
                Lantern::None
            },
            route,
            ..Guard::new(kind, duty, home, facing)
        });
    }

    /// The rooms to which guards go, with their destinations.
    fn stations(&self) -> Vec<Station> {
        let rules = &self.rules.generation.posts;
        let goes = |&id: &RoomId| {
            let room = self.room(id);
            match room.kind {
                RoomKind::Plain | RoomKind::Hall | RoomKind::Cave | RoomKind::Landmark => {
                    room.cells.len() >= rules.room_cells
                }
                RoomKind::Corridor => room.cells.len() >= rules.corridor_cells,
                _ => false,
            }
        };
        let rooms = self.room_ids().filter(goes);
        rooms.filter_map(|id| Some((id, self.heart(id)?))).collect()
    }

    /// Places a patrol, as far as possible from where the others start.
    fn post_patrol(&mut self, kind: GuardKind, homes: &mut Vec<IVec2>, stations: &[Station]) {
        let rules = &self.rules.generation.posts;
        for _ in 0..TRIES {
            let Some(middle) = self.far_from_all(stations, homes) else {
                return;
            };
            let route = self.round(kind, middle, stations);
            // Guards without hands open no doors, so they reach fewer rooms.
            let least = match self.rules.guard(kind).hands {
                true => rules.route_least,
                false => rules.hound_route_least,
            };
            if route.len() < least.min(stations.len()) {
                continue;
            }
            if let Some(route) = self.begun_where_it_may_stand(route) {
                homes.push(middle);
                self.add_guard(kind, Duty::Patrol, route, None);
                return;
            }
        }
    }

    /// The station farthest from all of `from`, out of four random ones.
    fn far_from_all(&mut self, stations: &[Station], from: &[IVec2]) -> Option<IVec2> {
        let mut best: Option<(u32, IVec2)> = None;
        for _ in 0..4 {
            let &(_, at) = self.rng.pick(stations)?;
            let apart = from.iter().map(|&other| steps_between(at, other)).min();
            let apart = apart.unwrap_or(FAR);
            if best.is_none_or(|(most, _)| apart > most) {
                best = Some((apart, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// A loop through a few stations around one of them.
    fn round(&mut self, kind: GuardKind, middle: IVec2, stations: &[Station]) -> Vec<IVec2> {
        let rules = &self.rules.generation.posts;
        let ways = self.paws_or_hands(kind, middle);
        let mut near: Vec<IVec2> = stations.iter().map(|&(_, at)| at).collect();
        near.retain(|&at| at != middle && ways[at] != FAR);
        near.sort_by_key(|&at| (ways[at], at.y, at.x));
        near.truncate(rules.near);
        self.rng.shuffle(&mut near);
        near.truncate(self.rng.within(rules.route.0, rules.route.1) as usize);
        near.push(middle);
        let sum: IVec2 = near.iter().sum();
        let count = near.len() as i32;
        // Order them by their angle around their common middle.
        near.sort_by_key(|&at| (turn_of(at * count - sum), at.y, at.x));
        near
    }

    /// The steps from a cell for a kind of guard, which may or may not open doors.
    fn paws_or_hands(&mut self, kind: GuardKind, from: IVec2) -> Plane<u32> {
        if self.rules.guard(kind).hands {
            return self.steps(&[from], FAR - 1);
        }
        let doors: Vec<IVec2> = self
            .tiles
            .cells()
            .filter(|&at| self.tiles[at] == Tile::Door(Door::Closed))
            .collect();
        for &door in &doors {
            self.tiles[door] = Tile::Door(Door::Locked);
        }
        let steps = self.steps(&[from], FAR - 1);
        for &door in &doors {
            self.tiles[door] = Tile::Door(Door::Closed);
        }
        steps
    }

    /// Rotates a loop so that it starts where a guard may stand.
    fn begun_where_it_may_stand(&self, mut route: Vec<IVec2>) -> Option<Vec<IVec2>> {
        let first = route.iter().position(|&at| self.may_stand(at))?;
        route.rotate_left(first);
        Some(route)
    }

    /// Places a guard that sleeps in the barracks and patrols once it is awake.
    fn post_sleeper(&mut self, kind: GuardKind, homes: &mut Vec<IVec2>, stations: &[Station]) {
        let barracks = self
            .room_ids()
            .find(|&id| self.room(id).kind == RoomKind::Barracks);
        let beds = barracks
            .map(|id| self.room(id).cells.clone())
            .unwrap_or_default();
        let mut beds: Vec<IVec2> = beds.into_iter().filter(|&at| self.may_stand(at)).collect();
        // Prefer cells along the walls.
        beds.sort_by_key(|&at| (self.open_around(at), at.y, at.x));
        beds.truncate(self.rules.generation.posts.beds);
        let Some(&bed) = self.rng.pick(&beds) else {
            self.post_patrol(kind, homes, stations);
            return;
        };
        let mut route = self.round(kind, bed, stations);
        let first = route.iter().position(|&at| at == bed).unwrap_or(0);
        route.rotate_left(first);
        self.add_guard(kind, Duty::Sleep, route, None);
    }

    /// Places sentries that watch the shortest path, each another part of it.
    fn post_sentries(&mut self, kind: GuardKind, count: u32) {
        let (Some(up), Some(goal)) = (self.up, self.goal) else {
            return;
        };
        let (nearest, farthest) = self.rules.generation.posts.watch;
        let way = self.shortest_way(up, goal);
        let open = self.tiles.cells().filter(|&at| self.is_ground(at));
        let against_wall = |&at: &IVec2| (3..=6).contains(&self.open_around(at));
        let posts: Vec<IVec2> = open.filter(against_wall).collect();
        for n in 0..count as usize {
            let part = way.len() / (count as usize).max(1);
            let part = way.get(n * part..(n + 1) * part).unwrap_or(&[]);
            for _ in 0..TRIES {
                let Some(&watched) = self.rng.pick(part) else {
                    break;
                };
                let sees = |&at: &IVec2| {
                    (nearest..=farthest).contains(&steps_between(at, watched))
                        && line_of_sight(at, watched, |at| self.tile(at).blocks_sight())
                        && self.is_far_from_sentries(at)
                        && self.may_stand(at)
                };
                let near: Vec<IVec2> = posts.iter().copied().filter(sees).collect();
                if let Some(&at) = self.rng.pick(&near) {
                    let facing = Direction::towards(at, watched);
                    self.add_guard(kind, Duty::Post, vec![at], facing);
                    break;
                }
            }
        }
    }

    fn is_far_from_sentries(&self, at: IVec2) -> bool {
        let apart = self.rules.generation.posts.sentries_apart;
        let mut sentries = self.guards.iter().filter(|guard| guard.duty == Duty::Post);
        sentries.all(|guard| steps_between(guard.at, at) > apart)
    }

    /// The cells of a shortest path, from its start.
    pub(super) fn shortest_way(&self, from: IVec2, to: IVec2) -> Vec<IVec2> {
        let steps = self.steps(&[to], FAR - 1);
        let mut way = Vec::new();
        let mut at = from;
        while at != to {
            way.push(at);
            let sides = Direction::STRAIGHT.map(|way| at + way.step());
            let nearer =
                |&neighbor: &IVec2| steps.get(neighbor).is_some_and(|&step| step < steps[at]);
            match sides.into_iter().find(nearer) {
                Some(next) => at = next,
                None => return Vec::new(),
            }
        }
        way
    }

    /// Places a warden, which circles the Ember.
    fn post_warden(&mut self, kind: GuardKind) {
        let Some(goal) = self.goal else { return };
        let steps = self.steps(&[goal], FAR - 1);
        let mut route = Vec::new();
        for corner in Direction::ALL.into_iter().filter(|way| way.is_diagonal()) {
            let near = |&at: &IVec2| {
                (4..=16).contains(&steps[at])
                    && Direction::towards(goal, at) == Some(corner)
                    && self.is_free(at)
                    && self
                        .kind_at(at)
                        .is_some_and(|kind| kind != RoomKind::Landing)
            };
            let cells: Vec<IVec2> = steps.cells().filter(near).collect();
            route.extend(self.rng.pick(&cells).copied());
        }
        if let Some(route) = self.begun_where_it_may_stand(route) {
            self.add_guard(kind, Duty::Patrol, route, None);
        }
    }

    /// Places a lamplighter, which walks from flame to flame, always to the nearest.
    fn post_lamplighter(&mut self, kind: GuardKind, stations: &[Station]) {
        let flames = self.fixtures.iter().filter(|lamp| lamp.kind.is_flame());
        let free_neighbor = |at: IVec2| {
            let around = Direction::STRAIGHT.into_iter().map(|way| at + way.step());
            around.into_iter().find(|&neighbor| self.is_free(neighbor))
        };
        let mut left: Vec<IVec2> = flames.filter_map(|lamp| free_neighbor(lamp.at)).collect();
        let most = self.rules.generation.posts.lamplighter_route;
        let mut route = Vec::new();
        let Some(mut at) = self.rng.pick(&left).copied() else {
            self.post_patrol(kind, &mut Vec::new(), stations);
            return;
        };
        while !left.is_empty() && route.len() < most {
            let mut nearest = left[0];
            self.steps_until(&[at], FAR - 1, |at| {
                let found = left.contains(&at);
                if found {
                    nearest = at;
                }
                found
            });
            at = nearest;
            left.retain(|&other| other != at);
            route.push(at);
        }
        match self.begun_where_it_may_stand(route) {
            Some(route) => self.add_guard(kind, Duty::Patrol, route, None),
            None => self.post_patrol(kind, &mut Vec::new(), stations),
        }
    }
}

/// A monotonic function of the angle of a vector, from 0 to 4000, without an arc tangent.
fn turn_of(at: IVec2) -> i32 {
    let sum = at.x.abs() + at.y.abs();
    if sum == 0 {
        return 0;
    }
    let part = at.y * 1000 / sum;
    match (at.x < 0, at.y < 0) {
        (false, false) => part,
        (true, _) => 2000 - part,
        (false, true) => 4000 + part,
    }
}
