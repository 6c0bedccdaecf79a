//! In the end all clients have the terrain of the server.

use lanternfell_edits::{Allowance, Brush, Edits, Refusal, ServerLimits, Stroke, TerrainServer};
use lanternfell_random::SeededRng;
use lanternfell_test_support::cases;

use crate::{
    network::{BAD, GOOD, World, edits},
    players::{play, stroke},
};

/// Many edits per second, and a short history.
pub fn busy() -> ServerLimits {
    let allowance = Allowance {
        per_second: 1 << 22,
        most: 1 << 22,
    };
    ServerLimits {
        radius: 2048,
        edits: allowance,
        cells: allowance,
        bytes: allowance,
        history: 100,
    }
}

/// Four clients, 20 % loss, reordering, a kill and rejoin, and a lost connection.
#[test]
fn no_tile_differs_after_many_edits_over_a_bad_network() {
    let count = cases(1000, 100_000) as usize;
    let mut rng = SeededRng::new(1, b"sharing ");
    let mut world = World::new(1, busy(), BAD);
    for author in 1..=4 {
        world.join(author);
    }
    world.settle();
    let mut rejoined = 0;
    for step in 1_u32.. {
        if world.accepted.len() >= count {
            break;
        }
        for client in world.clients.values_mut() {
            if rng.percent(60) {
                play(client, &mut rng);
            }
        }
        world.step();
        match step % 300 {
            // A kill: the client and all that it knew are gone.
            100 => drop(world.clients.remove(&2)),
            150 => {
                world.join(2);
                rejoined += 1;
            }
            // A lost connection.
            200 => world.server.disconnect(3),
            240 => {
                world.reconnect(3);
                rejoined += 1;
            }
            _ => {}
        }
    }
    world.reconnect(3);
    world.settle();
    world.check();
    assert!(rejoined >= 2 && world.accepted.len() >= count);
    let [server, clients] = &world.refused;
    let is_radius = |refusal: &Refusal| matches!(refusal, Refusal::Radius { most: 2048, .. });
    assert!(server.iter().any(|(_, refusal)| is_radius(refusal)));
    assert!(clients.iter().any(|(_, refusal)| is_radius(refusal)));
}

#[test]
fn clients_see_their_own_edits_at_once_and_those_of_others_soon() {
    let mut world = World::new(2, busy(), GOOD);
    world.join(1);
    world.join(2);
    world.settle();
    let dig = || Stroke::along(Brush::Lower { mm: 700 }, 1024, [[0, 0]]);
    world.client(1).stroke(dig()).unwrap();
    assert_eq!(world.client(1).edits().delta_mm(0, 0), -700);
    assert_eq!(world.server.edits().delta_mm(0, 0), 0);
    world.settle();
    world.step();
    assert_eq!(world.client(2).edits().delta_mm(0, 0), -700);
    world.client(2).stroke(dig()).unwrap();
    world.client(1).undo().unwrap();
    world.settle();
    world.step();
    for author in [1, 2] {
        assert_eq!(world.client(author).edits().delta_mm(0, 0), -700);
    }
    world.client(1).redo().unwrap();
    world.settle();
    assert_eq!(world.server.edits().delta_mm(0, 0), -1400);
    world.check();
}

/// Both flatten to the height under the first point at the same time. The server's order counts.
#[test]
fn strokes_at_the_same_time_are_in_the_order_of_the_server() {
    for seed in 0..u64::from(cases(6, 40)) {
        let mut rng = SeededRng::new(seed, b"same    ");
        let mut world = World::new(seed, busy(), BAD);
        world.join(1);
        world.join(2);
        world.settle();
        for _ in 0..6 {
            for author in [1, 2] {
                let stroke = stroke(&mut rng, 20);
                world.client(author).stroke(stroke).unwrap();
            }
            world.step();
        }
        world.settle();
        world.check();
    }
}

#[test]
fn a_saved_server_continues_with_its_history() {
    let mut rng = SeededRng::new(4, b"saved   ");
    let mut world = World::new(4, busy(), GOOD);
    world.join(1);
    world.settle();
    for _ in 0..250 {
        let stroke = stroke(&mut rng, 100);
        world.client(1).stroke(stroke).unwrap();
        world.step();
    }
    // The numbers of refused edits are not in the file.
    for _ in 0..3 {
        let large = Stroke::along(Brush::Hole, 9000, [[0, 0]]);
        world.client(1).stroke(large).unwrap();
    }
    world.settle();
    assert_eq!(world.refused[1].len(), 3);
    let bytes = world.server.edits().to_bytes();
    let base = world.server.edits().base().clone();
    let read = Edits::from_bytes(&bytes, base, Default::default()).unwrap();
    let left = read.len();
    assert!(left > 100);
    world.server = TerrainServer::new(read, "rough", busy()).unwrap();
    assert_eq!(world.server.edits().len(), left);
    world.reconnect(1);
    world.step();
    world.settle();
    assert!(world.client(1).undo().unwrap().is_some());
    world.settle();
    world.record();
    world.check();
}

/// A log that was made without a server has other times.
#[test]
fn any_log_can_be_shared() {
    let mut rng = SeededRng::new(5, b"any     ");
    let mut log = edits();
    for author in 0..40 {
        log.stroke(author, stroke(&mut rng, 100)).unwrap();
    }
    let mut copy = edits();
    for entry in log.entries().filter(|entry| entry.time % 3 > 0) {
        copy.insert(entry.clone()).unwrap();
    }
    let mut world = World::new(5, busy(), BAD);
    world.server = TerrainServer::new(copy.clone(), "rough", busy()).unwrap();
    world.join(1);
    world.step();
    world.settle();
    assert!(world.client(1).edits().tiles().eq(copy.tiles()));
    let stroke = stroke(&mut rng, 100);
    world.client(1).stroke(stroke.clone()).unwrap();
    world.settle();
    copy.stroke(1, stroke).unwrap();
    assert!(world.server.edits().tiles().eq(copy.tiles()));
}
