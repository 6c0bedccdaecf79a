//! The network part of a client. It works without a window and a terrain, as in `demo`.
//!
//! ```text
//!   connected ── Welcome: author 3 ──┐
//!                                    ├──> SharedIsland ── receive, send ──> SharedIsland changed: show it
//!   terrain is complete ── Base ─────┘
//! ```

use std::{fmt::Display, sync::Arc, time::Instant};

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::{ExampleClient, RepliconExampleClientPlugin};
use lanternfell_terrain::edits::{BaseHeights, EditLimits, SyncError, TerrainClient};

use crate::protocol::{self, Island, ToClient, ToServer, Welcome};

/// Needs an [`ExampleClient`], the [`Island`], and later the [`Base`].
pub fn plugin(app: &mut App) {
    app.add_plugins((
        // This app is never a server.
        RepliconPlugins
            .build()
            .disable::<ServerPlugin>()
            .disable::<ServerMessagePlugin>(),
        RepliconExampleClientPlugin,
        protocol::plugin,
    ))
    .init_resource::<News>()
    .add_systems(
        PreUpdate,
        (
            take_author,
            begin
                .run_if(resource_exists::<Base>.and_then(resource_exists::<Author>))
                .run_if(not(resource_exists::<SharedIsland>)),
            receive.run_if(resource_exists::<SharedIsland>),
        )
            .chain()
            .after(ClientSystems::Receive),
    )
    .add_systems(
        PostUpdate,
        send.before(ClientSystems::Send)
            .run_if(resource_exists::<SharedIsland>.and_then(in_state(ClientState::Connected))),
    );
}

/// The heights of the island without edits.
#[derive(Resource)]
pub struct Base(pub Arc<dyn BaseHeights>);

/// The author of the edits of this client.
#[derive(Resource)]
pub struct Author(pub u32);

/// The island with the edits of everyone. It is changed when there are other edits to show.
#[derive(Resource)]
pub struct SharedIsland {
    pub client: TerrainClient,
    start: Instant,
}

/// The last message for the player.
#[derive(Resource, Default)]
pub struct News(pub String);

impl News {
    pub fn report(&mut self, error: impl Display) {
        self.0 = format!("Error: {error}.");
        info!("{}", self.0);
    }
}

fn take_author(mut commands: Commands, mut welcomes: MessageReader<Welcome>) {
    for welcome in welcomes.read() {
        commands.insert_resource(Author(welcome.author));
    }
}

fn begin(mut commands: Commands, island: Res<Island>, base: Res<Base>, author: Res<Author>) {
    let (base, limits) = (base.0.clone(), EditLimits::default());
    commands.insert_resource(SharedIsland {
        client: TerrainClient::new(author.0, base, island.description(), limits),
        start: Instant::now(),
    });
}

fn receive(
    mut commands: Commands,
    mut packets: MessageReader<ToClient>,
    mut island: ResMut<SharedIsland>,
    mut news: ResMut<News>,
) {
    for ToClient(packet) in packets.read() {
        match island.bypass_change_detection().client.receive(packet) {
            Ok(received) => {
                if !received.changes.is_empty() {
                    island.set_changed();
                }
                for (_, refusal) in received.refused {
                    news.report(format!("the server refused an edit: {refusal}"));
                }
            }
            Err(error) => {
                news.report(&error);
                if matches!(error, SyncError::Base { .. }) {
                    commands.remove_resource::<ExampleClient>();
                }
            }
        }
    }
}

fn send(mut island: ResMut<SharedIsland>, mut packets: MessageWriter<ToServer>) {
    let island = island.bypass_change_detection();
    let now = island.start.elapsed();
    packets.write_batch(island.client.send(now).into_iter().map(ToServer));
}
