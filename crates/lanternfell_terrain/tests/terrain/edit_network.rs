//! Terrains of two players whose edits go through a server.

use std::{sync::Arc, time::Duration};

use bevy::prelude::*;
use lanternfell_terrain::{
    TerrainChunk,
    edits::{Brush, EditLimits, Edits, FlatBase, ServerLimits, TerrainClient, TerrainServer},
    prelude::*,
};
use lanternfell_terrain_test_support::terrain::*;

fn terrain() -> Terrain {
    Terrain::new(hills(200, 200, 4))
}

fn author(terrain: Entity) -> u32 {
    terrain.index_u32()
}

/// A player with a terrain of their own.
struct Player {
    terrain: Entity,
    client: TerrainClient,
}

impl Player {
    fn new(app: &mut App) -> Self {
        let terrain = spawn_ready(app, (terrain(), TerrainEdits::default()));
        // The terrain is complete, so its log has the terrain's base.
        let base = app
            .world()
            .get::<TerrainEdits>(terrain)
            .unwrap()
            .base()
            .clone();
        let client = TerrainClient::new(author(terrain), base, "hills", EditLimits::default());
        Self { terrain, client }
    }

    /// Shows the log of the client.
    fn show(&self, app: &mut App) {
        let log = self.client.edits().clone();
        **app
            .world_mut()
            .get_mut::<TerrainEdits>(self.terrain)
            .unwrap() = log;
        wait_until_ready(app);
        app.update();
    }
}

/// Moves all packets for a second.
fn exchange(server: &mut TerrainServer, players: &mut [Player], start: u64) {
    for step in 0..20 {
        let now = Duration::from_millis(1000 * start + 50 * step);
        for player in players.iter_mut() {
            for packet in player.client.send(now) {
                server
                    .receive(author(player.terrain), &packet, now)
                    .unwrap();
            }
        }
        for (to, packet) in server.send(now) {
            let to = players
                .iter_mut()
                .find(|player| author(player.terrain) == to);
            to.unwrap().client.receive(&packet).unwrap();
        }
    }
}

#[test]
fn players_see_the_same_ground() {
    let mut app = app();
    // Strokes that read heights would need the base of the terrain here too.
    let base = Arc::new(FlatBase::default());
    let mut server =
        TerrainServer::new(Edits::new(base), "hills", ServerLimits::default()).unwrap();
    let mut players = Vec::new();
    for _ in 0..2 {
        let player = Player::new(&mut app);
        server.connect(author(player.terrain), Duration::ZERO);
        players.push(player);
    }
    exchange(&mut server, &mut players, 0);
    assert!(players.iter().all(|player| player.client.is_ready()));
    let before = ground(&app, players[0].terrain).clone();
    let shown: Vec<Entity> = shown_chunks(&mut app);

    let at = [Vec2::new(-60.0, 30.0), Vec2::new(40.0, -50.0)];
    for (player, at) in players.iter_mut().zip(at) {
        let stroke = before
            .local_stroke(Brush::Raise { mm: 3000 }, 8.0, [at])
            .unwrap();
        player.client.stroke(stroke).unwrap();
    }
    // Each sees their own stroke before the server knows it.
    players[0].show(&mut app);
    let height = |app: &App, player: &Player, at| {
        ground(app, player.terrain).surface().height(at).unwrap()
            - before.surface().height(at).unwrap()
    };
    assert!(height(&app, &players[0], at[0]) > 2.0);
    assert!(height(&app, &players[0], at[1]).abs() < 1e-3);

    exchange(&mut server, &mut players, 1);
    for player in &players {
        player.show(&mut app);
        assert_eq!(player.client.pending(), 0);
        assert!(at.into_iter().all(|at| height(&app, player, at) > 2.0));
    }
    let [one, other] = [0, 1].map(|player: usize| ground(&app, players[player].terrain).map());
    assert!(same_bits(one, other));
    // Only the edited places were updated.
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<Entity, With<TerrainChunk>>();
    let kept = chunks
        .iter(world)
        .filter(|chunk| shown.contains(chunk))
        .count();
    assert!(2 * kept > shown.len(), "{kept} of {}", shown.len());
}
