//! Tests that look into packets.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{
    packet::{Piece, ToClient, ToServer, entry_bytes, open, seal},
    *,
};
use crate::{
    base::FlatBase,
    brush::Brush,
    cells::TileAddress,
    edits::{EditLimits, Edits},
    entry::{Entry, Operation},
    stroke::Stroke,
};

const LIMITS: ServerLimits = ServerLimits {
    radius: 4096,
    edits: Allowance {
        per_second: 1000,
        most: 1000,
    },
    cells: Allowance {
        per_second: 1 << 20,
        most: 1 << 20,
    },
    bytes: Allowance {
        per_second: 1 << 20,
        most: 1 << 20,
    },
    history: 20,
};

struct Pair {
    server: TerrainServer,
    client: TerrainClient,
    now: Duration,
    /// The tiles of which the client asked for rows.
    asked: BTreeSet<TileAddress>,
}

impl Pair {
    /// A server over 40 x 40 tiles with edits, and a client of author 1 that has joined.
    fn new() -> Self {
        let base = Arc::new(FlatBase::default());
        let mut server = TerrainServer::new(Edits::new(base.clone()), "flat", LIMITS).unwrap();
        for at in 0..1600 {
            server.stroke(9, click([at % 40, at / 40], 300)).unwrap();
        }
        server.connect(1, Duration::ZERO);
        let client = TerrainClient::new(1, base, "flat", EditLimits::default());
        let mut pair = Self {
            server,
            client,
            now: Duration::ZERO,
            asked: BTreeSet::new(),
        };
        pair.run(200);
        pair.check();
        assert!(pair.asked.len() > 1500);
        pair.asked.clear();
        pair
    }

    /// Delivers all packets of some steps.
    fn run(&mut self, steps: u32) {
        for _ in 0..steps {
            self.now += Duration::from_millis(50);
            for packet in self.client.send(self.now) {
                if let (_, ToServer::Rows(_, tiles)) = open(&packet).unwrap() {
                    self.asked.extend(tiles.iter().map(|(tile, _)| *tile));
                }
                self.server.receive(1, &packet, self.now).unwrap();
            }
            for (_, packet) in self.server.send(self.now) {
                self.client.receive(&packet).unwrap();
            }
        }
    }

    fn check(&self) {
        assert!(self.client.is_ready());
        let [ours, theirs] = [self.client.edits(), self.server.edits()];
        assert!(ours.tiles().eq(theirs.tiles()));
        assert!(ours.entries().eq(theirs.entries()));
    }
}

fn click(tile: [i64; 2], mm: i32) -> Stroke {
    let center = tile.map(|axis| (axis * 64 + 32) * 256);
    Stroke::along(Brush::Raise { mm }, 1000, [center])
}

/// While the connection is lost, the server compacts. The client asks for the tiles that differ.
#[test]
fn a_client_that_missed_a_checkpoint_asks_for_the_tiles_that_differ() {
    let mut pair = Pair::new();
    for at in 0..200 {
        pair.server.stroke(9, click([at % 5, 7], 100)).unwrap();
        pair.server.send(pair.now);
    }
    pair.run(40);
    pair.check();
    let changed = (0..5).map(|column| TileAddress::new(crate::Channel::Heights, column, 7));
    assert!(changed.eq(pair.asked.iter().copied()), "{:?}", pair.asked);
    // The same after a lost connection.
    pair.asked.clear();
    for _ in 0..200 {
        pair.server.stroke(9, click([39, 39], 100)).unwrap();
    }
    pair.server.connect(1, pair.now);
    pair.client.reconnect();
    pair.run(40);
    pair.check();
    let changed = TileAddress::new(crate::Channel::Heights, 39, 39);
    assert!(pair.asked.iter().eq([&changed]), "{:?}", pair.asked);
}

/// A client whose terrain differs, for any reason, notices it at the next checkpoint.
#[test]
fn a_wrong_tile_is_found_and_replaced() {
    let mut pair = Pair::new();
    let id = EditId {
        author: 77,
        sequence: 1,
    };
    let wrong = Entry {
        id,
        time: pair.client.edits().clock(),
        operation: Operation::Stroke(click([3, 12], 1)),
    };
    pair.client.edits_mut().insert(wrong).unwrap();
    for at in 0..60 {
        pair.server.stroke(9, click([at % 4, 30], 100)).unwrap();
        pair.run(1);
    }
    pair.run(40);
    pair.check();
    let wrong = TileAddress::new(crate::Channel::Heights, 3, 12);
    assert!(pair.asked.iter().eq([&wrong]), "{:?}", pair.asked);
}

/// A hostile client makes up its packets.
fn forged(pair: &mut Pair, id: EditId, operation: &Operation) -> Vec<Refusal> {
    let bytes = entry_bytes(id, operation);
    let pieces = Piece::of(id.sequence.into(), &bytes).collect();
    let packet = seal(1, &ToServer::Edits(pieces));
    let received = pair.server.receive(1, &packet, pair.now).unwrap();
    let sent = pair.server.send(pair.now + Duration::from_secs(1));
    let refused = sent
        .iter()
        .filter_map(|(_, packet)| match open(packet).unwrap().1 {
            ToClient::Refused(refused) => Some(refused),
            _ => None,
        });
    let told: Vec<Refusal> = refused.flatten().map(|(_, refusal)| refusal).collect();
    let refused = received.refused.into_iter().map(|(_, refusal)| refusal);
    assert_eq!(told, refused.collect::<Vec<_>>());
    told
}

#[test]
fn strokes_of_others_drags_and_foreign_names_are_refused() {
    let mut pair = Pair::new();
    let before = pair.server.edits().to_bytes();
    let theirs = EditId {
        author: 9,
        sequence: 1600,
    };
    assert!(pair.server.edits().is_active(theirs));
    let stroke = click([0, 0], 5);
    let invalid = Stroke {
        strength: 2000,
        ..stroke.clone()
    };
    let cases = [
        (
            1,
            Operation::Undo(theirs),
            "stroke 1600 belongs to author 9: only an author's own strokes can be undone or brought back",
        ),
        (
            1,
            Operation::Redo(theirs),
            "stroke 1600 belongs to author 9: only an author's own strokes can be undone or brought back",
        ),
        (
            1,
            Operation::Undo(EditId {
                author: 1,
                sequence: 77,
            }),
            "the log has no stroke 77 of author 1",
        ),
        (1, Operation::Drag(stroke.clone()), "the edit is malformed"),
        (9, Operation::Stroke(stroke), "the edit is malformed"),
        (
            1,
            Operation::Stroke(invalid),
            "the strength of the stroke is 2000, but must be from 0 to 1000",
        ),
    ];
    for (at, (author, operation, message)) in (1..).zip(cases) {
        let id = EditId {
            author,
            sequence: at,
        };
        let refused = forged(&mut pair, id, &operation);
        let texts: Vec<String> = refused.iter().map(ToString::to_string).collect();
        assert_eq!(texts, [message]);
    }
    assert!(pair.server.edits().to_bytes() == before);
}

/// A limit of the client ends its drag, which would otherwise block its later edits.
#[test]
fn a_drag_without_space_ends() {
    let base = Arc::new(FlatBase::default());
    let mut server = TerrainServer::new(Edits::new(base.clone()), "flat", LIMITS).unwrap();
    let limits = EditLimits {
        tiles: 3,
        ..EditLimits::default()
    };
    server.connect(1, Duration::ZERO);
    let mut pair = Pair {
        server,
        client: TerrainClient::new(1, base, "flat", limits),
        now: Duration::ZERO,
        asked: BTreeSet::new(),
    };
    pair.run(10);
    pair.client.start_drag(click([0, 0], 5)).unwrap();
    for column in 1..4 {
        pair.server.stroke(9, click([column, 0], 5)).unwrap();
    }
    for (_, packet) in pair.server.send(pair.now) {
        pair.client.receive(&packet).unwrap();
    }
    pair.client.stroke(click([1, 0], 5)).unwrap();
    for packet in pair.client.send(pair.now) {
        pair.server.receive(1, &packet, pair.now).unwrap();
    }
    let deltas = [32, 96].map(|column| pair.server.edits().delta_mm(column, 32));
    assert_eq!(deltas, [5, 10]);
}
