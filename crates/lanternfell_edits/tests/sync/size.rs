//! The bytes that a late join takes.

use std::time::Duration;

use lanternfell_edits::{Brush, Falloff, ServerLimits, Stroke};
use lanternfell_random::SeededRng;

use crate::network::{BAD, GOOD, Quality, World};

/// Where a player digs: a place, and how far from it.
struct Site {
    center: [i64; 2],
    reach: i32,
}

/// A cell is a meter.
const METER: i64 = 256;

/// One stroke of typical play: a drag of 10 to 30 m with a brush of 2 to 6 m, which turns at several
/// corners. Most strokes dig or build up to 1.2 m, as about six dabs overlap. Some smooth, flatten or
/// paint.
fn typical(rng: &mut SeededRng, site: &Site) -> Stroke {
    let brush = match rng.below(20) {
        0..11 => Brush::Lower {
            mm: rng.within(50, 200),
        },
        11..15 => Brush::Raise {
            mm: rng.within(50, 200),
        },
        15 | 16 => Brush::Smooth { reach: 2 },
        17 | 18 => Brush::Flatten { mm: None },
        _ => Brush::Paint {
            layer: rng.below(4) as u8,
        },
    };
    let reach = site.reach * METER as i32;
    let mut at = site
        .center
        .map(|axis| axis + i64::from(rng.within(-reach, reach)));
    let mut points = vec![at];
    for _ in 0..rng.within(2, 5) {
        at = at.map(|axis| axis + i64::from(rng.within(-1800, 1800)));
        points.push(at);
    }
    Stroke {
        falloff: *rng.pick(&[Falloff::Smooth, Falloff::Dome]).unwrap(),
        ..Stroke::along(brush, rng.within(512, 1536) as u32, points)
    }
}

/// An hour of four players, each with a stroke every 2 s. Each digs for 5 minutes at a place, up to 20 m
/// around it, and then goes to another one. Then they go on until the log has as many entries as it can
/// have before the server compacts it.
fn hour(world: &mut World, places: usize) {
    let mut rng = SeededRng::new(6, b"hour    ");
    let site = |_| Site {
        center: [(); 2].map(|()| i64::from(rng.within(-300, 300)) * METER),
        reach: 20,
    };
    let sites: Vec<Site> = (0..places).map(site).collect();
    let longest = 2 * ServerLimits::default().history - 1;
    let visits = (0..).map(|visit| [0, 1, 2, 3].map(|player| (4 * visit + player) * 7 % places));
    for (visit, places) in visits.enumerate() {
        for _ in 0..150 {
            for (author, place) in (1..).zip(places) {
                if visit >= 12 && world.server.edits().len() == longest {
                    return;
                }
                let stroke = typical(&mut rng, &sites[place]);
                world.server.stroke(author, stroke).unwrap();
            }
            world.now += Duration::from_secs(2);
        }
    }
}

/// Lets a new client join, and returns the bytes and the time that it takes.
fn join(world: &mut World, quality: Quality) -> (usize, Duration) {
    world.quality = quality;
    let start = world.now;
    world.join(9);
    world.settle();
    let client = world.clients.remove(&9).unwrap();
    assert!(client.edits().tiles().eq(world.server.edits().tiles()));
    assert_eq!(client.edits().len(), world.server.edits().len());
    world.server.disconnect(9);
    (world.received[&9], world.now - start)
}

#[test]
#[expect(clippy::print_stdout, reason = "prints its results")]
fn a_late_join_after_an_hour_takes_at_most_256_kib() {
    // Visited twice each, or all at different places.
    for places in [24, 48] {
        let mut world = World::new(6, ServerLimits::default(), GOOD);
        hour(&mut world, places);
        let server = world.server.edits();
        let (tiles, entries) = (server.tiles().count(), server.len());
        let whole = server.to_bytes().len() >> 10;
        println!("{places} places: {tiles} tiles, {entries} entries, {whole} KiB as a file");
        let (bytes, time) = join(&mut world, GOOD);
        println!("  late join: {} KiB in {time:?}", bytes >> 10);
        assert!(bytes <= 256 << 10, "{bytes} bytes");
        let (bytes, time) = join(&mut world, BAD);
        println!("  with 20 % loss: {} KiB in {time:?}", bytes >> 10);
        assert!(bytes <= 480 << 10, "{bytes} bytes");
    }
}
