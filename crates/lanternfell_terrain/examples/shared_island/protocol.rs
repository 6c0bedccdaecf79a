//! What the server and the clients must agree on: the messages, and the island below the edits.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use lanternfell_terrain::{
    edits::{BaseHeights, MapBase, TerrainPacket},
    prelude::*,
};
use serde::{Deserialize, Serialize};

/// Registers the messages. `bevy_replicon` refuses clients that register other messages than the server.
///
/// Packets may get lost and overtake each other, so a reliable channel would only delay them. No message depends on a
/// replicated entity, so none has to wait for the replication.
pub fn plugin(app: &mut App) {
    app.add_client_message::<ToServer>(Channel::Unreliable)
        .add_server_message::<ToClient>(Channel::Unreliable)
        .add_server_message::<Welcome>(Channel::Ordered)
        .make_message_independent::<ToClient>()
        .make_message_independent::<Welcome>();
}

/// A packet from a client. It does not name its author: the server knows which connection it comes from.
#[derive(Message, Serialize, Deserialize)]
pub struct ToServer(pub TerrainPacket);

/// A packet from the server.
#[derive(Message, Serialize, Deserialize)]
pub struct ToClient(pub TerrainPacket);

/// The first message from the server.
#[derive(Message, Serialize, Deserialize)]
pub struct Welcome {
    /// The author of all edits that the server receives from this client.
    pub author: u32,
}

/// The island without edits.
#[derive(Resource, Clone)]
pub struct Island(pub Recipe);

impl Island {
    pub fn new(seed: u64) -> Self {
        let hills = Hills {
            island: true,
            ..default()
        };
        Self(Recipe::new(MapSize::default(), seed, hills))
    }

    /// Returns the recipe in one line. The server refuses clients with another one.
    pub fn description(&self) -> String {
        let text = self.0.to_ron();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the heights below the edits, for an app without a [`Terrain`].
    pub fn base(&self) -> Result<Arc<dyn BaseHeights>> {
        let map = self.0.generate(&Progress::default())?;
        let base = MapBase::new(Arc::new(map), self.0.scale())?;
        Ok(Arc::new(base))
    }
}
