//! A simulated network.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lanternfell_edits::{
    BaseHeights, CellRect, EditId, EditLimits, Edits, Entry, Received, Refusal, ServerLimits,
    SyncError, TerrainClient, TerrainPacket, TerrainServer,
};
use lanternfell_random::SeededRng;

/// The time of a step.
pub const STEP: Duration = Duration::from_millis(50);

/// Rough terrain without borders.
pub struct Rough;

impl BaseHeights for Rough {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        let rows = heights.chunks_exact_mut(area.columns as usize);
        for (row, heights) in (area.row..).zip(rows) {
            for (column, height) in (area.column..).zip(heights) {
                let waves = column.wrapping_mul(37).wrapping_add(row.wrapping_mul(91)) % 3000;
                *height = waves as i32;
            }
        }
    }
}

/// How bad the network is, in percent of packets.
#[derive(Clone, Copy)]
pub struct Quality {
    pub lost: u32,
    pub repeated: u32,
    /// The longest delay in steps.
    pub delay: u64,
}

pub const GOOD: Quality = Quality {
    lost: 0,
    repeated: 0,
    delay: 1,
};

pub const BAD: Quality = Quality {
    lost: 20,
    repeated: 5,
    delay: 5,
};

/// A packet on its way to the server or to a client.
struct Sent {
    arrives: Duration,
    author: u32,
    to_server: bool,
    packet: TerrainPacket,
}

pub struct World {
    pub server: TerrainServer,
    pub clients: BTreeMap<u32, TerrainClient>,
    pub now: Duration,
    pub quality: Quality,
    /// All entries that the server ever accepted.
    pub accepted: Vec<Entry>,
    /// What the server and the clients refused and took back.
    pub refused: [Vec<(EditId, Refusal)>; 2],
    /// The bytes to each client.
    pub received: BTreeMap<u32, usize>,
    sent: Vec<Sent>,
    pub rng: SeededRng,
}

pub fn edits() -> Edits {
    let limits = EditLimits {
        checkpoint_strokes: 16,
        checkpoint_tiles: 200,
        ..EditLimits::default()
    };
    Edits::with_limits(Arc::new(Rough), limits)
}

pub fn client(author: u32) -> TerrainClient {
    TerrainClient::new(author, Arc::new(Rough), "rough", EditLimits::default())
}

impl World {
    pub fn new(seed: u64, limits: ServerLimits, quality: Quality) -> Self {
        Self {
            server: TerrainServer::new(edits(), "rough", limits).unwrap(),
            clients: BTreeMap::new(),
            now: Duration::ZERO,
            quality,
            accepted: Vec::new(),
            refused: Default::default(),
            received: BTreeMap::new(),
            sent: Vec::new(),
            rng: SeededRng::new(seed, b"network "),
        }
    }

    /// Connects a new client.
    pub fn join(&mut self, author: u32) {
        self.server.connect(author, self.now);
        self.clients.insert(author, client(author));
        self.received.insert(author, 0);
    }

    /// Connects a client again that has kept its terrain.
    pub fn reconnect(&mut self, author: u32) {
        self.server.connect(author, self.now);
        self.client(author).reconnect();
    }

    pub fn client(&mut self, author: u32) -> &mut TerrainClient {
        self.clients.get_mut(&author).unwrap()
    }

    fn post(&mut self, author: u32, to_server: bool, packet: TerrainPacket) {
        assert!(packet.bytes().len() <= TerrainPacket::MAX_BYTES);
        let Quality {
            lost,
            repeated,
            delay,
        } = self.quality;
        let copies = 1 + u32::from(self.rng.percent(repeated));
        for _ in 0..copies {
            if !self.rng.percent(lost) {
                let steps = self.rng.below(delay) as u32;
                self.sent.push(Sent {
                    arrives: self.now + STEP * steps,
                    author,
                    to_server,
                    packet: packet.clone(),
                });
            }
        }
    }

    /// Lets some time pass.
    pub fn step(&mut self) {
        self.now += STEP;
        let now = self.now;
        for (author, packet) in self.server.send(now) {
            *self.received.entry(author).or_default() += packet.bytes().len();
            self.post(author, false, packet);
        }
        let authors: Vec<u32> = self.clients.keys().copied().collect();
        for author in authors {
            for packet in self.client(author).send(now) {
                self.post(author, true, packet);
            }
        }
        let (mut arrived, sent) = std::mem::take(&mut self.sent)
            .into_iter()
            .partition::<Vec<_>, _>(|sent| sent.arrives <= now);
        self.sent = sent;
        self.rng.shuffle(&mut arrived);
        for sent in arrived {
            let received = if sent.to_server {
                let received = self.server.receive(sent.author, &sent.packet, now);
                self.record();
                received
            } else if let Some(client) = self.clients.get_mut(&sent.author) {
                client.receive(&sent.packet)
            } else {
                Ok(Received::default())
            };
            let all = &mut self.refused[usize::from(!sent.to_server)];
            match received {
                Ok(received) => all.extend(received.refused),
                // The connection is lost.
                Err(SyncError::NotConnected { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Writes down what the server accepted.
    pub fn record(&mut self) {
        let last = self.accepted.last().map_or(0, |entry| entry.time);
        let entries = self.server.edits().entries().rev();
        let new = entries.take_while(|entry| entry.time > last).cloned();
        let mut new: Vec<Entry> = new.collect();
        new.reverse();
        self.accepted.extend(new);
    }

    /// Whether all clients have answers to all their edits, and the terrain of the server.
    pub fn is_settled(&self) -> bool {
        let clock = self.server.edits().clock();
        self.clients.values().all(|client| {
            client.is_ready() && client.pending() == 0 && client.edits().clock() == clock
        })
    }

    /// Lets time pass until all is settled. Returns the number of steps.
    pub fn settle(&mut self) -> u32 {
        for steps in 0..2000 {
            if self.is_settled() {
                return steps;
            }
            self.step();
        }
        panic!("not settled after {:?}", self.now);
    }

    /// Checks that all clients have the tiles of the server, and that these follow from the accepted
    /// entries alone.
    pub fn check(&self) {
        let times = self.accepted.iter().map(|entry| entry.time);
        assert!(times.eq(1..=self.accepted.len() as u64));
        let mut fresh = edits();
        for entry in &self.accepted {
            fresh.insert(entry.clone()).unwrap();
        }
        assert!(fresh.tiles().eq(self.server.edits().tiles()), "server");
        for (author, client) in &self.clients {
            let [ours, theirs] = [client.edits(), self.server.edits()];
            assert!(ours.tiles().eq(theirs.tiles()), "client {author}");
            // Only some clients have made the last checkpoint.
            let known = theirs
                .entries()
                .filter(|entry| entry.time >= ours.compacted_before());
            let same = ours
                .entries()
                .filter(|entry| entry.time >= theirs.compacted_before());
            assert!(same.eq(known), "client {author}");
        }
    }
}
