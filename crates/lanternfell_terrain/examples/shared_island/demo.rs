//! A server and four clients in one process. The clients dig in the same place over a bad connection, and one of them
//! leaves while another one joins. In the end all terrains have the same bits.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    net::{Ipv4Addr, SocketAddr},
    thread,
    time::{Duration, Instant},
};

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_replicon_example_backend::{
    ConditionerConfig, ExampleClient, ExampleServer, GlobalConditionerConfig,
};
use lanternfell_terrain::edits::{Brush, Edits, Stroke};

use crate::{
    protocol::Island,
    server,
    session::{self, Author, Base, News, SharedIsland},
};

/// The time of a frame.
const FRAME: Duration = Duration::from_millis(16);

/// The number of clients.
const CLIENTS: usize = 4;

/// The frames between two connections.
const LATER: usize = 40;

/// The frame in which the first client leaves, and that in which a new one connects.
const LEAVES: usize = 150;
const JOINS: usize = 200;

/// The number of edits that each client makes, and the frames between them.
const EDITS: usize = 20;
const EVERY: usize = 12;

/// How long the demo may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection of each client, in both directions.
const BAD_CONNECTION: ConditionerConfig = ConditionerConfig {
    latency: 40,
    jitter: 30,
    loss: 0.2,
};

/// Runs the demo, and prints the result.
///
/// # Errors
/// If there is no free port, or an edit is not valid.
pub fn run(island: &Island) -> Result<AppExit, String> {
    let mut demo = Demo::new(island).map_err(|error| error.to_string())?;
    demo.dig().map_err(|error| error.to_string())?;
    demo.print();
    Ok(match demo.is_complete() {
        true => AppExit::Success,
        false => AppExit::error(),
    })
}

struct Demo {
    island: Island,
    address: SocketAddr,
    server: App,
    clients: Vec<Client>,
}

struct Client {
    /// Determines its strokes.
    number: usize,
    app: App,
    /// The number of edits that it has made.
    edits: usize,
}

impl Demo {
    fn new(island: &Island) -> Result<Self> {
        // The system chooses a free port.
        let socket = ExampleServer::new(0)?;
        let address = (Ipv4Addr::LOCALHOST, socket.local_addr()?.port()).into();
        let mut server = server::app(socket, island)?;
        server.add_observer(worsen_connection);
        start(&mut server);
        Ok(Self {
            island: island.clone(),
            address,
            server,
            clients: Vec::new(),
        })
    }

    /// Lets the clients dig until all terrains are the same, or the time is over.
    fn dig(&mut self) -> Result {
        let start = Instant::now();
        for frame in 0.. {
            let is_next = frame % LATER == 0 && frame / LATER < CLIENTS;
            if is_next || frame == JOINS {
                // The new client draws the lines of the one that left.
                let number = if is_next { frame / LATER } else { 0 };
                let client = Client::new(number, self.address, &self.island)?;
                self.clients.push(client);
            }
            if frame == LEAVES {
                self.clients.remove(0);
            }
            if frame % EVERY == 0 {
                for client in &mut self.clients {
                    client.edit()?;
                }
            }
            self.update();
            let is_complete = frame > JOINS && self.is_complete();
            if is_complete || start.elapsed() > PATIENCE {
                break;
            }
        }
        Ok(())
    }

    fn update(&mut self) {
        self.server.update();
        for client in &mut self.clients {
            client.app.update();
        }
        thread::sleep(FRAME);
    }

    /// Whether all clients have made all their edits, and have the same terrain as the server.
    fn is_complete(&self) -> bool {
        let server = self.on_server().edits();
        let mut clients = self.clients.iter();
        clients.len() == CLIENTS
            && clients.all(|client| client.is_done() && client.agrees_with(server))
    }

    fn on_server(&self) -> &server::SharedIsland {
        self.server.world().resource()
    }

    #[expect(clippy::print_stdout, reason = "prints the result")]
    fn print(&self) {
        let server = self.on_server();
        println!("server:   {}", summary(server.edits()));
        for client in &self.clients {
            let edits = client.shared().map(|island| summary(island.client.edits()));
            println!("client:   {}", edits.unwrap_or_default());
        }
        for client in &self.clients {
            let News(news) = client.app.world().resource();
            if !news.is_empty() {
                println!("{news}");
            }
        }
        println!("received: {}", server.received);
        println!("sent:     {}", server.sent);
        match self.is_complete() {
            true => println!("All terrains are the same."),
            false => println!("The terrains are different."),
        }
    }
}

impl Client {
    fn new(number: usize, server: SocketAddr, island: &Island) -> Result<Self> {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, session::plugin))
            .insert_resource(ExampleClient::new(server)?)
            .insert_resource(Base(island.base()?))
            .insert_resource(island.clone())
            .add_systems(
                Update,
                (|mut commands: Commands| {
                    commands.insert_resource(GlobalConditionerConfig(BAD_CONNECTION));
                })
                .run_if(resource_added::<Author>),
            );
        start(&mut app);
        Ok(Self {
            number,
            app,
            edits: 0,
        })
    }

    fn shared(&self) -> Option<&SharedIsland> {
        self.app.world().get_resource()
    }

    /// Whether the server has answered all edits.
    fn is_done(&self) -> bool {
        let is_answered = |island: &SharedIsland| island.client.pending() == 0;
        self.edits == EDITS && self.shared().is_some_and(is_answered)
    }

    fn agrees_with(&self, server: &Edits) -> bool {
        let is_same = |island: &SharedIsland| tiles(island.client.edits()) == tiles(server);
        self.shared().is_some_and(is_same)
    }

    /// Makes the next edit, if the terrain is complete.
    fn edit(&mut self) -> Result {
        let shared = self.app.world_mut().get_resource_mut::<SharedIsland>();
        if let Some(mut shared) = shared
            && shared.client.is_ready()
            && self.edits < EDITS
        {
            match self.edits % 5 {
                4 => drop(shared.client.undo()?),
                _ => drop(shared.client.stroke(stroke(self.number, self.edits))?),
            }
            self.edits += 1;
        }
        Ok(())
    }
}

/// Finishes the plugins, as [`App::run`] does.
fn start(app: &mut App) {
    app.finish();
    app.cleanup();
}

fn worsen_connection(client: On<Add, server::Author>, mut commands: Commands) {
    commands.entity(client.entity).insert(BAD_CONNECTION);
}

/// Returns a stroke that crosses those of the other clients.
fn stroke(client: usize, step: usize) -> Stroke {
    let brush = match step % 4 {
        0 => Brush::Raise { mm: 400 },
        1 => Brush::Lower { mm: 300 },
        2 => Brush::Smooth { reach: 3 },
        _ => Brush::Flatten { mm: None },
    };
    // The server allows 32 cells.
    let radius = if (client, step) == (1, 5) { 40 } else { 4 };
    let at = 40 + 4 * step as i64;
    let line = match client {
        0 => [[at, 100], [at, 130]],
        1 => [[40, 60 + at], [120, 60 + at]],
        2 => [[at, 90], [120, 60 + at]],
        _ => [[40, 60 + at], [at, 130]],
    };
    // The units are 1/256 of a cell.
    let line = line.map(|point| point.map(|cells| 256 * cells));
    Stroke::along(brush, 256 * radius, line)
}

/// Returns the number and the hash of all tiles.
fn tiles(edits: &Edits) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    for (address, tile) in edits.tiles() {
        (address, tile.hash()).hash(&mut hasher);
    }
    (edits.tiles().count(), hasher.finish())
}

fn summary(edits: &Edits) -> String {
    let (count, hash) = tiles(edits);
    format!("{} edits, {count} tiles, hash {hash:016x}", edits.len())
}
