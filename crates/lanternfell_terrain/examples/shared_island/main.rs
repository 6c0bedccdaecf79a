//! A headless server and clients that dig in the same island, connected with `bevy_replicon`.
//!
//! ```text
//! cargo run --release -p lanternfell_terrain --example shared_island -- server
//! cargo run --release -p lanternfell_terrain --example shared_island -- client
//! cargo run --release -p lanternfell_terrain --example shared_island -- demo
//! ```
//!
//! Start one server and any number of clients. The demo runs a server and four clients in one process, over a connection
//! that loses 20 % of the packets, and checks that all of them end up with the same terrain.
//!
//! | module | contents |
//! |---|---|
//! | `protocol` | the messages, and the island below the edits |
//! | `server` | accepts edits, and assigns author numbers |
//! | `session` | the network part of a client, without a window |
//! | `client` | the window of a client |
//! | `brush` | digs with the mouse |
//! | `demo` | a server and four clients in one process |
//!
//! The transport, `bevy_replicon_example_backend`, only accepts connections from the same computer, and trusts the
//! bytes that it receives. A game needs another
//! [messaging backend](https://github.com/simgine/bevy_replicon#messaging-backends). Only the lines with
//! `ExampleServer` and `ExampleClient` change then.

mod brush;
mod client;
mod demo;
mod protocol;
mod server;
mod session;

use std::net::SocketAddr;

use bevy::prelude::*;
use clap::{Args, Parser, Subcommand};
use lanternfell_headless::{HeadlessArgs, exit_with_usage_error, parse_or_exit};

use crate::protocol::Island;

/// Dig in the same island over a network
#[derive(Parser)]
#[command(arg_required_else_help = false)]
struct Arguments {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// Share an island, without a window
    Server(ServerArgs),
    /// Dig in the island of a server
    Client(ClientArgs),
    /// Run a server and four clients in this process, and compare their terrains
    Demo,
}

#[derive(Args)]
struct ServerArgs {
    /// The TCP port on which the server listens
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Which island: clients need the same number
    #[arg(long, default_value_t = SEED)]
    seed: u64,
}

#[derive(Args)]
struct ClientArgs {
    /// The IP address and port of the server
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], PORT)))]
    connect: SocketAddr,
    /// Which island: the server needs the same number
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    #[command(flatten)]
    headless: HeadlessArgs,
}

const PORT: u16 = 5747;
const SEED: u64 = 21;

fn main() -> AppExit {
    let arguments: Arguments = parse_or_exit();
    let result = match arguments.role {
        Role::Server(args) => server::run(args.port, &Island::new(args.seed)),
        Role::Client(args) => client::run(args.connect, Island::new(args.seed), &args.headless),
        Role::Demo => demo::run(&Island::new(SEED)),
    };
    result.unwrap_or_else(|error| exit_with_usage_error(&error))
}
