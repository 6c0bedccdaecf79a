//! Emitters of motes: flames, smoke, fungus and moonlight in sight emit all the time, and events
//! emit bursts.

use bevy::prelude::*;
use gutterlight_assets::art::{Effect, Picture};
use gutterlight_rules::{
    Blackout, FixtureKind, GameEvent, Ground, IVec2, Item, Memory, Sight, Tile, View, Who,
};

use crate::play::{
    game::{FloorVisit, Game, Happened},
    options::Options,
    place::{self, CELL},
};

use super::{
    mote::{Kind, Mote},
    pool::Pool,
};

/// The offset of a figure's feet below the center of its cell.
const FEET: f32 = 6.0;

/// An emitter of one kind of mote.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Source {
    kind: Kind,
    place: Vec2,
    /// The half extent of the area in which motes start.
    reach: Vec2,
    /// Motes per second.
    rate: f32,
}

/// All current emitters.
#[derive(Resource, Default)]
pub struct Sources {
    place: Option<FloorVisit>,
    all: Vec<Source>,
    /// The flame in the thief's hand, relative to the center of the cell.
    hand: Option<Vec2>,
}

impl Sources {
    /// Emits the motes of this time step, from emitters that are on screen.
    pub fn give_off(
        &self,
        pool: &mut Pool,
        seconds: f32,
        screen: Rect,
        thief: Option<Vec2>,
        flicker: bool,
    ) {
        let hand = self.hand.zip(thief).map(|(flame, thief)| thief + flame);
        let hand = hand.map(|place| {
            [(Kind::Spark, 4.0), (Kind::Wisp, 1.0)].map(|(kind, rate)| Source {
                kind,
                place,
                reach: Vec2::ONE,
                rate,
            })
        });
        // Starting at a random emitter: when the pool is full, the last ones get nothing, and those
        // must not always be the same.
        let start = (pool.dice.roll() * self.all.len() as f32) as usize;
        let (before, after) = self.all.split_at(start.min(self.all.len()));
        let all = hand.iter().flatten().chain(after).chain(before);
        for source in all.filter(|source| screen.contains(source.place)) {
            if source.kind.flashes() && !flicker {
                continue;
            }
            let rate = if flicker {
                source.rate
            } else {
                source.rate / 2.0
            };
            // At most one mote per frame and emitter: rates are a few per second, so this is nearly
            // exact.
            if pool.dice.roll() < rate * seconds {
                let mote = born(pool, source.kind, source.place, source.reach);
                pool.add(mote);
            }
        }
    }

    /// Adds the emitters of a cell in sight.
    fn cell(&mut self, view: View<'_>, at: IVec2, memory: Memory) {
        let middle = place::of(at.as_vec2(), view.size());
        let known = |at| view.memory(at).map(|memory| memory.tile);
        let mut add = |kind, place, reach: (f32, f32), rate| {
            self.all.push(Source {
                kind,
                place,
                reach: reach.into(),
                rate,
            });
        };
        if let Some((kind, burning)) = memory.fixture {
            let picture = Picture::of_fixture(kind, burning, at, known, 0);
            let flame = picture.and_then(Picture::flame).map(|tip| middle + up(tip));
            match (kind, flame) {
                (FixtureKind::Brazier, Some(flame)) => {
                    add(Kind::Spark, flame, (4.0, 1.0), 4.0);
                    add(Kind::Wisp, flame, (3.0, 1.0), 1.0);
                }
                (_, Some(flame)) => {
                    add(Kind::Spark, flame, (1.0, 1.0), 1.6);
                    add(Kind::Wisp, flame, (1.0, 1.0), 0.6);
                }
                (FixtureKind::Fungus, _) => add(Kind::Spore, middle, (6.0, 4.0), 0.35),
                (FixtureKind::Crystal, _) => add(Kind::Glint, middle, (4.0, 6.0), 0.3),
                (FixtureKind::Moonlight, _) if burning => {
                    add(Kind::Fleck, middle, (6.0, 7.0), 0.5);
                }
                _ => {}
            }
        }
        let lies = memory.item.map(|item| Picture::of_item(item, 0));
        let fire = view.fire(at).then_some(Picture::of_effect(Effect::Fire(0)));
        for tip in [lies, fire]
            .into_iter()
            .flatten()
            .filter_map(Picture::flame)
        {
            let wide = if memory.item == Some(Item::Ember) {
                5.0
            } else {
                2.0
            };
            add(Kind::Spark, middle + up(tip), (wide, 2.0), 1.5);
            add(Kind::Wisp, middle + up(tip), (wide, 2.0), 0.4);
        }
        let smoke = f32::from(view.smoke(at)) / 100.0;
        if smoke > 0.0 {
            add(
                Kind::Smoke,
                middle,
                (CELL / 2.0, CELL / 2.0),
                0.2 + 0.5 * smoke,
            );
        }
    }
}

/// Converts pixels (y down) to world units (y up).
fn up(pixels: IVec2) -> Vec2 {
    pixels.as_vec2() * Vec2::new(1.0, -1.0)
}

/// A new mote near a position, with a random velocity of its kind.
fn born(pool: &mut Pool, kind: Kind, place: Vec2, reach: Vec2) -> Mote {
    let dice = &mut pool.dice;
    let mut way =
        |x: f32, least: f32, most: f32| Vec2::new(dice.between(-x, x), dice.between(least, most));
    let speed = match kind {
        Kind::Spark => way(4.0, 12.0, 26.0),
        Kind::Ember => way(20.0, 4.0, 26.0),
        Kind::Wisp => way(1.0, 7.0, 11.0),
        Kind::Puff => way(6.0, 8.0, 18.0),
        Kind::Smoke => way(5.0, 1.0, 6.0),
        Kind::Spore => way(2.0, 2.0, 6.0),
        Kind::Fleck => way(1.5, -4.0, -1.5),
        Kind::Drop => way(22.0, 18.0, 38.0),
        Kind::Dust => way(34.0, -8.0, 22.0),
        Kind::Glint | Kind::Ripple | Kind::Cut => Vec2::ZERO,
    };
    Mote {
        kind,
        place: place + dice.around(reach),
        speed,
        age: 0.0,
        chance: dice.roll(),
    }
}

/// Collects the emitters after a turn.
pub fn survey(game: Res<Game>, mut sources: ResMut<Sources>, mut pool: ResMut<Pool>) {
    let view = game.view();
    let place = Some(game.floor_visit());
    // Another floor: motes of the old one would float over it.
    if sources.place != place {
        sources.place = place;
        pool.clear();
    }
    sources.all.clear();
    // Step 0 of the walk: this runs once per turn, and the flame must not jump with the steps.
    sources.hand = Picture::of_thief(view.thief(), 0).flame().map(up);
    let size = view.size();
    for at in (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y))) {
        if view.sight(at) == Sight::Seen
            && let Some(memory) = view.memory(at)
        {
            sources.cell(view, at, memory);
        }
    }
}

/// A number of motes, spread over some seconds.
struct Burst {
    kind: Kind,
    count: u32,
    reach: Vec2,
    within: f32,
}

const fn burst(kind: Kind, count: u32, reach: f32, within: f32) -> Burst {
    Burst {
        kind,
        count,
        reach: Vec2::splat(reach),
        within,
    }
}

/// The bursts of events: a flame goes out or catches, a splash, a fall, a miss, a blow, smoke.
const OUT: [Burst; 2] = [
    burst(Kind::Ember, 9, 2.0, 0.0),
    burst(Kind::Puff, 5, 1.0, 0.5),
];
const FLARE: [Burst; 1] = [burst(Kind::Spark, 9, 2.0, 0.2)];
const SPLASH: [Burst; 2] = [
    burst(Kind::Ripple, 2, 1.0, 0.4),
    burst(Kind::Drop, 4, 2.0, 0.05),
];
const FALL: [Burst; 1] = [burst(Kind::Dust, 12, 5.0, 0.1)];
const MISS: [Burst; 1] = [burst(Kind::Dust, 4, 3.0, 0.0)];
const BLOW: [Burst; 2] = [
    burst(Kind::Cut, 1, 1.0, 0.0),
    burst(Kind::Dust, 8, 3.0, 0.05),
];
const SMOKE: [Burst; 1] = [burst(Kind::Smoke, 14, 14.0, 0.3)];

impl Pool {
    fn give_off(&mut self, bursts: &[Burst], place: Vec2, flicker: bool) {
        for burst in bursts
            .iter()
            .filter(|burst| flicker || !burst.kind.flashes())
        {
            let count = if flicker {
                burst.count
            } else {
                burst.count.div_ceil(2)
            };
            for number in 0..count {
                let mut mote = born(self, burst.kind, place, burst.reach);
                // A negative age delays a mote: it lives in the pool but is invisible until its
                // time.
                mote.age = -burst.within * number as f32 / count as f32;
                self.burst(mote);
            }
        }
    }
}

/// Emits bursts for events in sight.
pub fn strike(
    game: Res<Game>,
    options: Res<Options>,
    mut sources: ResMut<Sources>,
    mut pool: ResMut<Pool>,
    mut happened: MessageReader<Happened>,
) {
    let view = game.view();
    for event in happened.read() {
        let found = of_flame(view, event.0, &mut sources.hand).or_else(|| of_body(view, event.0));
        if let Some((bursts, place)) = found {
            pool.give_off(bursts, place, options.flicker);
        }
    }
}

/// The burst where a flame catches or goes out. `hand` is the torch that was burning. Several
/// events may report that it goes out; `take` makes it go out once.
fn of_flame(
    view: View<'_>,
    event: GameEvent,
    hand: &mut Option<Vec2>,
) -> Option<(&'static [Burst], Vec2)> {
    let middle = |at: IVec2| place::of(at.as_vec2(), view.size());
    let thief = middle(view.thief().at);
    match event {
        GameEvent::Torch { lit: true } => {
            let tip = Picture::of_thief(view.thief(), 0).flame()?;
            Some((&FLARE, thief + up(tip)))
        }
        GameEvent::Torch { lit: false }
        | GameEvent::TorchSpent
        | GameEvent::Blackout(Blackout::Out) => Some((&OUT, thief + hand.take()?)),
        GameEvent::Lamp { kind, at, burning } if is_seen(view, at) => {
            let known = |at| view.memory(at).map(|memory| memory.tile);
            let tip = Picture::of_fixture(kind, true, at, known, 0)?.flame()?;
            let bursts: &[Burst] = if burning { &FLARE } else { &OUT };
            Some((bursts, middle(at) + up(tip)))
        }
        GameEvent::Burnt { whom, .. } => Some((&FLARE, middle(place_of(view, whom)?))),
        GameEvent::Smoke { at } if is_seen(view, at) => Some((&SMOKE, middle(at))),
        _ => None,
    }
}

/// The burst where a figure wades, is struck, or falls.
fn of_body(view: View<'_>, event: GameEvent) -> Option<(&'static [Burst], Vec2)> {
    let middle = |at: IVec2| place::of(at.as_vec2(), view.size());
    let feet = |at| middle(at) - Vec2::new(0.0, FEET);
    match event {
        GameEvent::Moved { to, .. } if is_seen(view, to) && is_water(view, to) => {
            Some((&SPLASH, feet(to)))
        }
        GameEvent::Struck { whom, damage, .. } => {
            let bursts: &[Burst] = if damage > 0 { &BLOW } else { &MISS };
            Some((bursts, middle(place_of(view, whom)?)))
        }
        GameEvent::Downed { guard, .. } => Some((&FALL, feet(place_of(view, Who::Guard(guard))?))),
        GameEvent::Shoved { to, .. } if is_seen(view, to) => Some((&MISS, feet(to))),
        _ => None,
    }
}

fn is_seen(view: View<'_>, at: IVec2) -> bool {
    view.sight(at) == Sight::Seen
}

fn is_water(view: View<'_>, at: IVec2) -> bool {
    let tile = view.memory(at).map(|memory| memory.tile);
    tile == Some(Tile::Ground(Ground::Water))
}

/// The cell of a visible figure.
fn place_of(view: View<'_>, who: Who) -> Option<IVec2> {
    match who {
        Who::Thief => Some(view.thief().at),
        Who::Guard(id) => {
            let mut guards = view.guards();
            guards.find(|guard| guard.id == id).map(|guard| guard.at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::scene::particles::pool::MOST;

    const SCREEN: Rect = Rect {
        min: Vec2::splat(-100.0),
        max: Vec2::splat(100.0),
    };

    fn motes(pool: &Pool) -> usize {
        (0..MOST)
            .filter(|&place| pool.look(place).is_some())
            .count()
    }

    fn sources(kind: Kind, place: Vec2, rate: f32) -> Sources {
        Sources {
            all: vec![Source {
                kind,
                place,
                reach: Vec2::ONE,
                rate,
            }],
            ..default()
        }
    }

    #[test]
    fn emitters_off_screen_are_skipped() {
        for (place, expected) in [(Vec2::ZERO, true), (Vec2::splat(101.0), false)] {
            let mut pool = Pool::default();
            let sources = sources(Kind::Spark, place, 1e6);
            sources.give_off(&mut pool, 0.1, SCREEN, None, true);
            assert_eq!(motes(&pool) > 0, expected, "{place}");
        }
    }

    #[test]
    fn no_flashes_without_flicker() {
        for (kind, expected) in [(Kind::Spark, false), (Kind::Wisp, true)] {
            let mut pool = Pool::default();
            let sources = sources(kind, Vec2::ZERO, 1e6);
            sources.give_off(&mut pool, 0.1, SCREEN, None, false);
            assert_eq!(motes(&pool) > 0, expected, "{kind:?}");
        }
        let mut pool = Pool::default();
        pool.give_off(&FLARE, Vec2::ZERO, false);
        assert_eq!(motes(&pool), 0);
    }

    #[test]
    fn torch_emits_at_the_hand() {
        let torch = Sources {
            hand: Some(Vec2::new(5.0, 4.0)),
            ..default()
        };
        let mut pool = Pool::default();
        torch.give_off(&mut pool, 1e6, SCREEN, None, true);
        assert_eq!(motes(&pool), 0, "no thief is drawn");
        torch.give_off(&mut pool, 1e6, SCREEN, Some(Vec2::splat(40.0)), true);
        let near = |look: super::super::mote::Look| {
            look.place.truncate().distance(Vec2::new(45.0, 44.0)) < 6.0
        };
        let all: Vec<_> = (0..MOST).filter_map(|place| pool.look(place)).collect();
        assert!(!all.is_empty() && all.into_iter().all(near));
    }
}
