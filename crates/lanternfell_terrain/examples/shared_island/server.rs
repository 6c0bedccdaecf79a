//! The server. It needs no terrain entity: the log of edits and the heights below them are enough.

use std::{
    fmt::{self, Display, Formatter},
    time::{Duration, Instant},
};

use bevy::{app::ScheduleRunnerPlugin, log::LogPlugin, prelude::*, state::app::StatesPlugin};
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::{ExampleServer, RepliconExampleServerPlugin};
use lanternfell_terrain::edits::{
    Brush, Edits, Received, ServerLimits, Stroke, SyncError, TerrainPacket, TerrainServer,
};

use crate::protocol::{self, Island, ToClient, ToServer, Welcome};

/// The server exchanges packets at this rate.
const TICK: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// The author of the strokes that the server makes itself. Clients have other numbers.
const SERVER: u32 = 0;

/// Runs a server until the process ends.
///
/// # Errors
/// If the port cannot be used.
pub fn run(port: u16, island: &Island) -> Result<AppExit, String> {
    let socket = ExampleServer::new(port)
        .map_err(|error| format!("cannot listen on port {port}: {error}"))?;
    let mut app = app(socket, island).map_err(|error| error.to_string())?;
    app.add_plugins(LogPlugin::default());
    info!("listening on port {port}");
    Ok(app.run())
}

/// Returns the app of a server.
pub fn app(socket: ExampleServer, island: &Island) -> Result<App> {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(TICK)),
        StatesPlugin,
        // This app is never a client.
        RepliconPlugins
            .build()
            .disable::<ClientPlugin>()
            .disable::<ClientMessagePlugin>(),
        RepliconExampleServerPlugin,
        protocol::plugin,
    ))
    .insert_resource(SharedIsland::new(island)?)
    .insert_resource(socket)
    .add_observer(welcome)
    .add_observer(forget)
    .add_systems(PreUpdate, receive.after(ServerSystems::Receive))
    .add_systems(PostUpdate, send.before(ServerSystems::Send));
    Ok(app)
}

/// The island with all accepted edits.
#[derive(Resource)]
pub struct SharedIsland {
    server: TerrainServer,
    start: Instant,
    authors: u32,
    pub received: Traffic,
    pub sent: Traffic,
}

/// The number and size of packets.
#[derive(Debug, Default, Clone, Copy)]
pub struct Traffic {
    packets: usize,
    bytes: usize,
}

impl Traffic {
    fn add(&mut self, packet: &TerrainPacket) {
        self.packets += 1;
        self.bytes += packet.bytes().len();
    }
}

impl Display for Traffic {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} packets, {} bytes", self.packets, self.bytes)
    }
}

impl SharedIsland {
    fn new(island: &Island) -> Result<Self> {
        let edits = Edits::new(island.base()?);
        let mut server = TerrainServer::new(edits, island.description(), ServerLimits::default())?;
        server.stroke(SERVER, moat())?;
        Ok(Self {
            server,
            start: Instant::now(),
            authors: SERVER,
            received: Traffic::default(),
            sent: Traffic::default(),
        })
    }

    pub fn edits(&self) -> &Edits {
        self.server.edits()
    }

    /// Begins the session of a client, and returns its author number. Numbers are not used again, so that nobody can
    /// undo the strokes of another client. A game with accounts would give each account its own number.
    fn connect(&mut self) -> u32 {
        self.authors += 1;
        self.server.connect(self.authors, self.start.elapsed());
        self.authors
    }

    fn receive(&mut self, author: u32, packet: &TerrainPacket) -> Result<Received, SyncError> {
        self.received.add(packet);
        self.server.receive(author, packet, self.start.elapsed())
    }

    fn send(&mut self) -> Vec<(u32, TerrainPacket)> {
        let packets = self.server.send(self.start.elapsed());
        for (_, packet) in &packets {
            self.sent.add(packet);
        }
        packets
    }
}

/// A ring that the server digs before the first client connects.
fn moat() -> Stroke {
    // The units are 1/256 of a cell.
    const UNIT: f32 = 256.0;
    let middle = Vec2::new(88.0, 152.0);
    let points = (0..=32).map(|step| {
        let turn = Vec2::from_angle(step as f32 / 32.0 * core::f32::consts::TAU);
        let at = (middle + 12.0 * turn) * UNIT;
        [at.x as i64, at.y as i64]
    });
    Stroke::along(Brush::Lower { mm: 700 }, 3 * UNIT as u32, points)
}

/// The author number of a connection.
#[derive(Component, Clone, Copy)]
pub struct Author(pub u32);

/// Runs when a client has connected, and its messages are the same as those of the server.
fn welcome(
    client: On<Add, AuthorizedClient>,
    mut commands: Commands,
    mut island: ResMut<SharedIsland>,
    mut welcomes: MessageWriter<ToClients<Welcome>>,
) {
    let author = island.connect();
    commands.entity(client.entity).insert(Author(author));
    welcomes.write(ToClients {
        targets: SendTargets::Single(client.entity.into()),
        message: Welcome { author },
    });
    info!("author {author} has connected");
}

/// Runs when a client has disconnected.
fn forget(
    client: On<Remove, Author>,
    authors: Query<&Author>,
    mut island: ResMut<SharedIsland>,
) -> Result {
    let Author(author) = *authors.get(client.entity)?;
    island.server.disconnect(author);
    info!("author {author} has disconnected");
    Ok(())
}

fn receive(
    mut packets: MessageReader<FromClient<ToServer>>,
    authors: Query<&Author>,
    mut island: ResMut<SharedIsland>,
    mut disconnects: MessageWriter<DisconnectRequest>,
) {
    for FromClient { client_id, message } in packets.read() {
        // The connection may have ended after it sent the packet.
        let Some(client) = client_id.entity() else {
            continue;
        };
        let Ok(&Author(author)) = authors.get(client) else {
            continue;
        };
        match island.receive(author, &message.0) {
            Ok(received) => {
                for (_, refusal) in received.refused {
                    info!("refused an edit of author {author}: {refusal}");
                }
            }
            // The clients of this example never send such a packet.
            Err(error) => {
                warn!("disconnecting author {author}: {error}");
                disconnects.write(DisconnectRequest { client });
            }
        }
    }
}

fn send(
    authors: Query<(Entity, &Author)>,
    mut island: ResMut<SharedIsland>,
    mut packets: MessageWriter<ToClients<ToClient>>,
) {
    for (to, packet) in island.send() {
        if let Some((client, _)) = authors.iter().find(|(_, author)| author.0 == to) {
            packets.write(ToClients {
                targets: SendTargets::Single(client.into()),
                message: ToClient(packet),
            });
        }
    }
}
