//! Packets that are damaged, foreign, made up or sent by the wrong author.

use std::time::Duration;

use lanternfell_edits::{Brush, Edits, Stroke, SyncError, TerrainClient, TerrainPacket};
use lanternfell_random::{Fnv1a, SeededRng};
use lanternfell_test_support::cases;

use crate::{
    network::{GOOD, World},
    players::play,
    sharing::busy,
};

/// A world with a history, a client in a session, and packets of all kinds in both directions.
fn recorded() -> (World, [Vec<TerrainPacket>; 2]) {
    let mut rng = SeededRng::new(1, b"hostile ");
    let mut world = World::new(1, busy(), GOOD);
    world.join(1);
    world.settle();
    for _ in 0..300 {
        play(world.client(1), &mut rng);
        world.step();
    }
    world.settle();
    // A second client, whose packets are recorded while it joins and edits.
    world.server.connect(2, world.now);
    let mut client = crate::network::client(2);
    let mut packets = [Vec::new(), Vec::new()];
    for step in 0..60 {
        world.now += crate::network::STEP;
        if step > 30 {
            play(&mut client, &mut rng);
        }
        for packet in client.send(world.now) {
            world.server.receive(2, &packet, world.now).unwrap();
            packets[0].push(packet);
        }
        for (author, packet) in world.server.send(world.now) {
            if author == 2 {
                client.receive(&packet).unwrap();
                packets[1].push(packet);
            }
        }
    }
    assert!(client.is_ready() && packets[0].len() > 20 && packets[1].len() > 40);
    world.clients.insert(2, client);
    (world, packets)
}

/// Replaces the checksum by the right one.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 7 {
        let hash = Fnv1a::of_bytes(bytes[7..].iter().copied());
        bytes[3..7].copy_from_slice(&(hash as u32).to_le_bytes());
    }
    bytes
}

fn damage(rng: &mut SeededRng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len() as u64) as usize;
    match rng.below(5) {
        0 => bytes.truncate(at),
        1 => drop(bytes.splice(at..at, [rng.word() as u8; 9])),
        // A huge count.
        2 => drop(bytes.splice(at..(at + 5).min(bytes.len()), [255, 255, 255, 255, 15])),
        3 => bytes[at] ^= 1 << rng.below(8),
        _ => bytes[at] = rng.word() as u8,
    }
}

/// Without a new checksum, damaged packets change nothing at all.
#[test]
fn damaged_packets_are_errors_and_change_nothing() {
    let (mut world, packets) = recorded();
    let mut rng = SeededRng::new(2, b"hostile ");
    let before = [world.server.edits(), world.clients[&2].edits()].map(Edits::to_bytes);
    for _ in 0..cases(2000, 200_000) {
        let to_server = rng.percent(50);
        let original = rng.pick(&packets[usize::from(!to_server)]).unwrap();
        let mut bytes = original.bytes().to_vec();
        damage(&mut rng, &mut bytes);
        if bytes == original.bytes() {
            continue;
        }
        let packet = TerrainPacket::from(bytes);
        let now = world.now;
        let received = match to_server {
            true => world.server.receive(2, &packet, now),
            false => world.client(2).receive(&packet),
        };
        assert!(received.is_err());
    }
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..rng.below(1500)).map(|_| rng.word() as u8).collect();
        let packet = TerrainPacket::from(bytes);
        let now = world.now;
        assert!(world.server.receive(2, &packet, now).is_err());
        assert!(world.client(2).receive(&packet).is_err());
    }
    let after = [world.server.edits(), world.clients[&2].edits()].map(Edits::to_bytes);
    assert!(before == after);
}

/// With a correct checksum, a hostile client can send anything. The server accepts only edits of this
/// author that are allowed, and goes on.
#[test]
fn made_up_packets_do_no_harm() {
    let (mut world, packets) = recorded();
    let mut rng = SeededRng::new(3, b"hostile ");
    let clock = world.server.edits().clock();
    let mut errors = 0;
    for case in 0..cases(2000, 200_000) {
        let to_server = rng.percent(50);
        let mut bytes = rng
            .pick(&packets[usize::from(!to_server)])
            .unwrap()
            .bytes()
            .to_vec();
        for _ in 0..=rng.below(2) {
            if !bytes.is_empty() {
                damage(&mut rng, &mut bytes);
            }
        }
        let packet = TerrainPacket::from(sealed(bytes));
        world.now += Duration::from_millis(1);
        let now = world.now;
        let received = match to_server {
            true => world.server.receive(2, &packet, now),
            false => world.client(2).receive(&packet),
        };
        errors += usize::from(received.is_err());
        if case % 50 == 0 {
            let sent = world.server.send(now);
            let bytes: usize = sent.iter().map(|(_, packet)| packet.bytes().len()).sum();
            assert!(bytes < 4 << 20, "{bytes} bytes");
            world.client(2).send(now);
        }
    }
    assert!(errors > 100);
    world.record();
    let new = world.accepted.iter().filter(|entry| entry.time > clock);
    assert!(new.into_iter().all(|entry| entry.id.author == 2));
    // Others are not affected, and the author can come back.
    world.join(2);
    world.step();
    world.settle();
    world.check();
}

/// Plays the packets of one author in the name of another one.
#[test]
fn edits_in_the_name_of_another_author_are_refused() {
    let (mut world, packets) = recorded();
    world.record();
    let bytes = world.server.edits().to_bytes();
    let now = world.now;
    assert_eq!(
        world.server.receive(8, &packets[0][0], now),
        Err(SyncError::NotConnected { author: 8 })
    );
    world.server.connect(8, now);
    // Packets that author 2 sends from now on, before it receives an answer.
    let mut forged = Vec::new();
    let dig = || Stroke::along(Brush::Lower { mm: 5 }, 300, [[0, 0]]);
    for _ in 0..3 {
        world.client(2).stroke(dig()).unwrap();
        forged.extend(world.client(2).send(now));
    }
    for packet in packets[0].iter().chain(&forged) {
        world.server.receive(8, packet, now).unwrap();
    }
    assert!(world.server.edits().to_bytes() == bytes);
}

#[test]
fn errors_name_what_is_wrong() {
    let (world, packets) = recorded();
    let mut client: TerrainClient = crate::network::client(2);
    drop(world);
    let mut error = |change: fn(&mut Vec<u8>)| {
        let mut bytes = packets[1][0].bytes().to_vec();
        change(&mut bytes);
        let packet = TerrainPacket::from(bytes);
        client.receive(&packet).unwrap_err().to_string()
    };
    assert_eq!(
        error(Vec::clear),
        "the bytes are not a packet of terrain edits"
    );
    assert_eq!(
        error(|bytes| bytes[0] = b'X'),
        "the bytes are not a packet of terrain edits"
    );
    assert_eq!(
        error(|bytes| bytes[2] = 9),
        "the packet has version 9, but this release reads version 1"
    );
    assert_eq!(error(|bytes| bytes.truncate(9)), "the packet is damaged");
    assert_eq!(
        error(|bytes| bytes.resize(1201, 0)),
        "the packet has 1201 bytes, but at most 1200 are allowed"
    );
    assert_eq!(
        error(|bytes| {
            bytes.push(0);
            *bytes = sealed(std::mem::take(bytes));
        }),
        "the packet is malformed"
    );
}
