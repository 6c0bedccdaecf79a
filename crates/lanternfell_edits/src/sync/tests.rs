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
    let packet = seal(pair.server.session(1), &ToServer::Edits(pieces));
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

/// An honest client of author 1 that has joined an empty server.
fn empty(limits: ServerLimits) -> Pair {
    let base = Arc::new(FlatBase::default());
    let mut server = TerrainServer::new(Edits::new(base.clone()), "flat", limits).unwrap();
    server.connect(1, Duration::ZERO);
    let mut pair = Pair {
        server,
        client: TerrainClient::new(1, base, "flat", EditLimits::default()),
        now: Duration::ZERO,
        asked: BTreeSet::new(),
    };
    pair.run(10);
    pair.check();
    pair
}

impl Pair {
    /// Sends a made up packet of the client.
    fn forge(&mut self, message: &ToServer) -> Received {
        let session = match message {
            ToServer::Hello { .. } => 0,
            _ => self.server.session(1),
        };
        let packet = seal(session, message);
        self.server.receive(1, &packet, self.now).unwrap()
    }

    /// The bytes that the server sends now.
    fn sent(&mut self) -> usize {
        let sent = self.server.send(self.now);
        sent.iter().map(|(_, packet)| packet.bytes().len()).sum()
    }
}

fn hello(greeting: u32, answered: u32) -> ToServer {
    ToServer::Hello { greeting, answered }
}

fn image(side: i32) -> Brush {
    let heights: Vec<i32> = (0..side * side).map(|at| at % 900_000).collect();
    let image = crate::StampImage::new(side as u32, heights).unwrap();
    Brush::Stamp { image }
}

/// A reviewer's finding: the server sent the first pieces again and again, and never the last ones.
#[test]
fn the_largest_stamp_reaches_a_late_joiner_over_a_lossy_network() {
    let mut pair = empty(LIMITS);
    let stamp = Stroke::along(image(512), 4096, [[0, 0]]);
    pair.server.stroke(9, stamp).unwrap();
    // The connected client receives it in parts.
    let first: usize = pair.sent();
    assert!(first < 200_000, "{first} bytes at once");
    let mut rng = lanternfell_random::SeededRng::new(1, b"lossy   ");
    pair.server.connect(1, pair.now);
    pair.client = TerrainClient::new(
        1,
        pair.server.edits().base().clone(),
        "flat",
        EditLimits::default(),
    );
    let mut bytes = 0;
    for _ in 0..400 {
        if pair.client.is_ready() {
            break;
        }
        pair.now += Duration::from_millis(50);
        for packet in pair.client.send(pair.now) {
            if !rng.percent(5) {
                pair.server.receive(1, &packet, pair.now).unwrap();
            }
        }
        for (_, packet) in pair.server.send(pair.now) {
            bytes += packet.bytes().len();
            if !rng.percent(5) {
                pair.client.receive(&packet).unwrap();
            }
        }
    }
    pair.check();
    assert!(bytes < 1_200_000, "{bytes} bytes");
    assert_eq!(pair.client.incomplete_bytes(), 0);
}

/// A reviewer's finding: `Hello` raised the number and kept what was stored, again and again.
#[test]
fn edits_that_wait_use_limited_memory() {
    let limits = ServerLimits {
        bytes: Allowance {
            per_second: 4096,
            most: 20_000,
        },
        ..LIMITS
    };
    let mut pair = empty(limits);
    for round in 0..50 {
        for number in round * 60 + 2..round * 60 + 64 {
            // The first pieces of edits of 15 pieces.
            let first = Piece::some(number, &[0; 15_000], 0..1).collect();
            pair.forge(&ToServer::Edits(first));
            // And small ones.
            pair.forge(&ToServer::Edits(Piece::of(number + 1, &[0; 900]).collect()));
        }
        assert!(pair.server.kept_bytes(1) <= 20_000);
        pair.forge(&hello(1, (round as u32 + 1) * 60));
    }
    // The next one in order has space in any case.
    assert!(pair.server.kept_bytes(1) > 10_000);
    let pieces = Piece::of(61, &[0; 15_000]);
    let received: Vec<Received> = pieces
        .map(|piece| pair.forge(&ToServer::Edits(vec![piece])))
        .collect();
    let refused = received.iter().flat_map(|received| &received.refused);
    let refused: Vec<u32> = refused.map(|(id, _)| id.sequence).collect();
    assert_eq!(refused, [61]);
    assert_eq!(pair.server.kept_bytes(1), 0);
}

/// What waits is forgotten when its number is skipped.
#[test]
fn skipped_edits_are_forgotten() {
    let mut pair = empty(LIMITS);
    for number in 2..40 {
        pair.forge(&ToServer::Edits(Piece::of(number, &[0; 900]).collect()));
    }
    assert_eq!(pair.server.kept_bytes(1), 38 * 900);
    pair.forge(&hello(2, 30));
    assert_eq!(pair.server.kept_bytes(1), 9 * 900);
}

/// A reviewer's finding: a single `Hello` used up all numbers of an author.
#[test]
fn greetings_cannot_use_up_the_numbers_of_an_author() {
    let mut pair = empty(LIMITS);
    pair.forge(&hello(7, u32::MAX));
    pair.client.stroke(click([0, 0], 5)).unwrap();
    pair.run(20);
    pair.check();
    // The server has processed an edit, so it knows the numbers.
    pair.forge(&hello(7, 1000));
    pair.client.stroke(click([0, 0], 5)).unwrap();
    pair.run(20);
    pair.check();
    assert_eq!(pair.client.pending(), 0);
    assert_eq!(pair.server.edits().len(), 2);
}

/// A reviewer's finding: a packet could cause the server to encode a large entry 190 times.
#[test]
fn a_packet_is_answered_once_and_within_the_allowance() {
    let mut pair = empty(LIMITS);
    pair.client
        .stroke(Stroke::along(image(200), 2048, [[0, 0]]))
        .unwrap();
    pair.run(60);
    pair.check();
    let repeated = || {
        let pieces = (0..60).flat_map(|_| Piece::of(1, b"again"));
        ToServer::Edits(pieces.collect())
    };
    pair.now += Duration::from_secs(10);
    pair.sent();
    pair.forge(&repeated());
    let sent = pair.sent();
    assert!(sent < 1200, "{sent} bytes");
    // Questions for the large entry cost more than what is sent.
    let before = pair.server.replies_left(1);
    let time = pair.server.edits().clock();
    pair.forge(&ToServer::Pieces(vec![(time, u16::MAX, 1); 60]));
    assert!(pair.server.replies_left(1) < before);
    // And nothing is left after many of them.
    for _ in 0..100 {
        pair.forge(&ToServer::Pieces(vec![(time, 0, 1); 20]));
    }
    let left = pair.server.replies_left(1);
    assert!(left < 1200, "{left} bytes");
    pair.sent();
    pair.forge(&repeated());
    pair.forge(&ToServer::Entries(vec![(1, 5)]));
    pair.forge(&hello(9, 0));
    assert_eq!(pair.server.replies_left(1), left);
    assert_eq!(pair.sent(), 0);
}

/// A reviewer's finding: rows of paint have four planes and cost as much as others.
#[test]
fn rows_cost_what_packing_them_takes() {
    let mut pair = empty(LIMITS);
    for brush in [Brush::Raise { mm: 5 }, Brush::Paint { layer: 1 }] {
        let stroke = Stroke::along(brush, 2000, [[32 * 256, 32 * 256]]);
        pair.server.stroke(9, stroke).unwrap();
    }
    for _ in 0..60 {
        pair.server.stroke(9, click([9, 9], 100)).unwrap();
    }
    pair.run(20);
    let checkpoint = pair.server.edits().compacted_before();
    let mut price = |channel, rows| {
        pair.now += Duration::from_secs(10);
        pair.sent();
        let before = {
            pair.forge(&ToServer::Rows(checkpoint, Vec::new()));
            pair.server.replies_left(1)
        };
        let address = TileAddress::new(channel, 0, 0);
        pair.forge(&ToServer::Rows(checkpoint, vec![(address, rows)]));
        before - pair.server.replies_left(1)
    };
    use crate::Channel::{Heights, Holes, Paint};
    let (one, whole) = (price(Heights, 1), price(Heights, u64::MAX));
    assert!((512..4000).contains(&whole) && one < 200, "{one} {whole}");
    let paint = price(Paint, u64::MAX);
    assert!(paint >= 2048, "{paint}");
    assert_eq!(price(Holes, u64::MAX), 0);
}

/// A reviewer's finding: sessions were counted from 1, so a client mistook a new server for the old one.
#[test]
fn a_client_notices_a_new_server() {
    let mut pair = empty(LIMITS);
    for at in 0..3 {
        pair.client.stroke(click([at, 0], 5)).unwrap();
        pair.run(5);
    }
    pair.check();
    for reconnects in [true, false] {
        let base = pair.server.edits().base().clone();
        pair.server = TerrainServer::new(Edits::new(base), "flat", LIMITS).unwrap();
        pair.now += Duration::from_secs(1);
        pair.server.connect(1, pair.now);
        if reconnects {
            pair.client.reconnect();
        } else {
            // The first packet shows it.
            pair.client.stroke(click([5, 5], 5)).unwrap();
        }
        pair.run(40);
        pair.check();
        assert_eq!(pair.client.pending(), 0);
        assert_eq!(pair.server.edits().len(), usize::from(!reconnects));
    }
    // The answer to an old greeting arrives late.
    let session = pair.server.session(1);
    let late = seal(
        77,
        &ToClient::Welcome {
            greeting: 1,
            base: "flat".into(),
            sequence: 0,
            state: packet::ServerState {
                checkpoint: 0,
                root: 0,
                next: 1,
            },
        },
    );
    pair.client.receive(&late).unwrap();
    pair.client.stroke(click([6, 6], 5)).unwrap();
    pair.run(20);
    pair.check();
    assert_eq!(pair.server.session(1), session);
    assert_eq!(pair.server.edits().len(), 2);
}

/// Clients ask for the next entries as soon as the last ones have arrived.
#[test]
fn a_long_log_arrives_without_pauses() {
    let limits = ServerLimits {
        history: 2000,
        ..LIMITS
    };
    let mut pair = empty(limits);
    for _ in 0..1200 {
        pair.server.stroke(9, click([0, 0], 5)).unwrap();
    }
    pair.server.connect(1, pair.now);
    pair.client.reconnect();
    let start = pair.now;
    while !pair.client.is_ready() {
        pair.run(1);
    }
    pair.check();
    // A greeting, 100 ms of patience, and five questions.
    let time = pair.now - start;
    assert!(time <= Duration::from_millis(500), "{time:?}");
}

/// A reviewer's finding: pieces of entries that had already arrived were kept for good.
#[test]
fn repeated_pieces_are_not_kept() {
    let mut pair = empty(LIMITS);
    let stamp = || Stroke::along(image(40), 512, [[0, 0]]);
    pair.server.stroke(9, stamp()).unwrap();
    pair.server.stroke(9, stamp()).unwrap();
    let sent = pair.server.send(pair.now);
    // All pieces but two of the first entry, and then one of the second entry again.
    for (_, packet) in sent[2..].iter().chain(&sent[6..7]) {
        pair.client.receive(packet).unwrap();
    }
    let of_the_first = 4 * Piece::BYTES;
    assert_eq!(pair.client.incomplete_bytes(), of_the_first);
    pair.run(20);
    pair.check();
    assert_eq!(pair.client.incomplete_bytes(), 0);
}

/// A reviewer's finding: what had changed before an error was never reported.
#[test]
fn changes_before_an_error_are_reported_later() {
    let base = Arc::new(FlatBase::default());
    let limits = EditLimits {
        tiles: 2,
        ..EditLimits::default()
    };
    let mut pair = empty(LIMITS);
    pair.client = TerrainClient::new(1, base, "flat", limits);
    pair.server.connect(1, pair.now);
    pair.run(10);
    for column in 0..3 {
        pair.server.stroke(9, click([column, 0], 5)).unwrap();
    }
    let sent = pair.server.send(pair.now);
    let results = sent.iter().map(|(_, packet)| pair.client.receive(packet));
    let results: Vec<_> = results.collect();
    assert!(results.iter().any(Result::is_err), "{results:?}");
    let mut changes: Vec<Change> = Vec::new();
    changes.extend(
        results
            .into_iter()
            .flatten()
            .flat_map(|received| received.changes),
    );
    let late = seal(77, &ToClient::Refused(Vec::new()));
    changes.extend(pair.client.receive(&late).unwrap().changes);
    let columns = changes.iter().map(|change| change.area.column / 64);
    assert_eq!(columns.collect::<Vec<_>>(), [0, 1]);
}

/// A reviewer's finding: for a client that never begins its session, the server encoded the log again and
/// again. It also receives nothing.
#[test]
fn clients_that_never_greet_receive_nothing() {
    let mut pair = empty(LIMITS);
    pair.server.connect(2, pair.now);
    pair.server.stroke(9, click([0, 0], 5)).unwrap();
    let sent = pair.server.send(pair.now);
    assert!(!sent.is_empty() && sent.iter().all(|(author, _)| *author == 1));
    pair.run(10);
    pair.check();
}
